// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"
#include "app/picture_source.h"

#include "base/error.h"
#include "base/file.h"
#include "io/number.h"

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RenderOptions {
    const char *output, *frames, *size, *range, *video, *camera;
    int frame, samples, heat, strip, threads, up;
    bool wireframe;
} RenderOptions;

#define FIELD(name) offsetof(RenderOptions, name)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, FIELD(output), .value = "PNG|DIR", .about = "one picture, or a folder that gets 00042.png and so on"},
    {"frame", 0, wf_optionInt, FIELD(frame), 0, INT_MAX, "N", "the frame to draw; default: the last for one picture, else all"},
    {"frames", 0, wf_optionText, FIELD(frames), .value = "A:B", .about = "the frames from A to B, both drawn; either may be left out"},
    {"size", 0, wf_optionText, FIELD(size), .value = "WxH", .about = "pixels of a picture; default 960x720"},
    {"samples", 0, wf_optionInt, FIELD(samples), 1, 65536, "N", "rays a pixel; default 16"},
    {"wireframe", 0, wf_optionFlag, FIELD(wireframe), .about = "draw the edges of the triangles"},
    {"heat", 0, wf_optionChoice, FIELD(heat), .value = "none|strain|contact|speed",
     .about = "colour the cloth by: largest edge length over rest length, distance to the nearest collider, or speed"},
    {"heat-range", 0, wf_optionText, FIELD(range), .value = "LO:HI",
     .about = "values at the ends of the colours; default: those that occur"},
    {"video", 0, wf_optionText, FIELD(video), .value = "FILE", .about = "also (or only) make a video, .mp4 or .mkv; needs ffmpeg"},
    {"camera", 0, wf_optionText, FIELD(camera), .value = "EX,EY,EZ,TX,TY,TZ[,FOV]",
     .about = "eye, target and vertical angle [degrees]; default: as the scene says, else all of it"},
    {"strip", 0, wf_optionInt, FIELD(strip), 2, 64, "N", "one picture with N of the frames side by side"},
    {"up", 0, wf_optionChoice, FIELD(up), .value = "y|z", .about = "which axis points up in mesh files; a run knows"},
    {"threads", 0, wf_optionInt, FIELD(threads), 0, 1024, "N", "CPU threads; 0 is one a core. The picture is the same for any number"},
};
static const wfOptionTable s_table = {.command = "render",
                                      .rows = s_rows,
                                      .count = sizeof s_rows / sizeof s_rows[0],
                                      .minArguments = 1,
                                      .maxArguments = INT_MAX,
                                      .notes =
                                          "Mesh files (.obj, .ply, .stl) are drawn together: open ones as cloth, closed ones as bodies.\n"};

// What is to be made.
typedef struct Job {
    wfPictureSource source;
    wfRenderDef def;
    wfHeatKind heat;
    float distanceLimit;
    int* frames;
    int frameCount;
    bool folder; // output is a folder
    uint8_t* pixels;
} Job;

static bool EndsIn(const char* text, const char* ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

// Numbers with one of `separators` between them, at most `most`; returns how many, or -1.
static int ReadNumbers(const char* text, const char* separators, int most, float* out) {
    const char* end = text + strlen(text);
    for (int n = 0; n < most; ++n) {
        text = wfScanFloat(text, end, &out[n]);
        if (text == NULL || !isfinite(out[n])) return -1;
        if (*text == 0) return n + 1;
        if (strchr(separators, *text++) == NULL) return -1;
    }
    return -1;
}

static bool ReadSize(const char* text, wfRenderDef* def, wfError* err) {
    float v[2];
    if (ReadNumbers(text, "xX", 2, v) != 2 || v[0] != floorf(v[0]) || v[1] != floorf(v[1]) ||
        !(v[0] >= 1 && v[0] <= 16384 && v[1] >= 1 && v[1] <= 16384))
        return wfFail(err, wf_badInput, "--size: expected WxH with numbers from 1 to 16384, got \"%s\"", text);
    def->width = (int)v[0];
    def->height = (int)v[1];
    return true;
}

static bool ReadCamera(const char* text, wfCameraDef* camera, wfError* err) {
    float v[7] = {0, 0, 0, 0, 0, 0, 30.0f};
    if (ReadNumbers(text, ",", 7, v) < 6) return wfFail(err, wf_badInput, "--camera: expected EX,EY,EZ,TX,TY,TZ[,FOV], got \"%s\"", text);
    *camera = (wfCameraDef){.given = true, .eye = {v[0], v[1], v[2]}, .target = {v[3], v[4], v[5]}, .fov = v[6]};
    return true;
}

static bool ReadBound(const char* at, const char* end, int* out) {
    int64_t value;
    if (at == end) return true;
    if (wfScanInt(at, end, &value) != end || value < 0 || value > INT_MAX) return false;
    *out = (int)value;
    return true;
}

static bool ChooseFrames(Job* job, const RenderOptions* o, wfError* err) {
    int count = job->source.frameCount;
    if (count < 1) return wfFail(err, wf_badInput, "the run has no frame yet");
    bool many = job->folder || o->video != NULL || o->strip > 0;
    int start = job->source.firstFrame, end = start + count;
    int first = many ? start : end - 1, last = end - 1;
    if (o->frame >= 0 && o->frames != NULL) return wfFail(err, wf_badInput, "--frame and --frames: expected one of them");
    if (o->frame >= 0) first = last = o->frame;
    if (o->frames != NULL) {
        first = start;
        const char *colon = strchr(o->frames, ':'), *stop = o->frames + strlen(o->frames);
        if (colon == NULL || !ReadBound(o->frames, colon, &first) || !ReadBound(colon + 1, stop, &last) || first > last)
            return wfFail(err, wf_badInput, "--frames: expected A:B with A <= B, got \"%s\"", o->frames);
    }
    if (first < start || last >= end)
        return wfFail(err, wf_badInput, "frame %d asked for, there are %d (%d is the first)", first < start ? first : last, count, start);
    int range = last - first + 1;
    if (!many && range > 1)
        return wfFail(err, wf_badInput, "%s: %d frames for one picture; expected a folder, or --strip or --video", o->output, range);
    if (o->strip > range) return wfFail(err, wf_badInput, "--strip %d: there are %d frames", o->strip, range);
    job->frameCount = o->strip > 0 ? o->strip : range;
    job->frames = wfArena_New(&job->source.arena, int, job->frameCount, "frames", err);
    if (job->frames == NULL) return false;
    for (int i = 0; i < job->frameCount; ++i)
        job->frames[i] = first + (o->strip > 0 ? (int)lrint((double)i * (range - 1) / (o->strip - 1)) : i);
    return true;
}

static void AddBounds(const wfPictureSource* source, wfVec3* lo, wfVec3* hi) {
    for (int o = 0; o < source->count; ++o) {
        const wfRenderObject* r = &source->objects[o].render;
        for (int v = 0; source->objects[o].shown && v < r->vertexCount; ++v) {
            if (!wfIsFinite3(r->positions[v])) continue; // named when it is drawn
            *lo = wfMin3(*lo, r->positions[v]);
            *hi = wfMax3(*hi, r->positions[v]);
        }
    }
}

static void AddRange(const wfPictureSource* source, float* lo, float* hi) {
    for (int o = 0; o < source->count; ++o) {
        const wfRenderObject* r = &source->objects[o].render;
        for (int v = 0; r->heat != NULL && v < r->vertexCount; ++v) {
            if (!isfinite(r->heat[v])) continue;
            *lo = fminf(*lo, r->heat[v]);
            *hi = fmaxf(*hi, r->heat[v]);
        }
    }
}

// Camera, floor and colours are the same in all frames, so all are looked at before the first is drawn.
static bool LookAhead(Job* job, const RenderOptions* o, wfError* err) {
    wfPictureSource* source = &job->source;
    wfVec3 lo = {FLT_MAX, FLT_MAX, FLT_MAX}, hi = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int i = 0; i < job->frameCount; ++i) {
        WF_TRY(wfPictureSource_Read(source, job->frames[i], err));
        AddBounds(source, &lo, &hi);
    }
    if (lo.x > hi.x) lo = wfMake3(-0.5f, 0, -0.5f), hi = wfMake3(0.5f, 1, 0.5f);
    job->def.zUp = source->zUp;
    // A hair lower than what stands on it, which else would flicker through.
    job->def.floorHeight = (source->hasFloor ? source->floorHeight : source->zUp ? lo.z : lo.y) - 2e-4f * wfDistance(lo, hi);
    job->def.camera = source->camera;
    if (o->camera != NULL) WF_TRY(ReadCamera(o->camera, &job->def.camera, err));
    if (!job->def.camera.given) job->def.camera = wfFrameCamera(lo, hi, (float)job->def.width / (float)job->def.height, source->zUp);
    if (job->heat == wf_heatNone) return true;

    job->def.heatTitle = wfHeat_GetTitle(job->heat);
    job->distanceLimit = 0.1f * wfDistance(lo, hi); // what is farther than this is not near to contact
    if (o->range != NULL) {
        float v[2];
        if (ReadNumbers(o->range, ":", 2, v) != 2 || !(v[0] < v[1]))
            return wfFail(err, wf_badInput, "--heat-range: expected LO:HI with LO < HI, got \"%s\"", o->range);
        job->def.heatMin = v[0];
        job->def.heatMax = v[1];
        return true;
    }
    float low = FLT_MAX, high = -FLT_MAX;
    for (int i = 0; i < job->frameCount; ++i) {
        WF_TRY(wfPictureSource_Read(source, job->frames[i], err));
        WF_TRY(wfPictureSource_ReadHeat(source, job->heat, job->frames[i], job->distanceLimit, err));
        AddRange(source, &low, &high);
    }
    if (low > high) low = 0.0f, high = 1.0f; // cloth without a vertex
    job->def.heatMin = low;
    job->def.heatMax = fmaxf(high, low + 1e-4f * fmaxf(fabsf(low), 1e-3f)); // all the same: still a range
    return true;
}

static bool DrawFrame(Job* job, int frame, wfError* err) {
    wfPictureSource* source = &job->source;
    WF_TRY(wfPictureSource_Read(source, frame, err));
    WF_TRY(wfPictureSource_ReadHeat(source, job->heat, frame, job->distanceLimit, err));
    wfArena scratch = {0};
    wfRenderObject* shown = wfArena_New(&scratch, wfRenderObject, source->count, "objects", err);
    int count = 0;
    for (int o = 0; shown != NULL && o < source->count; ++o)
        if (source->objects[o].shown) shown[count++] = source->objects[o].render;
    bool ok = shown != NULL && wfRender(shown, count, &job->def, job->pixels, err);
    wfArena_Free(&scratch);
    return ok;
}

// Copies the picture just drawn into the strip, as its part number `part`.
static void AddToStrip(const Job* job, uint8_t* strip, int part) {
    size_t row = 3 * (size_t)job->def.width, wide = row * (size_t)job->frameCount;
    for (int y = 0; y < job->def.height; ++y) memcpy(strip + (size_t)y * wide + (size_t)part * row, job->pixels + (size_t)y * row, row);
}

static bool DrawAll(Job* job, const RenderOptions* o, wfVideo* video, uint8_t* strip, wfError* err) {
    bool terminal = isatty(STDERR_FILENO) == 1;
    bool ok = true;
    for (int i = 0; ok && i < job->frameCount; ++i) {
        if (terminal && job->frameCount > 1) fprintf(stderr, "\rpicture %d of %d ", i + 1, job->frameCount);
        ok = DrawFrame(job, job->frames[i], err);
        if (ok && video != NULL) ok = wfVideo_Add(video, job->pixels, err);
        if (ok && strip != NULL) AddToStrip(job, strip, i);
        if (!ok || o->output == NULL || strip != NULL) continue;
        char path[1024];
        int length = job->folder ? snprintf(path, sizeof path, "%s/%05d.png", o->output, job->frames[i])
                                 : snprintf(path, sizeof path, "%s", o->output);
        if (length >= (int)sizeof path) ok = wfFail(err, wf_badInput, "%.64s...: path is too long", o->output);
        ok = ok && wfWritePng(path, job->pixels, job->def.width, job->def.height, err);
    }
    if (terminal && job->frameCount > 1) fputs("\r\033[K", stderr);
    return ok;
}

static bool Prepare(Job* job, const RenderOptions* o, wfError* err) {
    if (o->output == NULL && o->video == NULL) return wfFail(err, wf_badInput, "-o: expected a picture (.png) or a folder to write to");
    if (o->strip > 0 && (o->output == NULL || job->folder))
        return wfFail(err, wf_badInput, "--strip: expected -o with a name that ends in .png");
    if (o->strip > 0 && o->video != NULL) return wfFail(err, wf_badInput, "--strip and --video: expected one of them");
    job->def = wfDefaultRenderDef();
    job->def.samples = o->samples;
    job->def.wireframe = o->wireframe;
    job->def.threadCount = o->threads;
    job->heat = (wfHeatKind)o->heat;
    if (o->size != NULL) WF_TRY(ReadSize(o->size, &job->def, err));
    WF_TRY(wfPictureSource_CheckHeat(&job->source, job->heat, err));
    WF_TRY(ChooseFrames(job, o, err));
    WF_TRY(LookAhead(job, o, err));
    job->pixels = wfArena_New(&job->source.arena, uint8_t, 3 * (size_t)job->def.width * (size_t)job->def.height, "a picture", err);
    if (job->pixels == NULL) return false;
    if (o->output == NULL) return true;
    return job->folder ? wfMakeFolder(o->output, err) : wfRequireWritable(o->output, err);
}

static bool Make(Job* job, const RenderOptions* o, wfError* err) {
    size_t bytes = 3 * (size_t)job->def.width * (size_t)job->def.height;
    uint8_t* strip = NULL;
    wfVideo* video = NULL;
    if (o->strip > 0) {
        if (job->def.width > 65535 / job->frameCount) // what PNG viewers take
            return wfFail(err, wf_badInput, "--strip: %d pictures of %d pixels are wider than 65535", job->frameCount, job->def.width);
        strip = wfArena_New(&job->source.arena, uint8_t, bytes * (size_t)job->frameCount, "a strip", err);
        if (strip == NULL) return false;
    }
    if (o->video != NULL) {
        video = wfVideo_Open(o->video, job->def.width, job->def.height, job->source.frameRate, err);
        if (video == NULL) return false;
    }
    bool ok = DrawAll(job, o, video, strip, err);
    if (ok && strip != NULL) ok = wfWritePng(o->output, strip, job->def.width * job->frameCount, job->def.height, err);
    return wfVideo_Close(video, err) && ok;
}

int wfCmd_Render(int argc, char** argv) {
    RenderOptions o = {.frame = -1, .samples = 16};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    Job job = {.folder = o.output != NULL && !EndsIn(o.output, ".png")};
    bool ok = wfPictureSource_Open(&job.source, argv + 1, argc - 1, o.up == 1, &err) && Prepare(&job, &o, &err) && Make(&job, &o, &err);
    if (ok && o.output != NULL && job.folder) printf("%s: %d picture%s\n", o.output, job.frameCount, job.frameCount == 1 ? "" : "s");
    if (ok && o.output != NULL && !job.folder) printf("%s\n", o.output);
    if (ok && o.video != NULL) printf("%s\n", o.video);
    wfPictureSource_Close(&job.source);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
