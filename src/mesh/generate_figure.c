// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/cow_shape.h"
#include "mesh/figure_shape.h"
#include "mesh/polygonise.h"

#include <math.h>

// To `height`, from the ground at y = 0 of a shape that is `top` high to about the origin.
static void Place(wfMesh* mesh, double height, double top, double back) {
    double scale = height / top;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        wfVec3 p = mesh->positions[v];
        mesh->positions[v] = wfMake3((float)(scale * p.x), (float)(scale * (p.y - 0.5 * top)), (float)(scale * (p.z - back)));
    }
}

bool wfMakeFigure(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double height = def->size.y;
    wfFieldDef field = {
        .field = wfFigureField,
        .slope = wfFigureSlope,
        .edge = fmin((double)def->edge / height, 0.009), // so that the hands are still round
        .area = 0.6,                                     // measured
        .side = 1.1,
        .cubes = {2, 1, 1},
        .onGround = true,
    };
    WF_TRY(wfPolygonise(out, &field, err));
    Place(out, height, 1.0, 0.0);
    return true;
}

bool wfMakeCow(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfFieldDef field = {
        .field = wfCowField,
        .slope = wfCowSlope,
        .edge = fmin((double)def->edge * wfCowHeight / (double)def->size.y, 0.02), // so that the horns are still round
        .area = 2.25,                                                              // measured
        .side = 1.1,
        .cubes = {1, 1, 2},
        .onGround = true,
    };
    WF_TRY(wfPolygonise(out, &field, err));
    Place(out, def->size.y, wfCowHeight, wfCowMiddle);
    return true;
}
