// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/carry.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "contact/carry_kernels.h"

enum { PerContact = sizeof(wfCarried) / sizeof(wfVec4) };
_Static_assert(sizeof(wfCarried) == PerContact * sizeof(wfVec4), "a checkpoint holds whole vectors");

wfCarry wfMakeCarry(void) { return (wfCarry){.contacts = wfMakeBuffer(sizeof(wfVec4), "carry.contacts")}; }

void wfCarry_Free(wfCarry* carry, wfDevice* device) { wfFreeBuffer(device, &carry->contacts); }

static wfCarried* Contacts(const wfCarry* carry) { return (wfCarried*)wfData(&carry->contacts, wfVec4); }

// Works where contacts are solved, which at the end of a step nobody needs any more.
void wfCarry_Keep(wfCarry* carry, wfTouches* t, const wfVec4* before, const wfVec4* after, float dt, wfBuffer* scratch) {
    carry->contacts.count = 0;
    if (t->count == 0) return;
    CarryStayArgs stay = {
        .touches = wfData(&t->touches, wfTouch),
        .responses = wfData(&t->responses, wfResponse),
        .first = wfData(&t->first, int),
        .last = wfData(&t->last, int),
        .values = wfData(&t->values, int),
        .weights = wfTouches_Weights(t),
        .surfaceOf = wfData(&t->mesh->surfaceOf, int),
        .from = wfData(&t->mesh->from, wfVec4),
        .before = before,
        .after = after,
        .stays = wfData(&t->folded, wfVec4),
        .clothVertexCount = t->mesh->clothVertexCount,
        .dt = dt,
    };
    wfLaunch(t->device, CarryStay, t->mesh->clothVertexCount, &stay);
    CarryFlagArgs flag = {stay.touches, stay.responses, (int*)wfData(&t->energies, float)};
    wfLaunch(t->device, CarryFlag, t->count, &flag);
    int count = wfCountFlagged(t->device, flag.flags, t->count, scratch), bits = 1;
    if (count == 0) return;
    int* list = wfData(&t->values, int);
    wfListFlagged(t->device, flag.flags, list, t->count, scratch);
    CarryKeysArgs keys = {stay.touches, list, (uint32_t*)wfData(&t->changes, wfVec4)};
    wfLaunch(t->device, CarryKeys, count, &keys);
    while (t->mesh->clothVertexCount >> bits != 0) ++bits;
    wfSortPairs(t->device, keys.keys, list, count, bits, scratch);
    wfReserve(t->device, &carry->contacts, (size_t)count * PerContact);
    CarryWriteArgs write = {stay.touches, stay.responses, stay.stays, list, Contacts(carry), t->mesh->clothVertexCount, dt};
    wfLaunch(t->device, CarryWrite, count, &write);
}

void wfCarry_Give(const wfCarry* carry, wfTouches* t, int count, float dt) {
    int carried = (int)(carry->contacts.count / PerContact);
    if (carried == 0) return;
    CarryGiveArgs give = {Contacts(carry), wfData(&t->touches, wfTouch), wfData(&t->responses, wfResponse), carried, dt};
    wfLaunch(t->device, CarryGive, count, &give);
}
