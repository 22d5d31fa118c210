// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Read twice by collide/distance.h.

/// The nearest points of two things with four points in all. Of a point p and a triangle: x = (p, a, b, c), w = (1, -, -, -). Of edges
/// a0 a1 and b0 b1: x = (a0, a1, b0, b1), w = (+, +, -, -). Weights of one thing sum to 1 or -1; one that is exactly 0 has no part in it.
typedef struct R(wfNearest) {
    real w[4];
    R(wfVec3) offset; // sum w_k x_k: to the point from the triangle, to the first edge from the second
    real distanceSq;  // |offset|²
} R(wfNearest);

/// The nearest points of two triangles: offset = sum wa_k a_k - sum wb_k b_k.
typedef struct R(wfTrianglesNearest) {
    real wa[3], wb[3];
    R(wfVec3) offset;
    real distanceSq;
} R(wfTrianglesNearest);

/// Gradient of the squared distance by point k.
WF_FN R(wfVec3) R(wfNearest_Gradient)(const R(wfNearest) * near, int k) { return R(wfScale)(near->offset, 2 * near->w[k]); }

/// v at unit length; `fallback` where v is zero. Scaled first, so that no length is too small.
WF_FN R(wfVec3) R(wfUnitOr)(R(wfVec3) v, R(wfVec3) fallback) {
    real largest = rMax(rAbs(v.x), rMax(rAbs(v.y), rAbs(v.z)));
    if (!(largest > 0)) return fallback;
    v = R(wfMake3)(v.x / largest, v.y / largest, v.z / largest);
    return R(wfScale)(v, 1 / R(wfLength)(v));
}

/// A unit vector across `a`, whatever its length; up where it is zero.
WF_FN R(wfVec3) R(wfAcrossAny)(R(wfVec3) a) {
    R(wfVec3) zero = R(wfMake3)(0, 0, 0), unit = R(wfUnitOr)(a, zero);
    return unit.x == 0 && unit.y == 0 && unit.z == 0 ? R(wfMake3)(0, 1, 0) : R(wfAcross)(unit);
}

// ---- point and edge -----------------------------------------------------------------------------------------------------------

/// Where on the edge from a to b, 0 to 1, the point nearest to p lies; 0 where the edge has no length.
WF_FN real R(wfPointEdge)(R(wfVec3) p, R(wfVec3) a, R(wfVec3) b) {
    R(wfVec3) edge = R(wfSub)(b, a);
    real lengthSq = R(wfDot)(edge, edge), along = R(wfDot)(R(wfSub)(p, a), edge);
    return lengthSq > 0 ? rMin(rMax(along / lengthSq, 0), 1) : (real)0;
}

// Nearer of `best` and the pair of points with these weights.
WF_FN void R(wfNearest_Offer)(R(wfNearest) * best, R(wfVec3) offset, real w0, real w1, real w2, real w3) {
    real distanceSq = R(wfDot)(offset, offset);
    if (!(distanceSq < best->distanceSq)) return;
    best->w[0] = w0, best->w[1] = w1, best->w[2] = w2, best->w[3] = w3;
    best->offset = offset;
    best->distanceSq = distanceSq;
}

// p - (a + t (b - a)), from the nearer end: the rounding is then that of the distance to this end.
WF_FN R(wfVec3) R(wfPointEdge_Offset)(R(wfVec3) p, R(wfVec3) a, R(wfVec3) b, real t) {
    return t > (real)0.5 ? R(wfMulAdd)(R(wfSub)(p, b), 1 - t, R(wfSub)(b, a)) : R(wfMulAdd)(R(wfSub)(p, a), -t, R(wfSub)(b, a));
}

// ---- point and triangle -------------------------------------------------------------------------------------------------------

/// x = (p, a, b, c).
WF_FN R(wfNearest) R(wfPointTriangle)(R(wfVec3) p, R(wfVec3) a, R(wfVec3) b, R(wfVec3) c) {
    R(wfNearest) best;
    best.w[0] = 1, best.w[1] = -1, best.w[2] = 0, best.w[3] = 0;
    best.offset = R(wfSub)(p, a);
    best.distanceSq = R(wfDot)(best.offset, best.offset);

    // Into the plane, first along b - a, then along what of c - a is across it: each step removes its part of the offset for good.
    R(wfVec3) ab = R(wfSub)(b, a), ac = R(wfSub)(c, a);
    real abSq = R(wfDot)(ab, ab), acSq = R(wfDot)(ac, ac);
    if (abSq > 0) {
        real skew = R(wfDot)(ac, ab) / abSq, along = R(wfDot)(best.offset, ab) / abSq;
        R(wfVec3) height = R(wfMulAdd)(ac, -skew, ab), rest = R(wfMulAdd)(best.offset, -along, ab);
        real heightSq = R(wfDot)(height, height);
        if (heightSq > 0) {
            real wc = R(wfDot)(rest, height) / heightSq;
            R(wfVec3) flat = R(wfMulAdd)(best.offset, -wc, ac);
            real wb = R(wfDot)(flat, ab) / abSq, wa = 1 - wb - wc;
            if (wa >= 0 && wb >= 0 && wc >= 0) {
                R(wfNearest_Offer)(&best, R(wfMulAdd)(flat, -wb, ab), 1, -wa, -wb, -wc);
                if (heightSq > (real)1e-4 * acSq) return best; // no sliver: the weights can be trusted
            }
        }
    }

    real t = R(wfPointEdge)(p, a, b);
    R(wfNearest_Offer)(&best, R(wfPointEdge_Offset)(p, a, b, t), 1, t - 1, -t, 0);
    t = R(wfPointEdge)(p, b, c);
    R(wfNearest_Offer)(&best, R(wfPointEdge_Offset)(p, b, c, t), 1, 0, t - 1, -t);
    t = R(wfPointEdge)(p, c, a);
    R(wfNearest_Offer)(&best, R(wfPointEdge_Offset)(p, c, a, t), 1, -t, 0, t - 1);
    return best;
}

/// The direction of contact, unit: along the offset; at no distance the normal of the triangle, and what is across it where it has none.
WF_FN R(wfVec3) R(wfPointTriangle_Normal)(const R(wfNearest) * near, R(wfVec3) a, R(wfVec3) b, R(wfVec3) c) {
    R(wfVec3) ab = R(wfSub)(b, a), ac = R(wfSub)(c, a);
    real abSq = R(wfDot)(ab, ab), acSq = R(wfDot)(ac, ac);
    R(wfVec3) across = R(wfAcrossAny)(abSq > acSq ? ab : ac);
    return R(wfUnitOr)(near->offset, R(wfUnitOr)(R(wfCross)(ab, ac), across));
}

// ---- two edges ----------------------------------------------------------------------------------------------------------------

/// x = (a0, a1, b0, b1).
WF_FN R(wfNearest) R(wfEdgeEdge)(R(wfVec3) a0, R(wfVec3) a1, R(wfVec3) b0, R(wfVec3) b1) {
    R(wfVec3) u = R(wfSub)(a1, a0), v = R(wfSub)(b1, b0), between = R(wfSub)(a0, b0), n = R(wfCross)(u, v);
    real uSq = R(wfDot)(u, u), vSq = R(wfDot)(v, v), nSq = R(wfDot)(n, n), s, t;
    R(wfNearest) best;
    best.w[0] = 1, best.w[1] = 0, best.w[2] = -1, best.w[3] = 0;
    best.offset = between;
    best.distanceSq = R(wfDot)(between, between);

    if (nSq > 0) {
        s = R(wfDot)(R(wfCross)(v, between), n) / nSq;
        t = R(wfDot)(R(wfCross)(u, between), n) / nSq;
        bool inside = s >= 0 && s <= 1 && t >= 0 && t <= 1;
        // Along edges that are almost parallel both are vague, but together they must fit: each is put where it is nearest to the other.
        R(wfVec3) onA = R(wfMulAdd)(a0, rMin(rMax(s, 0), 1), u);
        t = R(wfPointEdge)(onA, b0, b1);
        s = R(wfPointEdge)(R(wfMulAdd)(b0, t, v), a0, a1);
        R(wfNearest_Offer)(&best, R(wfMulAdd)(R(wfMulAdd)(between, s, u), -t, v), 1 - s, s, t - 1, -t);
        if (inside && nSq > (real)1e-4 * uSq * vSq) return best;
    }

    // Otherwise an end of one is nearest to the other.
    t = R(wfPointEdge)(a0, b0, b1);
    R(wfNearest_Offer)(&best, R(wfPointEdge_Offset)(a0, b0, b1, t), 1, 0, t - 1, -t);
    t = R(wfPointEdge)(a1, b0, b1);
    R(wfNearest_Offer)(&best, R(wfPointEdge_Offset)(a1, b0, b1, t), 0, 1, t - 1, -t);
    s = R(wfPointEdge)(b0, a0, a1);
    R(wfNearest_Offer)(&best, R(wfScale)(R(wfPointEdge_Offset)(b0, a0, a1, s), -1), 1 - s, s, -1, 0);
    s = R(wfPointEdge)(b1, a0, a1);
    R(wfNearest_Offer)(&best, R(wfScale)(R(wfPointEdge_Offset)(b1, a0, a1, s), -1), 1 - s, s, 0, -1);
    return best;
}

/// The direction of contact, unit: along the offset; at no distance across both edges, and across the longer one where they are parallel.
WF_FN R(wfVec3) R(wfEdgeEdge_Normal)(const R(wfNearest) * near, R(wfVec3) a0, R(wfVec3) a1, R(wfVec3) b0, R(wfVec3) b1) {
    R(wfVec3) u = R(wfSub)(a1, a0), v = R(wfSub)(b1, b0);
    R(wfVec3) across = R(wfAcrossAny)(R(wfDot)(u, u) > R(wfDot)(v, v) ? u : v);
    return R(wfUnitOr)(near->offset, R(wfUnitOr)(R(wfCross)(u, v), across));
}

// ---- two triangles ------------------------------------------------------------------------------------------------------------

/// Where the plane of a triangle parts the edge from p to q, 0 to 1; negative where it does not, to rounding.
WF_FN real R(wfPierce)(R(wfVec3) p, R(wfVec3) q, const R(wfVec3) * tri) {
    R(wfVec3) n = R(wfCross)(R(wfSub)(tri[1], tri[0]), R(wfSub)(tri[2], tri[0]));
    real sp = R(wfDot)(n, R(wfSub)(p, tri[0])), sq = R(wfDot)(n, R(wfSub)(q, tri[0]));
    return (sp < 0 && sq > 0) || (sp > 0 && sq < 0) ? sp / (sp - sq) : (real)-1;
}

/// Nearest points of two triangles. Where they cross the distance is zero to rounding; whether they do is decided in collide/intersect.h.
WF_FN R(wfTrianglesNearest) R(wfTriangleTriangle)(const R(wfVec3) * a, const R(wfVec3) * b) {
    R(wfTrianglesNearest) best;
    for (int k = 0; k < 3; ++k) best.wa[k] = best.wb[k] = k == 0;
    best.offset = R(wfSub)(a[0], b[0]);
    best.distanceSq = R(wfDot)(best.offset, best.offset);
    for (int side = 0; side < 2; ++side) {
        const R(wfVec3)* tri = side == 0 ? b : a;
        const R(wfVec3)* other = side == 0 ? a : b;
        for (int k = 0; k < 6; ++k) { // the corners of the other, then where its edges part the plane
            int next = (k + 1) % 3;
            real t = k < 3 ? (real)0 : R(wfPierce)(other[k - 3], other[next], tri);
            if (t < 0) continue;
            R(wfVec3) p = R(wfMulAdd)(other[k % 3], t, R(wfSub)(other[next], other[k % 3]));
            R(wfNearest) near = R(wfPointTriangle)(p, tri[0], tri[1], tri[2]);
            if (!(near.distanceSq < best.distanceSq)) continue;
            best.distanceSq = near.distanceSq;
            best.offset = R(wfScale)(near.offset, side == 0 ? (real)1 : (real)-1);
            for (int i = 0; i < 3; ++i) {
                real corner = (i == k % 3 ? 1 - t : (real)0) + (i == next ? t : (real)0);
                best.wa[i] = side == 0 ? corner : -near.w[1 + i];
                best.wb[i] = side == 0 ? -near.w[1 + i] : corner;
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int i1 = (i + 1) % 3, j1 = (j + 1) % 3;
            R(wfNearest) near = R(wfEdgeEdge)(a[i], a[i1], b[j], b[j1]);
            if (!(near.distanceSq < best.distanceSq)) continue;
            best.distanceSq = near.distanceSq;
            best.offset = near.offset;
            for (int k = 0; k < 3; ++k) {
                best.wa[k] = k == i ? near.w[0] : k == i1 ? near.w[1] : (real)0;
                best.wb[k] = k == j ? -near.w[2] : k == j1 ? -near.w[3] : (real)0;
            }
        }
    }
    return best;
}
