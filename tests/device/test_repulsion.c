// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scenes.h"

#include "contact/repulsion_inside.h"
#include "mesh/generate.h"

// Safe repulsion on the reference and on the device: a scene with a held, two free sheets, an exact body, a mesh body and friction, stepped
// by every kind of stepper; and once with a soft phase that fails, so that rollback and hard phase run.

static wfMesh MakeMesh(wfGenerator shape, int n, float size) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    wfMesh mesh = {0};
    def.shape = shape;
    def.n = n;
    def.size = wfMake3(size, size, size);
    def.radius = size;
    def.edge = 0.3f * size;
    ENSURE(wfGenerate(&mesh, &def, &err), "%s", err.text);
    return mesh;
}

enum { MostShape = 512 };

static void AddBody(wfScene* scene, wfShapeKind shape, const wfMesh* mesh, bool deforming, wfVec3 at, wfError* err) {
    wfColliderDef body = wfDefaultColliderDef();
    const wfKey keys[] = {{0.0f, at, {0, 0, 0, 1}}, {0.1f, wfAdd(at, wfMake3(0, 0.004f, 0.002f)), {0, 0.02f, 0, 0.9998f}}};
    body.shape = shape;
    body.radius = 0.012f;
    if (mesh != NULL) body.mesh = ViewOf(mesh);
    body.keys = keys;
    body.keyCount = 2;
    static float shapes[2 * 3 * MostShape];
    ENSURE(!deforming || mesh->vertexCount <= MostShape, "%d vertices", mesh->vertexCount);
    for (int i = 0; deforming && i < 3 * mesh->vertexCount; ++i) { // turns by its shape, wider at its end
        const float* p = &mesh->positions[i / 3].x;
        shapes[i] = p[i % 3];
        shapes[3 * mesh->vertexCount + i] = p[i % 3] + (i % 3 == 0 ? 0.1f * p[2] : i % 3 == 2 ? 0.1f - 0.1f * p[0] : 0.05f * p[1]);
    }
    if (deforming) {
        body.sequence = shapes;
        body.sequenceCount = 2;
        body.sequenceRate = 2.0f;
    }
    wfCreateCollider(scene, &body, err);
}

static wfScene* MakePile(wfDevice* device, const char* stepper, const char* dynamics, bool deforming, int ripple, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, stepper);
    strcpy(def.dynamics, dynamics);
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    wfMesh sheet = MakeMesh(wf_makeSheet, 14, 0.055f), ball = MakeMesh(wf_makeSphere, 0, 0.01f);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < sheet.vertexCount; ++i) sheet.positions[i].y = Ripple(0.011f + 0.009f * (float)k, ripple, i + k);
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = ViewOf(&sheet);
        cloth.velocity = wfMake3(0.1f, -0.6f - 0.4f * (float)k, 0);
        wfCreateCloth(scene, &cloth, err);
    }
    AddBody(scene, wf_shapeSphere, NULL, false, wfMake3(-0.01f, -0.006f, 0.0f), err);
    AddBody(scene, wf_shapeMesh, &ball, deforming, wfMake3(0.016f, -0.004f, 0.008f), err);
    wfPinDef pin = wfDefaultPinDef();
    const int corner = 0;
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.1f, {0.002f, 0.01f, 0}, {0, 0, 0, 1}}};
    pin.cloth = wfScene_GetCloth(scene, 1);
    pin.vertices = &corner;
    pin.vertexCount = 1;
    pin.keys = keys;
    pin.keyCount = 2;
    wfCreatePin(scene, &pin, err);
    wfMesh_Free(&sheet);
    wfMesh_Free(&ball);
    if (wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

typedef struct Run {
    const char *stepper, *dynamics;
    float push, tolerance;
} Run;

static void RunScene(wfDevice* device, const Run* run, int ripple, wfVec4* out, int* count) {
    wfError err = {0};
    float push = run->push;
    wfScene* scene = MakePile(device, run->stepper, run->dynamics, false, ripple, &err);
    ENSURE(scene != NULL, "%s", err.text);
    *count = 0;
    if (scene == NULL) return;
    if (push >= 0.0f) wfRepulsion_SetPush(scene->parts.contactSelf, push);
    int64_t touching = 0;
    wfCertificate c = {0};
    ENSURE(wfScene_StepFrame(scene, &err) && wfScene_Certify(scene, true, &c, &err), "%s", err.text);
    ENSURE(c.intersectingPairs == 0, "%lld pairs intersect", (long long)c.intersectingPairs);
    touching = c.contacts;
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    ENSURE(push != 0.0f || counts.hardRounds > 0, "the hard phase did not run in %lld rounds", (long long)counts.rounds);
    ENSURE(touching > 0, "%s, %s, push %g: %lld contacts", run->stepper, run->dynamics, (double)push, (long long)touching);
    *count = scene->state.vertexCount;
    ENSURE(wfDownload(device, out, &scene->state.x, 0, (size_t)*count, &err), "%s", err.text);
    wfDestroyScene(scene);
}

// Two panels are sewn side by side: after a few steps what is sewn lies at one place, on every device.
static void RunSeam(wfDevice* device, int ripple, wfVec4* out, int* count) {
    enum { N = 8 };
    wfError err = {0};
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    wfScene* scene = wfCreateScene(device, &def, &err);
    wfMesh sheet = MakeMesh(wf_makeSheet, N, 0.03f);
    int sides[2][N];
    for (int k = 0; k < 2; ++k) {
        float lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < sheet.vertexCount; ++i) lo = fminf(lo, sheet.positions[i].x), hi = fmaxf(hi, sheet.positions[i].x);
        for (int i = 0, n = 0; i < sheet.vertexCount; ++i)
            if (n < N && sheet.positions[i].x == (k == 0 ? hi : lo)) sides[k][n++] = i;
        for (int i = 0; i < sheet.vertexCount; ++i) {
            sheet.positions[i].x += k == 0 ? 0.0f : 0.035f;
            sheet.positions[i].z = Ripple(sheet.positions[i].z, ripple, i + k);
        }
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = ViewOf(&sheet);
        wfCreateCloth(scene, &cloth, &err);
        for (int i = 0; i < sheet.vertexCount; ++i) sheet.positions[i].x -= k == 0 ? 0.0f : 0.035f;
    }
    wfSeamDef seam = wfDefaultSeamDef();
    seam.a = (wfSeamSide){.cloth = wfScene_GetCloth(scene, 0), .vertices = sides[0], .vertexCount = N};
    seam.b = (wfSeamSide){.cloth = wfScene_GetCloth(scene, 1), .vertices = sides[1], .vertexCount = N};
    seam.match = wf_matchVertices;
    seam.close = 0.02f;
    wfCreateSeam(scene, &seam, &err);
    ENSURE(wfScene_Commit(scene, &err), "%s", err.text);
    for (int k = 0; k < 4; ++k) {
        wfCertificate c = {0};
        ENSURE(wfScene_StepFrame(scene, &err) && wfScene_Certify(scene, true, &c, &err), "%s", err.text);
        ENSURE(c.intersectingPairs == 0, "frame %d: %lld pairs intersect", k, (long long)c.intersectingPairs);
    }
    *count = scene->state.vertexCount;
    ENSURE(wfDownload(device, out, &scene->state.x, 0, (size_t)*count, &err), "%s", err.text);
    for (int k = 0; k < N; ++k) {
        wfVec3 a = wfXyz(out[sides[0][k]]), b = wfXyz(out[sheet.vertexCount + sides[1][k]]);
        ENSURE(a.x == b.x && a.y == b.y && a.z == b.z, "stitch %d is open by %g m", k, (double)wfDistance(a, b));
    }
    wfMesh_Free(&sheet);
    wfDestroyScene(scene);
}

// Two short strips cross and are pulled at their ends until their edges are longer than L: adaptive samples keep them apart.
static wfScene* MakeCross(wfDevice* device, int ripple, wfError* err) {
    enum { Long = 9, Wide = 4 };
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "chebyshev");
    wfScene* scene = wfCreateScene(device, &def, err);
    for (int k = 0; k < 2; ++k) {
        float positions[3 * Long * Wide];
        int triangles[6 * (Long - 1) * (Wide - 1)], count = 0;
        for (int i = 0; i < Long * Wide; ++i) {
            float along = 4e-3f * ((float)(i % Long) - 4.0f), across = 4e-3f * ((float)(i / Long) - 1.5f);
            positions[3 * i] = k == 0 ? along : across + 0.0011f;
            positions[3 * i + 1] = Ripple(9e-3f * (float)k, ripple, i + k);
            positions[3 * i + 2] = k == 0 ? across : 0.0007f - along;
        }
        for (int i = 0; i < Long * (Wide - 1); ++i) {
            if (i % Long == Long - 1) continue;
            const int square[6] = {i, i + Long, i + 1, i + 1, i + Long, i + Long + 1};
            memcpy(triangles + count, square, sizeof square);
            count += 6;
        }
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = (wfMeshView){.positions = positions, .vertexCount = Long * Wide, .triangles = triangles, .triangleCount = count / 3};
        wfClothId id = wfCreateCloth(scene, &cloth, err);
        for (int side = 0; side < 2; ++side) {
            float way = side == 0 ? -0.026f : 0.026f;
            const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}},
                                  {0.2f, k == 0 ? wfMake3(way, 0, 0) : wfMake3(0, -0.005f, -way), {0, 0, 0, 1}}};
            int held[Wide];
            for (int i = 0; i < Wide; ++i) held[i] = i * Long + side * (Long - 1);
            wfPinDef pin = wfDefaultPinDef();
            pin.cloth = id;
            pin.vertices = held;
            pin.vertexCount = Wide;
            pin.keys = keys;
            pin.keyCount = 2;
            wfCreatePin(scene, &pin, err);
        }
    }
    if (wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

static void RunCross(wfDevice* device, int ripple, wfVec4* out, int* count, wfSampleCounts* counts) {
    wfError err = {0};
    wfScene* scene = MakeCross(device, ripple, &err);
    ENSURE(scene != NULL, "%s", err.text);
    *count = 0;
    if (scene == NULL) return;
    float longest = 0.0f;
    for (int k = 0; k < 18; ++k) {
        wfCertificate c = {0};
        ENSURE(wfScene_StepFrame(scene, &err) && wfScene_Certify(scene, true, &c, &err), "%s", err.text);
        ENSURE(c.intersectingPairs == 0, "frame %d: %lld pairs intersect", k, (long long)c.intersectingPairs);
    }
    wfRepulsion* r = scene->parts.contactSelf;
    *count = scene->state.vertexCount;
    ENSURE(wfDownload(device, out, &scene->state.x, 0, (size_t)*count, &err), "%s", err.text);
    ENSURE(wfDownload(device, counts, &r->sampleCounts, 0, 1, &err), "%s", err.text);
    for (int t = 0; t < 3 * scene->model.triangleCount; ++t) {
        const int* v = scene->model.triangles[t / 3].v;
        longest = fmaxf(longest, wfDistance(wfXyz(out[v[t % 3]]), wfXyz(out[v[(t + 1) % 3]])));
    }
    ENSURE(longest > 1.02f * r->rules.most, "the longest edge is %g of L", (double)(longest / r->rules.most));
    ENSURE(counts->samples > 50 && counts->pairs > 100, "%lld samples, %lld pairs", counts->samples, counts->pairs);
    wfDestroyScene(scene);
}

// Samples of one stretched state: as many of them, with as many pairs, and the same vertices that fail.
static void ListCross(wfDevice* device, const wfVec4* x, int n, wfSampleCounts* counts, int* flags) {
    wfError err = {0};
    wfScene* scene = MakeCross(device, 0, &err);
    ENSURE(scene != NULL, "%s", err.text);
    if (scene == NULL) return;
    wfRepulsion* r = scene->parts.contactSelf;
    wfUpload(device, &r->x, x, (size_t)n);
    r->sampled = true;
    wfRepulsion_ListSamples(r, device);
    wfZero(device, &r->flags);
    wfRepulsion_CheckSamples(r, device, &r->x, &r->x, r->rules.cond, (wfSampleNotes){.flags = wfData(&r->flags, int)});
    ENSURE(wfDownload(device, counts, &r->sampleCounts, 0, 1, &err) && wfDownload(device, flags, &r->flags, 0, (size_t)n, &err), "%s",
           err.text);
    wfDestroyScene(scene);
}

// A round of the start and a few rounds, piece by piece as step/splitting.c puts them: so few that rounding has no time to grow.
typedef struct Piece {
    const char *stepper, *dynamics;
    wfRepulsionMode mode;
    bool safe, deforming;
} Piece;

static void RunRounds(wfDevice* device, const Piece* piece, int rounds, int ripple, wfVec4* out, int* count) {
    wfError err = {0};
    bool safe = piece->safe;
    wfRepulsionMode mode = piece->mode;
    wfScene* scene = MakePile(device, piece->stepper, piece->dynamics, piece->deforming, ripple, &err);
    ENSURE(scene != NULL, "%s", err.text);
    *count = 0;
    if (scene == NULL) return;
    float dt = 0.01f;
    wfRepulsion* contact = scene->parts.contactSelf;
    const wfDynamicsType* type = scene->parts.dynamics;
    wfScene_MoveShapes(scene, 0.0, dt);
    wfScene_MoveBodies(scene, 0.0, dt);
    wfScene_MovePins(scene, 0.0, dt);
    wfStepContext ctx = wfScene_Context(scene, 0.0, dt);
    wfForces forces = scene->parts.forces;
    forces.coupling = mode.coupling;
    forces.horizon = mode.projected ? 30 : 0;
    type->begin(scene->parts.dynamicsSelf, &ctx, &forces);
    bool ok = wfRepulsion_Begin(contact, &ctx, mode, &err);
    wfRepulsion_Smooth(contact, &ctx);
    ok = ok && wfRepulsion_FindAll(contact, &ctx, &err);
    wfRepulsion_Drift(contact, &ctx, safe, 1, 1);
    if (safe) ok = ok && wfRepulsion_Harden(contact, &ctx, true, &err);
    ok = ok && wfRepulsion_FindAll(contact, &ctx, &err);
    for (int k = 0; k < rounds; ++k) {
        type->iterate(scene->parts.dynamicsSelf, &ctx, type->roundIterations);
        wfRepulsion_TakeRound(contact, &ctx, (wfRepulsionRound){.left = rounds - k, .arrive = rounds - k}, safe);
        if (safe) ok = ok && wfRepulsion_Harden(contact, &ctx, false, &err);
    }
    wfRepulsion_Test(contact, &ctx);
    wfRepulsion_Ask(contact, &ctx);
    ok = ok && wfRepulsion_Leave(contact, &ctx, &err);
    *count = scene->state.vertexCount;
    ENSURE(ok && wfDownload(device, out, &scene->state.x, 0, (size_t)*count, &err), "%s", err.text);
    wfDestroyScene(scene);
}

// A scene with a level sheet at `height`, to which colliders are added.
static wfScene* MakeSheet(wfDevice* device, float* height, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "chebyshev");
    wfScene* scene = wfCreateScene(device, &def, err);
    wfMesh sheet = MakeMesh(wf_makeSheet, 14, 0.055f);
    wfClothDef cloth = wfDefaultClothDef();
    cloth.mesh = ViewOf(&sheet);
    wfCreateCloth(scene, &cloth, err);
    *height = sheet.positions[0].y;
    wfMesh_Free(&sheet);
    return scene;
}

// A sheet lies on the edge of a box, between two rows of vertices: its triangles are found to be too near, and from where they were go
// farther away in a round.
static void RunSharp(wfDevice* device, wfVec4* out, int* count) {
    wfError err = {0};
    float height;
    wfScene* scene = MakeSheet(device, &height, &err);
    wfColliderDef box = wfDefaultColliderDef();
    const wfKey place = {0.0f, {0, height - 0.0303f * 1.41421356f, 0}, {0, 0, 0.38268343f, 0.92387953f}};
    box.shape = wf_shapeBox;
    box.size = wfMake3(0.06f, 0.06f, 0.03f);
    box.keys = &place;
    box.keyCount = 1;
    wfCreateCollider(scene, &box, &err);
    bool ok = wfScene_Commit(scene, &err);
    float dt = 0.01f;
    wfRepulsion* contact = scene->parts.contactSelf;
    const wfDynamicsType* type = scene->parts.dynamics;
    wfScene_MoveShapes(scene, 0.0, dt);
    wfStepContext ctx = wfScene_Context(scene, 0.0, dt);
    wfForces forces = scene->parts.forces;
    forces.horizon = 30;
    type->begin(scene->parts.dynamicsSelf, &ctx, &forces);
    ok = ok && wfRepulsion_Begin(contact, &ctx, (wfRepulsionMode){.projected = true}, &err) && wfRepulsion_FindAll(contact, &ctx, &err);
    wfRepulsion_Keep(contact, &ctx);
    for (int k = 0; k < 2; ++k) {
        wfRepulsion_TakeRound(contact, &ctx, (wfRepulsionRound){.left = 2 - k, .arrive = 2 - k}, false);
        if (k > 0) break;
        ENSURE(!wfRepulsion_IsClear(contact, &ctx), "triangles on the edge of a box are clear of it");
        wfRepulsion_GoBack(contact, &ctx, false);
    }
    ok = ok && wfRepulsion_Leave(contact, &ctx, &err);
    *count = scene->state.vertexCount;
    ENSURE(ok && wfDownload(device, out, &scene->state.x, 0, (size_t)*count, &err), "%s", err.text);
    wfDestroyScene(scene);
}

// A ball goes through a sheet within a step, or, less fast, is deep in it: which vertex says so.
static wfError RunFast(wfDevice* device, float way) {
    wfError err = {0};
    float height;
    wfScene* scene = MakeSheet(device, &height, &err);
    float dt = 0.01f, below = height - 0.03f;
    const wfKey keys[] = {{0.0f, {0, below, 0}, {0, 0, 0, 1}}, {dt, {0, below + way, 0}, {0, 0, 0, 1}}};
    wfColliderDef ball = wfDefaultColliderDef();
    ball.shape = wf_shapeSphere;
    ball.radius = 0.025f;
    ball.keys = keys;
    ball.keyCount = 2;
    wfCreateCollider(scene, &ball, &err);
    bool ok = wfScene_Commit(scene, &err);
    wfScene_MoveShapes(scene, 0.0, dt);
    wfRepulsion* contact = scene->parts.contactSelf;
    wfStepContext ctx = wfScene_Context(scene, 0.0, dt);
    wfForces forces = scene->parts.forces;
    scene->parts.dynamics->begin(scene->parts.dynamicsSelf, &ctx, &forces);
    ok = ok && wfRepulsion_Begin(contact, &ctx, (wfRepulsionMode){.projected = true}, &err) && wfRepulsion_FindAll(contact, &ctx, &err);
    ENSURE(ok, "%s", err.text);
    wfRepulsion_TakeRound(contact, &ctx, (wfRepulsionRound){.left = 2, .arrive = 2, .first = true}, false);
    if (wfRepulsion_Ask(contact, &ctx) == wf_repulsionDeep)
        wfRepulsion_FailDeep(contact, &ctx, &err);
    else if (wfRepulsion_IsClear(contact, &ctx))
        wfRepulsion_Leave(contact, &ctx, &err);
    wfDestroyScene(scene);
    return err;
}

static float Apart(const wfVec4* a, const wfVec4* b, int count) {
    float worst = 0.0f;
    for (int i = 0; i < count; ++i) worst = fmaxf(worst, wfDistance(wfXyz(a[i]), wfXyz(b[i])));
    return worst;
}

enum { Most = 512, Ripples = 4 };

// Where a friction cone ends, where the nearest face of a body changes, and over hundreds of iterations, the last bit decides. What the
// reference makes of a start that differs in nothing else is what can be asked of another device at most.
typedef struct RoundsOf {
    const Piece* piece;
    int rounds;
} RoundsOf;

static void RippleRounds(wfDevice* device, const void* what, int ripple, wfVec4* out, int* count) {
    const RoundsOf* of = what;
    RunRounds(device, of->piece, of->rounds, ripple, out, count);
}
static void RippleScene(wfDevice* device, const void* what, int ripple, wfVec4* out, int* count) {
    RunScene(device, what, ripple, out, count);
}
static void RippleSeam(wfDevice* device, const void* what, int ripple, wfVec4* out, int* count) {
    (void)what;
    RunSeam(device, ripple, out, count);
}

static void RippleCross(wfDevice* device, const void* what, int ripple, wfVec4* out, int* count) {
    wfSampleCounts counts;
    (void)what;
    RunCross(device, ripple, out, count, &counts);
}

static float Spread(wfDevice* reference, void (*run)(wfDevice*, const void*, int, wfVec4*, int*), const void* what, const wfVec4* want) {
    static wfVec4 moved[Most];
    float spread = 0.0f;
    for (int k = 1, n = 0; k <= Ripples; ++k) {
        run(reference, what, k, moved, &n);
        spread = fmaxf(spread, Apart(want, moved, n));
    }
    return spread;
}

static void TestPieces(wfDevice* reference, wfDevice* device) {
    static const Piece pieces[] = {
        {"projection", "chebyshev", {.projected = true}, false, false},
        {"projection", "chebyshev", {.projected = true}, true, false},
        {"projection", "chebyshev", {.projected = true}, false, true},
        {"projection", "multilevel", {.projected = true}, false, false},
        {"splitting", "hierarchy", {.coupling = 80000.0f}, false, false},
        {"phantom", "chebyshev", {.coupling = 80000.0f, .multiply = 0.1f}, false, false},
        {"interleaving", "chebyshev", {.interleaved = true}, false, false},
    };
    static wfVec4 want[Most], got[Most];
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; ++k)
        for (int rounds = 0; rounds < 2; ++rounds) {
            const Piece* p = &pieces[k];
            int n = 0, m = 0;
            RunRounds(reference, p, rounds, 0, want, &n);
            RunRounds(device, p, rounds, 0, got, &m);
            ENSURE(n == m && n > 0 && n <= Most, "%d and %d vertices", n, m);
            float worst = Apart(want, got, n),
                  allowed = worst <= 1e-6f ? 1e-6f : 2.0f * Spread(reference, RippleRounds, &(RoundsOf){p, rounds}, want);
            ENSURE(worst <= allowed, "%d rounds of %s, %s%s%s: %g m apart, where a bit makes %g", rounds, p->stepper, p->dynamics,
                   p->safe ? ", safe" : "", p->deforming ? ", a body that changes its shape" : "", (double)worst, 0.5 * (double)allowed);
        }
}

static void TestSteps(wfDevice* reference, wfDevice* device) {
    static const Run runs[] = {
        // Of the 10 mm that a step goes. Four hundred iterations lie behind it, each of which depends on rounding.
        {"projection", "chebyshev", -1.0f, 2e-4f},      {"splitting", "hierarchy", -1.0f, 2e-4f},
        {"splitting", "chebyshev", -1.0f, 2e-4f},       {"interleaving", "chebyshev", -1.0f, 2e-4f},
        {"post-processing", "hierarchy", -1.0f, 2e-4f}, {"phantom", "hierarchy", -1.0f, 2e-4f},
        {"projection", "multilevel", -1.0f, 2e-4f},     {"splitting", "hierarchy", 0.0f, 2e-4f}, // the hard phase
    };
    static wfVec4 want[Most], got[Most];
    // The first and the last stand for all in slow builds: the pieces of the others have been compared.
    for (size_t k = 0, count = sizeof runs / sizeof runs[0]; k < count; k += WF_SLOW_BUILD ? count - 1 : 1) {
        const Run* run = &runs[k];
        int n = 0, m = 0;
        RunScene(reference, run, 0, want, &n);
        RunScene(device, run, 0, got, &m);
        ENSURE(n == m && n > 0 && n <= Most, "%d and %d vertices", n, m);
        float worst = Apart(want, got, n),
              allowed = worst <= run->tolerance ? run->tolerance : 2.0f * Spread(reference, RippleScene, run, want);
        ENSURE(worst <= allowed, "%s, %s: %g m apart, where a bit makes %g", run->stepper, run->dynamics, (double)worst,
               0.5 * (double)allowed);
    }
}

// The same bits again.
static void TestAgain(wfDevice* device) {
    static const Run run = {"projection", "chebyshev", -1.0f, 0.0f};
    static wfVec4 want[Most], got[Most];
    int n = 0, m = 0;
    RunScene(device, &run, 0, want, &n);
    RunScene(device, &run, 0, got, &m);
    ENSURE(n == m && n > 0 && memcmp(want, got, (size_t)n * sizeof *want) == 0, "another result: %g m apart", (double)Apart(want, got, n));
}

static void TestSamples(wfDevice* reference, wfDevice* device) {
    static wfVec4 want[Most], got[Most];
    wfSampleCounts a, b;
    int n = 0, m = 0, failed = 0;
    RunCross(reference, 0, want, &n, &a);
    RunCross(device, 0, got, &m, &b);
    ENSURE(n == m && n > 0 && n <= Most, "%d and %d vertices", n, m);
    float worst = Apart(want, got, n), spread = worst <= 2e-4f ? 0.0f : Spread(reference, RippleCross, NULL, want);
    ENSURE(worst <= fmaxf(2e-4f, 2.0f * spread), "strips that cross: %g m apart, where a bit makes %g", (double)worst, (double)spread);
    int flags[2][Most] = {{0}};
    // The upper one lowered, so that some fail.
    for (int i = n / 2; i < n; ++i) want[i].y -= 3e-3f;
    ListCross(reference, want, n, &a, flags[0]);
    ListCross(device, want, n, &b, flags[1]);
    for (int i = 0; i < n; ++i) failed += flags[0][i];
    ENSURE(a.samples == b.samples && a.pairs == b.pairs, "%lld and %lld samples, %lld and %lld pairs", a.samples, b.samples, a.pairs,
           b.pairs);
    ENSURE(failed > 0 && memcmp(flags[0], flags[1], (size_t)n * sizeof(int)) == 0, "others fail than %d", failed);
    RunCross(device, 0, want, &n, &a);
    ENSURE(memcmp(want, got, (size_t)n * sizeof *want) == 0, "another result: %g m apart", (double)Apart(want, got, n));
}

void TestRepulsion(wfDevice* reference, wfDevice* device) {
    static wfVec4 want[Most], got[Most];
    TestPieces(reference, device);
    TestSteps(reference, device);
    TestAgain(device);
    TestSamples(reference, device);
    int n = 0, m = 0;
    RunSeam(reference, 0, want, &n);
    RunSeam(device, 0, got, &m);
    ENSURE(n == m && n > 0 && n <= Most, "%d and %d vertices", n, m);
    float worst = Apart(want, got, n), spread = worst <= 2e-4f ? 0.0f : Spread(reference, RippleSeam, NULL, want);
    ENSURE(worst <= fmaxf(2e-4f, 2.0f * spread), "sewn: %g m apart, where a bit makes %g", (double)worst, (double)spread);
    RunSharp(reference, want, &n);
    RunSharp(device, got, &m);
    ENSURE(n == m && n > 0 && n <= Most, "%d and %d vertices", n, m);
    worst = Apart(want, got, n);
    ENSURE(worst <= 1e-6f, "on the edge of a box: %g m apart", (double)worst);
    const char* says[] = {"a body moves farther into it", "a body went through it"};
    for (int k = 0; k < 2; ++k) {
        wfError expected = RunFast(reference, k == 0 ? 0.02f : 0.15f), found = RunFast(device, k == 0 ? 0.02f : 0.15f);
        ENSURE(strstr(expected.text, says[k]) != NULL && strcmp(expected.text, found.text) == 0, "a fast ball: \"%s\" and \"%s\"",
               expected.text, found.text);
    }
}
