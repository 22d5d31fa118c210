// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/intersect.h"
#include "exact_judge.h"
#include "io/mesh_file.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Which triangles of the tangled meshes under WEFT_DATA meet: what the search finds against every pair of triangles, one by one, judged in
// rational numbers. Pairs whose boxes are apart along an axis need no judge; nothing else is left out.

enum { mostTriangles = 10000 }; // of a mesh, so that all pairs can be looked at

static int s_failures;

static wfVec3 Place(const wfMesh* m, int triangle, int corner) { return m->positions[m->triangles[triangle].v[corner]]; }

static bool ApartAlongAxis(const wfMesh* m, int a, int b) {
    for (int c = 0; c < 3; ++c) {
        float lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int k = 0; k < 6; ++k) {
            wfVec3 p = Place(m, k < 3 ? a : b, k % 3);
            float x = c == 0 ? p.x : c == 1 ? p.y : p.z;
            if (x < lo[k / 3]) lo[k / 3] = x;
            if (x > hi[k / 3]) hi[k / 3] = x;
        }
        if (hi[0] < lo[1] || hi[1] < lo[0]) return true;
    }
    return false;
}

/// Whether the two meet, and how many vertices they share.
static bool JudgePair(Judge* judge, const wfMesh* m, int a, int b, int* shared) {
    wfVec3 x[2][3];
    int rest[2] = {2, 2};
    *shared = 0;
    for (int i = 0; i < 3; ++i) {
        bool mine = false, other = false; // whether corner i of one is one of the other's
        for (int j = 0; j < 3; ++j) {
            if (m->triangles[a].v[i] == m->triangles[b].v[j]) mine = true;
            if (m->triangles[b].v[i] == m->triangles[a].v[j]) other = true;
        }
        if (mine) x[0][*shared] = x[1][*shared] = Place(m, a, i), ++*shared;
        if (!mine) x[0][rest[0]--] = Place(m, a, i);
        if (!other) x[1][rest[1]--] = Place(m, b, i);
    }
    return *shared < 3 && Judge_Meet(judge, x[0], x[1], *shared);
}

static void Compare(const char* name, const wfMesh* m) {
    wfArena arena = {0};
    wfError err = {0};
    wfIntersections found;
    if (!wfFindIntersections(m->positions, m->triangles, m->triangleCount, NULL, INT32_MAX, &arena, &found, &err)) {
        printf("%s: %s\n", name, err.text);
        ++s_failures;
        return;
    }
    Judge judge;
    Judge_Init(&judge);
    int64_t count = 0, bySharing[3] = {0, 0, 0};
    bool same = true;
    for (int a = 0; a < m->triangleCount; ++a) {
        for (int b = a + 1; b < m->triangleCount; ++b) {
            int shared;
            if (ApartAlongAxis(m, a, b) || !JudgePair(&judge, m, a, b, &shared)) continue;
            ++bySharing[shared];
            same = same && count < found.count && found.pairs[count].a == a && found.pairs[count].b == b;
            if (!same) printf("%s: triangles %d and %d meet, which was not found\n", name, a, b);
            ++count;
            if (!same) break;
        }
        if (!same) break;
    }
    if (same && count != found.count) printf("%s: found %" PRId64 " pairs, expected %" PRId64 "\n", name, found.count, count);
    if (!same || count != found.count) ++s_failures;
    printf("| %s | %d | %" PRId64 " | %" PRId64 " / %" PRId64 " / %" PRId64 " |\n", name, m->triangleCount, count, bySharing[0],
           bySharing[1], bySharing[2]);
    Judge_Clear(&judge);
    wfArena_Free(&arena);
}

static bool Read(wfMesh* mesh, const char* path) {
    wfError err = {0};
    wfMeshView view;
    if (wfReadMesh(mesh, path, &err)) {
        view = wfMesh_View(mesh);
        if (wfMesh_Check(&view, path, &err)) return true;
    }
    printf("%s\n", err.text);
    ++s_failures;
    return false;
}

int main(void) {
    const char* data = getenv("WEFT_DATA");
    if (data == NULL) {
        fprintf(stderr, "test_data_tangled: set WEFT_DATA to the data folder\n");
        return 2;
    }
    char pattern[1024];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/tangled/*/*.[ops][blt][jyl]", data); // obj, ply, stl
    if (glob(pattern, 0, NULL, &files) != 0) {
        fprintf(stderr, "test_data_tangled: no meshes under %s/tangled\n", data);
        return 2;
    }
    printf("| mesh | triangles | meeting pairs | sharing no vertex / one / an edge |\n|---|---|---|---|\n");
    int compared = 0;
    wfMesh cloth = {0}, obstacle = {0}; // two that are clean and cross each other
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        const char* path = files.gl_pathv[i];
        wfMesh mesh = {0};
        if (Read(&mesh, path) && mesh.triangleCount <= mostTriangles) {
            Compare(path + strlen(data) + strlen("/tangled/"), &mesh);
            ++compared;
            wfError err = {0};
            bool copied = true;
            if (strstr(path, "high_res_plane") != NULL) copied = wfMesh_Copy(&cloth, &mesh, &err);
            if (strstr(path, "sphere3") != NULL) copied = wfMesh_Copy(&obstacle, &mesh, &err);
            if (!copied) printf("%s\n", err.text), ++s_failures;
        }
        wfMesh_Free(&mesh);
    }
    globfree(&files);
    wfError err = {0};
    if (cloth.triangleCount > 0 && obstacle.triangleCount > 0 && wfMesh_Append(&cloth, &obstacle, &err)) {
        Compare("gia-sgi2024/high_res_plane.obj with sphere3.obj", &cloth);
        ++compared;
    } else {
        printf("high_res_plane.obj with sphere3.obj: %s\n", err.code == wf_ok ? "not there" : err.text);
        ++s_failures;
    }
    wfMesh_Free(&cloth);
    wfMesh_Free(&obstacle);
    printf("%d meshes compared, %d failures\n", compared, s_failures);
    return s_failures == 0 && compared > 1 ? 0 : 1;
}
