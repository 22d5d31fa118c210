// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contact_mesh_kernels.h"

#include "compute/kernel.h"

WF_KERNEL(ContactPlace, a, i)
{
    wfVec4 start = a.xStart[i], end = a.x[i];
    a.from[i] = wfMake4(wfXyz(start), a.target[i].w < 0.0f ? 0.0f : 1.0f / start.w);
    a.to[i] = wfMake4(wfXyz(end), a.half[i]);
}

// Pairs are looked at from beside them, so that it matters when a vertex is where: one that stops short of the end has left its way as one
// that turns aside has, for what went along with it goes on. Two straight ways from one place are the farthest apart at their ends.
WF_KERNEL(ContactStray, a, i)
{
    bool strayed = !(wfDistance(wfXyz(a.to[i]), wfXyz(a.way[i])) <= a.leash);
    if (strayed) a.way[i] = a.to[i];
    a.strayed[i] = strayed;
}

// How far above a plane a point is.
WF_FN float AbovePlane(const wfVec4* x, wfTriangle plane, wfVec3 p) {
    wfVec3 a = wfXyz(x[plane.v[0]]), b = wfXyz(x[plane.v[1]]), c = wfXyz(x[plane.v[2]]);
    wfVec3 n = wfCross(wfSub(b, a), wfSub(c, a));
    return wfDot(n, wfSub(p, a)) / wfLength(n);
}

WF_KERNEL(PlaneNear, a, i)
{
    int number = i / a.clothVertexCount, vertex = i - number * a.clothVertexCount;
    wfTriangle plane = a.planes[number];
    float reach = a.to[vertex].w + a.margin;
    bool looked = a.marks == 0 || a.marks[vertex] != 0;
    a.flags[i] =
        looked && (AbovePlane(a.from, plane, wfXyz(a.from[vertex])) <= reach || AbovePlane(a.to, plane, wfXyz(a.to[vertex])) <= reach);
}

WF_KERNEL(QuadsOfPlanes, a, i)
{
    int item = a.list[i], plane = item / a.clothVertexCount;
    wfQuad q;
    q.v[0] = item - plane * a.clothVertexCount;
    for (int k = 0; k < 3; ++k) q.v[1 + k] = a.planes[plane].v[k];
    a.out[i] = q;
}
