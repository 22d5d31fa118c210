// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Contact by impulses: the pieces. Based on: Bridson, Fedkiw and Anderson 2002, "Robust treatment of collisions, contact and friction for
// cloth animation", sections 6 and 7. step/impulse.c puts them in the order of its section 5.
//
// All pieces work on the mean motion of a step, u = dt v, from positions in which nothing touches to positions in which nothing touches.
//   Begin    before the dynamics: holds what bodies pinch (contact/pinch.h)
//   Find     the pairs that are near or may meet, and the contacts among them
//   Terms    contacts as terms of the dynamics' energy
//   Repel    impulses and friction at all contacts, on the motion that the dynamics proposes
//   Collide  finds pairs that meet on their way and adds them to what Repel answers; repeated a few times
//   Freeze   what still meets moves rigidly: impact zones
//   Leave    the ends of the motion to state->x
//   Carry    what contacts push, to the next step
//   End      after the dynamics; or Undo: all is as it was before Begin
//
// Where the paper gives each contact its impulse once, here all contacts of a step, near ones and those that collisions add, are solved
// together: impulses along the normal that only push, and friction inside Coulomb's cone of the impulse that was given in the whole step.

#include "contact/contact.h"
#include "contact/touches.h"

typedef struct wfImpulse wfImpulse;

bool wfImpulse_Begin(wfImpulse* impulse, const wfStepContext* ctx, wfError* err);
/// On the way that the dynamics predicts, before its iterations.
bool wfImpulse_Find(wfImpulse* impulse, const wfStepContext* ctx, wfError* err);
/// For steppers that look at positions only, not at the way between them: what is farther than its thickness by less than `reach` [m], and
/// comes nearer, is a contact too, and may come as near as the thickness. Once, before the first step; 0 without this.
void wfImpulse_SetReach(wfImpulse* impulse, float reach);
/// For them too: adds contacts of what is near where state->x and the colliders are at the end of the step, in which nothing may meet, and
/// is nearer, or beyond, where the dynamics had proposed it. What was on the other side at the beginning of the step is left out.
bool wfImpulse_FindAtEnd(wfImpulse* impulse, const wfStepContext* ctx, const wfBuffer* proposed, wfError* err);
/// For a dynamics that takes terms: what the predicted way meets is answered before its iterations begin, so that they begin in no spring
/// that is pushed in by all of a step's motion: out of that they would be thrown. Then contacts that were there in the last step get the
/// forces that they had, which no motion shows yet: it is the dynamics that knows what they hold.
void wfImpulse_Foresee(wfImpulse* impulse, const wfStepContext* ctx);
/// Its iterations then begin where the last impulses have left x.
wfStepTerms wfImpulse_Terms(wfImpulse* impulse, const wfStepContext* ctx);
/// For one that does not: what impulses have moved as forces that its next iterations answer, in state->target and state->x.
void wfImpulse_Couple(wfImpulse* impulse, const wfStepContext* ctx);
void wfImpulse_Repel(wfImpulse* impulse, const wfStepContext* ctx);
/// *hits: how many pairs met. Where there are any, their contacts are added and everything is solved again: `all` of them, or only those
/// that push out of a surface (contact/outward.h), and not along it. What has gone through another pair first meets many of the latter.
bool wfImpulse_Collide(wfImpulse* impulse, const wfStepContext* ctx, bool all, int* hits, wfError* err);
/// From here to the end of the step: where cloths have a declared order (`layer`), contacts between them move the outer one alone.
void wfImpulse_Outward(wfImpulse* impulse);
/// *pinched: it cannot be done, but more vertices are pinched by now, and the step is to be taken again. Only where it cannot be shortened.
bool wfImpulse_Freeze(wfImpulse* impulse, const wfStepContext* ctx, bool* pinched, wfError* err);
/// Whether impulses have moved nothing by more than a part of the thickness, so far.
bool wfImpulse_MovesLittle(wfImpulse* impulse, const wfStepContext* ctx);
/// Whether they have moved something by so much of an edge that cloth is stretched by it.
bool wfImpulse_MovesMuch(wfImpulse* impulse, const wfStepContext* ctx);
void wfImpulse_Leave(wfImpulse* impulse, const wfStepContext* ctx);
/// For a dynamics that takes terms, after its end (contact/carry.h). Waits.
void wfImpulse_Carry(wfImpulse* impulse, const wfStepContext* ctx);
void wfImpulse_End(wfImpulse* impulse, const wfStepContext* ctx);
/// A history that an integrator has is forgotten.
void wfImpulse_Undo(wfImpulse* impulse, const wfStepContext* ctx);
