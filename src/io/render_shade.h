// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What a ray of the camera sees, and what a pixel keeps of its rays.

#include "io/render_scene.h"

/// The camera and the lights, made once a picture.
typedef struct wfView {
    wfVec3 eye, right, up, forward; // right and up are scaled by the half size of the picture at distance 1
    wfVec3 worldUp;
    float pixelAngle; // width of a pixel at distance 1
    wfVec3 keyDirection, keyTangent, keyBitangent;
    wfVec3 fillDirection;
    wfVec3 floorLight; // what falls on the open floor, key and sky
} wfView;

typedef enum wfSurface { wf_surfaceFloor = -1, wf_surfaceBackground = -2, wf_surfaceMixed = -3 } wfSurface;

/// One sample. The light that is noisy (a ray a sample) is told apart from what it falls on, so that the filter smooths only the light:
/// color = fixed + keyResponse * visibility + skyResponse * sky.
typedef struct wfShade {
    wfVec3 fixed;
    wfVec3 keyResponse;
    wfVec3 skyResponse;
    float visibility; // of the key light
    wfVec3 sky;
    wfVec3 normal, position;
    int surface; // index of the object, or one of wfSurface
} wfShade;

/// Numbers in [0, 1) for one sample.
typedef struct wfSampleSet {
    float pixel[2], key[2], sky[2];
} wfSampleSet;

wfView wfView_Make(const wfTraceScene* scene, const wfCameraDef* camera);
/// Stratified over the sampleCount samples of a round; rounds of a pixel are independent.
wfSampleSet wfSamplePixel(int x, int y, int round, int sample, int sampleCount);
wfShade wfShadePixel(const wfTraceScene* scene, const wfView* view, float px, float py, const wfSampleSet* set);

/// The colour map of heat, linear RGB; t in [0, 1].
wfVec3 wfHeatColor(float t);

/// Draws the legend into a finished picture.
void wfDrawLegend(uint8_t* pixels, int width, int height, const char* title, float lo, float hi);

/// Tone curve and sRGB: linear light to a byte. dither in [-0.5, 0.5] is added before rounding, against steps in soft gradients.
uint8_t wfToByte(float linear, float dither);
float wfDither(int x, int y);

/// What the rays of a pixel add up to.
typedef struct wfPixel {
    wfVec3 color;
    wfVec3 keyResponse, skyResponse;
    wfVec3 normal, position;
    float light[4];    // visibility, sky
    float variance[2]; // of the mean: visibility, luminance of the sky
    int surface;       // as in wfShade where all rays agree, else mixed
} wfPixel;

/// How bright light looks, for measuring its noise. rgb: 3 floats.
static inline float wfLuminance(const float* rgb) { return 0.25f * rgb[0] + 0.6f * rgb[1] + 0.15f * rgb[2]; }

/// Smooths the light between pixels that see the same surface and puts it into color. scratch holds 2 * width * height elements of 4
/// floats.
void wfFilterLight(wfPixel* pixels, int width, int height, float (*scratch)[4], int threadCount);
