// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Which way is out of a surface. The shortest way between two features of meshes leads out of an edge only where neither triangle of the
// edge lies that way, and out of a vertex only where none of its edges does; else another pair is nearer still. A contact of the pair all
// the same would push aslant: cloth that is pressed on a mesh could not slide over its edges, nor over those of cloth, without any
// friction.

#include "contact/contact_mesh.h"

/// Positions at a time of the even way from `from` (0) to `to` (1).
typedef struct wfOnWay {
    const wfVec4 *from, *to;
    float time;
} wfOnWay;

WF_FN wfVec3 wfOnWay_Place(const wfOnWay* way, int v) {
    wfVec3 p = wfXyz(way->from[v]);
    return way->time > 0.0f ? wfMulAdd(p, way->time, wfSub(wfXyz(way->to[v]), p)) : p;
}

/// By more than six degrees: mending what is less would cost contacts that bear.
WF_FN bool wfLeadsInto(wfVec3 direction, wfVec3 side) { return wfDot(direction, side) > 0.1f * wfLength(side); }

WF_FN bool wfLeadsOutOfVertex(const wfRims* rims, const wfOnWay* way, int v, wfVec3 direction) {
    wfVec3 p = wfOnWay_Place(way, v);
    for (int k = rims->start[v]; k < rims->start[v + 1]; ++k) {
        wfVec3 a = wfSub(wfOnWay_Place(way, rims->rim[k].a), p), b = wfSub(wfOnWay_Place(way, rims->rim[k].b), p);
        if (wfLeadsInto(direction, a) || wfLeadsInto(direction, b)) return false;
    }
    return true;
}

WF_FN bool wfLeadsOutOfEdge(const wfRims* rims, const wfOnWay* way, int v, int w, wfVec3 direction) {
    wfVec3 p = wfOnWay_Place(way, v), along = wfSub(wfOnWay_Place(way, w), p);
    float square = fmaxf(wfDot(along, along), 1e-30f);
    for (int k = rims->start[v]; k < rims->start[v + 1]; ++k) {
        wfPair others = rims->rim[k];
        if (others.a != w && others.b != w) continue;
        wfVec3 side = wfSub(wfOnWay_Place(way, others.a == w ? others.b : others.a), p);
        if (wfLeadsInto(direction, wfMulAdd(side, -wfDot(side, along) / square, along))) return false;
    }
    return true;
}

/// Whether the direction of a contact, from its second side to its first, leads out of what is nearest on both, by the weights w.
WF_FN bool wfLeadsOut(const wfRims* rims, const wfOnWay* way, const wfQuad* q, int kind, const float w[4], wfVec3 direction) {
    if (kind == wf_quadPlane) return true;
    if (kind == wf_quadEdgeEdge)
        return wfLeadsOutOfEdge(rims, way, q->v[0], q->v[1], wfScale(direction, -1.0f)) &&
               wfLeadsOutOfEdge(rims, way, q->v[2], q->v[3], direction);
    // Of a body also the point: where cloth lies on it askew, its neighbours are nearer. Not of cloth, whose neighbours may hang over a
    // rim, nearer to what is below, while the triangle under it bears all the same.
    if (q->v[0] >= rims->clothVertexCount && !wfLeadsOutOfVertex(rims, way, q->v[0], wfScale(direction, -1.0f))) return false;
    int corners[3] = {0, 0, 0}, count = 0; // of the triangle, that the nearest point lies between
    for (int k = 1; k < 4; ++k)
        if (w[k] < -1e-3f) corners[count++] = q->v[k];
    if (count == 3) return true;
    return count == 2 ? wfLeadsOutOfEdge(rims, way, corners[0], corners[1], direction)
                      : wfLeadsOutOfVertex(rims, way, corners[0], direction);
}
