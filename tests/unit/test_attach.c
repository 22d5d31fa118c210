// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"
#include "scene_fixture.h"

#include "mesh/generate.h"
#include "scene/scene.h"

// Pins that follow a collider: rigid ones and ones that change their shape, in place and drawn to the surface.

#define CHECK_VEC(v, w, tolerance)           \
    do {                                     \
        wfVec3 v_ = (v), w_ = (w);           \
        CHECK_NEAR(v_.x, w_.x, (tolerance)); \
        CHECK_NEAR(v_.y, w_.y, (tolerance)); \
        CHECK_NEAR(v_.z, w_.z, (tolerance)); \
    } while (0)

static wfVec3 Narrow(wfVec3D v) { return wfMake3((float)v.x, (float)v.y, (float)v.z); }

/// A collider made by hand: what wfCollider_NearestPoint reads.
static wfCollider MakeShape(wfShapeKind kind, wfKey* key) {
    wfCollider c = {.def = wfDefaultColliderDef(), .keys = key};
    c.def.shape = kind;
    c.def.radius = 0.3f;
    c.def.size = wfMake3(0.8f, 0.5f, 0.6f);
    c.motion = (wfMotion){key, 1, wf_interpolateHold};
    return c;
}

static void TestNearestPoint(void** state) {
    (void)state;
    uint64_t seed = 11;
    wfKey key = {0.0f, {0.2f, -0.4f, 0.1f}, wfQuatAxisAngle(wfMake3(1, 2, 3), 0.7f)};
    const wfShapeKind kinds[] = {wf_shapePlane, wf_shapeSphere, wf_shapeBox, wf_shapeCapsule};
    wfPose pose = {key.translate, key.rotate};
    for (int k = 0; k < 4; ++k) {
        wfCollider c = MakeShape(kinds[k], &key);
        wfShape shape = {.kind = (int)kinds[k], .radius = 0.3f, .half = wfScale(c.def.size, 0.5f)};
        for (int trial = 0; trial < 200; ++trial) {
            wfVec3 p = Narrow(RandomVector(&seed)), normal, unused;
            wfVec3 q = wfCollider_NearestPoint(&c, p, &normal, NULL);
            CHECK_NEAR(wfShape_Distance(&shape, wfPose_Unapply(pose, q), &unused), 0.0, 1e-5); // on the surface
            CHECK_NEAR(wfLength(normal), 1.0, 1e-5);
            float distance = wfShape_Distance(&shape, wfPose_Unapply(pose, p), &unused);
            CHECK_NEAR(wfDistance(p, q), fabsf(distance), 1e-5); // and no nearer one
            CHECK_VEC(wfMulAdd(q, distance, normal), p, 1e-5);
        }
    }
    // A mesh, against the middle of many small pieces of every triangle; all of its triangles turn outwards.
    wfMesh mesh = {0};
    wfError err = {0};
    wfGenerateDef make = wfDefaultGenerateDef();
    make.shape = wf_makeTorus;
    make.edge = 0.08f;
    CHECK_OK(wfGenerate(&mesh, &make, &err), err);
    wfCollider c = MakeShape(wf_shapeMesh, &key);
    c.vertexCount = mesh.vertexCount;
    c.triangleCount = mesh.triangleCount;
    c.positions = mesh.positions;
    c.triangles = mesh.triangles;
    for (int trial = 0; trial < 40; ++trial) {
        wfVec3 p = wfScale(Narrow(RandomVector(&seed)), 0.6f), normal;
        wfAnchor anchor;
        wfVec3 q = wfCollider_NearestPoint(&c, p, &normal, &anchor), from = wfMake3(0, 0, 0);
        const int* v = mesh.triangles[anchor.triangle].v;
        for (int k = 0; k < 3; ++k) from = wfMulAdd(from, anchor.weight[k], mesh.positions[v[k]]);
        CHECK_VEC(q, wfPose_Apply(pose, from), 1e-5);
        float best = INFINITY;
        enum { Pieces = 12 };
        for (int t = 0; t < mesh.triangleCount; ++t)
            for (int i = 0; i <= Pieces; ++i)
                for (int j = 0; i + j <= Pieces; ++j) {
                    float u = (float)i / Pieces, w = (float)j / Pieces;
                    const wfVec3 *a = &mesh.positions[mesh.triangles[t].v[0]], *b = &mesh.positions[mesh.triangles[t].v[1]],
                                 *d = &mesh.positions[mesh.triangles[t].v[2]];
                    wfVec3 x = wfAdd(wfScale(*a, 1.0f - u - w), wfAdd(wfScale(*b, u), wfScale(*d, w)));
                    best = fminf(best, wfDistance(wfPose_Apply(pose, x), p));
                }
        assert_true(wfDistance(p, q) <= best + 1e-5f);
        CHECK_NEAR(wfDistance(p, q), best, 0.004); // half of a piece
    }
    wfMesh_Free(&mesh);
}

/// A square in the plane z = 0 with its lower left corner at the origin, of two triangles; `frames` placements of it make a sequence.
typedef wfVec3 (*MoveFn)(wfVec3 x, float time);
enum { Frames = 61 }; // 1 s at 60 a second

static wfColliderId AddScreen(wfScene* scene, MoveFn move) {
    static const wfVec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const int triangles[6] = {0, 1, 2, 0, 2, 3};
    wfVec3 sequence[Frames][4];
    for (int f = 0; f < Frames; ++f)
        for (int v = 0; v < 4; ++v) sequence[f][v] = move(corners[v], (float)f / 60.0f);
    wfColliderDef def = wfDefaultColliderDef();
    def.shape = wf_shapeMesh;
    def.mesh = (wfMeshView){.positions = &corners[0].x, .vertexCount = 4, .triangles = triangles, .triangleCount = 2};
    def.sequence = &sequence[0][0].x;
    def.sequenceCount = Frames;
    return AddCollider(scene, &def);
}

static wfVec3 Swing(wfVec3 x, float t) {
    return wfAdd(wfRotate(wfQuatAxisAngle(wfMake3(1, 2, 0.5f), 1.5f * t), x), wfMake3(0.3f * t, t * t, 0));
}

static wfVec3 Stretch(wfVec3 x, float t) { return wfMake3(x.x * (1.0f + t), x.y * (1.0f - 0.5f * t), x.z + 0.2f * t); }

/// A sheet before the screen; three of its vertices are tied to it.
static wfScene* MakeScene(wfDevice* device, MoveFn move, const wfPinDef* like, wfClothId* cloth) {
    wfSceneDef def = wfDefaultSceneDef();
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 5, 0.4f, 0.4f, wfMake3(0.3f, 0.3f, 0.1f));
    for (int i = 0; i < 25; ++i) { // upright: x and y, 0.1 m in front of the screen
        float* p = grid.positions + 3 * i;
        p[1] += p[2] - 0.1f;
        p[2] = 0.1f;
    }
    wfClothDef clothDef = GridCloth(&grid, "sheet");
    *cloth = AddCloth(scene, &clothDef);
    wfPinDef pin = *like;
    pin.cloth = *cloth;
    pin.vertices = (const int[]){0, 4, 24};
    pin.vertexCount = 3;
    pin.follow = AddScreen(scene, move);
    AddPin(scene, &pin);
    Commit(scene);
    FreeGrid(&grid);
    return scene;
}

static void TestFollowsAChangingMesh(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const wfVec3 start[3] = {{0.3f, 0.3f, 0.1f}, {0.7f, 0.3f, 0.1f}, {0.7f, 0.7f, 0.1f}};
    const int vertices[3] = {0, 4, 24};
    wfPinDef pin = wfDefaultPinDef();
    wfClothId cloth;
    // Moved as a whole, whatever is tied to it keeps its place; at the start to the last digits.
    wfScene* scene = MakeScene(device, Swing, &pin, &cloth);
    for (int frame = 1; frame <= 20; ++frame) {
        StepFrames(scene, 1);
        for (int k = 0; k < 3; ++k) CHECK_VEC(ReadVertex(scene, cloth, vertices[k]), Swing(start[k], (float)frame / 60.0f), 1e-4);
    }
    wfDestroyScene(scene);
    // Drawn out, it keeps its point of the triangle and its height above it.
    scene = MakeScene(device, Stretch, &pin, &cloth);
    StepFrames(scene, 30);
    for (int k = 0; k < 3; ++k) {
        wfVec3 on = Stretch(wfMake3(start[k].x, start[k].y, 0), 0.5f);
        CHECK_VEC(ReadVertex(scene, cloth, vertices[k]), wfMake3(on.x, on.y, on.z + 0.1f), 1e-5);
    }
    StepFrames(scene, 45); // past the last frame it rests
    CHECK_VEC(ReadVertex(scene, cloth, 24), wfMake3(1.4f, 0.35f, 0.3f), 1e-5);
    wfDestroyScene(scene);
    // Drawn to the surface: half the way after half the time, then on it, with half the thickness between.
    pin.attach = wf_attachSurface;
    pin.close = 0.5f;
    scene = MakeScene(device, Stretch, &pin, &cloth);
    float half = 0.5f * wfDefaultFabric().thickness;
    for (int frame = 15; frame <= 45; frame += 15) {
        StepFrames(scene, 15);
        float open = fmaxf(1.0f - (float)frame / 30.0f, 0.0f);
        for (int k = 0; k < 3; ++k) {
            wfVec3 on = Stretch(wfMake3(start[k].x, start[k].y, 0), (float)frame / 60.0f);
            CHECK_VEC(ReadVertex(scene, cloth, vertices[k]), wfMake3(on.x, on.y, on.z + half + open * (0.1f - half)), 1e-5);
        }
    }
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestDrawnToARigidSurface(void** state) {
    (void)state;
    // Springs to a ball that moves and turns, closing in the preroll: at frame 0 the sheet's corner is on the ball already.
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    def.preroll = 0.3f;
    def.gravity = wfMake3(0, 0, 0);
    def.air_drag = 1.0f;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 5, 0.2f, 0.2f, wfMake3(0.4f, 0, -0.1f));
    wfClothDef clothDef = GridCloth(&grid, "sheet");
    wfClothId cloth = AddCloth(scene, &clothDef);
    FreeGrid(&grid);
    wfColliderDef ball = wfDefaultColliderDef(); // radius 0.25
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {1.0f, {0, 0.5f, 0}, wfQuatAxisAngle(wfMake3(0, 0, 1), 1.5707963f)}};
    ball.keys = keys;
    ball.keyCount = 2;
    ball.interpolation = wf_interpolateLinear;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = cloth;
    pin.vertices = (const int[]){10}; // the middle of the side toward the ball, at (0.4, 0, 0)
    pin.vertexCount = 1;
    pin.follow = AddCollider(scene, &ball);
    pin.attach = wf_attachSurface;
    pin.stiffness = 500.0f;
    pin.close = 0.2f;
    AddPin(scene, &pin);
    Commit(scene);
    wfError err = {0};
    CHECK_OK(wfScene_Preroll(scene, &err), err);
    float reach = 0.25f + 0.5f * wfDefaultFabric().thickness;
    CHECK_VEC(ReadVertex(scene, cloth, 10), wfMake3(reach, 0, 0), 2e-3);
    StepFrames(scene, 30);
    float c = reach * sqrtf(0.5f);
    CHECK_VEC(ReadVertex(scene, cloth, 10), wfMake3(c, 0.25f + c, 0), 5e-3); // 45 degrees on, with the ball
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNearestPoint),
        cmocka_unit_test(TestFollowsAChangingMesh),
        cmocka_unit_test(TestDrawnToARigidSurface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
