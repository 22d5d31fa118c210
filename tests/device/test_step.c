// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "compute/kernel.h"
#include "step/step.h"

// Every kernel of a step on the reference and on the device: a sheet, held along one side, falls on a turning sphere, a box, a
// capsule and a plane in gusty wind.

enum { Side = WF_SLOW_BUILD ? 47 : 61, Count = Side * Side }; // triangles: two grains

typedef struct Rig {
    wfDevice* device;
    wfMesh mesh;
    wfTopology topology;
    wfFlatTriangle* flat;
    float *mass, *area;
    int* clothOf;
    wfClothRange cloth;
    wfFriction friction[5 * 5];
    wfModel model;
    wfState state;
    wfColliderSet colliders;
    wfStepParts parts;
    wfStepContext ctx;
    wfBuffer scratch;
} Rig;

static void MakeSheet(wfMesh* mesh) {
    wfMesh_Create(mesh, Count, 2 * (Side - 1) * (Side - 1), false, NULL);
    for (int i = 0; i < Count; ++i)
        mesh->positions[i] = wfMake3((float)(i % Side) / (Side - 1) - 0.5f, 0.4f, (float)(i / Side) / (Side - 1) - 0.5f);
    wfTriangle* t = mesh->triangles;
    for (int z = 0; z + 1 < Side; ++z)
        for (int x = 0; x + 1 < Side; ++x) {
            int v = z * Side + x;
            *t++ = (wfTriangle){{v, v + Side, v + 1}};
            *t++ = (wfTriangle){{v + 1, v + Side, v + Side + 1}};
        }
}

static bool Rig_Create(Rig* rig, wfDevice* device, const wfContactType* contact, const wfDynamicsDef* def, wfError* err) {
    *rig = (Rig){.device = device};
    MakeSheet(&rig->mesh);
    const wfMesh* m = &rig->mesh;
    wfMeshView view = wfMesh_View(m);
    rig->flat = calloc((size_t)m->triangleCount, sizeof *rig->flat);
    rig->mass = calloc(Count, sizeof(float));
    rig->area = calloc(Count, sizeof(float));
    rig->clothOf = calloc(Count, sizeof(int));
    WF_TRY(wfTopology_Create(&rig->topology, m->triangles, m->triangleCount, Count, err));
    WF_TRY(wfReferenceShape(&view, "sheet", rig->flat, err));
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch = 500.0f;
    fabric.bending = 1e-5f;
    fabric.thickness = 1e-3f;
    fabric.damping = 0.1f;
    fabric.rayleigh = def->integrator == wf_integrateBdf2 ? 2e-3f : 0.0f;
    rig->cloth = (wfClothRange){.name = "sheet", .vertexCount = Count, .triangleCount = m->triangleCount, .fabric = fabric};
    for (int t = 0; t < m->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            const int* v = m->triangles[t].v;
            rig->area[v[k]] += wfTriangleArea(m->positions[v[0]], m->positions[v[1]], m->positions[v[2]]) / 3.0f;
        }
    for (int i = 0; i < Count; ++i) rig->mass[i] = rig->area[i] * fabric.density;
    rig->model = (wfModel){.vertexCount = Count,
                           .triangleCount = m->triangleCount,
                           .clothCount = 1,
                           .start = m->positions,
                           .triangles = m->triangles,
                           .flat = rig->flat,
                           .mass = rig->mass,
                           .area = rig->area,
                           .clothOf = rig->clothOf,
                           .cloths = &rig->cloth,
                           .topology = &rig->topology,
                           .surfaceCount = 5,
                           .friction = rig->friction};
    for (int k = 0; k < 25; ++k) rig->friction[k] = (wfFriction){.hold = 0.45f, .slide = k % 5 == 1 ? 0.45f : 0.35f};
    wfState* s = &rig->state;
    s->vertexCount = Count;
    s->x = wfMakeBuffer(sizeof(wfVec4), "x");
    s->v = wfMakeBuffer(sizeof(wfVec4), "v");
    s->xStart = wfMakeBuffer(sizeof(wfVec4), "xStart");
    s->target = wfMakeBuffer(sizeof(wfVec4), "target");
    s->history = wfMakeBuffer(sizeof(wfVec4), "history");
    if (def->integrator == wf_integrateBdf2) wfReserve(device, &s->history, (size_t)2 * Count);
    wfVec4* host = calloc(Count, sizeof *host);
    wfReserve(device, &s->xStart, Count);
    wfUpload(device, &s->v, host, Count);
    for (int i = 0; i < Count; ++i) host[i] = wfMake4(m->positions[i], rig->mass[i]);
    wfUpload(device, &s->x, host, Count);
    for (int i = 0; i < Count; ++i) host[i].w = i < Side ? -1.0f : 0.0f;
    wfUpload(device, &s->target, host, Count);
    free(host);
    wfPose still = {{0.0f, 0.0f, 0.0f}, wfQuatIdentity()};
    wfShape shapes[4] = {
        {.kind = wf_shapeSphere, .radius = 0.2f, .surface = 1, .start = still, .end = still},
        {.kind = wf_shapePlane, .surface = 2, .start = still, .end = still},
        {.kind = wf_shapeBox, .half = {0.1f, 0.1f, 0.1f}, .surface = 3, .start = still, .end = still},
        {.kind = wf_shapeCapsule, .radius = 0.05f, .half = {0.0f, 0.2f, 0.0f}, .surface = 4, .start = still, .end = still}};
    shapes[0].start.translate.y = shapes[0].end.translate.y = 0.15f;
    shapes[0].end.rotate = wfQuatAxisAngle(wfMake3(0.0f, 1.0f, 0.0f), 0.02f);
    shapes[2].start.translate = shapes[2].end.translate = wfMake3(0.4f, 0.25f, 0.2f);
    shapes[3].start.translate = shapes[3].end.translate = wfMake3(-0.4f, 0.12f, 0.1f);
    shapes[3].start.rotate = shapes[3].end.rotate = wfQuatAxisAngle(wfMake3(1.0f, 0.0f, 0.3f), 1.2f);
    rig->colliders.shapes = wfMakeBuffer(sizeof(wfShape), "shapes");
    rig->colliders.shapeCount = 4;
    wfUpload(device, &rig->colliders.shapes, shapes, 4);
    rig->scratch = wfMakeBuffer(1, "scratch");
    rig->parts = (wfStepParts){.dynamics = &wfChebyshevDynamics, .contact = contact};
    rig->parts.forces = (wfForces){.gravity = {0.0f, -9.81f, 0.0f},
                                   .airDensity = 1.2f,
                                   .airDrag = 0.05f,
                                   .wind = {1.0f, 0.2f, 0.5f},
                                   .windNoise = 0.5f,
                                   .windSize = 0.3f,
                                   .seed = 1};
    rig->parts.dynamicsSelf = wfChebyshevDynamics.create(device, &rig->model, s, def, err);
    if (contact->create != NULL) rig->parts.contactSelf = contact->create(device, &rig->model, &rig->colliders, err);
    rig->ctx = (wfStepContext){
        .device = device, .model = &rig->model, .state = s, .colliders = &rig->colliders, .dt = 0.005f, .scratch = &rig->scratch};
    return rig->parts.dynamicsSelf != NULL && (contact->create == NULL || rig->parts.contactSelf != NULL);
}

static void Rig_Free(Rig* rig) {
    wfChebyshevDynamics.destroy(rig->parts.dynamicsSelf, rig->device);
    if (rig->parts.contact->destroy != NULL) rig->parts.contact->destroy(rig->parts.contactSelf, rig->device);
    wfBuffer* buffers[] = {&rig->state.x,          &rig->state.v, &rig->state.xStart, &rig->state.target,
                           &rig->colliders.shapes, &rig->scratch, &rig->state.history};
    for (int k = 0; k < 7; ++k) wfFreeBuffer(rig->device, buffers[k]);
    free(rig->flat);
    free(rig->mass);
    free(rig->area);
    free(rig->clothOf);
    wfTopology_Free(&rig->topology);
    wfMesh_Free(&rig->mesh);
}

static void Rig_Step(Rig* rig, int steps) {
    for (int k = 0; k < steps; ++k) {
        wfSequentialStepper.step(&rig->parts, &rig->ctx, NULL);
        rig->ctx.time += rig->ctx.dt;
        rig->ctx.index += 1;
    }
}

static float LargestDifference(Rig* a, Rig* b) {
    wfVec4* x = calloc(Count, sizeof *x);
    wfVec4* y = calloc(Count, sizeof *y);
    wfDownload(a->device, x, &a->state.x, 0, Count, NULL);
    wfDownload(b->device, y, &b->state.x, 0, Count, NULL);
    float most = 0.0f;
    for (int i = 0; i < Count; ++i) {
        float d = wfDistance(wfXyz(x[i]), wfXyz(y[i]));
        if (!(d <= most)) most = d; // NaN stays
    }
    free(x);
    free(y);
    return most;
}

/// Puts the sheet at a slant through the shapes, at rest.
static void Lower(Rig* rig) {
    wfVec4* x = calloc(Count, sizeof *x);
    for (int i = 0; i < Count; ++i) {
        wfVec3 p = rig->mesh.positions[i];
        x[i] = wfMake4(wfMake3(p.x, 0.15f + 0.4f * p.z + 0.1f * p.x, p.z), rig->mass[i]);
    }
    wfUploadRange(rig->device, &rig->state.xStart, 0, x, Count);
    for (int i = 0; i < Count; ++i) x[i].y -= 0.01f * (1.0f + x[i].x);
    wfUploadRange(rig->device, &rig->state.x, 0, x, Count);
    free(x);
}

void TestStep(wfDevice* reference, wfDevice* device) {
    Rig a, b;
    wfError err = {0};
    wfDynamicsDef def = {.elastic = {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic}};
    bool ok = Rig_Create(&a, reference, &wfProjectContact, &def, &err);
    ok = Rig_Create(&b, device, &wfProjectContact, &def, &err) && ok;
    ENSURE(ok, "%s", err.text);
    if (!ok) return;
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    Rig_Step(&a, 1);
    Rig_Step(&b, 1);
    float one = LargestDifference(&a, &b); // the sheet is about 1 m across: an absolute difference is a relative one
    ENSURE(cpu ? one == 0.0f : one <= 1e-5f, "positions after 1 step differ by %g", (double)one);

    // Free flight in the wind, long enough to repeat the graph, short enough that nothing has touched: once cloth buckles over an edge,
    // rounding grows to millimetres within ten steps on any two backends.
    int64_t warm = wfDevice_GetAllocCount(device);
    Rig_Step(&a, 11);
    Rig_Step(&b, 11);
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    float many = LargestDifference(&a, &b);
    ENSURE(cpu ? many == 0.0f : many <= 1e-4f, "positions after 12 steps differ by %g", (double)many);

    wfMeasure ma, mb;
    ENSURE(wfChebyshevDynamics.measure(a.parts.dynamicsSelf, &a.ctx, &ma, &err), "%s", err.text);
    ENSURE(wfChebyshevDynamics.measure(b.parts.dynamicsSelf, &b.ctx, &mb, &err), "%s", err.text);
    ENSURE_NEAR(ma.worstStretch, mb.worstStretch, cpu ? 0.0 : 2e-3);
    ENSURE_NEAR(ma.elasticEnergy, mb.elasticEnergy, cpu ? 0.0 : 1e-2 * fabs(ma.elasticEnergy));
    if (!cpu)
        printf("     stretch %.4f, %.4f; energy %.4g, %.4g J\n", (double)ma.worstStretch, (double)mb.worstStretch, ma.elasticEnergy,
               mb.elasticEnergy);
    // Contact alone, from the same positions: the sheet lowered into all four shapes, once.
    Lower(&a);
    Lower(&b);
    wfProjectContact.correct(a.parts.contactSelf, &a.ctx);
    wfProjectContact.correct(b.parts.contactSelf, &b.ctx);
    float corrected = LargestDifference(&a, &b);
    ENSURE(cpu ? corrected == 0.0f : corrected <= 1e-6f, "corrected positions differ by %g", (double)corrected);
    int64_t ca = wfProjectContact.count(a.parts.contactSelf, &a.ctx), cb = wfProjectContact.count(b.parts.contactSelf, &b.ctx);
    ENSURE(ca > 500 && ca == cb, "contacts: %lld, %lld", (long long)ca, (long long)cb);
    Rig_Step(&b, 60); // on from there, into all the shapes: no fault
    ENSURE(wfDevice_TakeFault(device).code == wf_faultNone, "a fault without cause");

    // A position that is not finite is reported with the lowest index at fault, and only once.
    wfVec4 bad = {.x = NAN, .y = 0.0f, .z = 0.0f, .w = b.mass[7]};
    wfUploadRange(device, &b.state.x, 1234, &bad, 1);
    wfUploadRange(device, &b.state.x, 777, &bad, 1);
    Rig_Step(&b, 1);
    wfFault fault = wfDevice_TakeFault(device);
    ENSURE(fault.code == wf_faultNotFinite && fault.index == 777, "fault %d at %d", fault.code, fault.index);
    ENSURE(wfDevice_TakeFault(device).code == wf_faultNone, "a fault was reported twice");
    if (!cpu) printf("     after 1 step %.3g m apart, after 12 steps %.3g m\n", (double)one, (double)many);
    Rig_Free(&a);
    Rig_Free(&b);
}

/// Stretches the sheet by 3 % over a wavy shape and holds its boundary there: under tension rounding does not grow, as it does in a sheet
/// that is about to buckle.
static void Stretch(Rig* rig, bool hold) {
    wfVec4* x = calloc(Count, sizeof *x);
    for (int i = 0; i < Count; ++i) {
        wfVec3 p = rig->mesh.positions[i];
        x[i] = wfMake4(wfMake3(1.03f * p.x, p.y + 0.02f * sinf(9.0f * p.x), 1.03f * p.z), rig->mass[i]);
    }
    wfUploadRange(rig->device, &rig->state.x, 0, x, Count);
    for (int i = 0; i < Count; ++i)
        x[i].w = hold && (i < Side || i >= Count - Side || i % Side == 0 || i % Side == Side - 1) ? -1.0f : 0.0f;
    wfUploadRange(rig->device, &rig->state.target, 0, x, Count);
    free(x);
}

/// Every membrane and bending model, both integrators: three steps, and what they measure.
void TestModels(wfDevice* reference, wfDevice* device) {
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    for (int k = 0; k < 10; ++k) {
        // Each membrane with quadratic bending, then fabric with every other bending; two look at the start for rest angles; the last one
        // flies freely, for a step, as it draws together.
        wfDynamicsDef def = {.elastic = {.membrane = k < 4 ? (wfMembraneModel)k : wf_membraneFabric,
                                         .bending = k < 4    ? wf_bendingQuadratic
                                                    : k == 4 ? wf_bendingDihedral
                                                    : k == 5 ? wf_bendingMeshless
                                                    : k == 6 ? wf_bendingSprings
                                                    : k == 8 ? wf_bendingDihedral
                                                             : wf_bendingQuadratic,
                                         .restAngles = k == 7 || k == 8},
                             .integrator = k % 2 == 0 || k == 9 ? wf_integrateEuler : wf_integrateBdf2,
                             .iterations = 70};
        Rig a, b;
        wfError err = {0};
        bool ok = Rig_Create(&a, reference, &wfNoContact, &def, &err);
        ok = Rig_Create(&b, device, &wfNoContact, &def, &err) && ok;
        ENSURE(ok, "%s", err.text);
        if (!ok) return;
        Stretch(&a, k < 9);
        Stretch(&b, k < 9);
        Rig_Step(&a, k < 9 ? 3 : 1);
        Rig_Step(&b, k < 9 ? 3 : 1);
        float apart = LargestDifference(&a, &b);
        ENSURE(cpu ? apart == 0.0f : apart <= 1e-5f, "membrane %d, bending %d: positions after 3 steps differ by %g",
               (int)def.elastic.membrane, (int)def.elastic.bending, (double)apart);
        wfMeasure ma, mb;
        ENSURE(wfChebyshevDynamics.measure(a.parts.dynamicsSelf, &a.ctx, &ma, &err), "%s", err.text);
        ENSURE(wfChebyshevDynamics.measure(b.parts.dynamicsSelf, &b.ctx, &mb, &err), "%s", err.text);
        ENSURE_NEAR(ma.worstStretch, mb.worstStretch, cpu ? 0.0 : 1e-4);
        ENSURE_NEAR(ma.elasticEnergy, mb.elasticEnergy, cpu ? 0.0 : 1e-3 * fabs(ma.elasticEnergy));
        if (!cpu) printf("     model %d: %.3g m apart; energy %.5g, %.5g J\n", k, (double)apart, ma.elasticEnergy, mb.elasticEnergy);
        Rig_Free(&a);
        Rig_Free(&b);
    }
}
