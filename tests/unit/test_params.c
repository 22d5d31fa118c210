// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "scene/fabrics.h"
#include "scene/params.h"
#include "weft/weft.h"

#include <string.h>

static const wfParam* Row(const wfParamTable* table, const char* name) {
    const wfParam* row = wfParamTable_Find(table, name);
    if (row == NULL) fail_msg("no row %s", name);
    return row;
}

// Every default lies in its own range, and every table's defaults pass its own check.
static void TestDefaults(void** state) {
    (void)state;
    int count = 0;
    for (const wfParamTable* const* t = wfParamTables; *t != NULL; ++t, ++count) {
        union {
            wfSceneDef scene;
            wfFabric fabric;
            wfClothDef cloth;
            wfColliderDef collider;
            wfPinDef pin;
            wfSeamDef seam;
            wfFrictionDef friction;
            wfGenerateDef generate;
        } def;
        memset(&def, 0xEE, sizeof def);
        wfParamTable_SetDefaults(*t, &def);
        wfError err = {0};
        CHECK_OK(wfParamTable_Check(*t, &def, (*t)->section, &err), err);
        for (int i = 0; i < (*t)->count; ++i) {
            assert_ptr_equal(wfParamTable_Find(*t, (*t)->rows[i].name), &(*t)->rows[i]);
            assert_true((*t)->rows[i].meaning[0] != 0);
        }
    }
    assert_int_equal(count, 8);
    assert_null(wfParamTable_Find(&wfSceneParams, "thickness"));

    wfSceneDef scene;
    wfParamTable_SetDefaults(&wfSceneParams, &scene);
    assert_int_equal(scene.frames, 120);
    assert_true(scene.gravity.y == -9.81f && scene.time_step == 0.005f);
    assert_int_equal(scene.up, wf_upY);
    assert_string_equal(scene.stepper, "auto");
    wfColliderDef collider;
    wfParamTable_SetDefaults(&wfColliderParams, &collider);
    assert_true(collider.visible);
    assert_int_equal(collider.shape, wf_shapeSphere);
    assert_int_equal(collider.interpolation, wf_interpolateSmooth);
}

static void TestNumbers(void** state) {
    (void)state;
    wfFabric fabric = wfDefaultFabric();
    wfSceneDef scene;
    wfParamTable_SetDefaults(&wfSceneParams, &scene);
    wfError err = {0};
    const wfParam* thickness = Row(&wfFabricParams, "thickness");
    // The ends belong to the range, although 1e-6 is less than 1e-6f.
    CHECK_OK(wfParam_SetNumbers(thickness, &fabric, (double[]){1e-6}, 1, "x", &err), err);
    assert_true(fabric.thickness == 1e-6f);
    CHECK_OK(wfParam_SetNumbers(thickness, &fabric, (double[]){0.1}, 1, "x", &err), err);
    CHECK_FAILS(wfParam_SetNumbers(thickness, &fabric, (double[]){-0.001}, 1, "drape.yaml:14: cloths[0].thickness", &err), err,
                "drape.yaml:14: cloths[0].thickness: expected a number in [1e-06, 0.1] m, got -0.001");
    assert_true(fabric.thickness == 0.1f);
    CHECK_FAILS(wfParam_SetNumbers(thickness, &fabric, (double[]){NAN}, 1, "x", &err), err,
                "x: expected a number in [1e-06, 0.1] m, got nan");
    CHECK_FAILS(wfParam_SetNumbers(thickness, &fabric, (double[]){1e300}, 1, "x", &err), err,
                "x: expected a number in [1e-06, 0.1] m, got 1e+300");
    CHECK_FAILS(wfParam_SetNumbers(thickness, &fabric, (double[]){1, 2}, 2, "x", &err), err,
                "x: expected a number in [1e-06, 0.1] m, got [1, 2]");
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfFabricParams, "friction"), &fabric, (double[]){11}, 1, "x", &err), err,
                "x: expected a number in [0, 10], got 11");

    const wfParam* frames = Row(&wfSceneParams, "frames");
    CHECK_OK(wfParam_SetNumbers(frames, &scene, (double[]){10000000}, 1, "x", &err), err);
    assert_int_equal(scene.frames, 10000000);
    CHECK_FAILS(wfParam_SetNumbers(frames, &scene, (double[]){1.5}, 1, "x", &err), err,
                "x: expected a whole number in [1, 10000000], got 1.5");
    CHECK_FAILS(wfParam_SetNumbers(frames, &scene, (double[]){1e12}, 1, "x", &err), err,
                "x: expected a whole number in [1, 10000000], got 1e+12");
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfSceneParams, "wind"), &scene, (double[]){0, 0}, 2, "x", &err), err,
                "x: expected 3 numbers in [-200, 200] m/s, got [0, 0]");
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfSceneParams, "wind"), &scene, (double[]){0, 500, 0}, 3, "x", &err), err,
                "x: expected 3 numbers in [-200, 200] m/s, got [0, 500, 0]");
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfSceneParams, "up"), &scene, (double[]){2}, 1, "x", &err), err, "x: expected one of y, z, got 2");
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfSceneParams, "stepper"), &scene, (double[]){2}, 1, "x", &err), err,
                "x: expected a name of 1 to 63 bytes without /, \\, control characters or a leading ., got 2");
    wfColliderDef collider;
    wfParamTable_SetDefaults(&wfColliderParams, &collider);
    CHECK_OK(wfParam_SetNumbers(Row(&wfColliderParams, "visible"), &collider, (double[]){0}, 1, "x", &err), err);
    assert_false(collider.visible);
    CHECK_FAILS(wfParam_SetNumbers(Row(&wfColliderParams, "visible"), &collider, (double[]){2}, 1, "x", &err), err,
                "x: expected true or false, got 2");
}

static void TestText(void** state) {
    (void)state;
    wfColliderDef def;
    wfParamTable_SetDefaults(&wfColliderParams, &def);
    wfError err = {0};
    CHECK_OK(wfParam_SetText(Row(&wfColliderParams, "shape"), &def, "capsule", "x", &err), err);
    assert_int_equal(def.shape, wf_shapeCapsule);
    CHECK_FAILS(wfParam_SetText(Row(&wfColliderParams, "shape"), &def, "shpere", "a.yaml:3: colliders[1].shape", &err), err,
                "a.yaml:3: colliders[1].shape: unknown name \"shpere\"; did you mean \"sphere\"? known: plane, sphere, box, capsule, mesh");
    CHECK_FAILS(wfParam_SetText(Row(&wfColliderParams, "shape"), &def, "teapot", "x", &err), err,
                "x: unknown name \"teapot\"; known: plane, sphere, box, capsule, mesh");
    CHECK_OK(wfParam_SetText(Row(&wfColliderParams, "name"), &def, "left foot", "x", &err), err);
    assert_string_equal(def.name, "left foot");
    const char* bad[] = {"../x", ".x", "a/b", "a\\b", "a\nb", "0123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        err = (wfError){0};
        assert_false(wfParam_SetText(Row(&wfColliderParams, "name"), &def, bad[i], "x", &err));
        assert_null(strchr(err.text, '\n'));
        assert_string_equal(def.name, "left foot");
    }
    CHECK_OK(wfParam_SetText(Row(&wfColliderParams, "color"), &def, "#ff8000", "x", &err), err);
    CHECK_NEAR(def.color.x, 1.0, 0.0);
    CHECK_NEAR(def.color.y, 0.21586, 1e-5); // sRGB 128 in linear light
    CHECK_NEAR(def.color.z, 0.0, 0.0);
    CHECK_FAILS(wfParam_SetText(Row(&wfColliderParams, "color"), &def, "#ff80", "x", &err), err,
                "x: expected 3 numbers in [0, 1] or \"#rrggbb\", got \"#ff80\"");
    CHECK_FAILS(wfParam_SetText(Row(&wfColliderParams, "radius"), &def, "big\x01", "x", &err), err,
                "x: expected a number in [0.0001, 1000] m, got \"big\\x01\"");
}

static void TestCheck(void** state) {
    (void)state;
    wfError err = {0};
    wfFabric fabric = wfDefaultFabric();
    fabric.thickness = -1.0f;
    CHECK_FAILS(wfParamTable_Check(&wfFabricParams, &fabric, "cloth \"a\"", &err), err,
                "cloth \"a\": thickness: expected a number in [1e-06, 0.1] m, got -1");
    wfColliderDef def;
    wfParamTable_SetDefaults(&wfColliderParams, &def);
    def.shape = (wfShapeKind)77;
    CHECK_FAILS(wfParamTable_Check(&wfColliderParams, &def, "c", &err), err,
                "c: shape: expected one of plane, sphere, box, capsule, mesh, got 77");
    wfParamTable_SetDefaults(&wfColliderParams, &def);
    memset(def.name, 'x', sizeof def.name);
    CHECK_FAILS(wfParamTable_Check(&wfColliderParams, &def, "c", &err), err, "c: name: the name is not ended by a zero");
}

static void TestNearest(void** state) {
    (void)state;
    const char* names[] = {"thickness", "friction", "frames", "frame_rate", "n", "up"};
    const int count = sizeof names / sizeof names[0];
    assert_string_equal(wfNearestName("thicknes", names, count), "thickness");
    assert_string_equal(wfNearestName("Thickness", names, count), "thickness");
    assert_string_equal(wfNearestName("frcition", names, count), "friction");
    assert_string_equal(wfNearestName("framerate", names, count), "frame_rate");
    assert_string_equal(wfNearestName("thick", names, count), "thickness");
    assert_null(wfNearestName("gravity", names, count));
    assert_null(wfNearestName("m", names, count));
    assert_null(wfNearestName("", names, count));
    assert_null(wfNearestName("a very long name that nobody would ever have written down here", names, count));
}

static void TestQuote(void** state) {
    (void)state;
    char text[24];
    assert_string_equal(wfQuote(text, sizeof text, "a\tb"), "\"a\\x09b\"");
    assert_string_equal(wfQuote(text, sizeof text, "abcdefghijklmnopqrstuvwxyz"), "\"abcdefghijklmno...\"");
    wfQuote(text, sizeof text, "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4");
    assert_string_equal(text, "\"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4...\"");
}

static void TestFabrics(void** state) {
    (void)state;
    wfError err = {0};
    int count = 0;
    for (const wfFabricPreset* p = wfFabricPresets; p->name != NULL; ++p, ++count) {
        CHECK_OK(wfParamTable_Check(&wfFabricParams, &p->fabric, p->name, &err), err);
        assert_true(strlen(p->source) > 20);
        wfFabric found;
        CHECK_OK(wfFindFabric(p->name, &found, &err), err);
        assert_memory_equal(&found, &p->fabric, sizeof found);
    }
    assert_true(count >= 10);
    wfFabric out;
    CHECK_FAILS(wfFindFabric("demin", &out, &err), err,
                "unknown fabric \"demin\"; did you mean \"denim\"? known: cotton, denim, jersey, rib-knit, polyester, blanket, sweatshirt, "
                "ponte, silk, satin, wool, leather, paper, foil");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDefaults), cmocka_unit_test(TestNumbers), cmocka_unit_test(TestText),    cmocka_unit_test(TestCheck),
        cmocka_unit_test(TestNearest),  cmocka_unit_test(TestQuote),   cmocka_unit_test(TestFabrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
