// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "contact/posed_body.h"
#include "mesh/topology.h"

#include <stdio.h>
#include <stdlib.h>

// Mesh colliders as distance fields. One that keeps its shape is made once, in the frame of the world when it got that shape, and then
// moved by its pose; one that changes it is made anew in every step in which it does, as it is at the end of the step. What is chosen once,
// the width of cells and the order of a tree, is chosen by time 0: a run that goes on from a checkpoint chooses the same. All are made only
// where cloth may get to in the step, and those that serve longer a little farther, until cloth goes beyond.

static const float s_largestHole = 0.2f; // [m]
// Mean edges: how far from a vertex and from where it is predicted a field is asked, as x follows by D a round; how much farther fields are
// made that may serve in later steps.
static const float s_asked = 5.0f, s_spare = 5.0f;
// Mean edges of the cells of a field, at least and at most, and how far it is made about a body; what it may be wrong by at a bend of the
// body: as much as the least cells are at a right angle.
static const float s_cell = 0.476f, s_widestCell = 0.95f, s_band = 2.38f, s_wrong = 0.168f;
enum { Sharpest = 1000 };                // one in so many of a body's bends may be sharper than what is looked at
static const float s_carryReach = 12.0f; // mean edges: how far a vertex looks for the surface that may carry it

bool wfRepulsion_CreateBodies(wfRepulsion* r, const wfColliderSet* colliders, wfError* err) {
    r->fields = wfMakeBuffer(sizeof(wfBody), "repulsion.fields");
    r->carried = wfMakeBuffer(sizeof(wfVec4), "repulsion.carried");
    if (colliders->meshCount == 0) return true;
    r->bodies = calloc((size_t)colliders->meshCount, sizeof *r->bodies);
    r->hostBodies = calloc((size_t)colliders->meshCount, sizeof *r->hostBodies);
    if (r->bodies == NULL || r->hostBodies == NULL) return wfFail(err, wf_outOfMemory, "out of memory for contact");
    for (int k = 0; k < colliders->bodyCount; ++k)
        if (colliders->bodies[k].mesh) r->bodies[r->bodyCount++].collider = k;
    return true;
}

void wfRepulsion_FreeBodies(wfRepulsion* r, wfDevice* device) {
    for (int k = 0; k < r->bodyCount; ++k) {
        if (!r->bodies[k].built) continue;
        wfSdf_Free(&r->bodies[k].sdf);
        wfSurface_Free(&r->bodies[k].surface);
    }
    free(r->bodies);
    free(r->hostBodies);
    wfFreeBuffer(device, &r->fields);
    wfFreeBuffer(device, &r->carried);
}

static wfVec3 NormalOf(const wfVec3* p, const int* corners) {
    wfVec3 a = p[corners[0]];
    return wfNormalizeOr(wfCross(wfSub(p[corners[1]], a), wfSub(p[corners[2]], a)), wfMake3(0.0f, 0.0f, 0.0f));
}

bool wfRepulsion_CellFor(const wfMeshView* view, float mean, float* cell, wfError* err) {
    enum { Bins = 256 };
    wfTopology topology;
    const wfTriangle* triangles = (const wfTriangle*)view->triangles;
    const wfVec3* p = (const wfVec3*)view->positions;
    WF_TRY(wfTopology_Create(&topology, triangles, view->triangleCount, view->vertexCount, err));
    int count = 0, bins[Bins + 1] = {0};
    for (int e = 0; e < topology.edgeCount; ++e) {
        const wfEdge* edge = &topology.edges[e];
        if (edge->triangle[1] < 0) continue;
        wfVec3 n = NormalOf(p, triangles[edge->triangle[0]].v), m = NormalOf(p, triangles[edge->triangle[1]].v);
        float half = sqrtf(fmaxf(0.0f, 0.5f * (1.0f - wfDot(n, m)))); // sine of half the bend
        bins[(int)(fminf(half, 1.0f) * (float)Bins)] += 1;
        count += 1;
    }
    wfTopology_Free(&topology);
    int bin = Bins;
    for (int sharper = bins[bin]; bin > 0 && sharper * Sharpest <= count; sharper += bins[bin]) --bin;
    // Across a bend a value halfway between two others is off by up to half a cell times that sine.
    float widest = 2.0f * s_wrong / ((float)(bin + 1) / (float)Bins);
    *cell = mean * wfClamp(widest, s_cell, s_widestCell);
    return true;
}

static bool MakeSurface(wfRepulsion* r, wfRepulsionBody* body, const wfStepContext* ctx, wfArena* arena, wfError* err) {
    const wfColliderSet* set = ctx->colliders;
    const wfBodyRange* range = &set->bodies[body->collider];
    wfTriangle* triangles = wfArena_New(arena, wfTriangle, range->triangleCount, "triangles of a body", err);
    if (triangles == NULL) return false;
    for (int t = 0; t < range->triangleCount; ++t)
        for (int c = 0; c < 3; ++c) triangles[t].v[c] = set->triangles[range->firstTriangle + t].v[c] - range->firstVertex;
    wfMeshView view = {.positions = &set->first[range->firstVertex].x,
                       .vertexCount = range->vertexCount,
                       .triangles = triangles[0].v,
                       .triangleCount = range->triangleCount};
    char name[128];
    snprintf(name, sizeof name, "collider \"%s\"", range->name);
    float cell = 0.0f;
    WF_TRY(wfRepulsion_CellFor(&view, r->rules.mean, &cell, err));
    body->built = true;
    body->since = NAN;
    wfSdf_Create(&body->sdf, ctx->device, cell, s_band * r->rules.mean);
    return wfSurface_Create(&body->surface, ctx->device, &view, s_largestHole, name, err);
}

/// What moves a point from where it was at `first` to where it is at `now`.
static wfPose PoseSince(wfPose first, wfPose now) {
    wfQuat turn = wfQuatMul(now.rotate, wfQuatConjugate(first.rotate));
    return (wfPose){.translate = wfSub(now.translate, wfRotate(turn, first.translate)), .rotate = turn};
}

/// Looks for what of a body that may change its shape is next to each vertex, and how far that goes.
static void Carry(wfRepulsion* r, const wfStepContext* ctx, int index) {
    const wfRepulsionBody* body = &r->bodies[index];
    const wfBodyRange* range = &ctx->colliders->bodies[body->collider];
    RepulsionCarryArgs args = {
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .surface = body->surface.view,
        .from = wfData(&ctx->colliders->from, wfVec4) + range->firstVertex,
        .to = wfData(&ctx->colliders->to, wfVec4) + range->firstVertex,
        .vertexCount = range->vertexCount,
        .first = r->deforming == 0,
        .limit = s_carryReach * r->rules.mean,
        .carried = wfData(&r->carried, wfVec4),
    };
    wfLaunch(ctx->device, RepulsionCarry, r->vertexCount, &args);
}

/// The same of one that keeps its shape in this step, by its field.
static void Ride(wfRepulsion* r, const wfStepContext* ctx, const wfBody* body, bool first) {
    RepulsionRideArgs args = {
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .body = *body,
        .first = first,
        .limit = s_carryReach * r->rules.mean,
        .carried = wfData(&r->carried, wfVec4),
    };
    wfLaunch(ctx->device, RepulsionRide, r->vertexCount, &args);
}

/// Moves the surface to where the body had got the shape that it keeps.
static bool MoveToKept(wfRepulsionBody* body, const wfStepContext* ctx, wfError* err) {
    const wfBodyRange* range = &ctx->colliders->bodies[body->collider];
    const wfVec3* kept = ctx->colliders->kept + range->firstVertex;
    wfArena arena = {0};
    wfVec4* positions = wfArena_New(&arena, wfVec4, range->vertexCount, "vertices of a body", err);
    wfBuffer then = wfMakeBuffer(sizeof(wfVec4), "repulsion.body");
    bool ok = positions != NULL;
    if (ok) {
        for (int v = 0; v < range->vertexCount; ++v) positions[v] = wfMake4(kept[v], 0.0f);
        wfUpload(ctx->device, &then, positions, (size_t)range->vertexCount);
        wfSurface_Move(&body->surface, &then);
        ok = wfDevice_Sync(ctx->device, err); // the upload reads the arena
    }
    wfFreeBuffer(ctx->device, &then);
    wfArena_Free(&arena);
    return ok;
}

/// Whether any body changes its shape in this step. Where there are such bodies they all count as carrying vertices, by nothing where not:
/// what is recorded in graphs holds in steps of both kinds.
static bool PrepareCarry(wfRepulsion* r, const wfStepContext* ctx) {
    bool moves = false, any = false;
    for (int k = 0; k < r->bodyCount; ++k) {
        const wfBodyRange* range = &ctx->colliders->bodies[r->bodies[k].collider];
        any = any || !range->rigid;
        moves = moves || (!range->rigid && range->moves);
    }
    if (any && r->carried.count == 0) wfReserve(ctx->device, &r->carried, (size_t)r->vertexCount);
    if (any && !moves) wfZero(ctx->device, &r->carried);
    return moves;
}

bool wfRepulsion_PlaceBodies(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    const wfColliderSet* set = ctx->colliders;
    bool carries = PrepareCarry(r, ctx);
    r->deforming = 0;
    for (int k = 0; k < r->bodyCount; ++k) {
        wfRepulsionBody* body = &r->bodies[k];
        const wfBodyRange* range = &set->bodies[body->collider];
        if (!body->built) {
            wfArena arena = {0};
            bool ok = MakeSurface(r, body, ctx, &arena, err);
            wfArena_Free(&arena);
            if (!ok) return false;
        }
        wfPose none = {.translate = {0.0f, 0.0f, 0.0f}, .rotate = wfQuatIdentity()};
        wfShape shape = {.kind = wf_shapeMesh, .surface = ctx->model->clothCount + body->collider, .start = none, .end = none};
        if (range->keeps) {
            shape.start = PoseSince(range->first, range->start);
            shape.end = PoseSince(range->first, range->end);
        }
        wfSdfWhere where = {.from = wfData(&ctx->state->xStart, wfVec4),
                            .to = wfData(&ctx->state->x, wfVec4),
                            .count = r->vertexCount,
                            .poses = {shape.start, shape.end},
                            .margin = s_asked * r->rules.mean,
                            .brief = !range->keeps};
        bool anew = !range->keeps || body->since != range->since, first = r->deforming == 0;
        if (anew && range->keeps && !range->rigid) WF_TRY(MoveToKept(body, ctx, err));
        if (!range->keeps) {
            wfBuffer now = wfMakeBuffer(sizeof(wfVec4), "repulsion.body");
            now.data = wfData(&set->to, wfVec4) + range->firstVertex;
            now.count = now.capacity = (size_t)range->vertexCount;
            wfSurface_Move(&body->surface, &now);
        }
        if (!range->keeps && carries) Carry(r, ctx, k);
        if (!range->rigid && k < 64) r->deforming |= 1ull << k;
        if (anew || !wfSdf_Covers(&body->sdf, &where)) {
            if (!where.brief) where.margin += s_spare * r->rules.mean;
            WF_TRY(wfSdf_BuildNear(&body->sdf, &body->surface, &where, err));
            if (range->rigid) WF_TRY(wfSdf_Check(&body->sdf, err));
        }
        body->since = range->keeps ? range->since : NAN;
        r->hostBodies[k] = (wfBody){.shape = shape, .field = body->sdf.field};
        if (!range->rigid && range->keeps && carries) Ride(r, ctx, &r->hostBodies[k], first);
    }
    if (r->bodyCount > 0) wfUpload(ctx->device, &r->fields, r->hostBodies, (size_t)r->bodyCount);
    return true;
}

bool wfRepulsion_CoverBodies(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    wfSdfWhere where = {.from = wfData(&r->x, wfVec4), .to = wfData(&r->x, wfVec4), .count = r->vertexCount};
    where.margin = (s_asked + s_spare) * r->rules.mean;
    for (int k = 0; k < r->bodyCount; ++k) {
        where.poses[0] = where.poses[1] = r->hostBodies[k].shape.end;
        WF_TRY(wfSdf_BuildNear(&r->bodies[k].sdf, &r->bodies[k].surface, &where, err));
        r->hostBodies[k].field = r->bodies[k].sdf.field;
    }
    wfUpload(ctx->device, &r->fields, r->hostBodies, (size_t)r->bodyCount);
    return true;
}

// ---- what a step must leave -----------------------------------------------------------------------------------------------------

bool wfRepulsion_FailDeep(const wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    int local = 0;
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, r->deepest, &local);
    return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: a body moves farther into it than it can give way", cloth->name, local);
}

static bool FailMeeting(const wfStepContext* ctx, int triangle, const wfBodyRange* body, wfError* err) {
    int local = 0;
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, ctx->model->triangles[triangle].v[0], &local);
    return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: contact cannot keep it out of collider \"%s\"", cloth->name, local,
                  body->name);
}

// Of the triangles whose corners are all flagged.
static bool RequireOutside(const wfStepContext* ctx, const int* flags, const wfVec4* x, const wfPosedBody* body, wfError* err) {
    for (int t = 0; t < ctx->model->triangleCount; ++t) {
        const int* v = ctx->model->triangles[t].v;
        if (!flags[v[0]] || !flags[v[1]] || !flags[v[2]]) continue;
        const wfVec3 corners[3] = {wfXyz(x[v[0]]), wfXyz(x[v[1]]), wfXyz(x[v[2]])};
        if (wfPosedBody_TriangleDistance(body, corners, 1.0f) == 0.0f || wfPosedBody_Contains(body, corners[0]))
            return FailMeeting(ctx, t, body->range, err);
    }
    return true;
}

static bool CheckBodies(wfRepulsion* r, const wfStepContext* ctx, wfArena* arena, wfError* err) {
    const wfColliderSet* set = ctx->colliders;
    size_t n = (size_t)r->vertexCount, count = (size_t)set->vertexCount;
    int* flags = wfArena_New(arena, int, n, "contact with bodies", err);
    wfVec4* x = wfArena_New(arena, wfVec4, n, "contact with bodies", err);
    wfVec4* to = wfArena_New(arena, wfVec4, count, "contact with bodies", err);
    wfVec3* positions = wfArena_New(arena, wfVec3, count, "contact with bodies", err);
    if (flags == NULL || x == NULL || to == NULL || positions == NULL) return false;
    WF_TRY(wfDownload(ctx->device, flags, &r->flags, 0, n, err) && wfDownload(ctx->device, x, &r->x, 0, n, err));
    WF_TRY(wfDownload(ctx->device, to, &set->to, 0, count, err));
    for (size_t v = 0; v < count; ++v) positions[v] = wfXyz(to[v]);
    for (size_t v = 0; v < n; ++v)
        if (!wfIsFinite3(wfXyz(x[v]))) return wfFail(err, wf_stepFailed, "contact with bodies: vertex %zu is not finite", v);
    for (int k = 0; k < set->bodyCount; ++k) {
        wfPosedBody body;
        WF_TRY(wfPosedBody_Create(&body, set, k, positions, arena, err) && RequireOutside(ctx, flags, x, &body, err));
    }
    return true;
}

bool wfRepulsion_RequireClear(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    wfArena arena = {0};
    bool ok = CheckBodies(r, ctx, &arena, err);
    wfArena_Free(&arena);
    return ok;
}
