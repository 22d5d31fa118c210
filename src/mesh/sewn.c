// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/sewn.h"

#include "mesh/find_root.h"

#include <string.h>

static bool IsSamePlace(wfVec3 a, wfVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool wfJoinSewn(const wfVec3* positions, int vertexCount, const int (*stitches)[2], int stitchCount, const wfTriangle* in, wfTriangle* out,
                int triangleCount, wfError* err) {
    if (out != in) memcpy(out, in, (size_t)triangleCount * sizeof *out);
    if (stitchCount == 0) return true;
    wfArena arena = {0};
    int* parent = wfArena_New(&arena, int, vertexCount, "sewn vertices", err);
    if (parent == NULL) return false;
    for (int v = 0; v < vertexCount; ++v) parent[v] = v;
    for (int s = 0; s < stitchCount; ++s) {
        int a = stitches[s][0], b = stitches[s][1];
        if (!IsSamePlace(positions[a], positions[b])) continue;
        a = wfFindRoot(parent, a);
        b = wfFindRoot(parent, b);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int t = 0; t < triangleCount; ++t) {
        int v[3];
        for (int k = 0; k < 3; ++k) v[k] = wfFindRoot(parent, in[t].v[k]);
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) memcpy(out[t].v, v, sizeof v);
    }
    wfArena_Free(&arena);
    return true;
}
