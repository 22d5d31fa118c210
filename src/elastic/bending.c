// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/bending.h"

double wfRigidity_Across(const wfRigidity* rigidity, double warp) {
    double thread = warp >= 0.0 ? rigidity->warp : rigidity->weft;
    return rigidity->bias + fabs(warp) * (thread - rigidity->bias);
}

/// l²/A t² of a hinge on a cylinder of curvature 1 that is bent along the thread with which the direction across the edge makes an angle
/// of this cos and sin of twice it: with the heights y of the cylinder, l t = sum k_i y_i.
static double OnCylinder(const wfHinge* hinge, const wfBendD* unit, double cos2, double sin2) {
    double l = hinge->length, along = 0.5 * (1.0 - cos2), across = 0.5 * (1.0 + cos2), mixed = 0.5 * sin2;
    double a0 = l * hinge->along[0], a1 = l * hinge->along[1], h0 = hinge->height[0], h1 = hinge->height[1];
    double y1 = 0.5 * l * l * along;
    double y2 = 0.5 * (a0 * a0 * along - 2.0 * a0 * h0 * mixed + h0 * h0 * across);
    double y3 = 0.5 * (a1 * a1 * along + 2.0 * a1 * h1 * mixed + h1 * h1 * across);
    double sum = unit->k[1] * y1 + unit->k[2] * y2 + unit->k[3] * y3;
    return unit->stiffness * sum * sum;
}

typedef struct Shares {
    double warp, bias, weft;
} Shares;

static void AddShares(Shares* shares, double energy, double warp) {
    *(warp >= 0.0 ? &shares->warp : &shares->weft) += fabs(warp) * energy;
    shares->bias += (1.0 - fabs(warp)) * energy;
}

/// What is left of the fabric's own at least, where others alone would be stiffer.
static const double s_leastRigidity = 0.1;

static void Unmix(wfRigidity* r, Shares byWarp, Shares byWeft) {
    double u = byWarp.warp + byWarp.bias + byWarp.weft, w = byWeft.warp + byWeft.bias + byWeft.weft;
    double det = byWarp.warp * byWeft.weft - byWarp.weft * byWeft.warp;
    if (!(det > 1e-3 * u * w)) return; // a few triangles that say nothing of one direction
    double warp = u * r->warp - byWarp.bias * r->bias, weft = w * r->weft - byWeft.bias * r->bias;
    double newWarp = (warp * byWeft.weft - weft * byWarp.weft) / det, newWeft = (weft * byWarp.warp - warp * byWeft.warp) / det;
    r->warp = fmax(newWarp, s_leastRigidity * r->warp);
    r->weft = fmax(newWeft, s_leastRigidity * r->weft);
}

void wfFindRigidities(const wfModel* model, wfRigidity* out) {
    for (int c = 0; c < model->clothCount; ++c) {
        const wfFabric* fabric = &model->cloths[c].fabric;
        double bending = fabric->bending;
        out[c] = (wfRigidity){bending * fabric->bend_warp, bending * fabric->bend_bias, bending * fabric->bend_weft};
    }
    // Cloths lie one behind the other, and so do their edges.
    const wfTopology* topology = model->topology;
    for (int e = 0; e < topology->edgeCount;) {
        int cloth = model->clothOf[topology->edges[e].v[0]];
        const wfFabric* fabric = &model->cloths[cloth].fabric;
        bool even = fabric->bend_warp == fabric->bend_bias && fabric->bend_weft == fabric->bend_bias;
        Shares byWarp = {0.0, 0.0, 0.0}, byWeft = byWarp;
        for (; e < topology->edgeCount && model->clothOf[topology->edges[e].v[0]] == cloth; ++e) {
            wfHinge hinge;
            if (even || !wfMakeHinge(model, e, &hinge)) continue;
            wfBendD unit = wfMakeBend(&hinge, 1.0);
            AddShares(&byWarp, OnCylinder(&hinge, &unit, hinge.warp, hinge.slant), hinge.warp);
            AddShares(&byWeft, OnCylinder(&hinge, &unit, -hinge.warp, -hinge.slant), hinge.warp);
        }
        if (!even) Unmix(&out[cloth], byWarp, byWeft);
    }
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
    bending->rigidities = wfArena_New(&bending->arena, wfRigidity, model->clothCount, "hinges", err);
    bending->hinges = wfArena_New(&bending->arena, wfHinge, topology->edgeCount, "hinges", err);
    bending->bends = wfArena_New(&bending->arena, wfBendD, topology->edgeCount, "hinges", err);
    bending->stiffness = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    bending->restAngle = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    if (bending->rigidities == NULL || bending->hinges == NULL || bending->bends == NULL || bending->stiffness == NULL ||
        bending->restAngle == NULL) {
        wfBending_Free(bending);
        return false;
    }
    wfFindRigidities(model, bending->rigidities);
    for (int e = 0; e < topology->edgeCount; ++e) {
        int i = bending->hingeCount;
        wfHinge* hinge = &bending->hinges[i];
        if (!wfMakeHinge(model, e, hinge)) continue;
        double rigidity = wfRigidity_Across(&bending->rigidities[model->clothOf[hinge->v[0]]], hinge->warp);
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
