// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"
#include "app/progress.h"
#include "app/report.h"
#include "app/run_cleanup.h"
#include "app/run_output.h"
#include "app/stop.h"

#include "base/clock.h"
#include "base/error.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RunOptions {
    const char *output, *frames;
    int device; // wfDeviceKind
    int threads;
    wfTextList set;
    bool resume, colliders, noCheck, quiet;
    int format; // wfRunFormat
    int checkpointEvery;
} RunOptions;

#define FIELD(name) .offset = offsetof(RunOptions, name)
static const wfOption s_rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = wf_optionText,
     FIELD(output),
     .value = "DIR",
     .about =
         "folder for the results; it is made, or must be empty or hold an earlier run, which is replaced once the scene has been read"},
    {.name = "frames",
     .kind = wf_optionText,
     FIELD(frames),
     .value = "A:B",
     .about = "end at frame B and write from frame A on; \":B\" and \"A:\" leave the other as the scene says"},
    {.name = "device",
     .kind = wf_optionChoice,
     FIELD(device),
     .value = "auto|cpu|cuda",
     .about = "where to compute; auto takes CUDA when a GPU answers"},
    {.name = "threads",
     .kind = wf_optionInt,
     FIELD(threads),
     .hi = 1024,
     .value = "N",
     .about = "CPU threads; 0 is one a core. The result is the same for any number"},
    {.name = "set",
     .kind = wf_optionList,
     FIELD(set),
     .value = "KEY=VALUE",
     .about = "set a value of the scene file, as cloths.sheet.fabric.bending=1e-5 or a parameter of its own, n=200; may be repeated"},
    {.name = "resume",
     .kind = wf_optionFlag,
     FIELD(resume),
     .about = "go on from the last checkpoint in the folder, to the same bits as a run that never stopped"},
    {.name = "format",
     .kind = wf_optionChoice,
     FIELD(format),
     .value = "pc2|ply|obj|gltf|usda",
     .about = "beside the caches (pc2): a ply or obj file a frame, or one gltf or usda file at the end"},
    {.name = "colliders",
     .kind = wf_optionFlag,
     FIELD(colliders),
     .about = "write the colliders in the format as well, not as caches alone"},
    {.name = "no-check",
     .kind = wf_optionFlag,
     FIELD(noCheck),
     .about = "do not count intersecting triangles in each frame; the report then says null"},
    {.name = "checkpoint-every",
     .kind = wf_optionInt,
     FIELD(checkpointEvery),
     .lo = 1,
     .hi = INT_MAX,
     .value = "N",
     .about = "frames between checkpoints, default 10"},
    {.name = "quiet", .letter = 'q', .kind = wf_optionFlag, FIELD(quiet), .about = "say nothing but warnings and errors"},
};
static const wfOptionTable s_table = {
    .command = "run",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .minArguments = 1,
    .maxArguments = 1,
    .notes = "SCENE is a YAML file or the name of a built-in scene (weft scenes). The folder then holds, for each object, its start shape\n"
             "(NAME.obj) and its frames (NAME.pc2), report.jsonl with a line a frame, run.json with the list of objects, and\n"
             "checkpoint.wfc. Ctrl-C stops after the current step and writes a checkpoint.\n"
             "Exit code: 0 done, 1 it could not go on, 2 bad input, 3 the device or a disk failed, 130 stopped.\n",
};

typedef struct Run {
    RunOptions options;
    const char* sceneName;
    int firstFrame, lastFrame;
    wfDevice* device;
    wfScene* scene;
    wfRunOutput* output;
    wfReport* report;
    wfProgress progress;
    double frameStart;  // [s] of the clock
    int64_t worstPairs; // over the frames, -1 while none was checked
    int worstPairsFrame;
    int firstPinched, lastPinched; // frames, -1 where there are none
    wfCertificate pinch;           // of the first of them
    int resumed;                   // frame that is already written, -1 where the run begins anew
    bool writing;                  // from here on a failing file is the system's fault and not the caller's
} Run;

static bool OnStep(void* user, int64_t step, double time) {
    Run* run = user;
    (void)step;
    wfProgress_Step(&run->progress, time);
    return !wfIsStopped();
}

// ---- opening ----------------------------------------------------------------------------------------------------------------------

static bool ParseFrame(const char* text, size_t length, int* out) {
    if (length == 0) return true;
    if (length > 9 || strspn(text, "0123456789") < length) return false;
    *out = atoi(text);
    return true;
}

static bool ParseFrames(const char* text, int* first, int* last, wfError* err) {
    const char* colon = strchr(text, ':');
    bool fits =
        colon != NULL && text[1] != 0 && ParseFrame(text, (size_t)(colon - text), first) && ParseFrame(colon + 1, strlen(colon + 1), last);
    if (fits && *first <= *last) return true;
    if (fits) return wfFail(err, wf_badInput, "--frames: expected A:B with A <= B, got %d:%d", *first, *last);
    return wfFail(err, wf_badInput, "--frames: expected A:B, A: or :B with whole numbers, got \"%s\"", text);
}

static void Note(const Run* run, const char* text) {
    if (!run->options.quiet) fprintf(stderr, "weft: %s: %s\n", run->options.output, text);
}

/// What was moved in a tangled start.
static void NoteStart(const Run* run) {
    wfStartReport r = wfScene_GetStartReport(run->scene);
    if (r.pairs == 0) return;
    char text[256];
    const char* cloth = wfCloth_GetName(run->scene, wfScene_GetCloth(run->scene, r.cloth));
    snprintf(
        text, sizeof text,
        "untangled the start: %lld pairs gone in %d round%s, %d vertices moved by %.3g mm on average, at most %.3g mm (cloth \"%.64s\", "
        "vertex %d)",
        (long long)r.pairs, r.rounds, r.rounds == 1 ? "" : "s", r.movedCount, 1e3 * (double)r.mean, 1e3 * (double)r.largest, cloth,
        r.vertex);
    Note(run, text);
}

static bool OpenScene(Run* run, wfSceneFile* info, wfError* err) {
    char path[1024];
    WF_TRY(wfApp_FindScene(run->sceneName, path, sizeof path, err));
    if (run->options.threads > 0) omp_set_num_threads(run->options.threads); // of what runs on the host
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = (wfDeviceKind)run->options.device;
    def.threadCount = run->options.threads;
    run->device = wfCreateDevice(&def, err);
    if (run->device == NULL) return false;
    run->scene = wfLoadScene(run->device, path, run->options.set.items, run->options.set.count, info, err);
    if (run->scene == NULL) return false;
    WF_TRY(wfScene_Commit(run->scene, err));
    NoteStart(run);
    run->lastFrame = wfScene_GetDef(run->scene)->frames;
    return run->options.frames == NULL || ParseFrames(run->options.frames, &run->firstFrame, &run->lastFrame, err);
}

/// Reads the checkpoint, if there is one to go on from.
static bool LoadCheckpoint(Run* run, bool earlier, wfError* err) {
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/checkpoint.wfc", run->options.output);
    if (!earlier || access(path, F_OK) != 0) {
        Note(run, "no checkpoint to resume from; begins at frame 0");
        return true;
    }
    int firstFrame;
    char report[wf_runPathSize];
    snprintf(report, sizeof report, "%s/report.jsonl", run->options.output);
    WF_TRY(wfReport_ReadFirstFrame(report, &firstFrame, err));
    if (firstFrame != run->firstFrame) {
        return wfFail(err, wf_badInput, "--resume: the run in %s writes from frame %d on, expected --frames %d:..., got %d",
                      run->options.output, firstFrame, firstFrame, run->firstFrame);
    }
    WF_TRY(wfScene_LoadCheckpoint(run->scene, path, err));
    // Whoever was stopped while the cloth settled has no frame 0 yet.
    run->resumed = wfScene_GetTime(run->scene) < 0.0 ? -1 : wfScene_GetFrame(run->scene);
    return true;
}

static bool OpenOutput(Run* run, const wfSceneFile* info, bool earlier, wfError* err) {
    const char* title = info->title[0] != 0 ? info->title : run->sceneName;
    wfRunOutputDef def = {run->options.output,    title,          info->camera, (wfRunFormat)run->options.format,
                          run->options.colliders, run->firstFrame};
    run->output = wfRunOutput_Create(&def, run->scene, err);
    if (run->output == NULL) return false;
    WF_TRY(wfRunOutput_Lock(run->output, err));
    if (run->options.resume) WF_TRY(LoadCheckpoint(run, earlier, err));
    if (earlier && !run->options.resume) Note(run, "replaces the earlier run");
    run->writing = true;
    WF_TRY(run->resumed >= 0 ? wfRunOutput_Resume(run->output, run->resumed, err) : wfRunOutput_Start(run->output, err));
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/report.jsonl", run->options.output);
    wfReportHeader header = {run->sceneName, run->options.set.items, run->options.set.count, run->firstFrame};
    run->report = wfReport_Open(path, run->scene, run->device, &header, run->resumed, err);
    return run->report != NULL;
}

// ---- running ----------------------------------------------------------------------------------------------------------------------

static bool SaveCheckpoint(Run* run, wfError* err) {
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/checkpoint.wfc", run->options.output);
    return wfScene_SaveCheckpoint(run->scene, path, err);
}

/// Whether no frame may have intersecting pairs.
static bool KeepsApart(const wfContactType* contact) { return contact->selfContact && contact->meshContact && !contact->anyStart; }

static bool FailFrame(wfScene* scene, int frame, wfError* err) {
    char rule[80];
    snprintf(rule, sizeof rule, "must keep frame %d, which is not written, free of intersections", frame);
    return wfScene_RequireClean(scene, wf_stepFailed, rule, err);
}

/// Certifies the current state and writes it down as a frame.
static bool RecordFrame(Run* run, wfFrameRecord* record, wfError* err) {
    *record = (wfFrameRecord){0};
    wfCertificate* c = &record->certificate;
    WF_TRY(wfScene_Certify(run->scene, !run->options.noCheck, c, err));
    if (c->intersectingPairs > 0 && KeepsApart(run->scene->parts.contact)) return FailFrame(run->scene, c->frame, err);
    double start = wfSeconds();
    WF_TRY(wfRunOutput_WriteFrame(run->output, run->scene, err));
    double end = wfSeconds();
    c->stageSeconds[wf_stageOutput] += end - start;
    record->seconds = end - run->frameStart;
    record->memory = wfDevice_GetMemory(run->device);
    run->frameStart = end;
    if (c->intersectingPairs > run->worstPairs) {
        run->worstPairs = c->intersectingPairs;
        run->worstPairsFrame = c->frame;
    }
    if (c->pinchedVertices > 0) {
        if (run->firstPinched < 0) run->pinch = *c;
        if (run->firstPinched < 0) run->firstPinched = c->frame;
        run->lastPinched = c->frame;
    }
    return wfReport_Add(run->report, run->scene, record, err);
}

static void WarnOfContact(const Run* run) {
    const wfScene* scene = run->scene;
    const wfContactType* contact = scene->parts.contact;
    if (!contact->selfContact) {
        fprintf(stderr, "weft: warning: contact \"%s\": this contact method does not handle cloth against itself\n", contact->name);
    }
    for (int i = 0; i < scene->colliderCount && !contact->meshContact; ++i) {
        if (scene->colliders[i]->def.shape != wf_shapeMesh) continue;
        fprintf(stderr, "weft: warning: contact \"%s\": this contact method does not handle mesh colliders; cloth falls through \"%s\"\n",
                contact->name, scene->colliders[i]->def.name);
        break;
    }
}

static bool RunFrames(Run* run, wfError* err) {
    const wfSceneDef* def = wfScene_GetDef(run->scene);
    int stepsPerFrame = (int)ceil(1.0 / ((double)def->frame_rate * (double)def->time_step) - 1e-4);
    wfProgress_Begin(&run->progress, run->options.quiet, wfScene_GetFrame(run->scene), run->lastFrame, (double)def->frame_rate,
                     stepsPerFrame);
    wfScene_SetProgress(run->scene, OnStep, run);
    run->frameStart = wfSeconds();
    wfFrameRecord record;
    if (run->resumed < 0) {
        WF_TRY(wfScene_Preroll(run->scene, err));
        WF_TRY(RecordFrame(run, &record, err));
        run->progress.frameStart = run->frameStart;
    }
    while (wfScene_GetFrame(run->scene) < run->lastFrame) {
        if (wfIsStopped()) return wfFail(err, wf_cancelled, "interrupted");
        WF_TRY(wfScene_StepFrame(run->scene, err));
        WF_TRY(RecordFrame(run, &record, err));
        int frame = record.certificate.frame;
        wfProgress_Frame(&run->progress, frame, &record.certificate);
        if (frame % run->options.checkpointEvery == 0 || frame >= run->lastFrame) WF_TRY(SaveCheckpoint(run, err));
    }
    return true;
}

static bool Finish(Run* run, wfError* err) {
    wfReport* report = run->report;
    run->report = NULL;
    WF_TRY(wfReport_Close(report, err));
    return wfRunOutput_Finish(run->output, err);
}

static void PrintSummary(const Run* run, double seconds) {
    int count = run->lastFrame - (run->resumed > 0 ? run->resumed : 0);
    char duration[32], each[32];
    wfFormatDuration(seconds, duration, sizeof duration);
    wfFormatDuration(count > 0 ? seconds / count : 0.0, each, sizeof each);
    if (run->resumed >= run->lastFrame) {
        printf("%s: already has frame %d\n", run->options.output, run->lastFrame);
        return;
    }
    int first = run->resumed + 1 > run->firstFrame ? run->resumed + 1 : run->firstFrame;
    printf("%s: frames %d to %d in %s, %s a frame", run->options.output, first, run->lastFrame, duration, each);
    if (run->worstPairs < 0) {
        printf("; intersections not checked\n");
    } else if (run->worstPairs == 0) {
        printf("; no intersections\n");
    } else {
        printf("; up to %" PRId64 " intersecting triangle pairs (frame %d)\n", run->worstPairs, run->worstPairsFrame);
    }
}

static void PrintPinch(const Run* run) {
    if (run->firstPinched < 0) return;
    const wfScene* scene = run->scene;
    const wfCertificate* c = &run->pinch;
    printf("%s: frames %d to %d: cloth \"%s\" was pinched between colliders \"%s\" and \"%s\", inside which it lies there\n",
           run->options.output, run->firstPinched, run->lastPinched, wfCloth_GetName(scene, wfScene_GetCloth(scene, c->pinchedCloth)),
           wfCollider_GetName(scene, wfScene_GetCollider(scene, c->pinchedColliders[0])),
           wfCollider_GetName(scene, wfScene_GetCollider(scene, c->pinchedColliders[1])));
}

static int Fail(Run* run, const wfError* err) {
    wfProgress_Clear(&run->progress);
    int code = wfApp_Fail(err);
    return run->writing && err->code == wf_fileFailed ? wf_exitFailed : code;
}

static int Interrupted(Run* run) {
    wfError err = {0};
    if (!SaveCheckpoint(run, &err)) return Fail(run, &err);
    wfProgress_Clear(&run->progress);
    fprintf(stderr, "weft: interrupted after frame %d; --resume goes on\n", wfScene_GetFrame(run->scene));
    return wf_exitInterrupted;
}

static int Execute(Run* run) {
    wfError err = {0};
    wfSceneFile info = {0};
    bool earlier;
    // The folder is looked at before the scene is read, which may take long, and written to only after.
    if (!wfRunOutput_CheckFolder(run->options.output, &earlier, &err) || !OpenScene(run, &info, &err) ||
        !OpenOutput(run, &info, earlier, &err)) {
        return Fail(run, &err);
    }
    WarnOfContact(run);
    wfCatchSignals();
    double start = wfSeconds();
    bool ok = RunFrames(run, &err);
    if (!ok && err.code == wf_cancelled) return Interrupted(run);
    if (!ok || !Finish(run, &err)) return Fail(run, &err);
    wfProgress_Clear(&run->progress);
    if (!run->options.quiet) {
        PrintSummary(run, wfSeconds() - start);
        PrintPinch(run);
    }
    return wf_exitOk;
}

int wfCmd_Run(int argc, char** argv) {
    Run run = {.options = {.checkpointEvery = 10}, .worstPairs = -1, .firstPinched = -1, .resumed = -1};
    int code = wfParseOptions(&s_table, &argc, argv, &run.options);
    if (code != wf_exitGoOn) return code;
    run.sceneName = argv[1];
    if (run.options.output == NULL) {
        wfError err = {0};
        wfFail(&err, wf_badInput, "run: expected -o DIR, the folder for the results");
        return wfApp_Fail(&err);
    }
    code = Execute(&run);
    wfReport_Close(run.report, NULL);
    wfRunOutput_Destroy(run.output);
    wfDestroyScene(run.scene);
    wfDestroyDevice(run.device);
    return code;
}
