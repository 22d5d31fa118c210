// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A YAML (or JSON) text as a small tree in which every node knows its line. Aliases share the node they name and merge keys (<<) are
// folded in, so that readers see neither. Scalars stay text: only the field they are meant for knows what they must be.

#include "base/memory.h"

typedef enum wfYamlKind { wf_yamlNull, wf_yamlText, wf_yamlList, wf_yamlMap } wfYamlKind;

typedef struct wfYamlItem {
    const char* key; // maps only
    int line;        // of the key
    struct wfYaml* value;
    struct wfYamlItem* next;
} wfYamlItem;

typedef struct wfYaml {
    wfYamlKind kind;
    int line;
    const char* text;   // zero-ended; "" unless kind is text
    const char* origin; // where the node comes from if not from the file: "--set n=3"; else NULL
    wfYamlItem* first;  // lists and maps, in the order of the file
    int count;
} wfYaml;

/// Parses one document. `name` opens messages ("name:14: …"); with `origin`, that opens them and marks the nodes. Memory from `arena`.
/// NULL with err filled on bad syntax, duplicate keys, keys that are not text, tags, too deep nesting, more than one document.
wfYaml* wfYaml_Parse(wfArena* arena, const char* bytes, size_t size, const char* name, const char* origin, wfError* err);

wfYamlItem* wfYaml_Find(const wfYaml* map, const char* key); // NULL where there is none (or the node is no map)
