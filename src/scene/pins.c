// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <stdlib.h>

// Pins on the device: a row of pinned vertices, each with the list of its pins in the order they were created, so that a vertex with
// several of them has one writer and one answer.

typedef struct Link {
    int vertex, pin; // of the model, of the scene
} Link;

static int CompareLinks(const void* a, const void* b) {
    const Link *p = a, *q = b;
    return p->vertex != q->vertex ? (p->vertex > q->vertex) - (p->vertex < q->vertex) : (p->pin > q->pin) - (p->pin < q->pin);
}

static size_t CountLinks(const wfScene* scene) {
    size_t count = 0;
    for (int i = 0; i < scene->pinCount; ++i) count += (size_t)scene->pins[i]->def.vertexCount;
    return count;
}

static bool UploadLinks(wfScene* scene, wfArena* temporary, wfError* err) {
    size_t count = CountLinks(scene), n = 0, unique = 0, pinned = 0;
    Link* links = wfArena_New(temporary, Link, count, "pins", err);
    int* pins = wfArena_New(temporary, int, count, "pins", err);
    wfPinnedVertex* vertices = wfArena_New(temporary, wfPinnedVertex, count, "pins", err);
    if (links == NULL || pins == NULL || vertices == NULL) return false;
    for (int i = 0; i < scene->pinCount; ++i) {
        const wfPinDef* def = &scene->pins[i]->def;
        int first = scene->cloths[def->cloth.index1 - 1]->firstVertex;
        for (int k = 0; k < def->vertexCount; ++k) links[n++] = (Link){first + def->vertices[k], i};
    }
    qsort(links, n, sizeof *links, CompareLinks);
    for (size_t i = 0; i < n; ++i) {
        if (i > 0 && CompareLinks(&links[i], &links[i - 1]) == 0) continue; // a pin that names a vertex twice
        if (i == 0 || links[i].vertex != links[i - 1].vertex) {
            vertices[pinned++] = (wfPinnedVertex){links[i].vertex, (int)unique, 0, scene->model.start[links[i].vertex]};
        }
        ++vertices[pinned - 1].count;
        pins[unique++] = links[i].pin;
    }
    scene->pinnedCount = (int)pinned;
    wfUpload(scene->device, &scene->pinnedVertices, vertices, pinned);
    wfUpload(scene->device, &scene->pinLinks, pins, unique);
    return true;
}

bool wfScene_CreatePins(wfScene* scene, wfError* err) {
    scene->pinnedVertices = wfMakeBuffer(sizeof(wfPinnedVertex), "scene.pinnedVertices");
    scene->pinLinks = wfMakeBuffer(sizeof(int), "scene.pinLinks");
    scene->pinPoses = wfMakeBuffer(sizeof(wfPinPose), "scene.pinPoses");
    scene->hostPinPoses = wfArena_New(&scene->arena, wfPinPose, scene->pinCount, "pins", err);
    if (scene->hostPinPoses == NULL) return false;
    if (scene->pinCount == 0) return true;
    if (CountLinks(scene) > INT32_MAX) return wfFail(err, wf_badInput, "scene: too many pinned vertices");
    for (int i = 0; i < scene->pinCount; ++i) {
        if (scene->pins[i]->def.stiffness > 0.0f) scene->parts.fold = wfScene_FoldPins;
    }
    scene->parts.foldSelf = scene;
    wfReserve(scene->device, &scene->pinPoses, (size_t)scene->pinCount);
    wfArena temporary = {0};
    bool ok = UploadLinks(scene, &temporary, err) && wfDevice_Sync(scene->device, err);
    wfArena_Free(&temporary);
    return ok;
}

// Where a pin is, relative to the start.
static wfPose PinPoseAt(const wfScene* scene, const wfPin* pin, double time) {
    const wfPinDef* def = &pin->def;
    if (!WF_ID_IS_NULL(def->follow)) {
        const wfCollider* collider = scene->colliders[def->follow.index1 - 1];
        return wfPose_Mul(wfCollider_PoseAt(collider, time), wfPose_Inverse(wfCollider_PoseAt(collider, 0.0)));
    }
    wfPose pose = wfMotion_At(&pin->motion, time);
    pose.translate = wfAdd(pose.translate, wfSub(def->center, wfRotate(pose.rotate, def->center)));
    return pose;
}

void wfScene_MovePins(wfScene* scene, double start, double end) {
    if (scene->pinCount == 0) return;
    for (int i = 0; i < scene->pinCount; ++i) {
        const wfPin* pin = scene->pins[i];
        wfPinPose* out = &scene->hostPinPoses[i];
        out->pose = PinPoseAt(scene, pin, wfMotionTime(end));
        // Step times carry rounding: a pin that lets go at 0.5 s does so in the step that begins at 0.4999999999.
        bool released = pin->def.release >= 0.0f && start + 1e-9 >= (double)pin->def.release;
        out->stiffness = released ? -1.0f : pin->def.stiffness;
    }
    wfUpload(scene->device, &scene->pinPoses, scene->hostPinPoses, (size_t)scene->pinCount);
    HoldPinsArgs args = {
        .vertices = wfData(&scene->pinnedVertices, wfPinnedVertex),
        .links = wfData(&scene->pinLinks, int),
        .poses = wfData(&scene->pinPoses, wfPinPose),
        .target = wfData(&scene->state.target, wfVec4),
    };
    wfLaunch(scene->device, HoldPins, scene->pinnedCount, &args);
}

void wfScene_FoldPins(void* self, const wfStepContext* ctx) {
    wfScene* scene = self;
    FoldPinsArgs args = {
        .vertices = wfData(&scene->pinnedVertices, wfPinnedVertex),
        .links = wfData(&scene->pinLinks, int),
        .poses = wfData(&scene->pinPoses, wfPinPose),
        .target = wfData(&ctx->state->target, wfVec4),
    };
    wfLaunch(ctx->device, FoldPins, scene->pinnedCount, &args);
}
