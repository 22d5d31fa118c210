// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/impact_zones.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rigid_motion.h"
#include "mesh/find_root.h"

#include <stdlib.h>
#include <string.h>

/// How much heavier a kinematic vertex is than all free ones of its zone together: what they pull it aside is less than the rounding of
/// positions, and the inertia of the rest about an axis through two of them keeps nine digits beside theirs.
static const double kHeavy = 1e7;
/// Kinematic vertices that are off a rigid motion by less than this, against their coordinates, are off by the rounding of single
/// precision.
static const double kRounding = 1e-6;

/// A free vertex in a zone. Zones are disjoint sets of these; the lowest vertex is the root and speaks for its zone.
typedef struct Member {
    int vertex;
    int next;        // member of the same zone, in a ring
    int chain;       // root: first of its kinematic vertices, ascending after Tidy; -1: none
    int chainCount;  // root: how many, as Tidy found them last
    int body;        // root: the rigid body that the last Move went with; -1: none
    wfVec3 proposed; // end when it entered
} Member;

/// A kinematic vertex in a zone, which may be in others as well.
typedef struct Link {
    int vertex, next; // in a ring
} Link;

struct wfImpactZones {
    int clothVertexCount, vertexCount;
    const int* bodyOf;
    wfZoneStep step;
    int* memberOf; // per cloth vertex; -1: in no zone

    Member* members;
    int* parent; // disjoint sets of members
    Link* links;
    int* grown; // members of zones that grew since the last Move
    int* changed;
    wfZoneConflict* conflicts;
    int *row, *spare; // scratch: vertices of one zone, or the zones to move
    int* roots;
    wfMovedMass* masses;
    size_t memberCapacity, parentCapacity, linkCapacity, grownCapacity, changedCapacity, conflictCapacity, rowCapacity, spareCapacity,
        rootCapacity, massCapacity;
    int memberCount, linkCount, grownCount, changedCount, conflictCount;
    int freeLink;
    wfZoneStats stats;
};

wfImpactZones* wfCreateImpactZones(int clothVertexCount, int vertexCount, const int* bodyOf, wfError* err) {
    WF_ASSERT(0 <= clothVertexCount && clothVertexCount <= vertexCount);
    wfImpactZones* z = calloc(1, sizeof *z);
    int* memberOf = malloc(((size_t)clothVertexCount + 1) * sizeof *memberOf);
    if (z == NULL || memberOf == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for impact zones (%d vertices)", clothVertexCount);
        free(memberOf);
        free(z);
        return NULL;
    }
    for (int i = 0; i < clothVertexCount; ++i) memberOf[i] = -1;
    z->clothVertexCount = clothVertexCount;
    z->vertexCount = vertexCount;
    z->bodyOf = bodyOf;
    z->memberOf = memberOf;
    z->freeLink = -1;
    return z;
}

void wfDestroyImpactZones(wfImpactZones* z) {
    if (z == NULL) return;
    void* blocks[] = {z->memberOf,  z->members, z->parent, z->links, z->grown, z->changed,
                      z->conflicts, z->row,     z->spare,  z->roots, z->masses};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; ++k) free(blocks[k]);
    free(z);
}

void wfImpactZones_Begin(wfImpactZones* z, const wfZoneStep* step) {
    for (int m = 0; m < z->memberCount; ++m) z->memberOf[z->members[m].vertex] = -1;
    z->stats = (wfZoneStats){.work = z->memberCount};
    z->memberCount = z->linkCount = z->grownCount = z->changedCount = z->conflictCount = 0;
    z->freeLink = -1;
    z->step = *step;
}

/// Ascending, by merging; spare holds as many.
static void SortInts(int* row, int* spare, int count) {
    int *from = row, *to = spare;
    for (int width = 1; width<count; width = width> count / 2 ? count : 2 * width) {
        for (int begin = 0; begin < count;) {
            int middle = width < count - begin ? begin + width : count;
            int end = width < count - middle ? middle + width : count;
            for (int a = begin, b = middle, k = begin; k < end; ++k)
                to[k] = b == end || (a < middle && from[a] <= from[b]) ? from[a++] : from[b++];
            begin = end;
        }
        int* swap = from;
        from = to, to = swap;
    }
    if (from != row) memcpy(row, from, (size_t)count * sizeof *row);
}

/// Of a sorted row; returns how many are left.
static int DropRepeated(int* row, int count) {
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (i == 0 || row[i] != row[i - 1]) row[kept++] = row[i];
    return kept;
}

static bool IsFree(const wfImpactZones* z, int vertex) { return vertex < z->clothVertexCount && z->step.start[vertex].w > 0.0f; }
static int BodyOf(const wfImpactZones* z, int vertex) {
    return vertex < z->clothVertexCount ? -1 : z->bodyOf[vertex - z->clothVertexCount];
}

static int Enter(wfImpactZones* z, int vertex) {
    if (z->memberOf[vertex] >= 0) return z->memberOf[vertex];
    int m = z->memberCount++;
    z->members[m] = (Member){.vertex = vertex, .next = m, .chain = -1, .body = -1, .proposed = wfXyz(z->step.end[vertex])};
    z->parent[m] = m;
    ++z->stats.zoneCount;
    return z->memberOf[vertex] = m;
}

/// Returns whether they were two.
static bool Join(wfImpactZones* z, int a, int b) {
    a = wfFindRoot(z->parent, a), b = wfFindRoot(z->parent, b);
    if (a == b) return false;
    if (z->members[b].vertex < z->members[a].vertex) {
        int swap = a;
        a = b, b = swap;
    }
    Member *low = &z->members[a], *high = &z->members[b];
    z->parent[b] = a;
    int next = low->next;
    low->next = high->next, high->next = next;
    if (low->chain < 0) {
        low->chain = high->chain;
    } else if (high->chain >= 0) {
        next = z->links[low->chain].next;
        z->links[low->chain].next = z->links[high->chain].next, z->links[high->chain].next = next;
    }
    --z->stats.zoneCount;
    return true;
}

static void AddLink(wfImpactZones* z, int member, int vertex) {
    Member* root = &z->members[wfFindRoot(z->parent, member)];
    int k = z->freeLink >= 0 ? z->freeLink : z->linkCount++;
    if (z->freeLink >= 0) z->freeLink = z->links[k].next;
    z->links[k].vertex = vertex;
    if (root->chain < 0) {
        root->chain = z->links[k].next = k;
    } else {
        z->links[k].next = z->links[root->chain].next;
        z->links[root->chain].next = k;
    }
}

/// The kinematic vertices of a zone, into `row`; returns how many.
static int CopyChain(wfImpactZones* z, const Member* root, int* row) {
    int count = 0;
    if (root->chain < 0) return 0;
    for (int k = root->chain; count == 0 || k != root->chain; k = z->links[k].next) row[count++] = z->links[k].vertex;
    z->stats.work += count;
    return count;
}

/// Brings the chain of a zone into order, each vertex once; returns whether there are more than it had.
static bool Tidy(wfImpactZones* z, Member* root) {
    int count = CopyChain(z, root, z->row);
    if (count == 0) return false;
    SortInts(z->row, z->spare, count);
    int kept = DropRepeated(z->row, count);
    int k = root->chain, last = k;
    for (int i = 0; i < kept; ++i) {
        z->links[k].vertex = z->row[i];
        last = k, k = z->links[k].next;
    }
    if (kept < count) { // the rest of the ring is free
        int end = k;
        while (z->links[end].next != root->chain) end = z->links[end].next;
        z->links[end].next = z->freeLink;
        z->freeLink = k;
        z->links[last].next = root->chain;
    }
    bool more = kept > root->chainCount;
    root->chainCount = kept;
    return more;
}

static int CopyMembers(wfImpactZones* z, int root, int* row) {
    int count = 0;
    for (int m = root; count == 0 || m != root; m = z->members[m].next) row[count++] = z->members[m].vertex;
    z->stats.work += count;
    SortInts(row, z->spare, count);
    return count;
}

static bool Reserve(wfImpactZones* z, size_t hits, wfError* err) {
    size_t most = (size_t)z->memberCount + 4 * hits, links = (size_t)z->linkCount + 3 * hits, grown = (size_t)z->grownCount + hits;
    if (most > (size_t)z->clothVertexCount) most = (size_t)z->clothVertexCount;
    size_t rows = most > links ? most : links;
    if (grown > rows) rows = grown;
    struct {
        void** data;
        size_t *capacity, need, size;
    } blocks[] = {
        {(void**)&z->members, &z->memberCapacity, most, sizeof *z->members},
        {(void**)&z->parent, &z->parentCapacity, most, sizeof *z->parent},
        {(void**)&z->links, &z->linkCapacity, links, sizeof *z->links},
        {(void**)&z->grown, &z->grownCapacity, grown, sizeof *z->grown},
        {(void**)&z->changed, &z->changedCapacity, most, sizeof *z->changed},
        {(void**)&z->row, &z->rowCapacity, rows, sizeof *z->row},
        {(void**)&z->spare, &z->spareCapacity, rows, sizeof *z->spare},
        {(void**)&z->roots, &z->rootCapacity, grown, sizeof *z->roots},
        {(void**)&z->masses, &z->massCapacity, most + links, sizeof *z->masses},
    };
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; ++k)
        WF_TRY(wfGrow(blocks[k].data, blocks[k].capacity, blocks[k].need, blocks[k].size, "impact zones", err));
    return true;
}

/// The zones that `grown` speaks of, each once, by their lowest vertex, into `roots`.
static int ListGrown(wfImpactZones* z) {
    for (int i = 0; i < z->grownCount; ++i) z->roots[i] = z->members[wfFindRoot(z->parent, z->grown[i])].vertex;
    SortInts(z->roots, z->spare, z->grownCount);
    return DropRepeated(z->roots, z->grownCount);
}

bool wfImpactZones_Grow(wfImpactZones* z, const wfHit* hits, int count, bool* grew, wfError* err) {
    for (int h = 0; h < count; ++h) {
        for (int k = 0; k < 4; ++k) {
            int v = hits[h].v[k];
            WF_ASSERT(0 <= v && v < z->vertexCount);
            if (!wfIsFinite3(wfXyz(z->step.start[v])) || !wfIsFinite3(wfXyz(z->step.end[v])) || !isfinite(z->step.start[v].w))
                return wfFail(err, wf_stepFailed, "impact zones: vertex %d is not finite", v);
        }
    }
    WF_TRY(Reserve(z, (size_t)count, err));
    z->stats.work += 4 * (int64_t)count;
    int before = z->memberCount;
    bool more = false;
    for (int h = 0; h < count; ++h) {
        int first = -1;
        for (int k = 0; k < 4; ++k) {
            if (!IsFree(z, hits[h].v[k])) continue;
            int member = Enter(z, hits[h].v[k]);
            if (first < 0) first = member;
            more = Join(z, first, member) || more;
        }
        if (first < 0) {
            ++z->stats.fixedHitCount;
            continue;
        }
        for (int k = 0; k < 4; ++k)
            if (!IsFree(z, hits[h].v[k])) AddLink(z, first, hits[h].v[k]);
        z->grown[z->grownCount++] = first;
    }
    int zoneCount = ListGrown(z);
    for (int i = 0; i < zoneCount; ++i) {
        int root = z->memberOf[z->roots[i]];
        more = Tidy(z, &z->members[root]) || more;
        z->grown[i] = root;
    }
    z->grownCount = zoneCount;
    z->stats.vertexCount = z->memberCount;
    if (grew != NULL) *grew = more || z->memberCount > before;
    return true;
}

static wfVec3D At(const wfVec4* x, int vertex) { return wfMake3D(x[vertex].x, x[vertex].y, x[vertex].z); }
static double Largest(double scale, wfVec3D x) { return fmax(scale, fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z)))); }

static wfRigidMotion BodyMotion(const wfZoneBody* body) {
    wfVec3D from = wfWiden(body->start.translate), to = wfWiden(body->end.translate);
    return (wfRigidMotion){.centre = from, .shift = wfSubD(to, from), .turn = wfTurn_Between(body->start.rotate, body->end.rotate)};
}

/// From where a motion takes a kinematic vertex to its own end.
static wfVec3D Gap(const wfImpactZones* z, const wfRigidMotion* motion, int vertex) {
    wfVec3D start = At(z->step.start, vertex);
    return wfSubD(wfSubD(At(z->step.end, vertex), start), wfRigidMotion_Shift(motion, start));
}

/// Whether there is a rigid body whose motion all kinematic vertices follow: then the lowest one's, and its number is kept with the zone.
static bool FollowBody(const wfImpactZones* z, Member* root, const int* chain, int count, wfRigidMotion* motion) {
    int leader = -1;
    double scale = 0.0;
    for (int i = 0; i < count; ++i) {
        int body = BodyOf(z, chain[i]);
        WF_ASSERT(body < z->step.bodyCount);
        if (body >= 0 && z->step.bodies[body].rigid && (leader < 0 || body < leader)) leader = body;
        scale = Largest(Largest(scale, At(z->step.start, chain[i])), At(z->step.end, chain[i]));
    }
    if (leader < 0) return false;
    const wfZoneBody* body = &z->step.bodies[leader];
    *motion = BodyMotion(body);
    scale = Largest(Largest(scale, wfWiden(body->start.translate)), wfWiden(body->end.translate));
    for (int i = 0; i < count; ++i)
        if (BodyOf(z, chain[i]) != leader && wfLengthD(Gap(z, motion, chain[i])) > kRounding * scale) return false;
    root->body = leader;
    return true;
}

/// Notes a conflict where the kinematic vertices do not follow the motion.
static bool Judge(wfImpactZones* z, const Member* root, const int* chain, int count, const wfRigidMotion* motion, wfError* err) {
    int worst = -1, other = -1;
    double gap = 0.0, apart = 0.0, scale = 0.0;
    for (int i = 0; i < count; ++i) {
        double size = wfLengthD(Gap(z, motion, chain[i]));
        if (worst < 0 || size > gap) worst = chain[i], gap = size;
        scale = Largest(Largest(scale, At(z->step.start, chain[i])), At(z->step.end, chain[i]));
    }
    if (gap <= kRounding * scale) return true;
    for (int i = 0; i < count; ++i) {
        double size = wfLengthD(wfSubD(Gap(z, motion, worst), Gap(z, motion, chain[i])));
        if (other < 0 || size > apart) other = chain[i], apart = size;
    }
    WF_TRY(wfGrow((void**)&z->conflicts, &z->conflictCapacity, (size_t)z->conflictCount + 1, sizeof *z->conflicts, "impact zones", err));
    int a = BodyOf(z, worst), b = BodyOf(z, other);
    wfZoneConflict conflict = {.zone = root->vertex, .bodies = {a < b ? a : b, a < b ? b : a}, .gap = (float)gap};
    int at = z->conflictCount++;
    for (; at > 0 && z->conflicts[at - 1].zone > conflict.zone; --at) z->conflicts[at] = z->conflicts[at - 1];
    z->conflicts[at] = conflict;
    return true;
}

static bool MoveZone(wfImpactZones* z, int zone, wfError* err) {
    Member* root = &z->members[zone];
    wfRigidMotion motion;
    root->body = -1;
    int chainCount = CopyChain(z, root, z->row);
    if (!FollowBody(z, root, z->row, chainCount, &motion)) {
        // Masses of the free vertices behind those of the kinematic ones: these give the place to sum about.
        wfMovedMass* loose = z->masses + chainCount;
        double total = 0.0;
        bool matched;
        for (int i = 0; i < chainCount; ++i) {
            wfVec3D start = At(z->step.start, z->row[i]);
            z->masses[i] = (wfMovedMass){.start = start, .shift = wfSubD(At(z->step.end, z->row[i]), start)};
        }
        int count = CopyMembers(z, zone, z->row);
        for (int i = 0; i < count; ++i) {
            int v = z->row[i];
            wfVec3D start = At(z->step.start, v), end = wfWiden(z->members[z->memberOf[v]].proposed);
            loose[i] = (wfMovedMass){.start = start, .shift = wfSubD(end, start), .mass = 1.0 / (double)z->step.start[v].w};
            total += loose[i].mass;
        }
        for (int i = 0; i < chainCount; ++i) z->masses[i].mass = kHeavy * total;
        motion = wfMatchMotion(z->masses, chainCount + count, &matched);
        if (!matched) ++z->stats.unmatchedCount;
        if (chainCount > 0) {
            CopyChain(z, root, z->row);
            WF_TRY(Judge(z, root, z->row, chainCount, &motion, err));
        }
    }
    int count = CopyMembers(z, zone, z->row);
    for (int i = 0; i < count; ++i) {
        int v = z->row[i];
        wfVec3D start = At(z->step.start, v);
        wfVec3 to = wfNarrow(wfAddD(start, wfRigidMotion_Shift(&motion, start)));
        wfVec4* end = &z->step.end[v];
        if (to.x == end->x && to.y == end->y && to.z == end->z) continue;
        *end = wfMake4(to, end->w);
        z->changed[z->changedCount++] = v;
    }
    return true;
}

bool wfImpactZones_Move(wfImpactZones* z, wfError* err) {
    z->changedCount = 0;
    int zoneCount = ListGrown(z), kept = 0;
    for (int i = 0; i < z->conflictCount; ++i) { // those of zones that grew are found anew
        int zone = wfImpactZones_Find(z, z->conflicts[i].zone), low = 0, high = zoneCount;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (z->roots[middle] < zone)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == zoneCount || z->roots[low] != zone) z->conflicts[kept++] = z->conflicts[i];
    }
    z->conflictCount = kept;
    for (int i = 0; i < zoneCount; ++i) WF_TRY(MoveZone(z, z->memberOf[z->roots[i]], err));
    SortInts(z->changed, z->spare, z->changedCount);
    z->grownCount = 0;
    return true;
}

const int* wfImpactZones_GetChanged(const wfImpactZones* z, int* count) {
    *count = z->changedCount;
    return z->changed;
}

const wfZoneConflict* wfImpactZones_GetConflicts(const wfImpactZones* z, int* count) {
    *count = z->conflictCount;
    return z->conflicts;
}

int wfImpactZones_Find(const wfImpactZones* z, int vertex) {
    int member = z->memberOf[vertex];
    return member < 0 ? -1 : z->members[wfFindRoot(z->parent, member)].vertex;
}

bool wfImpactZones_Holds(const wfImpactZones* z, const wfHit* hit) {
    int zone = -1;
    for (int k = 0; k < 4; ++k) {
        if (!IsFree(z, hit->v[k])) continue;
        int other = wfImpactZones_Find(z, hit->v[k]);
        if (other < 0 || (zone >= 0 && other != zone)) return false;
        zone = other;
    }
    if (zone < 0) return false;
    const Member* root = &z->members[z->memberOf[zone]];
    for (int k = 0; k < 4; ++k) {
        int v = hit->v[k];
        if (IsFree(z, v) || (root->body >= 0 && BodyOf(z, v) == root->body)) continue;
        bool found = false;
        for (int i = 0, link = root->chain; i < root->chainCount && !found; ++i, link = z->links[link].next)
            found = z->links[link].vertex == v;
        if (!found) return false;
    }
    return true;
}

const int* wfImpactZones_GetZone(wfImpactZones* z, int vertex, int* count) {
    int zone = wfImpactZones_Find(z, vertex);
    *count = zone < 0 ? 0 : CopyMembers(z, z->memberOf[zone], z->row);
    return z->row;
}

wfZoneStats wfImpactZones_GetStats(const wfImpactZones* z) { return z->stats; }
