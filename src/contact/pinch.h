// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Cloth between two bodies that leave it no room: there is no motion that keeps it out of both, so what they pinch sticks to them as to
// flypaper until they part. Based on: Baraff, Witkin and Kass 2003, "Untangling cloth", section 5.
//
//   Mark   where a step cannot be made safe: its cloth vertices whose triangles are near two bodies become pinched
//   Hold   at the beginning of every step: which come free, which are pinched too by now, and where the pinched ones go
//
// A pinched vertex is held (state->target) in every step: it moves by the mean of both bodies' motions, or, where only one is left near it,
// with that one and slowly out of it. Elements with a pinched vertex are not looked at against bodies, but against cloth as ever. It comes
// free where neither it nor a triangle at it is inside a body, and not both of its own are near.
//
// Which vertices are pinched is part of the state (state->pinched). Host code, without cost as long as nothing is pinched.

#include "collide/shape.h"
#include "contact/impact_zones.h"

typedef struct wfPinch wfPinch;

wfPinch* wfCreatePinch(const wfModel* model, wfError* err);
void wfDestroyPinch(wfPinch* pinch);

/// Before the dynamics begins. half: of each cloth vertex, half its thickness. Waits where anything is pinched.
bool wfPinch_Hold(wfPinch* pinch, const wfStepContext* ctx, const wfBuffer* half, wfError* err);

/// Of the hits of a step that nothing could resolve. *changed: whether taking the step again, from its beginning, may help.
bool wfPinch_Mark(wfPinch* pinch, const wfStepContext* ctx, const wfBuffer* half, const wfHit* hits, int count, bool* changed,
                  wfError* err);

/// After a step, taken or not: lets go of what is held in it.
void wfPinch_LetGo(const wfStepContext* ctx);
