// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the parts of the scene reader share: the reader's state, places in the tree, and reading of values with the right messages.

#include "io/expression.h"
#include "io/scene_file.h"
#include "io/scene_keys.h"
#include "io/yaml.h"

typedef struct wfOwnFabric {
    const char* name;
    wfFabric fabric;
} wfOwnFabric;

/// A cloth that was created, for what names its vertices later.
typedef struct wfReadCloth {
    struct wfReadCloth* next;
    wfClothId id;
    char name[wf_nameSize]; // as the file says it; copies share it
    const wfVec3* local;    // its vertices before its transform; NULL where the file has no seams
    int vertexCount;
} wfReadCloth;

typedef struct wfReader {
    const char* name; // of the file, as messages show it
    wfArena arena;    // everything that lives as long as the reading
    wfError* err;
    const wfMeshSource* meshes;
    wfScene* scene;
    wfSceneDef def;
    wfVariable* variables;
    int variableCount;
    wfOwnFabric* fabrics;
    int fabricCount;
    bool hasSeams;
    wfReadCloth* cloths; // the last first
} wfReader;

/// A node with the way to it, on the stack of the functions that went it: cloths[0].generate.n
typedef struct wfAt {
    const struct wfAt* up; // NULL at the top
    const wfYaml* node;
    const char* key; // in a map
    int index;       // in a list
} wfAt;

/// Fails at a place: "drape.yaml:14: cloths[0].thickness: …", or "--set n=3: …" where an override put the node there.
bool wfReader_Fail(wfReader* r, const wfAt* at, const char* format, ...) WF_PRINTF(3, 4);
/// Fails with an error of a lower layer, whose text already names what is wrong.
bool wfReader_Wrap(wfReader* r, const wfAt* at, const wfError* inner);
bool wfReader_FailKind(wfReader* r, const wfAt* at, const char* expected); // "…: expected a map, got a list"
/// "…: unknown collider "bal"; did you mean "ball"?", or how many of the kind there are.
bool wfReader_FailName(wfReader* r, const wfAt* at, const char* kind, const char* name, const char* const* names, int count);

/// Goes to a key of a map; false where it is not given.
bool wfReader_Open(const wfAt* up, const char* key, wfAt* out);

bool wfReader_IsMap(wfReader* r, const wfAt* at);
bool wfReader_IsList(wfReader* r, const wfAt* at);
/// Iterates a list: start with item NULL; false behind the last.
bool wfReader_NextItem(const wfAt* list, const wfYamlItem** item, wfAt* out);

/// A map with no keys but those of the section, whose rows are then set in `def` (which holds the defaults).
bool wfReader_Section(wfReader* r, const wfAt* at, const wfSceneSection* section, void* def);
bool wfReader_Row(wfReader* r, const wfAt* at, const wfParam* row, void* def);

bool wfReader_Number(wfReader* r, const wfAt* at, double lo, double hi, const char* expected, double* out);
bool wfReader_Numbers(wfReader* r, const wfAt* at, int count, const char* expected, double* out);
bool wfReader_Text(wfReader* r, const wfAt* at, const char* expected, const char** out);

// scene_set.c
bool wfReader_Override(wfReader* r, wfYaml** root, const char* setting);

// scene_motion.c
typedef struct wfTransform {
    wfVec3 scale;
    wfQuat rotate;
    wfVec3 translate;
} wfTransform;
bool wfReader_Transform(wfReader* r, const wfAt* parent, bool mayScale, wfTransform* out);
/// The keys of `motion`, moved by `start` (turned first by its rotation); none without `motion`. Memory from the reader's arena.
bool wfReader_Motion(wfReader* r, const wfAt* parent, wfInterpolation interpolation, const wfTransform* start, wfKey** keys, int* count);

// scene_mesh.c
/// Reads or makes the mesh that `mesh` or `generate` of `parent` name; `*given` is false where neither is. `out` must be {0}.
bool wfReader_Mesh(wfReader* r, const wfAt* parent, bool* given, bool* generated, wfMesh* out);
/// Reads `sequence`: the first mesh into `out`, all positions (malloc'ed, *count times vertexCount) into `frames`.
bool wfReader_Sequence(wfReader* r, const wfAt* at, const wfTransform* transform, wfMesh* out, float** frames, int* count, float* rate);

// scene_cloth.c, scene_collider.c
bool wfReader_Fabrics(wfReader* r, const wfAt* at);
bool wfReader_Cloth(wfReader* r, const wfAt* at);
bool wfReader_Collider(wfReader* r, const wfAt* at);

// scene_pin.c
/// A vertex number of a mesh.
bool wfReader_Vertex(wfReader* r, const wfAt* at, int vertexCount, int* out);
/// Whether a text is meant as a corner: it begins with a side and a dash.
bool wfIsCorner(const char* text);
/// "left-back": the vertex nearest to where these sides meet, measured along their axes; of several the first. lo, hi: bounds of `local`.
bool wfReader_Corner(wfReader* r, const wfAt* at, const char* text, const wfVec3* local, int vertexCount, wfVec3 lo, wfVec3 hi, int* out);
/// The pins of a cloth. `local` and `placed` are its vertices before and after its transform.
bool wfReader_Pins(wfReader* r, const wfAt* list, const wfVec3* local, const wfVec3* placed, int vertexCount, wfPinDef** pins, int* count);

// scene_seam.c
/// The seam that a cloth's loose edges are, from its key `stitches`; *wanted is false where it has none or wants none.
bool wfReader_Stitches(wfReader* r, const wfAt* cloth, const wfMesh* mesh, bool* wanted, wfSeamDef* out);
bool wfReader_Seam(wfReader* r, const wfAt* at);

// scene_friction.c
bool wfReader_Friction(wfReader* r, const wfAt* at);
