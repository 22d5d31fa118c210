// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "mesh/mesh.h"

#include <string.h>

// ---- loose edges --------------------------------------------------------------------------------------------------------------

bool wfReader_Stitches(wfReader* r, const wfAt* cloth, const wfMesh* mesh, bool* wanted, wfSeamDef* out) {
    wfAt at;
    *out = wfDefaultSeamDef();
    *wanted = mesh->stitchCount > 0;
    if (wfReader_Open(cloth, "stitches", &at)) {
        bool isText = at.node->kind == wf_yamlText;
        if (isText && strcmp(at.node->text, "false") == 0) {
            *wanted = false;
        } else if (at.node->kind == wf_yamlMap) {
            WF_TRY(wfReader_Section(r, &at, &wfSectionStitches, out));
        } else if (!isText || strcmp(at.node->text, "true") != 0) {
            return wfReader_FailKind(r, &at, "true, false or a map");
        }
        if (mesh->stitchCount == 0) return wfReader_Fail(r, &at, "the mesh has no loose edges (lines l of an OBJ)");
    }
    if (!*wanted) return true;
    int* ends[2];
    for (int k = 0; k < 2; ++k) {
        ends[k] = wfArena_New(&r->arena, int, mesh->stitchCount, "stitches", r->err);
        if (ends[k] == NULL) return false;
        for (int i = 0; i < mesh->stitchCount; ++i) ends[k][i] = mesh->stitches[i][k];
    }
    out->match = wf_matchVertices;
    out->a = (wfSeamSide){.vertices = ends[0], .vertexCount = mesh->stitchCount};
    out->b = (wfSeamSide){.vertices = ends[1], .vertexCount = mesh->stitchCount};
    return true;
}

// ---- seams --------------------------------------------------------------------------------------------------------------------

static bool FindCloth(wfReader* r, const wfAt* at, const wfReadCloth** out) {
    enum { maxNames = 64 };
    const char *names[maxNames], *name;
    int count = 0;
    if (!wfReader_Text(r, at, "the name of a cloth", &name)) return false;
    for (const wfReadCloth* cloth = r->cloths; cloth != NULL; cloth = cloth->next) {
        const char* other = wfCloth_GetName(r->scene, cloth->id);
        if (strcmp(other, name) == 0) {
            *out = cloth;
            return true;
        }
        if (count < maxNames) names[count++] = other;
    }
    return wfReader_FailName(r, at, "cloth", name, names, count);
}

static bool ReadPlaces(wfReader* r, const wfAt* list, const wfReadCloth* cloth, bool corners, wfSeamSide* out) {
    wfAt at = {0};
    const wfYamlItem* item = NULL;
    if (!wfReader_IsList(r, list)) return false;
    if (list->node->count == 0) return wfReader_FailKind(r, list, corners ? "at least two vertices" : "at least one vertex");
    int* vertices = wfArena_New(&r->arena, int, list->node->count, "seams", r->err);
    if (vertices == NULL) return false;
    wfVec3 lo, hi;
    wfMesh_Bounds(cloth->local, cloth->vertexCount, &lo, &hi);
    while (wfReader_NextItem(list, &item, &at)) {
        int* to = &vertices[at.index];
        if (corners && at.node->kind == wf_yamlText && wfIsCorner(at.node->text)) {
            WF_TRY(wfReader_Corner(r, &at, at.node->text, cloth->local, cloth->vertexCount, lo, hi, to));
        } else {
            WF_TRY(wfReader_Vertex(r, &at, cloth->vertexCount, to));
        }
    }
    *out = (wfSeamSide){cloth->id, vertices, list->node->count};
    return true;
}

static bool ReadSide(wfReader* r, const wfAt* seam, const char* key, wfSeamMatch* match, wfSeamSide* out) {
    wfAt at, part, path, vertices;
    const wfReadCloth* cloth = NULL;
    if (!wfReader_Open(seam, key, &at)) return wfReader_Fail(r, seam, "expected the keys \"a\" and \"b\"");
    WF_TRY(wfReader_Section(r, &at, &wfSectionSide, NULL));
    if (!wfReader_Open(&at, "cloth", &part)) return wfReader_Fail(r, &at, "expected the key \"cloth\"");
    WF_TRY(FindCloth(r, &part, &cloth));
    bool hasPath = wfReader_Open(&at, "path", &path), hasVertices = wfReader_Open(&at, "vertices", &vertices);
    if (hasPath == hasVertices) return wfReader_Fail(r, &at, "expected one of the keys \"path\" and \"vertices\"");
    *match = hasPath ? wf_matchLengths : wf_matchVertices;
    return ReadPlaces(r, hasPath ? &path : &vertices, cloth, hasPath, out);
}

bool wfReader_Seam(wfReader* r, const wfAt* at) {
    wfSeamDef def = wfDefaultSeamDef();
    wfSeamMatch other = wf_matchLengths;
    wfError inner = {0};
    WF_TRY(wfReader_Section(r, at, &wfSectionSeam, &def));
    WF_TRY(ReadSide(r, at, "a", &def.match, &def.a));
    WF_TRY(ReadSide(r, at, "b", &other, &def.b));
    if (other != def.match) return wfReader_Fail(r, at, "expected \"path\" on both sides or \"vertices\" on both");
    wfSeamId id = wfCreateSeam(r->scene, &def, &inner);
    return !WF_ID_IS_NULL(id) || wfReader_Wrap(r, at, &inner);
}
