// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/pressure_kernels.h"

#include "compute/kernel.h"

WF_KERNEL(PressureArea, a, i)
{
    wfVec3 area = wfFanArea(&a.fans, a.x, i);
    a.area[i] = wfMake4(area, 0.0f);
    a.volume[i] = wfDot(area, wfSub(wfXyz(a.x[i]), wfXyz(a.x[a.firstOf[a.clothOf[i]]]))) / 3.0f;
    a.size[i] = wfLength(area);
}

WF_KERNEL(PressureGain, a, i)
{ a.out[i] = wfDot(wfXyz(a.area[i]), wfSub(wfXyz(a.x[i]), wfXyz(a.from[i]))); }

WF_KERNEL(PressureFold, a, i)
{
    wfVec4 target = a.target[i];
    int cloth = a.pressure.clothOf[i];
    wfInflated c = a.pressure.of[cloth];
    if (target.w < 0.0f || !(c.amount > 0.0f)) {
        a.out[i] = target;
        return;
    }
    wfGasSums sums = a.pressure.sums[cloth];
    wfVec3 area = wfXyz(a.pressure.area[i]), x = wfXyz(a.x[i]);
    float volume = fmaxf(sums.volume + sums.gain, c.leastVolume);
    float bound = c.amount / (volume * volume) * sums.area * wfLength(area); // sum over j of |a_i| |a_j| P V0 / V²
    float weight = target.w + bound;
    if (!(weight > 0.0f)) { // no inertia, no area: nothing pulls
        a.out[i] = target;
        return;
    }
    // weight (out - x) = target.w (target - x) + force
    wfVec3 force = wfScale(area, wfPressureOf(&a.pressure, cloth, sums.gain));
    a.out[i] = wfMake4(wfMulAdd(x, 1.0f / weight, wfMulAdd(force, target.w, wfSub(wfXyz(target), x))), weight);
}

WF_KERNEL(PressureEnergy, a, i)
{
    (void)i;
    double sum = *a.energy; // what the gas does and what the air outside does nearly cancel
    for (int cloth = 0; cloth < a.clothCount; ++cloth) {
        wfInflated c = a.pressure.of[cloth];
        if (!(c.amount > 0.0f)) continue;
        wfGasSums s = a.pressure.sums[cloth];
        double volume = s.volume, gain = s.gain, least = c.leastVolume, to = volume + gain;
        double rise = to >= least ? log(to / volume) : log(least / volume) + (to - least) / least;
        sum += wf_ambientPressure * gain - c.amount * rise;
    }
    *a.energy = (float)sum;
}
