// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/impulse_kernels.h"

#include "collide/bounds.h"
#include "collide/ccd.h"
#include "collide/distance.h"
#include "compute/kernel.h"
#include "contact/outward.h"

// ---- pairs at the beginning of a step -----------------------------------------------------------------------------------------

// As the nearest points of a vertex and a plane: the plane's point is a mix of its three vertices, beyond their triangle too. The distance
// is negative below it.
WF_FN wfNearest NearestOnPlane(const wfVec3 x[4], wfVec3* normal, float* distance) {
    wfVec3 u = wfSub(x[2], x[1]), v = wfSub(x[3], x[1]), p = wfSub(x[0], x[1]), n = wfCross(u, v);
    float square = wfDot(n, n), b = wfDot(wfCross(p, v), n) / square, c = wfDot(wfCross(u, p), n) / square;
    *normal = wfScale(n, 1.0f / sqrtf(square));
    *distance = wfDot(*normal, p);
    wfNearest near;
    near.w[0] = 1.0f;
    near.w[1] = b + c - 1.0f;
    near.w[2] = -b;
    near.w[3] = -c;
    near.offset = wfScale(*normal, *distance);
    near.distanceSq = *distance * *distance;
    return near;
}

WF_FN wfNearest NearestOfQuad(int kind, const wfVec3 x[4], wfVec3* normal, float* distance) {
    if (kind == wf_quadPlane) return NearestOnPlane(x, normal, distance);
    wfNearest near = kind == wf_quadPointTriangle ? wfPointTriangle(x[0], x[1], x[2], x[3]) : wfEdgeEdge(x[0], x[1], x[2], x[3]);
    *normal =
        kind == wf_quadPointTriangle ? wfPointTriangle_Normal(&near, x[1], x[2], x[3]) : wfEdgeEdge_Normal(&near, x[0], x[1], x[2], x[3]);
    *distance = sqrtf(near.distanceSq);
    return near;
}

/// Whether an edge of the cloth connects both sides of a pair.
WF_FN bool AreNeighbours(const wfQuad* q, int kind, const wfNearThickness* near) {
    int first = kind == wf_quadEdgeEdge ? 2 : 1;
    for (int k = 0; k < 4; ++k)
        if (q->v[k] >= near->clothVertexCount) return false;
    for (int k = 0; k < first; ++k)
        for (int at = near->ringStart[q->v[k]]; at < near->ringStart[q->v[k] + 1]; ++at)
            for (int j = first; j < 4; ++j)
                if (near->ring[at] == q->v[j]) return true;
    return false;
}

WF_FN float ThicknessOf(const wfQuad* q, int kind, const float w[4], const wfVec4* to, const wfNearThickness* near) {
    bool thin = near->half != 0 && AreNeighbours(q, kind, near);
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) sum += fabsf(w[k]) * (thin ? near->half[q->v[k]] : to[q->v[k]].w);
    return sum;
}

WF_FN float OwnOf(const wfQuad* q, const float w[4], const wfVec4* from) {
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) sum += w[k] * w[k] * from[q->v[k]].w;
    return sum;
}

// The largest distance along an axis between the boxes about both sides of a pair.
WF_FN float BoxDistance(int kind, const wfVec3 x[4]) {
    wfVec3 low[2], high[2];
    for (int side = 0; side < 2; ++side) low[side] = high[side] = x[side == 0 ? 0 : 3];
    for (int k = 1; k < 3; ++k) {
        int side = (kind == wf_quadEdgeEdge && k < 2) ? 0 : 1;
        low[side] = wfMake3(wfLess(low[side].x, x[k].x), wfLess(low[side].y, x[k].y), wfLess(low[side].z, x[k].z));
        high[side] = wfMake3(wfMore(high[side].x, x[k].x), wfMore(high[side].y, x[k].y), wfMore(high[side].z, x[k].z));
    }
    float dx = wfMore(low[0].x - high[1].x, low[1].x - high[0].x), dy = wfMore(low[0].y - high[1].y, low[1].y - high[0].y);
    return wfMore(wfMore(dx, dy), wfMore(low[0].z - high[1].z, low[1].z - high[0].z));
}

/// Whether both sides of a pair are farther apart than `reach` along the normal of the triangle, or of both edges: nowhere are they nearer.
/// Not asked of edges that are as good as parallel and of triangles without area, of which rounding leaves no direction.
WF_FN bool AreFarAcross(int kind, const wfVec3 x[4], float reach) {
    bool edges = kind == wf_quadEdgeEdge;
    wfVec3 u = edges ? wfSub(x[1], x[0]) : wfSub(x[2], x[1]), v = edges ? wfSub(x[3], x[2]) : wfSub(x[3], x[1]);
    wfVec3 n = wfCross(u, v), d = wfSub(x[edges ? 2 : 1], x[0]);
    float square = wfDot(n, n), height = wfDot(n, d);
    float limit = reach + 1e-4f * (fabsf(d.x) + fabsf(d.y) + fabsf(d.z)); // more than rounding takes, down to a hundredth of a right angle
    return square > 1e-4f * wfDot(u, u) * wfDot(v, v) && height * height > limit * limit * square;
}

/// Whether a pair has a pinched vertex, and whether it has a body.
WF_FN bool HasPinched(const wfQuad* q, const int* pinched, int clothVertexCount, bool* body) {
    bool has = false;
    *body = false;
    for (int k = 0; k < 4; ++k) {
        if (q->v[k] >= clothVertexCount)
            *body = true;
        else if (pinched != 0 && pinched[q->v[k]] != 0)
            has = true;
    }
    return has;
}

/// Whether the motion, and as much again, takes a pair that is `room` farther apart than its thickness as near as that.
WF_FN bool MayComeNear(const wfQuad* q, const float w[4], wfVec3 normal, float room, const wfVec4* at, const wfVec4* toward) {
    float along = 0.0f;
    for (int k = 0; k < 4; ++k) along += w[k] * wfDot(wfSub(wfXyz(toward[q->v[k]]), wfXyz(at[q->v[k]])), normal);
    return room + 2.0f * along < 0.0f;
}

/// Whether two edges cross in space: where they are as good as parallel the direction between them can be any across them, and turns by
/// much with little motion.
WF_FN bool AreCrossing(wfVec3 first, wfVec3 second) {
    wfVec3 c = wfCross(first, second);
    return wfDot(c, c) > 0.04f * wfDot(first, first) * wfDot(second, second);
}

/// Of a pair of edges: whether its contact is one of its own. Where the nearest point is an end, or the edges do not cross, a vertex is
/// as near to a triangle, and that pair says better which way is out.
WF_FN bool IsOwnContact(const wfVec3 x[4], const float w[4]) {
    bool inside = fminf(w[0], w[1]) > 1e-3f && fmaxf(w[2], w[3]) < -1e-3f;
    return inside && AreCrossing(wfSub(x[1], x[0]), wfSub(x[3], x[2]));
}

WF_FN wfSide SideOf(wfVec3 normal, float distance) {
    wfSide side;
    side.direction = wfPackDirection(normal);
    side.distance = distance;
    return side;
}

WF_KERNEL(PairStart, a, item)
{
    int i = a.first + item;
    wfQuad q = a.quads[i];
    bool body, pinched = HasPinched(&q, a.pinched, a.clothVertexCount, &body);
    wfVec3 x[4], normal;
    float distance, thickest = 0.0f;
    int kind = wfQuadRanges_KindOf(&a.ranges, i);
    for (int k = 0; k < 4; ++k) {
        x[k] = wfXyz(a.at[q.v[k]]);
        thickest = fmaxf(thickest, a.to[q.v[k]].w);
    }
    // Pinched cloth is let into bodies, but not into cloth. Where all of a pair is held nothing can be done, but somebody has to see it.
    bool matters = !(pinched && body);
    // Most pairs are far: where exactly is looked at when they may meet.
    float reach = 2.05f * thickest + a.reach;
    if (kind != wf_quadPlane && matters && (a.later || BoxDistance(kind, x) > reach || AreFarAcross(kind, x, reach))) {
        a.sides[i] = SideOf(wfMake3(0.0f, 0.0f, 0.0f), -1.0f);
        a.flags[i] = 0;
        return;
    }
    wfNearest near = NearestOfQuad(kind, x, &normal, &distance);
    // What is a little farther than its thickness may come nearer: cloth at rest is then never without friction.
    float thickness = ThicknessOf(&q, kind, near.w, a.to, &a.near);
    bool close = distance < 1.02f * thickness ||
                 (distance < thickness + a.reach && MayComeNear(&q, near.w, normal, distance - thickness, a.at, a.toward));
    close = close && matters && OwnOf(&q, near.w, a.from) > 0.0f && (kind != wf_quadEdgeEdge || IsOwnContact(x, near.w));
    wfOnWay way = {a.at, a.at, 0.0f};
    close = close && wfLeadsOut(&a.rims, &way, &q, kind, near.w, normal);
    a.sides[i] = SideOf(normal, matters ? distance : INFINITY);
    a.flags[i] = close;
}

/// What a contact holds or slides with: as it did when the step began. Were that asked while it is solved, one that lets go for a moment
/// would be lost to the lower coefficient; and impulses, which know of nothing that pulls, would hold for good what the dynamics lets
/// slide.
WF_FN float FrictionOf(const wfTouch* touch, int kind, wfVec3 normal, const wfTouchFriction* f, const wfVec4* from, const wfVec4* to) {
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 4; ++k) {
        int v = touch->q.v[k];
        wfVec3 own = v < f->clothVertexCount ? wfScale(wfXyz(f->v[v]), f->dt) : wfSub(wfXyz(to[v]), wfXyz(from[v]));
        motion = wfMulAdd(motion, touch->w[k], own);
    }
    motion = wfMulAdd(motion, -wfDot(motion, normal), normal);
    int other = touch->q.v[kind == wf_quadEdgeEdge ? 2 : 1];
    wfFriction pair = f->table[f->surfaceOf[touch->q.v[0]] * f->surfaceCount + f->surfaceOf[other]];
    return wfLengthSq(motion) > f->still * f->still * f->dt * f->dt ? pair.slide : pair.hold;
}

WF_FN void SetResponse(wfResponse* r, wfVec3 normal, float least, float friction, float own) {
    r->normal = normal;
    r->least = least;
    r->slip = wfMake3(0.0f, 0.0f, 0.0f);
    r->push = 0.0f;
    r->aheadSlip = r->slip;
    r->aheadPush = 0.0f;
    r->friction = friction;
    r->own = own;
    r->active = 0;
    r->rests = 0;
}

// Bridson et al., section 7.2: what approaches stops, and what is nearer than its thickness by d is moved apart by a tenth of d at most, or
// less where a spring of the cloth's stiffness gives less in the step.
WF_FN float LeastMotion(float overlap, float own, wfTouchRules rules) {
    if (overlap <= 0.0f) return overlap; // it may come as near as the thickness
    return fminf(rules.fraction, rules.stiffness * rules.dt * rules.dt * own) * overlap;
}

// Of a contact at other positions `at`: `least` there as a motion from the beginning of the step. What was on the other side then, or
// beside it, is no contact.
WF_FN float FromStart(const wfTouch* touch, const wfVec4* from, const wfVec3 at[4], wfVec3 normal, float least) {
    float start = 0.0f, way = 0.0f;
    for (int k = 0; k < 4; ++k) {
        wfVec3 p = wfXyz(from[touch->q.v[k]]);
        start += touch->w[k] * wfDot(wfSub(p, at[0]), normal);
        way += touch->w[k] * wfDot(wfSub(at[k], p), normal);
    }
    return start > 0.0f ? least + way : -1e6f;
}

WF_KERNEL(TouchNear, a, i)
{
    int pair = a.list[i], kind = wfQuadRanges_KindOf(&a.ranges, pair);
    wfTouch touch;
    wfVec3 x[4], normal;
    float distance;
    touch.q = a.quads[pair];
    for (int k = 0; k < 4; ++k) x[k] = wfXyz(a.at[touch.q.v[k]]);
    wfNearest near = NearestOfQuad(kind, x, &normal, &distance);
    for (int k = 0; k < 4; ++k) touch.w[k] = near.w[k];
    float thickness = ThicknessOf(&touch.q, kind, near.w, a.to, &a.near), along = 0.0f;
    for (int k = 0; k < 4; ++k) along += near.w[k] * wfDot(wfSub(wfXyz(a.to[touch.q.v[k]]), wfXyz(a.from[touch.q.v[k]])), normal);
    float own = OwnOf(&touch.q, near.w, a.from), least = LeastMotion(thickness - distance, own, a.rules);
    if (a.at != a.from) least = FromStart(&touch, a.from, x, normal, least);
    float friction = FrictionOf(&touch, kind, normal, &a.friction, a.from, a.to);
    a.touches[i] = touch;
    SetResponse(&a.responses[i], normal, least, friction, own);
    // Not where they are only about to touch: springs that pull would tilt what lies beside, and of thick cloth by much.
    a.responses[i].rests = a.at == a.from && distance < thickness && along < least;
}

// ---- pairs that meet ----------------------------------------------------------------------------------------------------------

/// Whether the direction n, in which the pair lies apart at the beginning, has it apart at both ends of the motion, and so all the time.
WF_FN bool StaysApart(int kind, const wfVec3 from[4], const wfVec3 to[4], wfVec3 n, float separation) {
    // Differences to one corner are off by 2^-24 of themselves, their products with n by three more roundings.
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, size = 0.0f;
    for (int k = 0; k < 4; ++k) {
        bool first = kind == wf_quadEdgeEdge ? k < 2 : k < 1;
        for (int end = 0; end < 2; ++end) {
            wfVec3 d = wfSub(end ? to[k] : from[k], from[0]);
            float along = wfDot(d, n);
            size = wfMore(size, fabsf(d.x) + fabsf(d.y) + fabsf(d.z));
            if (first)
                low[end] = wfLess(low[end], along);
            else
                high[end] = wfMore(high[end], along);
        }
    }
    float margin = 1.01f * separation + 6e-7f * size;
    return low[0] - high[0] > margin && low[1] - high[1] > margin;
}

WF_FN double FirstTimeOf(int kind, const wfVec3 from[4], const wfVec3 to[4], double separation) {
    wfCcdQuery query = wfCcd_MakeQuery(kind == wf_quadEdgeEdge ? wf_ccdEdgeEdge : wf_ccdPointTriangle, from, to);
    if (kind != wf_quadPlane) return wfCcd_FirstTime(&query, separation);
    // A plane has no edges to pass by: where the volume over its three vertices keeps its sign, nothing went through.
    wfCcdCubic c = wfCcd_MakeCubic(&query, separation);
    if (wfCubic_StaysBeyond(c.b, c.band)) return WF_CCD_NEVER;
    wfCubicSpans spans = wfCubic_NearZero(c.b, c.band);
    return spans.count > 0 ? spans.lo[0] : WF_CCD_NEVER;
}

/// A time on the way, 0 to 1, as a number that is not 0, which stands for never. So when is a flag of whether, too.
WF_FN int MeetAt(float time) { return time <= 1.0f ? 1 + (int)wfToOrder(time) : 0; }
WF_FN float TimeOfMeet(int meet) { return wfFromOrder((unsigned)(meet - 1)); }

/// The time at which pair i meets on its way; what is not known yet of its sides is looked at.
WF_FN float PairTime(const PairTimesArgs* a, int i, int kind) {
    wfSide side = a->sides[i];
    wfVec3 normal = wfUnpackDirection(side.direction);
    wfQuad q = a->quads[i];
    wfVec3 x[8]; // at the beginning, at the end
    for (int k = 0; k < 4; ++k) {
        x[k] = wfXyz(a->from[q.v[k]]);
        x[4 + k] = wfXyz(a->to[q.v[k]]);
    }
    if (kind != wf_quadPlane && side.distance < 0.0f) {
        NearestOfQuad(kind, x, &normal, &side.distance);
        a->sides[i] = SideOf(normal, side.distance);
    }
    // What is nearer already may come nearer by half: proof of that is enough, and leaves room to get out again.
    float separation = fminf(a->separation, 0.5f * side.distance);
    if (StaysApart(kind, x, x + 4, normal, separation)) return INFINITY;
    return wfCcd_RoundDown(FirstTimeOf(kind, x, x + 4, separation));
}

// Most pairs are far from each other. Lanes tell those by the boxes about both sides of a pair and, as StaysApart does, by the direction
// in which they lay apart; the vertex with number 1 belongs to the first side of edges, to the second side of others.

WF_LANE_FN float Least(float a, float b, float c, float d) { return wfLess(wfLess(a, b), wfLess(c, d)); }
WF_LANE_FN float Most(float a, float b, float c, float d) { return wfMore(wfMore(a, b), wfMore(c, d)); }

/// The distance of the boxes along an axis: x at the beginning, y at the end.
WF_LANE_FN float GapAlong(float x0, float x1, float x2, float x3, float y0, float y1, float y2, float y3, int edges) {
    float lowA = Least(x0, y0, edges ? x1 : x0, edges ? y1 : y0), highA = Most(x0, y0, edges ? x1 : x0, edges ? y1 : y0);
    float lowB = wfLess(Least(x2, y2, x3, y3), edges ? x2 : wfLess(x1, y1)),
          highB = wfMore(Most(x2, y2, x3, y3), edges ? x2 : wfMore(x1, y1));
    return wfMore(lowA - highB, lowB - highA);
}

WF_LANE_FN float Sum3(float x, float y, float z) { return fabsf(x) + fabsf(y) + fabsf(z); }

WF_TILE_KERNEL(PairTimes, a, tile)
{
#define EACH_END(DO) DO(0, from) DO(1, from) DO(2, from) DO(3, from) DO(4, to) DO(5, to) DO(6, to) DO(7, to)
#define PRIVATE_END(k, array) \
    WF_PRIVATE(float, x##k);  \
    WF_PRIVATE(float, y##k);  \
    WF_PRIVATE(float, z##k);
#define GATHER_END(k, array) WF_WARP_GATHER3(x##k, y##k, z##k, a.array, t, w, vertices[((k) % 4) * WF_TILE + t]);
#define X(k)                 WF_MINE(x##k, t)
#define Y(k)                 WF_MINE(y##k, t)
#define Z(k)                 WF_MINE(z##k, t)
    WF_SHARED int vertices[4 * WF_TILE], kinds[WF_TILE], left[WF_TILE];
    WF_PRIVATE(uint32_t, direction);
    WF_PRIVATE(float, known);
    EACH_END(PRIVATE_END)
    int first = tile * WF_TILE, last = a.count - 1;
    WF_LANES (t, WF_TILE) {
        int i = first + t < last ? first + t : last;
        wfQuad q = a.quads[i];
        for (int k = 0; k < 4; ++k) vertices[k * WF_TILE + t] = q.v[k];
        kinds[t] = wfQuadRanges_KindOf(&a.ranges, i);
        wfSide side = a.sides[i];
        WF_MINE(direction, t) = side.direction;
        WF_MINE(known, t) = side.distance;
    }
    WF_SYNC();
    WF_WARPS(w) {
        EACH_END(GATHER_END)
        WF_WARP_LANES(t, w) {
            int edges = kinds[t] == wf_quadEdgeEdge, plane = kinds[t] == wf_quadPlane;
            float distance = WF_MINE(known, t), gap = wfMore(wfMore(GapAlong(X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), edges),
                                                                    GapAlong(Y(0), Y(1), Y(2), Y(3), Y(4), Y(5), Y(6), Y(7), edges)),
                                                             GapAlong(Z(0), Z(1), Z(2), Z(3), Z(4), Z(5), Z(6), Z(7), edges));
            wfVec3 n = wfUnpackDirection(WF_MINE(direction, t));
#define ALONG(k) (n.x * (X(k) - X(0)) + n.y * (Y(k) - Y(0)) + n.z * (Z(k) - Z(0)))
#define SIZE(k)  Sum3(X(k) - X(0), Y(k) - Y(0), Z(k) - Z(0))
            float second = ALONG(1), firstEnd = ALONG(4), secondEnd = ALONG(5);
            float lowStart = edges ? wfLess(0.0f, second) : 0.0f, lowEnd = edges ? wfLess(firstEnd, secondEnd) : firstEnd;
            float highStart = wfMore(wfMore(ALONG(2), ALONG(3)), edges ? ALONG(2) : second);
            float highEnd = wfMore(wfMore(ALONG(6), ALONG(7)), edges ? ALONG(6) : secondEnd);
            float size = wfMore(Most(SIZE(1), SIZE(2), SIZE(3), SIZE(4)), wfMore(wfMore(SIZE(5), SIZE(6)), SIZE(7)));
#undef ALONG
#undef SIZE
            float margin = 1.01f * wfLess(a.separation, 0.5f * distance) + 6e-7f * size;
            int apart = (lowStart - highStart > margin) & (lowEnd - highEnd > margin) & (distance >= 0.0f);
            int looked = (distance < INFINITY) & ((plane == 0) | (distance > 0.0f));
            left[t] = looked & (apart == 0) & (plane | (gap <= 1.01f * a.separation));
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        if (first + t <= last) {
            float time = left[t] ? PairTime(&a, first + t, kinds[t]) : INFINITY;
            a.meets[first + t] = MeetAt(time);
        }
    }
#undef EACH_END
#undef PRIVATE_END
#undef GATHER_END
#undef X
#undef Y
#undef Z
}

/// Where and how a pair meets: its nearest points then, by their weights.
WF_FN wfVec3 MeetingOf(const wfQuad* q, int kind, double t, const wfVec4* from, const wfVec4* to, wfVec3 side, float w[4]) {
    wfVec3D x[4];
    for (int k = 0; k < 4; ++k) {
        wfVec3D p = wfWiden(wfXyz(from[q->v[k]])), end = wfWiden(wfXyz(to[q->v[k]]));
        x[k] = wfMulAddD(p, t, wfSubD(end, p));
    }
    if (kind == wf_quadPlane) {
        float distance;
        wfVec3 at[4], normal;
        for (int k = 0; k < 4; ++k) at[k] = wfNarrow(x[k]);
        wfNearest near = NearestOnPlane(at, &normal, &distance);
        for (int k = 0; k < 4; ++k) w[k] = near.w[k];
        return normal;
    }
    wfNearestD near = kind == wf_quadPointTriangle ? wfPointTriangleD(x[0], x[1], x[2], x[3]) : wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
    for (int k = 0; k < 4; ++k) w[k] = (float)near.w[k];
    // They have not met yet, so the direction still says which side is which.
    return near.distanceSq > 1e-18 ? wfNarrow(wfScaleD(near.offset, 1.0 / sqrt(near.distanceSq))) : side;
}

WF_KERNEL(HitLeadsOut, a, i)
{
    int pair = a.list[i], kind = wfQuadRanges_KindOf(&a.ranges, pair);
    float t = TimeOfMeet(a.meets[pair]), w[4];
    wfQuad q = a.quads[pair];
    wfVec3 normal = MeetingOf(&q, kind, t, a.from, a.to, wfUnpackDirection(a.sides[pair].direction), w);
    wfOnWay way = {a.from, a.to, t};
    if (!wfLeadsOut(&a.rims, &way, &q, kind, w, normal)) a.meets[pair] = 0;
}

WF_KERNEL(TouchHit, a, i)
{
    int pair = a.list[i], kind = wfQuadRanges_KindOf(&a.ranges, pair);
    wfTouch touch;
    touch.q = a.quads[pair];
    wfVec3 side = wfUnpackDirection(a.sides[pair].direction), start[4];
    wfVec3 normal = MeetingOf(&touch.q, kind, TimeOfMeet(a.meets[pair]), a.from, a.to, side, touch.w);
    for (int k = 0; k < 4; ++k) start[k] = wfXyz(a.from[touch.q.v[k]]);
    float own = OwnOf(&touch.q, touch.w, a.from), thickness = ThicknessOf(&touch.q, kind, touch.w, a.to, &a.near), gap = 0.0f;
    for (int k = 0; k < 4; ++k) gap += touch.w[k] * wfDot(wfSub(start[k], start[0]), normal);
    // They may come as near as half their thickness; what is nearer already parts as in TouchNear.
    float least = gap > 0.5f * thickness ? 0.5f * thickness - gap : LeastMotion(fminf(thickness - gap, thickness), own, a.rules);
    float friction = FrictionOf(&touch, kind, normal, &a.friction, a.from, a.to);
    a.touches[i] = touch;
    SetResponse(&a.responses[i], normal, least, friction, own);
}

// ---- edges that stretch or shrink too much ------------------------------------------------------------------------------------
// Bridson et al., section 4, for what impulses do: in a step no edge changes its length by more than a tenth, and none ends much longer or
// shorter than at rest, unless the dynamics proposes so. As contacts between its ends that push or pull along the edge, as it lies at the
// end: along its start, every turn of it would count as shrinking. They hold for small changes of that end, and are made anew for another.

typedef struct EdgeEnd {
    wfVec3 along; // unit, at the end of the step
    float length; // then
    float least, most;
} EdgeEnd;

WF_FN EdgeEnd EndOfEdge(wfPair e, float rest, const wfVec4* from, const wfVec4* to, const wfVec4* proposed, wfEdgeLimits limits) {
    EdgeEnd end;
    wfVec3 span = wfSub(wfXyz(to[e.b]), wfXyz(to[e.a]));
    float start = wfLength(wfSub(wfXyz(from[e.b]), wfXyz(from[e.a]))), own = wfLength(wfSub(wfXyz(proposed[e.b]), wfXyz(proposed[e.a])));
    end.length = wfLength(span);
    end.along = wfScale(span, end.length > 0.0f ? 1.0f / end.length : 0.0f);
    // What is beyond the strain limit already need not come back in one step, but goes no farther.
    end.least = fmaxf((1.0f - limits.rate) * start, fminf((1.0f - limits.strain) * rest, start));
    end.most = fminf((1.0f + limits.rate) * start, fmaxf((1.0f + limits.strain) * rest, start));
    end.least = fminf(end.least, own);
    end.most = fmaxf(end.most, own);
    return end;
}

WF_KERNEL(EdgeOver, a, i)
{
    wfPair e = a.edges[i];
    EdgeEnd end = EndOfEdge(e, a.rest[i], a.from, a.to, a.proposed, a.limits);
    float slack = 1e-3f * a.rest[i]; // rounding is not worth a contact
    bool over = end.length < end.least - slack || end.length > end.most + slack;
    a.flags[i] = a.answered[i] == 0 && a.from[e.a].w + a.from[e.b].w > 0.0f && end.length > 0.0f && over;
}

/// As a contact that asks for the nearer of both limits.
WF_FN void LimitEdge(wfResponse* r, wfPair e, float rest, const TouchEdgeArgs* a) {
    EdgeEnd end = EndOfEdge(e, rest, a->from, a->to, a->proposed, a->limits);
    bool shrinks = end.length - end.least < end.most - end.length;
    float start = wfDot(end.along, wfSub(wfXyz(a->from[e.b]), wfXyz(a->from[e.a])));
    SetResponse(r, wfScale(end.along, shrinks ? 1.0f : -1.0f), shrinks ? end.least - start : start - end.most, 0.0f,
                a->from[e.a].w + a->from[e.b].w);
}

WF_KERNEL(TouchEdge, a, i)
{
    int edge = a.list[i];
    wfPair e = a.edges[edge];
    wfTouch touch;
    touch.q.v[0] = e.b;
    touch.q.v[1] = touch.q.v[2] = touch.q.v[3] = e.a;
    touch.w[0] = 1.0f;
    touch.w[1] = -1.0f;
    touch.w[2] = touch.w[3] = 0.0f;
    a.touches[a.first + i] = touch;
    a.limited[i].a = a.first + i;
    a.limited[i].b = edge;
    a.answered[edge] = 1;
    LimitEdge(&a.responses[a.first + i], e, a.rest[edge], &a);
}

// Of an edge that was limited already, for another end.
WF_KERNEL(TouchEdgeAnew, a, i)
{
    wfPair limited = a.limited[i];
    LimitEdge(&a.responses[limited.a], a.edges[limited.b], a.rest[limited.b], &a);
}

WF_KERNEL(TouchEdgeSpan, a, i)
{
    int touch = a.limited[i].a;
    wfQuad q = a.touches[touch].q;
    a.responses[touch].slip = wfSub(wfXyz(a.from[q.v[0]]), wfXyz(a.from[q.v[1]]));
    a.responses[touch].friction = -1.0f;
}

// ---- ways ---------------------------------------------------------------------------------------------------------------------

WF_KERNEL(TouchPlace, a, i)
{
    if (a.first[i] < a.last[i]) a.to[i] = wfMake4(wfAdd(wfXyz(a.from[i]), wfXyz(a.moves[i])), a.to[i].w);
}

WF_KERNEL(HitQuads, a, i)
{ a.out[i] = a.quads[a.list[i]]; }

WF_KERNEL(PairDrop, a, i)
{
    wfQuad q = a.quads[i];
    bool marked = false;
    for (int k = 0; k < 4; ++k) marked = marked || (q.v[k] < a.clothVertexCount && a.marks[q.v[k]] != 0);
    if (marked) a.sides[i].distance = INFINITY;
}

WF_KERNEL(ContactLeave, a, i)
{ a.x[i] = wfMake4(wfXyz(a.to[i]), a.x[i].w); }

WF_KERNEL(ContactShift, a, i)
{ a.shift[i] = wfDistance(wfXyz(a.to[i]), wfXyz(a.x[i])); }

WF_KERNEL(ContactCouple, a, i)
{
    wfVec4 target = a.target[i], x = a.x[i];
    wfVec3 to = wfXyz(a.to[i]);
    if (target.w > 0.0f) a.target[i] = wfMake4(wfAdd(wfXyz(target), wfSub(to, wfXyz(x))), target.w);
    a.x[i] = wfMake4(to, x.w);
}
