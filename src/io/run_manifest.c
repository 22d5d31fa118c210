// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include "base/file.h"
#include "io/json.h"
#include "io/number.h"
#include "io/run_manifest.h"
#include "io/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// run.json, both ways. It is written by hand (a dozen fields) and read as the YAML that JSON also is.

static void WriteField(FILE* out, const char* key, const char* text) {
    fprintf(out, ", \"%s\": ", key);
    if (text[0] == 0) {
        fputs("null", out);
    } else {
        wfJson_PutText(out, text);
    }
}

static void WriteVec3(FILE* out, wfVec3 v) {
    fputc('[', out);
    wfJson_PutNumber(out, (double)v.x);
    fputs(", ", out);
    wfJson_PutNumber(out, (double)v.y);
    fputs(", ", out);
    wfJson_PutNumber(out, (double)v.z);
    fputc(']', out);
}

bool wfWriteRunManifest(const char* folder, const wfRunManifest* manifest, wfError* err) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s/run.json", folder) >= (int)sizeof path)
        return wfFail(err, wf_badInput, "%.64s…: path is too long", folder);
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    FILE* out = file.stream;
    fputs("{\"title\": ", out);
    wfJson_PutText(out, manifest->title);
    fputs(", \"frame_rate\": ", out);
    wfJson_PutNumber(out, manifest->frameRate);
    fprintf(out, ", \"first_frame\": %d", manifest->firstFrame);
    fprintf(out, ", \"up\": \"%s\",\n \"camera\": ", manifest->up == wf_upZ ? "z" : "y");
    if (manifest->camera.given) {
        fputs("{\"eye\": ", out);
        WriteVec3(out, manifest->camera.eye);
        fputs(", \"target\": ", out);
        WriteVec3(out, manifest->camera.target);
        fputs(", \"fov\": ", out);
        wfJson_PutNumber(out, (double)manifest->camera.fov);
        fputc('}', out);
    } else {
        fputs("null", out);
    }
    fputs(",\n \"objects\": [", out);
    for (int i = 0; i < manifest->objectCount; ++i) {
        const wfRunObject* object = &manifest->objects[i];
        fputs(i > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        wfJson_PutText(out, object->name);
        fprintf(out, ", \"kind\": \"%s\", \"color\": ", object->cloth ? "cloth" : "collider");
        WriteVec3(out, object->color);
        fprintf(out, ", \"visible\": %s", object->visible ? "true" : "false");
        WriteField(out, "topology", object->topology);
        WriteField(out, "cache", object->cache);
        WriteField(out, "rest", object->rest);
        fputc('}', out);
    }
    fputs("\n ]}\n", out);
    return wfOutFile_Close(&file, err);
}

// A field of the file, for messages: "run.json:3: objects[1].color: …".
typedef struct Field {
    const char* path;
    const char* prefix; // "objects[1]." or ""
    const char* key;
    const wfYaml* value; // NULL: not there
    int mapLine;         // where the field is missing
    wfError* err;
} Field;

static Field Find(const char* path, const char* prefix, const wfYaml* map, const char* key, wfError* err) {
    const wfYamlItem* item = wfYaml_Find(map, key);
    return (Field){path, prefix, key, item != NULL ? item->value : NULL, map->line, err};
}

static bool Wrong(const Field* f, const char* expected) {
    static const char* const kinds[] = {[wf_yamlNull] = "null", [wf_yamlList] = "a list", [wf_yamlMap] = "a mapping"};
    int line = f->value != NULL ? f->value->line : f->mapLine;
    if (f->value != NULL && f->value->kind == wf_yamlText)
        return wfFail(f->err, wf_badInput, "%s:%d: %s%s: expected %s, got \"%.40s\"", f->path, line, f->prefix, f->key, expected,
                      f->value->text);
    return wfFail(f->err, wf_badInput, "%s:%d: %s%s: expected %s, got %s", f->path, line, f->prefix, f->key, expected,
                  f->value != NULL ? kinds[f->value->kind] : "nothing");
}

static const char* Text(const wfYaml* node) { return node != NULL && node->kind == wf_yamlText ? node->text : NULL; }

static bool ReadNumber(Field f, float* out) {
    const char* text = Text(f.value);
    const char* end = text != NULL ? wfScanFloat(text, text + strlen(text), out) : NULL;
    if (end == NULL || *end != 0 || !isfinite(*out)) return Wrong(&f, "a finite number");
    return true;
}

static bool ReadVec3(Field f, wfVec3* out) {
    if (f.value == NULL || f.value->kind != wf_yamlList || f.value->count != 3) return Wrong(&f, "a list of 3 numbers");
    float v[3];
    const wfYamlItem* item = f.value->first;
    for (int i = 0; i < 3; ++i, item = item->next) {
        f.value = item->value;
        WF_TRY(ReadNumber(f, &v[i]));
    }
    *out = wfMake3(v[0], v[1], v[2]);
    return true;
}

static bool ReadText(Field f, char* out, size_t size, bool optional) {
    out[0] = 0;
    if (optional && (f.value == NULL || f.value->kind == wf_yamlNull)) return true;
    const char* text = Text(f.value);
    char expected[64];
    snprintf(expected, sizeof expected, "a text of at most %d bytes", (int)size - 1);
    if (text == NULL || strlen(text) >= size) return Wrong(&f, expected);
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool ReadChoice(Field f, const char* first, const char* second, bool* isSecond) {
    const char* text = Text(f.value);
    char expected[64];
    snprintf(expected, sizeof expected, "%s or %s", first, second);
    if (text == NULL || (strcmp(text, first) != 0 && strcmp(text, second) != 0)) return Wrong(&f, expected);
    *isSecond = strcmp(text, second) == 0;
    return true;
}

static bool ReadObject(const char* path, const wfYaml* map, int index, wfRunObject* object, wfError* err) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "objects[%d]", index);
    if (map->kind != wf_yamlMap) return Wrong(&(Field){path, "", prefix, map, map->line, err}, "a mapping");
    snprintf(prefix, sizeof prefix, "objects[%d].", index);
    bool collider = false;
    WF_TRY(ReadText(Find(path, prefix, map, "name", err), object->name, sizeof object->name, false));
    WF_TRY(ReadChoice(Find(path, prefix, map, "kind", err), "cloth", "collider", &collider));
    object->cloth = !collider;
    WF_TRY(ReadVec3(Find(path, prefix, map, "color", err), &object->color));
    WF_TRY(ReadChoice(Find(path, prefix, map, "visible", err), "false", "true", &object->visible));
    WF_TRY(ReadText(Find(path, prefix, map, "topology", err), object->topology, sizeof object->topology, false));
    WF_TRY(ReadText(Find(path, prefix, map, "cache", err), object->cache, sizeof object->cache, true));
    return ReadText(Find(path, prefix, map, "rest", err), object->rest, sizeof object->rest, true);
}

static bool ReadCamera(const char* path, const wfYaml* root, wfCameraDef* camera, wfError* err) {
    Field f = Find(path, "", root, "camera", err);
    camera->given = f.value != NULL && f.value->kind != wf_yamlNull;
    if (!camera->given) return true;
    if (f.value->kind != wf_yamlMap) return Wrong(&f, "a mapping or null");
    WF_TRY(ReadVec3(Find(path, "camera.", f.value, "eye", err), &camera->eye));
    WF_TRY(ReadVec3(Find(path, "camera.", f.value, "target", err), &camera->target));
    return ReadNumber(Find(path, "camera.", f.value, "fov", err), &camera->fov);
}

static bool ReadManifest(wfRunManifest* out, wfArena* arena, const char* path, const wfYaml* root, wfError* err) {
    if (root->kind != wf_yamlMap)
        return wfFail(err, wf_badInput, "%s:%d: expected a mapping with title, frame_rate, objects", path, root->line);
    WF_TRY(ReadText(Find(path, "", root, "title", err), out->title, sizeof out->title, true));
    Field rate = Find(path, "", root, "frame_rate", err);
    float frameRate = 0.0f;
    WF_TRY(ReadNumber(rate, &frameRate));
    out->frameRate = (double)frameRate;
    if (!(frameRate > 0.0f)) return Wrong(&rate, "a number > 0");
    Field first = Find(path, "", root, "first_frame", err);
    float firstFrame = 0.0f; // exact up to 2^24, more frames than any run has
    if (first.value != NULL) WF_TRY(ReadNumber(first, &firstFrame));
    if (!(firstFrame >= 0.0f && firstFrame <= 1e7f)) return Wrong(&first, "a number of a frame");
    out->firstFrame = (int)firstFrame;
    bool zUp = false;
    WF_TRY(ReadChoice(Find(path, "", root, "up", err), "y", "z", &zUp));
    out->up = zUp ? wf_upZ : wf_upY;
    WF_TRY(ReadCamera(path, root, &out->camera, err));
    Field objects = Find(path, "", root, "objects", err);
    if (objects.value == NULL || objects.value->kind != wf_yamlList) return Wrong(&objects, "a list");
    out->objects = wfArena_New(arena, wfRunObject, objects.value->count, "objects of a run", err);
    if (out->objects == NULL) return false;
    out->objectCount = objects.value->count;
    const wfYamlItem* item = objects.value->first;
    for (int i = 0; i < out->objectCount; ++i, item = item->next) WF_TRY(ReadObject(path, item->value, i, &out->objects[i], err));
    return true;
}

bool wfIsRunFolder(const char* folder) {
    char path[1024];
    struct stat info;
    return snprintf(path, sizeof path, "%s/run.json", folder) < (int)sizeof path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool wfReadRunManifest(wfRunManifest* out, wfArena* arena, const char* path, wfError* err) {
    *out = (wfRunManifest){0};
    size_t size = 0;
    char* bytes = wfReadFile(path, &size, err);
    if (bytes == NULL) return false;
    const wfYaml* root = wfYaml_Parse(arena, bytes, size, path, NULL, err);
    bool ok = root != NULL && ReadManifest(out, arena, path, root, err);
    free(bytes);
    return ok;
}
