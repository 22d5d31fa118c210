// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include <limits.h>
#include <string.h>

// Which triangles meet, by the exact test. A round moves what is about the contours, often a small part of all; of two triangles that were
// not moved since the last look it is known whether they meet, so only pairs with one that was are looked for again.

static bool Moved(const wfUntangler* u, int vertex) {
    wfVec3 a = u->x[vertex], b = u->seen[vertex];
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

/// Fills u->idle; how many are not.
static int MarkIdle(wfUntangler* u, bool anew) {
    int busy = 0;
    for (int t = 0; t < u->def.triangleCount; ++t) {
        const int* v = u->def.triangles[t].v;
        if (anew) {
            u->idle[t] = wfUntangler_IsFixed(u, v[0]) && wfUntangler_IsFixed(u, v[1]) && wfUntangler_IsFixed(u, v[2]);
        } else {
            u->idle[t] = !Moved(u, v[0]) && !Moved(u, v[1]) && !Moved(u, v[2]);
        }
        busy += !u->idle[t];
    }
    return busy;
}

/// Puts what was found between what stays, in order.
static bool Merge(wfUntangler* u, const wfIntersections* found, wfError* err) {
    if (found->count > INT_MAX / 2)
        return wfFail(err, wf_outOfMemory, "%lld pairs of triangles meet, more than can be handled", (long long)found->count);
    int stay = 0, more = (int)found->count;
    for (int i = 0; i < u->metCount; ++i)
        if (u->idle[u->met[i].a] && u->idle[u->met[i].b]) u->met[stay++] = u->met[i];
    void* data = u->met;
    bool ok = wfGrow(&data, &u->metCapacity, (size_t)stay + (size_t)more, sizeof *u->met, "intersecting pairs", err);
    u->met = data;
    WF_TRY(ok);
    u->metCount = stay + more;
    for (int at = u->metCount - 1; more > 0; --at) { // from behind, where there is room
        const wfTrianglePair *a = &u->met[stay - 1], *b = &found->pairs[more - 1];
        bool later = stay > 0 && (a->a != b->a ? a->a > b->a : a->b > b->b);
        u->met[at] = later ? *a : *b;
        stay -= later;
        more -= !later;
    }
    return true;
}

bool wfUntangler_Look(wfUntangler* u, bool anew, wfError* err) {
    if (anew) u->metCount = 0;
    bool busy = MarkIdle(u, anew) > 0;
    memcpy(u->seen, u->x, (size_t)u->def.vertexCount * sizeof *u->x);
    if (!busy) return true;
    wfArena arena = {0};
    wfIntersections found;
    bool ok =
        wfFindIntersections(u->x, u->def.triangles, u->def.triangleCount, u->idle, INT_MAX, &arena, &found, err) && Merge(u, &found, err);
    wfArena_Free(&arena);
    return ok;
}
