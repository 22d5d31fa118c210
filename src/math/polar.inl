// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by math/polar.h.

typedef struct R(wfMat3) {
    real m[3][3]; // row, column
} R(wfMat3);

typedef struct R(wfMat32) {
    R(wfVec3) u, v; // columns
} R(wfMat32);

/// s times the identity.
WF_FN R(wfMat3) R(wfDiagonal3)(real s) {
    R(wfMat3) r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.m[i][j] = i == j ? s : (real)0;
    return r;
}

/// m += s times n.
WF_FN void R(wfMat3_Add)(R(wfMat3)* m, real s, const R(wfMat3)* n) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m->m[i][j] += s * n->m[i][j];
}

/// m += s a bᵀ.
WF_FN void R(wfMat3_AddOuter)(R(wfMat3)* m, real s, R(wfVec3) a, R(wfVec3) b) {
    real left[3], right[3];
    left[0] = s * a.x, left[1] = s * a.y, left[2] = s * a.z;
    right[0] = b.x, right[1] = b.y, right[2] = b.z;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m->m[i][j] += left[i] * right[j];
}

WF_FN R(wfMat3) R(wfMat3_Transpose)(const R(wfMat3)* m) {
    R(wfMat3) r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.m[i][j] = m->m[j][i];
    return r;
}

WF_FN R(wfVec3) R(wfMat3_Apply)(const R(wfMat3)* m, R(wfVec3) a) {
    return R(wfMake3)(m->m[0][0] * a.x + m->m[0][1] * a.y + m->m[0][2] * a.z, m->m[1][0] * a.x + m->m[1][1] * a.y + m->m[1][2] * a.z,
                      m->m[2][0] * a.x + m->m[2][1] * a.y + m->m[2][2] * a.z);
}

/// A unit vector across a unit vector.
WF_FN R(wfVec3) R(wfAcross)(R(wfVec3) a) {
    real x = rAbs(a.x), y = rAbs(a.y), z = rAbs(a.z);
    R(wfVec3) axis = R(wfMake3)(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    R(wfVec3) r = R(wfCross)(a, axis);
    return R(wfScale)(r, 1 / R(wfLength)(r));
}

/// F = R S.
typedef struct R(wfPolar) {
    R(wfMat32) r;     // orthonormal columns
    R(wfVec3) normal; // r.u x r.v
    real uu, uv, vv;  // S, symmetric and positive semidefinite
    real trace, det;  // of S; det is the area that F makes of 1
} R(wfPolar);

/// For any finite F. The plane of F is found from its longer column and what the other one has across it, the rest is a rotation in that
/// plane: so R is orthonormal to rounding also where F is flat or zero, where the choice of the missing direction is free.
WF_FN R(wfPolar) R(wfPolar3x2)(R(wfMat32) f) {
    R(wfPolar) p;
    bool first = R(wfDot)(f.u, f.u) >= R(wfDot)(f.v, f.v);
    R(wfVec3) a = first ? f.u : f.v, b = first ? f.v : f.u;
    real length = R(wfLength)(a);
    // The longer column along e1, the shorter (along, across) in the plane of e1 and e2.
    R(wfVec3) e1 = length > 0 ? R(wfScale)(a, 1 / length) : R(wfMake3)(1, 0, 0);
    real along = R(wfDot)(e1, b);
    R(wfVec3) rest = R(wfMulAdd)(b, -along, e1);
    rest = R(wfMulAdd)(rest, -R(wfDot)(e1, rest), e1); // twice is enough
    real across = R(wfLength)(rest);
    bool flat = !(across > 2 * rEpsilon * length);
    R(wfVec3) e2 = flat ? R(wfAcross)(e1) : R(wfScale)(rest, 1 / across);
    if (flat) across = 0;
    if (!first) e2 = R(wfScale)(e2, -1); // so that the plane sees u and v counter-clockwise
    real f00 = first ? length : along, f10 = first ? (real)0 : -across;
    real f01 = first ? along : length, f11 = first ? across : (real)0;
    real x = f00 + f11, y = f10 - f01;
    p.trace = rSqrt(x * x + y * y);
    real c = p.trace > 0 ? x / p.trace : (real)1, s = p.trace > 0 ? y / p.trace : (real)0;
    p.det = length * across;
    p.uu = c * f00 + s * f10;
    p.uv = c * f01 + s * f11;
    p.vv = c * f11 - s * f01;
    p.r.u = R(wfMulAdd)(R(wfScale)(e1, c), s, e2);
    p.r.v = R(wfMulAdd)(R(wfScale)(e2, c), -s, e1);
    p.normal = R(wfCross)(e1, e2);
    return p;
}

/// F = U diag(large, small) Vᵀ with large >= small >= 0; V = (c, -s; s, c).
typedef struct R(wfSvd) {
    R(wfMat32) u;
    real large, small;
    real c, s;
} R(wfSvd);

WF_FN R(wfSvd) R(wfSvdOfPolar)(const R(wfPolar)* p) {
    R(wfSvd) r;
    real half = (real)0.5 * (p->uu - p->vv);
    real radius = rSqrt(half * half + p->uv * p->uv);
    r.large = (real)0.5 * p->trace + radius;
    r.small = r.large > 0 ? p->det / r.large : (real)0; // not the difference, which would lose all digits of a thin one
    // (half, uv) = radius (cos 2t, sin 2t); the half angle by the form that does not cancel.
    real x = half >= 0 ? radius + half : p->uv, y = half >= 0 ? p->uv : radius - half;
    real norm = rSqrt(x * x + y * y);
    r.c = norm > 0 ? x / norm : (real)1;
    r.s = norm > 0 ? y / norm : (real)0;
    r.u.u = R(wfMulAdd)(R(wfScale)(p->r.u, r.c), r.s, p->r.v);
    r.u.v = R(wfMulAdd)(R(wfScale)(p->r.v, r.c), -r.s, p->r.u);
    return r;
}

WF_FN R(wfSvd) R(wfSvd3x2)(R(wfMat32) f) {
    R(wfPolar) p = R(wfPolar3x2)(f);
    return R(wfSvdOfPolar)(&p);
}
