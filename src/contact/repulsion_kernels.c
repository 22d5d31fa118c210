// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_kernels.h"

#include "compute/kernel.h"

static const float s_bodyPush = 8.0f;  // weight of a body's penalty
static const float s_grip = 10.0f;     // weight of the friction between cloths, before it slides
static const float s_closing = 0.1f;   // of D: how far what is being sewn together comes nearer to its middle in a round
static const float s_touch = 0.25f;    // of D: how far from its distance to a body a vertex is touched by it
static const float s_pushed = 0.03f;   // of D: how far pairs and edges push one in a round that they touch
static const float s_bodyRange = 4.0f; // of D: how far from its distance to a body a vertex begins to look at it
static const float s_bodyPace = 3.0f;  // of D: how much farther a body may take a vertex in a round than it goes by itself

WF_FN bool IsHeld(wfVec4 target) { return target.w < 0.0f; }

/// Whether no others act on a vertex.
WF_FN bool IsAlone(const wfRepulsionActive* active, const wfRepulsionWelds* welds, int i) {
    return active->counts[i] == 0 && wfRepulsion_Weld(welds, i) < 0;
}

// A vertex on a body starts from free flight: where the body does not hold it, along its surface, that is right, and the rest is taken back
// at once.
WF_KERNEL(RepulsionStart, a, i)
{
    wfVec4 x = a.xStart[i];
    a.x[i] = x;
    a.base[i] = a.target[i];
    float least = INFINITY;
    for (int k = 0; k < a.bodies.shapeCount + a.bodies.fieldCount; ++k) {
        wfVec3 normal;
        // The field of a body that changes its shape is that of the end of the step, where a vertex that has gone along is as near as now.
        bool deforming = wfRepulsion_IsDeforming(&a.bodies, k);
        wfVec3 p = deforming ? wfAdd(wfXyz(x), wfXyz(a.bodies.carried[i])) : wfXyz(x);
        least = fminf(least, wfRepulsion_BodyDistance(&a.bodies, k, deforming, p, &normal));
    }
    float clear = fminf(a.body, fmaxf(least, -0.5f * a.body) + 0.05f * a.body);
    a.clear[i] = clear;
    a.touched[i] = least < clear + s_touch * a.step;
    if (a.y != 0 && least < clear + s_bodyRange * a.step && !IsHeld(a.target[i])) a.y[i] = wfMake4(wfXyz(a.target[i]), x.w);
}

/// Joins those of one label that are no farther apart than the limit, by the lowest place of each.
WF_FN void JoinNear(const RepulsionWeldArgs* a, int first, int end, int label, float limit) {
    for (int k = first; k < end; ++k)
        if (a->labels[k] == label) a->labels[k] = end + k; // not joined yet
    for (int k = first; k < end; ++k) {
        if (a->labels[k] < end) continue;
        a->labels[k] = k;
        for (bool any = true; any;) {
            any = false;
            for (int l = k + 1; l < end; ++l) {
                bool near = false;
                wfVec3 p = wfXyz(a->xStart[a->members[l]]);
                for (int m = k; m < end && a->labels[l] >= end && !near; ++m)
                    near = a->labels[m] == k && wfDistance(p, wfXyz(a->xStart[a->members[m]])) <= limit;
                if (!near) continue;
                a->labels[l] = k;
                any = true;
            }
        }
    }
}

/// How far those of a label are from their mean at most, squared; *together: whether they are at one place.
WF_FN float SpreadSq(const RepulsionWeldArgs* a, int label, int end, bool* together) {
    wfVec3 p = wfXyz(a->xStart[a->members[label]]), mean = wfMake3(0.0f, 0.0f, 0.0f);
    float mass = 0.0f, farthest = 0.0f;
    *together = true;
    for (int k = label; k < end; ++k) {
        wfVec4 x = a->xStart[a->members[k]];
        if (a->labels[k] != label) continue;
        *together = *together && x.x == p.x && x.y == p.y && x.z == p.z;
        mean = wfMulAdd(mean, x.w, wfSub(wfXyz(x), p));
        mass += x.w;
    }
    mean = wfMulAdd(p, 1.0f / mass, mean);
    for (int k = label; k < end; ++k)
        if (a->labels[k] == label) farthest = fmaxf(farthest, wfLengthSq(wfSub(wfXyz(a->xStart[a->members[k]]), mean)));
    return farthest;
}

// Where seams meet, four vertices come to one place, two and two of them first: these close without waiting for the others.
WF_KERNEL(RepulsionWeld, a, g)
{
    int first = a.first[g], end = a.first[g + 1], at = first;
    float since = (float)(a.time - a.due[2 * g + 1]), reach = a.time > a.due[2 * g] ? a.early : 0.0f;
    if (since >= 0.0f) reach = a.early + (a.late - a.early) * fminf(1.0f, since / a.lateTime);
    bool together;
    for (int k = first; k < end; ++k) a.labels[k] = first;
    JoinNear(&a, first, end, first, 2.0f * reach);
    for (int k = first; k < end; ++k)
        if (a.labels[k] == k && SpreadSq(&a, k, end, &together) > reach * reach) JoinNear(&a, k, end, k, 0.0f);
    for (int k = first; k < end; ++k) {
        if (a.labels[k] != k) continue;
        int group = at;
        SpreadSq(&a, k, end, &together);
        for (int l = k; l < end; ++l) {
            if (a.labels[l] != k) continue;
            a.welds.group[a.members[l]] = group;
            a.welds.item[at++] = a.members[l];
        }
        a.welds.end[group] = at;
        a.welds.state[group] = at - group == 1 ? wf_weldOpen : together ? wf_weldClosed : wf_weldClosing;
    }
}

// Loops over rows load a batch of items, then the batch's positions, then
// work: one by one each would wait for two loads in turn, and there are too few vertices to hide that behind other threads.
enum { Batch = 8, Slice = wf_repulsionSlice };

/// Whether the discrete constraints of a vertex hold; those of pairs two edges apart are no condition.
WF_FN bool Holds(const wfRepulsionActive* active, const wfRepulsionRules* rules, const wfVec4* x, int i) {
    int count = active->counts[i], start = wfRepulsion_Place(active, i, 0);
    wfVec3 p = wfXyz(x[i]);
    bool holds = true;
    for (int first = 0; first < count; first += Batch) {
        int items[Batch];
        wfVec3 d[Batch];
        WF_UNROLL(8)
        for (int k = 0; k < Batch; ++k) items[k] = active->items[start + (first + k < count ? first + k : first) * Slice];
        WF_UNROLL(8)
        for (int k = 0; k < Batch; ++k) d[k] = wfSub(p, wfXyz(x[wfRepulsion_Vertex(items[k])]));
        WF_UNROLL(8)
        for (int k = 0; k < Batch; ++k) {
            int kind = wfRepulsion_Kind(items[k]);
            holds = holds && (kind == wf_repelRing || wfRepulsion_Condition(rules, kind, d[k]) >= rules->cond);
        }
    }
    return holds;
}

WF_FN void Judge(const wfRepulsionActive* active, const wfRepulsionRules* rules, const wfVec4* x, const wfVec4* at,
                 wfRepulsionVerdict* verdict, int i) {
    bool near = wfLengthSq(wfSub(wfXyz(x[i]), wfXyz(at[i]))) <= rules->activeMove * rules->activeMove;
    if (!near) wfRaise(&verdict->far, 1, i);
    if (!Holds(active, rules, x, i)) wfRaise(&verdict->violated, 1, i);
}

WF_KERNEL(RepulsionTest, a, i)
{
    wfVec4 nearAt = a.nearAt[i];
    Judge(&a.active, &a.rules, a.x, a.at, a.verdict, i);
    float way = wfDistance(wfXyz(a.x[i]), wfXyz(nearAt)) + nearAt.w, last = wfDistance(wfXyz(a.x[i]), wfXyz(a.kept[i]));
    if (!(way + fmaxf(a.spare, a.again * last) <= a.rules.nearMove)) wfRaise(&a.verdict->moved, 1, i);
}

/// Where a vertex should be, given y: out of bodies, with the friction that what keeps it out of them can give. x - y is the contact
/// force that the dynamics sees, over sigma m: so Coulomb's cone is one of displacements, |tangential| <= mu normal. Inside it the
/// vertex stays where it was on the body, exactly, so that nothing creeps.
WF_FN wfVec3 GoalOf(const RepulsionAimArgs* a, int i, wfVec3 x, wfVec3 y, float* deepest) {
    wfVec3 goal = y;
    wfVec4 plane = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), -1.0f);
    float nearest = INFINITY, clear = a->clear[i], range = clear + s_bodyRange * a->rules.step;
    for (int k = 0; k < a->bodies.shapeCount + a->bodies.fieldCount; ++k) {
        wfVec3 normal;
        float distance = wfRepulsion_BodyDistance(&a->bodies, k, true, x, &normal);
        if (!(distance < range)) continue;
        float offset = wfDot(normal, x) - distance + clear; // n·p of the points that are far enough away
        if (distance < nearest) {
            nearest = distance;
            plane = wfMake4(normal, offset);
        }
        *deepest = fmaxf(*deepest, clear - distance);
        float depth = offset - wfDot(normal, goal);
        if (!(depth > 0.0f)) continue;
        goal = wfMulAdd(goal, depth, normal);
        const wfShape* shape = wfRepulsion_BodyShape(&a->bodies, k);
        wfVec3 carried = wfRepulsion_CarriedBy(&a->bodies, k, i, x);
        wfVec3 back = wfSub(wfAdd(wfXyz(a->xStart[i]), carried), goal);
        back = wfMulAdd(back, -wfDot(back, normal), normal);
        wfFriction friction = a->friction[a->clothOf[i] * a->surfaceCount + shape->surface];
        float length = wfLength(back);
        if (length > friction.hold * depth) back = wfScale(back, friction.slide * depth / length);
        goal = wfAdd(goal, back);
    }
    a->plane[i] = plane;
    return goal;
}

/// y of a vertex, or of all that it is sewn to: apart, each would pull its own way by D at most, and the sum would say nothing of who pulls
/// harder. Their mean by mass is about where one vertex with all of their triangles would go. What has not closed yet goes along beside it:
/// it is the soft phase that draws it nearer, as slowly as it should.
WF_FN wfVec3 ProposedFor(const RepulsionAimArgs* a, int i) {
    int group = wfRepulsion_Weld(&a->welds, i);
    if (group < 0) return wfXyz(a->y[i]);
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f), from = sum;
    float mass = 0.0f;
    for (int k = group; k < a->welds.end[group]; ++k) {
        int j = a->welds.item[k];
        sum = wfMulAdd(sum, a->x[j].w, wfXyz(a->y[j]));
        from = wfMulAdd(from, a->x[j].w, wfXyz(a->x[j]));
        mass += a->x[j].w;
    }
    sum = wfScale(sum, 1.0f / mass);
    if (a->welds.state[group] == wf_weldClosed) return sum;
    return wfAdd(sum, wfMulAdd(wfXyz(a->x[i]), -1.0f / mass, from));
}

WF_FN wfVec3 AtMost(wfVec3 way, float most) {
    float length = wfLength(way);
    return length > most ? wfScale(way, most / length) : way;
}

WF_FN void AimAt(const RepulsionAimArgs* a, int i) {
    wfVec4 x4 = a->x[i], base = a->base[i];
    wfVec3 x = wfXyz(x4);
    a->before[i] = x4;
    if (a->test) Judge(&a->active, &a->rules, a->x, a->at, a->verdict, i);
    if (IsHeld(base)) { // goes evenly to where it is told
        if (wfDistance(x, wfXyz(base)) * a->turn.share > a->hasteHeld) wfRaise(&a->verdict->haste, 1, i);
        a->init[i] = wfMake4(a->turn.share < 1.0f ? wfLerp(x, wfXyz(base), a->turn.share) : wfXyz(base), 1.0f);
        a->plane[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), -1.0f);
        a->goal[i] = a->y[i];
        return;
    }
    wfVec3 y = ProposedFor(a, i);
    if (a->multipliers != 0) y = wfMulAdd(y, -1.0f / (a->turn.coupling * x4.w), wfXyz(a->multipliers[i]));
    float deepest = 0.0f;
    wfVec3 goal = GoalOf(a, i, x, y, &deepest), way = wfSub(goal, x);
    a->goal[i] = wfMake4(goal, x4.w);
    if (deepest > a->mostDepth) wfRaise(&a->verdict->deep, 1, i);
    if (deepest > a->hasteDepth) wfRaise(&a->verdict->haste, 1, i);
    float step = IsAlone(&a->active, &a->welds, i) ? a->turn.lone : a->turn.step;
    wfVec3 init = wfAdd(x, AtMost(way, step + fminf(0.5f * deepest, s_bodyPace * a->rules.step)));
    a->init[i] = wfMake4(init, 0.0f);
    a->plane[i].w = fminf(a->plane[i].w, wfDot(wfXyz(a->plane[i]), init)); // the rest of the way out of a body in the rounds that follow
}

WF_FN wfVec4 Coupled(wfVec4 base, wfVec4 x, float coupling, const wfVec4* multipliers, int i) {
    if (IsHeld(base)) return base;
    float pull = coupling * x.w, weight = base.w + pull;
    wfVec3 sum = wfMulAdd(wfScale(wfXyz(base), base.w), pull, wfXyz(x));
    if (multipliers != 0) sum = wfAdd(sum, wfXyz(multipliers[i]));
    return wfMake4(wfScale(sum, 1.0f / weight), weight);
}

/// Of the penalties of a vertex at p: their pull, and a bound of their second derivative on this vertex and its others together.
typedef struct Push {
    wfVec3 pull;
    float bound;
} Push;

/// Adds an item whose vertex is away by -d; returns how much of its weight it has, 0 where it does not act. Without branches, so that
/// several are under way at once; `on` is 0 where there is none.
WF_FN float AddRepulsion(const wfRepulsionRules* rules, float on, int kind, wfVec2 act, wfVec3 d, Push* push) {
    float sq = wfLengthSq(d), side = kind == wf_repelEdge ? -1.0f : 1.0f;
    float limit = kind == wf_repelPair ? rules->pairSq : kind == wf_repelEdge ? rules->mostSq : act.x;
    float part = on * fmaxf(1.0f + side * (limit - sq) * act.y, 0.0f);
    wfVec3 pull = wfMulAdd(push->pull, side * rules->push * part, d);
    if (part > 0.0f) push->pull = pull; // a neighbour that is no number does not act: it must not spread
    push->bound += 2.0f * rules->push * ((part > 0.0f ? 2.0f * sq * act.y : 0.0f) + (kind == wf_repelEdge ? part : 0.0f));
    return part;
}

/// Of a pair that acts: a spring against its slip, cut at the cone.
WF_FN void AddFriction(wfFriction friction, wfVec3 slip, wfVec3 d, float weight, Push* push) {
    float sq = wfLengthSq(d), away = wfInverseSqrt(sq), force = weight * sq * away;
    slip = wfMulAdd(slip, -wfDot(slip, d) * away * away, d);
    float slipSq = wfLengthSq(slip), back = wfInverseSqrt(fmaxf(slipSq, 1e-30f));
    float grip = s_grip * slipSq * back > friction.hold * force ? friction.slide * force * back : s_grip;
    push->pull = wfMulAdd(push->pull, -grip, slip);
    push->bound += 2.0f * grip;
}

// Items of a row are read some at a time, and of most rows all are kept from step to step, with where pairs began: in registers, where the
// fences between steps leave them; there is no room for more of them. A CPU reads them anew, and what few need only for these.
enum { Some = 4, Ahead = WF_IN_FLIGHT(2) > 1, Members = 4 };

/// Some items of a row; what is behind its last one is the first of these again.
typedef struct Items {
    int items[Some];
    wfVec2 acts[Some];
    wfVec3 began[Some];        // where pairs began, …
    wfFriction friction[Some]; // … and that between them: of other kinds both mean nothing
} Items;

/// What the soft phase needs of a vertex in every step.
typedef struct RepulsionSoftKept {
    wfVec4 init, plane, xStart;
    const wfFriction* friction; // of its cloth
    int group, end;             // as wfRepulsion_Weld has it
    int count, start;           // of its row
    Items row;                  // its first items
    int members[Members];       // the first of its group
    float masses[Members];
} RepulsionSoftKept;

WF_FN wfFriction FrictionOf(const RepulsionSoftKept* kept, const Items* some, int k) {
    return kept->friction[wfRepulsion_Kind(some->items[k]) == wf_repelPair ? (int)some->acts[k].x : 0];
}

WF_FN void LoadItems(const RepulsionSoftArgs* a, const RepulsionSoftKept* kept, int first, Items* some) {
    WF_UNROLL(4)
    for (int k = 0; k < Some; ++k) {
        int at = kept->start + (first + k < kept->count ? first + k : first) * Slice;
        some->items[k] = a->active.items[at];
        some->acts[k] = a->active.acts[at];
    }
    WF_UNROLL(4)
    for (int k = 0; k < Some && Ahead; ++k) {
        some->began[k] = wfXyz(a->xStart[wfRepulsion_Vertex(some->items[k])]);
        some->friction[k] = FrictionOf(kept, some, k);
    }
}

/// The first of a group, from `first` on; behind the last comes that one again.
WF_FN void LoadMembers(const RepulsionSoftArgs* a, int first, int end, int* members, float* masses) {
    WF_UNROLL(4)
    for (int m = 0; m < Members; ++m) members[m] = a->welds.item[first + m < end ? first + m : first];
    WF_UNROLL(4)
    for (int m = 0; m < Members; ++m) masses[m] = a->xStart[members[m]].w;
}

/// What any vertex needs; its row and its group are left.
WF_FN void LoadKept(const RepulsionSoftArgs* a, int i, RepulsionSoftKept* kept) {
    kept->group = wfRepulsion_Weld(&a->welds, i);
    kept->count = a->active.counts[i];
    kept->plane = a->plane[i];
    kept->init = a->init[i];
    kept->xStart = a->xStart[i];
    kept->friction = a->friction + a->clothOf[i] * a->surfaceCount;
}

WF_FN void LoadOthers(const RepulsionSoftArgs* a, int i, RepulsionSoftKept* kept) {
    kept->start = wfRepulsion_Place(&a->active, i, 0);
    kept->end = kept->group >= 0 ? a->welds.end[kept->group] : kept->group;
    if (kept->count > 0) LoadItems(a, kept, 0, &kept->row);
    if (kept->group >= 0) LoadMembers(a, kept->group, kept->end, kept->members, kept->masses);
}

WF_FN void LoadPlaces(const wfVec4* from, const Items* some, wfVec3* q) {
    WF_UNROLL(4)
    for (int k = 0; k < Some; ++k) q[k] = wfXyz(from[wfRepulsion_Vertex(some->items[k])]);
}

/// Adds items from `first` on, which are at q. Few pairs act.
WF_FN void AddItems(const RepulsionSoftArgs* a, const RepulsionSoftKept* kept, wfVec3 p, int first, const Items* some, const wfVec3* q,
                    Push* push) {
    wfVec3 way = wfSub(p, wfXyz(kept->xStart));
    float part[Some];
    WF_UNROLL(4)
    for (int k = 0; k < Some; ++k) {
        int kind = wfRepulsion_Kind(some->items[k]);
        part[k] = AddRepulsion(&a->rules, first + k < kept->count ? 1.0f : 0.0f, kind, some->acts[k], wfSub(p, q[k]), push);
        if (kind != wf_repelPair) part[k] = 0.0f;
    }
    WF_UNROLL(4)
    for (int k = 0; k < Some; ++k) {
        if (!(part[k] > 0.0f)) continue;
        wfVec3 began = Ahead ? some->began[k] : wfXyz(a->xStart[wfRepulsion_Vertex(some->items[k])]);
        wfFriction friction = Ahead ? some->friction[k] : FrictionOf(kept, some, k);
        AddFriction(friction, wfSub(way, wfSub(q[k], began)), wfSub(p, q[k]), a->rules.push * part[k], push);
    }
}

/// Where a group has gone on average, or those of it that are held where there are any. All of a group find the same bits, and those of one
/// that is held: by the last bit beside it nothing would ever close.
WF_FN wfVec3 MeanOf(const RepulsionSoftArgs* a, const RepulsionSoftKept* kept, const wfVec4* from) {
    bool held = false;
    wfVec3 mean = wfMake3(0.0f, 0.0f, 0.0f), first = mean;
    float mass = 0.0f;
    for (int k = kept->group; k < kept->end; k += Members) {
        int members[Members];
        float masses[Members];
        wfVec4 at[Members];
        WF_UNROLL(4)
        for (int m = 0; m < Members; ++m) {
            members[m] = kept->members[m];
            masses[m] = kept->masses[m];
        }
        if (k > kept->group) LoadMembers(a, k, kept->end, members, masses);
        WF_UNROLL(4)
        for (int m = 0; m < Members; ++m) at[m] = from[members[m]];
        WF_UNROLL(4)
        for (int m = 0; m < Members; ++m) {
            bool begins = at[m].w != 0.0f && !held; // what was counted until now is not held
            held = held || begins;
            if (k + m >= kept->end || (held && at[m].w == 0.0f)) continue;
            if (begins || !(mass > 0.0f)) {
                first = wfXyz(at[m]);
                mean = wfMake3(0.0f, 0.0f, 0.0f);
                mass = 0.0f;
            }
            mean = wfMulAdd(mean, masses[m], wfSub(wfXyz(at[m]), first));
            mass += masses[m];
        }
    }
    return wfMulAdd(first, 1.0f / mass, mean);
}

/// Where a vertex goes by itself, from where it is or, together, from where its group has gone.
WF_FN wfVec3 Softened(const RepulsionSoftArgs* a, const RepulsionSoftKept* kept, const wfVec4* from, wfVec3 p, bool together) {
    wfVec3 q[Some];
    if (kept->count > 0) LoadPlaces(from, &kept->row, q); // before anything waits for where the group has gone
    if (together) p = MeanOf(a, kept, from);
    if (kept->init.w != 0.0f) return p;
    Push push;
    push.pull = wfMake3(0.0f, 0.0f, 0.0f);
    push.bound = 0.0f;
    if (kept->count > 0) AddItems(a, kept, p, 0, &kept->row, q, &push);
    for (int first = Some; first < kept->count; first += Some) {
        Items some;
        LoadItems(a, kept, first, &some);
        LoadPlaces(from, &some, q);
        AddItems(a, kept, p, first, &some, q, &push);
    }
    float depth = kept->plane.w - wfDot(wfXyz(kept->plane), p);
    if (depth > 0.0f && wfLengthSq(wfXyz(kept->plane)) > 0.0f) {
        push.pull = wfMulAdd(push.pull, s_bodyPush * depth, wfXyz(kept->plane));
        push.bound += s_bodyPush;
    }
    return wfMulAdd(p, 1.0f / (1.0f + push.bound), wfAdd(wfSub(wfXyz(kept->init), p), push.pull));
}

WF_FN bool AnyHeld(const RepulsionSoftArgs* a, int group) {
    bool held = false;
    for (int k = group; k < a->welds.end[group]; ++k) held = held || a->init[a->welds.item[k]].w != 0.0f;
    return held;
}

/// Where a vertex that is being sewn to others is beside their mean, that of those that are held where there are any: as before the round,
/// but a little nearer. Not where it would go by itself: friction on a body, say, would keep one of them back.
WF_FN wfVec3 BesideMean(const RepulsionSoftArgs* a, int group, bool held, int i) {
    wfVec3 mean = wfMake3(0.0f, 0.0f, 0.0f);
    float mass = 0.0f, nearer = s_closing * a->rules.step;
    for (int k = group; k < a->welds.end[group]; ++k) {
        int j = a->welds.item[k];
        if (held && a->init[j].w == 0.0f) continue;
        mean = wfMulAdd(mean, a->xStart[j].w, wfXyz(a->reference[j]));
        mass += a->xStart[j].w;
    }
    wfVec3 off = wfMulAdd(wfXyz(a->reference[i]), -1.0f / mass, mean);
    float length = wfLength(off);
    return length <= nearer ? wfMake3(0.0f, 0.0f, 0.0f) : wfScale(off, 1.0f - nearer / length);
}

/// What the last step leaves behind, p being where the vertex has come to.
WF_FN void FinishSoft(const RepulsionSoftArgs* a, const RepulsionSoftKept* kept, int i, wfVec3 p) {
    wfVec4 out = wfMake4(p, kept->xStart.w);
    wfVec3 init = wfXyz(kept->init), normal = wfXyz(kept->plane);
    if (!(wfLengthSq(wfSub(p, wfXyz(a->reference[i]))) <= a->limit * a->limit)) wfRaise(&a->verdict->violated, 1, i);
    a->out[i] = out;
    bool onBody = wfLengthSq(normal) > 0.0f && wfDot(normal, p) < kept->plane.w + s_touch * a->rules.step;
    a->touched[i] = onBody || !(wfLengthSq(wfSub(p, init)) <= s_pushed * s_pushed * a->rules.step * a->rules.step);
    if (a->follow != 0) a->follow[i] = out;
    wfVec3 rest = wfSub(wfXyz(a->goal[i]), init);
    if (!(wfLengthSq(rest) <= a->behind * a->behind)) wfAddWhole(&a->verdict->behind, 1);
    if (a->project != 0) a->project[i] = wfMake4(wfAdd(p, AtMost(rest, a->ahead)), out.w);
    a->target[i] = Coupled(a->base[i], out, a->coupling, a->multipliers, i);
}

/// All steps of a vertex that is alone; the others are listed. By the last bit of a distance one of these may look at one that is alone all
/// the same.
WF_FN void TakeAlone(const RepulsionSoftArgs* a, int i) {
    if (!IsAlone(&a->active, &a->welds, i)) {
        a->items[wfTakeOne(&a->wait->count)] = i;
        return;
    }
    RepulsionSoftKept kept;
    LoadKept(a, i, &kept);
    wfVec3 p = wfXyz(kept.init);
    for (int step = 0; step < a->steps && wfLengthSq(wfXyz(kept.plane)) > 0.0f; ++step) p = Softened(a, &kept, a->init, p, false);
    a->one[i] = a->two[i] = wfMake4(p, kept.init.w);
    FinishSoft(a, &kept, i, p);
}

WF_KERNEL(RepulsionAlone, a, i)
{ TakeAlone(&a, i); }

WF_KERNEL(RepulsionAim, a, i)
{
    if (i == 0 && a.used != 0) *a.used = 0;
    AimAt(&a, i);
    if (a.alone) TakeAlone(&a.soft, i);
}

// What is sewn together goes where it goes on average. A vertex finds that as a step begins, by where each of them has gone by itself in
// the step before: looking at all that pushes the others, too, took three times as long. So for a step a neighbour sees it where it has
// gone by itself. After the last step sewn vertices, and these alone, are put together once more.
WF_ROUNDS_KERNEL(RepulsionSoft, a, i, round, fresh, kept) {
    if (fresh) {
        LoadKept(&a, i, kept);
        LoadOthers(&a, i, kept);
    }
    const wfVec4* from = round == 0 ? a.init : round % 2 == 1 ? a.one : a.two;
    int group = kept->group;
    bool closed = group >= 0 && a.welds.state[group] == wf_weldClosed;
    if (round < a.steps) {
        wfVec3 p = Softened(&a, kept, from, wfXyz(from[i]), closed && round > 0);
        if (group < 0 && round + 1 == a.steps)
            FinishSoft(&a, kept, i, p);
        else
            (round % 2 == 0 ? a.one : a.two)[i] = wfMake4(p, kept->init.w);
    } else if (group >= 0) {
        wfVec3 p = wfXyz(from[i]);
        if (closed || kept->init.w == 0.0f) p = MeanOf(&a, kept, from);
        if (!closed && kept->init.w == 0.0f) p = wfAdd(p, BesideMean(&a, group, AnyHeld(&a, group), i));
        FinishSoft(&a, kept, i, p);
    }
}

WF_KERNEL(RepulsionTorn, a, i)
{
    wfVec3 y = wfXyz(a.y[i]);
    bool torn = false;
    for (int k = 0; k < a.ring.counts[i]; ++k) {
        int item = a.ring.items[k * a.ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        int j = wfRepulsion_Vertex(item);
        float lengthSq = fmaxf(a.mostSq, wfLengthSq(wfSub(wfXyz(a.kept[i]), wfXyz(a.kept[j]))));
        torn = torn || !(wfLengthSq(wfSub(y, wfXyz(a.y[j]))) <= a.ratioSq * lengthSq);
    }
    if (torn) wfMark(a.torn);
}

WF_KERNEL(RepulsionReturn, a, i)
{
    a.x[i] = a.kept[i];
    a.y[i] = a.torn != 0 && *a.torn && !IsHeld(a.base[i]) ? a.kept[i] : a.keptY[i];
}

WF_KERNEL(RepulsionCouple, a, i)
{ a.target[i] = Coupled(a.base[i], a.x[i], a.coupling, a.multipliers, i); }

WF_KERNEL(RepulsionMultiply, a, i)
{
    wfVec4 x = a.x[i];
    wfVec3 change = wfScale(wfSub(wfXyz(x), wfXyz(a.y[i])), a.rate * x.w);
    a.multipliers[i] = wfMake4(wfAdd(wfXyz(a.multipliers[i]), change), 0.0f);
}

// What stays where it is must stay: contact that moves it would hang the rest of the cloth from elsewhere. What is led may lag.
WF_KERNEL(RepulsionArrive, a, i)
{
    wfVec4 base = a.base[i];
    if (!IsHeld(base)) return;
    float lag = wfDistance(wfXyz(a.x[i]), wfXyz(base)), way = wfDistance(wfXyz(a.xStart[i]), wfXyz(base));
    if (!(lag <= (way > 0.0f ? a.farthest : 0.0f))) wfRaise(&a.verdict->late, 1, i);
}

WF_KERNEL(RepulsionSeen, a, i)
{ a.nearAt[i] = wfMake4(wfXyz(a.x[i]), 0.0f); }

WF_KERNEL(RepulsionTouch, a, i)
{
    wfVec3 p = wfXyz(a.x[i]);
    wfVec4 plane = a.plane[i];
    float near = sqrtf(a.rules.cond);
    int touching = wfLengthSq(wfXyz(plane)) > 0.0f && wfDot(wfXyz(plane), p) < plane.w + near;
    for (int k = 0; k < a.active.counts[i]; ++k) {
        int item = a.active.items[wfRepulsion_Place(&a.active, i, k)];
        if (wfRepulsion_Kind(item) != wf_repelPair) continue;
        wfVec3 d = wfSub(p, wfXyz(a.x[wfRepulsion_Vertex(item)]));
        if (wfRepulsion_Constraint(&a.rules, wf_repelPair, d) < a.rules.slack) touching = 1;
    }
    a.touching[i] = touching;
}
