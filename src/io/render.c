// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render.h"

#include "io/render_shade.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>

// Rays for every pixel, then a filter over their light, then the tone curve. Every random number is a hash of pixel and sample, and no
// sum crosses a pixel but the filter's, whose order is fixed: the same bits for any number of threads.

enum { tileSize = 16, sizeLimit = 16384, edgeRounds = 4 };

wfRenderDef wfDefaultRenderDef(void) {
    return (wfRenderDef){.width = 960, .height = 720, .samples = 16, .floor = true, .camera = {.fov = 30.0f}, .heatMax = 1.0f};
}

// Three-quarter view from above; the picture's middle is moved until what is seen of the bounds lies around it, then the eye goes back
// as far as the tightest corner asks.
wfCameraDef wfFrameCamera(wfVec3 lo, wfVec3 hi, float aspect, bool zUp) {
    wfCameraDef camera = {.given = true, .fov = 30.0f};
    const float margin = 0.82f, azimuth = 0.62f, elevation = 0.36f;
    float ch = cosf(elevation), sh = sinf(elevation);
    wfVec3 back = zUp ? wfMake3(sinf(azimuth) * ch, -cosf(azimuth) * ch, sh) : wfMake3(sinf(azimuth) * ch, sh, cosf(azimuth) * ch);
    wfVec3 worldUp = zUp ? wfMake3(0, 0, 1) : wfMake3(0, 1, 0);
    wfVec3 right = wfNormalizeOr(wfCross(worldUp, back), wfMake3(1, 0, 0)), up = wfCross(back, right);
    float tanY = tanf(0.5f * camera.fov * (3.14159265f / 180.0f)) * margin, tanX = tanY * aspect;
    float size = fmaxf(wfDistance(lo, hi), 1e-6f);
    wfVec3 target = wfLerp(lo, hi, 0.5f);
    float distance = size;
    for (int pass = 0; pass < 8; ++pass) {
        float loX = FLT_MAX, hiX = -FLT_MAX, loY = FLT_MAX, hiY = -FLT_MAX;
        distance = 0.5f * size;
        for (int corner = 0; corner < 8; ++corner) {
            wfVec3 p = wfMake3(corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z);
            wfVec3 d = wfSub(p, target);
            distance = fmaxf(distance, wfDot(d, back) + fmaxf(fabsf(wfDot(d, right)) / tanX, fabsf(wfDot(d, up)) / tanY));
        }
        for (int corner = 0; corner < 8; ++corner) {
            wfVec3 p = wfMake3(corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z);
            wfVec3 d = wfSub(p, target);
            float depth = distance - wfDot(d, back), x = wfDot(d, right) / depth, y = wfDot(d, up) / depth;
            loX = fminf(loX, x), hiX = fmaxf(hiX, x), loY = fminf(loY, y), hiY = fmaxf(hiY, y);
        }
        if (pass < 7)
            target = wfAdd(target, wfAdd(wfScale(right, 0.5f * (loX + hiX) * distance), wfScale(up, 0.5f * (loY + hiY) * distance)));
    }
    camera.target = target;
    camera.eye = wfMulAdd(target, distance, back);
    return camera;
}

uint8_t wfToByte(float linear, float dither) {
    // Straight up to 0.7, then a shoulder that reaches 1 at infinity: colours stay what the scene said, highlights do not burn out.
    float x = fmaxf(linear, 0.0f); // also takes NaN to 0
    if (x > 0.7f) x = 1.0f - 0.3f * expf(-(x - 0.7f) / 0.3f);
    float s = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)lrintf(wfClamp(255.0f * s + dither, 0.0f, 255.0f));
}

// Adds one round of samples. squares: sums for the variance of visibility and sky.
static void AddRound(const wfTraceScene* scene, const wfView* view, int x, int y, int round, wfPixel* sum, double squares[2]) {
    int count = scene->def->samples;
    for (int s = 0; s < count; ++s) {
        wfSampleSet set = wfSamplePixel(x, y, round, s, count);
        wfShade shade = wfShadePixel(scene, view, (float)x + set.pixel[0], (float)y + set.pixel[1], &set);
        sum->color =
            wfAdd(wfMulAdd(wfAdd(sum->color, shade.fixed), shade.visibility, shade.keyResponse),
                  wfMake3(shade.skyResponse.x * shade.sky.x, shade.skyResponse.y * shade.sky.y, shade.skyResponse.z * shade.sky.z));
        sum->keyResponse = wfAdd(sum->keyResponse, shade.keyResponse);
        sum->skyResponse = wfAdd(sum->skyResponse, shade.skyResponse);
        sum->normal = wfAdd(sum->normal, shade.normal);
        sum->position = wfAdd(sum->position, shade.position);
        sum->surface = (round == 0 && s == 0) || sum->surface == shade.surface ? shade.surface : wf_surfaceMixed;
        float luminance = wfLuminance(&shade.sky.x);
        sum->light[0] += shade.visibility;
        sum->light[1] += shade.sky.x;
        sum->light[2] += shade.sky.y;
        sum->light[3] += shade.sky.z;
        squares[0] += (double)shade.visibility * shade.visibility;
        squares[1] += (double)luminance * luminance;
    }
}

static void TracePixel(const wfTraceScene* scene, const wfView* view, int x, int y, wfPixel* out) {
    wfPixel sum = {0};
    double squares[2] = {0, 0};
    int rounds = 1;
    AddRound(scene, view, x, y, 0, &sum, squares);
    // The filter cannot help pixels that see more than one surface, so they get more rays instead. They are few.
    if (sum.surface == wf_surfaceMixed)
        for (; rounds < edgeRounds; ++rounds) AddRound(scene, view, x, y, rounds, &sum, squares);
    int count = rounds * scene->def->samples;
    float scale = 1.0f / (float)count;
    out->color = wfScale(sum.color, scale);
    out->keyResponse = wfScale(sum.keyResponse, scale);
    out->skyResponse = wfScale(sum.skyResponse, scale);
    out->normal = wfScale(sum.normal, scale);
    out->position = wfScale(sum.position, scale);
    out->surface = sum.surface;
    for (int k = 0; k < 4; ++k) out->light[k] = sum.light[k] * scale;
    double means[2] = {out->light[0], wfLuminance(&out->light[1])};
    for (int k = 0; k < 2; ++k) {
        double variance = fmax(0.0, squares[k] / count - means[k] * means[k]);
        if (count < 4) variance = 0.1; // too few to tell
        out->variance[k] = (float)(variance / count);
    }
}

static bool CheckDef(const wfRenderDef* def, wfError* err) {
    if (def->width < 1 || def->width > sizeLimit || def->height < 1 || def->height > sizeLimit)
        return wfFail(err, wf_badInput, "picture: size %d x %d, expected 1 to %d", def->width, def->height, sizeLimit);
    if (def->samples < 1 || def->samples > 65536) return wfFail(err, wf_badInput, "picture: %d samples, expected 1 to 65536", def->samples);
    if (def->heatTitle != NULL && !(isfinite(def->heatMin) && isfinite(def->heatMax) && def->heatMin < def->heatMax))
        return wfFail(err, wf_badInput, "picture: heat from %g to %g, expected a finite range", (double)def->heatMin, (double)def->heatMax);
    const wfCameraDef* camera = &def->camera;
    if (!camera->given) return true;
    if (!wfIsFinite3(camera->eye) || !wfIsFinite3(camera->target) || !(wfDistance(camera->eye, camera->target) > 0.0f))
        return wfFail(err, wf_badInput, "camera: eye (%g, %g, %g) and target (%g, %g, %g), expected two different points",
                      (double)camera->eye.x, (double)camera->eye.y, (double)camera->eye.z, (double)camera->target.x,
                      (double)camera->target.y, (double)camera->target.z);
    if (!(camera->fov >= 1.0f && camera->fov <= 150.0f))
        return wfFail(err, wf_badInput, "camera: fov %g, expected 1 to 150 degrees", (double)camera->fov);
    return true;
}

static bool Render(const wfTraceScene* scene, uint8_t* bytes, wfError* err) {
    const wfRenderDef* def = scene->def;
    int width = def->width, height = def->height;
    int threads = def->threadCount > 0 ? def->threadCount : omp_get_max_threads();
    wfCameraDef camera = def->camera.given ? def->camera : wfFrameCamera(scene->lo, scene->hi, (float)width / (float)height, def->zUp);
    wfView view = wfView_Make(scene, &camera);
    wfArena arena = {0};
    size_t count = (size_t)width * (size_t)height;
    wfPixel* pixels = wfArena_New(&arena, wfPixel, count, "a picture", err);
    float(*scratch)[4] = wfArena_Alloc(&arena, 2 * count, sizeof *scratch, "a picture", err);
    if (pixels == NULL || scratch == NULL) {
        wfArena_Free(&arena);
        return false;
    }
    int across = (width + tileSize - 1) / tileSize, tiles = across * ((height + tileSize - 1) / tileSize);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int tile = 0; tile < tiles; ++tile) {
        int x0 = tile % across * tileSize, y0 = tile / across * tileSize;
        for (int y = y0; y < y0 + tileSize && y < height; ++y)
            for (int x = x0; x < x0 + tileSize && x < width; ++x)
                TracePixel(scene, &view, x, y, &pixels[(size_t)y * (size_t)width + (size_t)x]);
    }
    wfFilterLight(pixels, width, height, scratch, threads);
    for (size_t i = 0; i < count; ++i) {
        float dither = wfDither((int)(i % (size_t)width), (int)(i / (size_t)width));
        bytes[3 * i] = wfToByte(pixels[i].color.x, dither);
        bytes[3 * i + 1] = wfToByte(pixels[i].color.y, dither);
        bytes[3 * i + 2] = wfToByte(pixels[i].color.z, dither);
    }
    wfArena_Free(&arena);
    if (def->heatTitle != NULL) wfDrawLegend(bytes, width, height, def->heatTitle, def->heatMin, def->heatMax);
    return true;
}

bool wfRender(const wfRenderObject* objects, int count, const wfRenderDef* def, uint8_t* pixels, wfError* err) {
    WF_TRY(CheckDef(def, err));
    wfTraceScene scene;
    bool ok = wfTraceScene_Build(&scene, objects, count, def, err) && Render(&scene, pixels, err);
    wfTraceScene_Free(&scene);
    return ok;
}
