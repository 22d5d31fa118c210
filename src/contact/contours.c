// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contours.h"

#include "base/assert.h"

#include <stdlib.h>

const char* const wfContourNames[wf_contourKindCount] = {
    [wf_contourCLCL] = "CL/CL", [wf_contourCL] = "CL", [wf_contourBBII] = "BB/II", [wf_contourBIBI] = "BI/BI", [wf_contourBLI] = "BLI",
};

enum { noLink = -1, loopLink = -2 }; // loopLink - v: to loop vertex v

/// A crossing and one triangle of its edge: an end of a piece.
typedef struct End {
    int low, high; // the two triangles of the piece
    int crossing, slot;
} End;

typedef struct Tracer {
    const wfTopology* topology;
    const wfCrossings* crossings;
    int (*link)[2]; // per crossing and slot: the crossing at the other end of the piece
    bool* done;     // per crossing
    End* loops;     // ends at loop vertices, low is the vertex; sorted
    int loopEndCount;
    wfContours* out;
    int stopCount, viaCount;
} Tracer;

static int CompareEnds(const void* a, const void* b) {
    const End *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    if (p->crossing != q->crossing) return p->crossing < q->crossing ? -1 : 1;
    return p->slot - q->slot;
}

static int SharedVertex(wfTriangle a, wfTriangle b) {
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (a.v[i] == b.v[k]) return a.v[i];
    return -1;
}

/// Registers crossings to pairs of hosts and links those with a pair in common.
static bool LinkAll(Tracer* tr, wfArena* scratch, wfError* err) {
    const wfTopology* t = tr->topology;
    int n = tr->crossings->count, count = 0;
    End* ends = wfArena_New(scratch, End, 2 * (size_t)n, "pieces of contours", err);
    tr->link = wfArena_Alloc(scratch, (size_t)n, sizeof *tr->link, "links of contours", err);
    tr->loops = wfArena_New(scratch, End, 2 * (size_t)n, "loop vertices", err);
    tr->done = wfArena_New(scratch, bool, n, "links of contours", err);
    if (ends == NULL || tr->link == NULL || tr->loops == NULL || tr->done == NULL) return false;
    for (int i = 0; i < n; ++i)
        for (int slot = 0; slot < 2; ++slot) {
            int a = t->edges[tr->crossings->items[i].edge].triangle[slot], b = tr->crossings->items[i].face;
            tr->link[i][slot] = noLink;
            if (a >= 0) ends[count++] = a < b ? (End){a, b, i, slot} : (End){b, a, i, slot};
        }
    qsort(ends, (size_t)count, sizeof *ends, CompareEnds);
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && ends[next].low == ends[i].low && ends[next].high == ends[i].high;) ++next;
        if (next - i == 2) {
            tr->link[ends[i].crossing][ends[i].slot] = ends[i + 1].crossing;
            tr->link[ends[i + 1].crossing][ends[i + 1].slot] = ends[i].crossing;
        }
        int v = next - i == 1 ? SharedVertex(t->triangles[ends[i].low], t->triangles[ends[i].high]) : -1;
        if (v < 0) continue; // where edges have more than two triangles, a piece may have but one end that is known
        tr->link[ends[i].crossing][ends[i].slot] = loopLink - v;
        tr->loops[tr->loopEndCount++] = (End){v, 0, ends[i].crossing, ends[i].slot};
    }
    qsort(tr->loops, (size_t)tr->loopEndCount, sizeof *tr->loops, CompareEnds);
    return true;
}

/// The other end at a loop vertex where two contours end: they pass through. False where one ends alone, and folds back, or many do.
static bool PassThrough(const Tracer* tr, int vertex, int crossing, int slot, int* otherCrossing, int* otherSlot) {
    int lo = 0, hi = tr->loopEndCount;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (tr->loops[middle].low < vertex) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    int count = 0;
    while (lo + count < tr->loopEndCount && tr->loops[lo + count].low == vertex) ++count;
    if (count != 2) return false;
    const End* other = &tr->loops[lo];
    if (other->crossing == crossing && other->slot == slot) ++other;
    *otherCrossing = other->crossing;
    *otherSlot = other->slot;
    return true;
}

/// Where the way goes on behind a crossing that is left through `slot`. *strand: of the edge, then of the next edge. *via: the loop vertex
/// on the way, or -1. Returns the crossing with the slot it is entered by, or a link without a crossing.
static int Step(const Tracer* tr, int crossing, int slot, int* enteredBy, int* strand, int* via) {
    int link = tr->link[crossing][slot], other, otherSlot;
    *via = -1;
    if (link <= loopLink) {
        if (!PassThrough(tr, loopLink - link, crossing, slot, &other, &otherSlot)) return link;
        *via = loopLink - link;
        *enteredBy = otherSlot;
        return other;
    }
    if (link == noLink) return link;
    const wfCrossing *c = &tr->crossings->items[crossing], *d = &tr->crossings->items[link];
    const wfEdge* edge = &tr->topology->edges[d->edge];
    int a = tr->topology->edges[c->edge].triangle[slot]; // the piece lies in a and in the face of c
    bool same = d->face == c->face;                      // then the edge is one of a's
    int triangle = same ? a : c->face;
    *enteredBy = edge->triangle[0] == triangle ? 0 : 1;
    WF_ASSERT(edge->triangle[*enteredBy] == triangle);
    if (!same) *strand = 1 - *strand;
    return link;
}

static wfCurveType TypeOf(int boundaries, int insides) { return insides == 0 ? wf_curveBB : boundaries == 0 ? wf_curveII : wf_curveBI; }

/// Types by the ends; a contour without loop vertices at its ends.
static void Classify(wfContour* c, const wfStop* stops, bool swapped) {
    if (c->closed) {
        c->single = swapped;
        c->kind = swapped ? wf_contourCL : wf_contourCLCL;
        c->type[0] = c->type[1] = wf_curveCL;
        return;
    }
    int folds = (c->loop[0] >= 0) + (c->loop[1] >= 0);
    if (folds > 0) {
        c->single = true;
        c->kind = folds == 2 ? wf_contourCL : wf_contourBLI;
        c->type[0] = c->type[1] = folds == 2 ? wf_curveCL : wf_curveBLI;
        return;
    }
    int first = stops[0].strand, last = stops[c->stopCount - 1].strand; // these strands end on a boundary, the others inside
    for (int s = 0; s < 2; ++s) c->type[s] = TypeOf((first == s) + (last == s), (first != s) + (last != s));
    c->kind = first == last ? wf_contourBBII : wf_contourBIBI;
}

/// Follows a contour from a crossing, leaving it through `slot`.
static void Trace(Tracer* tr, int start, int slot) {
    wfContour* c = &tr->out->items[tr->out->count++];
    wfStop* stops = tr->out->stops + tr->stopCount;
    *c = (wfContour){.firstStop = tr->stopCount, .firstVia = tr->viaCount, .loop = {-1, -1}};
    int at = start, strand = 0, viaAt = 0;
    int before = tr->link[start][1 - slot];
    if (before <= loopLink) c->loop[0] = loopLink - before;
    for (;;) {
        stops[c->stopCount++] = (wfStop){at, strand};
        tr->done[at] = true;
        int enteredBy = 0, via, next = Step(tr, at, slot, &enteredBy, &strand, &via);
        if (via >= 0) {
            tr->out->vias[tr->viaCount++] = via;
            c->viaCount += 1;
            viaAt = c->stopCount;
        }
        if (next <= loopLink) c->loop[1] = loopLink - next;
        if (next < 0) break;
        if (next == start || tr->done[next]) {
            c->closed = true;
            c->loop[0] = -1;
            break;
        }
        at = next;
        slot = 1 - enteredBy;
    }
    // Which strands belong together at a vertex where two contours pass is free; a cross is two curves BB and II (Figure 3f).
    if (!c->closed && c->viaCount == 1 && c->loop[0] < 0 && c->loop[1] < 0 && stops[0].strand != stops[c->stopCount - 1].strand)
        for (int i = viaAt; i < c->stopCount; ++i) stops[i].strand = 1 - stops[i].strand;
    tr->stopCount += c->stopCount;
    Classify(c, stops, c->closed && c->viaCount == 0 && strand != 0);
}

bool wfContours_Create(wfContours* out, const wfTopology* topology, const wfCrossings* crossings, wfArena* arena, wfError* err) {
    int n = crossings->count;
    *out = (wfContours){0};
    out->items = wfArena_New(arena, wfContour, n, "contours", err);
    out->stops = wfArena_New(arena, wfStop, n, "contours", err);
    out->vias = wfArena_New(arena, int, 2 * (size_t)n, "loop vertices", err);
    if (out->items == NULL || out->stops == NULL || out->vias == NULL) return false;
    wfArena scratch = {0};
    Tracer tr = {.topology = topology, .crossings = crossings, .out = out};
    bool ok = LinkAll(&tr, &scratch, err);
    // Open contours from their ends, then what is closed.
    for (int pass = 0; ok && pass < 2; ++pass)
        for (int i = 0; i < n; ++i)
            for (int slot = 0; slot < 2 && !tr.done[i]; ++slot) {
                int link = tr.link[i][1 - slot], other, otherSlot;
                bool end = link == noLink || (link <= loopLink && !PassThrough(&tr, loopLink - link, i, 1 - slot, &other, &otherSlot));
                if (end || pass == 1) Trace(&tr, i, slot);
            }
    wfArena_Free(&scratch);
    return ok;
}
