// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <math.h>

// Friction of pairs of surfaces: recorded as it is said, and made one table at commit, so that contact looks up a pair and knows nothing of
// who said it.

enum { frictionCookie = 0x77664652 };

wfFrictionDef wfDefaultFrictionDef(void) {
    wfFrictionDef def = {.cookie = frictionCookie};
    wfParamTable_SetDefaults(&wfFrictionParams, &def);
    return def;
}

static bool CheckSide(const wfScene* scene, const wfFrictionSide* side, const char* name, wfError* err) {
    bool isCloth = !WF_ID_IS_NULL(side->cloth), isCollider = !WF_ID_IS_NULL(side->collider);
    bool fits = isCloth != isCollider && (isCloth ? wfCloth_IsValid(scene, side->cloth) : wfCollider_IsValid(scene, side->collider));
    return fits || wfFail(err, wf_badInput, "friction: %s: expected either a cloth or a collider of this scene", name);
}

bool wfScene_SetFriction(wfScene* scene, const wfFrictionDef* def, wfError* err) {
    if (scene == NULL || def == NULL) return wfFail(err, wf_badInput, "friction: expected a scene and a Def, got NULL");
    if (scene->phase != wf_sceneOpen)
        return wfFail(err, wf_badInput, "friction: the scene is committed; nothing can be set in it any more");
    if (def->cookie != frictionCookie) return wfFail(err, wf_badInput, "friction: the Def did not start from wfDefaultFrictionDef()");
    WF_TRY(wfParamTable_Check(&wfFrictionParams, def, "friction", err));
    WF_TRY(CheckSide(scene, &def->a, "a", err));
    WF_TRY(CheckSide(scene, &def->b, "b", err));
    if (WF_ID_IS_NULL(def->a.cloth) && WF_ID_IS_NULL(def->b.cloth)) {
        return wfFail(err, wf_badInput, "friction: both are colliders, which do not feel each other; expected a cloth");
    }
    WF_TRY(wfGrow((void**)&scene->frictions, &scene->frictionCapacity, (size_t)scene->frictionCount + 1, sizeof *scene->frictions,
                  "friction pairs", err));
    scene->frictions[scene->frictionCount++] = *def;
    return true;
}

// ---- at commit ----------------------------------------------------------------------------------------------------------------

static wfFriction Coefficients(float sliding, float atRest) { return (wfFriction){.hold = fmaxf(atRest, sliding), .slide = sliding}; }

static wfFriction OwnFriction(const wfScene* scene, int surface) {
    if (surface < scene->clothCount) {
        const wfFabric* fabric = &scene->cloths[surface]->def.fabric;
        return Coefficients(fabric->friction, fabric->static_friction);
    }
    const wfColliderDef* def = &scene->colliders[surface - scene->clothCount]->def;
    return Coefficients(def->friction, def->static_friction);
}

static int SurfaceOf(const wfScene* scene, const wfFrictionSide* side) {
    return WF_ID_IS_NULL(side->cloth) ? scene->clothCount + side->collider.index1 - 1 : side->cloth.index1 - 1;
}

bool wfScene_BuildFriction(wfScene* scene, wfError* err) {
    wfModel* m = &scene->model;
    int n = scene->clothCount + scene->colliderCount;
    wfFriction* table = wfArena_New(&scene->arena, wfFriction, (int64_t)n * n, "friction pairs", err);
    if (table == NULL) return false;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            wfFriction a = OwnFriction(scene, i), b = OwnFriction(scene, k);
            table[(size_t)i * (size_t)n + (size_t)k] = (wfFriction){sqrtf(a.hold * b.hold), sqrtf(a.slide * b.slide)};
        }
    }
    for (int p = 0; p < scene->frictionCount; ++p) {
        const wfFrictionDef* def = &scene->frictions[p];
        size_t i = (size_t)SurfaceOf(scene, &def->a), k = (size_t)SurfaceOf(scene, &def->b);
        table[i * (size_t)n + k] = table[k * (size_t)n + i] = Coefficients(def->friction, def->static_friction);
    }
    m->surfaceCount = n;
    m->friction = table;
    return true;
}
