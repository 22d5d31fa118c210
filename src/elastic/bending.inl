// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by elastic/bending.h. Points of a hinge are in the order of wfHinge.v.

// ---- quadratic ----------------------------------------------------------------------------------------------------------------

/// stiffness/2 |sum k_i x_i - rest|². The weights are pure numbers with sum zero; second derivative by points i and j: stiffness k_i k_j,
/// times the identity.
typedef struct R(wfBend) {
    real k[4];
    real stiffness; // [N/m]
} R(wfBend);

/// Sum of k_i x_i [m]: zero when flat, along the normal when bent toward it, 2 l sin t/2 long.
WF_FN R(wfVec3) R(wfBend_Vector)(const R(wfBend)* b, const R(wfVec3)* x) {
    R(wfVec3) r = R(wfScale)(R(wfSub)(x[1], x[0]), b->k[1]);
    r = R(wfMulAdd)(r, b->k[2], R(wfSub)(x[2], x[0]));
    return R(wfMulAdd)(r, b->k[3], R(wfSub)(x[3], x[0]));
}

/// The vector at rest for a hinge that stands as x: `length` (wfBendRestLength) along its normal. Linearised: a solver holds it fixed
/// while it iterates and takes it anew each step.
WF_FN R(wfVec3) R(wfBend_Rest)(real length, const R(wfVec3)* x) {
    R(wfVec3) e = R(wfSub)(x[1], x[0]);
    R(wfVec3) n0 = R(wfCross)(e, R(wfSub)(x[2], x[0])), n1 = R(wfCross)(R(wfSub)(x[3], x[0]), e);
    real l0 = R(wfLength)(n0), l1 = R(wfLength)(n1);
    R(wfVec3) n = R(wfMulAdd)(R(wfScale)(n0, 1 / rMax(l0, rTiny)), 1 / rMax(l1, rTiny), n1);
    return R(wfScale)(n, length / rMax(R(wfLength)(n), rTiny));
}

/// [J]
WF_FN real R(wfBend_Energy)(const R(wfBend)* b, const R(wfVec3)* x, R(wfVec3) rest) {
    R(wfVec3) d = R(wfSub)(R(wfBend_Vector)(b, x), rest);
    return (real)0.5 * b->stiffness * R(wfDot)(d, d);
}

/// [N]
WF_FN void R(wfBend_Gradient)(const R(wfBend)* b, const R(wfVec3)* x, R(wfVec3) rest, R(wfVec3)* out) {
    R(wfVec3) d = R(wfScale)(R(wfSub)(R(wfBend_Vector)(b, x), rest), b->stiffness);
    for (int i = 0; i < 4; ++i) out[i] = R(wfScale)(d, b->k[i]);
}

// ---- dihedral angle -----------------------------------------------------------------------------------------------------------

/// In (-pi, pi], positive where the opposite vertices lie on the side the normals point to.
WF_FN real R(wfDihedral_Angle)(const R(wfVec3)* x) {
    R(wfVec3) e = R(wfSub)(x[1], x[0]), a = R(wfSub)(x[2], x[0]), b = R(wfSub)(x[3], x[0]);
    R(wfVec3) n0 = R(wfCross)(e, a), n1 = R(wfCross)(b, e);
    // |e| a·n1 is the length of n1 x n0, without the difference of nearly equal numbers.
    return rAtan2(R(wfLength)(e) * R(wfDot)(a, n1), R(wfDot)(n0, n1));
}

/// What one triangle gives to the gradient of the angle: `normal` / height at the opposite vertex, shared out to the edge's ends.
WF_FN R(wfVec3) R(wfDihedral_Side)(R(wfVec3) e, R(wfVec3) a, R(wfVec3) n, real* along) {
    real ee = rMax(R(wfDot)(e, e), rTiny);
    *along = R(wfDot)(a, e) / ee;
    return R(wfScale)(n, rSqrt(ee) / rMax(R(wfDot)(n, n), rTiny));
}

/// Gradient of the angle [1/m]; returns the angle.
WF_FN real R(wfDihedral_AngleGradient)(const R(wfVec3)* x, R(wfVec3)* out) {
    R(wfVec3) e = R(wfSub)(x[1], x[0]), a = R(wfSub)(x[2], x[0]), b = R(wfSub)(x[3], x[0]);
    real s0, s1;
    out[2] = R(wfDihedral_Side)(e, a, R(wfCross)(e, a), &s0);
    out[3] = R(wfDihedral_Side)(e, b, R(wfCross)(b, e), &s1);
    out[0] = R(wfMulAdd)(R(wfScale)(out[2], s0 - 1), s1 - 1, out[3]);
    out[1] = R(wfMulAdd)(R(wfScale)(out[2], -s0), -s1, out[3]);
    return R(wfDihedral_Angle)(x);
}

/// [J]
WF_FN real R(wfDihedral_Energy)(real stiffness, real rest, const R(wfVec3)* x) {
    real t = R(wfDihedral_Angle)(x) - rest;
    return (real)0.5 * stiffness * t * t;
}

/// [N]
WF_FN void R(wfDihedral_Gradient)(real stiffness, real rest, const R(wfVec3)* x, R(wfVec3)* out) {
    real t = R(wfDihedral_AngleGradient)(x, out) - rest;
    for (int i = 0; i < 4; ++i) out[i] = R(wfScale)(out[i], stiffness * t);
}

/// Block of one point of the clamped Hessian [N/m], from the gradient of the angle.
WF_FN R(wfMat3) R(wfDihedral_Block)(real stiffness, R(wfVec3) g) {
    R(wfMat3) r = R(wfDiagonal3)(0);
    R(wfMat3_AddOuter)(&r, stiffness, g, g);
    return r;
}

/// m += s (1 - 2 n nᵀ) [w]x, n unit.
WF_FN void R(wfAddReflectedCross)(R(wfMat3)* m, real s, R(wfVec3) n, R(wfVec3) w) {
    R(wfVec3) c = R(wfScale)(R(wfCross)(n, w), (real)-2); // nᵀ [w]x = (n x w)ᵀ
    m->m[0][1] -= s * w.z, m->m[0][2] += s * w.y;
    m->m[1][0] += s * w.z, m->m[1][2] -= s * w.x;
    m->m[2][0] -= s * w.y, m->m[2][1] += s * w.x;
    R(wfMat3_AddOuter)(m, s, n, c);
}

/// Derivatives of what one triangle gives, by the edge e and by a: g is the side's vector |e| n / n², n = sign e x a. Adds `factor` times
/// the derivative of the gradients at (x0, x1, opposite) to blocks, whose rows and columns for these are 0, 1 and `far`.
WF_FN void R(wfDihedral_AddSide)(real factor, R(wfVec3) e, R(wfVec3) a, real sign, int far, R(wfMat3) blocks[4][4]) {
    R(wfVec3) n = R(wfScale)(R(wfCross)(e, a), sign);
    real nn = rMax(R(wfDot)(n, n), rTiny), ee = rMax(R(wfDot)(e, e), rTiny), length = rSqrt(ee), along;
    R(wfVec3) g = R(wfDihedral_Side)(e, a, n, &along), unit = R(wfScale)(n, 1 / rSqrt(nn));
    // dg by a and by e; dn = sign (e x da - a x de).
    R(wfMat3) ga = R(wfDiagonal3)(0), ge = ga;
    R(wfAddReflectedCross)(&ga, sign * length / nn, unit, e);
    R(wfAddReflectedCross)(&ge, -sign * length / nn, unit, a);
    R(wfMat3_AddOuter)(&ge, 1 / ee, g, e);
    // The share of x1 is -along g.
    R(wfVec3) sa = R(wfScale)(e, 1 / ee), se = R(wfScale)(R(wfMulAdd)(a, -2 * along, e), 1 / ee);
    R(wfMat3) ha = R(wfDiagonal3)(0), he = ha;
    R(wfMat3_Add)(&ha, -along, &ga);
    R(wfMat3_AddOuter)(&ha, -1, g, sa);
    R(wfMat3_Add)(&he, -along, &ge);
    R(wfMat3_AddOuter)(&he, -1, g, se);
    // e = x1 - x0 and a = far - x0; the rows of x0 make the sum zero.
    const R(wfMat3)* byEdge[2] = {&he, &ge};
    const R(wfMat3)* byFar[2] = {&ha, &ga};
    for (int row = 0; row < 2; ++row) {
        int i = row == 0 ? 1 : far;
        R(wfMat3_Add)(&blocks[i][1], factor, byEdge[row]);
        R(wfMat3_Add)(&blocks[i][far], factor, byFar[row]);
        R(wfMat3_Add)(&blocks[i][0], -factor, byEdge[row]);
        R(wfMat3_Add)(&blocks[i][0], -factor, byFar[row]);
        R(wfMat3_Add)(&blocks[0][1], -factor, byEdge[row]);
        R(wfMat3_Add)(&blocks[0][far], -factor, byFar[row]);
        R(wfMat3_Add)(&blocks[0][0], factor, byEdge[row]);
        R(wfMat3_Add)(&blocks[0][0], factor, byFar[row]);
    }
}

/// The whole second derivative [N/m]: exact, or clamped to its positive semidefinite part (Gauss–Newton).
WF_FN void R(wfDihedral_Hessian)(real stiffness, real rest, const R(wfVec3)* x, bool clamped, R(wfMat3) blocks[4][4]) {
    R(wfVec3) g[4];
    real t = R(wfDihedral_AngleGradient)(x, g) - rest;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            blocks[i][j] = R(wfDiagonal3)(0);
            R(wfMat3_AddOuter)(&blocks[i][j], stiffness, g[i], g[j]);
        }
    if (clamped) return;
    R(wfVec3) e = R(wfSub)(x[1], x[0]);
    R(wfDihedral_AddSide)(stiffness * t, e, R(wfSub)(x[2], x[0]), 1, 2, blocks);
    R(wfDihedral_AddSide)(stiffness * t, e, R(wfSub)(x[3], x[0]), -1, 3, blocks);
}
