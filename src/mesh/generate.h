// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Meshes that weft makes itself, with edges near the length that is asked for. The bounding box of the exact shape lies about the origin,
// y up; round shapes stand along y. Solids are closed, manifold and point outwards; round ones have their vertices on the exact surface.
// Sheet and disc lie in the plane y = 0, face up (+y), and carry their flat shape: flat = (x, -z) in metres, x along the warp. The minus
// makes triangles counter-clockwise in the flat shape too, as wfReferenceShape lays them, so nothing is mirrored.
// A robe is open at neck and hem, and its flat shape is each triangle as it is, with the warp around the body.
// Garments (dress, gown, shirt, layered-dress, skirt, tie) lie about a figure of the same size.y at the same place without touching it;
// they are flat panels with the warp along their length, and bring the stitches that sew them (mesh->stitches). See docs/garments.md.
// Vertex j n + i of a sheet is the i-th along x of row j along z, both from their low ends; the outer ring of a disc comes first.
// One Def serves all shapes, so that scene files, the command line and tests name the same parameters (weft/params/generate.inl).

#include "mesh/mesh.h"

#define WF_FLOAT(name, value, lo, hi, unit, meaning)  float name;
#define WF_INT(name, value, lo, hi, meaning)          int name;
#define WF_BOOL(name, value, meaning)                 bool name;
#define WF_VEC3(name, x, y, z, lo, hi, unit, meaning) wfVec3 name;
#define WF_ENUM(name, type, value, names, meaning)    type name;
typedef enum wfGenerator {
    wf_makeSheet,
    wf_makeDisc,
    wf_makeSphere,
    wf_makeBox,
    wf_makeCapsule,
    wf_makeCylinder,
    wf_makeCone,
    wf_makeFunnel,
    wf_makeTorus,
    wf_makeRoundTable,
    wf_makeTableLegs,
    wf_makeSpikes,
    wf_makeStairs,
    wf_makeRods,
    wf_makeFigure,
    wf_makeRobe,
    wf_makeDress,
    wf_makeGown,
    wf_makeShirt,
    wf_makeLayeredDress,
    wf_makeSkirt,
    wf_makeTie,
    wf_makeCow,
    wf_generatorCount
} wfGenerator;
typedef enum wfSheetPattern { wf_patternRegular, wf_patternAlternating, wf_patternIrregular } wfSheetPattern;
typedef struct wfGenerateDef {
#include "weft/params/generate.inl"
} wfGenerateDef;
#undef WF_FLOAT
#undef WF_INT
#undef WF_BOOL
#undef WF_VEC3
#undef WF_ENUM

wfGenerateDef wfDefaultGenerateDef(void);

/// Makes the shape. Fails (wf_badInput) on parameters that are out of range or do not fit together, naming them. `out` must be {0}, and is
/// {0} again after a failure.
bool wfGenerate(wfMesh* out, const wfGenerateDef* def, wfError* err);

/// How a figure stands. 0 throughout is as it was made, with its arms 35 degrees out.
typedef struct wfFigurePose {
    float stride; // -1 .. 1: 1 has the leg on the side of +x forward and its arm back, -1 the other way round
    float lift;   // -1 .. 1: 1 has the leg on the side of +x bent at the knee, as it swings forward, -1 the other
    float arms;   // [degrees] outwards from how they were made; -25 lets them hang
} wfFigurePose;

/// A place in the walk cycle: two steps a unit of phase, the first with the leg on the side of +x; `amount` 0 stands, 1 strides out.
wfFigurePose wfWalkingPose(float phase, float amount, float arms);

/// A figure of that height in a pose, with its lower foot on the ground. out holds its vertexCount, and may be its positions.
void wfPoseFigure(const wfMesh* figure, float height, wfFigurePose pose, wfVec3* out);
