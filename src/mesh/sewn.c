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
    int* first = wfArena_New(&arena, int, vertexCount, "sewn vertices", err); // of those that are sewn together, one at each place …
    int* next = wfArena_New(&arena, int, vertexCount, "sewn vertices", err);  // … and the others, by numbers from 1 on
    int* joined = wfArena_New(&arena, int, vertexCount, "sewn vertices", err);
    bool ok = parent != NULL && first != NULL && next != NULL && joined != NULL;
    for (int v = 0; ok && v < vertexCount; ++v) parent[v] = v;
    for (int s = 0; ok && s < stitchCount; ++s) parent[wfFindRoot(parent, stitches[s][0])] = wfFindRoot(parent, stitches[s][1]);
    for (int v = 0; ok && v < vertexCount; ++v) {
        int root = wfFindRoot(parent, v), at = first[root];
        while (at > 0 && !IsSamePlace(positions[at - 1], positions[v])) at = next[at - 1];
        joined[v] = at > 0 ? at - 1 : v;
        if (at > 0) continue;
        next[v] = first[root];
        first[root] = v + 1;
    }
    for (int t = 0; ok && t < triangleCount; ++t) {
        int v[3];
        for (int k = 0; k < 3; ++k) v[k] = joined[in[t].v[k]];
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) memcpy(out[t].v, v, sizeof v);
    }
    wfArena_Free(&arena);
    return ok;
}
