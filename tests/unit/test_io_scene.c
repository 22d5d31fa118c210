// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "base/file.h"
#include "io/expression.h"
#include "io/mesh_file.h"
#include "io/scene_file.h"
#include "scene/scene.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static wfScene* Parse(const char* text, const char* setting, wfError* err) {
    *err = (wfError){0};
    return wfParseScene(s_device, text, strlen(text), "x.yaml", &setting, setting != NULL, &wfMeshesFromFiles, NULL, err);
}

static wfScene* MustParse(const char* text, const char* setting) {
    wfError err;
    wfScene* scene = Parse(text, setting, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    return scene;
}

#define CHECK_REFUSED(input, setting, message)     \
    do {                                           \
        wfError err_;                              \
        assert_null(Parse(input, setting, &err_)); \
        assert_string_equal(err_.text, message);   \
        assert_int_equal(err_.code, wf_badInput);  \
    } while (0)

#define CHECK_VEC(v, a, b, c)         \
    do {                              \
        CHECK_NEAR((v).x, (a), 1e-6); \
        CHECK_NEAR((v).y, (b), 1e-6); \
        CHECK_NEAR((v).z, (c), 1e-6); \
    } while (0)

// ---- bad files ----------------------------------------------------------------------------------------------------------------

// Each bad/x.yaml fails with exactly the line in bad/x.err, and prints nothing by itself.
static void TestBadFiles(void** state) {
    (void)state;
    assert_int_equal(chdir(WF_TEST_DATA "/scenes/bad"), 0);
    DIR* dir = opendir(".");
    assert_non_null(dir);
    int count = 0;
    FILE* captured = tmpfile();
    assert_non_null(captured);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(captured), STDERR_FILENO);
    char failure[1600] = "";
    for (const struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".yaml") != 0) continue;
        char path[300];
        snprintf(path, sizeof path, "%.*s.err", (int)(dot - entry->d_name), entry->d_name);
        wfError err = {0}, readError = {0};
        size_t size = 0;
        char* expected = wfReadFile(path, &size, &readError);
        wfScene* scene = wfLoadScene(s_device, entry->d_name, NULL, 0, NULL, &err);
        if (expected != NULL) expected[strcspn(expected, "\n")] = 0;
        if (expected == NULL || scene != NULL || strcmp(expected, err.text) != 0) {
            size_t used = strlen(failure);
            snprintf(failure + used, sizeof failure - used, "\n%.60s: got      %s\n%.60s: expected %s", entry->d_name, err.text,
                     entry->d_name, expected != NULL ? expected : readError.text);
        }
        wfDestroyScene(scene);
        free(expected);
        ++count;
    }
    closedir(dir);
    fflush(stderr);
    long printed = lseek(STDERR_FILENO, 0, SEEK_CUR);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fclose(captured);
    if (failure[0] != 0) fail_msg("%s", failure);
    assert_int_equal(printed, 0);
    assert_true(count >= 50);
}

static void TestMissingFile(void** state) {
    (void)state;
    wfError err = {0};
    assert_null(wfLoadScene(s_device, "nobody.yaml", NULL, 0, NULL, &err));
    assert_string_equal(err.text, "nobody.yaml: No such file or directory");
    assert_int_equal(err.code, wf_fileFailed);
    assert_null(wfLoadScene(s_device, "nobody.yaml", NULL, 0, NULL, NULL));
}

// ---- good files ---------------------------------------------------------------------------------------------------------------

static void CheckSheet(const wfCloth* sheet) {
    assert_string_equal(sheet->def.name, "sheet");
    assert_int_equal(sheet->def.mesh.vertexCount, 15);
    CHECK_NEAR(sheet->def.fabric.bending, 1e-6, 1e-12);   // soft
    CHECK_NEAR(sheet->def.fabric.density, 0.1, 1e-7);     // softer
    CHECK_NEAR(sheet->def.fabric.stretch, 170, 1e-4);     // jersey
    CHECK_NEAR(sheet->def.fabric.thickness, 0.001, 1e-9); // its own
    CHECK_VEC(sheet->def.color, 1, 1, 1);
    CHECK_VEC(sheet->def.velocity, 0, -1, 0);
    // 0.5 x 1, scaled to 1 x 2, turned by 90 degrees about y: x' = z, z' = -x.
    wfVec3 lo, hi;
    wfMesh_Bounds(sheet->positions, 15, &lo, &hi);
    CHECK_VEC(lo, -1, 1, -0.5);
    CHECK_VEC(hi, 1, 1, 0.5);
    // The pattern has grown with it: its area is 1 x 2.
    double area = 0;
    for (int i = 0; i < sheet->def.mesh.triangleCount; ++i) {
        const wfVec2* c = sheet->flat[i].corner;
        area += 0.5 * ((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y));
    }
    CHECK_NEAR(fabs(area), 2.0, 1e-5);
}

static void CheckPins(wfScene* scene) {
    // Three of the sheet, one in each of the three copies, one that is tied to a surface.
    assert_int_equal(scene->pinCount, 7);
    const wfPin *hooks = scene->pins[0], *front = scene->pins[1], *moved = scene->pins[2];
    assert_string_equal(hooks->def.name, "hooks");
    assert_int_equal(hooks->def.vertexCount, 2);
    const wfVec3* x = scene->cloths[0]->positions;
    // left-back is (-x, -z) before the transform: x' = -1, z' = 0.5 behind it; right-back z' = -0.5.
    for (int i = 0; i < 2; ++i) {
        CHECK_NEAR(x[hooks->vertices[i]].x, -1, 1e-6);
        CHECK_NEAR(fabsf(x[hooks->vertices[i]].z), 0.5, 1e-6);
    }
    assert_int_equal(front->def.vertexCount, 5);
    for (int i = 0; i < 5; ++i) CHECK_NEAR(x[front->vertices[i]].x, 1, 1e-6);
    CHECK_NEAR(front->def.stiffness, 100, 0);
    CHECK_NEAR(front->def.release, 2, 0);
    assert_int_equal(moved->vertices[0], 0);
    assert_int_equal(moved->vertices[1], 4);
    // Two turns in eight pieces: a quarter of a turn, a metre and an eighth of a second each.
    assert_int_equal(moved->def.keyCount, 9);
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(moved->keys[i].time, i / 8.0, 1e-6);
        CHECK_VEC(moved->keys[i].translate, 0, i, 0);
        wfVec3 y = wfRotate(moved->keys[i].rotate, wfMake3(0, 1, 0));
        CHECK_VEC(y, 0, cos(i * 1.5707963267948966), sin(i * 1.5707963267948966));
    }
    // The box holds half of the sheet (z' <= 0: three of five rows of three); the same vertices and the center moved in each copy.
    for (int i = 0; i < 3; ++i) {
        const wfPin* pin = scene->pins[3 + i];
        assert_int_equal(pin->def.vertexCount, 9);
        assert_int_equal(pin->def.cloth.index1, 2 + i);
        assert_memory_equal(pin->vertices, scene->pins[3]->vertices, 9 * sizeof(int));
        assert_string_equal(wfCollider_GetName(scene, pin->def.follow), "ball");
        CHECK_VEC(pin->def.center, 0, 1 + 0.1 * i, -0.25);
    }
}

static void CheckSeams(wfScene* scene) {
    // Two of loose edges, one in each copy, then those of the file.
    assert_int_equal(scene->seamCount, 4);
    for (int i = 0; i < 2; ++i) {
        const wfSeam* lace = scene->seams[i];
        assert_string_equal(lace->def.name, i == 0 ? "lace1" : "lace2");
        CHECK_NEAR(lace->def.stiffness, 70, 0);
        CHECK_NEAR(lace->def.close, 0.5, 0);
        assert_int_equal(lace->tieCount, 2);
        assert_int_equal(lace->ties[0].vertex, 2);
        assert_int_equal(lace->ties[0].at[0], 4);
        assert_string_equal(wfCloth_GetName(scene, lace->def.b.cloth), i == 0 ? "sewn1" : "sewn2");
    }
    const wfSeam *hem = scene->seams[2], *pair = scene->seams[3];
    assert_string_equal(hem->def.name, "hem");
    CHECK_NEAR(hem->def.stiffness, 10, 0);
    CHECK_NEAR(hem->def.start, 0.1, 1e-7);
    CHECK_NEAR(hem->def.close, 0.25, 0);
    assert_string_equal(wfCloth_GetName(scene, hem->def.b.cloth), "other2");
    // Three rows of five vertices: the first of each, the other way round on the other side.
    assert_int_equal(hem->tieCount, 3);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(hem->ties[k].vertex, 5 * k);
        assert_int_equal(hem->ties[k].at[0], 5 * (2 - k));
    }
    assert_string_equal(pair->def.name, "seam4");
    assert_int_equal(pair->tieCount, 2);
    assert_int_equal(pair->ties[0].at[0], 5);
    const wfPin* tied = scene->pins[6];
    assert_int_equal(tied->def.attach, wf_attachSurface);
    CHECK_NEAR(tied->def.close, 0.2, 1e-7);
    assert_string_equal(wfCollider_GetName(scene, tied->def.follow), "body");
}

// Cloths 2 to 4 are copies: the name of the original is all of them, their own names are one each, and the last word holds.
static void CheckFriction(wfScene* scene) {
    assert_int_equal(scene->frictionCount, 3 + 1 + 9);
    for (int i = 0; i < 3; ++i) {
        const wfFrictionDef* def = &scene->frictions[i];
        assert_string_equal(wfCollider_GetName(scene, def->b.collider), "ball");
        CHECK_NEAR(def->friction, 0.7, 1e-7);
        CHECK_NEAR(def->static_friction, 0.9, 1e-7);
    }
    const wfFrictionDef* one = &scene->frictions[3];
    assert_string_equal(wfCollider_GetName(scene, one->a.collider), "ball");
    assert_string_equal(wfCloth_GetName(scene, one->b.cloth), "other2");
    CHECK_NEAR(one->friction, 0.5, 1e-7);
    CHECK_NEAR(one->static_friction, 0, 0);
    int seen = 0;
    for (int p = 0; p < 9; ++p) {
        const wfFrictionDef* def = &scene->frictions[4 + p];
        CHECK_NEAR(def->friction, 0.2, 1e-7);
        seen |= 1 << (3 * (def->a.cloth.index1 - 2) + def->b.cloth.index1 - 2);
    }
    assert_int_equal(seen, 0x1FF);
    CHECK_NEAR(scene->colliders[1]->def.static_friction, 0.25, 0);
}

static void CheckColliders(wfScene* scene) {
    assert_int_equal(scene->colliderCount, 7);
    const wfCollider *ball = scene->colliders[0], *block = scene->colliders[1], *mesh = scene->colliders[2], *body = scene->colliders[4];
    assert_int_equal(ball->def.shape, wf_shapeSphere);
    assert_int_equal(ball->def.keyCount, 2);
    CHECK_VEC(ball->keys[0].translate, 1, 1, 0);
    CHECK_VEC(ball->keys[1].translate, 0, 1, 0);
    // transform turns x to y, which the first key leaves; the second turns about y, so x still goes to y and z goes to x.
    CHECK_VEC(wfRotate(ball->keys[0].rotate, wfMake3(1, 0, 0)), 0, 1, 0);
    CHECK_VEC(wfRotate(ball->keys[1].rotate, wfMake3(1, 0, 0)), 0, 1, 0);
    CHECK_VEC(wfRotate(ball->keys[1].rotate, wfMake3(0, 0, 1)), 1, 0, 0);
    assert_int_equal(block->def.shape, wf_shapeBox);
    assert_false(block->def.visible);
    CHECK_VEC(block->def.size, 1, 2, 3);
    assert_int_equal(mesh->def.shape, wf_shapeMesh);
    CHECK_VEC(mesh->positions[2], 2, 4, 0);
    CHECK_VEC(mesh->keys[0].translate, 5, 0, 0);
    assert_true(scene->colliders[3]->vertexCount > 20);
    assert_int_equal(body->def.sequenceCount, 2);
    CHECK_NEAR(body->def.sequenceRate, 24, 0); // the scene's frame rate
    CHECK_VEC(body->sequence[1], 1, 1, 0);
    CHECK_VEC(body->sequence[3 + 1], 1, 2, 0);
    assert_int_equal(scene->colliders[5]->def.sequenceCount, 2);
    CHECK_NEAR(scene->colliders[5]->def.sequenceRate, 10, 0);
    CHECK_VEC(scene->colliders[5]->sequence[3 + 1], 2, 2, 0);
    const wfCollider* walker = scene->colliders[6];
    assert_int_equal(walker->def.sequenceCount, 4);
    CHECK_NEAR(walker->def.sequenceRate, 4, 0);
    wfGenerateDef def = wfDefaultGenerateDef();
    wfMesh figure = {0};
    wfError err = {0};
    def.shape = wf_makeFigure;
    def.size.y = 0.2f;
    def.edge = 0.01f;
    CHECK_OK(wfGenerate(&figure, &def, &err), err);
    assert_int_equal(figure.vertexCount, walker->vertexCount);
    wfVec3* posed = malloc((size_t)figure.vertexCount * sizeof *posed);
    const wfFigurePose poses[] = {{0}, {.stride = 1.0f}, {.stride = -0.5f}, wfWalkingPose(0.3f, 0.8f, -25.0f)};
    for (int k = 0; k < 4; ++k) {
        wfPoseFigure(&figure, 0.2f, poses[k], posed);
        for (int v = 0; v < figure.vertexCount; ++v) {
            CHECK_NEAR(wfDistance(walker->sequence[k * figure.vertexCount + v], wfScale(posed[v], 2.0f)), 0.0, 1e-6);
        }
    }
    free(posed);
    wfMesh_Free(&figure);
}

static void TestEverything(void** state) {
    (void)state;
    wfSceneFile info;
    wfError err = {0};
    wfScene* scene = wfLoadScene(s_device, WF_TEST_DATA "/scenes/good/all.yaml", NULL, 0, &info, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    assert_string_equal(info.title, "Everything");
    assert_true(info.camera.given);
    CHECK_VEC(info.camera.eye, 1, 2, 3);
    CHECK_VEC(info.camera.target, 0, 0.25, 0);
    CHECK_NEAR(info.camera.fov, 35, 0);
    CHECK_NEAR(scene->def.frame_rate, 24, 0);
    assert_int_equal(scene->def.frames, 12);
    CHECK_NEAR(scene->def.time_step, 0.01, 1e-9);
    CHECK_NEAR(scene->def.preroll, 0.5, 0);
    CHECK_VEC(scene->def.wind, 5, -5, 0.1);
    assert_int_equal(scene->clothCount, 9);
    CheckSheet(scene->cloths[0]);
    for (int i = 0; i < 3; ++i) {
        const wfCloth* copy = scene->cloths[1 + i];
        char name[32];
        snprintf(name, sizeof name, "other%d", i + 1);
        assert_string_equal(copy->def.name, name);
        CHECK_NEAR(copy->positions[0].y, 1 + 0.1 * i, 1e-6);
        CHECK_NEAR(copy->def.fabric.density, 0.324, 1e-7);
        CHECK_NEAR(copy->def.fabric.friction, 0.5, 1e-7);
        CHECK_NEAR(copy->def.fabric.static_friction, 0.6, 1e-7);
        CHECK_NEAR(copy->def.fabric.thickness, 0.002, 1e-9);
        assert_int_equal(copy->def.layer, 2 + 5 * i);
    }
    const wfCloth *pattern = scene->cloths[4], *plain = scene->cloths[5];
    assert_non_null(pattern->flat);
    CHECK_NEAR(pattern->flat[0].corner[1].x, 2, 1e-6); // 0.5 times 4
    CHECK_VEC(pattern->positions[2], 2, 2, 3);
    assert_null(plain->flat);
    CHECK_NEAR(plain->def.fabric.stretch, 1000, 0);
    CheckPins(scene);
    CheckSeams(scene);
    CheckFriction(scene);
    CheckColliders(scene);
    wfDestroyScene(scene);
}

static void TestSmallFiles(void** state) {
    (void)state;
    wfError err = {0};
    wfScene* scene = wfLoadScene(s_device, WF_TEST_DATA "/scenes/good/empty.yaml", NULL, 0, NULL, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    assert_int_equal(scene->def.frames, 120);
    wfDestroyScene(scene);
    scene = wfLoadScene(s_device, WF_TEST_DATA "/scenes/good/scene.json", NULL, 0, NULL, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    assert_int_equal(scene->cloths[0]->def.mesh.vertexCount, 16);
    assert_int_equal(scene->colliders[0]->def.shape, wf_shapePlane);
    wfDestroyScene(scene);
}

// Every built-in scene loads, coarse, and says what it is.
// Scenes with garments, and how wide the wearer (or the tie) is: n is the number of edges across. Most garments take long to make: a small
// sheet stands for them here, and what counts is the edge that the scene asks for; test_garments makes them with the edges asked for.
static const struct {
    const char* file;
    double width;
    int n;
    bool made;
} s_garments[] = {{"dress.yaml", 0.525, 16, true},  {"dress-hang.yaml", 0.525, 16, true},     {"gown.yaml", 0.525, 16, false},
                  {"shirt.yaml", 0.525, 16, false}, {"layered-dress.yaml", 0.525, 16, false}, {"skirt.yaml", 0.525, 16, true},
                  {"tie.yaml", 0.1155, 10, true}};

static double s_garmentEdge; // of the last garment that a sheet stands for; 0: none does
static struct {
    wfGenerateDef def;
    wfMesh mesh;
} s_made[wf_generatorCount]; // the last one: many scenes have the same figure, two the same dress, a cow is the same at any n

static bool GenerateFast(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    if (def->shape == wf_makeFigure || def->shape == wf_makeDress || def->shape == wf_makeCow) {
        wfMesh* made = &s_made[def->shape].mesh;
        if (memcmp(def, &s_made[def->shape].def, sizeof *def) != 0) {
            wfMesh_Free(made);
            s_made[def->shape].def = *def;
            WF_TRY(wfGenerate(made, def, err));
        }
        return wfMesh_Copy(out, made, err);
    }
    if (def->shape != wf_makeGown && def->shape != wf_makeShirt && def->shape != wf_makeLayeredDress) return wfGenerate(out, def, err);
    s_garmentEdge = (double)def->edge;
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.n = sheet.m = 4;
    WF_TRY(wfGenerate(out, &sheet, err));
    out->stitchCount = 1;
    out->stitches = wfArena_Alloc(&out->arena, 1, sizeof *out->stitches, "stitches", err);
    if (out->stitches == NULL) return false;
    out->stitches[0][1] = 3; // two corners
    return true;
}

static double MeanFlatEdge(const wfMeshView* mesh) {
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            const float *a = mesh->flat + 6 * t + 2 * k, *b = mesh->flat + 6 * t + 2 * ((k + 1) % 3);
            sum += hypot((double)a[0] - b[0], (double)a[1] - b[1]);
        }
    return sum / (3.0 * mesh->triangleCount);
}

static int LoadBuiltIn(const char* file, int n, double* meanEdge) {
    char path[1024], setting[32];
    snprintf(path, sizeof path, "%s/../../scenes/%s", WF_TEST_DATA, file);
    snprintf(setting, sizeof setting, "n=%d", n);
    const char* settings[] = {setting, "frames=3"};
    wfSceneFile info;
    wfError err = {0};
    size_t size = 0;
    char* bytes = wfReadFile(path, &size, &err);
    const wfMeshSource fast = {wfReadMesh, GenerateFast};
    wfScene* scene = bytes == NULL ? NULL : wfParseScene(s_device, bytes, size, path, settings, 2, &fast, &info, &err);
    free(bytes);
    if (scene == NULL) fail_msg("%s", err.text);
    assert_true(info.title[0] != 0 && info.camera.given);
    assert_true(scene->clothCount > 0);
    assert_int_equal(scene->def.frames, 3);
    int vertexCount = scene->cloths[0]->def.mesh.vertexCount;
    if (meanEdge != NULL) *meanEdge = MeanFlatEdge(&scene->cloths[0]->def.mesh);
    wfDestroyScene(scene);
    return vertexCount;
}

static void TestBuiltIn(void** state) {
    (void)state;
    enum { GarmentCount = sizeof s_garments / sizeof s_garments[0] };
    DIR* dir = opendir(WF_TEST_DATA "/../../scenes");
    assert_non_null(dir);
    int count = 0, garments = 0;
    for (const struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".yaml") != 0) continue;
        int k = 0;
        while (k < GarmentCount && strcmp(entry->d_name, s_garments[k].file) != 0) ++k;
        if (k < GarmentCount) {
            double edge = 0.0;
            s_garmentEdge = 0.0;
            LoadBuiltIn(entry->d_name, s_garments[k].n, &edge);
            assert_true(s_garments[k].made == (s_garmentEdge == 0.0));
            if (!s_garments[k].made) edge = s_garmentEdge;
            if (fabs(edge * s_garments[k].n / s_garments[k].width - 1.0) > 0.08) {
                fail_msg("%s: edges of %g m, expected %g", entry->d_name, edge, s_garments[k].width / s_garments[k].n);
            }
            ++garments;
        } else {
            assert_true(LoadBuiltIn(entry->d_name, 24, NULL) >= 2 * LoadBuiltIn(entry->d_name, 12, NULL)); // n is the resolution
        }
        ++count;
    }
    closedir(dir);
    for (int shape = 0; shape < wf_generatorCount; ++shape) wfMesh_Free(&s_made[shape].mesh);
    assert_int_equal(garments, GarmentCount);
    assert_true(count >= 8);
}

// ---- overrides ----------------------------------------------------------------------------------------------------------------

static const char s_text[] = "parameters: {n: 4}\n"
                             "cloths:\n"
                             "  - &a {name: sheet, generate: {n: $n}, fabric: denim}\n"
                             "  - {<<: *a, name: other}\n"
                             "colliders: [{name: ball}]\n";

static void TestOverrides(void** state) {
    (void)state;
    wfScene* scene = MustParse(s_text, NULL);
    assert_int_equal(scene->cloths[0]->def.mesh.vertexCount, 16);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "n=2*3");
    assert_int_equal(scene->cloths[0]->def.mesh.vertexCount, 36);
    assert_int_equal(scene->cloths[1]->def.mesh.vertexCount, 36);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "time_step=0.002");
    CHECK_NEAR(scene->def.time_step, 0.002, 1e-9);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "wind=[1, 2, $n]");
    CHECK_VEC(scene->def.wind, 1, 2, 4);
    wfDestroyScene(scene);
    // A path through an alias changes one place only.
    scene = MustParse(s_text, "cloths.1.generate.n=3");
    assert_int_equal(scene->cloths[0]->def.mesh.vertexCount, 16);
    assert_int_equal(scene->cloths[1]->def.mesh.vertexCount, 9);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "cloths.sheet.fabric.stretch=2000");
    CHECK_NEAR(scene->cloths[0]->def.fabric.stretch, 2000, 0);
    CHECK_NEAR(scene->cloths[0]->def.fabric.density, 0.324, 1e-7);
    CHECK_NEAR(scene->cloths[1]->def.fabric.stretch, 636, 0);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "cloths.other.color=#000000");
    CHECK_VEC(scene->cloths[1]->def.color, 0, 0, 0);
    wfDestroyScene(scene);
    scene = MustParse(s_text, "colliders.ball.transform.translate=[0, 2, 0]");
    CHECK_VEC(scene->colliders[0]->keys[0].translate, 0, 2, 0);
    wfDestroyScene(scene);
}

static void TestBadOverrides(void** state) {
    (void)state;
    CHECK_REFUSED(s_text, "n=abc", "--set n=abc: expected a number, got \"abc\"");
    CHECK_REFUSED(s_text, "n", "--set n: expected key=value");
    CHECK_REFUSED(s_text, "=3", "--set =3: expected key=value");
    CHECK_REFUSED(s_text, "n=", "--set n=: expected a value behind =");
    CHECK_REFUSED(s_text, "n=[1", "--set n=[1: flow sequence without a closing bracket");
    CHECK_REFUSED(s_text, "..=1", "--set ..=1: expected a key such as n, time_step or cloths.0.thickness");
    CHECK_REFUSED(s_text, "frame=3", "--set frame=3: unknown key \"frame\"; did you mean \"frames\"?");
    CHECK_REFUSED(s_text, "frames=0", "--set frames=0: expected a whole number in [1, 10000000], got 0");
    CHECK_REFUSED(s_text, "nn=3", "--set nn=3: unknown key \"nn\"; did you mean \"n\"?");
    CHECK_REFUSED(s_text, "cloths.0.thicknes=1", "--set cloths.0.thicknes=1: unknown key \"thicknes\"; did you mean \"thickness\"?");
    CHECK_REFUSED(s_text, "cloths.0.thickness=1", "--set cloths.0.thickness=1: expected a number in [1e-06, 0.1] m, got 1");
    CHECK_REFUSED(s_text, "cloths.2.thickness=1", "--set cloths.2.thickness=1: cloths has 2 items, counted from 0");
    CHECK_REFUSED(s_text, "cloths.shet.thickness=1",
                  "--set cloths.shet.thickness=1: cloths: no item is named \"shet\"; use its number or one of: sheet other");
    CHECK_REFUSED(s_text, "cloths.0.name.x=1", "--set cloths.0.name.x=1: name is no map, so it has no \"x\"");
    CHECK_REFUSED(s_text, "n=1\n2", "--set n=1\\x0a2: expected a number, got \"1 2\"");
}

// ---- parts --------------------------------------------------------------------------------------------------------------------

static void TestExpressions(void** state) {
    (void)state;
    const wfVariable variables[] = {{"n", 3}, {"long_name2", 0.5}};
    static const struct {
        const char* text;
        double value;
    } good[] = {{"1", 1},       {"-1.5e-3", -1.5e-3},  {".5", 0.5},          {"5.", 5},       {"+2", 2},    {"1+2*3", 7},
                {"(1+2)*3", 9}, {"8/2/2", 2},          {"1-2-3", -4},        {" 2 * $n ", 6}, {"--2", 2},   {"-$n*-$n", 9},
                {"1e3", 1000},  {"$n/$long_name2", 6}, {"2*(1+(3-1))/2", 3}, {"1 - -1", 2},   {"00012", 12}};
    static const char* const bad[] = {"",      " ",     "abc", "1a",  "1 2",
                                      "0x10",  "nan",   "inf", "1e",  "1e+",
                                      ".",     "(1",    "1)",  "1+",  "*1",
                                      "$",     "$1",    "$ n", "1,5", "1_0",
                                      "\"1\"", "1e999", "1/0", "$m",  "((((((((((((((((((((((((((((((((((((1"};
    char why[128];
    double value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        if (!wfEvaluate(good[i].text, variables, 2, &value, why, sizeof why)) fail_msg("%s: %s", good[i].text, why);
        CHECK_NEAR(value, good[i].value, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        if (wfEvaluate(bad[i], variables, 2, &value, why, sizeof why)) fail_msg("\"%s\" gave %g", bad[i], value);
    }
    assert_false(wfEvaluate("$long_name", variables, 2, &value, why, sizeof why));
    assert_string_equal(why, "unknown parameter \"$long_name\"; did you mean \"$long_name2\"?");
}

// A program in another language reads the same numbers. Where no such language is installed there is nothing to try.
static void TestLocale(void** state) {
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) skip();
    wfScene* scene = MustParse("time_step: 0.0025\n", NULL);
    CHECK_NEAR(scene->def.time_step, 0.0025, 1e-9);
    wfDestroyScene(scene);
    CHECK_REFUSED("time_step: 5.5", NULL, "x.yaml:1: time_step: expected a number in [1e-06, 0.1] s, got 5.5");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBadFiles),     cmocka_unit_test(TestMissingFile), cmocka_unit_test(TestEverything),
        cmocka_unit_test(TestSmallFiles),   cmocka_unit_test(TestBuiltIn),     cmocka_unit_test(TestOverrides),
        cmocka_unit_test(TestBadOverrides), cmocka_unit_test(TestExpressions), cmocka_unit_test(TestLocale),
    };
    return cmocka_run_group_tests(tests, OpenDevice, CloseDevice);
}
