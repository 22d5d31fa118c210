// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_file.h"

#include "base/file.h"
#include "io/scene_reader.h"
#include "scene/methods.h"
#include "scene/scene.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// A translator from YAML to the calls of weft/weft.h. It knows keys only through the tables of io/scene_keys.h.

static bool ReadTitle(wfReader* r, const wfAt* top, wfSceneFile* info) {
    wfAt at;
    const char* text;
    if (!wfReader_Open(top, "title", &at)) return true;
    if (!wfReader_Text(r, &at, "a text", &text)) return false;
    if (strlen(text) >= sizeof info->title)
        return wfReader_Fail(r, &at, "expected at most %zu bytes, got %zu", sizeof info->title - 1, strlen(text));
    memcpy(info->title, text, strlen(text) + 1);
    return true;
}

static bool ReadCamera(wfReader* r, const wfAt* top, wfSceneFile* info) {
    wfAt at;
    if (!wfReader_Open(top, "camera", &at)) return true;
    wfParamTable_SetDefaults(wfSectionCamera.table, &info->camera);
    if (!wfReader_Section(r, &at, &wfSectionCamera, &info->camera)) return false;
    if (wfYaml_Find(at.node, "eye") == NULL || wfYaml_Find(at.node, "target") == NULL) {
        return wfReader_Fail(r, &at, "expected the keys \"eye\" and \"target\"");
    }
    wfVec3 e = info->camera.eye, t = info->camera.target;
    if (e.x == t.x && e.y == t.y && e.z == t.z) return wfReader_Fail(r, &at, "eye and target are the same point");
    info->camera.given = true;
    return true;
}

// Methods are checked here, where the line of their name is known.
static bool CheckMethods(wfReader* r, const wfAt* top) {
    wfMethods found;
    const char* field;
    wfError inner = {0};
    wfAt at;
    if (wfFindMethods(&r->def, &found, &field, &inner)) return true;
    return wfReader_Wrap(r, wfReader_Open(top, field, &at) ? &at : top, &inner);
}

// In the order of the file, so that one may use those before it.
static bool ReadVariables(wfReader* r, const wfAt* top) {
    wfAt at;
    if (!wfReader_Open(top, "parameters", &at)) return true;
    if (!wfReader_IsMap(r, &at)) return false;
    const char* taken[64];
    int takenCount = wfSceneSection_Names(&wfSectionScene, taken, 64);
    r->variables = wfArena_New(&r->arena, wfVariable, at.node->count, "parameters", r->err);
    if (r->variables == NULL) return false;
    for (const wfYamlItem* item = at.node->first; item != NULL; item = item->next) {
        wfAt child = {.up = &at, .node = item->value, .key = item->key};
        double value;
        if (!wfIsVariableName(item->key)) return wfReader_Fail(r, &child, "expected a name of letters, digits and _");
        for (int i = 0; i < takenCount; ++i) {
            if (strcmp(taken[i], item->key) == 0)
                return wfReader_Fail(r, &child, "that is the name of a setting of the scene; choose another");
        }
        if (!wfReader_Number(r, &child, -1e300, 1e300, "a number", &value)) return false;
        r->variables[r->variableCount++] = (wfVariable){item->key, value};
    }
    return true;
}

static bool ReadList(wfReader* r, const wfAt* top, const char* key, bool (*read)(wfReader*, const wfAt*)) {
    wfAt list, at = {0};
    const wfYamlItem* item = NULL;
    if (!wfReader_Open(top, key, &list)) return true;
    if (!wfReader_IsList(r, &list)) return false;
    while (wfReader_NextItem(&list, &item, &at)) WF_TRY(read(r, &at));
    return true;
}

static bool ReadScene(wfReader* r, const wfYaml* root, wfDevice* device, wfSceneFile* info) {
    wfAt top = {.node = root}, part;
    WF_TRY(wfReader_IsMap(r, &top));
    WF_TRY(ReadVariables(r, &top));
    r->def = wfDefaultSceneDef();
    WF_TRY(wfReader_Section(r, &top, &wfSectionScene, &r->def));
    WF_TRY(CheckMethods(r, &top));
    WF_TRY(ReadTitle(r, &top, info));
    WF_TRY(ReadCamera(r, &top, info));
    if (wfReader_Open(&top, "fabrics", &part)) WF_TRY(wfReader_Fabrics(r, &part));
    wfError inner = {0};
    r->scene = wfCreateScene(device, &r->def, &inner);
    if (r->scene == NULL) return wfReader_Wrap(r, &top, &inner);
    WF_TRY(wfScene_SetFile(r->scene, r->name, r->err));
    WF_TRY(ReadList(r, &top, "colliders", wfReader_Collider)); // first: pins follow them
    r->hasSeams = wfReader_Open(&top, "seams", &part);
    WF_TRY(ReadList(r, &top, "cloths", wfReader_Cloth));
    WF_TRY(ReadList(r, &top, "seams", wfReader_Seam));
    WF_TRY(ReadList(r, &top, "friction", wfReader_Friction));
    return true;
}

wfScene* wfParseScene(wfDevice* device, const char* bytes, size_t size, const char* name, const char* const* overrides, int overrideCount,
                      const wfMeshSource* meshes, wfSceneFile* info, wfError* err) {
    wfError unused = {0};
    wfSceneFile read = {0};
    wfReader r = {.name = name, .err = err != NULL ? err : &unused, .meshes = meshes};
    // Numbers have a point whatever the language of the program around us.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    wfYaml* root = wfYaml_Parse(&r.arena, bytes, size, name, NULL, r.err);
    bool ok = root != NULL;
    for (int i = 0; ok && i < overrideCount; ++i) ok = wfReader_Override(&r, &root, overrides[i]);
    ok = ok && ReadScene(&r, root, device, &read);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    if (ok && info != NULL) *info = read;
    if (!ok) {
        // A file name of the scene may hold a line break; the message stays one line.
        for (char* c = r.err->text; *c != 0; ++c) {
            if ((unsigned char)*c < 32) *c = '?';
        }
        wfDestroyScene(r.scene);
        r.scene = NULL;
    }
    wfArena_Free(&r.arena);
    return r.scene;
}

wfScene* wfLoadScene(wfDevice* device, const char* path, const char* const* overrides, int overrideCount, wfSceneFile* info, wfError* err) {
    size_t size = 0;
    char* bytes = wfReadFile(path, &size, err);
    if (bytes == NULL) return NULL;
    wfScene* scene = wfParseScene(device, bytes, size, path, overrides, overrideCount, &wfMeshesFromFiles, info, err);
    free(bytes);
    return scene;
}
