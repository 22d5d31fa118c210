// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by elastic/membrane.h.

/// A flat triangle: its area [m²] and the gradients [1/m] of the shape functions of corners 1 and 2, the rows of the inverse of its edges.
/// That of corner 0 is what makes their sum zero.
typedef struct R(wfElement) {
    real area;
    real b1u, b1v, b2u, b2v;
} R(wfElement);

/// Plane stress law [N/m]: S_uu = uu E_uu + uv E_vv, S_vv = uv E_uu + vv E_vv, S_uv = shear times the angle 2 E_uv.
typedef struct R(wfPlanar) {
    real uu, vv, uv, shear;
} R(wfPlanar);

/// Second derivative of an energy density by F: uv is d²psi / dF_u dF_v, rows by F_u; the fourth block is its transpose.
typedef struct R(wfMembraneHessian) {
    R(wfMat3) uu, uv, vv;
} R(wfMembraneHessian);

WF_FN R(wfMat32) R(wfElement_Map)(const R(wfElement)* e, R(wfVec3) x0, R(wfVec3) x1, R(wfVec3) x2) {
    R(wfVec3) p = R(wfSub)(x1, x0), q = R(wfSub)(x2, x0);
    R(wfMat32) f;
    f.u = R(wfMulAdd)(R(wfScale)(p, e->b1u), e->b2u, q);
    f.v = R(wfMulAdd)(R(wfScale)(p, e->b1v), e->b2v, q);
    return f;
}

/// Gradient of the shape function of a corner.
WF_FN void R(wfElement_Shape)(const R(wfElement)* e, int corner, real* u, real* v) {
    *u = corner == 0 ? -(e->b1u + e->b2u) : corner == 1 ? e->b1u : e->b2u;
    *v = corner == 0 ? -(e->b1v + e->b2v) : corner == 1 ? e->b1v : e->b2v;
}

/// Stress as tensions along and between the threads, P = F S, for the models whose stress is such [N/m].
typedef struct R(wfTension) {
    real uu, vv, uv;
} R(wfTension);

WF_FN R(wfMat32) R(wfTension_Stress)(R(wfTension) s, R(wfMat32) f) {
    R(wfMat32) p;
    p.u = R(wfMulAdd)(R(wfScale)(f.u, s.uu), s.uv, f.v);
    p.v = R(wfMulAdd)(R(wfScale)(f.v, s.vv), s.uv, f.u);
    return p;
}

// ---- St. Venant–Kirchhoff -----------------------------------------------------------------------------------------------------

WF_FN R(wfPlanar) R(wfStVK_Strain)(R(wfMat32) f) { // uu, vv: Green's strain; shear: the angle 2 E_uv
    R(wfPlanar) e;
    e.uu = (real)0.5 * (R(wfDot)(f.u, f.u) - 1);
    e.vv = (real)0.5 * (R(wfDot)(f.v, f.v) - 1);
    e.shear = R(wfDot)(f.u, f.v);
    e.uv = 0;
    return e;
}

WF_FN real R(wfStVK_Density)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfPlanar) e = R(wfStVK_Strain)(f);
    return (real)0.5 * (m->uu * e.uu * e.uu + m->vv * e.vv * e.vv + m->shear * e.shear * e.shear) + m->uv * e.uu * e.vv;
}

WF_FN R(wfTension) R(wfStVK_Tension)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfPlanar) e = R(wfStVK_Strain)(f);
    R(wfTension) s;
    s.uu = m->uu * e.uu + m->uv * e.vv;
    s.vv = m->uv * e.uu + m->vv * e.vv;
    s.uv = m->shear * e.shear;
    return s;
}

WF_FN R(wfMembraneHessian) R(wfStVK_Hessian)(const R(wfPlanar)* m, R(wfMat32) f, bool clamped) {
    R(wfPlanar) e = R(wfStVK_Strain)(f);
    real suu = m->uu * e.uu + m->uv * e.vv, svv = m->uv * e.uu + m->vv * e.vv, suv = m->shear * e.shear;
    if (clamped) { // the stress itself is what may be negative: keep its pulling part
        real mean = (real)0.5 * (suu + svv), half = (real)0.5 * (suu - svv);
        real radius = rSqrt(half * half + suv * suv);
        real high = rMax(mean + radius, 0), low = rMax(mean - radius, 0);
        real ratio = radius > 0 ? (real)0.5 * (high - low) / radius : (real)0;
        suu = (real)0.5 * (high + low) + ratio * half;
        svv = (real)0.5 * (high + low) - ratio * half;
        suv *= ratio;
    }
    R(wfMembraneHessian) h;
    h.uu = R(wfDiagonal3)(suu);
    R(wfMat3_AddOuter)(&h.uu, m->uu, f.u, f.u);
    R(wfMat3_AddOuter)(&h.uu, m->shear, f.v, f.v);
    h.vv = R(wfDiagonal3)(svv);
    R(wfMat3_AddOuter)(&h.vv, m->vv, f.v, f.v);
    R(wfMat3_AddOuter)(&h.vv, m->shear, f.u, f.u);
    h.uv = R(wfDiagonal3)(suv);
    R(wfMat3_AddOuter)(&h.uv, m->uv, f.u, f.v);
    R(wfMat3_AddOuter)(&h.uv, m->shear, f.v, f.u);
    return h;
}

// ---- corotational: lambda = m->uv, mu = m->shear ------------------------------------------------------------------------------

WF_FN real R(wfCorotational_Density)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfPolar) p = R(wfPolar3x2)(f);
    real a = p.uu - 1, b = p.vv - 1;
    return m->shear * (a * a + b * b + 2 * p.uv * p.uv) + (real)0.5 * m->uv * (a + b) * (a + b);
}

WF_FN R(wfMat32) R(wfCorotational_Stress)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfPolar) p = R(wfPolar3x2)(f);
    real spread = m->uv * ((p.uu - 1) + (p.vv - 1));
    R(wfMat32) s; // 2 mu (F - R) + lambda (tr S - 2) R, by R and S - 1 so that nothing cancels
    real uu = 2 * m->shear * (p.uu - 1) + spread, vv = 2 * m->shear * (p.vv - 1) + spread, uv = 2 * m->shear * p.uv;
    s.u = R(wfMulAdd)(R(wfScale)(p.r.u, uu), uv, p.r.v);
    s.v = R(wfMulAdd)(R(wfScale)(p.r.v, vv), uv, p.r.u);
    return s;
}

/// 2 mu plus the curvature of g tr S, g = lambda (tr S - 2) - 2 mu. In the plane tr S bends only by turning R (by 2 / tr S along n x R),
/// across it by S^-1: those two are what can be negative.
WF_FN R(wfMembraneHessian) R(wfCorotational_Hessian)(const R(wfPlanar)* m, R(wfMat32) f, bool clamped) {
    R(wfPolar) p = R(wfPolar3x2)(f);
    R(wfSvd) d = R(wfSvdOfPolar)(&p);
    real mu2 = 2 * m->shear, g = m->uv * (p.trace - 2) - mu2;
    real floor = 4 * rEpsilon; // a triangle without width resists leaving its line without bound: keep it finite
    real turn = mu2 + 2 * g / rMax(p.trace, floor);
    real a = mu2 + g / rMax(d.large, floor), b = mu2 + g / rMax(d.small, floor);
    if (clamped) turn = rMax(turn, 0), a = rMax(a, 0), b = rMax(b, 0);
    turn = (real)0.5 * (turn - mu2);
    real nuu = a * d.c * d.c + b * d.s * d.s - mu2, nvv = a * d.s * d.s + b * d.c * d.c - mu2, nuv = (a - b) * d.c * d.s;
    R(wfVec3) tu = R(wfCross)(p.normal, p.r.u), tv = R(wfCross)(p.normal, p.r.v);
    R(wfMembraneHessian) h;
    h.uu = R(wfDiagonal3)(mu2);
    R(wfMat3_AddOuter)(&h.uu, m->uv, p.r.u, p.r.u);
    R(wfMat3_AddOuter)(&h.uu, turn, tu, tu);
    R(wfMat3_AddOuter)(&h.uu, nuu, p.normal, p.normal);
    h.vv = R(wfDiagonal3)(mu2);
    R(wfMat3_AddOuter)(&h.vv, m->uv, p.r.v, p.r.v);
    R(wfMat3_AddOuter)(&h.vv, turn, tv, tv);
    R(wfMat3_AddOuter)(&h.vv, nvv, p.normal, p.normal);
    h.uv = R(wfDiagonal3)(0);
    R(wfMat3_AddOuter)(&h.uv, m->uv, p.r.u, p.r.v);
    R(wfMat3_AddOuter)(&h.uv, turn, tu, tv);
    R(wfMat3_AddOuter)(&h.uv, nuv, p.normal, p.normal);
    return h;
}

// ---- fabric -------------------------------------------------------------------------------------------------------------------

typedef struct R(wfThreads) {
    R(wfVec3) u, v;  // directions of warp and weft; zero where a thread has no length
    real lu, lv;     // their stretches
    real iu, iv;     // the inverse of these, finite
    real tu, tv;     // their tensions [N/m]
    real shear;      // F_u·F_v
} R(wfThreads);

WF_FN R(wfThreads) R(wfThreads_Of)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfThreads) t;
    real uu = R(wfDot)(f.u, f.u), vv = R(wfDot)(f.v, f.v);
    uu += rTiny, vv += rTiny; // a sum and not a maximum, whose branch would keep loops from being vectorised
    if (WF_FAST_INVERSE) {
        t.iu = rInverse(uu), t.iv = rInverse(vv);
        t.lu = rRoot(uu, t.iu), t.lv = rRoot(vv, t.iv);
    } else { // one division for both
        t.lu = rSqrt(uu), t.lv = rSqrt(vv);
        real inverse = 1 / (t.lu * t.lv);
        t.iu = t.lv * inverse, t.iv = t.lu * inverse;
    }
    t.u = R(wfScale)(f.u, t.iu);
    t.v = R(wfScale)(f.v, t.iv);
    t.tu = m->uu * (t.lu - 1) + m->uv * (t.lv - 1);
    t.tv = m->uv * (t.lu - 1) + m->vv * (t.lv - 1);
    t.shear = R(wfDot)(f.u, f.v);
    return t;
}

WF_FN real R(wfThreads_Density)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfThreads) t = R(wfThreads_Of)(m, f);
    return (real)0.5 * (t.tu * (t.lu - 1) + t.tv * (t.lv - 1) + m->shear * t.shear * t.shear);
}

WF_FN R(wfTension) R(wfThreads_Tension)(const R(wfPlanar)* m, R(wfMat32) f) {
    R(wfThreads) t = R(wfThreads_Of)(m, f);
    R(wfTension) s;
    s.uu = t.tu * t.iu;
    s.vv = t.tv * t.iv;
    s.uv = m->shear * t.shear;
    return s;
}

WF_FN R(wfMembraneHessian) R(wfThreads_Hessian)(const R(wfPlanar)* m, R(wfMat32) f, bool clamped) {
    R(wfThreads) t = R(wfThreads_Of)(m, f);
    real floor = 4 * rEpsilon;
    real au = t.tu / rMax(t.lu, floor), av = t.tv / rMax(t.lv, floor), twist = m->shear * t.shear;
    if (clamped) au = rMax(au, 0), av = rMax(av, 0), twist = 0;
    R(wfMembraneHessian) h;
    h.uu = R(wfDiagonal3)(au);
    R(wfMat3_AddOuter)(&h.uu, m->uu - au, t.u, t.u);
    R(wfMat3_AddOuter)(&h.uu, m->shear, f.v, f.v);
    h.vv = R(wfDiagonal3)(av);
    R(wfMat3_AddOuter)(&h.vv, m->vv - av, t.v, t.v);
    R(wfMat3_AddOuter)(&h.vv, m->shear, f.u, f.u);
    h.uv = R(wfDiagonal3)(twist);
    R(wfMat3_AddOuter)(&h.uv, m->uv, t.u, t.v);
    R(wfMat3_AddOuter)(&h.uv, m->shear, f.v, f.u);
    return h;
}

// ---- any of them, of a whole triangle -----------------------------------------------------------------------------------------

WF_FN real R(wfMembrane_Density)(wfMembraneModel model, const R(wfPlanar)* m, R(wfMat32) f) {
    if (model == wf_membraneStVK) return R(wfStVK_Density)(m, f);
    if (model == wf_membraneCorotational) return R(wfCorotational_Density)(m, f);
    return R(wfThreads_Density)(m, f);
}

WF_FN R(wfMat32) R(wfMembrane_Stress)(wfMembraneModel model, const R(wfPlanar)* m, R(wfMat32) f) {
    if (model == wf_membraneCorotational) return R(wfCorotational_Stress)(m, f);
    return R(wfTension_Stress)(model == wf_membraneStVK ? R(wfStVK_Tension)(m, f) : R(wfThreads_Tension)(m, f), f);
}

/// P b: the gradient by a corner, where b is the gradient of its shape function times the area.
WF_FN R(wfVec3) R(wfMembrane_Pull)(wfMembraneModel model, const R(wfPlanar)* m, R(wfMat32) f, real bu, real bv) {
    if (model == wf_membraneCorotational) {
        R(wfMat32) p = R(wfCorotational_Stress)(m, f);
        return R(wfMulAdd)(R(wfScale)(p.u, bu), bv, p.v);
    }
    R(wfTension) s = model == wf_membraneStVK ? R(wfStVK_Tension)(m, f) : R(wfThreads_Tension)(m, f);
    return R(wfMulAdd)(R(wfScale)(f.u, s.uu * bu + s.uv * bv), s.uv * bu + s.vv * bv, f.v); // F (S b): fewer products than (F S) b
}

WF_FN R(wfMembraneHessian) R(wfMembrane_DensityHessian)(wfMembraneModel model, const R(wfPlanar)* m, R(wfMat32) f, bool clamped) {
    if (model == wf_membraneStVK) return R(wfStVK_Hessian)(m, f, clamped);
    if (model == wf_membraneCorotational) return R(wfCorotational_Hessian)(m, f, clamped);
    return R(wfThreads_Hessian)(m, f, clamped);
}

/// [J]
WF_FN real R(wfMembrane_Energy)(wfMembraneModel model, const R(wfPlanar)* m, const R(wfElement)* e, const R(wfVec3)* x) {
    return e->area * R(wfMembrane_Density)(model, m, R(wfElement_Map)(e, x[0], x[1], x[2]));
}

/// Gradient of the energy by one corner [N], from the stress; the force is its negative.
WF_FN R(wfVec3) R(wfElement_CornerGradient)(const R(wfElement)* e, const R(wfMat32)* stress, int corner) {
    real u, v;
    R(wfElement_Shape)(e, corner, &u, &v);
    return R(wfMulAdd)(R(wfScale)(stress->u, e->area * u), e->area * v, stress->v);
}

/// Gradient by the three corners; they sum to zero exactly as far as rounding allows.
WF_FN void R(wfMembrane_Gradient)(wfMembraneModel model, const R(wfPlanar)* m, const R(wfElement)* e, const R(wfVec3)* x, R(wfVec3)* out) {
    R(wfMat32) p = R(wfMembrane_Stress)(model, m, R(wfElement_Map)(e, x[0], x[1], x[2]));
    for (int k = 0; k < 3; ++k) out[k] = R(wfElement_CornerGradient)(e, &p, k);
}

/// Second derivative by corners i and j [N/m]; with i = j the block of a block-diagonal preconditioner, its diagonal that of a Jacobi one.
WF_FN R(wfMat3) R(wfElement_Block)(const R(wfElement)* e, const R(wfMembraneHessian)* h, int i, int j) {
    real iu, iv, ju, jv;
    R(wfElement_Shape)(e, i, &iu, &iv);
    R(wfElement_Shape)(e, j, &ju, &jv);
    R(wfMat3) vu = R(wfMat3_Transpose)(&h->uv), r = R(wfDiagonal3)(0);
    R(wfMat3_Add)(&r, e->area * iu * ju, &h->uu);
    R(wfMat3_Add)(&r, e->area * iu * jv, &h->uv);
    R(wfMat3_Add)(&r, e->area * iv * ju, &vu);
    R(wfMat3_Add)(&r, e->area * iv * jv, &h->vv);
    return r;
}

/// The whole second derivative: blocks[i][j] by corners i and j.
WF_FN void R(wfMembrane_Hessian)(wfMembraneModel model, const R(wfPlanar)* m, const R(wfElement)* e, const R(wfVec3)* x, bool clamped,
                                 R(wfMat3) blocks[3][3]) {
    R(wfMembraneHessian) h = R(wfMembrane_DensityHessian)(model, m, R(wfElement_Map)(e, x[0], x[1], x[2]), clamped);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) blocks[i][j] = R(wfElement_Block)(e, &h, i, j);
}
