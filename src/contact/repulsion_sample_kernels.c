// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_sample_kernels.h"

#include "collide/grid_cell.h"
#include "compute/kernel.h"

// Where lists have no room the counts say how much they need, and the host lists again. Which place something gets in them depends on the
// order of threads; what is made of them does not: whether anything fails, and whose flags are set.

enum { Cells = 27 };
static const double s_whole = 1ll << 40; // of a metre, and of a bound of 1: 1e-12 m, and pushes of up to 8000 km
static const float s_recover = 0.1f;     // of the slack: what of its distance a sample that is too near gains in a step

WF_FN void PutSample(const wfSampleList* list, long long at, wfRepulsionSample sample) {
    if (at < list->room) list->items[at] = sample;
}

WF_KERNEL(SampleEdges, a, e)
{
    int p = a.edges[e].v[0], q = a.edges[e].v[1], level = a.levels[e];
    int now = wfSample_Level(&a.rules, wfLengthSq(wfSub(wfXyz(a.x[p]), wfXyz(a.x[q]))));
    if (now > level) a.levels[e] = level = now;
    if (level == 0) return;
    long long at = wfTake(&a.list.counts->samples, level == 1 ? 1 : 3);
    PutSample(&a.list, at, wfMakeRepulsionSample(p, q, p, 2, 2, 0));
    if (level == 1) return;
    PutSample(&a.list, at + 1, wfMakeRepulsionSample(p, q, p, 3, 1, 0));
    PutSample(&a.list, at + 2, wfMakeRepulsionSample(p, q, p, 1, 3, 0));
}

WF_KERNEL(SampleInside, a, t)
{
    wfTriangle triangle = a.triangles[t];
    wfSampleSides sides = a.sides[t];
    int levels[3];
    WF_UNROLL(3)
    for (int k = 0; k < 3; ++k) levels[k] = a.levels[sides.edge[k]];
    if (levels[0] == 0 || levels[1] == 0 || levels[2] == 0) return;
    WF_UNROLL(3)
    for (int k = 0; k < 3; ++k) {
        if (levels[k] < 2) continue;
        long long at = wfTake(&a.list.counts->samples, 1);
        PutSample(&a.list, at, wfMakeRepulsionSample(triangle.v[k], triangle.v[(k + 1) % 3], triangle.v[(k + 2) % 3], 1, 1, 2));
    }
}

// ---- pairs ----------------------------------------------------------------------------------------------------------------------

WF_FN int SampleCount(const wfSampleList* list) { return list->counts->samples < list->room ? (int)list->counts->samples : list->room; }

/// A vertex, or from vertexCount on a sample.
WF_FN wfVec3 PointAt(const wfSampleList* list, const wfVec4* x, int vertexCount, int point) {
    return point < vertexCount ? wfXyz(x[point]) : wfSample_At(&list->items[point - vertexCount], x);
}

WF_KERNEL(SampleHash, a, i)
{
    if (i >= a.hash.vertexCount + SampleCount(&a.list)) return;
    wfVec3 p = PointAt(&a.list, a.x, a.hash.vertexCount, i);
    wfSampleNode node;
    node.cell[0] = wfCellOf(p.x, a.hash.inverseCell);
    node.cell[1] = wfCellOf(p.y, a.hash.inverseCell);
    node.cell[2] = wfCellOf(p.z, a.hash.inverseCell);
    node.next = wfSwap(&a.hash.heads[wfBucketOf(node.cell[0], node.cell[1], node.cell[2], a.hash.bits)], i + 1);
    a.hash.nodes[i] = node;
}

/// Vertices that a point is part of.
WF_FN wfRepulsionSample OwnersOf(const wfSampleList* list, int vertexCount, int point) {
    if (point >= vertexCount) return list->items[point - vertexCount];
    return wfMakeRepulsionSample(point, point, point, 4, 0, 0);
}

/// Whether vertices of the two are within two edges of each other, or the same.
WF_FN bool AreNeighbours(const SampleNearArgs* a, const wfRepulsionSample* s, const wfRepulsionSample* t) {
    for (int k = 0; k < wfSample_Corners(s); ++k)
        for (int l = 0; l < wfSample_Corners(t); ++l) {
            int p = s->v[k], q = t->v[l];
            if (p == q || wfInRow(a->excluded.items, a->excluded.start[p], a->excluded.start[p + 1], q)) return true;
        }
    return false;
}

/// Whether a point of a bucket is in this cell, within reach, and a pair with the sample.
WF_FN bool IsPair(const SampleNearArgs* a, int sample, wfVec3 p, const int* cell, const wfSampleNode* node, int point) {
    int n = a->hash.vertexCount;
    if (point >= n + sample) return false; // each pair of samples once
    if (node->cell[0] != cell[0] || node->cell[1] != cell[1] || node->cell[2] != cell[2]) return false;
    wfVec3 q = PointAt(&a->list, a->x, n, point);
    double x = (double)p.x - q.x, y = (double)p.y - q.y, z = (double)p.z - q.z;
    if (!(x * x + y * y + z * z <= a->reachSq)) return false;
    wfRepulsionSample other = OwnersOf(&a->list, n, point);
    return !AreNeighbours(a, &a->list.items[sample], &other);
}

/// Goes through the pairs of a sample in a cell; writes them from `at` on where that is not negative. How many there are.
WF_FN int PairsIn(const SampleNearArgs* a, int sample, const int* cell, long long at) {
    wfVec3 p = wfSample_At(&a->list.items[sample], a->x);
    int count = 0;
    for (int k = a->hash.heads[wfBucketOf(cell[0], cell[1], cell[2], a->hash.bits)]; k > 0;) {
        wfSampleNode node = a->hash.nodes[k - 1];
        if (IsPair(a, sample, p, cell, &node, k - 1)) {
            if (at >= 0) {
                a->pairs[at + count].a = sample;
                a->pairs[at + count].b = k - 1;
            }
            ++count;
        }
        k = node.next;
    }
    return count;
}

WF_KERNEL(SampleNear, a, item)
{
    int s = item / Cells, about = item % Cells, cell[3];
    if (s >= SampleCount(&a.list)) return;
    wfSampleNode mine = a.hash.nodes[a.hash.vertexCount + s];
    cell[0] = mine.cell[0] + about % 3 - 1;
    cell[1] = mine.cell[1] + about / 3 % 3 - 1;
    cell[2] = mine.cell[2] + about / 9 - 1;
    int count = PairsIn(&a, s, cell, -1);
    if (count == 0) return;
    long long at = wfTake(&a.list.counts->pairs, count);
    if (at + count <= a.pairRoom) PairsIn(&a, s, cell, at);
}

// ---- pushes ---------------------------------------------------------------------------------------------------------------------

/// Where a pair of samples begins to act, as wfRepulsionActive has it: from where it was when the step began. Switched on, a sample may be
/// nearer than it must be when it counts; it gets farther away step by step.
WF_FN wfVec2 ActOf(const wfRepulsionRules* rules, float startSq) {
    wfVec2 act;
    act.x = fminf(rules->pairSq, startSq + s_recover * rules->slack);
    act.y = 1.0f / fminf(rules->slack, fmaxf(startSq - act.x, 0.0f) + s_recover * rules->slack);
    return act;
}

WF_FN void AddPush(const SamplePushArgs* a, const wfRepulsionSample* s, wfVec3 pull, float bound) {
    for (int k = 0; k < wfSample_Corners(s); ++k) {
        wfSamplePush* to = &a->pushes[s->v[k]];
        double whole = s_whole * 0.25 * wfSample_Weight(s, k);
        if (!(whole > 0.0)) continue;
        wfAddWhole(&to->x, (long long)(whole * (double)pull.x));
        wfAddWhole(&to->y, (long long)(whole * (double)pull.y));
        wfAddWhole(&to->z, (long long)(whole * (double)pull.z));
        wfAddWhole(&to->bound, (long long)(whole * (double)bound));
    }
}

// The penalty of pairs of vertices, between samples; each vertex takes what of it its weight is.
WF_KERNEL(SamplePush, a, i)
{
    if (i >= a.list.counts->pairs) return;
    wfPair pair = a.pairs[i];
    wfRepulsionSample s = a.list.items[pair.a], t = OwnersOf(&a.list, a.vertexCount, pair.b);
    wfVec3 d = wfSub(wfSample_At(&s, a.x), wfSample_At(&t, a.x));
    float sq = wfLengthSq(d);
    if (!(sq < a.rules.pairSq + a.rules.slack)) return; // most
    wfVec2 act = ActOf(&a.rules, wfLengthSq(wfSub(wfSample_At(&s, a.xStart), wfSample_At(&t, a.xStart))));
    float part = 1.0f + (act.x - sq) * act.y;
    if (!(part > 0.0f)) return;
    wfVec3 pull = wfScale(d, a.rules.push * part);
    float bound = 4.0f * a.rules.push * sq * act.y;
    AddPush(&a, &s, pull, bound);
    AddPush(&a, &t, wfScale(pull, -1.0f), bound);
}

WF_KERNEL(SampleYield, a, i)
{
    wfSamplePush push = a.pushes[i];
    if (push.bound == 0) return;
    double share = 1.0 / (s_whole + (double)push.bound);
    wfVec3 way = wfMake3((float)((double)push.x * share), (float)((double)push.y * share), (float)((double)push.z * share));
    float length = wfLength(way);
    if (length > a.most) way = wfScale(way, a.most / length);
    wfVec4 init = a.init[i];
    push.x = push.y = push.z = push.bound = 0;
    a.pushes[i] = push;
    if (init.w != 0.0f) return; // held
    a.init[i] = wfMake4(wfAdd(wfXyz(init), way), init.w);
    if (a.goal != 0) a.goal[i] = wfMake4(wfAdd(wfXyz(a.goal[i]), way), a.goal[i].w);
}

// ---- judging --------------------------------------------------------------------------------------------------------------------

WF_FN bool IsAsked(const wfSampleNotes* notes, const wfRepulsionSample* s) {
    return notes->only == 0 || notes->only[s->v[0]] || notes->only[s->v[1]] || notes->only[s->v[2]];
}

WF_FN void NoteFailure(const wfSampleNotes* notes, const wfRepulsionSample* s) {
    if (notes->verdict != 0) wfRaise(&notes->verdict->violated, 1, s->v[0]);
    if (notes->flags == 0) return;
    WF_UNROLL(3)
    for (int k = 0; k < 3; ++k) wfMark(&notes->flags[s->v[k]]);
}

/// A vertex counts always; a sample where it does at one end of the way.
WF_FN bool Counts(const SampleTestArgs* a, int point, const wfRepulsionSample* s) {
    return point < a->vertexCount || wfSample_Counts(&a->rules, 0.0f, s, a->from) || wfSample_Counts(&a->rules, a->cond, s, a->to);
}

WF_KERNEL(SampleTest, a, i)
{
    if (i >= a.list.counts->pairs) return;
    wfPair pair = a.pairs[i];
    int n = a.vertexCount;
    wfRepulsionSample s = a.list.items[pair.a];
    if (!Counts(&a, n + pair.a, &s)) return; // most
    wfRepulsionSample t = OwnersOf(&a.list, n, pair.b);
    if (!Counts(&a, pair.b, &t) || !(IsAsked(&a.notes, &s) || IsAsked(&a.notes, &t))) return;
    wfVec3 before = wfSub(wfSample_At(&s, a.from), wfSample_At(&t, a.from)), after = wfSub(wfSample_At(&s, a.to), wfSample_At(&t, a.to));
    if (wfRepulsion_Condition(&a.rules, wf_repelPair, after) >= a.cond && wfRepulsion_NearestSq(before, after) >= a.rules.leastSq) return;
    NoteFailure(&a.notes, &s);
    NoteFailure(&a.notes, &t);
}

WF_KERNEL(SampleCut, a, t)
{
    wfTriangle triangle = a.triangles[t];
    wfSampleSides sides = a.sides[t];
    int levels[3];
    float sq[3], most = a.rules.mostSq - a.cond;
    WF_UNROLL(3)
    for (int k = 0; k < 3; ++k) {
        sq[k] = wfLengthSq(wfSub(wfXyz(a.x[triangle.v[k]]), wfXyz(a.x[triangle.v[(k + 1) % 3]])));
        levels[k] = a.levels[sides.edge[k]];
    }
    wfRepulsionSample whole = wfMakeRepulsionSample(triangle.v[0], triangle.v[1], triangle.v[2], 2, 1, 1);
    if (!wfSample_IsCut(most, sq, levels) && IsAsked(&a.notes, &whole)) NoteFailure(&a.notes, &whole);
}

WF_KERNEL(SampleStretch, a, e)
{
    int p = a.edges[e].v[0], q = a.edges[e].v[1];
    float sq = wfLengthSq(wfSub(wfXyz(a.x[p]), wfXyz(a.x[q])));
    if (a.verdict != 0 && wfSample_Level(&a.rules, sq) > a.levels[e]) wfRaise(&a.verdict->stretched, 1, p);
    if (a.longEnds == 0 || sq <= a.rules.mostSq) return;
    wfMark(&a.longEnds[p]);
    wfMark(&a.longEnds[q]);
}
