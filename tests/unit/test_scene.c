// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "weft/weft.h"

#include <stdlib.h>
#include <string.h>

// The description of a scene: what is taken, what is refused and in which words.

static wfDevice* s_device;

static int OpenDevice(void** state) {
    (void)state;
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = 1;
    s_device = wfCreateDevice(&def, NULL);
    return s_device == NULL ? 1 : 0;
}

static int CloseDevice(void** state) {
    (void)state;
    wfDestroyDevice(s_device);
    return 0;
}

static const float s_positions[] = {0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, -1};
static const int s_triangles[] = {0, 1, 2, 0, 2, 3};

static wfClothDef QuadDef(void) {
    wfClothDef def = wfDefaultClothDef();
    def.mesh = (wfMeshView){.positions = s_positions, .vertexCount = 4, .triangles = s_triangles, .triangleCount = 2};
    return def;
}

static wfScene* MakeScene(void) {
    wfSceneDef def = wfDefaultSceneDef();
    wfError err = {0};
    wfScene* scene = wfCreateScene(s_device, &def, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    return scene;
}

#define CHECK_REFUSED(id, err, message)             \
    do {                                            \
        (err) = (wfError){0};                       \
        assert_true(WF_ID_IS_NULL(id));             \
        assert_string_equal((err).text, (message)); \
        assert_int_equal((err).code, wf_badInput);  \
    } while (0)

static void TestNamesAndIds(void** state) {
    (void)state;
    wfScene* scene = MakeScene();
    wfError err = {0};
    wfClothDef cloth = QuadDef();
    wfClothId a = wfCreateCloth(scene, &cloth, &err), b = wfCreateCloth(scene, &cloth, &err);
    strcpy(cloth.name, "cloth4");
    wfClothId c = wfCreateCloth(scene, &cloth, &err);
    cloth.name[0] = 0;
    wfClothId d = wfCreateCloth(scene, &cloth, &err); // cloth4 is taken
    assert_string_equal(wfCloth_GetName(scene, a), "cloth1");
    assert_string_equal(wfCloth_GetName(scene, b), "cloth2");
    assert_string_equal(wfCloth_GetName(scene, c), "cloth4");
    assert_string_equal(wfCloth_GetName(scene, d), "cloth5");
    assert_int_equal(wfScene_GetClothCount(scene), 4);
    assert_true(WF_ID_EQUAL(wfScene_GetCloth(scene, 1), b));
    assert_true(WF_ID_IS_NULL(wfScene_GetCloth(scene, 4)));

    wfColliderDef collider = wfDefaultColliderDef();
    wfColliderId ball = wfCreateCollider(scene, &collider, &err);
    assert_string_equal(wfCollider_GetName(scene, ball), "collider1");
    assert_true(wfCollider_IsVisible(scene, ball));
    CHECK_NEAR(wfCollider_GetColor(scene, ball).y, 0.56, 1e-6);

    // Cloths and colliders become files, so they share their names.
    strcpy(collider.name, "cloth2");
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err, "collider \"cloth2\": name: another object of the scene has it already");
    strcpy(cloth.name, "cloth2");
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err, "cloth \"cloth2\": name: another object of the scene has it already");

    // An id of another scene, and null.
    wfScene* other = MakeScene();
    cloth.name[0] = 0;
    wfClothId foreign = wfCreateCloth(other, &cloth, &err);
    assert_true(wfCloth_IsValid(other, foreign));
    assert_false(wfCloth_IsValid(scene, foreign));
    assert_false(wfCloth_IsValid(scene, wf_nullCloth));
    assert_string_equal(wfCloth_GetName(scene, foreign), "");
    assert_int_equal(wfCloth_GetVertexCount(scene, foreign), 0);
    assert_null(wfCloth_GetTriangles(scene, foreign));
    float out[12];
    CHECK_FAILS(wfCloth_ReadPositions(scene, foreign, out, 12, &err), err, "cloth id 1: not a cloth of this scene");
    CHECK_FAILS(wfCollider_ReadPositions(other, ball, out, 12, &err), err, "collider id 1: not a collider of this scene");
    CHECK_FAILS(wfCloth_ReadPositions(scene, a, out, 12, &err), err, "wfCloth_ReadPositions: the scene has not been committed");
    CHECK_FAILS(wfCloth_ReadPositions(scene, a, out, 8, &err), err,
                "wfCloth_ReadPositions: strideBytes: expected a multiple of 4 from 12 on, got 8");
    wfDestroyScene(other);
    wfDestroyScene(scene);
    wfDestroyScene(NULL);
}

static void TestEverythingIsCopied(void** state) {
    (void)state;
    wfScene* scene = MakeScene();
    wfError err = {0};
    int* triangles = malloc(sizeof s_triangles);
    memcpy(triangles, s_triangles, sizeof s_triangles);
    wfClothDef def = QuadDef();
    def.mesh.triangles = triangles;
    def.color = (wfVec3){0.1f, 0.2f, 0.3f};
    wfClothId id = wfCreateCloth(scene, &def, &err);
    memset(triangles, 0x7f, sizeof s_triangles);
    free(triangles);
    assert_memory_equal(wfCloth_GetTriangles(scene, id), s_triangles, sizeof s_triangles);
    assert_int_equal(wfCloth_GetVertexCount(scene, id), 4);
    assert_int_equal(wfCloth_GetTriangleCount(scene, id), 2);
    CHECK_NEAR(wfCloth_GetColor(scene, id).z, 0.3, 1e-7);
    const int* before = wfCloth_GetTriangles(scene, id);
    const char* name = wfCloth_GetName(scene, id);
    def = QuadDef();
    for (int i = 0; i < 40; ++i) assert_false(WF_ID_IS_NULL(wfCreateCloth(scene, &def, &err)));
    assert_ptr_equal(wfCloth_GetTriangles(scene, id), before); // what was handed out stays where it is
    assert_ptr_equal(wfCloth_GetName(scene, id), name);
    wfDestroyScene(scene);
}

static void TestBadDefs(void** state) {
    (void)state;
    wfError err = {0};
    wfSceneDef sceneDef = wfDefaultSceneDef();
    CHECK_FAILS(wfCreateScene(NULL, &sceneDef, &err), err, "scene: device: expected a device, got NULL");
    sceneDef.cookie = 0;
    CHECK_FAILS(wfCreateScene(s_device, &sceneDef, &err), err, "scene: the Def did not start from wfDefaultSceneDef()");
    sceneDef = wfDefaultSceneDef();
    sceneDef.time_step = 0.0f;
    CHECK_FAILS(wfCreateScene(s_device, &sceneDef, &err), err, "scene: time_step: expected a number in [1e-06, 0.1] s, got 0");

    wfScene* scene = MakeScene();
    wfClothDef cloth = QuadDef();
    cloth.cookie = 1;
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err, "cloth: the Def did not start from its wfDefault…Def()");
    cloth = QuadDef();
    cloth.fabric.thickness = -0.001f;
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err,
                  "cloth \"cloth1\": thickness: expected a number in [1e-06, 0.1] m, got -0.00100000005");
    cloth = QuadDef();
    cloth.mesh.positions = NULL;
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err, "cloth \"cloth1\": mesh: expected positions of at least one vertex, got NULL");
    cloth = QuadDef();
    cloth.mesh.triangleCount = 0;
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err, "cloth \"cloth1\": mesh: expected at least one triangle, got none");
    cloth = QuadDef();
    strcpy(cloth.name, "a/b");
    CHECK_REFUSED(wfCreateCloth(scene, &cloth, &err), err,
                  "cloth \"a/b\": name: expected a name of 1 to 63 bytes without /, \\, control characters or a leading ., got \"a/b\"");
    memset(cloth.name, 'x', sizeof cloth.name);
    err = (wfError){0};
    assert_true(WF_ID_IS_NULL(wfCreateCloth(scene, &cloth, &err)));
    assert_non_null(strstr(err.text, "name: the name is not ended by a zero"));

    wfColliderDef collider = wfDefaultColliderDef();
    collider.shape = wf_shapeMesh;
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err,
                  "collider \"collider1\": mesh: expected positions of at least one vertex, got NULL");
    collider.mesh = QuadDef().mesh;
    collider.sequence = s_positions;
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err, "collider \"collider1\": sequenceCount: expected at least 1, got 0");
    collider.sequenceCount = 1;
    collider.sequenceRate = NAN;
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err,
                  "collider \"collider1\": sequenceRate: expected a number above 0 [1/s], got nan");
    collider.shape = wf_shapeSphere;
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err,
                  "collider \"collider1\": mesh: expected none, since the shape is not mesh");
    collider = wfDefaultColliderDef();
    collider.keyCount = 2;
    CHECK_REFUSED(wfCreateCollider(scene, &collider, &err), err,
                  "collider \"collider1\": keyCount: expected the number of keys, got 2 and no keys");
    assert_int_equal(wfScene_GetColliderCount(scene), 0);
    assert_int_equal(wfScene_GetClothCount(scene), 0);
    wfDestroyScene(scene);
}

static void TestBadPins(void** state) {
    (void)state;
    wfError err = {0};
    wfScene *scene = MakeScene(), *other = MakeScene();
    wfClothDef cloth = QuadDef();
    strcpy(cloth.name, "sheet");
    wfClothId sheet = wfCreateCloth(scene, &cloth, &err), foreign = wfCreateCloth(other, &cloth, &err);
    wfColliderDef colliderDef = wfDefaultColliderDef();
    wfColliderId ball = wfCreateCollider(scene, &colliderDef, &err);
    colliderDef.shape = wf_shapeMesh;
    colliderDef.mesh = cloth.mesh;
    colliderDef.sequence = s_positions;
    colliderDef.sequenceCount = 1;
    strcpy(colliderDef.name, "body");
    wfColliderId body = wfCreateCollider(scene, &colliderDef, &err);
    assert_false(WF_ID_IS_NULL(body));

    const int vertices[] = {0, 4};
    const wfKey key = {0, {0, 0, 0}, {0, 0, 0, 1}};
    wfPinDef pin = wfDefaultPinDef();
    pin.vertices = vertices;
    pin.vertexCount = 1;
    pin.cloth = foreign;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": cloth: expected a cloth of this scene");
    pin.cloth = sheet;
    pin.follow = (wfColliderId){7, sheet.generation};
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": follow: expected a collider of this scene");
    pin.follow = ball;
    pin.keys = &key;
    pin.keyCount = 1;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": keys: expected none, since the pin follows a collider");
    pin.keyCount = 0;
    pin.follow = wf_nullCollider;
    pin.attach = wf_attachSurface;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": attach: surface needs a collider to follow");
    pin.attach = wf_attachPlace;
    pin.follow = ball;
    pin.close = 1.0f;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": close: only with attach surface");
    pin.close = 0.0f;
    pin.follow = wf_nullCollider;
    pin.vertexCount = 2;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err,
                  "pin \"pin1\": vertices[1]: expected 0 to 3, the vertices of cloth \"sheet\", got 4");
    pin.vertexCount = 0;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": vertices: expected at least one, got none");
    pin.vertexCount = 1;
    pin.center.y = NAN;
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": center: expected 3 finite numbers, got [0, nan, 0]");
    pin.center.y = 0.0f;
    assert_false(WF_ID_IS_NULL(wfCreatePin(scene, &pin, &err)));
    strcpy(pin.name, "pin1");
    CHECK_REFUSED(wfCreatePin(scene, &pin, &err), err, "pin \"pin1\": name: another object of the scene has it already");
    wfDestroyScene(other);
    wfDestroyScene(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNamesAndIds),
        cmocka_unit_test(TestEverythingIsCopied),
        cmocka_unit_test(TestBadDefs),
        cmocka_unit_test(TestBadPins),
    };
    return cmocka_run_group_tests(tests, OpenDevice, CloseDevice);
}
