// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The seam of contact: which pairs, and what is done about them. A method leaves NULL what it does not have; a stepper asks for what it
// needs and refuses a method without it.
//   correct after:   (xStart, x) → a safe x with its friction                      untangle, project
//   take turns:      advance x toward other positions inside the method's limits    safe repulsion
//   solve together:  targets folded into state->target, then limit the step         barrier

#include "collide/shape.h"
#include "weft/types.h"

typedef struct wfContactType {
    const char* name;
    const char* about;
    bool selfContact; // answers cloth against cloth
    bool meshContact; // answers mesh colliders
    bool anyStart;    // takes a start in which cloth meets cloth or colliders
    void* (*create)(wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err);
    void (*destroy)(void* self, wfDevice* device);
    void (*detect)(void* self, const wfStepContext* ctx);
    void (*correct)(void* self, const wfStepContext* ctx);
    void (*advance)(void* self, const wfStepContext* ctx, const wfBuffer* toward);
    void (*targets)(void* self, const wfStepContext* ctx);
    void (*limit)(void* self, const wfStepContext* ctx);
    /// What was answered in the last step, vertices or pairs, as the method counts. Waits.
    int64_t (*count)(void* self, const wfStepContext* ctx);
    /// What of the method a checkpoint must hold, any number of wfVec4: NULL where there is nothing (yet). `load`: where to put it; NULL
    /// where it never has any. Zeros are as good as nothing.
    wfBuffer* (*memory)(void* self, bool load);
    /// What it took since the scene was made; NULL where there are no rounds.
    wfContactRounds (*rounds)(const void* self);
} wfContactType;

extern const wfContactType wfNoContact;
extern const wfContactType wfProjectContact;
extern const wfContactType wfImpulseContact;        // contact/impulse.h has its pieces
extern const wfContactType wfRepulsionContact;      // contact/repulsion.h has its pieces
extern const wfContactType wfUntangleContact;       // contact/resolve.h has its pieces
extern const wfContactType* const wfContactTypes[]; // ended by NULL
