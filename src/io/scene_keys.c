// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_keys.h"

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))
#define FLOAT(def, name, value, lo, hi, unit, meaning) \
    { wf_paramFloat, #name, offsetof(def, name), {value, 0, 0}, "", lo, hi, unit, "", meaning }
#define INT(def, name, value, lo, hi, meaning) \
    { wf_paramInt, #name, offsetof(def, name), {value, 0, 0}, "", lo, hi, "", "", meaning }
#define VEC3(def, name, meaning) \
    { wf_paramVec3, #name, offsetof(def, name), {0, 0, 0}, "", -1e6, 1e6, "m", "", meaning }

static const wfParam s_cameraRows[] = {
    VEC3(wfCameraDef, eye, "where the camera stands"),
    VEC3(wfCameraDef, target, "what it looks at"),
    FLOAT(wfCameraDef, fov, 35, 1, 170, "degrees", "vertical field of view"),
};
static const wfParam s_copiesRows[] = {
    INT(wfCopies, count, 1, 1, 1000, "how many cloths; they are named after the cloth with a number behind, from 1"),
    VEC3(wfCopies, offset, "from each to the next"),
    INT(wfCopies, layer, 0, -1000, 1000, "added to `layer` from each to the next: 1 where each lies further out than the one before"),
};
static const wfParam s_boxRows[] = {
    VEC3(wfBox, min, "lowest corner, in the scene"),
    VEC3(wfBox, max, "highest corner, in the scene"),
};
static const wfParam s_sequenceRows[] = {
    INT(wfSequence, first, 0, 0, 100000000, "number of the first file of the pattern"),
    INT(wfSequence, count, 0, 0, 1000000, "number of files; 0 takes all that follow without a gap, or all of the folder"),
    FLOAT(wfSequence, rate, 0, 0, 100000, "1/s", "files per second, from time 0; 0 is the scene's frame_rate"),
};
static const wfParam s_transformRows[] = {VEC3(wfPlacement, translate, "moved by, after scale and rotate")};
static const wfParam s_motionRows[] = {
    FLOAT(wfMotionKey, time, 0, -1e6, 1e6, "s", "when; each key later than the one before"),
    VEC3(wfMotionKey, translate, "moved by, from where the object starts"),
};

static const wfParamTable s_camera = {"camera", s_cameraRows, COUNT(s_cameraRows)};
static const wfParamTable s_copies = {"copies", s_copiesRows, COUNT(s_copiesRows)};
static const wfParamTable s_box = {"box", s_boxRows, COUNT(s_boxRows)};
static const wfParamTable s_sequence = {"sequence", s_sequenceRows, COUNT(s_sequenceRows)};
static const wfParamTable s_transform = {"transform", s_transformRows, COUNT(s_transformRows)};
static const wfParamTable s_motion = {"motion", s_motionRows, COUNT(s_motionRows)};

static const wfSceneKey s_none[] = {{.name = NULL}};
static const wfSceneKey s_sceneKeys[] = {
    {"title", "text", "", "what `weft scenes` and pictures say"},
    {"parameters", "map of numbers", "",
     "the scene's own numbers; anywhere a number stands, `$name` and arithmetic with it may stand (`+ - * /` and "
     "parentheses); `--set name=value` changes one"},
    {"camera", "map", "framed automatically", "see `camera`"},
    {"fabrics", "map of maps", "", "the scene's own fabrics by name, see `fabric`"},
    {"cloths", "list of maps", "", "see `cloths[]`"},
    {"colliders", "list of maps", "", "see `colliders[]`"},
    {"seams", "list of maps", "", "see `seams[]`"},
    {"friction", "list of maps", "", "see `friction[]`"},
    {.name = NULL},
};
static const wfSceneKey s_fabricKeys[] = {
    {"base", "text", "", "a fabric of the scene (written before this one) or a built-in one, whose values hold where nothing else is said"},
    {.name = NULL},
};
static const wfSceneKey s_clothKeys[] = {
    {"mesh", "file", "", "mesh to read (.obj, .ply, .stl), relative to the scene file; either this or `generate`"},
    {"generate", "map", "", "mesh to make, see `generate`"},
    {"reference", "rest, flat", "rest",
     "the shape in which nothing is stretched: the mesh as it is placed, or its flat pattern (texture coordinates "
     "`vt` of an OBJ); a generated sheet knows its warp either way"},
    {"flat_scale", "number > 0 m", "1", "metres of cloth per unit of the flat pattern, before `transform`, which scales the pattern too"},
    {"transform", "map", "", "see `transform`"},
    {"fabric", "text or map", "", "name of a fabric, or a map, see `fabric`; without it the defaults of `fabric` hold"},
    {"thickness", "number", "the fabric's", "as in `fabric`, for this cloth"},
    {"friction", "number", "the fabric's", "as in `fabric`, for this cloth"},
    {"static_friction", "number", "the fabric's", "as in `fabric`, for this cloth"},
    {"copies", "map", "", "several of the same, see `copies`"},
    {"pins", "list of maps", "", "see `pins[]`"},
    {"stitches", "true, false or map", "true",
     "sews the two ends of every loose edge of the mesh (lines `l` of an OBJ) together, with the defaults of `seams[]` or with those of "
     "its "
     "keys that the map gives; false leaves loose edges alone"},
    {.name = NULL},
};
static const wfSceneKey s_transformKeys[] = {
    {"scale", "number or 3 numbers > 0", "1", "scaled about the origin; not for exact shapes, which have radius and size"},
    {"rotate", "map or 4 numbers", "", "turned about the origin, after scale; see `rotate`"},
    {.name = NULL},
};
static const wfSceneKey s_rotateKeys[] = {
    {"axis", "3 numbers", "", "axis to turn about, of any length but 0"},
    {"degrees", "number", "0", "angle by the right hand"},
    {"radians", "number", "0", "the same in radians; only one of both"},
    {.name = NULL},
};
static const wfSceneKey s_pinKeys[] = {
    {"vertices", "list of whole numbers", "", "vertex numbers, from 0"},
    {"corners", "text or list", "", "for each two or three sides joined by -, such as left-back: the vertex nearest to that corner"},
    {"sides", "text or list", "",
     "all vertices on left (-x), right (+x), bottom (-y), top (+y), back (-z) or front (+z) of the mesh before `transform`"},
    {"box", "map", "", "all vertices in a box, see `box`"},
    {"follow", "text", "", "name of a collider to move with, also one that changes its shape; see `attach`"},
    {"motion", "list of maps", "stays", "path of its own, see `motion[]`; not with `follow`"},
    {"center", "3 numbers m", "mean of the vertices", "what `motion` turns about"},
    {.name = NULL},
};
static const wfSceneKey s_seamKeys[] = {
    {"a", "map", "", "one side, see `side`"},
    {"b", "map", "", "the other side; both have a `path`, or both have `vertices`"},
    {.name = NULL},
};
static const wfSceneKey s_sideKeys[] = {
    {"cloth", "text", "", "name of a cloth; both sides may be of one"},
    {"path", "list", "",
     "a run along the cloth's boundary that goes through these vertices, from each to the next by the shorter way; a vertex is a number "
     "from 0 or a corner such as left-back. Equal shares of the lengths of both runs meet, so that the longer one is gathered; lengths "
     "are those of the reference shape. A run that ends where it begins is closed"},
    {"vertices", "list of whole numbers", "",
     "instead of `path`: vertices anywhere; the first meets the first of the other side, and so on"},
    {.name = NULL},
};
static const wfSceneKey s_frictionKeys[] = {
    {"between", "list of two names", "",
     "two surfaces, each a cloth or a collider, one of them a cloth; twice the same cloth is the cloth on itself. The name of a cloth with "
     "`copies` means all of them, with themselves and with each other"},
    {.name = NULL},
};
static const wfSceneKey s_colliderKeys[] = {
    {"mesh", "file", "", "mesh to read; makes the shape `mesh`"},
    {"generate", "map", "", "mesh to make, see `generate`; makes the shape `mesh`"},
    {"sequence", "map", "", "a mesh that changes, one file a frame, see `sequence`; makes the shape `mesh`"},
    {"transform", "map", "", "where it is, see `transform`"},
    {"motion", "list of maps", "rests", "how it moves, see `motion[]`; it turns about its own origin, where `transform` put it"},
    {.name = NULL},
};
static const wfSceneKey s_sequenceKeys[] = {
    {"pattern", "file with one %d", "", "such as body_%04d.obj, relative to the scene file"},
    {"folder", "folder", "", "instead of `pattern`: all meshes in a folder, in the order of their names"},
    {"generate", "map", "", "instead of both: a figure that walks, see `generate`"},
    {"poses", "list", "",
     "with `generate`: its poses, one behind the other. A list `[phase, amount, arms]` is a place in the walk cycle: two steps a unit of "
     "phase, amount 0 (stands) to 1 (strides out), arms outwards in degrees from how they are made (-25 hang; may be left out). A number "
     "is "
     "a stride alone: 1 has the leg on the side of +x forward, -1 the other"},
    {.name = NULL},
};
static const wfSceneKey s_motionKeys[] = {
    {"rotate", "map or 4 numbers", "",
     "turned by, from how the object starts, see `rotate`; several turns about one axis are given as they are (720)"},
    {.name = NULL},
};

const wfSceneSection wfSectionScene = {"scene", "The top level of the file.", &wfSceneParams, s_sceneKeys};
const wfSceneSection wfSectionCamera = {"camera", "Needs `eye` and `target`.", &s_camera, s_none};
const wfSceneSection wfSectionFabric = {"fabric", "What cloth is made of: under `fabrics` at the top with a name, or inside a cloth.",
                                        &wfFabricParams, s_fabricKeys};
const wfSceneSection wfSectionCloth = {"cloths[]", "A cloth needs a `mesh` or `generate`.", &wfClothParams, s_clothKeys};
const wfSceneSection wfSectionGenerate = {"generate", "A mesh that weft makes, about the origin.", &wfGenerateParams, s_none};
const wfSceneSection wfSectionTransform = {"transform", "First scaled, then turned, then moved.", &s_transform, s_transformKeys};
const wfSceneSection wfSectionRotate = {
    "rotate",
    "A map with these keys, or a quaternion as a list of 4 numbers x, y, z, w. Angles in degrees are the one exception to SI units.", NULL,
    s_rotateKeys};
const wfSceneSection wfSectionCopies = {"copies", "", &s_copies, s_none};
const wfSceneSection wfSectionPin = {"pins[]",
                                     "Holds all vertices that `vertices`, `corners`, `sides` and `box` name together; a pin that names "
                                     "none is an error. With `copies` it holds in each "
                                     "of them.",
                                     &wfPinParams, s_pinKeys};
const wfSceneSection wfSectionSeam = {"seams[]",
                                      "Draws two sides together by stitches, of the same cloth or of two; see "
                                      "[pins, attachments, seams](seams.md).",
                                      &wfSeamParams, s_seamKeys};
const wfSceneSection wfSectionStitches = {"stitches", "", &wfSeamParams, s_none}; // the keys of a seam without its sides
const wfSceneSection wfSectionSide = {"side", "What a seam joins.", NULL, s_sideKeys};
const wfSceneSection wfSectionFriction = {
    "friction[]",
    "The friction between two surfaces, in place of the geometric mean of what each says for itself. Needs `between` and `friction`; of "
    "several for the same two the last holds.",
    &wfFrictionParams, s_frictionKeys};
const wfSceneSection wfSectionBox = {"box", "", &s_box, s_none};
const wfSceneSection wfSectionCollider = {"colliders[]", "A body that moves as it is told.", &wfColliderParams, s_colliderKeys};
const wfSceneSection wfSectionSequence = {
    "sequence", "All files must have the same triangles. Needs one of `pattern`, `folder` and `generate`.", &s_sequence, s_sequenceKeys};
const wfSceneSection wfSectionKey = {"motion[]", "A placement at a time. Before the first key and after the last the object rests.",
                                     &s_motion, s_motionKeys};

const wfSceneSection* const wfSceneSections[] = {&wfSectionScene,
                                                 &wfSectionCamera,
                                                 &wfSectionCloth,
                                                 &wfSectionGenerate,
                                                 &wfSectionFabric,
                                                 &wfSectionCopies,
                                                 &wfSectionPin,
                                                 &wfSectionBox,
                                                 &wfSectionSeam,
                                                 &wfSectionSide,
                                                 &wfSectionFriction,
                                                 &wfSectionCollider,
                                                 &wfSectionSequence,
                                                 &wfSectionTransform,
                                                 &wfSectionRotate,
                                                 &wfSectionKey,
                                                 NULL};

int wfSceneSection_Names(const wfSceneSection* section, const char** names, int size) {
    int count = 0;
    for (int i = 0; section->table != NULL && i < section->table->count; ++i, ++count) {
        if (count < size) names[count] = section->table->rows[i].name;
    }
    for (const wfSceneKey* key = section->keys; key->name != NULL; ++key, ++count) {
        if (count < size) names[count] = key->name;
    }
    return count;
}
