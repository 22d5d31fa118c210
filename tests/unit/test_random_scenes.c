// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "base/clock.h"
#include "math/vec.h"
#include "scene/scene.h"

#include <stdio.h>

// Contact by impulses against random scenes: sheets thrown and spun at each other and at bodies that move and turn. After every frame the
// exact check finds no intersecting pair, and no vertex is inside of a body or below a plane. Bodies keep clear of each other, so that
// every scene has a way out. A few in the tests of every day; `test_random_scenes FIRST COUNT` runs the scenes of these seeds and says
// how each went.

enum { MostSheets = 3, MostBodies = 3, Frames = 6, Samples = 24 };

// ---- random numbers -----------------------------------------------------------------------------------------------------------

static uint64_t s_random;

static uint64_t Next(void) {
    s_random += 0x9e3779b97f4a7c15u;
    uint64_t z = s_random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static float Between(float lo, float hi) { return lo + (hi - lo) * (float)(Next() >> 40) * 0x1p-24f; }
static int Pick(int count) { return (int)(Next() % (uint64_t)count); }

static wfVec3 Direction(void) {
    for (;;) {
        wfVec3 d = wfMake3(Between(-1, 1), Between(-1, 1), Between(-1, 1));
        float square = wfLengthSq(d);
        if (square > 0.01f && square <= 1.0f) return wfScale(d, 1.0f / sqrtf(square));
    }
}

static wfQuat Turn(float most) { return wfQuatAxisAngle(Direction(), Between(-most, most)); }

// ---- a scene ------------------------------------------------------------------------------------------------------------------

typedef struct Sheet {
    Grid grid;
    wfVec3 center, velocity, spin;
    float reach, density, thickness, friction;
} Sheet;

typedef struct Body {
    wfShapeKind shape;
    float radius, reach, friction; // reach: of a ball about the centre that it keeps within
    wfVec3 size;
    wfKey keys[2];
} Body;

typedef struct Random {
    Sheet sheets[MostSheets];
    Body bodies[MostBodies];
    int sheetCount, bodyCount;
    wfSceneDef def;
} Random;

static wfVec3 CenterAt(const Body* b, float t) { return wfLerp(b->keys[0].translate, b->keys[1].translate, t); }

// Of a ball from a body, at a part of its way.
static float Clearance(const Body* b, float t, wfVec3 center, float reach) {
    if (b->shape == wf_shapePlane) return wfUnrotate(b->keys[0].rotate, wfSub(center, CenterAt(b, t))).y - reach;
    return wfDistance(CenterAt(b, t), center) - b->reach - reach;
}

static bool KeepsClear(const Random* r, const Body* b) {
    for (int k = 0; k < r->bodyCount; ++k)
        for (int s = 0; s <= Samples; ++s) {
            float t = (float)s / Samples;
            if (Clearance(&r->bodies[k], t, CenterAt(b, t), b->reach) < 0.05f) return false;
        }
    return true;
}

// Planes come first, so that what is placed later can keep off.
static void MakeBodies(Random* r, float seconds) {
    int wanted = Pick(MostBodies + 1);
    for (int tries = 0; r->bodyCount < wanted && tries < 100; ++tries) {
        Body b = {.shape = (wfShapeKind)(r->bodyCount == 0 && Pick(2) == 0 ? wf_shapePlane : wf_shapeSphere + Pick(3))};
        b.radius = Between(0.05f, 0.3f);
        b.size = wfMake3(Between(0.05f, 0.5f), Between(0.05f, 0.5f), Between(0.05f, 0.5f));
        b.friction = Between(0.0f, 2.0f);
        b.reach = b.shape == wf_shapeSphere ? b.radius : b.shape == wf_shapeCapsule ? b.radius + 0.5f * b.size.y : 0.5f * wfLength(b.size);
        wfVec3 from = wfScale(Direction(), Between(0.0f, 1.2f));
        wfVec3 move = wfScale(Direction(), Pick(3) == 0 ? 0.0f : Between(0.0f, 10.0f * seconds));
        wfQuat turned = Turn(3.0f);
        b.keys[0] = (wfKey){0.0f, from, turned};
        b.keys[1] = (wfKey){seconds, wfAdd(from, move), wfQuatMul(Turn(Pick(2) == 0 ? 0.0f : 3.0f), turned)};
        if (b.shape == wf_shapePlane) {
            b.size = wfMake3(10, 1, 10);
            b.keys[0].translate = wfMake3(0, Between(-1.5f, -0.8f), 0);
            b.keys[1].translate = wfAdd(b.keys[0].translate, wfMake3(0, Between(0.0f, 2.0f * seconds), 0));
            b.keys[0].rotate = b.keys[1].rotate = Turn(0.3f);
        }
        if (KeepsClear(r, &b)) r->bodies[r->bodyCount++] = b;
    }
}

static bool IsFree(const Random* r, const Sheet* s) {
    for (int k = 0; k < r->bodyCount; ++k)
        if (Clearance(&r->bodies[k], 0.0f, s->center, s->reach) < 0.01f) return false;
    for (int k = 0; k < r->sheetCount; ++k)
        if (wfDistance(r->sheets[k].center, s->center) < r->sheets[k].reach + s->reach + 0.01f) return false;
    return true;
}

static void MakeSheets(Random* r) {
    int wanted = 1 + Pick(MostSheets);
    for (int tries = 0; r->sheetCount < wanted && (tries < 200 || r->sheetCount == 0); ++tries) {
        int n = 5 + Pick(10), m = 5 + Pick(10);
        float width = Between(0.2f, 0.8f), depth = Between(0.2f, 0.8f);
        Sheet s = {
            .center = wfScale(Direction(), Between(0.0f, 1.5f)),
            .reach = 0.5f * hypotf(width, depth),
            .density = Between(0.1f, 0.5f),
            .thickness = Between(0.5e-3f, 4e-3f),
            .friction = Between(0.0f, 2.0f),
            .spin = wfScale(Direction(), Pick(2) == 0 ? 0.0f : Between(0.0f, 20.0f)),
        };
        // Toward the middle, more or less, where it meets others.
        wfVec3 aim = wfAdd(wfScale(Direction(), 0.4f), wfScale(s.center, -1.0f));
        s.velocity = wfScale(wfNormalizeOr(aim, wfMake3(0, -1, 0)), Between(0.0f, 20.0f));
        wfQuat turned = Turn(3.0f);
        if (!IsFree(r, &s)) continue;
        s.grid = MakeGrid(n, m, width, depth, wfMake3(-0.5f * width, 0, -0.5f * depth));
        for (int i = 0; i < n * m; ++i) {
            wfVec3 p;
            memcpy(&p, s.grid.positions + 3 * i, sizeof p);
            p = wfAdd(s.center, wfRotate(turned, p));
            memcpy(s.grid.positions + 3 * i, &p, sizeof p);
        }
        r->sheets[r->sheetCount++] = s;
    }
}

static Random MakeRandom(uint64_t seed) {
    s_random = seed;
    Random r = {.def = wfDefaultSceneDef()};
    r.def.frame_rate = Pick(2) == 0 ? 24.0f : 60.0f;
    r.def.time_step = expf(Between(logf(1.0f / 1000.0f), logf(1.0f / 30.0f)));
    if (Pick(3) == 0) r.def.shortest_step = 0.0f;
    int dynamics = Pick(4);
    if (dynamics < 2) strcpy(r.def.dynamics, dynamics == 0 ? "hierarchy" : "multilevel");
    MakeBodies(&r, (float)Frames / r.def.frame_rate);
    MakeSheets(&r);
    return r;
}

static void AddSpin(wfScene* scene, const Random* r) {
    int count = scene->state.vertexCount;
    wfVec4 *x = malloc((size_t)count * sizeof *x), *v = malloc((size_t)count * sizeof *v);
    wfError err = {0};
    CHECK_OK(wfDownload(scene->device, x, &scene->state.x, 0, (size_t)count, &err), err);
    CHECK_OK(wfDownload(scene->device, v, &scene->state.v, 0, (size_t)count, &err), err);
    for (int i = 0; i < count; ++i) {
        const Sheet* s = &r->sheets[scene->model.clothOf[i]];
        v[i] = wfMake4(wfAdd(wfXyz(v[i]), wfCross(s->spin, wfSub(wfXyz(x[i]), s->center))), v[i].w);
    }
    wfUpload(scene->device, &scene->state.v, v, (size_t)count);
    CHECK_OK(wfDevice_Sync(scene->device, &err), err);
    free(x);
    free(v);
}

static wfScene* MakeScene(wfDevice* device, const Random* r) {
    wfScene* scene = NewScene(device, &r->def);
    for (int i = 0; i < r->sheetCount; ++i) {
        const Sheet* s = &r->sheets[i];
        wfClothDef cloth = GridCloth(&s->grid, "");
        cloth.velocity = s->velocity;
        cloth.fabric.density = s->density;
        cloth.fabric.thickness = s->thickness;
        cloth.fabric.friction = s->friction;
        AddCloth(scene, &cloth);
    }
    for (int i = 0; i < r->bodyCount; ++i) {
        const Body* b = &r->bodies[i];
        wfColliderDef body = wfDefaultColliderDef();
        body.shape = b->shape;
        body.radius = b->radius;
        body.size = b->size;
        body.friction = b->friction;
        body.interpolation = wf_interpolateLinear;
        body.keys = b->keys;
        body.keyCount = 2;
        AddCollider(scene, &body);
    }
    Commit(scene);
    AddSpin(scene, r);
    return scene;
}

// ---- how it goes --------------------------------------------------------------------------------------------------------------

// How deep a point is inside of a body at its own place; of a mesh that stands for a round body, 0.15 % of the radius are allowed for.
static float DepthOf(const Body* b, wfVec3 p) {
    if (b->shape == wf_shapePlane) return -p.y;
    if (b->shape == wf_shapeBox)
        return fminf(0.5f * b->size.x - fabsf(p.x), fminf(0.5f * b->size.y - fabsf(p.y), 0.5f * b->size.z - fabsf(p.z)));
    if (b->shape == wf_shapeCapsule) p.y -= wfClamp(p.y, -0.5f * b->size.y, 0.5f * b->size.y);
    return 0.998f * b->radius - wfLength(p);
}

// The deepest that a vertex is inside of a body. A turning body is looked at at its keys alone: how a turn goes between them is not ours.
static float DeepestIn(const wfScene* scene, const Random* r) {
    size_t count;
    float* state = ReadState(scene, &count);
    float deepest = -INFINITY, t = (float)(wfScene_GetTime(scene) / r->bodies[0].keys[1].time);
    bool atKey = t >= 1.0f - 1e-5f;
    for (int k = 0; k < r->bodyCount; ++k) {
        const Body* b = &r->bodies[k];
        bool turns = memcmp(&b->keys[0].rotate, &b->keys[1].rotate, sizeof(wfQuat)) != 0;
        if (turns && !atKey && b->shape != wf_shapeSphere) continue;
        for (size_t i = 0; i < count; i += 6) {
            wfVec3 p = wfMake3(state[i], state[i + 1], state[i + 2]);
            deepest = fmaxf(deepest, DepthOf(b, wfUnrotate(b->keys[1].rotate, wfSub(p, CenterAt(b, fminf(t, 1.0f))))));
        }
    }
    free(state);
    return deepest;
}

typedef enum Outcome { Clean, Stuck, Intersecting, Through } Outcome;

static Outcome RunSeed(wfDevice* device, uint64_t seed, char text[640]) {
    Random r = MakeRandom(seed);
    wfScene* scene = MakeScene(device, &r);
    wfError err = {0};
    Outcome outcome = Clean;
    int64_t contacts = 0;
    int steps = 0;
    for (int f = 0; f < Frames && outcome == Clean; ++f) {
        wfCertificate c;
        if (!wfScene_StepFrame(scene, &err)) {
            assert_int_equal(err.code, wf_stepFailed);
            snprintf(text, 640, "%s", err.text);
            outcome = Stuck;
            break;
        }
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        contacts += c.contacts;
        steps += c.stepCount;
        float depth = r.bodyCount > 0 ? DeepestIn(scene, &r) : 0.0f;
        if (c.intersectingPairs != 0 || c.pinchedVertices != 0) {
            snprintf(text, 640, "frame %d: %lld intersecting pairs, %d pinched vertices", c.frame, (long long)c.intersectingPairs,
                     c.pinchedVertices);
            outcome = Intersecting;
        } else if (depth > 1e-4f) {
            snprintf(text, 640, "frame %d: a vertex is %g m inside of a body", c.frame, (double)depth);
            outcome = Through;
        }
    }
    if (outcome == Clean) snprintf(text, 640, "%d steps, %lld contacts at the ends of frames", steps, (long long)contacts);
    size_t used = strlen(text);
    snprintf(text + used, 640 - used, " (%d sheets, %d bodies, %s, time_step %.4g, shortest_step %g)", r.sheetCount, r.bodyCount,
             r.def.dynamics, (double)r.def.time_step, (double)r.def.shortest_step);
    wfDestroyScene(scene);
    for (int i = 0; i < r.sheetCount; ++i) FreeGrid(&r.sheets[i].grid);
    return outcome;
}

static void TestRandomScenes(void** state) {
    (void)state;
    static const int seeds[] = {1, 3, 4, 5, 7, 9, 10, 11, 12, 13, 22, 62}; // the quick ones of the first
    wfDevice* device = OpenCpu(1);
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; ++k) {
        char text[640];
        if (RunSeed(device, (uint64_t)seeds[k], text) != Clean) fail_msg("seed %d: %s", seeds[k], text);
    }
    wfDestroyDevice(device);
}

// Scenes of many seeds, a line each; 0 where all are clean.
static int RunMany(long first, long count) {
    static const char* const names[] = {"clean", "stuck", "intersecting", "through"};
    int of[4] = {0};
    double slowest = 0.0;
    wfDevice* device = OpenCpu(1);
    for (long seed = first; seed < first + count; ++seed) {
        char text[640];
        double begin = wfSeconds();
        Outcome outcome = RunSeed(device, (uint64_t)seed, text);
        double seconds = wfSeconds() - begin;
        slowest = fmax(slowest, seconds);
        ++of[outcome];
        printf("seed %ld: %s, %.2f s: %s\n", seed, names[outcome], seconds, text);
        fflush(stdout);
    }
    printf("%ld scenes: %d clean, %d stuck, %d intersecting, %d through a body; slowest %.2f s\n", count, of[Clean], of[Stuck],
           of[Intersecting], of[Through], slowest);
    wfDestroyDevice(device);
    return of[Clean] == count ? 0 : 1;
}

int main(int argc, char** argv) {
    if (argc == 3) return RunMany(strtol(argv[1], NULL, 10), strtol(argv[2], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestRandomScenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
