// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scenes.h"

#include "contact/resolve.h"
#include "mesh/generate.h"

// Contact without history on the reference and on the device: a sheet above a ball, and another one that leans through it. Untangling runs
// on the host, so from the same positions it has to end at the same bits; then a whole scene.

enum { Side = 13, SheetVertices = Side * Side, Vertices = 2 * SheetVertices, Frames = 5 };

static const float s_dt = 0.005f;

static wfScene* Make(wfDevice* device, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "untangle");
    def.gravity = wfMake3(0.0f, -30.0f, 0.0f);
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    for (int sheet = 0; sheet < 2; ++sheet) {
        wfMesh mesh = {0};
        wfGenerateDef shape = wfDefaultGenerateDef();
        shape.n = Side;
        shape.size = wfMake3(0.3f, 1.0f, 0.3f);
        ENSURE(wfGenerate(&mesh, &shape, err), "%s", err->text);
        for (int i = 0; i < mesh.vertexCount; ++i) {
            wfVec3 p = mesh.positions[i];
            mesh.positions[i] = wfMake3(p.x + 0.011f * (float)sheet, 0.07f + (float)sheet * (0.01f + 0.12f * p.x), p.z);
        }
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = ViewOf(&mesh);
        cloth.fabric.thickness = 1e-3f;
        wfCreateCloth(scene, &cloth, err);
        wfMesh_Free(&mesh);
    }
    wfMesh sphere = {0};
    wfGenerateDef shape = wfDefaultGenerateDef();
    shape.shape = wf_makeSphere;
    shape.radius = 0.06f;
    ENSURE(wfGenerate(&sphere, &shape, err), "%s", err->text);
    wfColliderDef ball = wfDefaultColliderDef();
    ball.shape = wf_shapeMesh;
    ball.mesh = ViewOf(&sphere);
    wfCreateCollider(scene, &ball, err);
    wfMesh_Free(&sphere);
    if (err->code == wf_ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

typedef struct Outcome {
    wfResolved resolved;
    int64_t near, contacts;
    wfVec4 begun[Vertices], resolvedX[Vertices];
} Outcome;

static void RunPieces(wfScene* scene, Outcome* out) {
    wfError err = {0};
    static wfVec4 proposed[Vertices], target[Vertices];
    wfState* state = &scene->state;
    wfStepContext ctx = wfScene_Context(scene, 0.0, s_dt);
    ctx.mayShorten = true;
    wfResolver* resolver = scene->parts.contactSelf;
    wfScene_MoveBodies(scene, 0.0, (double)s_dt);
    ENSURE(wfDownload(scene->device, target, &state->x, 0, Vertices, &err), "%s", err.text);
    for (int i = 0; i < Vertices; ++i) target[i].w /= s_dt * s_dt;
    wfUploadRange(scene->device, &state->target, 0, target, Vertices);
    int64_t left = -1;
    ENSURE(wfResolver_Begin(resolver, &ctx, &left, &err) && left == 0, "%lld pairs are left of the start: %s", (long long)left, err.text);
    ENSURE(wfDownload(scene->device, out->begun, &state->x, 0, Vertices, &err), "%s", err.text);

    // The lower sheet is thrown at the ball, the upper one into the lower one.
    uint32_t random = 5;
    for (int i = 0; i < Vertices; ++i) {
        wfVec3 way = wfMake3(0.0f, (i < SheetVertices ? -0.01f : -0.014f) + 1e-3f * NextFloat(&random), 0.0f);
        proposed[i] = wfMake4(wfAdd(wfXyz(out->begun[i]), way), out->begun[i].w);
    }
    wfUploadRange(scene->device, &state->xStart, 0, out->begun, Vertices);
    wfUploadRange(scene->device, &state->x, 0, proposed, Vertices);
    ENSURE(wfImpulse_Find(wfResolver_Near(resolver), &ctx, &err), "%s", err.text);
    out->near = wfUntangleContact.count(resolver, &ctx);
    ENSURE(wfResolver_Resolve(resolver, &ctx, &out->resolved, &err), "%s", err.text);
    ENSURE(wfDownload(scene->device, out->resolvedX, &state->x, 0, Vertices, &err), "%s", err.text);
    ENSURE(wfResolver_FindContacts(resolver, &ctx, &err), "%s", err.text);
    out->contacts = wfUntangleContact.count(resolver, &ctx);
}

static void TestPieces(wfDevice* reference, wfDevice* device) {
    wfError err = {0};
    wfScene *a = Make(reference, &err), *b = Make(device, &err);
    static Outcome p, q;
    ENSURE(a != NULL && b != NULL, "%s", err.text);
    if (a != NULL && b != NULL) {
        RunPieces(a, &p);
        RunPieces(b, &q);
        ENSURE(p.resolved.found > 20 && p.resolved.left == 0 && p.resolved.shift > 1e-3f, "%lld pairs found, %lld left, moved by %g m",
               (long long)p.resolved.found, (long long)p.resolved.left, (double)p.resolved.shift);
        ENSURE(p.near > 0 && p.contacts > p.near, "contacts: %lld, then %lld", (long long)p.near, (long long)p.contacts);
        ENSURE(p.resolved.found == q.resolved.found && p.resolved.left == q.resolved.left && p.resolved.shift == q.resolved.shift,
               "found %lld, %lld; left %lld, %lld", (long long)p.resolved.found, (long long)q.resolved.found, (long long)p.resolved.left,
               (long long)q.resolved.left);
        ENSURE(p.near == q.near && p.contacts == q.contacts, "contacts: %lld and %lld, %lld and %lld", (long long)p.near, (long long)q.near,
               (long long)p.contacts, (long long)q.contacts);
        ENSURE(memcmp(p.begun, q.begun, sizeof p.begun) == 0, "the untangled start differs");
        ENSURE(memcmp(p.resolvedX, q.resolvedX, sizeof p.resolvedX) == 0, "what was resolved differs");
    }
    if (a != NULL) wfDestroyScene(a);
    if (b != NULL) wfDestroyScene(b);
}

void TestUntangle(wfDevice* reference, wfDevice* device) {
    TestPieces(reference, device);
    CompareRuns(Make, Frames, reference, device);
}
