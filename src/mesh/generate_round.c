// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/revolve.h"

#define PI 3.14159265358979323846

static bool Finish(wfMeshBuilder* builder, bool ok, wfMesh* out, wfError* err) {
    ok = ok && wfBuilder_Finish(builder, out, false, err);
    wfBuilder_Free(builder);
    return ok;
}

// ---- sphere -------------------------------------------------------------------------------------------------------------------

// An icosahedron with each side cut into `f` parts, blown up. Points on a common edge are weighted sums of the same two corners and a
// zero, which have the same bits in any order: welding finds them.
static bool AddSphere(wfMeshBuilder* builder, double radius, int f, wfError* err) {
    static const int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const double corner[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    WF_TRY(wfBuilder_Reserve(builder, 10.0 * (f + 1.0) * (f + 2.0), 20.0 * f * f, err));
    for (int t = 0; t < 20; ++t) {
        const double *a = corner[faces[t][0]], *b = corner[faces[t][1]], *c = corner[faces[t][2]];
        for (int row = 0; row <= f; ++row) // from a down to the side bc
            for (int i = 0; i <= row; ++i) {
                double p[3], length = 0.0;
                for (int k = 0; k < 3; ++k) {
                    p[k] = (f - row) * a[k] + (row - i) * b[k] + i * c[k];
                    length += p[k] * p[k];
                }
                double s = radius / sqrt(length);
                int v = wfBuilder_AddVertex(builder, s * p[0], s * p[1], s * p[2]);
                if (i < row) wfBuilder_AddTriangle(builder, v, v + 1, v - row);
                if (i < row && row < f) wfBuilder_AddTriangle(builder, v, v + row + 2, v + 1);
            }
    }
    return wfBuilder_Weld(builder, err);
}

bool wfMakeSphere(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfMeshBuilder builder = {0};
    // 1.2 radius / f is the side of 20 f^2 equilateral triangles of the sphere's area; f = 2 is the first that looks round.
    int f = wfPartsOf(1.2 * (double)def->radius, def->edge);
    return Finish(&builder, AddSphere(&builder, def->radius, f < 2 ? 2 : f, err), out, err);
}

// ---- one profile --------------------------------------------------------------------------------------------------------------

static wfProfilePart Line(double r0, double y0, double r1, double y1) { return (wfProfilePart){r0, y0, r1, y1, .isArc = false}; }

// A quarter circle about (0, y): from the lower pole to the side, or from the side to the upper pole.
static wfProfilePart LowerQuarter(double y, double radius) {
    return (wfProfilePart){0, y - radius, radius, y, true, 0, y, radius, -0.5 * PI, 0};
}
static wfProfilePart UpperQuarter(double y, double radius) {
    return (wfProfilePart){radius, y, 0, y + radius, true, 0, y, radius, 0, 0.5 * PI};
}

static bool AddCapsule(wfMeshBuilder* builder, double radius, double length, double edge, wfError* err) {
    double y = 0.5 * length;
    const wfProfilePart parts[3] = {LowerQuarter(-y, radius), Line(radius, -y, radius, y), UpperQuarter(y, radius)};
    return wfRevolve(builder, parts, 3, false, fmin(edge, wfRoundEdge(radius)), err);
}

static bool AddCylinder(wfMeshBuilder* builder, double radius, double length, double edge, wfError* err) {
    double y = 0.5 * length;
    const wfProfilePart parts[3] = {Line(0, -y, radius, -y), Line(radius, -y, radius, y), Line(radius, y, 0, y)};
    return wfRevolve(builder, parts, 3, false, fmin(edge, wfRoundEdge(radius)), err);
}

bool wfMakeCapsule(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfMeshBuilder builder = {0};
    return Finish(&builder, AddCapsule(&builder, def->radius, def->length, def->edge, err), out, err);
}

bool wfMakeCylinder(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfMeshBuilder builder = {0};
    return Finish(&builder, AddCylinder(&builder, def->radius, def->length, def->edge, err), out, err);
}

bool wfMakeCone(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfMeshBuilder builder = {0};
    double r = def->radius, y = 0.5 * (double)def->length;
    const wfProfilePart parts[2] = {Line(0, -y, r, -y), Line(r, -y, 0, y)};
    return Finish(&builder, wfRevolve(&builder, parts, 2, false, fmin(def->edge, wfRoundEdge(r)), err), out, err);
}

// A wall of even thickness: a cone over a neck, the inside as the parameters say, the outside `thickness` away from it.
bool wfMakeFunnel(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double r = def->radius, neck = def->radius2, y = 0.5 * (double)def->length, t = def->thickness;
    if (neck > r) return wfFail(err, wf_badInput, "funnel: radius2: expected a neck of at most radius %g m, got %g", r, neck);
    double bend = -y + def->length / 3.0, slope = (r - neck) / (y - bend);
    double wide = t * sqrt(1.0 + slope * slope);                       // the cone's wall, measured along r
    double outerBend = slope > 0.0 ? bend - (wide - t) / slope : bend; // where the outer sides of cone and neck meet
    if (outerBend <= -y) return wfFail(err, wf_badInput, "funnel: thickness: expected a wall that fits below the cone, got %g m", t);
    const wfProfilePart parts[6] = {Line(neck + t, -y, neck + t, outerBend),
                                    Line(neck + t, outerBend, r + wide, y),
                                    Line(r + wide, y, r, y),
                                    Line(r, y, neck, bend),
                                    Line(neck, bend, neck, -y),
                                    Line(neck, -y, neck + t, -y)};
    wfMeshBuilder builder = {0};
    return Finish(&builder, wfRevolve(&builder, parts, 6, true, fmin(def->edge, wfRoundEdge(neck)), err), out, err);
}

bool wfMakeTorus(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double r = def->radius, tube = def->radius2;
    if (tube >= r) return wfFail(err, wf_badInput, "torus: radius2: expected a tube thinner than radius %g m, got %g", r, tube);
    const wfProfilePart circle = {r, -tube, r, -tube, true, r, 0, tube, -0.5 * PI, 1.5 * PI};
    wfMeshBuilder builder = {0};
    return Finish(&builder, wfRevolve(&builder, &circle, 1, true, fmin(def->edge, wfRoundEdge(tube)), err), out, err);
}

bool wfMakeRoundTable(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double r = def->radius, foot = def->radius2, y = 0.5 * (double)def->size.y, under = y - def->thickness;
    if (foot >= r) return wfFail(err, wf_badInput, "round-table: radius2: expected a foot thinner than radius %g m, got %g", r, foot);
    if (under <= -y)
        return wfFail(err, wf_badInput, "round-table: thickness: expected a top thinner than size y %g m, got %g", 2.0 * y,
                      (double)def->thickness);
    const wfProfilePart parts[5] = {Line(0, -y, foot, -y), Line(foot, -y, foot, under), Line(foot, under, r, under), Line(r, under, r, y),
                                    Line(r, y, 0, y)};
    wfMeshBuilder builder = {0};
    return Finish(&builder, wfRevolve(&builder, parts, 5, false, fmin(def->edge, wfRoundEdge(foot)), err), out, err);
}

// ---- several pieces -----------------------------------------------------------------------------------------------------------

static void PlaceLeg(const wfGenerateDef* def, int i, double* x, double* z) {
    static const double corners[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    double a = 0.5 * (double)def->size.x - def->radius2, b = 0.5 * (double)def->size.z - def->radius2, angle = 2.0 * PI * i / def->count;
    bool square = def->count == 4;
    *x = a * (square ? corners[i][0] : cos(angle));
    *z = b * (square ? corners[i][1] : -sin(angle));
}

static bool CheckLegs(const wfGenerateDef* def, wfError* err) {
    double least = 2.0 * (double)def->radius2, x, z, x2, z2;
    bool fit = least <= def->size.x && least <= def->size.z;
    for (int i = 0; i < def->count && fit; ++i) {
        PlaceLeg(def, i, &x, &z);
        for (int j = 0; j < i && fit; ++j) {
            PlaceLeg(def, j, &x2, &z2);
            fit = hypot(x - x2, z - z2) > least;
        }
    }
    if (fit) return true;
    return wfFail(err, wf_badInput, "table-legs: radius2: expected %d legs that fit apart into size %g x %g m, got %g", def->count,
                  (double)def->size.x, (double)def->size.z, (double)def->radius2);
}

bool wfMakeTableLegs(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    WF_TRY(CheckLegs(def, err));
    wfMeshBuilder builder = {0};
    bool ok = true;
    for (int i = 0; i < def->count && ok; ++i) {
        int first = builder.vertexCount;
        double x, z;
        PlaceLeg(def, i, &x, &z);
        ok = AddCylinder(&builder, def->radius2, def->size.y, def->edge, err);
        for (int v = first; v < builder.vertexCount; ++v) {
            wfVec3* p = (wfVec3*)builder.positions + v;
            *p = wfMake3((float)(x + p->x), p->y, (float)(z + p->z));
        }
    }
    return Finish(&builder, ok, out, err);
}

bool wfMakeRods(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double r = def->radius2, across = (double)def->size.x - 2.0 * r, length = (double)def->size.z - 2.0 * r;
    double pitch = def->count > 1 ? across / (def->count - 1) : 0.0;
    if (across < 0.0 || length < 0.0 || (def->count > 1 && pitch <= 2.0 * r))
        return wfFail(err, wf_badInput, "rods: radius2: expected %d rods that fit apart into size %g x %g m, got %g", def->count,
                      (double)def->size.x, (double)def->size.z, r);
    wfMeshBuilder builder = {0};
    bool ok = true;
    for (int i = 0; i < def->count && ok; ++i) {
        int first = builder.vertexCount;
        double x = pitch * (i - 0.5 * (def->count - 1));
        ok = AddCapsule(&builder, r, length, def->edge, err);
        for (int v = first; v < builder.vertexCount; ++v) { // its axis turned from y to z
            wfVec3* p = (wfVec3*)builder.positions + v;
            *p = wfMake3((float)(x + p->x), -p->z, p->y);
        }
    }
    return Finish(&builder, ok, out, err);
}
