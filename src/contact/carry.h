// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What contacts push, carried from one step to the next. A step finds its contacts anew, and while the dynamics iterates each of them is a
// spring on top of the force that it has. Did all begin with none, springs would first have to be pushed in by as much as holds the cloth:
// in a sheet that is wrung by thirty times its thickness, which impulses then have to take back. So a contact that was there in the last
// step begins with the force that it had. It is a start and no more: dynamics and impulses change it as they do any other.
//
// What a contact gave to slow something down is needed no longer. Of the force that all contacts give a vertex, the part that its change of
// velocity took is left out; and as forces go from layer to layer, each contact keeps as much of its own as the least of its vertices does.
// A vertex between two bodies keeps nothing: they give way to no force, so that it would only grow.

#include "contact/touches.h"

typedef struct wfCarried {
    wfQuad q;
    wfVec3 force; // [N] on what counts as positive in the contact
    int edges;    // whether q is two edges; else a point and a triangle
} wfCarried;

typedef struct wfCarry {
    wfBuffer contacts; // wfVec4, two a wfCarried, by their lowest vertices: what a checkpoint holds
} wfCarry;

wfCarry wfMakeCarry(void);
void wfCarry_Free(wfCarry* carry, wfDevice* device);

/// At the end of a step of dt [s], with the velocities at its beginning and at its end: notes what the contacts push. Their order by
/// vertices is lost. Waits.
void wfCarry_Keep(wfCarry* carry, wfTouches* touches, const wfVec4* before, const wfVec4* after, float dt, wfBuffer* scratch);
/// Gives the first `count` contacts what those of the last step had, where it is more than what they have. None of them may be there twice.
void wfCarry_Give(const wfCarry* carry, wfTouches* touches, int count, float dt);
