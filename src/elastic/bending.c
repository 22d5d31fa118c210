// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/bending.h"

double wfBendingRigidity(const wfFabric* fabric, double warp) {
    double bias = fabric->bend_bias;
    double thread = warp >= 0.0 ? fabric->bend_warp : fabric->bend_weft;
    return fabric->bending * (bias + fabs(warp) * (thread - bias));
}

wfBendD wfMakeBend(const wfHinge* hinge, double rigidity) {
    double c0 = hinge->length / hinge->height[0], c1 = hinge->length / hinge->height[1];
    double k1 = -c0 * hinge->along[0] - c1 * hinge->along[1];
    return (wfBendD){.k = {-c0 - c1 - k1, k1, c0, c1}, .stiffness = rigidity / hinge->area};
}

wfBend wfBend_Narrow(wfBendD b) { return (wfBend){{(float)b.k[0], (float)b.k[1], (float)b.k[2], (float)b.k[3]}, (float)b.stiffness}; }

double wfDihedralStiffness(const wfHinge* hinge, double rigidity) { return rigidity * hinge->length * hinge->length / hinge->area; }

double wfBendRestLength(const wfHinge* hinge, double angle) { return 2.0 * hinge->length * sin(0.5 * angle); }

bool wfBending_Create(wfBending* bending, const wfModel* model, const wfVec3* rest, wfError* err) {
    const wfTopology* topology = model->topology;
    bending->hinges = wfArena_New(&bending->arena, wfHinge, topology->edgeCount, "hinges", err);
    bending->bends = wfArena_New(&bending->arena, wfBendD, topology->edgeCount, "hinges", err);
    bending->stiffness = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    bending->restAngle = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    if (bending->hinges == NULL || bending->bends == NULL || bending->stiffness == NULL || bending->restAngle == NULL) {
        wfBending_Free(bending);
        return false;
    }
    for (int e = 0; e < topology->edgeCount; ++e) {
        int i = bending->hingeCount;
        wfHinge* hinge = &bending->hinges[i];
        if (!wfMakeHinge(model, e, hinge)) continue;
        double rigidity = wfBendingRigidity(&model->cloths[model->clothOf[hinge->v[0]]].fabric, hinge->warp);
        bending->bends[i] = wfMakeBend(hinge, rigidity);
        bending->stiffness[i] = wfDihedralStiffness(hinge, rigidity);
        if (rest != NULL) {
            wfVec3D x[4];
            for (int k = 0; k < 4; ++k) x[k] = wfWiden(rest[hinge->v[k]]);
            bending->restAngle[i] = wfDihedral_AngleD(x);
        }
        bending->hingeCount++;
    }
    return true;
}

void wfBending_Free(wfBending* bending) {
    wfArena_Free(&bending->arena);
    *bending = (wfBending){0};
}
