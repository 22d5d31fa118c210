// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Flat panels of cloth, cut along curves and filled with triangles whose edges are as equal as they can be made (Wu et al. 2020, section
// 6.1): the outline is divided at the length that is asked for, the inside gets evenly spread samples that push each other apart, they are
// triangulated, and then the ratio of the shortest to the longest edge is raised. The same bits for any number of threads.
//
// Two panels that are sewn together give the two curves of the seam the same `parts`; then the i-th vertex along one belongs to the i-th
// along the other (or to the last but i, where the curves run against each other).
//
//     wfVec2 front[4] = …;                                  // corners
//     wfPanelCurve curves[4];
//     for (int k = 0; k < 4; ++k) curves[k] = (wfPanelCurve){side[k], 2, 0};
//     curves[1].parts = wfCurveParts(&curves[1], 0.005f);   // the other panel's curve gets the same number
//     wfPanelDef def = {.name = "front", .edge = 0.005f, .curves = curves, .curveCount = 4};
//     wfPanel panel = {0};
//     WF_TRY(wfPanel_Create(&panel, &def, err));
//     int vertex = wfPanel_CurveVertex(&panel, 1, i);       // 0 <= i <= parts
//     wfPanel_Free(&panel);

#include "mesh/fill.h"

/// A row of points that is followed in straight pieces, so a round curve is given by many. Its ends are corners, which are kept exactly;
/// between them it is divided into parts, of equal length where they are counted by the caller.
typedef struct wfPanelCurve {
    const wfVec2* points; // [m]
    int pointCount;       // at least 2
    int parts;            // edges along it; 0: wfCurveParts
} wfPanelCurve;

typedef struct wfPanelDef {
    const char* name; // opens messages
    float edge;       // [m] length of edges

    /// The outline: each curve starts exactly where the one before ends, and a loop is whole where a curve ends at the loop's start; the
    /// next curve then begins another loop, a hole of the one about it. Loops may run either way round.
    const wfPanelCurve* curves;
    int curveCount;

    /// Lines inside along which edges shall run. An end that is exactly an end of another curve is the same vertex.
    const wfPanelCurve* creases;
    int creaseCount;

    /// Points inside that shall be vertices.
    const wfVec2* points;
    int pointCount;
} wfPanelDef;

typedef struct wfPanel {
    wfArena arena;
    wfFilling filling;   // the vertices of the curves first, then those of the creases, then `points`, then the rest
    int curveCount;      // with the creases behind
    int *start, *vertex; // the parts + 1 vertices of curve k are vertex[start[k]] … vertex[start[k + 1] - 1]
    int* pointVertex;    // of each of `points`
    int pointCount;
} wfPanel;

/// How many parts of about that length a curve is divided into; at least 1.
int wfCurveParts(const wfPanelCurve* curve, float edge);
double wfCurveLength(const wfPanelCurve* curve);
/// As a rail, by the share of its length. Memory from `arena`.
bool wfCurveRail(const wfPanelCurve* curve, bool backwards, wfRail* out, wfArena* arena, wfError* err);

/// Fails (wf_badInput) where curves do not join, cross or touch each other. `out` must be {0}, and is {0} again after a failure.
bool wfPanel_Create(wfPanel* out, const wfPanelDef* def, wfError* err);
bool wfPanel_Copy(wfPanel* out, const wfPanel* in, wfError* err); // `out` as for wfPanel_Create
void wfPanel_Free(wfPanel* panel);

static inline int wfPanel_CurveParts(const wfPanel* panel, int curve) { return panel->start[curve + 1] - panel->start[curve] - 1; }
static inline int wfPanel_CurveVertex(const wfPanel* panel, int curve, int i) { return panel->vertex[panel->start[curve] + i]; }
