// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What inflates a cloth: a force p a on each vertex, a [m²] its area along the normal (a third of each triangle about it), which is also
// how fast the volume V of a closed cloth grows with the vertex's position.
//   constant   p is what the scene says [Pa]
//   gas        p = P V0 / V - ambient: an ideal gas at constant temperature, V0 the volume at the start and P the absolute pressure there,
//              ambient + what the scene says. The mesh must be closed.
// An implicit step takes the areas a and the volume V at its beginning. A constant pressure is then a force. A gas is stiff, P/V a aᵀ over
// all pairs of vertices (a ball of 25 cm rings at 400 Hz), so its pressure must move with x: with s = sum a·(x - xStart) the gas has the
// energy -P V0 log(1 + s/V) + ambient s, which is convex in x. wfPressure_Fold takes its force anew before an iteration of a descent.

#include "dynamics/fans.h"

#define wf_ambientPressure 101325.0f // [Pa]

/// Of a cloth, for kernels.
typedef struct wfInflated {
    float pressure;    // [Pa] where it is constant
    float amount;      // P V0 [J]; 0 where the pressure is constant
    float leastVolume; // [m³] below it the gas resists as there: a cloth turned inside out has no volume to divide by
} wfInflated;

/// Of a gas, by cloth.
typedef struct wfGasSums {
    float volume; // [m³] where the areas were measured
    float area;   // sum of |area| [m²]
    float gain;   // s [m³]: by how much the volume has grown since, to first order
} wfGasSums;

/// What kernels see; areas and sums as of the last wfPressure_Measure.
typedef struct wfPressureView {
    const wfVec4* area;
    const int* clothOf;
    const wfInflated* of;  // per cloth; NULL where none is inflated
    const wfGasSums* sums; // per cloth
} wfPressureView;

/// Pressure inside over outside [Pa] after the volume has grown by `gain`.
WF_FN float wfPressureOf(const wfPressureView* view, int cloth, float gain) {
    wfInflated c = view->of[cloth];
    if (!(c.amount > 0.0f)) return c.pressure;
    return c.amount / fmaxf(view->sums[cloth].volume + gain, c.leastVolume) - wf_ambientPressure;
}

/// The force on a vertex [N] where the areas were measured.
WF_FN wfVec3 wfPressureForce(const wfPressureView* view, int i) {
    return wfScale(wfXyz(view->area[i]), wfPressureOf(view, view->clothOf[i], 0.0f));
}

/// The part of it that a step knows when it begins.
WF_FN wfVec3 wfConstantPressureForce(const wfPressureView* view, int i) {
    wfInflated c = view->of[view->clothOf[i]];
    return wfScale(wfXyz(view->area[i]), c.amount > 0.0f ? 0.0f : c.pressure);
}

struct wfGasRange;

typedef struct wfPressure {
    int inflatedCount; // cloths; 0: there is nothing to do
    int vertexCount;
    struct wfGasRange* gas; // host: the cloths whose volume is summed
    int gasCount;
    // Largest rows of stiffness over mass at the start [1/s²]: of a gas, doubled for one that is compressed to 70 %; and of how forces turn
    // with the triangles about them.
    float gasRatio, turnRatio;
    wfArena arena;
    wfBuffer of, clothOf, firstOf, area, sums;
    wfBuffer parts, areaParts; // float a vertex: what is summed
    wfBuffer folded;           // wfVec4: targets with the gas
    wfBuffer scratch;
} wfPressure;

wfPressure wfMakePressure(void);
/// Needs model->topology and model->start. Fails where a gas is in a cloth that is not closed or has its inside out.
bool wfPressure_Create(wfPressure* pressure, wfDevice* device, const wfModel* model, wfError* err);
void wfPressure_Free(wfPressure* pressure, wfDevice* device);

/// The calls below do nothing where there is nothing to do, do not wait, and may be recorded.

/// Areas and volumes at positions x.
void wfPressure_Measure(wfPressure* pressure, wfDevice* device, const wfFans* fans, const wfVec4* x);
wfPressureView wfPressure_View(const wfPressure* pressure);

/// Targets with the gas folded in: exact at x, and w grows by a bound of the gas's stiffness, so that a descent step from x sees how it
/// changes. Areas were measured at `from`. Returns `target` itself where there is no gas.
const wfVec4* wfPressure_Fold(wfPressure* pressure, wfDevice* device, const wfVec4* from, const wfVec4* x, const wfVec4* target);
/// Adds the energy of the gas [J], zero at `from`, to the number *energy on the device.
void wfPressure_AddEnergy(wfPressure* pressure, wfDevice* device, const wfVec4* from, const wfVec4* x, float* energy);
