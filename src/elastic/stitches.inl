// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by elastic/stitches.h.

/// How much of d comes from point k of a stitch.
WF_FN real R(wfStitch_Weight)(real share, int k) { return k == 0 ? (real)1 : k == 1 ? share - 1 : -share; }

/// How far the thread is from slack: d without its first `length`.
WF_FN R(wfVec3) R(wfStitch_Pull)(real share, real length, const R(wfVec3)* x) {
    R(wfVec3) d = R(wfSub)(x[0], R(wfMulAdd)(x[1], share, R(wfSub)(x[2], x[1])));
    real distance = R(wfLength)(d);
    return R(wfScale)(d, distance > length ? 1 - length / distance : (real)0);
}

WF_FN real R(wfStitch_Energy)(real stiffness, real share, real length, const R(wfVec3)* x) {
    R(wfVec3) pull = R(wfStitch_Pull)(share, length, x);
    return (real)0.5 * stiffness * R(wfDot)(pull, pull);
}

WF_FN void R(wfStitch_Gradient)(real stiffness, real share, real length, const R(wfVec3)* x, R(wfVec3)* out) {
    R(wfVec3) pull = R(wfStitch_Pull)(share, length, x);
    for (int k = 0; k < 3; ++k) out[k] = R(wfScale)(pull, stiffness * R(wfStitch_Weight)(share, k));
}

/// The second derivative by d; that by points i and j is weight i times weight j times this. Positive semidefinite, at most `stiffness`.
WF_FN R(wfMat3) R(wfStitch_Curvature)(real stiffness, real share, real length, const R(wfVec3)* x) {
    R(wfVec3) d = R(wfSub)(x[0], R(wfMulAdd)(x[1], share, R(wfSub)(x[2], x[1])));
    real distance = R(wfLength)(d);
    if (!(distance > length)) return R(wfDiagonal3)(0);
    real slack = length / distance;
    R(wfMat3) h = R(wfDiagonal3)(stiffness * (1 - slack));
    R(wfMat3_AddOuter)(&h, stiffness * slack / (distance * distance), d, d);
    return h;
}
