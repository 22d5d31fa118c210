// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include <string.h>

// What a name of a pair means: a cloth or a collider by its name, or all copies of a cloth by the name that the file gives them.

typedef struct Surfaces {
    wfFrictionSide* sides;
    int count;
} Surfaces;

static bool FindSurfaces(wfReader* r, const wfAt* at, Surfaces* out) {
    enum { maxNames = 64 };
    const char *names[maxNames], *name;
    int nameCount = 0, clothCount = wfScene_GetClothCount(r->scene), colliderCount = wfScene_GetColliderCount(r->scene);
    if (!wfReader_Text(r, at, "the name of a cloth or a collider", &name)) return false;
    out->count = 0;
    out->sides = wfArena_New(&r->arena, wfFrictionSide, clothCount + 1, "friction pairs", r->err);
    if (out->sides == NULL) return false;
    for (int i = 0; i < colliderCount; ++i) {
        wfColliderId id = wfScene_GetCollider(r->scene, i);
        const char* other = wfCollider_GetName(r->scene, id);
        if (strcmp(other, name) == 0) {
            out->sides[out->count++] = (wfFrictionSide){.collider = id};
            return true;
        }
        if (nameCount < maxNames) names[nameCount++] = other;
    }
    for (const wfReadCloth* cloth = r->cloths; cloth != NULL; cloth = cloth->next) {
        const char* own = wfCloth_GetName(r->scene, cloth->id);
        if (strcmp(own, name) == 0) { // one alone, also where copies of another share that name
            out->sides[0] = (wfFrictionSide){.cloth = cloth->id};
            out->count = 1;
            return true;
        }
        if (name[0] != 0 && strcmp(cloth->name, name) == 0) out->sides[out->count++] = (wfFrictionSide){.cloth = cloth->id};
        if (nameCount < maxNames) names[nameCount++] = cloth->name[0] != 0 ? cloth->name : own;
    }
    return out->count > 0 || wfReader_FailName(r, at, "cloth or collider", name, names, nameCount);
}

bool wfReader_Friction(wfReader* r, const wfAt* at) {
    wfFrictionDef def = wfDefaultFrictionDef();
    wfAt between, part = {0};
    const wfYamlItem* item = NULL;
    Surfaces pair[2];
    WF_TRY(wfReader_Section(r, at, &wfSectionFriction, &def));
    if (!wfReader_Open(at, "between", &between)) return wfReader_Fail(r, at, "expected the key \"between\"");
    if (!wfReader_Open(at, "friction", &part)) return wfReader_Fail(r, at, "expected the key \"friction\"");
    WF_TRY(wfReader_IsList(r, &between));
    if (between.node->count != 2) return wfReader_Fail(r, &between, "expected 2 names, got %d", between.node->count);
    while (wfReader_NextItem(&between, &item, &part)) WF_TRY(FindSurfaces(r, &part, &pair[part.index]));
    for (int i = 0; i < pair[0].count; ++i) {
        for (int k = 0; k < pair[1].count; ++k) {
            wfError inner = {0};
            def.a = pair[0].sides[i];
            def.b = pair[1].sides[k];
            if (!wfScene_SetFriction(r->scene, &def, &inner)) return wfReader_Wrap(r, at, &inner);
        }
    }
    return true;
}
