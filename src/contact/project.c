// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"
#include "contact/project_kernels.h"

#include "compute/primitives.h"

#include <stdlib.h>

// The first contact method: after the dynamics, vertices inside an exact shape go to its surface, with Coulomb friction.
// It knows neither mesh colliders nor cloth against cloth, and says so in its flags.

typedef struct Projector {
    wfBuffer half, friction, clothOf, touching, offsets, scratch;
} Projector;

static void Destroy(void* self, wfDevice* device) {
    Projector* p = self;
    if (p == NULL) return;
    wfBuffer* buffers[] = {&p->half, &p->friction, &p->clothOf, &p->touching, &p->offsets, &p->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    free(p);
}

static void* Create(wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    (void)colliders;
    Projector* p = calloc(1, sizeof *p);
    if (p == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for contact");
        return NULL;
    }
    p->half = wfMakeBuffer(sizeof(float), "contact.half");
    p->friction = wfMakeBuffer(sizeof(wfFriction), "contact.friction");
    p->clothOf = wfMakeBuffer(sizeof(int), "contact.clothOf");
    p->touching = wfMakeBuffer(sizeof(int), "contact.touching");
    p->offsets = wfMakeBuffer(sizeof(int), "contact.offsets");
    p->scratch = wfMakeBuffer(1, "contact.scratch");
    wfReserve(device, &p->half, (size_t)model->clothCount);
    for (int k = 0; k < model->clothCount; ++k) {
        float half = 0.5f * model->cloths[k].fabric.thickness;
        wfUploadRange(device, &p->half, (size_t)k, &half, 1);
    }
    wfUpload(device, &p->friction, model->friction, (size_t)model->surfaceCount * (size_t)model->surfaceCount);
    wfUpload(device, &p->clothOf, model->clothOf, (size_t)model->vertexCount);
    wfReserve(device, &p->touching, (size_t)model->vertexCount);
    wfReserve(device, &p->offsets, (size_t)model->vertexCount + 1);
    wfZero(device, &p->touching);
    if (!wfDevice_Sync(device, err)) {
        Destroy(p, device);
        return NULL;
    }
    return p;
}

static void Correct(void* self, const wfStepContext* ctx) {
    Projector* p = self;
    ProjectArgs args = {
        .x = wfData(&ctx->state->x, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
        .shapes = wfData(&ctx->colliders->shapes, wfShape),
        .shapeCount = ctx->colliders->shapeCount,
        .half = wfData(&p->half, float),
        .friction = wfData(&p->friction, wfFriction),
        .surfaceCount = ctx->model->surfaceCount,
        .clothOf = wfData(&p->clothOf, int),
        .touching = wfData(&p->touching, int),
    };
    wfLaunch(ctx->device, Project, ctx->state->vertexCount, &args);
}

static int64_t Count(void* self, const wfStepContext* ctx) {
    Projector* p = self;
    int n = ctx->state->vertexCount;
    wfScanExclusive(ctx->device, wfData(&p->touching, int), wfData(&p->offsets, int), n, &p->scratch);
    return wfReadInt(ctx->device, wfData(&p->offsets, int) + n);
}

const wfContactType wfProjectContact = {
    .name = "project",
    .about = "vertices out of planes, spheres, boxes and capsules, with Coulomb friction; no mesh colliders, no self contact",
    .create = Create,
    .destroy = Destroy,
    .correct = Correct,
    .count = Count,
};

const wfContactType wfNoContact = {.name = "none", .about = "no contact at all"};

const wfContactType* const wfContactTypes[] = {&wfImpulseContact, &wfRepulsionContact, &wfUntangleContact,
                                               &wfProjectContact, &wfNoContact,        NULL};
