// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render_shade.h"

#include <string.h>

// An edge-avoiding wavelet filter over the light of a picture: four passes of a 5 x 5 kernel whose taps lie 1, 2, 4, 8 pixels apart. A tap
// counts as far as its pixel lies on the same smooth surface and its light differs by no more than the noise. Pixels that see two surfaces
// stay as they are. Colours and weave are not touched.
// Rows are independent in each pass: the same bits for any number of threads.

static const float s_kernel[3] = {0.375f, 0.25f, 0.0625f};

// Like exp(-x * x), but zero beyond 2 and free of calls.
static float Bell(float x) {
    float t = fmaxf(0.0f, 1.0f - 0.25f * x * x);
    return t * t * t * t;
}

static float Fit(const wfPixel* a, const wfPixel* b) {
    // Mean normals: shorter than 1 where a pixel sees two folds of one cloth, which then fits no other.
    float cosine = wfDot(a->normal, b->normal);
    if (a->surface != b->surface || cosine <= 0.5f) return 0.0f;
    float c2 = cosine * cosine, c4 = c2 * c2, c8 = c4 * c4;
    wfVec3 d = wfSub(b->position, a->position);
    float span = wfLength(d);
    // How far b lies off a's tangent plane, as a slope: a curved surface passes, a step does not.
    float off = span > 0.0f ? fabsf(wfDot(d, a->normal)) / span : 0.0f;
    return c8 * c8 * Bell(off / 0.28f);
}

// The noise of the neighbourhood: a single pixel's own estimate is zero where all its rays happened to agree.
static void Noise(const wfPixel* pixels, int width, int height, int x, int y, float out[2]) {
    float sum[2] = {0, 0}, count = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < height; ++j) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < width; ++i, ++count) {
            const wfPixel* pixel = &pixels[(size_t)j * (size_t)width + (size_t)i];
            sum[0] += pixel->variance[0];
            sum[1] += pixel->variance[1];
        }
    }
    out[0] = sqrtf(sum[0] / count);
    out[1] = sqrtf(sum[1] / count);
}

static void FilterRow(const wfPixel* pixels, int width, int height, const float (*in)[4], float (*out)[4], int y, int step) {
    for (int x = 0; x < width; ++x) {
        size_t at = (size_t)y * (size_t)width + (size_t)x;
        const wfPixel* own = &pixels[at];
        const float* light = in[at];
        float sum[4] = {0, 0, 0, 0}, sumKey = 0.0f, sumSky = 0.0f;
        if (own->surface == wf_surfaceBackground || own->surface == wf_surfaceMixed || wfLengthSq(own->normal) < 0.95f) {
            memcpy(out[at], light, sizeof out[at]);
            continue;
        }
        float noise[2];
        Noise(pixels, width, height, x, y, noise);
        // The noise shrinks with every pass, so later passes must be stricter.
        float keyScale = 1.0f / (3.0f * noise[0] / (float)step + 0.02f), skyScale = 1.0f / (3.0f * noise[1] / (float)step + 0.01f);
        for (int j = -2; j <= 2; ++j) {
            int row = y + j * step;
            if (row < 0 || row >= height) continue;
            for (int i = -2; i <= 2; ++i) {
                int column = x + i * step;
                if (column < 0 || column >= width) continue;
                size_t tap = (size_t)row * (size_t)width + (size_t)column;
                float w = s_kernel[i < 0 ? -i : i] * s_kernel[j < 0 ? -j : j];
                const float* other = in[tap];
                if (tap != at) w *= Fit(own, &pixels[tap]);
                if (w < 1e-5f) continue;
                float key = fabsf(other[0] - light[0]) * keyScale, sky = fabsf(wfLuminance(other + 1) - wfLuminance(light + 1)) * skyScale;
                float wKey = w * Bell(key), wSky = w * Bell(sky);
                sum[0] += wKey * other[0];
                for (int k = 1; k < 4; ++k) sum[k] += wSky * other[k];
                sumKey += wKey;
                sumSky += wSky;
            }
        }
        out[at][0] = sum[0] / sumKey;
        for (int k = 1; k < 4; ++k) out[at][k] = sum[k] / sumSky;
    }
}

void wfFilterLight(wfPixel* pixels, int width, int height, float (*scratch)[4], int threadCount) {
    size_t count = (size_t)width * (size_t)height;
    float(*in)[4] = scratch, (*out)[4] = scratch + count;
    for (size_t i = 0; i < count; ++i) memcpy(in[i], pixels[i].light, sizeof in[i]);
    for (int step = 1; step <= 8; step *= 2) {
#pragma omp parallel for schedule(dynamic, 8) num_threads(threadCount)
        for (int y = 0; y < height; ++y) FilterRow(pixels, width, height, (const float(*)[4])in, out, y, step);
        float(*swap)[4] = in;
        in = out;
        out = swap;
    }
    for (size_t i = 0; i < count; ++i) {
        wfPixel* pixel = &pixels[i];
        float change[4];
        for (int k = 0; k < 4; ++k) change[k] = in[i][k] - pixel->light[k];
        pixel->color = wfMulAdd(pixel->color, change[0], pixel->keyResponse);
        pixel->color.x += pixel->skyResponse.x * change[1];
        pixel->color.y += pixel->skyResponse.y * change[2];
        pixel->color.z += pixel->skyResponse.z * change[3];
    }
}
