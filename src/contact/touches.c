// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/touches.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "contact/touches_kernels.h"

enum { Sweeps = 16 };
static const float s_give = 0.1f;    // of the thickness: how far the stiffness of a vertex may be pushed in before there is more of it
static const float s_firmest = 8.0f; // times the stiffness: what cloth that is wrung tight needs, and iterations still bear

void wfTouches_Create(wfTouches* t, wfDevice* device, const wfContactMesh* mesh, float stiffness) {
    *t = (wfTouches){
        .device = device,
        .mesh = mesh,
        .stiffness = stiffness,
        .touches = wfMakeBuffer(sizeof(wfTouch), "touches.touches"),
        .responses = wfMakeBuffer(sizeof(wfResponse), "touches.responses"),
        .changes = wfMakeBuffer(sizeof(wfVec4), "touches.changes"),
        .values = wfMakeBuffer(sizeof(int), "touches.values"),
        .first = wfMakeBuffer(sizeof(int), "touches.first"),
        .last = wfMakeBuffer(sizeof(int), "touches.last"),
        .borne = wfMakeBuffer(sizeof(int), "touches.borne"),
        .moves = wfMakeBuffer(sizeof(wfVec4), "touches.moves"),
        .folded = wfMakeBuffer(sizeof(wfVec4), "touches.folded"),
        .sums = wfMakeBuffer(sizeof(wfTermForce), "touches.sums"),
        .energies = wfMakeBuffer(sizeof(float), "touches.energies"),
        .energy = wfMakeBuffer(sizeof(float), "touches.energy"),
        .scratch = wfMakeBuffer(1, "touches.scratch"),
        .energyScratch = wfMakeBuffer(1, "touches.energyScratch"),
        .countNow = wfMakeBuffer(sizeof(int), "touches.countNow"),
        .meets = wfMakeBuffer(sizeof(int), "touches.meets"),
        .groups = wfMakeBuffer(sizeof(int), "touches.groups"),
        .shape = 1,
    };
    size_t n = (size_t)mesh->clothVertexCount;
    wfReserve(device, &t->first, n + 1);
    wfReserve(device, &t->last, n + 1);
    wfReserve(device, &t->folded, n);
    wfReserve(device, &t->sums, n);
    wfReserve(device, &t->energy, 1);
    wfReserve(device, &t->countNow, 1);
    wfReserve(device, &t->moves, (size_t)mesh->vertexCount);
}

void wfTouches_Free(wfTouches* t) {
    if (t->device == NULL) return;
    wfBuffer* buffers[] = {&t->touches,       &t->responses, &t->changes, &t->values,   &t->first,  &t->last,
                           &t->moves,         &t->folded,    &t->sums,    &t->energies, &t->energy, &t->scratch,
                           &t->energyScratch, &t->countNow,  &t->borne,   &t->meets,    &t->groups};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(t->device, buffers[k]);
}

// Room for `count` elements, of which the first `kept` stay. What is behind them is zero until written.
static void Grow(wfDevice* device, wfBuffer* buffer, size_t kept, size_t count) {
    if (count <= buffer->capacity) {
        buffer->count = count;
        return;
    }
    wfBuffer larger = wfMakeBuffer(buffer->stride, buffer->name);
    wfReserve(device, &larger, count); // which is a round number already
    wfZero(device, &larger);
    if (kept > 0) wfCopy(device, &larger, buffer, kept);
    wfFreeBuffer(device, buffer);
    *buffer = larger;
    buffer->count = count;
}

// A number of contacts to launch for: a power of two, so that it changes seldom, as recording anew takes longer than a step.
static int PowerFor(int count) {
    int power = count > 0 ? 1024 : 0;
    while (power < count) power *= 2;
    return power;
}

// A number of contacts to have memory for. That grows for good, so it need not be as round: two hundred bytes a contact are much of what a
// step needs.
static int RoomFor(int count) {
    int power = PowerFor(count), part = power / 8;
    if (power <= 1024) return power;
    return (count + part - 1) / part * part;
}

void wfTouches_MakeRoom(wfTouches* t, int count) {
    size_t kept = (size_t)t->count, all = (size_t)RoomFor(t->count + count);
    if (all > t->touches.capacity) ++t->shape;
    Grow(t->device, &t->touches, kept, all);
    Grow(t->device, &t->responses, kept, all);
    Grow(t->device, &t->changes, 0, all);
    Grow(t->device, &t->energies, 0, all);
    Grow(t->device, &t->values, 0, 4 * all);
}

// What sorting has put there is not needed any more, and is more: a key and a value an entry.
float* wfTouches_Weights(const wfTouches* t) { return t->scratch.data; }

static void FindBorne(wfTouches* t) {
    wfReserve(t->device, &t->borne, (size_t)t->mesh->vertexCount);
    wfZero(t->device, &t->borne);
    TouchBearArgs bear = {
        .touches = wfData(&t->touches, wfTouch),
        .from = wfData(&t->mesh->from, wfVec4),
        .layerOf = wfData(&t->mesh->layerOf, int),
        .borne = wfData(&t->borne, int),
    };
    for (int rank = 0; rank < t->mesh->layerCount; ++rank) {
        bear.layer = rank;
        wfLaunch(t->device, TouchBear, t->count, &bear);
    }
}

// In the order of contacts, so that sums have one order.
void wfTouches_Sort(wfTouches* t) {
    int none = t->mesh->clothVertexCount, entries = 4 * t->count, bits = 1;
    while (none >> bits != 0) ++bits;
    wfZero(t->device, &t->first);
    wfZero(t->device, &t->last);
    if (t->outward) FindBorne(t);
    TouchEntriesArgs fill = {
        .touches = wfData(&t->touches, wfTouch),
        .from = wfData(&t->mesh->from, wfVec4),
        .layerOf = t->outward ? wfData(&t->mesh->layerOf, int) : NULL,
        .borne = wfData(&t->borne, int),
        .keys = (uint32_t*)wfData(&t->changes, wfVec4), // which are not there yet
        .values = wfData(&t->values, int),
        .none = none,
    };
    wfLaunch(t->device, TouchEntries, t->count, &fill);
    const void* before = t->scratch.data;
    wfSortPairs(t->device, fill.keys, fill.values, entries, bits, &t->scratch);
    if (t->scratch.data != before) ++t->shape; // the weights are somewhere else
    TouchRangesArgs ranges = {
        .keys = fill.keys,
        .values = fill.values,
        .touches = fill.touches,
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .weights = wfTouches_Weights(t),
        .count = entries,
    };
    wfLaunch(t->device, TouchRanges, entries, &ranges);
}

void wfTouches_Place(wfTouches* t) {
    TouchMovesArgs args = {wfData(&t->mesh->from, wfVec4), wfData(&t->mesh->to, wfVec4), wfData(&t->moves, wfVec4)};
    wfLaunch(t->device, TouchMoves, t->mesh->vertexCount, &args);
}

static int TileCount(int vertexCount) { return (vertexCount + wf_touchTile - 1) / wf_touchTile; }

void wfTouches_Solve(wfTouches* t) {
    TouchSolveArgs solve = {
        .touches = wfData(&t->touches, wfTouch),
        .responses = wfData(&t->responses, wfResponse),
        .moves = wfData(&t->moves, wfVec4),
        .changes = wfData(&t->changes, wfVec4),
        .count = t->count,
    };
    int vertexCount = t->mesh->clothVertexCount, tiles = TileCount(vertexCount);
    TouchApplyArgs apply = {
        .count = vertexCount,
        .changes = solve.changes,
        .from = wfData(&t->mesh->from, wfVec4),
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .moves = wfData(&t->moves, wfVec4),
    };
    TouchActiveArgs active = {solve.touches, solve.responses, solve.moves, solve.changes};
    wfLaunch(t->device, TouchActive, t->count, &active);
    wfLaunch(t->device, TouchApply, tiles, &apply);
    for (int sweep = 1; sweep <= Sweeps; ++sweep) {
        // Nesterov 1983; the last one goes no further than it found right.
        solve.carry = sweep < Sweeps ? (float)(sweep - 1) / (float)(sweep + 2) : 0.0f;
        wfLaunch(t->device, TouchSolve, wfTileCount(t->count), &solve);
        wfLaunch(t->device, TouchApply, tiles, &apply);
    }
}

// ---- terms --------------------------------------------------------------------------------------------------------------------

static TouchSpringArgs Springs(const wfTouches* t, const wfVec4* x) {
    return (TouchSpringArgs){
        .count = wfData(&t->countNow, int),
        .touches = wfData(&t->touches, wfTouch),
        .responses = wfData(&t->responses, wfResponse),
        .x = x,
        .from = wfData(&t->mesh->from, wfVec4),
        .moves = wfData(&t->moves, wfVec4),
        .forces = wfData(&t->changes, wfVec4),
        .clothVertexCount = t->mesh->clothVertexCount,
        .stiffness = t->stiffness,
        .dt = t->dt,
        .released = t->released,
    };
}

static void ShareStiffness(wfTouches* t) {
    TouchLoadArgs load = {
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .responses = wfData(&t->responses, wfResponse),
        .loads = wfData(&t->folded, wfVec4),
    };
    wfLaunch(t->device, TouchLoad, t->mesh->clothVertexCount, &load);
    TouchShareArgs share = {
        .touches = wfData(&t->touches, wfTouch),
        .responses = wfData(&t->responses, wfResponse),
        .loads = load.loads,
        .clothVertexCount = t->mesh->clothVertexCount,
        .firmAt = fmaxf(s_give * 2.0f * t->mesh->thickest * t->stiffness * t->dt * t->dt, 1e-30f),
        .firmest = s_firmest,
    };
    wfLaunch(t->device, TouchShare, t->count, &share);
}

static const wfVec4* Fold(void* self, const wfVec4* x, const wfVec4* target) {
    wfTouches* t = self;
    if (t->room == 0) return target;
    TouchSpringArgs springs = Springs(t, x);
    wfLaunch(t->device, TouchSpring, wfTileCount(t->room), &springs);
    int vertexCount = t->mesh->clothVertexCount;
    TouchFoldArgs fold = {
        .count = vertexCount,
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .forces = springs.forces,
        .x = x,
        .target = target,
        .out = wfData(&t->folded, wfVec4),
    };
    wfLaunch(t->device, TouchFold, TileCount(vertexCount), &fold);
    return fold.out;
}

static const wfTermForce* Forces(void* self, const wfVec4* x) {
    wfTouches* t = self;
    if (t->room == 0) return NULL;
    TouchForcesArgs args = {
        .springs = Springs(t, x),
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .surfaceOf = wfData(&t->mesh->surfaceOf, int),
        .out = wfData(&t->sums, wfTermForce),
    };
    wfLaunch(t->device, TouchForces, t->mesh->clothVertexCount, &args);
    return args.out;
}

static void AddEnergy(void* self, const wfVec4* x, float* energy) {
    wfTouches* t = self;
    if (t->room == 0) return;
    TouchEnergyArgs args = {Springs(t, x), wfData(&t->energies, float)};
    wfLaunch(t->device, TouchEnergy, t->room, &args);
    TouchAddEnergyArgs add = {wfData(&t->energy, float), energy};
    wfSum(t->device, args.energies, wfData(&t->energy, float), t->room, &t->energyScratch);
    wfLaunch(t->device, TouchAddEnergy, 1, &add);
}

static void Release(void* self) { ((wfTouches*)self)->released = true; }

static void Settle(void* self, const wfVec4* x, wfVec4* target, float span) {
    wfTouches* t = self;
    if (t->room == 0) return;
    TouchSpringArgs springs = Springs(t, x);
    wfLaunch(t->device, TouchSpring, wfTileCount(t->room), &springs);
    TouchImpulseArgs impulse = {springs.count, springs.forces, wfData(&t->responses, wfResponse), span};
    wfLaunch(t->device, TouchImpulse, t->room, &impulse);
    TouchSettleArgs settle = {
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .forces = springs.forces,
        .target = target,
    };
    wfLaunch(t->device, TouchSettle, t->mesh->clothVertexCount, &settle);
}

// Which cloths hang together.
static const int* Groups(wfTouches* t) {
    int cloths = t->mesh->clothCount;
    if (cloths < 2) return NULL;
    wfReserve(t->device, &t->meets, (size_t)cloths * (size_t)cloths);
    wfReserve(t->device, &t->groups, 2 * (size_t)cloths);
    wfZero(t->device, &t->meets);
    TouchMeetArgs meet = {wfData(&t->touches, wfTouch), wfData(&t->mesh->surfaceOf, int), wfData(&t->meets, int), cloths};
    wfLaunch(t->device, TouchMeet, t->count, &meet);
    TouchGroupArgs group = {meet.meets, wfData(&t->groups, int), wfData(&t->groups, int) + cloths, cloths};
    wfLaunch(t->device, TouchGroup, 1, &group);
    return group.groups;
}

wfStepTerms wfTouches_Terms(wfTouches* t, float dt) {
    int room = PowerFor(t->count), most = (int)t->touches.capacity;
    if (room > most) room = most;
    if (room != t->room) {
        ++t->shape;
        t->room = room;
        wfSum(t->device, wfData(&t->energies, float), wfData(&t->energy, float), room, &t->energyScratch); // which may not grow later
    }
    if (dt != t->dt) ++t->shape;
    t->dt = dt;
    t->released = false;
    wfUpload(t->device, &t->countNow, &t->count, 1);
    if (t->count > 0) ShareStiffness(t);
    return (wfStepTerms){
        .self = t,
        .shape = t->shape,
        .groups = Groups(t),
        .fold = Fold,
        .forces = Forces,
        .addEnergy = AddEnergy,
        .release = Release,
        .settle = Settle,
    };
}
