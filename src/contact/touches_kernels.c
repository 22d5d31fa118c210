// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/touches_kernels.h"

#include "collide/bounds.h"
#include "compute/kernel.h"

// ---- contacts of each vertex --------------------------------------------------------------------------------------------------

WF_FN int OutermostOf(const wfTouch* touch, const int* layerOf) {
    int outermost = layerOf[touch->q.v[0]];
    for (int k = 1; k < 4; ++k)
        if (layerOf[touch->q.v[k]] > outermost) outermost = layerOf[touch->q.v[k]];
    return outermost;
}

WF_KERNEL(TouchBear, a, i)
{
    wfTouch touch = a.touches[i];
    bool bears = false; // what lies under it
    if (OutermostOf(&touch, a.layerOf) != a.layer) return;
    for (int k = 0; k < 4; ++k) {
        int v = touch.q.v[k];
        if (touch.w[k] != 0.0f && a.layerOf[v] < a.layer) bears = bears || a.from[v].w == 0.0f || a.borne[v] != 0;
    }
    for (int k = 0; k < 4 && bears; ++k)
        if (touch.w[k] != 0.0f && a.layerOf[touch.q.v[k]] == a.layer) wfMark(&a.borne[touch.q.v[k]]);
}

WF_KERNEL(TouchEntries, a, i)
{
    wfTouch touch = a.touches[i];
    int outermost = a.layerOf != 0 ? OutermostOf(&touch, a.layerOf) : 0;
    for (int k = 0; k < 4; ++k) {
        int v = touch.q.v[k];
        bool moves = touch.w[k] != 0.0f && a.from[v].w > 0.0f;
        if (a.layerOf != 0 && a.layerOf[v] < outermost && a.borne[v] != 0) moves = false;
        a.keys[4 * i + k] = (uint32_t)(moves ? v : a.none);
        a.values[4 * i + k] = 4 * i + k;
    }
}

WF_KERNEL(TouchRanges, a, i)
{
    uint32_t key = a.keys[i];
    int value = a.values[i];
    if (i == 0 || a.keys[i - 1] != key) a.first[key] = i;
    if (i == a.count - 1 || a.keys[i + 1] != key) a.last[key] = i + 1;
    a.weights[i] = a.touches[value >> 2].w[value & 3];
}

WF_KERNEL(TouchMoves, a, i)
{ a.moves[i] = wfMake4(wfSub(wfXyz(a.to[i]), wfXyz(a.from[i])), 0.0f); }

// ---- cloths that hang together ------------------------------------------------------------------------------------------------

WF_KERNEL(TouchMeet, a, i)
{
    wfTouch touch = a.touches[i];
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j) {
            int one = a.surfaceOf[touch.q.v[k]], other = a.surfaceOf[touch.q.v[j]];
            bool counts = one < a.clothCount && one != other && touch.w[k] != 0.0f && touch.w[j] != 0.0f;
            if (counts) wfMark(&a.meets[one * a.clothCount + (other < a.clothCount ? other : one)]);
        }
}

// The lowest number goes from neighbour to neighbour until all have it.
WF_TILE_KERNEL(TouchGroup, a, tile)
{
    WF_SHARED int changed[1];
    int n = a.clothCount;
    WF_LANES (c, n) a.groups[c] = c;
    do {
        WF_SYNC();
        WF_LANES (c, n) {
            int lowest = a.groups[c];
            for (int d = 0; d < n; ++d)
                if (a.meets[c * n + d] != 0 && a.groups[d] < lowest) lowest = a.groups[d];
            a.next[c] = lowest;
        }
        WF_LANES (t, 1) changed[t] = 0;
        WF_SYNC();
        WF_LANES (c, n) {
            if (a.next[c] != a.groups[c]) wfMark(&changed[0]);
            a.groups[c] = a.next[c];
        }
        WF_SYNC();
    } while (changed[0] != 0);
    WF_LANES (c, n) a.next[c] = 0;
    WF_SYNC();
    WF_LANES (c, n)
        if (a.meets[c * n + c] != 0) wfMark(&a.next[a.groups[c]]);
    WF_SYNC();
    WF_LANES (c, n)
        if (a.next[a.groups[c]] != 0) a.groups[c] = -1;
    (void)tile;
}

// ---- springs, while the dynamics iterates -------------------------------------------------------------------------------------

WF_KERNEL(TouchLoad, a, i)
{
    float sum = 0.0f, push = 0.0f;
    for (int e = a.first[i]; e < a.last[i]; ++e) {
        sum += fabsf(a.weights[e]);
        push += fabsf(a.weights[e]) * a.responses[a.values[e] >> 2].push;
    }
    a.loads[i] = wfMake4(wfMake3(sum, push, 0.0f), 0.0f);
}

// By the vertex with most contacts; but where a vertex is pushed so much that one stiffness would give way by too much of the thickness,
// as much more as it takes, alike at all of its contacts: were it by what each of them pushes, few would come to bear everything. What
// comes from farther away than the thickness is pushed much, too, but for a step only: contacts firmer than the cloth would stretch it.
WF_KERNEL(TouchShare, a, i)
{
    wfTouch touch = a.touches[i];
    float most = 1.0f, firm = 0.0f;
    for (int k = 0; k < 4; ++k) {
        int v = touch.q.v[k];
        if (v >= a.clothVertexCount || touch.w[k] == 0.0f) continue;
        most = wfMore(most, a.loads[v].x);
        firm = wfMore(firm, a.loads[v].y / wfMore(a.loads[v].x, 1.0f));
    }
    a.responses[i].share = wfLess(wfMore(1.0f / most, firm / a.firmAt), a.responses[i].least >= 0.0f ? a.firmest : 1.0f);
}

// What a spring is made of, for lanes.
typedef struct Spring {
    wfVec3 normal, slip;
    float least, push, friction;
    int rests;
} Spring;

typedef struct SpringPush {
    wfVec3 force;
    float push; // its part along the normal, negative where it pulls
    int sticks; // whether friction holds
} SpringPush;

/// The part of the `wanted` force along the surface that friction gives, which is `most` at most. Always by a division: one under a
/// condition is not vectorised.
WF_LANE_FN float KeptOf(float wanted, float most) { return wfLess(most / wfMore(wanted, 1e-30f), 1.0f); }

/// The limit of an edge turns with it: as a contact along the edge where `motion` leaves it, it asks for the same length.
WF_LANE_FN Spring TurnWithEdge(Spring s, wfVec3 motion) {
    wfVec3 end = wfAdd(s.slip, motion);
    float limit = s.least + wfDot(s.normal, s.slip); // of the length; negative where that is to be no more
    wfVec3 along = wfScale(end, (limit < 0.0f ? -1.0f : 1.0f) / wfMore(wfLength(end), 1e-30f));
    float least = limit - wfDot(along, s.slip);
    int edge = s.friction < 0.0f; // by selections: a branch is not vectorised
    s.normal = wfMake3(edge ? along.x : s.normal.x, edge ? along.y : s.normal.y, edge ? along.z : s.normal.z);
    s.slip = wfMake3(edge ? 0.0f : s.slip.x, edge ? 0.0f : s.slip.y, edge ? 0.0f : s.slip.z);
    s.least = edge ? least : s.least;
    s.friction = wfMore(s.friction, 0.0f);
    return s;
}

/// The force of a contact that has moved by `motion`: the one that it has, and a spring on top of it.
WF_LANE_FN SpringPush PushAt(Spring s, wfVec3 motion, float stiffness, float has, int released) {
    SpringPush out;
    s = TurnWithEdge(s, motion);
    float along = wfDot(motion, s.normal), push = has * s.push + stiffness * (s.least - along);
    out.push = (push < 0.0f) & ((released != 0) | (s.rests == 0)) ? 0.0f : push;
    wfVec3 slip = wfMulAdd(wfScale(s.slip, has), -stiffness, wfMulAdd(motion, -along, s.normal));
    float wanted = wfLength(slip), most = s.friction * wfMore(out.push, 0.0f);
    out.sticks = (out.push > 0.0f) & (wanted <= most);
    out.force = wfMulAdd(wfScale(slip, KeptOf(wanted, most)), out.push, s.normal);
    return out;
}

WF_LANE_FN wfVec3 MoveOf(const TouchSpringArgs* a, int v) {
    return v < a->clothVertexCount ? wfSub(wfXyz(a->x[v]), wfXyz(a->from[v])) : wfXyz(a->moves[v]);
}

WF_LANE_FN float Has(const TouchSpringArgs* a) { return 1.0f / (a->dt * a->dt); }

// At cloth positions x.
WF_FN SpringPush SpringForce(const wfTouch* touch, const wfResponse* r, const TouchSpringArgs* a) {
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 4; ++k) motion = wfMulAdd(motion, touch->w[k], MoveOf(a, touch->q.v[k]));
    Spring s;
    s.normal = r->normal, s.slip = r->slip;
    s.least = r->least, s.push = r->push, s.friction = r->friction;
    s.rests = r->rests;
    return PushAt(s, motion, a->stiffness * r->share, Has(a), a->released);
}

// The dearest of all: in every iteration of the dynamics once a contact. What is scattered is fetched first, the rest is done in lanes.
WF_TILE_KERNEL(TouchSpring, a, tile)
{
#define EACH_PART(DO) \
    DO(mx)            \
    DO(my)            \
    DO(mz)            \
    DO(nx) DO(ny) DO(nz) DO(sx) DO(sy) DO(sz) DO(leasts) DO(given) DO(friction) DO(weights) DO(stiffness) DO(fx) DO(fy) DO(fz) DO(bound)
#define PRIVATE_PART(part) WF_PRIVATE(float, part);
    EACH_PART(PRIVATE_PART)
    WF_PRIVATE(int, rests);
    int first = tile * WF_TILE, count = *a.count, last = count - 1;
    if (first >= count) return;
    WF_LANES (t, WF_TILE) {
        int i = first + t < last ? first + t : last;
        const wfTouch* touch = &a.touches[i];
        const wfResponse* r = &a.responses[i];
        wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
        float sum = 0.0f;
        for (int k = 0; k < 4; ++k) {
            motion = wfMulAdd(motion, touch->w[k], MoveOf(&a, touch->q.v[k]));
            sum += fabsf(touch->w[k]);
        }
        WF_MINE(mx, t) = motion.x, WF_MINE(my, t) = motion.y, WF_MINE(mz, t) = motion.z;
        WF_MINE(nx, t) = r->normal.x, WF_MINE(ny, t) = r->normal.y, WF_MINE(nz, t) = r->normal.z;
        WF_MINE(sx, t) = r->slip.x, WF_MINE(sy, t) = r->slip.y, WF_MINE(sz, t) = r->slip.z;
        WF_MINE(leasts, t) = r->least, WF_MINE(given, t) = r->push;
        WF_MINE(friction, t) = r->friction;
        WF_MINE(weights, t) = sum;
        WF_MINE(stiffness, t) = a.stiffness * r->share;
        WF_MINE(rests, t) = r->rests;
    }
    WF_WARPS(w) {
        WF_WARP_LANES(t, w) {
            Spring s;
            s.normal = wfMake3(WF_MINE(nx, t), WF_MINE(ny, t), WF_MINE(nz, t));
            s.slip = wfMake3(WF_MINE(sx, t), WF_MINE(sy, t), WF_MINE(sz, t));
            s.least = WF_MINE(leasts, t), s.push = WF_MINE(given, t), s.friction = WF_MINE(friction, t);
            s.rests = WF_MINE(rests, t);
            SpringPush p = PushAt(s, wfMake3(WF_MINE(mx, t), WF_MINE(my, t), WF_MINE(mz, t)), WF_MINE(stiffness, t), Has(&a), a.released);
            WF_MINE(fx, t) = p.force.x, WF_MINE(fy, t) = p.force.y, WF_MINE(fz, t) = p.force.z;
            // Row k of the spring's second derivative sums up to at most this times |w_k|.
            WF_MINE(bound, t) = p.push != 0.0f ? WF_MINE(stiffness, t) * WF_MINE(weights, t) : 0.0f;
        }
        WF_WARP_STORE4(a.forces, fx, fy, fz, bound, w, first, count);
    }
#undef EACH_PART
#undef PRIVATE_PART
}

WF_KERNEL(TouchForces, a, i)
{
    wfVec3 zero = wfMake3(0.0f, 0.0f, 0.0f);
    wfTermForce s = {zero, {zero, zero, zero}};
    for (int e = a.first[i]; e < a.last[i]; ++e) {
        int contact = a.values[e] >> 2;
        wfTouch touch = a.springs.touches[contact];
        wfResponse r = a.springs.responses[contact];
        float own = 0.0f, stiffness = a.springs.stiffness * r.share;
        SpringPush p = SpringForce(&touch, &r, &a.springs);
        s.force = wfMulAdd(s.force, a.weights[e], p.force);
        if (p.push == 0.0f) continue;
        for (int k = 0; k < 4; ++k) own += a.surfaceOf[touch.q.v[k]] == a.surfaceOf[i] ? touch.w[k] : 0.0f;
        float row = stiffness * a.weights[e] * own;
        if (p.sticks) { // a spring in all directions
            s.fall[0].x += row;
            s.fall[1].y += row;
            s.fall[2].z += row;
        } else { // along the normal; friction goes with the push
            wfVec3 with = wfScale(p.force, row / p.push);
            s.fall[0] = wfMulAdd(s.fall[0], with.x, r.normal);
            s.fall[1] = wfMulAdd(s.fall[1], with.y, r.normal);
            s.fall[2] = wfMulAdd(s.fall[2], with.z, r.normal);
        }
    }
    a.out[i] = s;
}

WF_KERNEL(TouchEnergy, a, i)
{
    if (i >= *a.springs.count) {
        a.energies[i] = 0.0f;
        return;
    }
    wfTouch touch = a.springs.touches[i];
    wfResponse r = a.springs.responses[i];
    wfVec3 force = SpringForce(&touch, &r, &a.springs).force;
    // Of the springs, as if they were pushed in by all of the force. Friction that slides has none, what sticks is a spring too.
    a.energies[i] = 0.5f * wfDot(force, force) / (a.springs.stiffness * r.share);
}

WF_KERNEL(TouchAddEnergy, a, i)
{
    (void)i;
    *a.energy += *a.sum;
}

// On a GPU lanes share what acts on a vertex, and each reads several at once: a vertex of wrung cloth has dozens of contacts, and one after
// the other each would wait for two loads in turn.
enum { Sharers = WF_IN_FLIGHT(4), Batch = 4 };

/// Of every `step`-th entry from `first` on.
WF_FN wfVec4 SumAt(int first, int last, int step, const int* values, const float* weights, const wfVec4* changes) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    float bound = 0.0f;
    for (int e = first; e < last; e += Batch * step) {
        int at[Batch];
        float weight[Batch];
        wfVec4 change[Batch];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            bool on = e + k * step < last;
            at[k] = values[on ? e + k * step : e] >> 2;
            weight[k] = on ? weights[e + k * step] : 0.0f;
        }
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) change[k] = changes[at[k]];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            if (weight[k] == 0.0f) continue; // behind the last
            sum = wfMulAdd(sum, weight[k], wfXyz(change[k]));
            bound += fabsf(weight[k]) * change[k].w;
        }
    }
    return wfMake4(sum, bound);
}

/// Of what its lanes have summed up of a vertex.
WF_FN wfVec4 SumOf(const wfVec4* parts) {
    wfVec4 sum = parts[0];
    for (int k = 1; k < Sharers; ++k) sum = wfMake4(wfAdd(wfXyz(sum), wfXyz(parts[k])), sum.w + parts[k].w);
    return sum;
}

WF_TILE_KERNEL(TouchFold, a, tile)
{
    WF_SHARED wfVec4 parts[wf_touchTile * Sharers];
    WF_LANES (t, wf_touchTile * Sharers) {
        int i = tile * wf_touchTile + t / Sharers;
        if (i < a.count) parts[t] = SumAt(a.first[i] + t % Sharers, a.last[i], Sharers, a.values, a.weights, a.forces);
    }
    WF_SYNC();
    WF_LANES (t, wf_touchTile) {
        int i = tile * wf_touchTile + t;
        if (i < a.count) {
            wfVec4 target = a.target[i];
            if (a.first[i] < a.last[i] && target.w >= 0.0f) {
                wfVec4 force = SumOf(parts + t * Sharers);
                wfVec3 x = wfXyz(a.x[i]);
                float weight = target.w + force.w;
                // weight (out - x) = target.w (target - x) + force
                if (weight > 0.0f)
                    target = wfMake4(wfMulAdd(x, 1.0f / weight, wfMulAdd(wfXyz(force), target.w, wfSub(wfXyz(target), x))), weight);
            }
            a.out[i] = target;
        }
    }
}

WF_KERNEL(TouchImpulse, a, i)
{
    if (i >= *a.count) return;
    wfResponse r = a.responses[i];
    wfVec3 impulse = wfScale(wfXyz(a.forces[i]), a.span * a.span);
    r.push = r.aheadPush = fmaxf(wfDot(impulse, r.normal), 0.0f);
    r.slip = r.aheadSlip = wfMulAdd(impulse, -r.push, r.normal);
    a.responses[i] = r;
}

WF_KERNEL(TouchSettle, a, i)
{
    wfVec4 target = a.target[i];
    int first = a.first[i], last = a.last[i];
    if (first == last || !(target.w > 0.0f)) return;
    wfVec4 force = SumAt(first, last, 1, a.values, a.weights, a.forces);
    a.target[i] = wfMake4(wfMulAdd(wfXyz(target), 1.0f / target.w, wfXyz(force)), target.w);
}

// ---- impulses -----------------------------------------------------------------------------------------------------------------
// All contacts answer at once. Written for all of them, the motion along the normals is r = G p with G_cd = sum_k w_ck w_dk / m_k n_c ·
// n_d; row c of |G| sums up to at most sum_k |w_ck| / m_k sum_d |w_dk|, and steps of one over that never overshoot, however many contacts
// meet in a vertex. Contacts that do not push count for nothing.

WF_KERNEL(TouchActive, a, i)
{
    wfTouch touch = a.touches[i];
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 4; ++k) motion = wfMulAdd(motion, touch.w[k], wfXyz(a.moves[touch.q.v[k]]));
    wfResponse* r = &a.responses[i];
    r->active = r->push > 0.0f || wfDot(motion, r->normal) < r->least;
    a.changes[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), r->active ? 1.0f : 0.0f);
}

typedef struct Impulse { // as in wfResponse, for lanes
    wfVec3 normal, slip, aheadSlip;
    float push, aheadPush;
} Impulse;

/// sum: of the row of |G|.
WF_LANE_FN Impulse NextImpulse(Impulse r, wfVec3 motion, float along, float least, float sum, float friction, float carry) {
    Impulse next;
    next.normal = r.normal;
    float step = (sum > 0.0f ? 1.0f : 0.0f) / wfMore(sum, 1e-30f);
    next.push = wfMore(r.aheadPush + step * (least - along), 0.0f);
    wfVec3 slip = wfMulAdd(r.aheadSlip, -step, wfMulAdd(motion, -along, r.normal));
    float wanted = wfLength(slip);
    next.slip = wfScale(slip, KeptOf(wanted, friction * next.push));
    // Carried too far where the step goes back (O'Donoghue and Candes 2015, here contact by contact).
    wfVec3 change = wfSub(next.slip, r.slip);
    float more = next.push - r.push, back = (r.aheadPush - next.push) * more + wfDot(wfSub(r.aheadSlip, next.slip), change);
    float on = back > 0.0f ? 0.0f : carry;
    next.aheadPush = next.push + on * more;
    next.aheadSlip = wfMulAdd(next.slip, on, change);
    return next;
}

WF_TILE_KERNEL(TouchSolve, a, tile)
{
#define EACH_CORNER(DO) DO(0) DO(1) DO(2) DO(3)
#define PRIVATE_CORNER(k)    \
    WF_PRIVATE(float, x##k); \
    WF_PRIVATE(float, y##k); \
    WF_PRIVATE(float, z##k); \
    WF_PRIVATE(float, m##k); \
    WF_PRIVATE(float, weight##k);
#define GATHER_CORNER(k) WF_WARP_GATHER4(x##k, y##k, z##k, m##k, a.moves, t, w, vertices[(k)*WF_TILE + t]);
#define ADD_CORNER(k)                                                                                                \
    motion = wfMulAdd(motion, WF_MINE(weight##k, t), wfMake3(WF_MINE(x##k, t), WF_MINE(y##k, t), WF_MINE(z##k, t))); \
    sum += fabsf(WF_MINE(weight##k, t)) * WF_MINE(m##k, t);
#define EACH_PART(DO) \
    DO(nx)            \
    DO(ny)            \
    DO(nz)            \
    DO(leasts) DO(sx) DO(sy) DO(sz) DO(pushed) DO(ax) DO(ay) DO(az) DO(ahead) DO(friction) DO(own) DO(gx) DO(gy) DO(gz) DO(active)
#define PRIVATE_PART(part) WF_PRIVATE(float, part);
#define MINE3(x, y, z)     wfMake3(WF_MINE(x, t), WF_MINE(y, t), WF_MINE(z, t))
    WF_SHARED int vertices[4 * WF_TILE]; // corner * WF_TILE + contact
    EACH_CORNER(PRIVATE_CORNER)
    EACH_PART(PRIVATE_PART)
    int first = tile * WF_TILE, last = a.count - 1;
    WF_LANES (t, WF_TILE) {
        int i = first + t < last ? first + t : last;
        const wfTouch* touch = &a.touches[i];
        const wfResponse* r = &a.responses[i];
#define COPY_CORNER(k)                         \
    vertices[(k)*WF_TILE + t] = touch->q.v[k]; \
    WF_MINE(weight##k, t) = touch->w[k];
        EACH_CORNER(COPY_CORNER)
#undef COPY_CORNER
        WF_MINE(nx, t) = r->normal.x, WF_MINE(ny, t) = r->normal.y, WF_MINE(nz, t) = r->normal.z;
        WF_MINE(sx, t) = r->slip.x, WF_MINE(sy, t) = r->slip.y, WF_MINE(sz, t) = r->slip.z;
        WF_MINE(ax, t) = r->aheadSlip.x, WF_MINE(ay, t) = r->aheadSlip.y, WF_MINE(az, t) = r->aheadSlip.z;
        WF_MINE(leasts, t) = r->least, WF_MINE(pushed, t) = r->push, WF_MINE(ahead, t) = r->aheadPush;
        WF_MINE(friction, t) = r->friction;
        WF_MINE(own, t) = r->active ? 0.0f : r->own;
    }
    WF_SYNC();
    WF_WARPS(w) {
        EACH_CORNER(GATHER_CORNER)
        WF_WARP_LANES(t, w) {
            wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
            float sum = WF_MINE(own, t);
            EACH_CORNER(ADD_CORNER)
            Impulse r;
            r.normal = MINE3(nx, ny, nz), r.slip = MINE3(sx, sy, sz), r.aheadSlip = MINE3(ax, ay, az);
            r.push = WF_MINE(pushed, t), r.aheadPush = WF_MINE(ahead, t);
            float least = WF_MINE(leasts, t), along = wfDot(motion, r.normal);
            Impulse next = NextImpulse(r, motion, along, least, sum, WF_MINE(friction, t), a.carry);
            wfVec3 given = wfAdd(wfScale(r.normal, next.aheadPush - r.aheadPush), wfSub(next.aheadSlip, r.aheadSlip));
            WF_MINE(sx, t) = next.slip.x, WF_MINE(sy, t) = next.slip.y, WF_MINE(sz, t) = next.slip.z;
            WF_MINE(ax, t) = next.aheadSlip.x, WF_MINE(ay, t) = next.aheadSlip.y, WF_MINE(az, t) = next.aheadSlip.z;
            WF_MINE(pushed, t) = next.push, WF_MINE(ahead, t) = next.aheadPush;
            WF_MINE(gx, t) = given.x, WF_MINE(gy, t) = given.y, WF_MINE(gz, t) = given.z;
            WF_MINE(active, t) = wfMore(next.push, fabsf(next.aheadPush)) > 0.0f ? 1.0f : 0.0f;
        }
        WF_WARP_STORE4(a.changes, gx, gy, gz, active, w, first, a.count);
    }
    WF_LANES (t, WF_TILE) {
        if (first + t <= last) {
            wfResponse* r = &a.responses[first + t];
            r->active = WF_MINE(active, t) != 0.0f;
            r->slip = MINE3(sx, sy, sz);
            r->push = WF_MINE(pushed, t);
            r->aheadSlip = MINE3(ax, ay, az);
            r->aheadPush = WF_MINE(ahead, t);
        }
    }
#undef EACH_CORNER
#undef PRIVATE_CORNER
#undef GATHER_CORNER
#undef ADD_CORNER
#undef EACH_PART
#undef PRIVATE_PART
#undef MINE3
}

WF_TILE_KERNEL(TouchApply, a, tile)
{
    WF_SHARED wfVec4 parts[wf_touchTile * Sharers];
    WF_LANES (t, wf_touchTile * Sharers) {
        int i = tile * wf_touchTile + t / Sharers;
        if (i < a.count) parts[t] = SumAt(a.first[i] + t % Sharers, a.last[i], Sharers, a.values, a.weights, a.changes);
    }
    WF_SYNC();
    WF_LANES (t, wf_touchTile) {
        int i = tile * wf_touchTile + t;
        if (i < a.count && a.first[i] < a.last[i]) {
            float inverseMass = a.from[i].w;
            wfVec4 sum = SumOf(parts + t * Sharers);
            a.moves[i] = wfMake4(wfMulAdd(wfXyz(a.moves[i]), inverseMass, wfXyz(sum)), inverseMass * sum.w);
        }
    }
}
