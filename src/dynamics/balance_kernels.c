// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/balance_kernels.h"

#include "compute/kernel.h"

WF_FN int LeaderOf(int cloth, const int* groups) { return groups != 0 && groups[cloth] >= 0 ? groups[cloth] : cloth; }

WF_TILE_KERNEL(BalanceSum, a, tile)
{
    WF_SHARED float parts[wf_balanceSums][WF_TILE];
    wfBalanceTile range = a.tiles[tile];
    wfVec3 origin = wfXyz(a.x[a.cloths[LeaderOf(range.cloth, a.groups)].firstVertex]);
    WF_LANES (t, WF_TILE) {
        int i = range.first + (t < range.count ? t : 0);
        wfVec4 target = a.target[i];
        float weight = target.w;
        bool counts = t < range.count && weight > 0.0f;
        wfVec3 x = wfXyz(a.x[i]), r = wfSub(x, origin), zero = wfMake3(0.0f, 0.0f, 0.0f);
        wfTermForce s = {zero, {zero, zero, zero}};
        wfVec3 g = wfScale(wfSub(x, wfXyz(target)), counts ? weight : 0.0f);
        if (counts && a.forces != 0) {
            g = wfSub(g, a.forces[i].force);
            if (a.stiff) s = a.forces[i];
        }
        float held = s.fall[0].x + s.fall[1].y + s.fall[2].z;
        s.fall[0].x += counts ? weight : 0.0f;
        s.fall[1].y += counts ? weight : 0.0f;
        s.fall[2].z += counts ? weight : 0.0f;
        wfVec3 moment = wfCross(r, g), b[6];
        b[0] = wfMake3(1.0f, 0.0f, 0.0f);
        b[1] = wfMake3(0.0f, 1.0f, 0.0f);
        b[2] = wfMake3(0.0f, 0.0f, 1.0f);
        b[3] = wfMake3(0.0f, -r.z, r.y);
        b[4] = wfMake3(r.z, 0.0f, -r.x);
        b[5] = wfMake3(-r.y, r.x, 0.0f);
        for (int k = 0; k < 6; ++k) {
            wfVec3 ab = wfMake3(wfDot(s.fall[0], b[k]), wfDot(s.fall[1], b[k]), wfDot(s.fall[2], b[k]));
            for (int j = 0; j < 6; ++j) parts[6 * j + k][t] = wfDot(b[j], ab);
        }
        parts[36][t] = g.x;
        parts[37][t] = g.y;
        parts[38][t] = g.z;
        parts[39][t] = moment.x;
        parts[40][t] = moment.y;
        parts[41][t] = moment.z;
        parts[wf_balanceHeld][t] = t < range.count && weight < 0.0f ? 1.0f : 0.0f;
        parts[wf_balanceTouched][t] = held > 0.0f ? 1.0f : 0.0f;
    }
    WF_SYNC();
    WF_LANES (t, wf_balanceSums) {
        float sum = 0.0f;
        for (int k = 0; k < WF_TILE; ++k) sum += parts[t][k];
        a.sums[tile * wf_balanceSums + t] = sum;
    }
}

/// m v = right side, which is in v before. What has no weight, as the turn of a straight row of vertices about itself, comes out as zero.
WF_FN void SolveSix(double m[6][6], double v[6]) {
    double least = 0.0;
    for (int k = 0; k < 6; ++k) least = fmax(least, 1e-9 * fabs(m[k][k]));
    for (int k = 0; k < 6; ++k) {
        int best = k;
        for (int i = k + 1; i < 6; ++i)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        for (int j = 0; j < 6; ++j) {
            double other = m[best][j];
            m[best][j] = m[k][j];
            m[k][j] = other;
        }
        double other = v[best], inverse = fabs(m[k][k]) > least ? 1.0 / m[k][k] : 0.0;
        v[best] = v[k];
        v[k] = other;
        m[k][k] = inverse;
        for (int i = k + 1; i < 6; ++i) {
            double f = m[i][k] * inverse;
            for (int j = k + 1; j < 6; ++j) m[i][j] -= f * m[k][j];
            v[i] -= f * v[k];
        }
    }
    for (int k = 5; k >= 0; --k) {
        for (int j = k + 1; j < 6; ++j) v[k] -= m[k][j] * v[j];
        v[k] *= m[k][k];
    }
}

/// The motion by the sums over a cloth.
WF_FN void SetMotion(wfBalanceCloth* cloth, const double* total) {
    double m[6][6], v[6];
    for (int k = 0; k < 6; ++k) {
        for (int j = 0; j < 6; ++j) m[k][j] = total[6 * k + j];
        v[k] = total[36 + k];
    }
    SolveSix(m, v);
    cloth->linear = wfMake3((float)v[0], (float)v[1], (float)v[2]);
    cloth->angular = wfMake3((float)v[3], (float)v[4], (float)v[5]);
}

/// [m] how far the motion takes the cloth's center.
WF_FN float WayOfCenter(const wfBalanceCloth* cloth, const double* total) {
    double w = fmax(total[0], 1e-30); // with A = w row 0 of Bt A B ends with w (0, z, -y), row 1 with w (-z, 0, x)
    wfVec3 center = wfMake3((float)(total[11] / w), (float)(-total[5] / w), (float)(total[4] / w));
    return wfLength(wfAdd(cloth->linear, wfCross(cloth->angular, center)));
}

WF_TILE_KERNEL(BalanceSolve, a, c)
{
    WF_SHARED double total[2][wf_balanceSums];
    bool leads = a.groups == 0 || a.groups[c] == c;
    int last = a.groups == 0 ? c + 1 : a.clothCount, sewn = 0;
    WF_LANES (t, wf_balanceSums) total[0][t] = total[1][t] = 0.0;
    for (int d = c; d < last && leads; ++d) {
        wfBalanceCloth cloth = a.cloths[d];
        if (a.groups != 0 && a.groups[d] != c) continue;
        sewn |= cloth.sewn;
        WF_LANES (t, wf_balanceSums)
            for (int k = 0; k < cloth.tileCount; ++k) {
                int at = (cloth.firstTile + k) * wf_balanceSums + t;
                total[0][t] += (double)a.sums[at];
                total[1][t] += a.stiffSums != 0 ? (double)a.stiffSums[at] : 0.0;
            }
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        wfBalanceCloth cloth = a.cloths[c];
        cloth.origin = wfXyz(a.x[cloth.firstVertex]);
        SetMotion(&cloth, total[t]);
        bool allOver = total[t + 1][wf_balanceTouched] >= 0.9 * cloth.vertexCount;
        if (a.stiffSums != 0 && (allOver || !(WayOfCenter(&cloth, total[t]) <= a.part))) SetMotion(&cloth, total[t + 1]);
        // What is held stays; and where numbers are none, who made them so reports it.
        bool moves = leads && sewn == 0 && total[0][wf_balanceHeld + t] == 0.0 && wfIsFinite3(cloth.origin) && wfIsFinite3(cloth.linear) &&
                     wfIsFinite3(cloth.angular);
        if (!moves) cloth.origin = cloth.linear = cloth.angular = wfMake3(0.0f, 0.0f, 0.0f);
        a.cloths[c] = cloth;
    }
}

WF_TILE_KERNEL(BalanceMove, a, tile)
{
    wfBalanceTile range = a.tiles[tile];
    wfBalanceCloth cloth = a.cloths[LeaderOf(range.cloth, a.groups)];
    WF_LANES (t, range.count) {
        wfVec4 x = a.x[range.first + t];
        wfVec3 away = wfAdd(cloth.linear, wfCross(cloth.angular, wfSub(wfXyz(x), cloth.origin)));
        a.x[range.first + t] = wfMake4(wfSub(wfXyz(x), away), x.w);
    }
}
