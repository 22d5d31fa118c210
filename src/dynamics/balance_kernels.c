// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/balance_kernels.h"

#include "compute/kernel.h"
#include "dynamics/turn.h"

WF_TILE_KERNEL(BalanceSum, a, tile)
{
    WF_SHARED float parts[wf_balanceSums][WF_TILE];
    wfBalanceTile range = a.tiles[tile];
    wfVec3 origin = wfXyz(a.x[a.cloths[range.cloth].firstVertex]);
    WF_LANES (t, WF_TILE) {
        int i = range.first + (t < range.count ? t : 0);
        wfVec4 target = a.target[i];
        wfVec3 x = wfXyz(a.x[i]), r = wfSub(x, origin), d = wfSub(x, wfXyz(target)), l = wfCross(r, d);
        float w = t < range.count && target.w > 0.0f ? target.w : 0.0f;
        parts[0][t] = w;
        parts[1][t] = w * r.x;
        parts[2][t] = w * r.y;
        parts[3][t] = w * r.z;
        parts[4][t] = w * d.x;
        parts[5][t] = w * d.y;
        parts[6][t] = w * d.z;
        parts[7][t] = w * l.x;
        parts[8][t] = w * l.y;
        parts[9][t] = w * l.z;
        parts[10][t] = w * r.x * r.x;
        parts[11][t] = w * r.y * r.y;
        parts[12][t] = w * r.z * r.z;
        parts[13][t] = w * r.x * r.y;
        parts[14][t] = w * r.y * r.z;
        parts[15][t] = w * r.z * r.x;
        parts[16][t] = t < range.count && target.w < 0.0f ? 1.0f : 0.0f;
    }
    WF_SYNC();
    WF_LANES (t, wf_balanceSums) {
        float sum = 0.0f;
        for (int k = 0; k < WF_TILE; ++k) sum += parts[t][k];
        a.sums[tile * wf_balanceSums + t] = sum;
    }
}

WF_TILE_KERNEL(BalanceSolve, a, c)
{
    WF_SHARED double total[wf_balanceSums];
    wfBalanceCloth cloth = a.cloths[c];
    WF_LANES (t, wf_balanceSums) {
        double sum = 0.0;
        for (int k = 0; k < cloth.tileCount; ++k) sum += (double)a.sums[(cloth.firstTile + k) * wf_balanceSums + t];
        total[t] = sum;
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        wfVec3 zero = wfMake3(0.0f, 0.0f, 0.0f);
        double w = total[0];
        cloth.center = cloth.linear = cloth.angular = zero;
        if (total[16 + t] == 0.0 && w > 0.0) {
            double cx = total[1] / w, cy = total[2] / w, cz = total[3] / w, dx = total[4], dy = total[5], dz = total[6];
            double mxx = total[10] - w * cx * cx, myy = total[11] - w * cy * cy, mzz = total[12] - w * cz * cz;
            double mxy = total[13] - w * cx * cy, myz = total[14] - w * cy * cz, mzx = total[15] - w * cz * cx;
            cloth.center = wfAdd(wfXyz(a.x[cloth.firstVertex]), wfMake3((float)cx, (float)cy, (float)cz));
            cloth.linear = wfMake3((float)(dx / w), (float)(dy / w), (float)(dz / w));
            cloth.angular = wfSolveTurn(myy + mzz, mzz + mxx, mxx + myy, -mxy, -myz, -mzx, total[7] - (cy * dz - cz * dy),
                                        total[8] - (cz * dx - cx * dz), total[9] - (cx * dy - cy * dx));
        }
        bool sane = wfIsFinite3(cloth.center) && wfIsFinite3(cloth.linear) && wfIsFinite3(cloth.angular);
        if (!sane) cloth.center = cloth.linear = cloth.angular = zero; // who made it so reports it
        a.cloths[c] = cloth;
    }
}

WF_TILE_KERNEL(BalanceMove, a, tile)
{
    wfBalanceTile range = a.tiles[tile];
    wfBalanceCloth cloth = a.cloths[range.cloth];
    WF_LANES (t, range.count) {
        wfVec4 x = a.x[range.first + t];
        wfVec3 away = wfAdd(cloth.linear, wfCross(cloth.angular, wfSub(wfXyz(x), cloth.center)));
        a.x[range.first + t] = wfMake4(wfSub(wfXyz(x), away), x.w);
    }
}
