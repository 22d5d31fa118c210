// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The vertices that a pin names, marked one by one.
typedef struct Selection {
    const wfVec3 *local, *placed;
    int vertexCount;
    bool* marked;
    wfVec3 lo, hi; // of local
} Selection;

typedef struct Side {
    const char* name;
    int axis, end; // end: 0 lowest, 1 highest
} Side;
static const Side s_sides[] = {{"left", 0, 0}, {"right", 0, 1}, {"bottom", 1, 0}, {"top", 1, 1}, {"back", 2, 0}, {"front", 2, 1}};
enum { sideCount = 6 };
#define SIDES "left, right, bottom, top, back, front"

static float Axis(wfVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
static float End(wfVec3 lo, wfVec3 hi, const Side* side) { return Axis(side->end == 0 ? lo : hi, side->axis); }

static const Side* FindSide(const char* text, size_t length) {
    for (int i = 0; i < sideCount; ++i) {
        if (strlen(s_sides[i].name) == length && memcmp(s_sides[i].name, text, length) == 0) return &s_sides[i];
    }
    return NULL;
}

bool wfReader_Vertex(wfReader* r, const wfAt* at, int vertexCount, int* out) {
    double index;
    char expected[64];
    snprintf(expected, sizeof expected, "a vertex number in [0, %d]", vertexCount - 1);
    if (!wfReader_Number(r, at, 0, vertexCount - 1, expected, &index)) return false;
    if (floor(index) != index) return wfReader_Fail(r, at, "expected %s, got %.9g", expected, index);
    *out = (int)index;
    return true;
}

static bool SelectVertices(wfReader* r, const wfAt* list, Selection* s) {
    wfAt at = {0};
    const wfYamlItem* item = NULL;
    int index = 0;
    if (!wfReader_IsList(r, list)) return false;
    while (wfReader_NextItem(list, &item, &at)) {
        if (!wfReader_Vertex(r, &at, s->vertexCount, &index)) return false;
        s->marked[index] = true;
    }
    return true;
}

static bool SelectSide(wfReader* r, const wfAt* at, const char* text, Selection* s) {
    char quoted[96];
    const Side* side = FindSide(text, strlen(text));
    if (side == NULL) return wfReader_Fail(r, at, "unknown side %s; known: " SIDES, wfQuote(quoted, sizeof quoted, text));
    float extent = fmaxf(s->hi.x - s->lo.x, fmaxf(s->hi.y - s->lo.y, s->hi.z - s->lo.z));
    for (int i = 0; i < s->vertexCount; ++i) {
        if (fabsf(Axis(s->local[i], side->axis) - End(s->lo, s->hi, side)) <= 1e-4f * extent) s->marked[i] = true;
    }
    return true;
}

bool wfIsCorner(const char* text) {
    const char* dash = strchr(text, '-');
    return dash != NULL && FindSide(text, (size_t)(dash - text)) != NULL;
}

bool wfReader_Corner(wfReader* r, const wfAt* at, const char* text, const wfVec3* local, int vertexCount, wfVec3 lo, wfVec3 hi, int* out) {
    const Side* sides[3];
    int count = 0;
    bool used[3] = {false, false, false}, ok = true;
    for (const char* part = text; ok && part != NULL;) {
        const char* dash = strchr(part, '-');
        const Side* side = count == 3 ? NULL : FindSide(part, dash == NULL ? strlen(part) : (size_t)(dash - part));
        ok = side != NULL && !used[side->axis];
        if (!ok) break;
        used[side->axis] = true;
        sides[count++] = side;
        part = dash == NULL ? NULL : dash + 1;
    }
    char quoted[96];
    if (!ok || count < 2) {
        return wfReader_Fail(r, at, "expected two or three of " SIDES " joined by -, got %s", wfQuote(quoted, sizeof quoted, text));
    }
    float bestDistance = INFINITY;
    *out = 0;
    for (int i = 0; i < vertexCount; ++i) {
        float distance = 0.0f;
        for (int k = 0; k < count; ++k) {
            float d = Axis(local[i], sides[k]->axis) - End(lo, hi, sides[k]);
            distance += d * d;
        }
        if (distance < bestDistance) {
            bestDistance = distance;
            *out = i;
        }
    }
    return true;
}

static bool SelectCorner(wfReader* r, const wfAt* at, const char* text, Selection* s) {
    int vertex = 0;
    if (!wfReader_Corner(r, at, text, s->local, s->vertexCount, s->lo, s->hi, &vertex)) return false;
    s->marked[vertex] = true;
    return true;
}

// One text, or a list of texts.
static bool SelectNamed(wfReader* r, const wfAt* at, bool (*select)(wfReader*, const wfAt*, const char*, Selection*), Selection* s) {
    const char* text;
    if (at->node->kind != wf_yamlList) return wfReader_Text(r, at, "a name or a list of names", &text) && select(r, at, text, s);
    wfAt child = {0};
    const wfYamlItem* item = NULL;
    while (wfReader_NextItem(at, &item, &child)) {
        if (!wfReader_Text(r, &child, "a name", &text) || !select(r, &child, text, s)) return false;
    }
    return true;
}

static bool SelectBox(wfReader* r, const wfAt* at, Selection* s) {
    wfBox box = {0};
    if (!wfReader_Section(r, at, &wfSectionBox, &box)) return false;
    if (at->node->count != 2) return wfReader_Fail(r, at, "expected the keys \"min\" and \"max\"");
    for (int i = 0; i < s->vertexCount; ++i) {
        wfVec3 x = s->placed[i];
        if (x.x >= box.min.x && x.y >= box.min.y && x.z >= box.min.z && x.x <= box.max.x && x.y <= box.max.y && x.z <= box.max.z)
            s->marked[i] = true;
    }
    return true;
}

static bool Select(wfReader* r, const wfAt* at, Selection* s, wfPinDef* def) {
    wfAt part;
    memset(s->marked, 0, (size_t)s->vertexCount * sizeof s->marked[0]);
    if (wfReader_Open(at, "vertices", &part)) WF_TRY(SelectVertices(r, &part, s));
    if (wfReader_Open(at, "sides", &part)) WF_TRY(SelectNamed(r, &part, SelectSide, s));
    if (wfReader_Open(at, "corners", &part)) WF_TRY(SelectNamed(r, &part, SelectCorner, s));
    if (wfReader_Open(at, "box", &part)) WF_TRY(SelectBox(r, &part, s));
    int count = 0;
    for (int i = 0; i < s->vertexCount; ++i) count += s->marked[i];
    if (count == 0) return wfReader_Fail(r, at, "no vertex is selected; use \"vertices\", \"corners\", \"sides\" or \"box\"");
    int* vertices = wfArena_New(&r->arena, int, count, "pins", r->err);
    if (vertices == NULL) return false;
    double center[3] = {0};
    def->vertices = vertices;
    for (int i = 0; i < s->vertexCount; ++i) {
        if (!s->marked[i]) continue;
        vertices[def->vertexCount++] = i;
        for (int k = 0; k < 3; ++k) center[k] += (double)Axis(s->placed[i], k) / count;
    }
    def->center = wfMake3((float)center[0], (float)center[1], (float)center[2]);
    return true;
}

static bool FindCollider(wfReader* r, const wfAt* at, wfColliderId* out) {
    const char* name;
    if (!wfReader_Text(r, at, "the name of a collider", &name)) return false;
    enum { maxNames = 64 };
    const char* names[maxNames];
    int count = wfScene_GetColliderCount(r->scene);
    for (int i = 0; i < count; ++i) {
        wfColliderId id = wfScene_GetCollider(r->scene, i);
        const char* other = wfCollider_GetName(r->scene, id);
        if (strcmp(other, name) == 0) {
            *out = id;
            return true;
        }
        if (i < maxNames) names[i] = other;
    }
    return wfReader_FailName(r, at, "collider", name, names, count < maxNames ? count : maxNames);
}

static bool ReadPin(wfReader* r, const wfAt* at, Selection* s, wfPinDef* def) {
    wfAt follow, part;
    wfTransform still = {{1, 1, 1}, {0, 0, 0, 1}, {0, 0, 0}};
    wfKey* keys;
    double center[3];
    *def = wfDefaultPinDef();
    WF_TRY(wfReader_Section(r, at, &wfSectionPin, def));
    WF_TRY(Select(r, at, s, def));
    WF_TRY(wfReader_Motion(r, at, def->interpolation, &still, &keys, &def->keyCount));
    def->keys = keys;
    if (wfReader_Open(at, "follow", &follow)) {
        if (def->keyCount > 0) return wfReader_Fail(r, &follow, "expected either \"follow\" or \"motion\", got both");
        WF_TRY(FindCollider(r, &follow, &def->follow));
    }
    if (wfReader_Open(at, "center", &part)) {
        WF_TRY(wfReader_Numbers(r, &part, 3, "3 numbers m", center));
        def->center = wfMake3((float)center[0], (float)center[1], (float)center[2]);
    }
    return true;
}

bool wfReader_Pins(wfReader* r, const wfAt* list, const wfVec3* local, const wfVec3* placed, int vertexCount, wfPinDef** pins, int* count) {
    Selection s = {.local = local, .placed = placed, .vertexCount = vertexCount};
    wfAt at = {0};
    const wfYamlItem* item = NULL;
    if (!wfReader_IsList(r, list)) return false;
    wfMesh_Bounds(local, vertexCount, &s.lo, &s.hi);
    s.marked = wfArena_New(&r->arena, bool, vertexCount, "pins", r->err);
    *pins = wfArena_New(&r->arena, wfPinDef, list->node->count, "pins", r->err);
    if (s.marked == NULL || *pins == NULL) return false;
    while (wfReader_NextItem(list, &item, &at)) WF_TRY(ReadPin(r, &at, &s, &(*pins)[(*count)++]));
    return true;
}
