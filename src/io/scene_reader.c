// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- places -------------------------------------------------------------------------------------------------------------------

static void AppendPath(const wfAt* at, char* text, size_t size) {
    if (at->up == NULL) return;
    AppendPath(at->up, text, size);
    size_t used = strlen(text);
    if (at->key == NULL) {
        snprintf(text + used, size - used, "[%d]", at->index);
    } else {
        snprintf(text + used, size - used, used > 0 ? ".%.80s" : "%.80s", at->key);
    }
}

// The place without a colon behind.
static void Where(const wfReader* r, const wfAt* at, char* text, size_t size) {
    char path[256] = "";
    if (at->node->origin != NULL) {
        snprintf(text, size, "%s", at->node->origin);
        return;
    }
    AppendPath(at, path, sizeof path);
    snprintf(text, size, path[0] != 0 ? "%s:%d: %s" : "%s:%d", r->name, at->node->line, path);
}

bool wfReader_Fail(wfReader* r, const wfAt* at, const char* format, ...) {
    char where[512], text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    Where(r, at, where, sizeof where);
    return wfFail(r->err, wf_badInput, "%s: %s", where, text);
}

bool wfReader_Wrap(wfReader* r, const wfAt* at, const wfError* inner) {
    char where[512];
    Where(r, at, where, sizeof where);
    return wfFail(r->err, inner->code, "%s: %s", where, inner->text);
}

static const char* Describe(const wfYaml* node, char* text, size_t size) {
    switch (node->kind) {
    case wf_yamlNull:
        return "nothing";
    case wf_yamlList:
        return "a list";
    case wf_yamlMap:
        return "a map";
    case wf_yamlText:
        break;
    }
    return wfQuote(text, size, node->text);
}

bool wfReader_FailKind(wfReader* r, const wfAt* at, const char* expected) {
    char got[96];
    return wfReader_Fail(r, at, "expected %s, got %s", expected, Describe(at->node, got, sizeof got));
}

bool wfReader_FailName(wfReader* r, const wfAt* at, const char* kind, const char* name, const char* const* names, int count) {
    char quoted[96];
    const char* near = wfNearestName(name, names, count);
    wfQuote(quoted, sizeof quoted, name);
    if (near != NULL) return wfReader_Fail(r, at, "unknown %s %s; did you mean \"%s\"?", kind, quoted, near);
    return wfReader_Fail(r, at, "unknown %s %s; the scene has %d", kind, quoted, count);
}

bool wfReader_Open(const wfAt* up, const char* key, wfAt* out) {
    const wfYamlItem* item = wfYaml_Find(up->node, key);
    if (item == NULL) return false;
    *out = (wfAt){.up = up, .node = item->value, .key = item->key};
    return true;
}

bool wfReader_NextItem(const wfAt* list, const wfYamlItem** item, wfAt* out) {
    int index = out->index + 1;
    if (*item == NULL) index = 0;
    *item = *item == NULL ? list->node->first : (*item)->next;
    if (*item == NULL) return false;
    *out = (wfAt){.up = list, .node = (*item)->value, .index = index};
    return true;
}

// ---- values -------------------------------------------------------------------------------------------------------------------

bool wfReader_IsMap(wfReader* r, const wfAt* at) { return at->node->kind == wf_yamlMap || wfReader_FailKind(r, at, "a map"); }
bool wfReader_IsList(wfReader* r, const wfAt* at) { return at->node->kind == wf_yamlList || wfReader_FailKind(r, at, "a list"); }

bool wfReader_Text(wfReader* r, const wfAt* at, const char* expected, const char** out) {
    if (at->node->kind != wf_yamlText || at->node->text[0] == 0) return wfReader_FailKind(r, at, expected);
    *out = at->node->text;
    return true;
}

static bool Evaluate(wfReader* r, const wfAt* at, const char* expected, double* out) {
    char why[192];
    if (at->node->kind != wf_yamlText) return wfReader_FailKind(r, at, expected);
    if (wfEvaluate(at->node->text, r->variables, r->variableCount, out, why, sizeof why)) return true;
    return why[0] != 0 ? wfReader_Fail(r, at, "%s", why) : wfReader_FailKind(r, at, expected);
}

bool wfReader_Number(wfReader* r, const wfAt* at, double lo, double hi, const char* expected, double* out) {
    if (!Evaluate(r, at, expected, out)) return false;
    return (*out >= lo && *out <= hi) || wfReader_Fail(r, at, "expected %s, got %.9g", expected, *out);
}

bool wfReader_Numbers(wfReader* r, const wfAt* at, int count, const char* expected, double* out) {
    if (at->node->kind != wf_yamlList) return wfReader_FailKind(r, at, expected);
    if (at->node->count != count) return wfReader_Fail(r, at, "expected %s, got %d", expected, at->node->count);
    const wfYamlItem* item = NULL;
    wfAt child = {0};
    while (wfReader_NextItem(at, &item, &child)) {
        if (!Evaluate(r, &child, "a number", &out[child.index])) return false;
    }
    return true;
}

bool wfReader_Row(wfReader* r, const wfAt* at, const wfParam* row, void* def) {
    char where[512], expected[256];
    double value[3];
    Where(r, at, where, sizeof where);
    wfParam_Expected(row, expected, sizeof expected);
    bool isText = at->node->kind == wf_yamlText;
    switch (row->type) {
    case wf_paramFloat:
    case wf_paramInt:
        return Evaluate(r, at, expected, value) && wfParam_SetNumbers(row, def, value, 1, where, r->err);
    case wf_paramBool:
        value[0] = isText && strcmp(at->node->text, "true") == 0;
        if (value[0] == 0.0 && !(isText && strcmp(at->node->text, "false") == 0)) return wfReader_FailKind(r, at, expected);
        return wfParam_SetNumbers(row, def, value, 1, where, r->err);
    case wf_paramColor:
        if (at->node->kind == wf_yamlNull)
            return wfReader_Fail(r, at, "expected %s, got nothing; # begins a comment unless it is in quotes", expected);
        if (isText) return wfParam_SetText(row, def, at->node->text, where, r->err);
        return wfReader_Numbers(r, at, 3, expected, value) && wfParam_SetNumbers(row, def, value, 3, where, r->err);
    case wf_paramVec3:
        return wfReader_Numbers(r, at, 3, expected, value) && wfParam_SetNumbers(row, def, value, 3, where, r->err);
    case wf_paramEnum:
    case wf_paramName:
        if (!isText || at->node->text[0] == 0) return wfReader_FailKind(r, at, expected);
        return wfParam_SetText(row, def, at->node->text, where, r->err);
    }
    return false;
}

static bool FailUnknown(wfReader* r, const wfAt* map, const wfYamlItem* item, const wfSceneSection* section) {
    enum { maxNames = 64 };
    const char* names[maxNames];
    char quoted[96], known[400] = "";
    int count = wfSceneSection_Names(section, names, maxNames);
    if (count > maxNames) count = maxNames;
    wfQuote(quoted, sizeof quoted, item->key);
    // The line and the origin of the key, the path of the map.
    wfYaml place = *map->node;
    place.line = item->line;
    place.origin = item->value->origin;
    wfAt at = *map;
    at.node = &place;
    const char* near = wfNearestName(item->key, names, count);
    if (near != NULL) return wfReader_Fail(r, &at, "unknown key %s; did you mean \"%s\"?", quoted, near);
    for (int i = 0; i < count; ++i) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, i > 0 ? ", %s" : "%s", names[i]);
    }
    return wfReader_Fail(r, &at, "unknown key %s; known: %s", quoted, known);
}

bool wfReader_Section(wfReader* r, const wfAt* at, const wfSceneSection* section, void* def) {
    if (!wfReader_IsMap(r, at)) return false;
    for (const wfYamlItem* item = at->node->first; item != NULL; item = item->next) {
        const wfParam* row = section->table == NULL ? NULL : wfParamTable_Find(section->table, item->key);
        if (row != NULL) {
            wfAt child = {.up = at, .node = item->value, .key = item->key};
            if (!wfReader_Row(r, &child, row, def)) return false;
            continue;
        }
        const wfSceneKey* key = section->keys;
        while (key->name != NULL && strcmp(key->name, item->key) != 0) ++key;
        if (key->name == NULL) return FailUnknown(r, at, item, section);
    }
    return true;
}
