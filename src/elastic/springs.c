// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/springs.h"

#include "elastic/hinge.h"

wfSpring wfSpring_Along(const wfModel* model, int edge) {
    const wfEdge* e = &model->topology->edges[edge];
    double length = 0.0, area = 0.0;
    int sides = e->triangle[1] >= 0 ? 2 : 1;
    for (int s = 0; s < sides; ++s) { // the two sides may differ where a pattern was sewn: take the mean
        wfEdgeSide side = wfMakeEdgeSide(model, edge, s);
        length += side.length / sides;
        area += side.area;
    }
    double stretch = model->cloths[model->clothOf[e->v[0]]].fabric.stretch;
    return (wfSpring){{e->v[0], e->v[1]}, (float)length, (float)(stretch * area / (length * length))};
}

bool wfSpring_Across(const wfModel* model, int edge, wfSpring* out) {
    wfHinge hinge;
    if (!wfMakeHinge(model, edge, &hinge)) return false;
    double rest = hypot(hinge.length * (hinge.along[0] - hinge.along[1]), hinge.height[0] + hinge.height[1]);
    double bending = model->cloths[model->clothOf[hinge.v[0]]].fabric.bending;
    *out = (wfSpring){{hinge.v[2], hinge.v[3]}, (float)rest, (float)(4.0 * bending / (rest * rest))};
    return true;
}
