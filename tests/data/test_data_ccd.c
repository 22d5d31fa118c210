// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "ccd_judge.h"
#include "base/file.h"
#include "io/mesh_file.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Runs every query under WEFT_DATA/ccd-* whose truth is known by both methods and prints, a set and a method, what was missed (none may
// be), what was hit without need, and the time a query. The coordinates are rationals that must be doubles exactly; where all of a file are
// floats too, the queries also go in as floats and must give the same.

typedef struct Set {
    wfCcdQuery* queries;
    bool* truth;
    int count, capacity;
    bool floats; // all coordinates are
} Set;

static int s_failures, s_queries, s_needless[2], s_false;

static void Complain(const char* path, const char* what) {
    printf("%s: %s\n", path, what);
    ++s_failures;
}

static wfCcdQuery* AddQuery(Set* set, bool truth) {
    if (set->count == set->capacity) {
        set->capacity = 2 * set->capacity + 1024;
        set->queries = realloc(set->queries, (size_t)set->capacity * sizeof *set->queries);
        set->truth = realloc(set->truth, (size_t)set->capacity * sizeof *set->truth);
        if (set->queries == NULL || set->truth == NULL) abort();
    }
    set->truth[set->count] = truth;
    return &set->queries[set->count++];
}

/// A whole number of any length as a double; fails where it is not one exactly.
static bool ReadWhole(const char** at, double* out) {
    char* end;
    char digits[400], again[400];
    *out = strtod(*at, &end);
    size_t length = (size_t)(end - *at);
    if (length == 0 || length >= sizeof digits) return false;
    memcpy(digits, *at, length);
    digits[length] = 0;
    snprintf(again, sizeof again, "%.0f", *out);
    *at = end;
    return strcmp(digits, again) == 0 || (*out == 0.0 && strcmp(digits, "-0") == 0);
}

/// xn,xd,yn,yd,zn,zd,truth. A quotient by a power of two is exact, in the range there is here.
static bool ReadRow(const char* line, double x[3], int* truth) {
    for (int c = 0; c < 3; ++c) {
        double n, d;
        int exponent;
        if (!ReadWhole(&line, &n) || *line++ != ',' || !ReadWhole(&line, &d) || *line++ != ',') return false;
        if (!(d > 0.0) || frexp(d, &exponent) != 0.5) return false;
        x[c] = n / d;
        if (x[c] * d != n) return false;
    }
    *truth = line[0] - '0';
    return (*truth == 0 || *truth == 1) && (line[1] == '\n' || line[1] == '\r');
}

static bool ReadCsv(Set* set, const char* path, int kind) {
    char command[1200], line[1024];
    snprintf(command, sizeof command, "zcat '%s'", path);
    FILE* stream = popen(command, "r");
    if (stream == NULL) return false;
    wfCcdQuery q = {.kind = kind};
    int row = 0, truth[8];
    bool ok = true;
    set->floats = true;
    while (ok && fgets(line, sizeof line, stream) != NULL) {
        double x[3];
        ok = ReadRow(line, x, &truth[row]) && truth[row] == truth[0];
        if (!ok) break;
        for (int c = 0; c < 3; ++c) set->floats = set->floats && (double)(float)x[c] == x[c];
        (row < 4 ? q.start : q.end - 4)[row] = wfMake3D(x[0], x[1], x[2]);
        row = (row + 1) % 8;
        if (row == 0) *AddQuery(set, truth[0]) = q;
    }
    return pclose(stream) == 0 && ok && row == 0;
}

static double RunAll(const Set* set, bool byInclusion, double separation, double* times) {
    clock_t start = clock(); // of this process alone: the machine may be busy
    for (int i = 0; i < set->count; ++i)
        times[i] = byInclusion ? wfCcd_FirstTimeByInclusion(&set->queries[i], separation) : wfCcd_FirstTime(&set->queries[i], separation);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void Judge(const Set* set, const char* name) {
    int hits = 0;
    for (int i = 0; i < set->count; ++i) hits += set->truth[i];
    double* times = malloc(2 * (size_t)set->count * sizeof *times);
    if (times == NULL) abort();
    printf("%-42s %s %6d %6d", name, set->queries[0].kind == wf_ccdEdgeEdge ? "EE" : "PT", set->count, hits);
    for (int method = 0; method < 2; ++method) {
        double* own = times + method * set->count;
        double best = INFINITY, widest = 0.0;
        for (int repeat = 0; repeat < 3; ++repeat) best = fmin(best, RunAll(set, method == 1, 0.0, own));
        int missed = 0, needless = 0, lost = 0;
        for (int i = 0; i < set->count; ++i) {
            const wfCcdQuery* q = &set->queries[i];
            missed += set->truth[i] && !(own[i] <= 1.0);
            if (!set->truth[i] && own[i] <= 1.0) {
                needless += 1;
                widest = fmax(widest, (double)DistanceAt(q, own[i]));
            }
            // A separation only ever makes it earlier.
            double wider = method == 1 ? wfCcd_FirstTimeByInclusion(q, 1e-9) : wfCcd_FirstTime(q, 1e-9);
            lost += set->truth[i] && !(wider <= 1.0);
        }
        printf(" | %6d %6d %6.2f%% %8.1e %7.0f", missed + lost, needless, 100.0 * needless / fmax(1.0, set->count - hits), widest,
               1e9 * best / set->count);
        s_needless[method] += needless;
        if (missed + lost > 0) {
            ++s_failures;
            printf(" MISSED");
        }
    }
    for (int i = 0; set->floats && i < set->count; ++i) {
        wfVec3 start[4], end[4];
        for (int k = 0; k < 4; ++k) {
            start[k] = wfNarrow(set->queries[i].start[k]);
            end[k] = wfNarrow(set->queries[i].end[k]);
        }
        wfCcdQuery q = wfCcd_MakeQuery(set->queries[i].kind, start, end);
        if (wfCcd_FirstTime(&q, 0.0) != times[i]) Complain(name, "floats give another time than the same numbers as doubles");
    }
    printf("%s\n", set->floats ? " | float" : " | double");
    s_queries += set->count;
    s_false += set->count - hits;
    free(times);
}

static void FreeSet(Set* set) {
    free(set->queries);
    free(set->truth);
    *set = (Set){0};
}

/// Each row of the README's table: | file | kind | queries | true | false | …
static void JudgeTable(const char* data, const char* folder) {
    char path[1024];
    size_t size;
    wfError err = {0};
    snprintf(path, sizeof path, "%s/%s/README.md", data, folder);
    char* text = wfReadFile(path, &size, &err);
    if (text == NULL) {
        Complain(path, err.text);
        return;
    }
    int files = 0;
    for (char *line = text, *next; line != NULL; line = next) {
        char file[512], kind[8], what[128];
        int queries, hits;
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        if (sscanf(line, "| %511s | %7s | %d | %d |", file, kind, &queries, &hits) != 4 || strstr(file, ".csv.gz") == NULL) continue;
        ++files;
        Set set = {0};
        snprintf(path, sizeof path, "%s/%s/%s", data, folder, file);
        if (!ReadCsv(&set, path, strcmp(kind, "EE") == 0 ? wf_ccdEdgeEdge : wf_ccdPointTriangle)) {
            Complain(path, "cannot be read, or holds a number that is no double");
        } else {
            int found = 0;
            for (int i = 0; i < set.count; ++i) found += set.truth[i];
            if (set.count != queries || found != hits) {
                snprintf(what, sizeof what, "%d queries, %d true; the README says %d and %d", set.count, found, queries, hits);
                Complain(path, what);
            }
            const char* slash = strrchr(file, '/');
            snprintf(what, sizeof what, "%.*s %s", (int)strcspn(file, "/"), file, slash != NULL ? slash + 1 : "");
            Judge(&set, what);
        }
        FreeSet(&set);
    }
    if (files == 0) Complain(path, "no table row with queries");
    free(text);
}

static bool ReadPacked(const char* path, const char* ending, char* unpacked, size_t size) {
    char command[1400];
    snprintf(unpacked, size, "test_data_ccd.tmp%s", ending);
    snprintf(command, sizeof command, "zcat '%s' > %s", path, unpacked);
    return system(command) == 0;
}

static bool ReadPackedMesh(wfMesh* mesh, const char* path) {
    char unpacked[64];
    wfError err = {0};
    bool ok = ReadPacked(path, ".ply", unpacked, sizeof unpacked) && wfReadMesh(mesh, unpacked, &err);
    remove(unpacked);
    if (!ok) Complain(path, err.text);
    return ok;
}

static char* ReadPackedText(const char* path) {
    char unpacked[64];
    size_t size;
    wfError err = {0};
    char* text = ReadPacked(path, ".json", unpacked, sizeof unpacked) ? wfReadFile(unpacked, &size, &err) : NULL;
    remove(unpacked);
    if (text == NULL) Complain(path, err.text);
    return text;
}

/// The pairs of vertex and face between two frames: ids are vertex, then edge, then face; truths in the same order.
static void JudgeFrames(const char* data) {
    char path[1024];
    const char* folder = "ccd-simulation/cloth-ball";
    wfMesh frames[2] = {0};
    wfTopology topology = {0};
    wfError err = {0};
    Set set = {.floats = true};
    bool ok = true;
    for (int k = 0; k < 2; ++k) {
        snprintf(path, sizeof path, "%s/%s/cloth_ball%d.ply.gz", data, folder, 92 + k);
        ok = ReadPackedMesh(&frames[k], path) && ok;
    }
    snprintf(path, sizeof path, "%s/%s/92vf_boxes.json.gz", data, folder);
    char* pairs = ReadPackedText(path);
    snprintf(path, sizeof path, "%s/%s/92vf_mma_bool.json.gz", data, folder);
    char* truths = ReadPackedText(path);
    const wfMesh* m = &frames[0];
    ok = ok && pairs != NULL && truths != NULL && m->vertexCount == frames[1].vertexCount &&
         wfTopology_Create(&topology, m->triangles, m->triangleCount, m->vertexCount, &err);
    const char *at = pairs, *truth = truths;
    while (ok && at[strcspn(at, "0123456789")] != 0) {
        char* end;
        long vertex = strtol(at + strcspn(at, "0123456789"), &end, 10);
        long face = strtol(end + strcspn(end, "0123456789"), &end, 10) - m->vertexCount - topology.edgeCount;
        truth += strcspn(truth, "tf");
        at = end;
        ok = vertex >= 0 && vertex < m->vertexCount && face >= 0 && face < m->triangleCount && *truth != 0;
        if (!ok) break;
        const int* corner = m->triangles[face].v;
        wfVec3 start[4], end3[4];
        for (int k = 0; k < 4; ++k) {
            int v = k == 0 ? (int)vertex : corner[k - 1];
            start[k] = frames[0].positions[v];
            end3[k] = frames[1].positions[v];
        }
        *AddQuery(&set, *truth == 't') = wfCcd_MakeQuery(wf_ccdPointTriangle, start, end3);
        truth += strncmp(truth, "true", 4) == 0 ? 4 : 5;
    }
    int hits = 0;
    for (int i = 0; i < set.count; ++i) hits += set.truth[i];
    if (!ok || set.count != 19034 || hits != 19032)
        Complain(folder, ok ? "not the 19034 pairs of the README, 19032 of them true" : "the pairs cannot be read");
    else
        Judge(&set, "cloth-ball 92 to 93");
    wfTopology_Free(&topology);
    for (int k = 0; k < 2; ++k) wfMesh_Free(&frames[k]);
    free(pairs);
    free(truths);
    FreeSet(&set);
}

int main(void) {
    const char* data = getenv("WEFT_DATA");
    if (data == NULL) {
        fprintf(stderr, "test_data_ccd: set WEFT_DATA to the data folder\n");
        return 2;
    }
    printf("FN: true collisions missed, also with a separation of 1e-9; FP: hits where there is none (of the false queries; for published "
           "methods\n"
           "a few in a million to a few in a hundred, depending on the set); gap: the widest distance at the time of such a hit.\n"
           "%-42s %2s %6s %6s | cubic: FN   FP              gap  ns/qry | inclusion: FN FP          gap  ns/qry | input\n",
           "set", "", "query", "true");
    JudgeTable(data, "ccd-handcrafted");
    JudgeTable(data, "ccd-simulation");
    JudgeFrames(data);
    printf("%d queries, %d of them false: hit without need by cubic %d, by inclusion %d; %d failures\n", s_queries, s_false, s_needless[0],
           s_needless[1], s_failures);
    return s_failures == 0 ? 0 : 1;
}
