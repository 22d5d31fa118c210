// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scenes.h"

#include "contact/impulse.h"
#include "contact/touches_kernels.h"
#include "mesh/generate.h"

// Impulse contact on the reference and on the device. First its pieces, each from the same positions: a crumpled sheet folded on itself,
// another one on top, a ball that comes down on both, a floor close below, and a motion that drives everything into everything. Then a
// whole scene.

enum { Side = 17, SheetVertices = Side * Side, Vertices = 2 * SheetVertices };

static const float s_gap = 0.8e-3f; // [m] between layers: nearer than their thickness of 1 mm
static const float s_dt = 0.005f;

static float Wave(float x, float z) { return 0.01f * sinf(20.0f * x) * sinf(17.0f * z); }

/// The lower sheet is folded along its middle, the crease half way between its two layers; the upper one lies flat on it.
static void CrumpleSheet(wfMesh* mesh, int sheet, uint32_t* random) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = Side;
    def.size = sheet == 0 ? wfMake3(0.3f, 1.0f, 0.3f) : wfMake3(0.15f, 1.0f, 0.3f);
    def.m = Side;
    ENSURE(wfGenerate(mesh, &def, &err), "%s", err.text);
    for (int i = 0; i < mesh->vertexCount; ++i) {
        float s = (float)(i % Side) / (Side - 1), layer = sheet == 1 ? 2.0f : s < 0.5f ? 0.0f : s > 0.5f ? 1.0f : 0.5f;
        float x = 0.15f * (sheet == 1 ? s : 1.0f - fabsf(2.0f * s - 1.0f)) + 1e-3f * NextFloat(random);
        float z = 0.3f * (float)(i / Side) / (Side - 1) + 1e-3f * NextFloat(random);
        mesh->positions[i] = wfMake3(x, layer * s_gap + Wave(x, z), z);
    }
}

/// Coarser than the mesh that weft makes of a sphere: eight thousand triangles are much for a small test.
static wfMesh MakeBall(void) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    wfMesh ball = {0};
    def.shape = wf_makeSphere;
    def.radius = 0.06f;
    ENSURE(wfGenerate(&ball, &def, &err), "%s", err.text);
    return ball;
}

static wfScene* MakePile(wfDevice* device, float thickness, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    uint32_t random = 4711;
    for (int sheet = 0; sheet < 2; ++sheet) {
        wfMesh mesh = {0};
        CrumpleSheet(&mesh, sheet, &random);
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = ViewOf(&mesh);
        cloth.fabric.thickness = thickness;
        cloth.layer = sheet;
        wfCreateCloth(scene, &cloth, err);
        wfMesh_Free(&mesh);
    }
    wfMesh sphere = MakeBall();
    wfColliderDef ball = wfDefaultColliderDef(), floor = wfDefaultColliderDef();
    const wfKey keys[] = {{0.0f, {0.0785f, 0.0725f, 0.092f}, {0, 0, 0, 1}}, {s_dt, {0.0785f, 0.0685f, 0.092f}, {0, 0.02f, 0, 0.9998f}}};
    ball.shape = wf_shapeMesh;
    ball.mesh = ViewOf(&sphere);
    ball.keys = keys;
    ball.keyCount = 2;
    wfCreateCollider(scene, &ball, err);
    wfMesh_Free(&sphere);
    floor.shape = wf_shapePlane;
    floor.keys = &(wfKey){0.0f, {0, -0.0104f, 0}, {0, 0, 0, 1}};
    floor.keyCount = 1;
    wfCreateCollider(scene, &floor, err);
    if (err->code == wf_ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

/// Ends of the motion: each sheet goes toward the other, shaken by `shake`; a few vertices are held. Weights as a step of dynamics has
/// them.
static void Propose(wfScene* scene, const wfVec4* start, float shake, wfVec4* end, wfVec4* target) {
    uint32_t random = 12;
    for (int i = 0; i < Vertices; ++i) {
        float way = i < SheetVertices ? 3e-4f : -3e-4f, d[3];
        for (int k = 0; k < 3; ++k) d[k] = shake * NextFloat(&random);
        bool held = i % 97 == 5;
        end[i] = held ? start[i] : wfMake4(wfAdd(wfXyz(start[i]), wfMake3(d[0], d[1] + way, d[2])), start[i].w);
        target[i] = wfMake4(wfXyz(start[i]), held ? -1.0f : start[i].w / (s_dt * s_dt));
    }
    wfUploadRange(scene->device, &scene->state.xStart, 0, start, Vertices);
    wfUploadRange(scene->device, &scene->state.x, 0, end, Vertices);
    wfUploadRange(scene->device, &scene->state.target, 0, target, Vertices);
}

static void Read(wfScene* scene, const wfBuffer* buffer, wfVec4* out) {
    wfError err = {0};
    ENSURE(wfDownload(scene->device, out, buffer, 0, Vertices, &err), "%s", err.text);
}

static void ReadLeft(wfScene* scene, const wfStepContext* ctx, wfVec4* out) {
    wfImpulse_Leave(scene->parts.contactSelf, ctx);
    Read(scene, &scene->state.x, out);
}

// ---- pairs --------------------------------------------------------------------------------------------------------------------

typedef struct Pairs {
    int vertexCount;
    wfQuadRanges ranges; // of all, then of some vertices
    wfVec4 *from, *to;
    wfQuad* quads;
} Pairs;

/// From the state that Propose left. Commit has freed what a contact mesh is made of, so it is made again.
static Pairs FindPairs(wfScene* scene, const wfVec4* start, const wfStepContext* ctx) {
    wfError err = {0};
    wfTopology topology = {0};
    wfVec3 positions[Vertices];
    wfModel model = scene->model;
    wfContactMesh mesh;
    Pairs p = {0};
    for (int i = 0; i < Vertices; ++i) positions[i] = wfXyz(start[i]);
    wfFlatTriangle* flat = malloc((size_t)model.triangleCount * sizeof *flat);
    wfMeshView view = {
        .positions = &positions[0].x, .vertexCount = Vertices, .triangles = model.triangles[0].v, .triangleCount = model.triangleCount};
    bool ok = flat != NULL && wfTopology_Create(&topology, model.triangles, model.triangleCount, Vertices, &err) &&
              wfReferenceShape(&view, "pile", flat, &err);
    model.topology = &topology;
    model.flat = flat;
    ok = ok && wfContactMesh_Create(&mesh, scene->device, &model, &scene->colliderSet, &err);
    ENSURE(ok, "%s", err.text);
    if (!ok) return p;
    wfContactMesh_Place(&mesh, ctx);
    static wfVec4 to[Vertices]; // a few vertices are to go elsewhere
    wfPairsChange change = wf_pairsHold;
    ok = wfContactMesh_FindPairs(&mesh, 2e-3f, &err) && wfDownload(scene->device, to, &mesh.to, 0, Vertices, &err);
    for (int i = 0; i < Vertices; i += 50) to[i].y -= 1.5e-3f;
    wfUploadRange(scene->device, &mesh.to, 0, to, Vertices);
    ok = ok && wfContactMesh_FindAgain(&mesh, &change, &err);
    ENSURE(!ok || change == wf_pairsAdded, "pairs of vertices that strayed are not added");
    p = (Pairs){mesh.vertexCount, mesh.ranges, NULL, NULL, NULL};
    size_t n = (size_t)p.vertexCount, count = (size_t)wfQuadRanges_Count(&p.ranges);
    p.from = malloc(n * sizeof *p.from);
    p.to = malloc(n * sizeof *p.to);
    p.quads = malloc((count + 1) * sizeof *p.quads);
    ok = ok && wfDownload(scene->device, p.from, &mesh.from, 0, n, &err) && wfDownload(scene->device, p.to, &mesh.to, 0, n, &err) &&
         wfDownload(scene->device, p.quads, &mesh.quads, 0, count, &err);
    ENSURE(ok, "%s", err.text);
    wfContactMesh_Free(&mesh);
    wfTopology_Free(&topology);
    free(flat);
    return p;
}

// Bounds and the order of lists are the same bits on every device, so the lists are.
static void FreePairs(Pairs* pairs) {
    free(pairs->from);
    free(pairs->to);
    free(pairs->quads);
}

static void ComparePairs(Pairs a, Pairs b) {
    bool counts = a.ranges.searches == b.ranges.searches;
    size_t n = (size_t)a.vertexCount, pairs = (size_t)wfQuadRanges_Count(&a.ranges);
    for (int k = 0; counts && k < 3 * a.ranges.searches; ++k) {
        int of = a.ranges.end[k] - (k > 0 ? a.ranges.end[k - 1] : 0);
        counts = a.ranges.end[k] == b.ranges.end[k];
        ENSURE(counts, "pairs: range %d ends at %d and %d", k, a.ranges.end[k], b.ranges.end[k]);
        ENSURE(of > (k < 2 ? 500 : k == 5 ? 0 : 10), "range %d has only %d pairs", k, of);
    }
    ENSURE(counts, "the lists have %d and %d parts", a.ranges.searches, b.ranges.searches);
    ENSURE(memcmp(a.from, b.from, n * sizeof *a.from) == 0 && memcmp(a.to, b.to, n * sizeof *a.to) == 0, "places differ");
    ENSURE(!counts || memcmp(a.quads, b.quads, pairs * sizeof *a.quads) == 0, "lists of pairs differ");
    FreePairs(&a);
    FreePairs(&b);
}

// ---- pieces -------------------------------------------------------------------------------------------------------------------

enum { Repelled, Collided, CoupledX, CoupledTarget, Again, Outward, Foreseen, Folded, Settled, Carried, Pinched, Frozen, PieceCount };
static const char* const s_pieces[PieceCount] = {
    "Repel",   "Collide",     "Couple",        "Couple (targets)", "Repel again",      "Collide, outward",
    "Foresee", "terms: fold", "terms: settle", "Carry, and fold",  "Collide, pinched", "Freeze",
};

typedef struct Outcome {
    Pairs pairs;
    int64_t nearCount, touchCount;
    int hits, pinchedHits;
    bool little, littleAtStart;
    float energy; // of the terms [J]
    wfVec4 x[PieceCount][Vertices];
} Outcome;

static void ReadFolded(wfScene* scene, const wfStepTerms* terms, wfVec4* out) {
    wfBuffer folded = {.data = (void*)terms->fold(terms->self, wfData(&scene->state.x, wfVec4), wfData(&scene->state.target, wfVec4)),
                       .count = Vertices,
                       .capacity = Vertices,
                       .stride = sizeof(wfVec4)};
    Read(scene, &folded, out);
}

// The terms where springs are pushed in by all of the motion.
static void ReadTerms(wfScene* scene, const wfStepContext* ctx, const wfVec4* end, Outcome* out) {
    wfError err = {0};
    wfStepTerms terms = wfImpulse_Terms(scene->parts.contactSelf, ctx);
    Read(scene, &scene->state.x, out->x[Foreseen]);
    wfUploadRange(scene->device, &scene->state.x, 0, end, Vertices);
    const wfVec4* x = wfData(&scene->state.x, wfVec4);
    ReadFolded(scene, &terms, out->x[Folded]);
    wfBuffer energy = wfMakeBuffer(sizeof(float), "test.energy");
    wfUpload(scene->device, &energy, &(float){0.0f}, 1);
    terms.addEnergy(terms.self, x, wfData(&energy, float));
    ENSURE(wfDownload(scene->device, &out->energy, &energy, 0, 1, &err), "%s", err.text);
    wfFreeBuffer(scene->device, &energy);
    terms.release(terms.self);
    terms.settle(terms.self, x, wfData(&scene->state.target, wfVec4), s_dt);
    Read(scene, &scene->state.target, out->x[Settled]);
}

/// ripple: not 0: from positions of which the last bits are moved, each time others.
static void RunPieces(wfScene* scene, int ripple, Outcome* out) {
    wfError err = {0};
    static wfVec4 start[Vertices], end[Vertices], target[Vertices];
    wfStepContext ctx = wfScene_Context(scene, 0.0, s_dt);
    wfImpulse* impulse = scene->parts.contactSelf;
    Read(scene, &scene->state.x, start);
    for (int i = 0; i < Vertices && ripple > 0; ++i) {
        start[i].x = nextafterf(start[i].x, (i + ripple) % 2 == 0 ? 1.0f : -1.0f);
        start[i].z = nextafterf(start[i].z, (i / 2 + ripple / 2) % 2 == 0 ? 1.0f : -1.0f);
    }
    wfScene_MoveBodies(scene, 0.0, (double)s_dt);

    Propose(scene, start, 1.5e-3f, end, target);
    out->pairs = FindPairs(scene, start, &ctx);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err), "%s", err.text);
    out->nearCount = wfImpulseContact.count(impulse, &ctx);
    out->littleAtStart = wfImpulse_MovesLittle(impulse, &ctx);
    wfImpulse_Repel(impulse, &ctx);
    ReadLeft(scene, &ctx, out->x[Repelled]);

    Propose(scene, start, 1.5e-3f, end, target);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err) && wfImpulse_Collide(impulse, &ctx, true, &out->hits, &err), "%s", err.text);
    out->touchCount = wfImpulseContact.count(impulse, &ctx);
    out->little = wfImpulse_MovesLittle(impulse, &ctx);
    wfImpulse_Couple(impulse, &ctx);
    Read(scene, &scene->state.x, out->x[CoupledX]);
    Read(scene, &scene->state.target, out->x[CoupledTarget]);
    ReadLeft(scene, &ctx, out->x[Collided]);
    wfUploadRange(scene->device, &scene->state.x, 0, end, Vertices); // as if the dynamics had insisted
    wfImpulse_Repel(impulse, &ctx);
    ReadLeft(scene, &ctx, out->x[Again]);
    Propose(scene, start, 1.5e-3f, end, target);
    int hits = 0, moved = 0;
    ENSURE(wfImpulse_Find(impulse, &ctx, &err), "%s", err.text);
    wfImpulse_Outward(impulse);
    ENSURE(wfImpulse_Collide(impulse, &ctx, true, &hits, &err) && hits == out->hits, "%d hits, %s", hits, err.text);
    ReadLeft(scene, &ctx, out->x[Outward]);
    for (int i = 0; i < Vertices; ++i) moved += wfDistance(wfXyz(out->x[Outward][i]), wfXyz(out->x[Collided][i])) > 1e-5f;
    ENSURE(moved > 20, "the order of layers moved %d vertices", moved);

    Propose(scene, start, 1.5e-3f, end, target);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err), "%s", err.text);
    wfImpulse_Foresee(impulse, &ctx);
    ReadTerms(scene, &ctx, end, out);

    // And once more, with the forces that the terms have come to, less what has changed velocities.
    ENSURE(wfImpulse_Begin(impulse, &ctx, &err), "%s", err.text);
    for (int i = 0; i < Vertices; ++i) target[i] = wfMake4(wfScale(wfSub(wfXyz(end[i]), wfXyz(start[i])), 0.1f / s_dt), 0.0f);
    wfUploadRange(scene->device, &scene->state.v, 0, target, Vertices);
    wfImpulse_Carry(impulse, &ctx);
    Propose(scene, start, 1.5e-3f, end, target);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err), "%s", err.text);
    wfImpulse_Foresee(impulse, &ctx);
    wfStepTerms terms = wfImpulse_Terms(impulse, &ctx);
    wfUploadRange(scene->device, &scene->state.x, 0, end, Vertices);
    ReadFolded(scene, &terms, out->x[Carried]);
    moved = 0;
    for (int i = 0; i < Vertices; ++i) moved += wfDistance(wfXyz(out->x[Carried][i]), wfXyz(out->x[Folded][i])) > 1e-5f;
    ENSURE(moved > 20, "forces that were carried have moved the targets of %d vertices", moved);

    // Every third vertex is pinched: bodies are not looked at there.
    static int codes[Vertices];
    for (int i = 0; i < Vertices; ++i) codes[i] = i % 3 == 0;
    wfUpload(scene->device, &scene->state.pinched, codes, Vertices);
    scene->state.pinchedCount = (Vertices + 2) / 3;
    Propose(scene, start, 1.5e-3f, end, target);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err) && wfImpulse_Collide(impulse, &ctx, true, &out->pinchedHits, &err), "%s", err.text);
    ReadLeft(scene, &ctx, out->x[Pinched]);
    scene->state.pinchedCount = 0;

    // Shaken less, and nothing moves but cloth: else one zone would hold everything between a ball that comes and a floor that stays.
    wfScene_MoveBodies(scene, 0.0, 0.0);
    Propose(scene, start, 2e-4f, end, target);
    ENSURE(wfImpulse_Find(impulse, &ctx, &err), "%s", err.text);
    bool pinched = false;
    ENSURE(wfImpulse_Freeze(impulse, &ctx, &pinched, &err) && !pinched, "%s", err.text);
    ReadLeft(scene, &ctx, out->x[Frozen]);
    moved = 0;
    for (int i = 0; i < Vertices; ++i) moved += wfDistance(wfXyz(out->x[Frozen][i]), wfXyz(end[i])) > 1e-5f;
    ENSURE(moved > 20 && moved < Vertices - 20, "impact zones moved %d of %d vertices", moved, Vertices);
}

static float LargestDistance(const wfVec4* a, const wfVec4* b) {
    float largest = 0.0f;
    for (int i = 0; i < Vertices; ++i) {
        float d = wfDistance(wfXyz(a[i]), wfXyz(b[i]));
        if (!(d <= largest)) largest = d; // NaN stays
    }
    return largest;
}

/// What moving the last bits of the start does.
static void FindSpread(wfDevice* reference, const Outcome* p, float spread[PieceCount]) {
    wfError err = {0};
    Outcome* moved = calloc(1, sizeof *moved);
    memset(spread, 0, PieceCount * sizeof *spread);
    for (int ripple = 1; ripple <= 4; ++ripple) {
        wfScene* scene = MakePile(reference, 1e-3f, &err);
        ENSURE(scene != NULL, "%s", err.text);
        if (scene == NULL) break;
        RunPieces(scene, ripple, moved);
        for (int k = 0; k < PieceCount; ++k) {
            float moves =
                LargestDistance(p->x[k], moved->x[k]); // of targets, which have forces over weights in them, apart from all others
            for (int j = 0; j < PieceCount; ++j)
                if ((j == Settled) == (k == Settled)) spread[j] = fmaxf(spread[j], moves);
        }
        FreePairs(&moved->pairs);
        wfDestroyScene(scene);
    }
    free(moved);
}

static void TestPieces(wfDevice* reference, wfDevice* device) {
    wfError err = {0};
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    wfScene *a = MakePile(reference, 1e-3f, &err), *b = MakePile(device, 1e-3f, &err);
    Outcome *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    ENSURE(a != NULL && b != NULL, "%s", err.text);
    if (a != NULL && b != NULL) {
        RunPieces(a, 0, p);
        RunPieces(b, 0, q);
        ComparePairs(p->pairs, q->pairs);
        ENSURE(p->nearCount > 500 && p->nearCount == q->nearCount, "near: %lld, %lld", (long long)p->nearCount, (long long)q->nearCount);
        ENSURE(p->hits > 100 && p->hits == q->hits, "hits: %d, %d", p->hits, q->hits);
        ENSURE(p->pinchedHits < p->hits && p->pinchedHits == q->pinchedHits, "hits with pinched cloth: %d, %d", p->pinchedHits,
               q->pinchedHits);
        ENSURE(p->touchCount == q->touchCount, "contacts: %lld, %lld", (long long)p->touchCount, (long long)q->touchCount);
        ENSURE(p->littleAtStart && q->littleAtStart && !p->little && !q->little, "little: %d, %d", p->little, q->little);
        ENSURE(p->energy > 0.0f && fabsf(p->energy - q->energy) <= 1e-4f * p->energy, "energy of the terms: %g, %g", (double)p->energy,
               (double)q->energy);
        float spread[PieceCount];
        FindSpread(reference, p, spread);
        for (int k = 0; k < PieceCount; ++k) {
            // No more than what the last bits of the start do, which are in all that follows: where the nearest points lie, and whether
            // friction holds.
            float apart = LargestDistance(p->x[k], q->x[k]), most = fmaxf(2e-7f, 2.0f * spread[k]);
            ENSURE(cpu ? apart == 0.0f : apart <= most, "positions after %s differ by %g", s_pieces[k], (double)apart);
            if (!cpu) printf("     %s: %.3g m apart, at most %.3g\n", s_pieces[k], (double)apart, (double)most);
        }
    }
    free(p);
    free(q);
    if (a != NULL) wfDestroyScene(a);
    if (b != NULL) wfDestroyScene(b);
}

/// Cloth about as thick as its edges are long: neighbours count as thinner, most pairs are contacts.
static void TestThick(wfDevice* reference, wfDevice* device) {
    static wfVec4 start[Vertices], end[Vertices], target[Vertices], x[2][Vertices];
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    int64_t counts[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        wfError err = {0};
        wfScene* scene = MakePile(k == 0 ? reference : device, 8e-3f, &err);
        ENSURE(scene != NULL, "%s", err.text);
        if (scene == NULL) return;
        wfStepContext ctx = wfScene_Context(scene, 0.0, s_dt);
        Read(scene, &scene->state.x, start);
        wfScene_MoveBodies(scene, 0.0, (double)s_dt);
        Propose(scene, start, 1.5e-3f, end, target);
        ENSURE(wfImpulse_Find(scene->parts.contactSelf, &ctx, &err), "%s", err.text);
        counts[k] = wfImpulseContact.count(scene->parts.contactSelf, &ctx);
        wfImpulse_Repel(scene->parts.contactSelf, &ctx);
        ReadLeft(scene, &ctx, x[k]);
        wfDestroyScene(scene);
    }
    ENSURE(counts[0] > 4000 && counts[0] == counts[1], "near: %lld, %lld", (long long)counts[0], (long long)counts[1]);
    float apart = 0.0f;
    for (int i = 0; i < Vertices; ++i) {
        float d = wfDistance(wfXyz(x[0][i]), wfXyz(x[1][i]));
        if (!(d <= apart)) apart = d; // NaN stays
    }
    ENSURE(cpu ? apart == 0.0f : apart <= 4e-7f, "positions of thick cloth differ by %g", (double)apart); // as above
    if (!cpu) printf("     thick cloth: %.3g m apart\n", (double)apart);
}

// ---- a scene ------------------------------------------------------------------------------------------------------------------

enum { SceneSide = 24, SceneFrames = 10 };

/// A sheet thrown down on a small ball, fast enough to fold below it within ten frames.
static wfScene* MakeFold(wfDevice* device, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    def.gravity = wfMake3(0.0f, -60.0f, 0.0f);
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    wfMesh mesh = {0};
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.n = SceneSide;
    sheet.size = wfMake3(0.4f, 1.0f, 0.4f);
    ENSURE(wfGenerate(&mesh, &sheet, err), "%s", err->text);
    for (int i = 0; i < mesh.vertexCount; ++i) mesh.positions[i].y = 0.061f;
    wfClothDef cloth = wfDefaultClothDef();
    cloth.mesh = ViewOf(&mesh);
    wfCreateCloth(scene, &cloth, err);
    wfMesh_Free(&mesh);
    wfMesh sphere = MakeBall();
    wfColliderDef ball = wfDefaultColliderDef();
    ball.shape = wf_shapeMesh;
    ball.mesh = ViewOf(&sphere);
    wfCreateCollider(scene, &ball, err);
    wfMesh_Free(&sphere);
    if (err->code == wf_ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

/// Which of many small cloths hang together, by a plain search from each.
static void TestGroups(wfDevice* device) {
    enum { Cloths = 150, Bodies = 2, Rounds = 20 };
    wfError err = {0};
    uint32_t random = 99;
    for (int round = 0; round < Rounds; ++round) {
        wfTouch touches[Cloths];
        int surfaceOf[Cloths + Bodies], group[Cloths], read[Cloths], count = 2 + round * Cloths / Rounds;
        bool held[Cloths] = {false};
        for (int v = 0; v < Cloths + Bodies; ++v) surfaceOf[v] = v;
        for (int c = 0; c < Cloths; ++c) group[c] = c;
        for (int i = 0; i < count; ++i) {
            int a = (int)(NextRandom(&random) % Cloths), b = (int)(NextRandom(&random) % (Cloths + Bodies));
            touches[i] = (wfTouch){{{a, a, b, (a + 1) % Cloths}}, {0.5f, 0.5f, -1.0f, 0.0f}}; // the last has no part in it
        }
        for (int k = 0; k < Cloths; ++k)
            for (int i = 0; i < count; ++i) {
                int a = touches[i].q.v[0], b = touches[i].q.v[2];
                if (b < Cloths) group[a] = group[b] = group[a] < group[b] ? group[a] : group[b];
            }
        for (int i = 0; i < count; ++i)
            if (touches[i].q.v[2] >= Cloths) held[group[touches[i].q.v[0]]] = true;
        wfBuffer buffers[] = {wfMakeBuffer(sizeof(wfTouch), "touches"), wfMakeBuffer(sizeof(int), "surfaces"),
                              wfMakeBuffer(sizeof(int), "meets"), wfMakeBuffer(sizeof(int), "groups")};
        wfUpload(device, &buffers[0], touches, (size_t)count);
        wfUpload(device, &buffers[1], surfaceOf, Cloths + Bodies);
        wfReserve(device, &buffers[2], Cloths * Cloths);
        wfReserve(device, &buffers[3], 2 * Cloths);
        wfZero(device, &buffers[2]);
        TouchMeetArgs meet = {wfData(&buffers[0], wfTouch), wfData(&buffers[1], int), wfData(&buffers[2], int), Cloths};
        TouchGroupArgs find = {meet.meets, wfData(&buffers[3], int), wfData(&buffers[3], int) + Cloths, Cloths};
        wfLaunch(device, TouchMeet, count, &meet);
        wfLaunch(device, TouchGroup, 1, &find);
        ENSURE(wfDownload(device, read, &buffers[3], 0, Cloths, &err), "%s", err.text);
        int wrong = 0;
        for (int c = 0; c < Cloths; ++c) wrong += read[c] != (held[group[c]] ? -1 : group[c]);
        ENSURE(wrong == 0, "round %d: %d of %d cloths in a wrong group", round, wrong, Cloths);
        for (int k = 0; k < 4; ++k) wfFreeBuffer(device, &buffers[k]);
    }
}

void TestImpulse(wfDevice* reference, wfDevice* device) {
    TestPieces(reference, device);
    TestThick(reference, device);
    TestGroups(device);
    CompareRuns(MakeFold, SceneFrames, reference, device);
}
