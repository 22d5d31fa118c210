// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <stdlib.h>

// Pins on the device: a row of pinned vertices, each with the list of its pins in the order they were created, so that a vertex with
// several of them has one writer and one answer. A link says where the vertex is in the frame of a pose: that of its pin, relative to the
// start, or that of the triangle it is tied to where a collider changes its shape.

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

// The collider whose shape changes under a pin, or NULL.
static const wfCollider* ChangingCollider(const wfScene* scene, const wfPin* pin) {
    if (WF_ID_IS_NULL(pin->def.follow)) return NULL;
    const wfCollider* collider = scene->colliders[pin->def.follow.index1 - 1];
    return collider->sequence != NULL ? collider : NULL;
}

static size_t CountAnchors(const wfScene* scene) {
    size_t count = 0;
    for (int i = 0; i < scene->pinCount; ++i) {
        if (ChangingCollider(scene, scene->pins[i]) != NULL) count += (size_t)scene->pins[i]->def.vertexCount;
    }
    return count;
}

static wfPinLink MakeLink(wfScene* scene, Link link) {
    const wfPinDef* def = &scene->pins[link.pin]->def;
    const wfCollider* changing = ChangingCollider(scene, scene->pins[link.pin]);
    wfVec3 start = scene->model.start[link.vertex];
    wfPinLink out = {link.pin, start, start};
    if (changing == NULL && def->attach != wf_attachSurface) return out;
    wfAnchor* anchor = changing != NULL ? &scene->pinAnchors[scene->pinAnchorCount] : NULL;
    wfVec3 normal, nearest = wfCollider_NearestPoint(scene->colliders[def->follow.index1 - 1], start, &normal, anchor);
    // The cloth lies on the surface: its middle is half its thickness away, where contact puts it too.
    float half = 0.5f * scene->model.cloths[scene->model.clothOf[link.vertex]].fabric.thickness;
    if (def->attach == wf_attachSurface) out.goal = wfMulAdd(nearest, half, normal);
    if (anchor == NULL) return out;
    anchor->pin = link.pin;
    wfPose frame = wfAnchor_PoseAt(anchor, 0.0);
    out.pose = scene->pinCount + scene->pinAnchorCount++;
    out.start = wfPose_Unapply(frame, out.start);
    out.goal = wfPose_Unapply(frame, out.goal);
    return out;
}

static bool UploadLinks(wfScene* scene, wfArena* temporary, wfError* err) {
    size_t count = CountLinks(scene), n = 0, unique = 0, pinned = 0;
    Link* links = wfArena_New(temporary, Link, count, "pins", err);
    wfPinLink* made = wfArena_New(temporary, wfPinLink, count, "pins", err);
    wfPinnedVertex* vertices = wfArena_New(temporary, wfPinnedVertex, count, "pins", err);
    if (links == NULL || made == NULL || vertices == NULL) return false;
    for (int i = 0; i < scene->pinCount; ++i) {
        const wfPinDef* def = &scene->pins[i]->def;
        int first = scene->cloths[def->cloth.index1 - 1]->firstVertex;
        for (int k = 0; k < def->vertexCount; ++k) links[n++] = (Link){first + def->vertices[k], i};
    }
    qsort(links, n, sizeof *links, CompareLinks);
    for (size_t i = 0; i < n; ++i) {
        if (i > 0 && CompareLinks(&links[i], &links[i - 1]) == 0) continue; // a pin that names a vertex twice
        if (i == 0 || links[i].vertex != links[i - 1].vertex) { vertices[pinned++] = (wfPinnedVertex){links[i].vertex, (int)unique, 0}; }
        ++vertices[pinned - 1].count;
        made[unique++] = MakeLink(scene, links[i]);
    }
    scene->pinnedCount = (int)pinned;
    wfUpload(scene->device, &scene->pinnedVertices, vertices, pinned);
    wfUpload(scene->device, &scene->pinLinks, made, unique);
    return true;
}

bool wfScene_CreatePins(wfScene* scene, wfError* err) {
    scene->pinnedVertices = wfMakeBuffer(sizeof(wfPinnedVertex), "scene.pinnedVertices");
    scene->pinLinks = wfMakeBuffer(sizeof(wfPinLink), "scene.pinLinks");
    scene->pinPoses = wfMakeBuffer(sizeof(wfPinPose), "scene.pinPoses");
    if (scene->pinCount == 0) return true;
    if (CountLinks(scene) > INT32_MAX / 2) return wfFail(err, wf_badInput, "scene: too many pinned vertices");
    size_t anchorCount = CountAnchors(scene), poseCount = (size_t)scene->pinCount + anchorCount;
    scene->hostPinPoses = wfArena_New(&scene->arena, wfPinPose, poseCount, "pins", err);
    scene->pinAnchors = wfArena_New(&scene->arena, wfAnchor, anchorCount, "pins", err);
    if (scene->hostPinPoses == NULL || scene->pinAnchors == NULL) return false;
    for (int i = 0; i < scene->pinCount; ++i) {
        if (scene->pins[i]->def.stiffness > 0.0f) scene->parts.fold = wfScene_FoldPins;
    }
    scene->parts.foldSelf = scene;
    wfReserve(scene->device, &scene->pinPoses, poseCount);
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

// What is left of the way to the surface at the end of a step.
static float PinOpen(const wfScene* scene, const wfPinDef* def, double end) {
    wfSeamTiming timing = {-(double)scene->def.preroll, def->close};
    return def->attach == wf_attachSurface ? wfSeamTiming_Open(&timing, end) : 0.0f;
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
        out->open = PinOpen(scene, &pin->def, end);
    }
    for (int i = 0; i < scene->pinAnchorCount; ++i) {
        wfPinPose* out = &scene->hostPinPoses[scene->pinCount + i];
        *out = scene->hostPinPoses[scene->pinAnchors[i].pin];
        out->pose = wfAnchor_PoseAt(&scene->pinAnchors[i], wfMotionTime(end));
    }
    wfUpload(scene->device, &scene->pinPoses, scene->hostPinPoses, (size_t)scene->pinCount + (size_t)scene->pinAnchorCount);
    HoldPinsArgs args = {
        .vertices = wfData(&scene->pinnedVertices, wfPinnedVertex),
        .links = wfData(&scene->pinLinks, wfPinLink),
        .poses = wfData(&scene->pinPoses, wfPinPose),
        .target = wfData(&scene->state.target, wfVec4),
    };
    wfLaunch(scene->device, HoldPins, scene->pinnedCount, &args);
}

void wfScene_FoldPins(void* self, const wfStepContext* ctx) {
    wfScene* scene = self;
    FoldPinsArgs args = {
        .vertices = wfData(&scene->pinnedVertices, wfPinnedVertex),
        .links = wfData(&scene->pinLinks, wfPinLink),
        .poses = wfData(&scene->pinPoses, wfPinPose),
        .target = wfData(&ctx->state->target, wfVec4),
    };
    wfLaunch(ctx->device, FoldPins, scene->pinnedCount, &args);
}
