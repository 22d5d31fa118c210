// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A preconditioner on all resolutions of a cloth at once: the residual of a step is shared out over ever coarser rungs, each divides it by
// a bound of what its unknowns answer with, and the ways of all rungs are added up. What reaches far in the cloth, for which descent on the
// mesh alone takes as many iterations as there are edges along it, is near on a coarse rung. Based on: Bramble, Pasciak and Xu 1990,
// "Parallel multilevel preconditioners"; the rungs are smoothed aggregates (math/aggregates.h) of the springs in elastic/bonds.h.
//
// Rungs go on until few unknowns are left: what moves as a whole has nothing but its inertia against it, while a rung makes it as stiff as
// the springs between its unknowns.
//
// These springs are stiffer than cloth is across itself, so that no way is too long there; it is only no longer than without rungs.

#include "elastic/tables.h"

enum { wf_mostRungs = 12 };

/// Of each of some unknowns, or of vertices, its shares in others: int, int, float.
typedef struct wfShareRows {
    wfBuffer start, item, share;
} wfShareRows;

// Few unknowns are on most rungs, and on a GPU a launch for each of them, down and up again, took three times as long as an iteration on
// the mesh itself. So what leads over several rungs is multiplied out, and a step is four launches: from the mesh down to the first two
// rungs at once, from the second to all coarser ones, from all of these back up to the second, and from the first two to the mesh. What is
// not to be moved is masked on the mesh alone, so that products of shares are the same operator as the shares one after the other.
typedef struct wfLadder {
    int count;                           // rungs; 0: the mesh is too small for any
    int first[wf_mostRungs + 1];         // from fine to coarse, the first of each rung's unknowns among all
    double bytes;                        // that a step must move, everything read or written once
    wfShareRows nearDown;                // of the first two rungs, in the mesh
    wfShareRows farDown;                 // of all coarser ones, in the second
    wfShareRows farUp;                   // of the second, in all coarser ones
    wfBuffer bound;                      // float [N/m]
    wfBuffer way;                        // wfVec4; in the end those of the second rung have those of coarser ones in them
    wfBuffer onSecond;                   // wfVec4: residuals
    wfBuffer residual, own;              // wfVec4, of the mesh itself: see DescendArgs
    wfBuffer packStart, pack, packShare; // int, int, float: the shares of the mesh in the first two rungs, see wfPackedShares
} wfLadder;

/// Start from {0}.
bool wfLadder_Create(wfLadder* ladder, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err);
void wfLadder_Free(wfLadder* ladder, wfDevice* device);

/// What a descent kernel with these arguments leaves to do once it has written ladder->residual and ladder->own.
struct DescendArgs;
void wfLadder_Step(wfLadder* ladder, wfDevice* device, const struct DescendArgs* descend);
