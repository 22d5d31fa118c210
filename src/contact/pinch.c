// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/pinch.h"

#include "contact/posed_body.h"

#include <stdlib.h>
#include <string.h>

static const float s_outSpeed = 0.1f; // [m/s] at which what is left in one body comes out of it
static const float s_tight = 0.5f;    // of half the thickness: what is nearer to both bodies of a pinch is pinched too

struct wfPinch {
    const wfModel* model;
    wfArena arena;       // what follows, made at the first pinch
    int *fanStart, *fan; // triangles of each vertex
    int* code;           // state->pinched
    bool* closed;        // of each body: it has an inside, out of which there is a way
    bool* still;         // in the step from `time`: goes with its bodies and nowhere else
    double time;
    float* half;
    wfVec4 *x, *target;
    wfVec4* moved;     // vertices of bodies as they are read
    wfVec3 *from, *to; // of bodies, at the ends of the step
    // Of a step.
    wfArena work;
    wfPosedBody* bodies;
    float** distances; // by body, then cloth triangle; negative: not known yet
    char** sides;      // by body, then cloth vertex: 'i' inside, 'o' outside, 0 not known yet
    int bodyCount;
    float motion; // [m] the longest of a body's vertex
    float reach;  // [m] farther than this is not looked at
};

wfPinch* wfCreatePinch(const wfModel* model, wfError* err) {
    wfPinch* p = calloc(1, sizeof *p);
    if (p == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for pinched cloth");
        return NULL;
    }
    p->model = model;
    p->time = NAN;
    return p;
}

void wfDestroyPinch(wfPinch* p) {
    if (p == NULL) return;
    wfArena_Free(&p->arena);
    wfArena_Free(&p->work);
    free(p);
}

// ---- a step on the host -------------------------------------------------------------------------------------------------------

static bool FindClosed(wfPinch* p, const wfColliderSet* set, wfError* err) {
    for (int b = 0; b < set->bodyCount; ++b) {
        const wfBodyRange* body = &set->bodies[b];
        wfTopology topology = {0};
        WF_TRY(wfTopology_Create(&topology, set->triangles + body->firstTriangle, body->triangleCount, set->vertexCount, err));
        p->closed[b] = body->infinite || topology.boundaryEdgeCount == 0;
        wfTopology_Free(&topology);
    }
    return true;
}

static bool MakeRoom(wfPinch* p, const wfStepContext* ctx, wfError* err) {
    if (p->to != NULL) return true;
    static const char what[] = "pinched cloth";
    int n = p->model->vertexCount, t = p->model->triangleCount, b = ctx->colliders->vertexCount;
    p->fanStart = wfArena_New(&p->arena, int, n + 1, what, err);
    p->fan = wfArena_New(&p->arena, int, 3 * (size_t)t, what, err);
    p->code = wfArena_New(&p->arena, int, n, what, err);
    p->closed = wfArena_New(&p->arena, bool, ctx->colliders->bodyCount, what, err);
    p->still = wfArena_New(&p->arena, bool, n, what, err);
    p->half = wfArena_New(&p->arena, float, n, what, err);
    p->x = wfArena_New(&p->arena, wfVec4, n, what, err);
    p->target = wfArena_New(&p->arena, wfVec4, n, what, err);
    p->moved = wfArena_New(&p->arena, wfVec4, b, what, err);
    p->from = wfArena_New(&p->arena, wfVec3, b, what, err);
    wfVec3* to = wfArena_New(&p->arena, wfVec3, b, what, err);
    if (!p->fanStart || !p->fan || !p->code || !p->closed || !p->still || !p->half || !p->x || !p->target || !p->moved || !p->from || !to)
        return false;
    for (int i = 0; i < t; ++i)
        for (int k = 0; k < 3; ++k) ++p->fanStart[p->model->triangles[i].v[k] + 1];
    for (int v = 0; v < n; ++v) p->fanStart[v + 1] += p->fanStart[v];
    for (int i = t - 1; i >= 0; --i) // from the back, where the starts of rows end up as their own
        for (int k = 0; k < 3; ++k) p->fan[--p->fanStart[p->model->triangles[i].v[k] + 1]] = i;
    memmove(p->fanStart, p->fanStart + 1, (size_t)n * sizeof *p->fanStart);
    p->fanStart[n] = 3 * t;
    WF_TRY(FindClosed(p, ctx->colliders, err));
    p->to = to;
    return true;
}

static bool ReadBodies(wfPinch* p, const wfStepContext* ctx, const wfBuffer* buffer, wfVec3* out, wfError* err) {
    size_t n = (size_t)ctx->colliders->vertexCount;
    WF_TRY(wfDownload(ctx->device, p->moved, buffer, 0, n, err));
    for (size_t v = 0; v < n; ++v) out[v] = wfXyz(p->moved[v]);
    return true;
}

// The state at the beginning of the step, x, and the bodies in it.
static bool Open(wfPinch* p, const wfStepContext* ctx, const wfBuffer* x, const wfBuffer* half, wfError* err) {
    const wfColliderSet* set = ctx->colliders;
    size_t n = (size_t)p->model->vertexCount;
    WF_TRY(MakeRoom(p, ctx, err));
    WF_TRY(wfDownload(ctx->device, p->code, &ctx->state->pinched, 0, n, err));
    WF_TRY(wfDownload(ctx->device, p->half, half, 0, n, err));
    WF_TRY(wfDownload(ctx->device, p->x, x, 0, n, err));
    WF_TRY(wfDownload(ctx->device, p->target, &ctx->state->target, 0, n, err));
    WF_TRY(ReadBodies(p, ctx, &set->from, p->from, err));
    WF_TRY(ReadBodies(p, ctx, &set->to, p->to, err));
    float thickest = 0.0f;
    for (size_t v = 0; v < n; ++v) {
        thickest = fmaxf(thickest, p->half[v]);
        if (!wfIsFinite3(wfXyz(p->x[v]))) return wfFail(err, wf_stepFailed, "pinched cloth: vertex %zu is not finite", v);
    }
    p->motion = 0.0f;
    for (int v = 0; v < set->vertexCount; ++v) p->motion = fmaxf(p->motion, wfDistance(p->from[v], p->to[v]));
    p->reach = 2.0f * thickest + p->motion;
    wfArena_Free(&p->work);
    p->work = (wfArena){0};
    p->bodyCount = set->bodyCount;
    p->bodies = wfArena_New(&p->work, wfPosedBody, set->bodyCount, "pinched cloth", err);
    p->distances = wfArena_New(&p->work, float*, set->bodyCount, "pinched cloth", err);
    p->sides = wfArena_New(&p->work, char*, set->bodyCount, "pinched cloth", err);
    if (p->bodies == NULL || p->distances == NULL || p->sides == NULL) return false;
    for (int b = 0; b < set->bodyCount; ++b) {
        WF_TRY(wfPosedBody_Create(&p->bodies[b], set, b, p->from, &p->work, err));
        p->distances[b] = wfArena_New(&p->work, float, p->model->triangleCount, "pinched cloth", err);
        p->sides[b] = wfArena_New(&p->work, char, n, "pinched cloth", err);
        if (p->distances[b] == NULL || p->sides[b] == NULL) return false;
        for (int t = 0; t < p->model->triangleCount; ++t) p->distances[b][t] = -1.0f;
    }
    if (p->time != ctx->time) memset(p->still, 0, n * sizeof *p->still);
    return true;
}

static bool Close(wfPinch* p, const wfStepContext* ctx, wfError* err) {
    wfState* state = ctx->state;
    size_t n = (size_t)p->model->vertexCount;
    state->pinchedCount = 0;
    for (size_t v = 0; v < n; ++v) state->pinchedCount += p->code[v] != 0;
    wfUpload(ctx->device, &state->pinched, p->code, n);
    wfUpload(ctx->device, &state->target, p->target, n);
    return wfDevice_Sync(ctx->device, err);
}

static int CodeOf(const wfPinch* p, int a, int b) { return 1 + (a < b ? a * p->bodyCount + b : b * p->bodyCount + a); }
static int FirstOf(const wfPinch* p, int code) { return (code - 1) / p->bodyCount; }
static int SecondOf(const wfPinch* p, int code) { return (code - 1) % p->bodyCount; }

// ---- where cloth is -----------------------------------------------------------------------------------------------------------

static float TriangleDistance(wfPinch* p, int body, int triangle) {
    float* known = &p->distances[body][triangle];
    if (*known < 0.0f) {
        wfVec3 corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = wfXyz(p->x[p->model->triangles[triangle].v[k]]);
        *known = wfPosedBody_TriangleDistance(&p->bodies[body], corner, p->reach);
    }
    return *known;
}

// Of the triangles at a vertex.
static float FanDistance(wfPinch* p, int body, int v) {
    float least = INFINITY;
    for (int k = p->fanStart[v]; k < p->fanStart[v + 1]; ++k) least = fminf(least, TriangleDistance(p, body, p->fan[k]));
    return least;
}

// Asks a neighbour first, across a triangle that does not meet the body.
static bool Contains(wfPinch* p, int body, int v) {
    char* sides = p->sides[body];
    for (int k = p->fanStart[v]; k < p->fanStart[v + 1] && sides[v] == 0; ++k) {
        const wfTriangle* t = &p->model->triangles[p->fan[k]];
        if (TriangleDistance(p, body, p->fan[k]) == 0.0f) continue;
        for (int c = 0; c < 3 && sides[v] == 0; ++c) sides[v] = sides[t->v[c]];
    }
    if (sides[v] == 0) sides[v] = wfPosedBody_Contains(&p->bodies[body], wfXyz(p->x[v])) ? 'i' : 'o';
    return sides[v] == 'i';
}

// Itself or a triangle at it.
static bool IsInside(wfPinch* p, int body, int v) { return FanDistance(p, body, v) == 0.0f || Contains(p, body, v); }

static bool IsNear(wfPinch* p, int body, int v) { return FanDistance(p, body, v) < p->half[v] || IsInside(p, body, v); }

// Of a free vertex: squeezed to a part of its thickness, itself or with a triangle that no pinched vertex lets into bodies.
static bool IsTight(wfPinch* p, int body, int v) {
    float limit = s_tight * p->half[v];
    wfVec3 point = wfXyz(p->x[v]), corner[3] = {point, point, point};
    if (wfPosedBody_TriangleDistance(&p->bodies[body], corner, limit) < limit) return true;
    for (int k = p->fanStart[v]; k < p->fanStart[v + 1]; ++k) {
        const wfTriangle* t = &p->model->triangles[p->fan[k]];
        bool pinched = p->code[t->v[0]] > 0 || p->code[t->v[1]] > 0 || p->code[t->v[2]] > 0;
        if (!pinched && TriangleDistance(p, body, p->fan[k]) < limit) return true;
    }
    return false;
}

// ---- marks --------------------------------------------------------------------------------------------------------------------

static void Release(wfPinch* p) {
    for (int v = 0; v < p->model->vertexCount; ++v) {
        if (p->code[v] == 0) continue;
        bool inside = false;
        for (int b = 0; b < p->bodyCount && !inside; ++b) inside = IsInside(p, b, v);
        if (inside || (IsNear(p, FirstOf(p, p->code[v]), v) && IsNear(p, SecondOf(p, p->code[v]), v))) continue;
        p->code[v] = -p->code[v]; // its neighbours are looked at as they were
    }
    for (int v = 0; v < p->model->vertexCount; ++v) p->code[v] = p->code[v] < 0 ? 0 : p->code[v];
}

static void Spread(wfPinch* p) {
    for (int v = 0, last = 0; v < p->model->vertexCount; ++v) {
        int code = p->code[v];
        if (code <= 0 || code == last) continue;
        last = code;
        bool done = false; // a pair of bodies that was looked at already
        for (int u = 0; u < v && !done; ++u) done = p->code[u] == code;
        for (int u = 0; u < p->model->vertexCount && !done; ++u) {
            if (p->code[u] != 0 || p->target[u].w < 0.0f) continue;
            if (IsTight(p, FirstOf(p, code), u) && IsTight(p, SecondOf(p, code), u)) p->code[u] = -code;
        }
    }
    for (int v = 0; v < p->model->vertexCount; ++v) p->code[v] = abs(p->code[v]);
}

// The two closed bodies nearest to the triangles at a vertex, both within its thickness on their way, as a code; 0 where there are no two.
static int FindPinch(wfPinch* p, int v) {
    float nearest[2] = {INFINITY, INFINITY};
    int body[2] = {-1, -1};
    for (int b = 0; b < p->bodyCount; ++b) {
        if (!p->closed[b]) continue; // what has gone through it would never come out of it
        float distance = FanDistance(p, b, v);
        int place = distance < nearest[0] ? 0 : distance < nearest[1] ? 1 : 2;
        if (!(distance < 2.0f * p->half[v] + p->motion) || place == 2) continue;
        if (place == 0) {
            nearest[1] = nearest[0];
            body[1] = body[0];
        }
        nearest[place] = distance;
        body[place] = b;
    }
    return body[1] < 0 ? 0 : CodeOf(p, body[0], body[1]);
}

bool wfPinch_Mark(wfPinch* p, const wfStepContext* ctx, const wfBuffer* half, const wfHit* hits, int count, bool* changed, wfError* err) {
    *changed = false;
    if (ctx->colliders->bodyCount < 2) return true;
    WF_TRY(Open(p, ctx, &ctx->state->xStart, half, err));
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k) {
            int v = hits[i].v[k];
            if (v >= p->model->vertexCount) continue;
            if (p->code[v] != 0 && !p->still[v]) {
                p->still[v] = true; // it went into cloth
                *changed = true;
            }
            if (p->code[v] != 0 || p->target[v].w < 0.0f) continue;
            p->code[v] = FindPinch(p, v);
            *changed = *changed || p->code[v] != 0;
        }
    }
    p->time = ctx->time;
    return !*changed || Close(p, ctx, err);
}

// ---- motion -------------------------------------------------------------------------------------------------------------------

// How a body takes a point with it.
static wfVec3 MotionOf(const wfPinch* p, int body, wfVec3 x) {
    const wfBodyRange* range = p->bodies[body].range;
    if (range->rigid) return wfSub(wfPose_Apply(range->end, wfPose_Unapply(range->start, x)), x);
    wfBodyPoint near = wfPosedBody_Nearest(&p->bodies[body], x);
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) motion = wfMulAdd(motion, near.w[k], wfSub(p->to[near.corners[k]], p->from[near.corners[k]]));
    return motion;
}

// Some of the way out of a body that a vertex is in, or that has come through a triangle at it.
static wfVec3 WayOut(wfPinch* p, int body, int v, float dt) {
    wfVec3 x = wfXyz(p->x[v]), toward = wfSub(wfPosedBody_Nearest(&p->bodies[body], x).point, x);
    bool inside = Contains(p, body, v);
    float distance = wfLength(toward), left = inside ? distance + p->half[v] : p->half[v];
    return wfScale(wfNormalizeOr(toward, wfMake3(0.0f, 0.0f, 0.0f)), (inside ? 1.0f : -1.0f) * fminf(left, s_outSpeed * dt));
}

static wfVec3 Goal(wfPinch* p, int v, float dt) {
    wfVec3 x = wfXyz(p->x[v]);
    int a = FirstOf(p, p->code[v]), b = SecondOf(p, p->code[v]), in = -1;
    bool nearA = IsNear(p, a, v), nearB = IsNear(p, b, v);
    for (int k = 0; k < p->bodyCount && in < 0 && !(nearA && nearB); ++k)
        if (IsInside(p, k, v)) in = k;
    if (in < 0) return wfAdd(x, wfScale(wfAdd(MotionOf(p, a, x), MotionOf(p, b, x)), 0.5f));
    x = wfAdd(x, MotionOf(p, in, x));
    return p->still[v] ? x : wfAdd(x, WayOut(p, in, v, dt));
}

bool wfPinch_Hold(wfPinch* p, const wfStepContext* ctx, const wfBuffer* half, wfError* err) {
    if (ctx->state->pinchedCount == 0) return true;
    WF_TRY(Open(p, ctx, &ctx->state->x, half, err));
    if (p->time != ctx->time) { // else what was marked in this step would come free in it
        Release(p);
        Spread(p);
    }
    for (int v = 0; v < p->model->vertexCount; ++v)
        if (p->code[v] != 0) p->target[v] = wfMake4(Goal(p, v, ctx->dt), -1.0f);
    return Close(p, ctx, err);
}

void wfPinch_LetGo(const wfStepContext* ctx) {
    if (ctx->state->pinchedCount > 0) wfZero(ctx->device, &ctx->state->target);
}
