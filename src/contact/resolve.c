// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/resolve.h"

#include "collide/intersect.h"
#include "contact/untangle.h"

#include <stdlib.h>
#include <string.h>

// Most of what can be resolved is in ten rounds; a shorter step is then cheaper than more of them.
enum { fewRounds = 16, allRounds = 100 };

static const float s_reach = 0.25f;  // of a mean edge: how near is near
static const float s_little = 0.02f; // of a mean edge
static const float s_much = 0.2f;    // likewise

struct wfResolver {
    void* near; // wfImpulse
    wfUntangler* untangler;
    wfBuffer proposed, resolved; // wfVec4: state->x before and after the last untangling
    int64_t cleanIndex;          // the step at whose beginning nothing meets, as far as this has seen to it; -1: none
    float meanEdge;              // [m]
    // Cloths, then colliders, on the host.
    int clothVertexCount, clothTriangleCount, vertexCount, triangleCount;
    wfTriangle* triangles;
    bool *fixed, *collider; // per vertex; per triangle
    int *objectOf, *layerOf;
    wfVec3* x;
    wfVec4* staging;
    float* half; // per cloth vertex: half its thickness
    bool held;   // whether any cloth is
    wfTrianglePair stuck;
    wfArena arena;
};

// ---- creation -----------------------------------------------------------------------------------------------------------------

static void Destroy(void* self, wfDevice* device) {
    wfResolver* r = self;
    if (r == NULL) return;
    wfImpulseContact.destroy(r->near, device);
    wfDestroyUntangler(r->untangler);
    wfFreeBuffer(device, &r->proposed);
    wfFreeBuffer(device, &r->resolved);
    wfArena_Free(&r->arena);
    free(r);
}

static bool Allocate(wfResolver* r, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    wfArena* a = &r->arena;
    r->clothVertexCount = model->vertexCount;
    r->clothTriangleCount = model->triangleCount;
    int64_t vertexCount = (int64_t)model->vertexCount + colliders->vertexCount;
    int64_t triangleCount = (int64_t)model->triangleCount + colliders->triangleCount;
    if (vertexCount > wf_maxMeshElements || triangleCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "contact: too many triangles of cloths and colliders: %lld", (long long)triangleCount);
    r->vertexCount = (int)vertexCount;
    r->triangleCount = (int)triangleCount;
    r->triangles = wfArena_New(a, wfTriangle, r->triangleCount, "triangles", err);
    r->fixed = wfArena_New(a, bool, r->vertexCount, "fixed vertices", err);
    r->collider = wfArena_New(a, bool, r->triangleCount, "triangles of colliders", err);
    r->objectOf = wfArena_New(a, int, r->vertexCount, "objects", err);
    r->layerOf = wfArena_New(a, int, model->clothCount + colliders->bodyCount, "layers", err);
    r->x = wfArena_New(a, wfVec3, r->vertexCount, "positions", err);
    r->staging = wfArena_New(a, wfVec4, r->vertexCount, "positions", err);
    r->half = wfArena_New(a, float, model->vertexCount, "half thicknesses", err);
    return r->triangles && r->fixed && r->collider && r->objectOf && r->layerOf && r->x && r->staging && r->half;
}

// Cloth belongs on the outside of colliders, and cloths with a higher `layer` on the outside of those with a lower one, as at the start
// (scene/untangle_start.c).
static void Fill(wfResolver* r, const wfModel* model, const wfColliderSet* colliders) {
    int n = model->vertexCount, least = model->cloths[0].layer;
    for (int i = 1; i < model->clothCount; ++i) least = model->cloths[i].layer < least ? model->cloths[i].layer : least;
    for (int i = 0; i < model->clothCount; ++i) r->layerOf[i] = 1 + model->cloths[i].layer - least; // colliders: 0
    for (int v = 0; v < n; ++v) {
        r->objectOf[v] = model->clothOf[v];
        r->half[v] = 0.5f * model->cloths[model->clothOf[v]].fabric.thickness;
    }
    for (int t = 0; t < model->triangleCount; ++t) r->triangles[t] = model->triangles[t];
    for (int t = 0; t < colliders->triangleCount; ++t) {
        r->collider[model->triangleCount + t] = true;
        for (int k = 0; k < 3; ++k) r->triangles[model->triangleCount + t].v[k] = n + colliders->triangles[t].v[k];
    }
    for (int b = 0; b < colliders->bodyCount; ++b)
        for (int v = 0; v < colliders->bodies[b].vertexCount; ++v) {
            r->objectOf[n + colliders->bodies[b].firstVertex + v] = model->clothCount + b;
            r->fixed[n + colliders->bodies[b].firstVertex + v] = true;
        }
    double sum = 0.0;
    for (int t = 0; t < model->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            const wfVec2 *a = &model->flat[t].corner[k], *b = &model->flat[t].corner[(k + 1) % 3];
            sum += (double)hypotf(b->x - a->x, b->y - a->y);
        }
    r->meanEdge = (float)(sum / (3.0 * model->triangleCount));
}

static void* Create(wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    wfResolver* r = calloc(1, sizeof *r);
    if (r == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for contact");
        return NULL;
    }
    r->cleanIndex = -1;
    r->proposed = wfMakeBuffer(sizeof(wfVec4), "resolve.proposed");
    r->resolved = wfMakeBuffer(sizeof(wfVec4), "resolve.resolved");
    wfReserve(device, &r->proposed, (size_t)model->vertexCount);
    wfReserve(device, &r->resolved, (size_t)model->vertexCount);
    bool ok = Allocate(r, model, colliders, err);
    if (ok) {
        Fill(r, model, colliders);
        wfUntangleDef def = {
            .vertexCount = r->vertexCount,
            .triangleCount = r->triangleCount,
            .triangles = r->triangles,
            .fixed = r->fixed,
            .objectOf = r->objectOf,
            .layerOf = r->layerOf,
            .rounds = allRounds,
        };
        r->untangler = wfCreateUntangler(&def, err);
        r->near = wfImpulseContact.create(device, model, colliders, err);
        ok = r->untangler != NULL && r->near != NULL;
    }
    if (ok) wfImpulse_SetReach(r->near, s_reach * r->meanEdge);
    if (ok && wfDevice_Sync(device, err)) return r;
    Destroy(r, device);
    return NULL;
}

// ---- positions ----------------------------------------------------------------------------------------------------------------

// Cloth from state->x, colliders from `bodies`, to r->x; and what is held. Waits.
static bool Read(wfResolver* r, const wfStepContext* ctx, const wfBuffer* bodies, wfError* err) {
    int n = r->clothVertexCount;
    WF_TRY(wfDownload(ctx->device, r->staging, &ctx->state->target, 0, (size_t)n, err));
    r->held = false;
    for (int v = 0; v < n; ++v) {
        r->fixed[v] = r->staging[v].w < 0.0f;
        r->held = r->held || r->fixed[v];
    }
    WF_TRY(wfDownload(ctx->device, r->staging, &ctx->state->x, 0, (size_t)n, err));
    if (r->vertexCount > n) WF_TRY(wfDownload(ctx->device, r->staging + n, bodies, 0, (size_t)(r->vertexCount - n), err));
    for (int v = 0; v < r->vertexCount; ++v) {
        r->x[v] = wfXyz(r->staging[v]);
        if (!wfIsFinite3(r->x[v])) return wfFail(err, wf_stepFailed, "vertex %d: position is not finite", v);
    }
    return true;
}

// To state->x. Returns the longest way.
static float Write(wfResolver* r, const wfStepContext* ctx) {
    float longest = 0.0f;
    for (int v = 0; v < r->clothVertexCount; ++v) {
        longest = fmaxf(longest, wfDistance(r->x[v], wfXyz(r->staging[v])));
        r->staging[v] = wfMake4(r->x[v], r->staging[v].w);
    }
    wfUploadRange(ctx->device, &ctx->state->x, 0, r->staging, (size_t)r->clothVertexCount);
    return longest;
}

// A plane is endless, unlike the mesh that is looked at: what is below it goes up.
static void LiftOverPlanes(wfResolver* r, const wfColliderSet* colliders) {
    for (int b = 0; b < colliders->bodyCount; ++b) {
        if (!colliders->bodies[b].infinite) continue;
        const int* t = r->triangles[r->clothTriangleCount + colliders->bodies[b].firstTriangle].v;
        wfVec3 origin = r->x[t[0]];
        wfVec3 n = wfNormalizeOr(wfCross(wfSub(r->x[t[1]], origin), wfSub(r->x[t[2]], origin)), wfMake3(0.0f, 1.0f, 0.0f));
        for (int v = 0; v < r->clothVertexCount; ++v) {
            float above = wfDot(n, wfSub(r->x[v], origin));
            if (above <= 0.0f && !r->fixed[v]) r->x[v] = wfMulAdd(r->x[v], r->half[v] - above, n);
        }
    }
}

// Nothing but memory can fail it; out->left tells the rest.
static bool Untangle(wfResolver* r, const wfStepContext* ctx, bool few, wfResolved* out, wfError* err) {
    wfUntangleReport report = {0};
    *out = (wfResolved){0};
    LiftOverPlanes(r, ctx->colliders);
    wfUntangler_SetRounds(r->untangler, few ? fewRounds : allRounds);
    WF_TRY(wfUntangler_Run(r->untangler, r->x, &report, err));
    out->found = report.pairsBefore;
    if (report.pairsAfter == 0 && !r->held) return true;
    // Untangling has nothing to say of what it cannot move: cloth that is held.
    wfArena arena = {0};
    wfIntersections met = {0};
    bool ok = wfFindIntersections(r->x, r->triangles, r->triangleCount, r->collider, 1, &arena, &met, err);
    out->left = met.count;
    if (ok && met.count > 0) r->stuck = met.pairs[0];
    wfArena_Free(&arena);
    return ok;
}

// ---- pieces -------------------------------------------------------------------------------------------------------------------

wfImpulse* wfResolver_Near(wfResolver* r) { return r->near; }

bool wfResolver_Begin(wfResolver* r, const wfStepContext* ctx, int64_t* left, wfError* err) {
    wfResolved resolved = {0};
    *left = 0;
    if (r->cleanIndex == ctx->index) return true;
    WF_TRY(Read(r, ctx, &ctx->colliders->from, err) && Untangle(r, ctx, false, &resolved, err));
    *left = resolved.left;
    if (resolved.left > 0) return true;
    if (Write(r, ctx) > 0.0f) ctx->state->historyDt = 0.0f; // it was never there
    r->cleanIndex = ctx->index;
    return wfDevice_Sync(ctx->device, err);
}

bool wfResolver_Resolve(wfResolver* r, const wfStepContext* ctx, wfResolved* out, wfError* err) {
    size_t n = (size_t)r->clothVertexCount;
    wfCopy(ctx->device, &r->proposed, &ctx->state->x, n);
    WF_TRY(Read(r, ctx, &ctx->colliders->to, err) && Untangle(r, ctx, ctx->mayShorten, out, err));
    out->shift = Write(r, ctx);
    wfCopy(ctx->device, &r->resolved, &ctx->state->x, n);
    return wfDevice_Sync(ctx->device, err);
}

bool wfResolver_FindContacts(wfResolver* r, const wfStepContext* ctx, wfError* err) {
    return wfImpulse_FindAtEnd(r->near, ctx, &r->proposed, err);
}

bool wfResolver_IsLittle(const wfResolver* r, float shift) { return shift <= s_little * r->meanEdge; }
bool wfResolver_IsMuch(const wfResolver* r, float shift) { return shift > s_much * r->meanEdge; }

void wfResolver_Unresolve(wfResolver* r, const wfStepContext* ctx) {
    wfCopy(ctx->device, &ctx->state->x, &r->proposed, (size_t)r->clothVertexCount);
}

void wfResolver_Leave(wfResolver* r, const wfStepContext* ctx) {
    wfCopy(ctx->device, &ctx->state->x, &r->resolved, (size_t)r->clothVertexCount);
    r->cleanIndex = ctx->index + 1;
}

bool wfResolver_Fail(const wfResolver* r, const wfStepContext* ctx, wfError* err) {
    const wfModel* m = ctx->model;
    int local, vertex = r->triangles[r->stuck.a].v[0], other = r->triangles[r->stuck.b].v[0], object = r->objectOf[other];
    const wfClothRange* cloth = wfModel_FindCloth(m, vertex, &local);
    bool collider = object >= m->clothCount;
    return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: it still meets %s \"%s\" after %d rounds of untangling", cloth->name, local,
                  collider ? "collider" : "cloth", collider ? ctx->colliders->bodies[object - m->clothCount].name : m->cloths[object].name,
                  allRounds);
}

static int64_t Count(void* self, const wfStepContext* ctx) { return wfImpulseContact.count(((wfResolver*)self)->near, ctx); }

const wfContactType wfUntangleContact = {
    .name = "untangle",
    .about = "cloth against itself and every collider without history: what crosses at the end of a step is untangled (Ye et al.)",
    .selfContact = true,
    .meshContact = true,
    .anyStart = true,
    .create = Create,
    .destroy = Destroy,
    .count = Count,
};
