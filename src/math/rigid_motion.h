// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The rigid motion that keeps the momentum of masses that moved anyhow, in double precision.
//
// Over a step a mass goes from x0 to x1; r is its place about the centre of mass. Linear momentum fixes where the centre goes, angular
// momentum the rotation R:
//
//   sum m r0 x (R r0) = sum m r0 x r1                                     (the discrete Euler equations of Moser and Veselov 1991)
//
// With the spread A = sum m r0 r0^T the left side is the axial vector of R A - A R^T, so that each iteration costs the same for any number
// of masses. To first order R is the turn by inertia^-1 times the right side (Bridson et al. 2002, section 7.5); from no turn on, damped
// Newton iterations in principal axes find the rest. The solution is the one that grows out of no turn with the momentum: below a quarter
// turn a motion that is rigid already comes back, and masses that pass through each other, which the nearest rotation would turn over, do
// not turn. About one axis the left side is at most the inertia about it (at a quarter turn). Where more is asked than any turn has (masses
// that fly apart across a narrow row), the momentum comes as near as it gets, and `matched` is false.

#include "math/polar.h"

/// Unit quaternion.
typedef struct wfTurn {
    double x, y, z, w;
} wfTurn;

/// What the turn adds to r: exactly nothing without a turn.
WF_FN wfVec3D wfTurn_Shift(wfTurn turn, wfVec3D r) {
    wfVec3D u = wfMake3D(turn.x, turn.y, turn.z);
    wfVec3D t = wfScaleD(wfCrossD(u, r), 2.0);
    return wfAddD(wfScaleD(t, turn.w), wfCrossD(u, t));
}

/// From the turn of one pose to that of another; the quaternions are made unit in double precision.
wfTurn wfTurn_Between(wfQuat start, wfQuat end);

/// x goes to x + shift + what the turn adds to x - centre.
typedef struct wfRigidMotion {
    wfVec3D centre, shift;
    wfTurn turn;
} wfRigidMotion;

WF_FN wfVec3D wfRigidMotion_Shift(const wfRigidMotion* motion, wfVec3D x) {
    return wfAddD(motion->shift, wfTurn_Shift(motion->turn, wfSubD(x, motion->centre)));
}

/// The turn with sum m r0 x (R r0) = momentum, where spread = sum m r0 r0^T. About an axis without inertia (all in a row) it does not turn.
wfTurn wfMatchTurn(const wfMat3D* spread, wfVec3D momentum, bool* matched);

typedef struct wfMovedMass {
    wfVec3D start, shift; // [m]: it goes to start + shift
    double mass;          // > 0 [kg]
} wfMovedMass;

/// count > 0. Sums in the order given.
wfRigidMotion wfMatchMotion(const wfMovedMass* masses, int count, bool* matched);
