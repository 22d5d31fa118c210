// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/intersect.h"
#include "mesh/generate.h"
#include "mesh/panel.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

// Each garment, what it is made of, and the vertices it has at the edges of its scene.
typedef struct Case {
    wfGenerator shape;
    const char* name;
    int count, panels, seams;
    double edge, vertices; // of the scene
    double stretch;        // most that an edge differs from its flat length at the start
    float arms;            // how the wearer holds them [degrees]: sleeves lie about them
    double thread;         // mean length of its stitches at most, in parts of the wearer's height: what lies about the body is almost sewn
    bool finer;            // looked at with shorter edges too, which takes long for many panels
} Case;

static const Case s_cases[] = {
    {wf_makeDress, "dress", 4, 2, 4, 0.525 / 120, 55e3, 0.004, 0.0f, 0.165, true},
    {wf_makeGown, "gown", 4, 4, 8, 0.525 / 105, 139e3, 0.004, 25.0f, 0.11, false},
    {wf_makeShirt, "shirt", 5, 9, 18, 0.525 / 102, 56e3, 0.02, 25.0f, 0.10, false},
    {wf_makeLayeredDress, "layered-dress", 4, 10, 26, 0.525 / 110, 297e3, 0.004, 25.0f, 0.19, false},
    {wf_makeSkirt, "skirt", 4, 4, 6, 0.0, 0.0, 0.004, 0.0f, 0.10, false},
    {wf_makeTie, "tie", 4, 1, 0, 0.1155 / 62, 49e3, 0.35, 0.0f, 0.0, true},
};
enum { CaseCount = sizeof s_cases / sizeof s_cases[0] };

static const float s_height = 1.75f;

static wfMesh Make(const Case* c, double edge) {
    wfError err = {0};
    wfMesh mesh = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = c->shape;
    def.size.y = s_height;
    def.edge = (float)edge;
    def.count = c->count;
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    return mesh;
}

static double FlatLength(const wfFlatTriangle* f, int k) {
    wfVec2 a = f->corner[k], b = f->corner[(k + 1) % 3];
    return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static double FlatArea(const wfMesh* mesh) {
    double area = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const wfVec2* p = mesh->flat[t].corner;
        double twice = ((double)p[1].x - p[0].x) * ((double)p[2].y - p[0].y) - ((double)p[2].x - p[0].x) * ((double)p[1].y - p[0].y);
        assert_true(twice > 0.0); // counter-clockwise in the flat shape
        area += 0.5 * twice;
    }
    return area;
}

static void CheckClean(const Case* c, const wfMesh* garment, const wfMesh* figure) {
    wfError err = {0};
    wfArena arena = {0};
    wfIntersections meeting;
    wfMesh both = {0};
    CHECK_OK(wfMesh_Copy(&both, garment, &err), err);
    CHECK_OK(wfMesh_Append(&both, figure, &err), err);
    wfPoseFigure(figure, s_height, (wfFigurePose){.arms = c->arms}, both.positions + garment->vertexCount);
    CHECK_OK(wfFindIntersections(both.positions, both.triangles, both.triangleCount, NULL, 0, &arena, &meeting, &err), err);
    assert_int_equal(meeting.count, 0);
    wfArena_Free(&arena);
    wfMesh_Free(&both);
}

// Discs of even triangles that are laid about the body without being stretched.
static void CheckPanels(const Case* c, const wfMesh* mesh, const wfTopology* topology, double edge) {
    wfError err = {0};
    CHECK_OK(wfTopology_RequireManifold(topology, c->name, &err), err);
    assert_int_equal(topology->componentCount, c->panels);
    assert_int_equal(mesh->vertexCount - topology->edgeCount + mesh->triangleCount, c->panels); // no holes
    double shortest = INFINITY, longest = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            const int* v = mesh->triangles[t].v;
            double flat = FlatLength(&mesh->flat[t], k), length = wfDistance(mesh->positions[v[k]], mesh->positions[v[(k + 1) % 3]]);
            shortest = fmin(shortest, flat);
            longest = fmax(longest, flat);
            CHECK_NEAR(length / flat, 1.0, c->stretch);
        }
    if (shortest < 0.65 * longest || shortest < 0.7 * edge || longest > 1.4 * edge) {
        fail_msg("%s: edges from %g to %g of what was asked for, ratio %g", c->name, shortest / edge, longest / edge, shortest / longest);
    }
}

static bool AreNeighbours(const wfTopology* topology, int a, int b) {
    for (int k = topology->ring1.start[a]; k < topology->ring1.start[a + 1]; ++k) {
        if (topology->ring1.item[k] == b) return true;
    }
    return false;
}

static int Root(int* parent, int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static bool AreNear(const wfTopology* topology, int a, int b) {
    bool near = AreNeighbours(topology, a, b);
    for (int k = topology->ring1.start[a]; k < topology->ring1.start[a + 1]; ++k)
        near = near || AreNeighbours(topology, topology->ring1.item[k], b);
    return near;
}

// Stitches join rims, go along both of them, vertex by vertex on one side and without leaving out more than one on the other (gathers),
// join none twice, and make one piece of all panels.
static void CheckStitches(const Case* c, const wfMesh* mesh, const wfTopology* topology) {
    bool* rim = calloc((size_t)mesh->vertexCount, sizeof *rim);
    int* parent = malloc((size_t)mesh->vertexCount * sizeof *parent);
    for (int v = 0; v < mesh->vertexCount; ++v) parent[v] = v;
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        parent[Root(parent, edge->v[0])] = Root(parent, edge->v[1]);
        if (edge->triangle[1] < 0) rim[edge->v[0]] = rim[edge->v[1]] = true;
    }
    int runs = mesh->stitchCount > 0;
    double threads = 0.0;
    for (int s = 0; s < mesh->stitchCount; ++s) {
        const int* now = mesh->stitches[s];
        threads += wfDistance(mesh->positions[now[0]], mesh->positions[now[1]]) / s_height;
        assert_true(now[0] != now[1] && (rim[now[0]] || rim[now[1]])); // a rim may be sewn to a line inside
        for (int r = 0; r < s; ++r) assert_false(mesh->stitches[r][0] == now[0] && mesh->stitches[r][1] == now[1]);
        parent[Root(parent, now[0])] = Root(parent, now[1]);
        if (s == 0) continue;
        const int* last = mesh->stitches[s - 1];
        bool goesOn = false;
        for (int k = 0; k < 2; ++k)
            goesOn = goesOn || (AreNeighbours(topology, now[k], last[k]) &&
                                (now[1 - k] == last[1 - k] || AreNear(topology, now[1 - k], last[1 - k])));
        runs += !goesOn;
    }
    int pieces = 0;
    for (int v = 0; v < mesh->vertexCount; ++v) pieces += Root(parent, v) == v;
    assert_int_equal(pieces, 1);
    if (runs > c->seams || 2 * runs < c->seams) fail_msg("%s: %d runs of stitches, expected about %d", c->name, runs, c->seams);
    if (threads > c->thread * mesh->stitchCount) fail_msg("%s: threads of %g heights", c->name, threads / mesh->stitchCount);
    free(parent);
    free(rim);
}

// Where sheets are sewn together at one place there must be room for their second rows about it: for the corners of two seams that cross,
// not for those of many layers.
static void CheckPlaces(const Case* c, const wfMesh* mesh) {
    const int most = 4;
    int* parent = malloc((size_t)mesh->vertexCount * sizeof *parent);
    int* count = calloc((size_t)mesh->vertexCount, sizeof *count);
    for (int v = 0; v < mesh->vertexCount; ++v) parent[v] = v;
    for (int s = 0; s < mesh->stitchCount; ++s) parent[Root(parent, mesh->stitches[s][0])] = Root(parent, mesh->stitches[s][1]);
    for (int v = 0; v < mesh->vertexCount; ++v)
        if (++count[Root(parent, v)] > most) fail_msg("%s: more than %d vertices come to one place", c->name, most);
    free(count);
    free(parent);
}

// Vertices by area and rim: a vertex has the area of two triangles, one on the rim half of that. Coarse meshes have up to 8 % fewer, fine
// ones 1 %, so this also gives the number at the edges of the scene, where making the mesh takes too long for a test.
static void CheckCount(const Case* c, const wfMesh* mesh, const wfTopology* topology, double edge) {
    double area = FlatArea(mesh), rim = topology->boundaryEdgeCount * edge;
    for (int i = 0; i < (c->vertices > 0.0 ? 2 : 1); ++i) {
        double length = i == 0 ? edge : c->edge, expected = i == 0 ? mesh->vertexCount : c->vertices;
        double vertices = area / (0.866 * length * length) + 0.5 * rim / length + c->panels;
        if (fabs(vertices / expected - 1.0) > (i == 0 ? 0.08 : 0.05)) {
            fail_msg("%s at %g m: %g vertices, expected %g", c->name, length, vertices, expected);
        }
    }
}

static void TestGarments(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh figure = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeFigure;
    def.size.y = s_height;
    CHECK_OK(wfGenerate(&figure, &def, &err), err);
    for (int k = 0; k < CaseCount; ++k) {
        const Case* c = &s_cases[k];
        double edges[2] = {0.035, 0.027};
        for (int i = 0; i < (c->finer ? 2 : 1); ++i) {
            double edge = c->shape == wf_makeTie ? 0.25 * edges[i] : edges[i];
            wfMesh mesh = Make(c, edge);
            wfTopology topology;
            CHECK_OK(wfTopology_Create(&topology, mesh.triangles, mesh.triangleCount, mesh.vertexCount, &err), err);
            CheckClean(c, &mesh, &figure);
            CheckPanels(c, &mesh, &topology, edge);
            CheckStitches(c, &mesh, &topology);
            CheckPlaces(c, &mesh);
            CheckCount(c, &mesh, &topology, edge);
            wfTopology_Free(&topology);
            wfMesh_Free(&mesh);
        }
    }
    wfMesh_Free(&figure);
}

// Panels that are sewn together keep their vertices in step at any size, and what is too coarse for a collar is made finer.
static void TestSizes(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeDress;
    def.size.y = 0.2f;
    def.edge = 100.0f;
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    assert_in_range(mesh.vertexCount, 500, 2000); // an edge is at most a fiftieth of the height
    wfMesh_Free(&mesh);
    def.shape = wf_makeShirt;
    def.count = 6;
    CHECK_FAILS(wfGenerate(&mesh, &def, &err), err, "shirt: count: expected at most 5 layers, got 6");
    def.shape = wf_makeLayeredDress;
    def.count = 9;
    CHECK_FAILS(wfGenerate(&mesh, &def, &err), err, "layered-dress: count: expected at most 8 layers, got 9");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestGarments), cmocka_unit_test(TestSizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
