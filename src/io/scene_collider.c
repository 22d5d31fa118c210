// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "scene/scene.h"

#include <stdlib.h>

// Placement: a mesh is scaled and turned as it is read, an exact shape by its keys; where `transform` moves it is added to the keys of
// both. So every collider turns about its own origin, wherever it was put.
static bool ReadCollider(wfReader* r, const wfAt* at, wfMesh* mesh, float** frames) {
    wfColliderDef def = wfDefaultColliderDef();
    wfTransform transform, start;
    bool given, generated;
    wfAt part, shape;
    WF_TRY(wfReader_Section(r, at, &wfSectionCollider, &def));
    bool hasSequence = wfReader_Open(at, "sequence", &part);
    bool hasMesh = hasSequence || wfYaml_Find(at->node, "mesh") != NULL || wfYaml_Find(at->node, "generate") != NULL;
    if (wfReader_Open(at, "shape", &shape)) {
        if (hasMesh && def.shape != wf_shapeMesh) return wfReader_Fail(r, &shape, "expected mesh, since the collider has a mesh");
        if (!hasMesh && def.shape == wf_shapeMesh) {
            return wfReader_Fail(r, at, "expected one of the keys \"mesh\", \"generate\" and \"sequence\" for the shape mesh");
        }
    }
    if (hasMesh) def.shape = wf_shapeMesh;

    WF_TRY(wfReader_Transform(r, at, hasMesh, &transform));
    WF_TRY(wfReader_Mesh(r, at, &given, &generated, mesh));
    if (given && hasSequence) return wfReader_Fail(r, &part, "expected one of \"mesh\", \"generate\" and \"sequence\", got two");
    start = transform;
    if (hasSequence) {
        WF_TRY(wfReader_Sequence(r, &part, &transform, mesh, frames, &def.sequenceCount, &def.sequenceRate));
        def.sequence = *frames;
    } else if (given) {
        wfMesh_Transform(mesh, transform.scale, transform.rotate, wfMake3(0, 0, 0));
    }
    if (hasMesh) {
        start.rotate = wfQuatIdentity();
        def.mesh = wfMesh_View(mesh);
        def.mesh.flat = NULL;
    }
    wfKey* keys;
    WF_TRY(wfReader_Motion(r, at, def.interpolation, &start, &keys, &def.keyCount));
    wfKey placed = {.time = 0.0f, .translate = start.translate, .rotate = start.rotate};
    if (def.keyCount == 0) {
        keys = &placed;
        def.keyCount = 1;
    }
    def.keys = keys;
    wfError inner = {0};
    wfColliderId id = wfCreateCollider(r->scene, &def, &inner);
    if (WF_ID_IS_NULL(id)) return wfReader_Wrap(r, at, &inner);
    wfScene_SetColliderLine(r->scene, id, at->node->line);
    return true;
}

bool wfReader_Collider(wfReader* r, const wfAt* at) {
    wfMesh mesh = {0};
    float* frames = NULL;
    bool ok = ReadCollider(r, at, &mesh, &frames);
    free(frames);
    wfMesh_Free(&mesh);
    return ok;
}
