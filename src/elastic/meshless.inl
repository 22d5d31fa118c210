// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by elastic/meshless.h.

/// A neighbour: where it lies in the flat shape, seen from the vertex [m], and its share in A = sum (x_j - x) (qu, qv).
typedef struct R(wfNeighbour) {
    real u, v;
    real qu, qv; // [1/m]
} R(wfNeighbour);

typedef struct R(wfMeshlessFrame) {
    R(wfMat32) a;
    R(wfVec3) normal;
    real iuu, iuv, ivv; // (AᵀA)^-1
} R(wfMeshlessFrame);

/// x is the vertex, xs its neighbours.
WF_FN R(wfMeshlessFrame) R(wfMeshless_Frame)(const R(wfNeighbour)* n, int count, R(wfVec3) x, const R(wfVec3)* xs) {
    R(wfMeshlessFrame) f;
    f.a.u = f.a.v = R(wfMake3)(0, 0, 0);
    for (int j = 0; j < count; ++j) {
        R(wfVec3) d = R(wfSub)(xs[j], x);
        f.a.u = R(wfMulAdd)(f.a.u, n[j].qu, d);
        f.a.v = R(wfMulAdd)(f.a.v, n[j].qv, d);
    }
    real uu = R(wfDot)(f.a.u, f.a.u), uv = R(wfDot)(f.a.u, f.a.v), vv = R(wfDot)(f.a.v, f.a.v);
    real det = rMax(uu * vv - uv * uv, rEpsilon * (uu + vv) * (uu + vv) + rTiny); // a collapsed neighbourhood keeps a finite answer
    f.iuu = vv / det, f.iuv = -uv / det, f.ivv = uu / det;
    R(wfVec3) c = R(wfCross)(f.a.u, f.a.v);
    f.normal = R(wfScale)(c, 1 / rMax(R(wfLength)(c), rTiny));
    return f;
}

/// What the affine map leaves over of neighbour j.
WF_FN R(wfVec3) R(wfMeshless_Residual)(const R(wfMeshlessFrame)* f, const R(wfNeighbour)* n, R(wfVec3) d) {
    return R(wfMulAdd)(R(wfMulAdd)(d, -n->u, f->a.u), -n->v, f->a.v);
}

/// (A^-1 e) as (u, v, height).
WF_FN R(wfVec3) R(wfMeshless_Pull)(const R(wfMeshlessFrame)* f, R(wfVec3) e) {
    real u = R(wfDot)(f->a.u, e), v = R(wfDot)(f->a.v, e);
    return R(wfMake3)(f->iuu * u + f->iuv * v, f->iuv * u + f->ivv * v, R(wfDot)(f->normal, e));
}

/// (A^-T p).
WF_FN R(wfVec3) R(wfMeshless_Push)(const R(wfMeshlessFrame)* f, R(wfVec3) p) {
    R(wfVec3) r = R(wfScale)(f->normal, p.z);
    r = R(wfMulAdd)(r, f->iuu * p.x + f->iuv * p.y, f->a.u);
    return R(wfMulAdd)(r, f->iuv * p.x + f->ivv * p.y, f->a.v);
}

/// [J]
WF_FN real R(wfMeshless_Energy)(real stiffness, const R(wfNeighbour)* n, int count, R(wfVec3) x, const R(wfVec3)* xs) {
    R(wfMeshlessFrame) f = R(wfMeshless_Frame)(n, count, x, xs);
    real sum = 0;
    for (int j = 0; j < count; ++j) {
        R(wfVec3) p = R(wfMeshless_Pull)(&f, R(wfMeshless_Residual)(&f, &n[j], R(wfSub)(xs[j], x)));
        sum += R(wfDot)(p, p);
    }
    return (real)0.5 * stiffness * sum;
}

/// Gradient by the neighbours [N]; that by the vertex is minus their sum, and returned. Exact, though short: the residuals are orthogonal
/// to the flat positions, so that how A depends on x enters through G only.
WF_FN R(wfVec3) R(wfMeshless_Gradient)(real stiffness, const R(wfNeighbour)* n, int count, R(wfVec3) x, const R(wfVec3)* xs, R(wfVec3)* out) {
    R(wfMeshlessFrame) f = R(wfMeshless_Frame)(n, count, x, xs);
    R(wfMat3) w = R(wfDiagonal3)(0); // sum of (G e)(G e)ᵀ
    for (int j = 0; j < count; ++j) {
        out[j] = R(wfMeshless_Push)(&f, R(wfMeshless_Pull)(&f, R(wfMeshless_Residual)(&f, &n[j], R(wfSub)(xs[j], x))));
        R(wfMat3_AddOuter)(&w, 1, out[j], out[j]);
    }
    R(wfVec3) wu = R(wfMat3_Apply)(&w, f.a.u), wv = R(wfMat3_Apply)(&w, f.a.v);
    R(wfVec3) turn = R(wfMeshless_Pull)(&f, R(wfMat3_Apply)(&w, f.normal));
    R(wfVec3) sum = R(wfMake3)(0, 0, 0);
    for (int j = 0; j < count; ++j) {
        R(wfVec3) g = R(wfMulAdd)(R(wfMulAdd)(out[j], -n[j].qu, wu), -n[j].qv, wv);
        g = R(wfMulAdd)(g, n[j].qu * turn.x + n[j].qv * turn.y, f.normal);
        out[j] = R(wfScale)(g, stiffness);
        sum = R(wfSub)(sum, out[j]);
    }
    return sum;
}

/// How much residual l moves with neighbour j, or with the vertex itself where j < 0.
WF_FN real R(wfMeshless_Weight)(const R(wfNeighbour)* n, int count, int l, int j) {
    if (j >= 0) return (l == j ? (real)1 : (real)0) - n[j].qu * n[l].u - n[j].qv * n[l].v;
    real sum = -1;
    for (int k = 0; k < count; ++k) sum += n[k].qu * n[l].u + n[k].qv * n[l].v;
    return sum;
}

/// Second derivative with G held still [N/m]: positive semidefinite. i and j are neighbours, or the vertex itself where < 0.
WF_FN R(wfMat3) R(wfMeshless_Block)(real stiffness, const R(wfNeighbour)* n, int count, const R(wfMeshlessFrame)* f, int i, int j) {
    real sum = 0;
    for (int l = 0; l < count; ++l) sum += R(wfMeshless_Weight)(n, count, l, i) * R(wfMeshless_Weight)(n, count, l, j);
    R(wfMat3) r = R(wfDiagonal3)(0);
    for (int k = 0; k < 3; ++k) {
        R(wfVec3) p = R(wfMeshless_Push)(f, R(wfMake3)(k == 0, k == 1, k == 2));
        R(wfMat3_AddOuter)(&r, stiffness * sum, p, p);
    }
    return r;
}
