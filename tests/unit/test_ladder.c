// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"
#include "patch.h"
#include "scene_fixture.h"

#include "dynamics/descent_kernels.h"
#include "dynamics/ladder.h"
#include "elastic/bonds.h"
#include "math/aggregates.h"

#include <string.h>

// The preconditioner of dynamics "multilevel" and what it is made of, each against slow and obvious code on whole matrices.

typedef struct Dense {
    int rows, columns;
    double* at;
} Dense;

static Dense MakeDense(int rows, int columns) { return (Dense){rows, columns, calloc((size_t)rows * (size_t)columns, sizeof(double))}; }

static Dense Widen(const wfSparse* a) {
    Dense d = MakeDense(a->rowCount, a->columnCount);
    for (int i = 0; i < a->rowCount; ++i)
        for (int k = a->start[i]; k < a->start[i + 1]; ++k) {
            assert_true(k == a->start[i] || a->column[k - 1] < a->column[k]);
            d.at[i * d.columns + a->column[k]] = a->value[k];
        }
    return d;
}

static double Furthest(const Dense* a, const Dense* b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    double most = 0.0;
    for (int k = 0; k < a->rows * a->columns; ++k) most = fmax(most, fabs(a->at[k] - b->at[k]));
    return most;
}

static void TestSparse(void** state) {
    (void)state;
    enum { Rows = 17, Middle = 11, Columns = 23, Entries = 60 };
    uint64_t seed = 3;
    wfError err = {0};
    for (int trial = 0; trial < 20; ++trial) {
        wfArena arena = {0};
        wfSparseEntry left[Entries], right[Entries];
        Dense a = MakeDense(Rows, Middle), b = MakeDense(Middle, Columns), ab = MakeDense(Rows, Columns), at = MakeDense(Middle, Rows);
        for (int k = 0; k < Entries; ++k) { // some of them twice
            left[k] = (wfSparseEntry){(int)(fabs(NextRandom(&seed)) * (Rows - 1)), (int)(fabs(NextRandom(&seed)) * (Middle - 1)),
                                      NextRandom(&seed)};
            right[k] = (wfSparseEntry){(int)(fabs(NextRandom(&seed)) * (Middle - 1)), (int)(fabs(NextRandom(&seed)) * (Columns - 1)),
                                       NextRandom(&seed)};
            a.at[left[k].row * Middle + left[k].column] += left[k].value;
            b.at[right[k].row * Columns + right[k].column] += right[k].value;
        }
        for (int i = 0; i < Rows; ++i)
            for (int m = 0; m < Middle; ++m) {
                at.at[m * Rows + i] = a.at[i * Middle + m];
                for (int j = 0; j < Columns; ++j) ab.at[i * Columns + j] += a.at[i * Middle + m] * b.at[m * Columns + j];
            }
        wfSparse sa, sb, sab, sat;
        CHECK_OK(wfSparse_Gather(&sa, &arena, Rows, Middle, left, Entries, &err), err);
        CHECK_OK(wfSparse_Gather(&sb, &arena, Middle, Columns, right, Entries, &err), err);
        CHECK_OK(wfSparse_Multiply(&sab, &arena, &sa, &sb, &err), err);
        CHECK_OK(wfSparse_Transpose(&sat, &arena, &sa, &err), err);
        Dense got[] = {Widen(&sa), Widen(&sb), Widen(&sab), Widen(&sat)}, *want[] = {&a, &b, &ab, &at};
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(Furthest(&got[k], want[k]), 0.0, 1e-14);
            free(got[k].at);
            free(want[k]->at);
        }
        wfArena_Free(&arena);
    }
}

static void MakeSheet(Patch* patch, int n) {
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch = 800.0f;
    fabric.stretch_warp = 1200.0f;
    fabric.stretch_weft = 500.0f;
    fabric.shear = 200.0f;
    fabric.bending = 0.0f;
    MakePatch(patch, 0.5f, 0.4f, n, wf_patternIrregular, &fabric);
}

/// Shares are shares: none is negative, all of an unknown are one, and there are far fewer columns than rows. Two cloths have no column in
/// common.
static void TestAggregates(void** state) {
    (void)state;
    wfError err = {0};
    wfArena arena = {0};
    Patch patch;
    MakeSheet(&patch, 20);
    const wfElasticDef def = {.membrane = wf_membraneFabric};
    wfSparse one, two, shares;
    CHECK_OK(wfFindBonds(&one, &arena, &patch.model, &def, &err), err);
    int n = one.rowCount, entries = one.start[n];
    wfSparseEntry* both = calloc(2 * (size_t)entries, sizeof *both);
    for (int i = 0; i < n; ++i)
        for (int k = one.start[i]; k < one.start[i + 1]; ++k)
            for (int copy = 0; copy < 2; ++copy)
                both[copy * entries + k] = (wfSparseEntry){i + copy * n, one.column[k] + copy * n, one.value[k]};
    CHECK_OK(wfSparse_Gather(&two, &arena, 2 * n, 2 * n, both, 2 * (size_t)entries, &err), err);
    CHECK_OK(wfSmoothAggregates(&shares, &arena, &two, &err), err);
    assert_int_equal(shares.rowCount, 2 * n);
    assert_in_range(shares.columnCount, 2, 2 * n / 4);
    int* seenBy = calloc((size_t)shares.columnCount, sizeof *seenBy);
    for (int i = 0; i < 2 * n; ++i) {
        double sum = 0.0;
        for (int k = shares.start[i]; k < shares.start[i + 1]; ++k) {
            assert_true(shares.value[k] >= 0.0);
            sum += shares.value[k];
            seenBy[shares.column[k]] |= 1 << (i / n);
        }
        CHECK_NEAR(sum, 1.0, 1e-12);
    }
    for (int c = 0; c < shares.columnCount; ++c) assert_true(seenBy[c] == 1 || seenBy[c] == 2);
    free(seenBy);
    free(both);
    wfArena_Free(&arena);
    FreePatch(&patch);
}

/// In no direction is the cloth stiffer than its bonds; along the cloth not much less stiff than they are.
static void TestBonds(void** state) {
    (void)state;
    static const wfMembraneModel models[] = {wf_membraneFabric, wf_membraneStVK, wf_membraneCorotational, wf_membraneSprings};
    uint64_t seed = 11;
    for (int m = 0; m < 4; ++m) {
        wfError err = {0};
        wfArena arena = {0};
        Patch patch;
        MakeSheet(&patch, 9);
        const wfElasticDef def = {.membrane = models[m], .bending = wf_bendingDihedral};
        wfSparse bonds;
        wfElastic elastic = {0};
        CHECK_OK(wfFindBonds(&bonds, &arena, &patch.model, &def, &err), err);
        CHECK_OK(wfElastic_Create(&elastic, &patch.model, &def, &err), err);
        int n = patch.model.vertexCount;
        wfVec3D *x = calloc((size_t)n, sizeof *x), *d = calloc((size_t)n, sizeof *d), *y = calloc((size_t)n, sizeof *y);
        for (int i = 0; i < n; ++i) x[i] = wfWiden(patch.model.start[i]);
        double most = 0.0;
        for (int trial = 0; trial < 60; ++trial) {
            double coarse = 6.0 * fabs(NextRandom(&seed));
            for (int i = 0; i < n; ++i) { // noise, and waves along the cloth
                wfVec3D wave = {sin(coarse * x[i].x), 0.0, cos(coarse * x[i].z)};
                d[i] = wfAddD(wfScaleD(RandomVector(&seed), trial % 2 == 0 ? 1.0 : 0.02), wave);
            }
            const double h = 1e-6;
            double energy[2];
            for (int side = 0; side < 2; ++side) {
                for (int i = 0; i < n; ++i) y[i] = wfAddD(x[i], wfScaleD(d[i], side == 0 ? h : -h));
                energy[side] = wfElastic_Energy(&elastic, y);
            }
            double second = (energy[0] + energy[1] - 2.0 * wfElastic_Energy(&elastic, x)) / (h * h), bound = 0.0;
            for (int i = 0; i < n; ++i)
                for (int k = bonds.start[i]; k < bonds.start[i + 1]; ++k) bound += bonds.value[k] * wfDotD(d[i], d[bonds.column[k]]);
            assert_true(second <= bound * (1.0 + 1e-4));
            most = fmax(most, second / bound);
        }
        print_message("model %d: up to %.2f of the bonds\n", models[m], most);
        assert_true(most > 0.2);
        free(x);
        free(d);
        free(y);
        wfElastic_Free(&elastic);
        wfArena_Free(&arena);
        FreePatch(&patch);
    }
}

// ---- the whole of it ------------------------------------------------------------------------------------------------------------

/// What a ladder is to do, on the host: from the same aggregates, rung by rung, with nothing but loops. way += of all rungs from r and w of
/// a mesh, in steps that are the inverse of `scale` bounds. How many rungs there are.
static int Climb(const wfSparse* springs, int depth, double scale, const wfVec3D* r, const double* w, const double* answer, wfVec3D* way,
                 wfArena* arena) {
    wfError err = {0};
    wfSparse parents, children, half, next;
    if (springs->rowCount <= 6 || depth == wf_mostRungs) return depth;
    CHECK_OK(wfSmoothAggregates(&parents, arena, springs, &err), err);
    if (2 * parents.columnCount > springs->rowCount) return depth;
    CHECK_OK(wfSparse_Transpose(&children, arena, &parents, &err), err);
    CHECK_OK(wfSparse_Multiply(&half, arena, springs, &parents, &err), err);
    CHECK_OK(wfSparse_Multiply(&next, arena, &children, &half, &err), err);
    int n = parents.columnCount;
    wfVec3D *coarse = calloc((size_t)n, sizeof *coarse), *ways = calloc((size_t)n, sizeof *ways);
    double* weights = calloc((size_t)n, sizeof *weights);
    for (int i = 0; i < n; ++i) {
        double bound = 0.0;
        for (int k = children.start[i]; k < children.start[i + 1]; ++k) {
            int child = children.column[k];
            bool moves = w[child] >= 0.0;
            if (moves) coarse[i] = wfAddD(coarse[i], wfScaleD(r[child], children.value[k]));
            weights[i] += children.value[k] * (moves ? w[child] : answer[child]);
        }
        for (int k = next.start[i]; k < next.start[i + 1]; ++k) bound += fabs(next.value[k]);
        ways[i] = wfScaleD(coarse[i], 1.0 / (weights[i] + scale * bound));
    }
    int rungs = Climb(&next, depth + 1, scale, coarse, weights, NULL, ways, arena);
    for (int i = 0; i < springs->rowCount; ++i)
        for (int k = parents.start[i]; k < parents.start[i + 1]; ++k)
            if (w[i] >= 0.0) way[i] = wfAddD(way[i], wfScaleD(ways[parents.column[k]], parents.value[k]));
    free(coarse);
    free(ways);
    free(weights);
    return rungs;
}

typedef struct Rig {
    Patch patch;
    wfDevice* device;
    wfLadder ladder;
    wfSparse bonds;
    wfArena arena;
    wfBuffer x, out, bound, control, omegas;
    float* hostBound;
    int n;
} Rig;

static void MakeRig(Rig* rig, int side) {
    wfError err = {0};
    const wfElasticDef def = {.membrane = wf_membraneFabric};
    *rig = (Rig){.device = OpenCpu(2),
                 .x = wfMakeBuffer(sizeof(wfVec4), "x"),
                 .out = wfMakeBuffer(sizeof(wfVec4), "out"),
                 .bound = wfMakeBuffer(sizeof(float), "bound"),
                 .control = wfMakeBuffer(sizeof(wfDescentControl), "control"),
                 .omegas = wfMakeBuffer(sizeof(float), "omegas")};
    MakeSheet(&rig->patch, side);
    int n = rig->n = rig->patch.model.vertexCount;
    CHECK_OK(wfFindBonds(&rig->bonds, &rig->arena, &rig->patch.model, &def, &err), err);
    CHECK_OK(wfLadder_Create(&rig->ladder, rig->device, &rig->patch.model, &def, &err), err);
    size_t padded = ((size_t)n + 31) / 32 * 32; // whole warps, as the tables have it
    rig->hostBound = calloc(padded, sizeof(float));
    for (int i = 0; i < n; ++i)
        for (int k = rig->bonds.start[i]; k < rig->bonds.start[i + 1]; ++k) rig->hostBound[i] += (float)fabs(rig->bonds.value[k]);
    wfVec4* zero = calloc((size_t)n, sizeof *zero);
    wfUpload(rig->device, &rig->bound, rig->hostBound, padded);
    wfUpload(rig->device, &rig->x, zero, (size_t)n);
    wfUpload(rig->device, &rig->out, zero, (size_t)n);
    wfUpload(rig->device, &rig->control, &(wfDescentControl){.scale = 1.0f}, 1);
    wfUpload(rig->device, &rig->omegas, &(float){1.0f}, 1);
    free(zero);
}

static void FreeRig(Rig* rig) {
    wfBuffer* buffers[] = {&rig->x, &rig->out, &rig->bound, &rig->control, &rig->omegas};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(rig->device, buffers[k]);
    wfLadder_Free(&rig->ladder, rig->device);
    wfDestroyDevice(rig->device);
    wfArena_Free(&rig->arena);
    FreePatch(&rig->patch);
    free(rig->hostBound);
}

/// out: the way that the ladder gives for residuals and weights, and for what each vertex does by itself.
static void ApplyTo(Rig* rig, const wfVec4* residual, const wfVec4* own, wfVec4* out) {
    wfError err = {0};
    wfUpload(rig->device, &rig->ladder.residual, residual, (size_t)rig->n);
    wfUpload(rig->device, &rig->ladder.own, own, (size_t)rig->n);
    DescendArgs args = {.x = wfData(&rig->x, wfVec4),
                        .out = wfData(&rig->out, wfVec4),
                        .residual = wfData(&rig->ladder.residual, wfVec4),
                        .own = wfData(&rig->ladder.own, wfVec4),
                        .bound = wfData(&rig->bound, float),
                        .control = wfData(&rig->control, wfDescentControl),
                        .omegas = wfData(&rig->omegas, float),
                        .omegaCount = 1,
                        .count = rig->n};
    wfLadder_Step(&rig->ladder, rig->device, &args);
    CHECK_OK(wfDownload(rig->device, out, &rig->out, 0, (size_t)rig->n, &err), err);
}

/// The same where each goes as far as its bound lets it.
static void Apply(Rig* rig, const wfVec4* residual, wfVec4* out) {
    wfVec4* own = calloc((size_t)rig->n, sizeof *own);
    for (int i = 0; i < rig->n; ++i)
        own[i] = wfMake4(wfScale(wfXyz(residual[i]), 1.0f / (fabsf(residual[i].w) + rig->hostBound[i])), residual[i].w);
    ApplyTo(rig, residual, own, out);
    free(own);
}

/// Against loops, with vertices that are held and others that only the mesh itself may move.
static int RequireStep(int side, double scale) {
    Rig rig;
    MakeRig(&rig, side);
    wfUpload(rig.device, &rig.control, &(wfDescentControl){.scale = (float)scale}, 1);
    size_t n = (size_t)rig.n;
    uint64_t seed = 5;
    wfVec4 *residual = calloc(n, sizeof *residual), *got = calloc(n, sizeof *got);
    wfVec3D *r = calloc(n, sizeof *r), *way = calloc(n, sizeof *way);
    double *w = calloc(n, sizeof *w), *answer = calloc(n, sizeof *answer), most = 0.0;
    for (size_t i = 0; i < n; ++i) {
        wfVec3D random = RandomVector(&seed);
        bool held = i % 17 == 0, touched = i % 5 == 1;
        float weight = held ? -INFINITY : touched ? -0.3f : 0.3f;
        residual[i] = wfMake4(held ? wfMake3(0.0f, 0.0f, 0.0f) : wfMake3((float)random.x, (float)random.y, (float)random.z), weight);
        r[i] = wfWiden(wfXyz(residual[i]));
        w[i] = weight;
        answer[i] = rig.hostBound[i];
        way[i] = held ? (wfVec3D){0.0, 0.0, 0.0} : wfScaleD(r[i], 1.0 / (0.3f + answer[i]));
    }
    int rungs = Climb(&rig.bonds, 0, scale, r, w, answer, way, &rig.arena);
    assert_int_equal(rig.ladder.count, rungs);
    Apply(&rig, residual, got);
    for (size_t i = 0; i < n; ++i) {
        most = fmax(most, wfLengthD(way[i]));
        if (i % 17 == 0) assert_true(got[i].x == 0.0f && got[i].y == 0.0f && got[i].z == 0.0f);
    }
    for (size_t i = 0; i < n; ++i) CHECK_NEAR(wfLengthD(wfSubD(way[i], wfWiden(wfXyz(got[i])))), 0.0, 1e-5 * most);
    free(residual);
    free(got);
    free(r);
    free(way);
    free(w);
    free(answer);
    FreeRig(&rig);
    return rungs;
}

/// Shares are multiplied out over as many rungs as there are.
static void TestStep(void** state) {
    (void)state;
    static const int sides[] = {4, 12, 24, 64};
    int seen = 0;
    for (int k = 0; k < (WF_SLOW_BUILD ? 3 : 4); ++k) seen |= 1 << RequireStep(sides[k], 1.0);
    assert_int_equal(seen & 0xe, 0xe); // one, two, three
    RequireStep(24, 0.8);
}

/// Steps must not be so long that descent diverges, whatever the mesh: the largest eigenvalue of the preconditioned bonds, by power
/// iteration, is below 2; and errors that reach far shrink in one plain step by much more than with Jacobi's preconditioner.
static void TestEigenvalues(void** state) {
    (void)state;
    for (int side = 12; side <= (WF_SLOW_BUILD ? 24 : 96); side *= 2) {
        Rig rig;
        MakeRig(&rig, side);
        size_t n = (size_t)rig.n;
        uint64_t seed = 7;
        wfVec4 *residual = calloc(n, sizeof *residual), *way = calloc(n, sizeof *way);
        double *x = calloc(n, sizeof *x), largest = 0.0, least = 0.0, alone = 0.0;
        const double weight = 1e-5 * (double)rig.hostBound[0]; // less is lost in single precision
        for (size_t i = 0; i < n; ++i) x[i] = NextRandom(&seed);
        for (int k = 0; k <= 60; ++k) { // at last on the longest wave
            double length = 0.0;
            for (size_t i = 0; i < n && k == 60; ++i) x[i] = cos(3.14159265 * ((double)rig.patch.model.start[i].x / 0.5 + 0.5));
            for (size_t i = 0; i < n; ++i) length += x[i] * x[i];
            double dot = 0.0, jacobi = 0.0;
            for (size_t i = 0; i < n; ++i) { x[i] /= sqrt(length); }
            for (size_t i = 0; i < n; ++i) {
                double sum = weight * x[i];
                for (int m = rig.bonds.start[i]; m < rig.bonds.start[i + 1]; ++m) sum += rig.bonds.value[m] * x[rig.bonds.column[m]];
                residual[i] = wfMake4(wfMake3((float)sum, 0.0f, 0.0f), (float)weight);
                jacobi += x[i] * sum / (weight + rig.hostBound[i]);
            }
            Apply(&rig, residual, way);
            for (size_t i = 0; i < n; ++i) dot += x[i] * (double)way[i].x;
            if (k == 60) {
                least = dot;
                alone = jacobi;
            } else {
                largest = dot;
                for (size_t i = 0; i < n; ++i) x[i] = (double)way[i].x;
            }
        }
        print_message("%d x: %d rungs, largest eigenvalue %.3f, of the longest wave %.2e, without rungs %.2e\n", side, rig.ladder.count,
                      largest, least, alone);
        assert_true(largest < 1.9);
        assert_true(least > 0.05);
        free(residual);
        free(way);
        free(x);
        FreeRig(&rig);
    }
}

/// The largest eigenvalue where every `every`th vertex stands on something with a spring of `stiffness`, its bound, of which coarser
/// unknowns count `share` times as much. By power iteration.
static double LargestWithTerms(Rig* rig, int every, double stiffness, double share) {
    const double weight = 1e-4 * (double)rig->hostBound[rig->n / 2];
    const float scale = 0.8f; // that steps begin with
    size_t n = (size_t)rig->n;
    uint64_t seed = 11;
    wfVec4 *residual = calloc(n, sizeof *residual), *own = calloc(n, sizeof *own), *way = calloc(n, sizeof *way);
    double *x = calloc(n, sizeof *x), largest = 0.0;
    for (size_t i = 0; i < n; ++i) x[i] = NextRandom(&seed);
    for (int k = 0; k < 100; ++k) {
        double length = 0.0;
        for (size_t i = 0; i < n; ++i) length += x[i] * x[i];
        for (size_t i = 0; i < n; ++i) x[i] /= sqrt(length);
        for (size_t i = 0; i < n; ++i) {
            double term = i % (size_t)every == 0 ? stiffness : 0.0, sum = (weight + term) * x[i];
            for (int m = rig->bonds.start[i]; m < rig->bonds.start[i + 1]; ++m) sum += rig->bonds.value[m] * x[rig->bonds.column[m]];
            double alone = sum / (weight + term + (double)(scale * rig->hostBound[i]));
            residual[i] = wfMake4(wfMake3((float)sum, 0.0f, 0.0f), (float)(weight + share * term));
            own[i] = wfMake4(wfMake3((float)alone, 0.0f, 0.0f), residual[i].w);
        }
        wfUpload(rig->device, &rig->control, &(wfDescentControl){.scale = scale}, 1);
        ApplyTo(rig, residual, own, way);
        largest = 0.0;
        for (size_t i = 0; i < n; ++i) largest += x[i] * (double)way[i].x;
        for (size_t i = 0; i < n; ++i) x[i] = (double)way[i].x;
    }
    free(residual);
    free(own);
    free(way);
    free(x);
    return largest;
}

/// Every resolution answers all of a contact: their steps add up, and where coarser ones counted it once they would be too long.
static void TestTerms(void** state) {
    (void)state;
    Rig rig;
    MakeRig(&rig, WF_SLOW_BUILD ? 24 : 64);
    double most = 0.0, counted = 0.0;
    for (int every = 1; every <= 81; every *= 3)
        for (double times = 0.25; times <= 64.0; times *= 4.0) {
            double stiffness = times * (double)rig.hostBound[rig.n / 2];
            counted = fmax(counted, LargestWithTerms(&rig, every, stiffness, 1.0));
            most = fmax(most, LargestWithTerms(&rig, every, stiffness, (double)wf_descentTermShare));
        }
    print_message("largest eigenvalue with contacts %.3f, counted once %.3f\n", most, counted);
    assert_true(most < 2.0);
    FreeRig(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSparse), cmocka_unit_test(TestAggregates),  cmocka_unit_test(TestBonds),
        cmocka_unit_test(TestStep),   cmocka_unit_test(TestEigenvalues), cmocka_unit_test(TestTerms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
