// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/hinge.h"

#include "base/assert.h"

static int EdgeInTriangle(const wfTopology* topology, int triangle, int edge) {
    for (int k = 0; k < 3; ++k)
        if (topology->triangleEdges[triangle][k] == edge) return k;
    WF_ASSERT(false);
    return 0;
}

wfEdgeSide wfMakeEdgeSide(const wfModel* model, int edge, int side) {
    const wfTopology* topology = model->topology;
    int t = topology->edges[edge].triangle[side];
    WF_ASSERT(t >= 0);
    int k = EdgeInTriangle(topology, t, edge);
    const wfVec2 *a = &model->flat[t].corner[k], *b = &model->flat[t].corner[(k + 1) % 3], *c = &model->flat[t].corner[(k + 2) % 3];
    double ex = (double)b->x - a->x, ey = (double)b->y - a->y, cx = (double)c->x - a->x, cy = (double)c->y - a->y;
    double square = ex * ex + ey * ey, length = sqrt(square), signedTwice = ex * cy - ey * cx, twice = fabs(signedTwice);
    return (wfEdgeSide){
        .first = topology->triangles[t].v[k],
        .length = length,
        .area = 0.5 * twice,
        .along = (cx * ex + cy * ey) / square,
        .height = twice / length,
        .warp = (ey * ey - ex * ex) / square,
        .slant = copysign(2.0, signedTwice) * ex * ey / square,
    };
}

bool wfMakeHinge(const wfModel* model, int edge, wfHinge* out) {
    const wfEdge* e = &model->topology->edges[edge];
    if (e->triangle[1] < 0) return false;
    wfEdgeSide a = wfMakeEdgeSide(model, edge, 0), b = wfMakeEdgeSide(model, edge, 1);
    *out = (wfHinge){
        .v = {a.first, a.first == e->v[0] ? e->v[1] : e->v[0], e->opposite[0], e->opposite[1]},
        .length = 0.5 * (a.length + b.length),
        .along = {a.along, b.first == a.first ? b.along : 1.0 - b.along}, // triangles that agree in orientation run against each other
        .height = {a.height, b.height},
        .area = a.area + b.area,
        .warp = 0.5 * (a.warp + b.warp),
        .slant = a.slant,
    };
    return true;
}
