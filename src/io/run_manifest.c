// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include "io/file.h"
#include "io/run_manifest.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// run.json, both ways. It is written by hand (a dozen fields) and read through libfyaml, since JSON is YAML.

static void WriteString(FILE* out, const char* text) {
    fputc('"', out);
    for (const unsigned char* c = (const unsigned char*)text; *c != 0; ++c) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < 32) {
            fprintf(out, "\\u%04x", *c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void WriteField(FILE* out, const char* key, const char* text) {
    fprintf(out, ", \"%s\": ", key);
    if (text[0] == 0) {
        fputs("null", out);
    } else {
        WriteString(out, text);
    }
}

static void WriteVec3(FILE* out, wfVec3 v) { fprintf(out, "[%.9g, %.9g, %.9g]", (double)v.x, (double)v.y, (double)v.z); }

bool wfWriteRunManifest(const char* folder, const wfRunManifest* manifest, wfError* err) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s/run.json", folder) >= (int)sizeof path)
        return wfFail(err, wf_badInput, "%.64s…: path is too long", folder);
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    FILE* out = file.stream;
    fputs("{\"title\": ", out);
    WriteString(out, manifest->title);
    fprintf(out, ", \"frame_rate\": %.17g, \"up\": \"%s\",\n \"camera\": ", manifest->frameRate, manifest->up == wf_upZ ? "z" : "y");
    if (manifest->camera.given) {
        fputs("{\"eye\": ", out);
        WriteVec3(out, manifest->camera.eye);
        fputs(", \"target\": ", out);
        WriteVec3(out, manifest->camera.target);
        fprintf(out, ", \"fov\": %.9g}", (double)manifest->camera.fov);
    } else {
        fputs("null", out);
    }
    fputs(",\n \"objects\": [", out);
    for (int i = 0; i < manifest->objectCount; ++i) {
        const wfRunObject* object = &manifest->objects[i];
        fputs(i > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        WriteString(out, object->name);
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

// What a field is read from, for messages: "run.json:3: objects[1].color: …".
typedef struct Place {
    const char* path;
    const char* prefix; // "objects[1]." or ""
    const char* key;
    wfError* err;
} Place;

static bool Wrong(const Place* place, struct fy_node* node, const char* expected) {
    char line[32] = "";
    struct fy_token* token = node != NULL && fy_node_is_scalar(node) ? fy_node_get_scalar_token(node) : NULL;
    const struct fy_mark* mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (mark != NULL) snprintf(line, sizeof line, "%d: ", mark->line + 1);
    const char* text = token != NULL ? fy_node_get_scalar0(node) : NULL;
    const char* got = node == NULL ? "nothing" : fy_node_is_mapping(node) ? "a mapping" : fy_node_is_sequence(node) ? "a list" : "null";
    if (text != NULL)
        return wfFail(place->err, wf_badInput, "%s:%s%s%s: expected %s, got \"%.40s\"", place->path, line[0] ? line : " ", place->prefix,
                      place->key, expected, text);
    return wfFail(place->err, wf_badInput, "%s: %s%s: expected %s, got %s", place->path, place->prefix, place->key, expected, got);
}

static struct fy_node* Find(struct fy_node* map, const char* key) { return fy_node_mapping_lookup_by_string(map, key, (size_t)-1); }

// libfyaml takes an unquoted null for a text.
static bool IsNull(struct fy_node* node) {
    if (node == NULL || fy_node_is_null(node)) return true;
    return fy_node_is_scalar(node) && fy_node_get_style(node) == FYNS_PLAIN && strcmp(fy_node_get_scalar0(node), "null") == 0;
}

static bool ReadNumber(const Place* place, struct fy_node* node, double* out) {
    const char* text = node != NULL && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char* end = NULL;
    double value = text != NULL ? strtod(text, &end) : 0;
    if (text == NULL || end == text || *end != 0 || !isfinite(value)) return Wrong(place, node, "a finite number");
    *out = value;
    return true;
}

static bool ReadVec3(const Place* place, struct fy_node* node, wfVec3* out) {
    if (node == NULL || !fy_node_is_sequence(node) || fy_node_sequence_item_count(node) != 3)
        return Wrong(place, node, "a list of 3 numbers");
    double v[3];
    for (int i = 0; i < 3; ++i) WF_TRY(ReadNumber(place, fy_node_sequence_get_by_index(node, i), &v[i]));
    *out = wfMake3((float)v[0], (float)v[1], (float)v[2]);
    return true;
}

static bool ReadText(const Place* place, struct fy_node* node, char* out, size_t size, bool optional) {
    if (optional && IsNull(node)) {
        out[0] = 0;
        return true;
    }
    const char* text = node != NULL && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char expected[64];
    snprintf(expected, sizeof expected, "a text of at most %d bytes", (int)size - 1);
    if (text == NULL || strlen(text) >= size) return Wrong(place, node, expected);
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool ReadChoice(const Place* place, struct fy_node* node, const char* first, const char* second, bool* isSecond) {
    const char* text = node != NULL && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char expected[64];
    snprintf(expected, sizeof expected, "%s or %s", first, second);
    if (text == NULL || (strcmp(text, first) != 0 && strcmp(text, second) != 0)) return Wrong(place, node, expected);
    *isSecond = strcmp(text, second) == 0;
    return true;
}

static bool ReadObject(const char* path, struct fy_node* node, int index, wfRunObject* object, wfError* err) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "objects[%d]", index);
    if (!fy_node_is_mapping(node)) return Wrong(&(Place){path, "", prefix, err}, node, "a mapping");
    snprintf(prefix, sizeof prefix, "objects[%d].", index);
    bool collider = false;
    WF_TRY(ReadText(&(Place){path, prefix, "name", err}, Find(node, "name"), object->name, sizeof object->name, false));
    WF_TRY(ReadChoice(&(Place){path, prefix, "kind", err}, Find(node, "kind"), "cloth", "collider", &collider));
    object->cloth = !collider;
    WF_TRY(ReadVec3(&(Place){path, prefix, "color", err}, Find(node, "color"), &object->color));
    WF_TRY(ReadChoice(&(Place){path, prefix, "visible", err}, Find(node, "visible"), "false", "true", &object->visible));
    WF_TRY(ReadText(&(Place){path, prefix, "topology", err}, Find(node, "topology"), object->topology, sizeof object->topology, false));
    WF_TRY(ReadText(&(Place){path, prefix, "cache", err}, Find(node, "cache"), object->cache, sizeof object->cache, true));
    return ReadText(&(Place){path, prefix, "rest", err}, Find(node, "rest"), object->rest, sizeof object->rest, true);
}

static bool ReadManifest(wfRunManifest* out, wfArena* arena, const char* path, struct fy_node* root, wfError* err) {
    if (root == NULL || !fy_node_is_mapping(root))
        return wfFail(err, wf_badInput, "%s: expected a mapping with title, frame_rate, objects", path);
    WF_TRY(ReadText(&(Place){path, "", "title", err}, Find(root, "title"), out->title, sizeof out->title, true));
    Place rate = {path, "", "frame_rate", err};
    WF_TRY(ReadNumber(&rate, Find(root, "frame_rate"), &out->frameRate));
    if (!(out->frameRate > 0)) return Wrong(&rate, Find(root, "frame_rate"), "a number > 0");
    bool zUp = false;
    WF_TRY(ReadChoice(&(Place){path, "", "up", err}, Find(root, "up"), "y", "z", &zUp));
    out->up = zUp ? wf_upZ : wf_upY;

    struct fy_node* camera = Find(root, "camera");
    out->camera.given = !IsNull(camera);
    if (out->camera.given) {
        double fov = 0;
        if (!fy_node_is_mapping(camera)) return Wrong(&(Place){path, "", "camera", err}, camera, "a mapping or null");
        WF_TRY(ReadVec3(&(Place){path, "camera.", "eye", err}, Find(camera, "eye"), &out->camera.eye));
        WF_TRY(ReadVec3(&(Place){path, "camera.", "target", err}, Find(camera, "target"), &out->camera.target));
        WF_TRY(ReadNumber(&(Place){path, "camera.", "fov", err}, Find(camera, "fov"), &fov));
        out->camera.fov = (float)fov;
    }

    struct fy_node* objects = Find(root, "objects");
    if (objects == NULL || !fy_node_is_sequence(objects)) return Wrong(&(Place){path, "", "objects", err}, objects, "a list");
    out->objectCount = fy_node_sequence_item_count(objects);
    out->objects = wfArena_New(arena, wfRunObject, out->objectCount, "objects of a run", err);
    if (out->objects == NULL) return false;
    for (int i = 0; i < out->objectCount; ++i)
        WF_TRY(ReadObject(path, fy_node_sequence_get_by_index(objects, i), i, &out->objects[i], err));
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
    struct fy_diag_cfg diagConfig;
    fy_diag_cfg_default(&diagConfig);
    diagConfig.fp = NULL; // what goes wrong is told through err, never printed
    struct fy_diag* diag = fy_diag_create(&diagConfig);
    if (diag == NULL) {
        free(bytes);
        return wfFail(err, wf_outOfMemory, "out of memory for %s", path);
    }
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE, .diag = diag};
    struct fy_document* document = fy_document_build_from_string(&config, bytes, size);
    bool ok = document != NULL;
    if (ok) {
        ok = ReadManifest(out, arena, path, fy_document_root(document), err);
    } else {
        void* iterator = NULL;
        struct fy_diag_error* first = fy_diag_errors_iterate(diag, &iterator);
        wfFail(err, wf_badInput, "%s:%d: %s", path, first != NULL ? first->line : 1, first != NULL ? first->msg : "not JSON");
    }
    if (document != NULL) fy_document_destroy(document);
    fy_diag_destroy(diag);
    free(bytes);
    return ok;
}
