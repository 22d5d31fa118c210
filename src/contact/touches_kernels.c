// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/touches_kernels.h"

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

// The force of a contact at cloth positions x: the one that it has, and a spring on top of it; *push is its part along the normal, negative
// where it pulls; *sticks: whether friction holds.
WF_FN wfVec3 SpringForce(const wfTouch* touch, const wfResponse* r, const TouchSpringArgs* a, float* push, bool* sticks) {
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 4; ++k) {
        int v = touch->q.v[k];
        wfVec3 move = v < a->clothVertexCount ? wfSub(wfXyz(a->x[v]), wfXyz(a->from[v])) : wfXyz(a->moves[v]);
        motion = wfMulAdd(motion, touch->w[k], move);
    }
    float along = wfDot(motion, r->normal), has = 1.0f / (a->dt * a->dt);
    *push = has * r->push + a->stiffness * (r->least - along);
    if (*push < 0.0f && (a->released || !r->rests)) *push = 0.0f;
    wfVec3 slip = wfMulAdd(wfScale(r->slip, has), -a->stiffness, wfMulAdd(motion, -along, r->normal));
    float most = fmaxf(*push, 0.0f), wanted = wfLength(slip);
    *sticks = most > 0.0f && wanted <= r->hold * most;
    if (!*sticks) slip = wfScale(slip, r->slide * most < wanted ? r->slide * most / wanted : 1.0f);
    return wfMulAdd(slip, *push, r->normal);
}

WF_KERNEL(TouchSpring, a, i)
{
    if (i >= *a.count) return;
    wfTouch touch = a.touches[i];
    wfResponse r = a.responses[i];
    float push, sum = 0.0f;
    bool sticks;
    wfVec3 force = SpringForce(&touch, &r, &a, &push, &sticks);
    for (int k = 0; k < 4; ++k) sum += fabsf(touch.w[k]);
    // Row k of the spring's second derivative sums up to at most this times |w_k|.
    a.forces[i] = wfMake4(force, push != 0.0f ? a.stiffness * sum : 0.0f);
}

WF_KERNEL(TouchForces, a, i)
{
    wfVec3 zero = wfMake3(0.0f, 0.0f, 0.0f);
    wfTermForce s = {zero, {zero, zero, zero}};
    for (int e = a.first[i]; e < a.last[i]; ++e) {
        wfTouch touch = a.springs.touches[a.values[e] >> 2];
        wfResponse r = a.springs.responses[a.values[e] >> 2];
        float push, own = 0.0f;
        bool sticks;
        wfVec3 force = SpringForce(&touch, &r, &a.springs, &push, &sticks);
        s.force = wfMulAdd(s.force, a.weights[e], force);
        if (push == 0.0f) continue;
        for (int k = 0; k < 4; ++k) own += a.surfaceOf[touch.q.v[k]] == a.surfaceOf[i] ? touch.w[k] : 0.0f;
        float row = a.springs.stiffness * a.weights[e] * own;
        if (sticks) { // a spring in all directions
            s.fall[0].x += row;
            s.fall[1].y += row;
            s.fall[2].z += row;
        } else { // along the normal; friction goes with the push
            wfVec3 with = wfScale(force, row / push);
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
    float push;
    bool sticks;
    wfVec3 force = SpringForce(&touch, &r, &a.springs, &push, &sticks);
    // Of the springs, as if they were pushed in by all of the force. Friction that slides has none, what sticks is a spring too.
    a.energies[i] = 0.5f * wfDot(force, force) / a.springs.stiffness;
}

WF_KERNEL(TouchAddEnergy, a, i)
{
    (void)i;
    *a.energy += *a.sum;
}

WF_FN wfVec4 SumAt(int first, int last, const int* values, const float* weights, const wfVec4* changes) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    float bound = 0.0f;
    for (int e = first; e < last; ++e) {
        wfVec4 change = changes[values[e] >> 2];
        sum = wfMulAdd(sum, weights[e], wfXyz(change));
        bound += fabsf(weights[e]) * change.w;
    }
    return wfMake4(sum, bound);
}

WF_KERNEL(TouchFold, a, i)
{
    wfVec4 target = a.target[i];
    int first = a.first[i], last = a.last[i];
    if (first < last && target.w >= 0.0f) {
        wfVec4 force = SumAt(first, last, a.values, a.weights, a.forces);
        wfVec3 x = wfXyz(a.x[i]);
        float weight = target.w + force.w;
        // weight (out - x) = target.w (target - x) + force
        if (weight > 0.0f) target = wfMake4(wfMulAdd(x, 1.0f / weight, wfMulAdd(wfXyz(force), target.w, wfSub(wfXyz(target), x))), weight);
    }
    a.out[i] = target;
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
    wfVec4 force = SumAt(first, last, a.values, a.weights, a.forces);
    a.target[i] = wfMake4(wfMulAdd(wfXyz(target), 1.0f / target.w, wfXyz(force)), target.w);
}

// ---- impulses -----------------------------------------------------------------------------------------------------------------
// All contacts answer at once. Written for all of them, the motion along the normals is r = G p with G_cd = sum_k w_ck w_dk / m_k n_c ·
// n_d; row c of |G| sums up to at most sum_k |w_ck| / m_k sum_d |w_dk|, and steps of one over that never overshoot, however many contacts
// meet in a vertex. Contacts that do not push count for nothing.

WF_KERNEL(TouchSolve, a, i)
{
    wfTouch touch = a.touches[i];
    wfResponse r = a.responses[i];
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f), given;
    float sum = r.active ? 0.0f : r.own;
    for (int k = 0; k < 4; ++k) {
        wfVec4 move = a.moves[touch.q.v[k]];
        motion = wfMulAdd(motion, touch.w[k], wfXyz(move));
        sum += fabsf(touch.w[k]) * move.w;
    }
    float along = wfDot(motion, r.normal);
    if (!a.give) {
        a.responses[i].active = r.push > 0.0f || along < r.least;
        a.changes[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), a.responses[i].active ? 1.0f : 0.0f);
        return;
    }
    float step = sum > 0.0f ? 1.0f / sum : 0.0f;
    float push = fmaxf(r.aheadPush + step * (r.least - along), 0.0f);
    wfVec3 slip = wfMulAdd(r.aheadSlip, -step, wfMulAdd(motion, -along, r.normal));
    float wanted = wfLength(slip);
    if (wanted > r.hold * push) slip = wfScale(slip, r.slide * push < wanted ? r.slide * push / wanted : 1.0f);
    // Carried too far where the step goes back (O'Donoghue and Candes 2015, here contact by contact).
    wfVec3 change = wfSub(slip, r.slip);
    float more = push - r.push;
    bool back = (r.aheadPush - push) * more + wfDot(wfSub(r.aheadSlip, slip), change) > 0.0f;
    float carry = back ? 0.0f : a.carry, ahead = push + carry * more;
    wfVec3 aheadSlip = wfMulAdd(slip, carry, change);
    given = wfAdd(wfScale(r.normal, ahead - r.aheadPush), wfSub(aheadSlip, r.aheadSlip));
    r.push = push;
    r.slip = slip;
    r.aheadPush = ahead;
    r.aheadSlip = aheadSlip;
    r.active = push > 0.0f || ahead != 0.0f;
    a.responses[i] = r;
    a.changes[i] = wfMake4(given, r.active ? 1.0f : 0.0f);
}

WF_KERNEL(TouchApply, a, i)
{
    int first = a.first[i], last = a.last[i];
    if (first == last) return;
    float inverseMass = a.from[i].w;
    wfVec4 sum = SumAt(first, last, a.values, a.weights, a.changes);
    a.moves[i] = wfMake4(wfMulAdd(wfXyz(a.moves[i]), inverseMass, wfXyz(sum)), inverseMass * sum.w);
}
