// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/model.h"

#include "base/assert.h"

const wfClothRange* wfModel_FindCloth(const wfModel* model, int vertex, int* local) {
    WF_ASSERT(0 <= vertex && vertex < model->vertexCount);
    const wfClothRange* cloth = &model->cloths[model->clothOf[vertex]];
    *local = vertex - cloth->firstVertex;
    return cloth;
}
