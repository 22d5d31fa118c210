// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "mesh/generate.h"

#include <stdlib.h>
#include <string.h>

// Edges of a sphere or capsule as a part of its radius: its mesh then keeps within 0.15 % of the radius, and a turn shows 100 of them.
#define EDGE_PER_RADIUS 0.06f

bool wfCollider_BuildMesh(wfCollider* collider, wfError* err) {
    const wfColliderDef* def = &collider->def;
    if (def->shape == wf_shapeMesh) return true;
    wfGenerateDef make = wfDefaultGenerateDef();
    make.radius = def->radius;
    make.size = def->size;
    make.edge = fmaxf(EDGE_PER_RADIUS * def->radius, 1e-5f);
    switch (def->shape) {
    case wf_shapePlane:
        make.shape = wf_makeSheet;
        make.n = make.m = 2;
        break;
    case wf_shapeBox:
        make.shape = wf_makeBox;
        make.edge = fminf(fmaxf(def->size.x, fmaxf(def->size.y, def->size.z)), 100.0f);
        break;
    case wf_shapeCapsule: // drawn out below
    case wf_shapeSphere:
    case wf_shapeMesh:
        make.shape = wf_makeSphere;
        break;
    }
    wfMesh mesh = {0};
    bool ok = wfGenerate(&mesh, &make, err);
    if (ok) {
        // A capsule is a sphere drawn out at its equator: long triangles along the side, nearly as exact as short ones, so that a long thin
        // one does not outweigh the cloth in files and in the intersection check.
        for (int v = 0; def->shape == wf_shapeCapsule && v < mesh.vertexCount; ++v) {
            mesh.positions[v].y += mesh.positions[v].y >= 0.0f ? 0.5f * def->size.y : -0.5f * def->size.y;
        }
        size_t positions = (size_t)mesh.vertexCount * sizeof(wfVec3), triangles = (size_t)mesh.triangleCount * sizeof(wfTriangle);
        collider->positions = malloc(positions);
        collider->triangles = malloc(triangles);
        ok = collider->positions != NULL && collider->triangles != NULL;
        if (ok) {
            memcpy(collider->positions, mesh.positions, positions);
            memcpy(collider->triangles, mesh.triangles, triangles);
            collider->vertexCount = mesh.vertexCount;
            collider->triangleCount = mesh.triangleCount;
        } else {
            wfFail(err, wf_outOfMemory, "out of memory for the mesh of collider \"%s\"", def->name);
        }
    }
    wfMesh_Free(&mesh);
    return ok;
}
