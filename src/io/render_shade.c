// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render_shade.h"

// A studio: a large warm key light above the camera's left shoulder, a cool sky, a soft fill from the right, and a floor that turns into
// the background without an edge (it shows the background's colour, darkened by what the objects take from its light).
// Directions follow the camera, so that every picture is lit alike. Light is measured so that a white surface that faces the whole
// light comes out at about 1.

#define PI 3.14159265f

static const wfVec3 s_keyColor = {0.84f, 0.785f, 0.70f};
static const wfVec3 s_skyZenith = {0.27f, 0.305f, 0.36f};
static const wfVec3 s_skyHorizon = {0.22f, 0.22f, 0.225f};
static const wfVec3 s_fillColor = {0.34f, 0.29f, 0.24f};
static const wfVec3 s_groundLight = {0.30f, 0.29f, 0.28f}; // what an open, lit floor sends up
static const wfVec3 s_horizon = {0.74f, 0.765f, 0.80f};    // background where floor and backdrop meet
static const wfVec3 s_backdrop = {0.52f, 0.58f, 0.66f};    // background high up
static const wfVec3 s_pool = {0.93f, 0.92f, 0.90f};        // floor in the middle of the light

#define KEY_SPREAD 0.13f // tangent of the key light's angular radius (7.4 degrees): shadows with a soft edge

// ---- numbers ------------------------------------------------------------------------------------------------------------------

static uint32_t Hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x45d9f3bu;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 16;
}

static float Unit(uint32_t x) { return (float)(x >> 8) * (1.0f / 16777216.0f); }

// A shuffle of 0 .. count-1 told by its key: steps that are one-to-one on a power of two, walked until the result is inside.
static uint32_t Shuffle(uint32_t i, uint32_t count, uint32_t key) {
    uint32_t mask = 1;
    while (mask < count) mask <<= 1;
    mask -= 1;
    do {
        for (uint32_t turn = 0; turn < 3; ++turn) {
            uint32_t k = key >> 8 * turn;
            i = ((i + k) * (k >> 3 | 1)) & mask;
            i ^= i >> 2;
            i = (i ^ k >> 5) & mask;
            i ^= i >> 1;
        }
    } while (i >= count);
    return i;
}

static float ReverseBits(uint32_t i) {
    i = i << 16 | i >> 16;
    i = (i & 0x00ff00ffu) << 8 | (i & 0xff00ff00u) >> 8;
    i = (i & 0x0f0f0f0fu) << 4 | (i & 0xf0f0f0f0u) >> 4;
    i = (i & 0x33333333u) << 2 | (i & 0xccccccccu) >> 2;
    i = (i & 0x55555555u) << 1 | (i & 0xaaaaaaaau) >> 1;
    return Unit(i);
}

static float Wrap(float x) { return x - floorf(x) < 1.0f ? x - floorf(x) : 0.0f; }

wfSampleSet wfSamplePixel(int x, int y, int round, int sample, int sampleCount) {
    wfSampleSet set;
    uint32_t seed = Hash((uint32_t)x + 0x9e3779b9u * Hash((uint32_t)y + 77u + 0x10001u * (uint32_t)round));
    float* pairs[3] = {set.pixel, set.key, set.sky};
    for (uint32_t p = 0; p < 3; ++p) {
        uint32_t key = Hash(seed + 0x51ed27u * (p + 1));
        uint32_t i = Shuffle((uint32_t)sample, (uint32_t)sampleCount, key);
        pairs[p][0] = Wrap(((float)i + 0.5f) / (float)sampleCount + Unit(Hash(key + 1)));
        pairs[p][1] = Wrap(ReverseBits(i) + Unit(Hash(key + 2)));
    }
    return set;
}

float wfDither(int x, int y) { return Unit(Hash((uint32_t)x * 0x8da6b343u ^ Hash((uint32_t)y + 13u))) - 0.5f; }

static float Smooth(float lo, float hi, float x) {
    float t = wfClamp((x - lo) / (hi - lo), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static wfVec3 Mul(wfVec3 a, wfVec3 b) { return wfMake3(a.x * b.x, a.y * b.y, a.z * b.z); }

static void Frame(wfVec3 n, wfVec3* s, wfVec3* t) {
    wfVec3 helper = fabsf(n.x) < 0.6f ? wfMake3(1, 0, 0) : wfMake3(0, 1, 0);
    *s = wfNormalizeOr(wfCross(helper, n), wfMake3(1, 0, 0));
    *t = wfCross(n, *s);
}

static wfVec3 Around(wfVec3 n, float u, float v) { // cosine-weighted
    wfVec3 s, t;
    Frame(n, &s, &t);
    float r = sqrtf(u), phi = 2.0f * PI * v;
    return wfAdd(wfAdd(wfScale(s, r * cosf(phi)), wfScale(t, r * sinf(phi))), wfScale(n, sqrtf(fmaxf(0.0f, 1.0f - u))));
}

// ---- light --------------------------------------------------------------------------------------------------------------------

static wfVec3 Sky(const wfView* view, wfVec3 d) {
    float height = wfDot(d, view->worldUp);
    wfVec3 c = wfLerp(s_skyHorizon, s_skyZenith, sqrtf(wfClamp(height, 0.0f, 1.0f)));
    float f = fmaxf(0.0f, wfDot(d, view->fillDirection));
    return wfMulAdd(c, f * f * f * f, s_fillColor);
}

static float Height(const wfTraceScene* scene, wfVec3 p) { return scene->def->zUp ? p.z : p.y; }

// Distance on the floor from the middle of the objects, in their size.
static float FloorRadius(const wfTraceScene* scene, const wfView* view, wfVec3 p) {
    wfVec3 d = wfSub(p, scene->center);
    d = wfMulAdd(d, -wfDot(d, view->worldUp), view->worldUp);
    return wfLength(d) / scene->size;
}

// What comes along a ray that leaves a surface: sky, floor, or light bounced once by another object. The bounce is guessed, not traced.
static wfVec3 Incoming(const wfTraceScene* scene, const wfView* view, wfVec3 origin, wfVec3 d) {
    wfTraceHit hit = wfTraceScene_Hit(scene, origin, d);
    float height = wfDot(d, view->worldUp);
    if (scene->def->floor && height < 0.0f) {
        float t = (scene->def->floorHeight - Height(scene, origin)) / height;
        if (t > 0.0f && (hit.object < 0 || t < hit.distance)) {
            // Under the objects the floor lies in their shadow.
            float r = FloorRadius(scene, view, wfMulAdd(origin, t, d)) / 0.35f;
            return wfScale(s_groundLight, 1.0f - 0.6f * expf(-r * r));
        }
    }
    if (hit.object < 0) return height < 0.0f ? s_groundLight : Sky(view, d);
    const wfRenderObject* object = &scene->objects[hit.object];
    const int* v = object->triangles[hit.triangle].v;
    wfVec3 a = object->positions[v[0]];
    wfVec3 n = wfNormalizeOr(wfCross(wfSub(object->positions[v[1]], a), wfSub(object->positions[v[2]], a)), view->worldUp);
    if (wfDot(n, d) > 0.0f) n = wfScale(n, -1.0f);
    float light = 0.07f + 0.16f * fmaxf(0.0f, wfDot(n, view->keyDirection)) + 0.05f * wfDot(n, view->worldUp);
    return wfScale(object->color, light);
}

wfView wfView_Make(const wfTraceScene* scene, const wfCameraDef* camera) {
    const wfRenderDef* def = scene->def;
    wfView view = {.eye = camera->eye};
    view.worldUp = def->zUp ? wfMake3(0, 0, 1) : wfMake3(0, 1, 0);
    view.forward = wfNormalizeOr(wfSub(camera->target, camera->eye), wfMake3(0, 0, -1));
    wfVec3 side = wfCross(view.forward, view.worldUp);
    // Straight down: any direction may be up in the picture.
    if (wfLength(side) < 1e-4f) side = def->zUp ? wfMake3(1, 0, 0) : wfCross(view.forward, wfMake3(0, 0, -1));
    side = wfNormalizeOr(side, wfMake3(1, 0, 0));
    wfVec3 up = wfCross(side, view.forward);
    float half = tanf(0.5f * camera->fov * (PI / 180.0f));
    view.up = wfScale(up, half);
    view.right = wfScale(side, half * (float)def->width / (float)def->height);
    view.pixelAngle = 2.0f * half / (float)def->height;

    wfVec3 ahead = wfNormalizeOr(wfCross(view.worldUp, side), wfMake3(0, 0, -1)); // forward on the floor
    wfVec3 key = wfAdd(wfAdd(wfScale(side, -0.80f), wfScale(ahead, 0.10f)), wfScale(view.worldUp, 0.95f));
    view.keyDirection = wfNormalizeOr(key, view.worldUp);
    Frame(view.keyDirection, &view.keyTangent, &view.keyBitangent);
    view.fillDirection =
        wfNormalizeOr(wfAdd(wfAdd(wfScale(side, 0.75f), wfScale(ahead, -0.60f)), wfScale(view.worldUp, 0.45f)), view.worldUp);

    wfVec3 sum = {0, 0, 0};
    enum { sideCount = 32 };
    for (int i = 0; i < sideCount * sideCount; ++i) {
        float u = ((float)(i / sideCount) + 0.5f) / sideCount, v = ((float)(i % sideCount) + 0.5f) / sideCount;
        sum = wfAdd(sum, Sky(&view, Around(view.worldUp, u, v)));
    }
    sum = wfScale(sum, 1.0f / (sideCount * sideCount));
    view.floorLight = wfMulAdd(sum, wfDot(view.keyDirection, view.worldUp), s_keyColor);
    return view;
}

// ---- materials ----------------------------------------------------------------------------------------------------------------

// Plain weave on the plane that the rest shape faces most: threads over and under each other like a chessboard. Returns a factor of the
// colour. `width` is how much of the cloth a ray stands for; threads narrower than that blur into their mean, which is 1.
static float Weave(wfVec3 rest, wfVec3 restNormal, float thread, float width) {
    wfVec3 m = wfMake3(fabsf(restNormal.x), fabsf(restNormal.y), fabsf(restNormal.z));
    float u = m.y >= m.x && m.y >= m.z ? rest.x : m.x >= m.z ? rest.y : rest.x;
    float v = m.y >= m.x && m.y >= m.z ? rest.z : m.x >= m.z ? rest.z : rest.y;
    u /= thread;
    v /= thread;
    float iu = floorf(u), iv = floorf(v), fu = u - iu - 0.5f, fv = v - iv - 0.5f;
    bool warpOnTop = (((int)iu + (int)iv) & 1) != 0;
    float across = warpOnTop ? fu : fv, along = warpOnTop ? fv : fu;
    float round = 1.0f - 4.0f * across * across; // a thread is round
    float crown = 1.0f - 2.4f * along * along;   // and dives under its neighbours
    float fine = 0.52f + 0.78f * round * crown;  // mean 0.936
    float tint = warpOnTop ? 1.045f : 0.955f;    // warp catches a little more light than weft
    float close = 1.0f - Smooth(0.30f, 0.75f, width / thread);
    float slub = Unit(Hash((uint32_t)(int)(warpOnTop ? iu : iv) * 2u + warpOnTop + 40503u)) - 0.5f; // no thread is like the next
    float far = 1.0f - Smooth(0.6f, 2.2f, width / thread);
    return (1.0f + close * (fine / 0.936f * tint - 1.0f) * 0.45f) * (1.0f + far * 0.10f * slub);
}

// The Hanika idea: where smooth normals pretend a rounder surface than the triangles are, rays leave from that rounder surface, so that
// the facets do not shadow each other along the terminator. Moves `p` to the mean of its projections on the corners' tangent planes, and
// both off the face by epsilon; not where that leads through something: at a sharp crease, into the fold.
static wfVec3 RoundOrigin(const wfTraceScene* scene, const wfVec3 corners[3], const wfVec3 normals[3], const float bary[3], float side,
                          wfVec3 p, wfVec3 face) {
    wfVec3 shift = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        wfVec3 n = wfScale(normals[k], side);
        shift = wfMulAdd(shift, -bary[k] * fminf(0.0f, wfDot(wfSub(p, corners[k]), n)), n);
    }
    wfVec3 origin = wfMulAdd(p, scene->epsilon, face);
    return wfLengthSq(shift) > 0.0f && wfTraceScene_IsBetween(scene, origin, wfAdd(origin, shift)) ? origin : wfAdd(origin, shift);
}

// How much of a wire lies on this sample: distance to the nearest edge in pixels. Meshes finer than the lines fade to a tone.
static float Wire(const wfView* view, const wfVec3 corners[3], wfVec3 p) {
    float best = 1e30f, shortest = 1e30f;
    float depth = wfDot(wfSub(p, view->eye), view->forward);
    float scale = 1.0f / (view->pixelAngle * depth);
    wfVec3 d = wfNormalizeOr(wfSub(p, view->eye), view->forward);
    for (int k = 0; k < 3; ++k) {
        // Seen along the ray, so that a tilted triangle has lines of the same width.
        wfVec3 a = wfSub(corners[k], p), b = wfSub(corners[(k + 1) % 3], p);
        a = wfMulAdd(a, -wfDot(a, d), d);
        b = wfMulAdd(b, -wfDot(b, d), d);
        wfVec3 e = wfSub(b, a);
        float length = fmaxf(wfLength(e), 1e-20f);
        best = fminf(best, wfLength(wfCross(a, b)) / length);
        shortest = fminf(shortest, length);
    }
    return (1.0f - Smooth(0.35f, 0.95f, best * scale)) * Smooth(1.0f, 6.0f, shortest * scale);
}

// Across a crease smooth normals have little to do with a triangle: at 45 degrees from it at most, or its light would come out of the fold.
static wfVec3 NearFace(wfVec3 n, wfVec3 face) {
    const float least = 0.7071f;
    float along = wfDot(n, face);
    if (along >= least) return n;
    wfVec3 across = wfNormalizeOr(wfMulAdd(n, -along, face), face);
    return wfNormalizeOr(wfMulAdd(wfScale(across, least), least, face), face);
}

static wfShade ShadeSurface(const wfTraceScene* scene, const wfView* view, wfVec3 d, const wfTraceHit* hit, const wfSampleSet* set) {
    const wfRenderObject* object = &scene->objects[hit->object];
    const wfRenderDef* def = scene->def;
    const int* v = object->triangles[hit->triangle].v;
    const wfVec3* normals = &scene->normals[hit->object][3 * (size_t)hit->triangle];
    wfVec3 corners[3] = {object->positions[v[0]], object->positions[v[1]], object->positions[v[2]]};
    wfVec3 p = {0, 0, 0}, n = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        p = wfMulAdd(p, hit->bary[k], corners[k]);
        n = wfMulAdd(n, hit->bary[k], normals[k]);
    }
    wfVec3 face = wfNormalizeOr(wfCross(wfSub(corners[1], corners[0]), wfSub(corners[2], corners[0])), n);
    if (wfDot(face, n) < 0.0f) face = wfScale(face, -1.0f); // normals of a body decide what is outside
    float side = wfDot(face, d) > 0.0f ? -1.0f : 1.0f;
    face = wfScale(face, side);
    n = NearFace(wfNormalizeOr(wfScale(n, side), face), face);
    // A smooth normal may look away from the camera near the outline: bend it back to the edge of sight.
    float toward = -wfDot(n, d);
    if (toward < 0.02f) n = wfNormalizeOr(wfMulAdd(n, -(0.02f - toward), d), face);
    toward = fmaxf(-wfDot(n, d), 0.02f);

    bool heat = object->heat != NULL && def->heatTitle != NULL;
    wfVec3 albedo = object->color;
    if (heat) {
        float value = 0.0f;
        for (int k = 0; k < 3; ++k) value += hit->bary[k] * object->heat[v[k]];
        albedo = wfHeatColor((value - def->heatMin) / fmaxf(def->heatMax - def->heatMin, 1e-30f));
    } else if (object->cloth) {
        const wfVec3* shape = object->rest != NULL ? object->rest : object->positions;
        wfVec3 rest = {0, 0, 0};
        for (int k = 0; k < 3; ++k) rest = wfMulAdd(rest, hit->bary[k], shape[v[k]]);
        wfVec3 restNormal = wfCross(wfSub(shape[v[1]], shape[v[0]]), wfSub(shape[v[2]], shape[v[0]]));
        float width = view->pixelAngle * hit->distance / sqrtf(toward);
        if (scene->threadSize[hit->object] > 0.0f)
            albedo = wfScale(albedo, Weave(rest, restNormal, scene->threadSize[hit->object], width) * (side < 0.0f ? 0.80f : 1.0f));
    }
    if (def->wireframe) albedo = wfScale(albedo, 1.0f - 0.72f * Wire(view, corners, p));

    wfShade out = {.normal = n, .position = p, .surface = hit->object};
    wfVec3 light =
        wfAdd(wfAdd(view->keyDirection, wfScale(view->keyTangent, KEY_SPREAD * sqrtf(set->key[0]) * cosf(2.0f * PI * set->key[1]))),
              wfScale(view->keyBitangent, KEY_SPREAD * sqrtf(set->key[0]) * sinf(2.0f * PI * set->key[1])));
    light = wfNormalizeOr(light, view->keyDirection);
    float facing = wfDot(n, view->keyDirection);

    // Cloth lets a little light through, so its shadow ray starts on the side of the light; a body is dark inside.
    wfVec3 origin = RoundOrigin(scene, corners, normals, hit->bary, side, p, face);
    wfVec3 shadowOrigin = origin;
    if (facing < 0.0f && object->cloth) shadowOrigin = RoundOrigin(scene, corners, normals, hit->bary, -side, p, wfScale(face, -1.0f));
    float through = object->cloth ? 0.16f : 0.0f;
    float key = facing > 0.0f ? facing : -facing * through;
    out.keyResponse = Mul(wfScale(albedo, key), s_keyColor);
    out.skyResponse = albedo;
    out.visibility = key > 0.0f ? (wfTraceScene_IsBlocked(scene, shadowOrigin, light) ? 0.0f : 1.0f) : 0.0f;
    out.sky = Incoming(scene, view, origin, Around(n, set->sky[0], set->sky[1]));

    float rim = 1.0f - toward;
    if (object->cloth) {
        // Fibres that stand off the surface catch light at its outline.
        float fuzz = (heat ? 0.05f : 0.22f) * rim * rim * rim;
        out.skyResponse = wfAdd(out.skyResponse, wfScale(wfMake3(fuzz, fuzz, fuzz), 0.5f + 0.5f * (albedo.x + albedo.y + albedo.z) / 3.0f));
    } else if (!heat) {
        float fresnel = 0.04f + 0.5f * rim * rim * rim * rim * rim;
        wfVec3 half = wfNormalizeOr(wfSub(view->keyDirection, d), n);
        float glint = powf(fmaxf(0.0f, wfDot(n, half)), 60.0f) * 0.28f * (facing > 0.0f ? 1.0f : 0.0f);
        out.keyResponse = wfMulAdd(out.keyResponse, glint, s_keyColor);
        out.skyResponse = wfAdd(out.skyResponse, wfMake3(fresnel, fresnel, fresnel));
    }
    return out;
}

wfShade wfShadePixel(const wfTraceScene* scene, const wfView* view, float px, float py, const wfSampleSet* set) {
    const wfRenderDef* def = scene->def;
    float sx = 2.0f * px / (float)def->width - 1.0f, sy = 1.0f - 2.0f * py / (float)def->height;
    wfVec3 d = wfNormalizeOr(wfAdd(wfAdd(view->forward, wfScale(view->right, sx)), wfScale(view->up, sy)), view->forward);
    wfTraceHit hit = wfTraceScene_Hit(scene, view->eye, d);
    float height = wfDot(d, view->worldUp);
    float t = def->floor && height < 0.0f ? (def->floorHeight - Height(scene, view->eye)) / height : -1.0f;
    if (hit.object >= 0 && !(t > 0.0f && t < hit.distance)) return ShadeSurface(scene, view, d, &hit, set);

    wfShade out = {.surface = wf_surfaceBackground};
    float vignette = 1.0f - 0.10f * (sx * sx + sy * sy);
    wfVec3 background = wfScale(wfLerp(s_horizon, s_backdrop, Smooth(-0.05f, 0.75f, height)), vignette);
    if (t <= 0.0f) {
        out.fixed = background;
        return out;
    }
    wfVec3 p = wfMulAdd(view->eye, t, d);
    float radius = FloorRadius(scene, view, p);
    wfVec3 base = wfScale(wfLerp(s_horizon, s_pool, expf(-radius * radius / 1.2f)), vignette);
    float near = 1.0f - Smooth(2.0f, 5.0f, radius);
    if (near <= 0.0f) {
        out.fixed = base;
        return out;
    }
    wfVec3 light =
        wfAdd(wfAdd(view->keyDirection, wfScale(view->keyTangent, KEY_SPREAD * sqrtf(set->key[0]) * cosf(2.0f * PI * set->key[1]))),
              wfScale(view->keyBitangent, KEY_SPREAD * sqrtf(set->key[0]) * sinf(2.0f * PI * set->key[1])));
    wfVec3 origin = wfMulAdd(p, scene->epsilon, view->worldUp);
    wfVec3 share = wfScale(wfMake3(base.x / view->floorLight.x, base.y / view->floorLight.y, base.z / view->floorLight.z), near);
    out.fixed = wfScale(base, 1.0f - near);
    out.keyResponse = Mul(wfScale(share, wfDot(view->worldUp, view->keyDirection)), s_keyColor);
    out.skyResponse = share;
    out.visibility = wfTraceScene_IsBlocked(scene, origin, wfNormalizeOr(light, view->keyDirection)) ? 0.0f : 1.0f;
    out.sky = Incoming(scene, view, origin, Around(view->worldUp, set->sky[0], set->sky[1]));
    out.surface = wf_surfaceFloor;
    out.normal = view->worldUp;
    out.position = p;
    return out;
}
