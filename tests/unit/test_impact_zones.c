// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "contact/impact_zones.h"
#include "turns.h"

#include <float.h>
#include <string.h>

// Impact zones against what they promise: distances, momentum, who leads; and the zones themselves against labels spread hit by hit.

enum { CLOTH = 400, ALL = 520, MOST_HITS = 600 };
static wfVec4 s_start[ALL], s_end[ALL], s_proposed[ALL];
static int s_bodyOf[ALL - CLOTH];
static wfZoneBody s_bodies[4];
static wfHit s_hits[MOST_HITS];

static const wfZoneStep s_step = {.start = s_start, .end = s_end, .bodies = s_bodies, .bodyCount = 4};

static wfVec3D Start(int v) { return wfWiden(wfXyz(s_start[v])); }
static wfVec3D End(int v) { return wfWiden(wfXyz(s_end[v])); }
static wfVec3D Proposed(int v) { return wfWiden(wfXyz(s_proposed[v])); }

static void Put(int v, wfVec3D start, wfVec3D end, double inverseMass) {
    s_start[v] = wfMake4(wfNarrow(start), (float)inverseMass);
    s_end[v] = wfMake4(wfNarrow(end), 7.0f); // w is not the zones'
}

/// Random cloth of unequal masses within a box of 20 cm about `centre`, ends where they start, four bodies of 30 vertices that stand still.
static void MakeScene(wfVec3D centre, uint64_t* seed) {
    for (int v = 0; v < ALL; ++v) {
        wfVec3D x = wfMulAddD(centre, 0.1, RandomVector(seed));
        Put(v, x, x, v < CLOTH ? 1e4 * (1.5 + NextRandom(seed)) : 0.0);
        if (v >= CLOTH) s_bodyOf[v - CLOTH] = (v - CLOTH) / 30;
    }
    wfPose pose = {wfNarrow(centre), wfQuatIdentity()};
    for (int b = 0; b < 4; ++b) s_bodies[b] = (wfZoneBody){.start = pose, .end = pose, .rigid = true};
}

/// Turned about a point and shifted.
static wfVec3D Turned(const wfMat3D* r, wfVec3D about, wfVec3D shift, wfVec3D x) {
    return wfAddD(wfAddD(about, shift), wfMat3_ApplyD(r, wfSubD(x, about)));
}

static wfImpactZones* Zones(void) {
    wfError err = {0};
    wfImpactZones* zones = wfCreateImpactZones(CLOTH, ALL, s_bodyOf, &err);
    if (zones == NULL) fail_msg("%s", err.text);
    return zones;
}

static void Begin(wfImpactZones* zones) {
    memcpy(s_proposed, s_end, sizeof s_end);
    wfImpactZones_Begin(zones, &s_step);
}

static bool Grow(wfImpactZones* zones, const wfHit* hits, int count) {
    wfError err = {0};
    bool grew;
    CHECK_OK(wfImpactZones_Grow(zones, hits, count, &grew, &err), err);
    return grew;
}

static void Move(wfImpactZones* zones) {
    wfError err = {0};
    CHECK_OK(wfImpactZones_Move(zones, &err), err);
}

/// One zone of vertices 0 .. count - 1 (count > 3).
static void GrowRow(wfImpactZones* zones, int count) {
    int n = 0;
    for (int v = 0; v + 3 < count; v += 3) s_hits[n++] = (wfHit){{v, v + 1, v + 2, v + 3}};
    s_hits[n++] = (wfHit){{count - 4, count - 3, count - 2, count - 1}};
    assert_true(Grow(zones, s_hits, n));
    assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 1);
    assert_int_equal(wfImpactZones_GetStats(zones).vertexCount, count);
}

static double Ulp(int count) {
    double largest = 0.0;
    for (int v = 0; v < count; ++v) {
        wfVec3D a = Start(v), b = End(v);
        double sizes[] = {fabs(a.x), fabs(a.y), fabs(a.z), fabs(b.x), fabs(b.y), fabs(b.z)};
        for (int k = 0; k < 6; ++k) largest = fmax(largest, sizes[k]);
    }
    return largest * FLT_EPSILON;
}

/// All distances of the first `count` vertices are kept, and so is the hand of every four in a row.
static void CheckRigid(int count) {
    double ulp = Ulp(count);
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            double before = wfLengthD(wfSubD(Start(i), Start(j))), after = wfLengthD(wfSubD(End(i), End(j)));
            // Each end is rounded to half a unit in the last place in each coordinate: sqrt(3) for a distance.
            CHECK_NEAR(after, before, 1e-6 * before + 0.9 * ulp);
        }
    }
    for (int i = 3; i < count; ++i) {
        double volume[2], size = 1.0;
        for (int side = 0; side < 2; ++side) {
            wfVec3D e[3];
            for (int k = 0; k < 3; ++k) {
                e[k] = side == 0 ? wfSubD(Start(i - k), Start(i - 3)) : wfSubD(End(i - k), End(i - 3));
                size *= side == 0 ? wfLengthD(e[k]) : 1.0;
            }
            volume[side] = wfDotD(e[0], wfCrossD(e[1], e[2]));
        }
        CHECK_NEAR(volume[1], volume[0], 1e-5 * size);
    }
}

/// sum m x1 and sum m x0 x x1 about `about`, of the ends as proposed or as they are.
static void Momentum(int count, bool proposed, wfVec3D about, wfVec3D* linear, wfVec3D* angular, double* mass) {
    *linear = *angular = wfMake3D(0, 0, 0);
    *mass = 0.0;
    for (int v = 0; v < count; ++v) {
        if (s_start[v].w == 0.0f) continue;
        double m = 1.0 / (double)s_start[v].w;
        wfVec3D shift = wfSubD(proposed ? Proposed(v) : End(v), Start(v));
        *linear = wfMulAddD(*linear, m, shift);
        *angular = wfMulAddD(*angular, m, wfCrossD(wfSubD(Start(v), about), shift));
        *mass += m;
    }
}

/// Momentum is that of the proposed ends, but for half a unit in the last place of every end.
static void CheckMomentum(int count, wfVec3D about, bool linear) {
    wfVec3D p[2], l[2];
    double mass, arm = 0.0;
    for (int k = 0; k < 2; ++k) Momentum(count, k == 0, about, &p[k], &l[k], &mass);
    for (int v = 0; v < count; ++v) arm = fmax(arm, wfLengthD(wfSubD(Start(v), about)));
    if (linear) assert_true(wfLengthD(wfSubD(p[1], p[0])) <= 0.87 * mass * Ulp(count));
    assert_true(wfLengthD(wfSubD(l[1], l[0])) <= 0.87 * mass * arm * Ulp(count));
}

// What is rigid already stays, what does not move at all to the bit.
static void TestRigidStays(void** state) {
    (void)state;
    uint64_t seed = 3;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 20; ++trial) {
        MakeScene(RandomVector(&seed), &seed);
        double angle = trial < 10 ? 0.1 * (trial + 1) : 1.5 / (1 << (trial - 10));
        wfMat3D r = AxisAngle(RandomVector(&seed), angle);
        wfVec3D about = RandomVector(&seed), shift = wfScaleD(RandomVector(&seed), 0.05);
        for (int v = 0; v < CLOTH; ++v) Put(v, Start(v), Turned(&r, about, shift, Start(v)), s_start[v].w);
        Begin(zones);
        GrowRow(zones, 40);
        Move(zones);
        assert_int_equal(wfImpactZones_GetStats(zones).unmatchedCount, 0);
        for (int v = 0; v < CLOTH; ++v) assert_true(wfLengthD(wfSubD(End(v), Proposed(v))) <= (v < 40 ? 1.8 * Ulp(CLOTH) : 0.0));
        CheckRigid(40);
    }
    MakeScene(wfMake3D(0.7, -1.3, 0.2), &seed);
    for (int move = 0; move < 2; ++move) {
        for (int v = 0; v < CLOTH; ++v) {
            wfVec3D x = wfScaleD(wfMake3D(floor(NextRandom(&seed) * 1e3), floor(NextRandom(&seed) * 1e3), v), 0x1p-10);
            Put(v, x, wfAddD(x, wfScaleD(wfMake3D(0.125, -0.25, 3), move)), s_start[v].w);
        }
        Begin(zones);
        GrowRow(zones, 100);
        Move(zones);
        int changed;
        wfImpactZones_GetChanged(zones, &changed);
        assert_int_equal(changed, 0);
        assert_memory_equal(s_end, s_proposed, sizeof s_end);
    }
    wfDestroyImpactZones(zones);
}

// Ends that are anything but rigid: turned by up to a radian and torn about.
static void TestMomentum(void** state) {
    (void)state;
    uint64_t seed = 5;
    int matchedCount = 0;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 30; ++trial) {
        MakeScene(RandomVector(&seed), &seed);
        wfMat3D r = AxisAngle(RandomVector(&seed), trial / 29.0);
        wfVec3D about = RandomVector(&seed), shift = wfScaleD(RandomVector(&seed), 0.05);
        for (int v = 0; v < CLOTH; ++v) {
            wfVec3D end = wfMulAddD(Turned(&r, about, shift, Start(v)), 0.03, RandomVector(&seed));
            Put(v, Start(v), end, s_start[v].w);
        }
        int count = trial % 3 == 0 ? 4 : trial % 3 == 1 ? 13 : 100;
        Begin(zones);
        GrowRow(zones, count);
        Move(zones);
        if (count > 4) assert_int_equal(wfImpactZones_GetStats(zones).unmatchedCount, 0); // four may ask for too much
        CheckRigid(count);
        if (wfImpactZones_GetStats(zones).unmatchedCount == 0) {
            CheckMomentum(count, Start(0), true);
            ++matchedCount;
        }
        int changed;
        const int* list = wfImpactZones_GetChanged(zones, &changed);
        assert_int_equal(changed, count);
        for (int i = 0; i < changed; ++i) assert_int_equal(list[i], i);
        for (int v = 0; v < ALL; ++v) assert_true(s_end[v].w == 7.0f && (v < count || wfLengthD(wfSubD(End(v), Proposed(v))) == 0.0));
    }
    assert_true(matchedCount >= 25);
    wfDestroyImpactZones(zones);
}

// In single precision, at a place where a row is one only to rounding.
static void TestRow(void** state) {
    (void)state;
    uint64_t seed = 17;
    wfImpactZones* zones = Zones();
    MakeScene(wfMake3D(0, 0, 0), &seed);
    for (int v = 0; v < 8; ++v) {
        wfVec3D x = wfMake3D(1.0 + 0.01 * v, 0.3 - 0.007 * v, 0.77 + 0.003 * v);
        Put(v, x, wfMulAddD(x, 0.002, RandomVector(&seed)), 1e4);
    }
    Begin(zones);
    GrowRow(zones, 8);
    Move(zones);
    CheckRigid(8);
    CheckMomentum(8, Start(0), true);
    wfDestroyImpactZones(zones);
}

static int RandomBelow(int n, uint64_t* seed) {
    int k = (int)((NextRandom(seed) + 1.0) * 0.5 * n);
    return k < n ? k : n - 1;
}

/// Hits between near vertices of the cloth; some with a vertex or a triangle of a body.
static int RandomHits(int count, uint64_t* seed) {
    for (int h = 0; h < count; ++h) {
        int at = RandomBelow(CLOTH - 8, seed), body = CLOTH + RandomBelow(ALL - CLOTH - 3, seed), kind = RandomBelow(6, seed);
        s_hits[h] = (wfHit){{at, at + 1 + RandomBelow(2, seed), at + 3 + RandomBelow(2, seed), at + 5 + RandomBelow(2, seed)}};
        if (kind == 0) s_hits[h] = (wfHit){{at, body, body + 1, body + 2}};
        if (kind == 1) s_hits[h].v[3] = body;
    }
    return count;
}

static void Shuffle(wfHit* hits, int count, uint64_t* seed) {
    for (int i = count - 1; i > 0; --i) {
        int j = RandomBelow(i + 1, seed);
        wfHit swap = hits[i];
        hits[i] = hits[j], hits[j] = swap;
        for (int k = 3; k > 0; --k) {
            int l = RandomBelow(k + 1, seed), v = hits[i].v[k];
            hits[i].v[k] = hits[i].v[l], hits[i].v[l] = v;
        }
    }
}

static void TearEnds(uint64_t* seed) {
    for (int v = 0; v < CLOTH; ++v) Put(v, Start(v), wfMulAddD(Start(v), 0.01, RandomVector(seed)), s_start[v].w);
}

// Zones are the connected parts of the free vertices; their motion does not depend on the order or on the calls that hits come in.
static void TestOrder(void** state) {
    (void)state;
    uint64_t seed = 23;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 12; ++trial) {
        MakeScene(RandomVector(&seed), &seed);
        TearEnds(&seed);
        for (int v = 0; v < CLOTH; v += 37) s_start[v].w = 0.0f; // held
        s_bodies[1].rigid = false;
        for (int v = CLOTH; v < ALL; ++v)
            if (s_bodyOf[v - CLOTH] == 1) Put(v, Start(v), wfMulAddD(Start(v), 0.001, RandomVector(&seed)), 0.0);
        int n = RandomHits(20 + 15 * trial, &seed);
        Begin(zones);
        assert_true(Grow(zones, s_hits, n));
        Move(zones);
        // The slow way: the lowest label wins until nothing changes.
        int label[CLOTH];
        for (int v = 0; v < CLOTH; ++v) label[v] = -1;
        for (bool more = true; more;) {
            more = false;
            for (int h = 0; h < n; ++h) {
                int low = CLOTH;
                for (int k = 0; k < 4; ++k) {
                    int v = s_hits[h].v[k];
                    if (v >= CLOTH || s_start[v].w == 0.0f) continue;
                    if (label[v] < 0) label[v] = v, more = true;
                    if (label[v] < low) low = label[v];
                }
                for (int k = 0; k < 4; ++k) {
                    int v = s_hits[h].v[k];
                    if (v < CLOTH && s_start[v].w > 0.0f && label[v] != low) label[v] = low, more = true;
                }
            }
        }
        int zoneCount = 0, memberCount = 0;
        for (int v = 0; v < CLOTH; ++v) {
            assert_int_equal(wfImpactZones_Find(zones, v), label[v]);
            zoneCount += label[v] == v, memberCount += label[v] >= 0;
            int count, expected = 0;
            const int* members = wfImpactZones_GetZone(zones, v, &count);
            for (int u = 0; u < CLOTH; ++u)
                if (label[v] >= 0 && label[u] == label[v]) {
                    assert_true(expected < count && members[expected] == u);
                    ++expected;
                }
            assert_int_equal(count, expected);
        }
        assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, zoneCount);
        assert_int_equal(wfImpactZones_GetStats(zones).vertexCount, memberCount);
        for (int h = 0; h < n; ++h) {
            bool loose = false;
            for (int k = 0; k < 4; ++k) loose = loose || (s_hits[h].v[k] < CLOTH && s_start[s_hits[h].v[k]].w > 0.0f);
            assert_true(wfImpactZones_Holds(zones, &s_hits[h]) == loose);
        }
        assert_false(Grow(zones, s_hits, n));
        Move(zones);
        int changed, conflictCount;
        wfImpactZones_GetChanged(zones, &changed);
        assert_int_equal(changed, 0);
        const wfZoneConflict* list = wfImpactZones_GetConflicts(zones, &conflictCount);
        wfZoneConflict conflicts[CLOTH];
        if (conflictCount > 0) memcpy(conflicts, list, (size_t)conflictCount * sizeof *list);
        wfVec4 once[ALL];
        memcpy(once, s_end, sizeof once);
        for (int round = 0; round < 6; ++round) {
            Shuffle(s_hits, n, &seed);
            memcpy(s_end, s_proposed, sizeof s_end);
            wfImpactZones* other = round % 2 == 0 ? zones : Zones(); // used ones and new ones
            Begin(other);
            int calls = 1 + round;
            for (int c = 0, from = 0; c < calls; ++c) {
                int to = c + 1 == calls ? n : from + RandomBelow(n - from, &seed);
                Grow(other, s_hits + from, to - from);
                if (c + 1 == calls || c % 2 == 0) Move(other);
                from = to;
            }
            assert_memory_equal(s_end, once, sizeof once);
            int again;
            list = wfImpactZones_GetConflicts(other, &again);
            assert_int_equal(again, conflictCount);
            for (int i = 0; i < again; ++i) {
                assert_true(list[i].zone == conflicts[i].zone && list[i].gap == conflicts[i].gap);
                assert_true(list[i].bodies[0] == conflicts[i].bodies[0] && list[i].bodies[1] == conflicts[i].bodies[1]);
            }
            if (other != zones) wfDestroyImpactZones(other);
        }
    }
    wfDestroyImpactZones(zones);
}

/// The body's vertices by its motion, in single precision, as a scene would place them.
static void MoveBody(int body, wfPose start, wfPose end) {
    s_bodies[body] = (wfZoneBody){.start = start, .end = end, .rigid = true};
    for (int v = CLOTH; v < ALL; ++v) {
        if (s_bodyOf[v - CLOTH] != body) continue;
        wfVec3 local = wfPose_Unapply(start, wfXyz(s_start[v]));
        s_end[v] = wfMake4(wfPose_Apply(end, local), 7.0f);
    }
}

static int BodyVertex(int body, int k) { return CLOTH + 30 * body + k; }

// A body takes its zones with it, at any angle; two zones on it stay two.
static void TestOneBody(void** state) {
    (void)state;
    uint64_t seed = 31;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 8; ++trial) {
        MakeScene(wfMake3D(0.2, 0.5, -0.3), &seed);
        TearEnds(&seed);
        wfPose start = {wfMake3(0.1f, 0.4f, -0.2f), wfQuatAxisAngle(wfMake3(1, 2, 3), 0.3f)}, end = start;
        if (trial > 0)
            end = (wfPose){wfMake3(0.15f, 0.2f, 0.1f), wfQuatMul(wfQuatAxisAngle(wfMake3(-1, 1, 0.5f), 0.4f * (float)trial), start.rotate)};
        MoveBody(2, start, end);
        Begin(zones);
        wfHit hits[] = {{{5, BodyVertex(2, 0), BodyVertex(2, 1), BodyVertex(2, 2)}},
                        {{5, 6, BodyVertex(2, 4), BodyVertex(2, 5)}},
                        {{300, BodyVertex(2, 0), 301, 302}}};
        assert_true(Grow(zones, hits, 3));
        assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 2);
        assert_int_equal(wfImpactZones_Find(zones, 6), 5);
        assert_int_equal(wfImpactZones_Find(zones, 302), 300);
        assert_int_equal(wfImpactZones_Find(zones, 7), -1);
        Move(zones);
        int moved[] = {5, 6, 300, 301, 302}, conflicts, changed;
        const int* list = wfImpactZones_GetChanged(zones, &changed);
        assert_int_equal(changed, 5);
        assert_memory_equal(list, moved, sizeof moved);
        wfImpactZones_GetConflicts(zones, &conflicts);
        assert_int_equal(conflicts, 0);
        for (int i = 0; i < 5; ++i) {
            int v = moved[i];
            if (trial == 0) assert_memory_equal(&s_start[v], &s_end[v], 3 * sizeof(float));
            // As a vertex of the body would go, and as the body's own vertices see it.
            wfVec3 follow = wfPose_Apply(end, wfPose_Unapply(start, wfXyz(s_start[v])));
            CHECK_NEAR(wfLengthD(wfSubD(End(v), wfWiden(follow))), 0.0, 1e-6);
            for (int k = 0; k < 30; ++k) {
                int b = BodyVertex(2, k);
                CHECK_NEAR(wfLengthD(wfSubD(End(v), End(b))), wfLengthD(wfSubD(Start(v), Start(b))), 1e-6);
            }
        }
        // Another vertex of that body is held already, one of another body is not.
        assert_true(wfImpactZones_Holds(zones, &(wfHit){{5, 6, BodyVertex(2, 7), BodyVertex(2, 8)}}));
        assert_false(wfImpactZones_Holds(zones, &(wfHit){{5, 6, BodyVertex(2, 7), BodyVertex(3, 8)}}));
        assert_false(wfImpactZones_Holds(zones, &(wfHit){{5, 300, BodyVertex(2, 7), BodyVertex(2, 8)}}));
        assert_false(wfImpactZones_Holds(zones, &(wfHit){{5, 7, BodyVertex(2, 7), BodyVertex(2, 8)}}));
        // One more kinematic vertex is growth as well, once.
        wfHit more = {{5, 6, BodyVertex(2, 4), BodyVertex(3, 1)}};
        assert_true(Grow(zones, &more, 1));
        assert_false(Grow(zones, &more, 1));
        assert_false(Grow(zones, hits, 3));
    }
    wfDestroyImpactZones(zones);
}

static void TestTwoBodies(void** state) {
    (void)state;
    uint64_t seed = 37;
    wfImpactZones* zones = Zones();
    int count;
    wfHit hits[] = {{{0, 1, BodyVertex(1, 0), BodyVertex(1, 1)}},
                    {{1, 2, BodyVertex(3, 4), BodyVertex(3, 5)}},
                    {{2, BodyVertex(3, 6), BodyVertex(3, 4), BodyVertex(3, 9)}},
                    {{0, BodyVertex(1, 2), BodyVertex(1, 3), BodyVertex(1, 7)}}};
    wfPose still = {wfMake3(0, 0, 0), wfQuatIdentity()}, up = still,
           turned = {wfMake3(0.1f, 0, 0), wfQuatAxisAngle(wfMake3(0, 1, 0), 0.8f)};
    up.translate.y = 0.01f;
    // Both stand still: so does the cloth. Both on one turntable, their own frames in different places: the cloth as well.
    for (int trial = 0; trial < 2; ++trial) {
        MakeScene(wfMake3D(0.2, 0.5, -0.3), &seed);
        TearEnds(&seed);
        if (trial == 1) {
            wfPose a = {wfMake3(0.3f, 0.1f, 0.2f), wfQuatAxisAngle(wfMake3(1, 1, 0), 1.0f)},
                   b = {wfMake3(-0.4f, 0.6f, 0.1f), wfQuatIdentity()};
            MoveBody(1, a, (wfPose){wfPose_Apply(turned, a.translate), wfQuatMul(turned.rotate, a.rotate)});
            MoveBody(3, b, (wfPose){wfPose_Apply(turned, b.translate), wfQuatMul(turned.rotate, b.rotate)});
        }
        Begin(zones);
        assert_true(Grow(zones, hits, 4));
        Move(zones);
        wfImpactZones_GetConflicts(zones, &count);
        assert_int_equal(count, 0);
        for (int v = 0; v < 3; ++v) {
            if (trial == 0)
                assert_memory_equal(&s_end[v], &s_start[v], 3 * sizeof(float));
            else
                CHECK_NEAR(wfLengthD(wfSubD(End(v), wfWiden(wfPose_Apply(turned, wfXyz(s_start[v]))))), 0.0, 1e-6);
        }
    }
    // One goes up: nobody can follow both. The zone is rigid nevertheless, and it is told who and by how much.
    MakeScene(wfMake3D(0.2, 0.5, -0.3), &seed);
    MoveBody(1, still, still);
    MoveBody(3, still, up);
    Begin(zones);
    wfHit far = {{390, 391, BodyVertex(3, 0), BodyVertex(3, 1)}};
    assert_true(Grow(zones, &far, 1));
    assert_true(Grow(zones, hits, 1));
    Move(zones);
    wfImpactZones_GetConflicts(zones, &count);
    assert_int_equal(count, 0);
    assert_true(Grow(zones, hits, 4));
    Move(zones);
    const wfZoneConflict* conflict = wfImpactZones_GetConflicts(zones, &count);
    assert_int_equal(count, 1);
    assert_int_equal(conflict->zone, 0);
    assert_int_equal(conflict->bodies[0], 1);
    assert_int_equal(conflict->bodies[1], 3);
    assert_true(conflict->gap > 1e-3f && conflict->gap < 0.01f);
    CheckRigid(3);
    wfImpactZones_GetZone(zones, conflict->zone, &count);
    assert_int_equal(count, 3);
    // It stays in the list while another zone grows, goes with its zone into a larger one, and is gone with the step.
    assert_true(Grow(zones, &(wfHit){{390, 391, 392, 393}}, 1));
    Move(zones);
    wfImpactZones_GetConflicts(zones, &count);
    assert_int_equal(count, 1);
    assert_true(Grow(zones, &(wfHit){{2, 391, 392, 3}}, 1));
    Move(zones);
    wfImpactZones_GetConflicts(zones, &count);
    assert_int_equal(count, 1);
    assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 1);
    Begin(zones);
    wfImpactZones_GetConflicts(zones, &count);
    assert_int_equal(count, 0);
    wfDestroyImpactZones(zones);
}

// A collider that deforms: where what is touched moves rigidly, the zone goes with it; else it is told.
static void TestDeforming(void** state) {
    (void)state;
    uint64_t seed = 41;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 10; ++trial) {
        MakeScene(wfMake3D(0.2, 0.5, -0.3), &seed);
        TearEnds(&seed);
        wfPose start = {wfMake3(0.1f, 0.4f, -0.2f), wfQuatIdentity()};
        wfPose end = {wfMake3(0.12f, 0.4f, -0.21f), wfQuatAxisAngle(wfMake3(-1, 1, 0.5f), 0.1f * (float)(trial + 1))};
        MoveBody(0, start, end);
        s_bodies[0] = (wfZoneBody){.rigid = false};
        if (trial == 9) s_end[BodyVertex(0, 1)].x += 0.01f;
        Begin(zones);
        wfHit hit = {{8, BodyVertex(0, 0), BodyVertex(0, 1), BodyVertex(0, 2)}};
        assert_true(Grow(zones, &hit, 1));
        assert_true(Grow(zones, &(wfHit){{8, 9, 10, BodyVertex(0, 2)}}, 1));
        Move(zones);
        int count;
        const wfZoneConflict* conflict = wfImpactZones_GetConflicts(zones, &count);
        assert_int_equal(count, trial == 9 ? 1 : 0);
        for (int v = 8; v < 11 && trial < 9; ++v) {
            wfVec3 follow = wfPose_Apply(end, wfPose_Unapply(start, wfXyz(s_start[v])));
            CHECK_NEAR(wfLengthD(wfSubD(End(v), wfWiden(follow))), 0.0, 2e-6);
        }
        if (trial == 9) assert_true(conflict->zone == 8 && conflict->bodies[0] == 0 && conflict->bodies[1] == 0 && conflict->gap > 1e-3f);
    }
    wfDestroyImpactZones(zones);
}

// About one held vertex the rest keeps its angular momentum; about two, that along the line between them.
static void TestHeld(void** state) {
    (void)state;
    uint64_t seed = 43;
    wfImpactZones* zones = Zones();
    for (int trial = 0; trial < 40; ++trial) {
        MakeScene(RandomVector(&seed), &seed);
        wfMat3D r = AxisAngle(RandomVector(&seed), 0.02 * trial);
        wfVec3D shift = wfScaleD(RandomVector(&seed), 0.05);
        for (int v = 0; v < 40; ++v) {
            bool held = v == 7 || (v == 20 && trial % 2 == 1);
            wfVec3D end = Turned(&r, Start(7), shift, Start(v));
            if (!held) end = wfMulAddD(end, 0.02, RandomVector(&seed));
            Put(v, Start(v), end, held ? 0.0 : s_start[v].w);
        }
        Begin(zones);
        int n = 0;
        for (int v = 0; v + 3 < 40; ++v) s_hits[n++] = (wfHit){{v, v + 1, v + 2, v + 3}};
        assert_true(Grow(zones, s_hits, n));
        Move(zones);
        assert_int_equal(wfImpactZones_GetStats(zones).vertexCount, trial % 2 == 1 ? 38 : 39);
        assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 1);
        int conflicts;
        wfImpactZones_GetConflicts(zones, &conflicts);
        assert_int_equal(conflicts, 0);
        assert_int_equal(wfImpactZones_GetStats(zones).unmatchedCount, 0);
        assert_memory_equal(&s_end[7], &s_proposed[7], sizeof s_end[7]);
        if (trial % 2 == 1) assert_memory_equal(&s_end[20], &s_proposed[20], sizeof s_end[20]);
        CheckRigid(40);
        // Moments about the held vertex, relative to its shift; what the heavy ones leave of the rest is 1e-7 of ends 0.1 m apart.
        wfVec3D l[2];
        double mass = 0.0;
        for (int k = 0; k < 2; ++k) {
            l[k] = wfMake3D(0, 0, 0);
            for (int v = 0; v < 40; ++v) {
                if (s_start[v].w == 0.0f) continue;
                double m = 1.0 / (double)s_start[v].w;
                wfVec3D arm = wfSubD(Start(v), Start(7));
                l[k] = wfMulAddD(l[k], m, wfCrossD(arm, wfSubD(k == 0 ? wfSubD(Proposed(v), Proposed(7)) : wfSubD(End(v), End(7)), arm)));
                mass += 0.5 * m;
            }
        }
        wfVec3D lost = wfSubD(l[1], l[0]);
        double bound = 0.87 * mass * 0.35 * 2.0 * Ulp(40) + 1e-7 * mass * 0.35 * 0.1;
        wfVec3D line = wfSubD(Start(20), Start(7));
        CHECK_NEAR(trial % 2 == 0 ? wfLengthD(lost) : wfDotD(lost, line) / wfLengthD(line), 0.0, bound);
    }
    wfDestroyImpactZones(zones);
}

// The cost of a step is that of its zones, whatever the size of the cloth, and in proportion to them.
static void TestWork(void** state) {
    (void)state;
    enum { LARGE = 200000 };
    wfVec4* start = test_calloc(LARGE, sizeof *start);
    wfVec4* end = test_calloc(LARGE, sizeof *end);
    for (int v = 0; v < LARGE; ++v) start[v] = end[v] = (wfVec4){(float)(v % 97), (float)(v % 89), (float)(v % 83), 1.0f};
    int64_t work[3] = {0};
    for (int k = 0; k < 3; ++k) {
        wfError err = {0};
        wfImpactZones* zones = wfCreateImpactZones(k == 0 ? 1000 : LARGE, k == 0 ? 1000 : LARGE, NULL, &err);
        assert_non_null(zones);
        const int* changed = NULL;
        for (int step = 0; step < 3; ++step) {
            wfImpactZones_Begin(zones, &(wfZoneStep){.start = start, .end = end});
            int n = 0, size = k == 2 ? 600 : 300;
            for (int v = 0; v < size; ++v) end[v].x = start[v].x + 0.01f * (float)(v % 7);
            for (int v = 0; v + 3 < size; v += 3) s_hits[n++] = (wfHit){{v, v + 1, v + 2, v + 3}};
            CHECK_OK(wfImpactZones_Grow(zones, s_hits, n, NULL, &err), err);
            CHECK_OK(wfImpactZones_Move(zones, &err), err);
            work[k] = wfImpactZones_GetStats(zones).work;
            int count;
            const int* list = wfImpactZones_GetChanged(zones, &count);
            assert_true(count > size / 2);
            assert_true(step == 0 || list == changed); // memory is kept
            changed = list;
            // A zone that did not grow is not moved again.
            wfHit far = {{700, 701, 702, 703}};
            CHECK_OK(wfImpactZones_Grow(zones, &far, 1, NULL, &err), err);
            CHECK_OK(wfImpactZones_Move(zones, &err), err);
            assert_true(wfImpactZones_GetStats(zones).work - work[k] < 20);
        }
        wfDestroyImpactZones(zones);
    }
    assert_int_equal(work[0], work[1]);
    assert_true(work[2] > work[1] && work[2] < 2.1 * (double)work[1]);
    assert_true(work[1] < 6 * 300);
    test_free(start);
    test_free(end);
}

// What is not finite is refused before anything is touched; hits that nobody can answer are counted.
static void TestRefused(void** state) {
    (void)state;
    uint64_t seed = 47;
    wfImpactZones* zones = Zones();
    wfError err;
    MakeScene(wfMake3D(0, 0, 0), &seed);
    TearEnds(&seed);
    s_end[33].y = NAN;
    Begin(zones);
    wfHit hits[] = {{{1, 2, 3, 4}}, {{30, 31, 32, 33}}};
    CHECK_FAILS(wfImpactZones_Grow(zones, hits, 2, NULL, &err), err, "impact zones: vertex 33 is not finite");
    assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 0);
    Move(zones);
    assert_memory_equal(s_end, s_proposed, sizeof s_end);
    s_start[50].w = s_start[51].w = 0.0f;
    wfHit fixed = {{50, 51, BodyVertex(0, 0), BodyVertex(0, 1)}};
    assert_false(Grow(zones, &fixed, 1));
    assert_false(Grow(zones, NULL, 0));
    assert_int_equal(wfImpactZones_GetStats(zones).fixedHitCount, 1);
    assert_int_equal(wfImpactZones_GetStats(zones).zoneCount, 0);
    assert_false(wfImpactZones_Holds(zones, &fixed));
    wfDestroyImpactZones(zones);
    wfDestroyImpactZones(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRigidStays), cmocka_unit_test(TestMomentum),  cmocka_unit_test(TestRow),       cmocka_unit_test(TestOrder),
        cmocka_unit_test(TestOneBody),    cmocka_unit_test(TestTwoBodies), cmocka_unit_test(TestDeforming), cmocka_unit_test(TestHeld),
        cmocka_unit_test(TestWork),       cmocka_unit_test(TestRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
