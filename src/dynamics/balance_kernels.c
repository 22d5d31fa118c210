// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/balance_kernels.h"

#include "compute/kernel.h"

WF_FN wfVec3 Times(wfTermForce a, wfVec3 v) {
    return wfMake3(a.xx * v.x + a.xy * v.y + a.zx * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z, a.zx * v.x + a.yz * v.y + a.zz * v.z);
}

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
        wfTermForce s = {zero, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        wfVec3 g = wfScale(wfSub(x, wfXyz(target)), counts ? weight : 0.0f);
        if (counts && a.forces != 0) {
            g = wfSub(g, a.forces[i].force);
            if (a.stiff) s = a.forces[i];
        }
        wfVec3 moment = wfCross(r, g);
        s.xx += counts ? weight : 0.0f;
        s.yy += counts ? weight : 0.0f;
        s.zz += counts ? weight : 0.0f;
        wfVec3 b[3], ab[3];
        b[0] = wfMake3(0.0f, -r.z, r.y);
        b[1] = wfMake3(r.z, 0.0f, -r.x);
        b[2] = wfMake3(-r.y, r.x, 0.0f);
        for (int k = 0; k < 3; ++k) {
            ab[k] = Times(s, b[k]);
            parts[6 + k][t] = ab[k].x;
            parts[9 + k][t] = ab[k].y;
            parts[12 + k][t] = ab[k].z;
        }
        parts[0][t] = s.xx;
        parts[1][t] = s.yy;
        parts[2][t] = s.zz;
        parts[3][t] = s.xy;
        parts[4][t] = s.yz;
        parts[5][t] = s.zx;
        parts[15][t] = wfDot(b[0], ab[0]);
        parts[16][t] = wfDot(b[1], ab[1]);
        parts[17][t] = wfDot(b[2], ab[2]);
        parts[18][t] = wfDot(b[0], ab[1]);
        parts[19][t] = wfDot(b[1], ab[2]);
        parts[20][t] = wfDot(b[2], ab[0]);
        parts[21][t] = g.x;
        parts[22][t] = g.y;
        parts[23][t] = g.z;
        parts[24][t] = moment.x;
        parts[25][t] = moment.y;
        parts[26][t] = moment.z;
        parts[27][t] = t < range.count && weight < 0.0f ? 1.0f : 0.0f;
    }
    WF_SYNC();
    WF_LANES (t, wf_balanceSums) {
        float sum = 0.0f;
        for (int k = 0; k < WF_TILE; ++k) sum += parts[t][k];
        a.sums[tile * wf_balanceSums + t] = sum;
    }
}

/// m v = right side, which is in v before: of six unknowns, by the lower triangle of m. What has no weight, as the turn of a straight row
/// of vertices about itself, comes out as zero.
WF_FN void SolveSix(double m[6][6], double v[6]) {
    double least[6];
    for (int k = 0; k < 6; ++k) least[k] = 1e-9 * m[k][k];
    for (int k = 0; k < 6; ++k) {
        double pivot = m[k][k], inverse = pivot > least[k] && pivot > 0.0 ? 1.0 / pivot : 0.0;
        m[k][k] = inverse;
        for (int i = k + 1; i < 6; ++i) {
            double f = m[i][k] * inverse;
            for (int j = k + 1; j <= i; ++j) m[i][j] -= f * m[j][k];
            v[i] -= f * v[k];
        }
    }
    for (int k = 5; k >= 0; --k) {
        double sum = v[k];
        for (int i = k + 1; i < 6; ++i) sum -= m[i][k] * v[i];
        v[k] = sum * m[k][k];
    }
}

/// The motion by the sums over a cloth.
WF_FN void SetMotion(wfBalanceCloth* cloth, const double* total) {
    double m[6][6], v[6];
    for (int k = 0; k < 3; ++k) {
        m[k][k] = total[k];
        m[3 + k][3 + k] = total[15 + k];
        for (int j = 0; j < 3; ++j) m[3 + k][j] = total[6 + 3 * j + k];
        v[k] = total[21 + k];
        v[3 + k] = total[24 + k];
    }
    m[1][0] = total[3];
    m[2][1] = total[4];
    m[2][0] = total[5];
    m[4][3] = total[18];
    m[5][4] = total[19];
    m[5][3] = total[20];
    SolveSix(m, v);
    cloth->linear = wfMake3((float)v[0], (float)v[1], (float)v[2]);
    cloth->angular = wfMake3((float)v[3], (float)v[4], (float)v[5]);
}

/// [m] how far the motion takes the cloth's center.
WF_FN float WayOfCenter(const wfBalanceCloth* cloth, const double* total) {
    double w = fmax(total[0], 1e-30); // of A B: row 0 is w (0, z, -y), row 1 w (-z, 0, x)
    wfVec3 center = wfMake3((float)(total[11] / w), (float)(-total[8] / w), (float)(total[7] / w));
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
        if (a.stiffSums != 0 && !(WayOfCenter(&cloth, total[t]) <= a.tolerance)) SetMotion(&cloth, total[t + 1]);
        // What is held stays; and where numbers are none, who made them so reports it.
        bool moves = leads && sewn == 0 && total[0][27 + t] == 0.0 && wfIsFinite3(cloth.origin) && wfIsFinite3(cloth.linear) &&
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
