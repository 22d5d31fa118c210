// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "--set key=value" is a change of the tree before anything reads it, so that an override goes through the same checks as the file. Its
// nodes carry "--set key=value" as their origin, and messages name that instead of a line. Nodes on the way are copied first: an alias
// may share them with another place.

typedef struct Setting {
    wfReader* r;
    const char* origin; // "--set key=value"
    wfYaml* value;
} Setting;

static bool Fail(const Setting* s, const char* text) { return wfFail(s->r->err, wf_badInput, "%s: %s", s->origin, text); }

static wfYaml* NewMap(const Setting* s) {
    wfYaml* map = wfArena_New(&s->r->arena, wfYaml, 1, "scene tree", s->r->err);
    if (map != NULL) *map = (wfYaml){.kind = wf_yamlMap, .text = "", .origin = s->origin};
    return map;
}

static wfYamlItem* AddItem(const Setting* s, wfYaml* map, const char* key, wfYaml* value) {
    wfYamlItem** end = &map->first;
    while (*end != NULL) end = &(*end)->next;
    wfYamlItem* item = wfArena_New(&s->r->arena, wfYamlItem, 1, "scene tree", s->r->err);
    if (item == NULL) return NULL;
    *item = (wfYamlItem){.key = key, .line = value->line, .value = value};
    ++map->count;
    return *end = item;
}

static wfYaml* CopyNode(const Setting* s, const wfYaml* node) {
    wfYaml* copy = wfArena_New(&s->r->arena, wfYaml, 1, "scene tree", s->r->err);
    if (copy == NULL) return NULL;
    *copy = *node;
    wfYamlItem** end = &copy->first;
    for (const wfYamlItem* item = node->first; item != NULL; item = item->next) {
        *end = wfArena_New(&s->r->arena, wfYamlItem, 1, "scene tree", s->r->err);
        if (*end == NULL) return NULL;
        **end = *item;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return copy;
}

// An item of a list by its number from 0 or by its `name`.
static wfYamlItem* FindItem(const Setting* s, const wfYaml* list, const char* listKey, const char* part) {
    char text[400], quoted[96];
    size_t used = 0;
    bool isNumber = strspn(part, "0123456789") == strlen(part) && strlen(part) < 9;
    int index = isNumber ? atoi(part) : -1, i = 0;
    for (wfYamlItem* item = list->first; item != NULL; item = item->next, ++i) {
        const wfYamlItem* name = wfYaml_Find(item->value, "name");
        if (i == index || (name != NULL && strcmp(name->value->text, part) == 0)) return item;
    }
    if (isNumber) {
        snprintf(text, sizeof text, "%.64s has %d items, counted from 0", listKey, list->count);
    } else {
        used = (size_t)snprintf(text, sizeof text, "%.64s: no item is named %s; use its number or one of:", listKey,
                                wfQuote(quoted, sizeof quoted, part));
        for (const wfYamlItem* item = list->first; item != NULL && used < sizeof text; item = item->next) {
            const wfYamlItem* name = wfYaml_Find(item->value, "name");
            if (name != NULL) used += (size_t)snprintf(text + used, sizeof text - used, " %.64s", name->value->text);
        }
    }
    Fail(s, text);
    return NULL;
}

// Sets `path` (its parts, `count` of them) below *slot.
static bool SetBelow(const Setting* s, wfYaml** slot, const char* slotKey, char** path, int count) {
    if (count == 0) {
        *slot = s->value;
        return true;
    }
    wfYaml* node = (*slot)->kind == wf_yamlNull ? NewMap(s) : CopyNode(s, *slot);
    if (node == NULL) return false;
    if (node->kind == wf_yamlText) {
        // A fabric named by text stands for a map with that base.
        if (strcmp(slotKey, "fabric") != 0) {
            char text[160];
            snprintf(text, sizeof text, "%.64s is no map, so it has no \"%.64s\"", slotKey, path[0]);
            return Fail(s, text);
        }
        wfYaml* map = NewMap(s);
        if (map == NULL || AddItem(s, map, "base", node) == NULL) return false;
        node = map;
    }
    wfYamlItem* item = node->kind == wf_yamlList ? FindItem(s, node, slotKey, path[0]) : wfYaml_Find(node, path[0]);
    if (item == NULL && node->kind == wf_yamlMap) {
        wfYaml* empty = NewMap(s);
        item = empty == NULL ? NULL : AddItem(s, node, path[0], empty);
    }
    if (item == NULL || !SetBelow(s, &item->value, path[0], path + 1, count - 1)) return false;
    *slot = node;
    return true;
}

static bool FailUnknown(const Setting* s, const wfYaml* parameters, const char* key) {
    enum { maxNames = 128 };
    const char* names[maxNames];
    int count = 0;
    char quoted[96], text[512] = "";
    for (const wfYamlItem* item = parameters == NULL ? NULL : parameters->first; item != NULL && count < maxNames / 2; item = item->next) {
        names[count++] = item->key;
    }
    int known = wfSceneSection_Names(&wfSectionScene, names + count, maxNames - count);
    count += known < maxNames - count ? known : maxNames - count;
    const char* near = wfNearestName(key, names, count);
    size_t used = (size_t)snprintf(text, sizeof text, "unknown key %s", wfQuote(quoted, sizeof quoted, key));
    if (near != NULL) {
        snprintf(text + used, sizeof text - used, "; did you mean \"%.64s\"?", near);
    } else {
        for (int i = 0; i < count && used < sizeof text; ++i) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.64s", i > 0 ? ", " : "; known: ", names[i]);
        }
    }
    return Fail(s, text);
}

bool wfReader_Override(wfReader* r, wfYaml** root, const char* setting) {
    enum { maxParts = 16 };
    size_t length = strlen(setting);
    char* origin = wfArena_New(&r->arena, char, length + 16, "setting", r->err);
    char* key = wfArena_New(&r->arena, char, length + 1, "setting", r->err);
    if (origin == NULL || key == NULL) return false;
    // Long values are cut in messages; control characters would break them.
    char quoted[160];
    wfQuote(quoted, sizeof quoted, setting);
    quoted[strlen(quoted) - 1] = 0;
    snprintf(origin, length + 16, "--set %s", quoted + 1);
    Setting s = {.r = r, .origin = origin};
    memcpy(key, setting, length);
    char* value = strchr(key, '=');
    if (value == NULL || value == key) return Fail(&s, "expected key=value");
    *value++ = 0;

    if (value[0] == '#') { // a colour; YAML would take it for a comment
        s.value = wfArena_New(&r->arena, wfYaml, 1, "scene tree", r->err);
        if (s.value != NULL) *s.value = (wfYaml){.kind = wf_yamlText, .text = value, .origin = origin};
    } else {
        s.value = wfYaml_Parse(&r->arena, value, strlen(value), "", origin, r->err);
    }
    if (s.value == NULL) return false;
    if (s.value->kind == wf_yamlNull) return Fail(&s, "expected a value behind =");

    char* parts[maxParts + 1];
    int count = 0;
    for (char* part = key; part != NULL;) {
        char* dot = strchr(part, '.');
        if (dot != NULL) *dot = 0;
        if (part[0] == 0 || count == maxParts) return Fail(&s, "expected a key such as n, time_step or cloths.0.thickness");
        parts[1 + count++] = part;
        part = dot == NULL ? NULL : dot + 1;
    }
    static char s_parameters[] = "parameters";
    parts[0] = s_parameters;
    const wfYamlItem* parameters = wfYaml_Find(*root, "parameters");
    bool isParameter = parameters != NULL && wfYaml_Find(parameters->value, parts[1]) != NULL;
    if (isParameter && count == 1) return SetBelow(&s, root, "scene", parts, 2);
    const char* names[64];
    int known = wfSceneSection_Names(&wfSectionScene, names, 64);
    for (int i = 0; i < known; ++i) {
        if (strcmp(names[i], parts[1]) == 0) return SetBelow(&s, root, "scene", parts + 1, count);
    }
    if (isParameter) return SetBelow(&s, root, "scene", parts, count + 1); // a number has nothing below it: this says so
    return FailUnknown(&s, parameters == NULL ? NULL : parameters->value, parts[1]);
}
