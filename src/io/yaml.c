// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/yaml.h"

#include "base/assert.h"
#include "scene/params.h"

#include <libfyaml.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

// Built from libfyaml's events rather than from its documents: an event has a line, and anchors, duplicate keys and depth stay in our
// hands.

enum { maxDepth = 32, maxSize = 64 << 20, maxAnchors = 1000, maxKeys = 10000 };

typedef struct Anchor {
    const char* name;
    wfYaml* node;
} Anchor;

typedef struct Parser {
    struct fy_parser* fy;
    struct fy_diag* diag;
    wfArena* arena;
    const char *name, *origin;
    wfError* err;
    int line, depth;
    int anchorCount;
    Anchor anchors[maxAnchors];
} Parser;

static void Discard(struct fy_diag* diag, void* user, const char* text, size_t size) {
    (void)diag;
    (void)user;
    (void)text;
    (void)size;
}

static wfYaml* Fail(Parser* p, int line, const char* text) {
    if (p->origin != NULL) {
        wfFail(p->err, wf_badInput, "%s: %s", p->origin, text);
    } else {
        wfFail(p->err, wf_badInput, "%s:%d: %s", p->name, line, text);
    }
    return NULL;
}

// The first of libfyaml's collected errors, on one line.
static wfYaml* FailSyntax(Parser* p) {
    void* prev = NULL;
    const struct fy_diag_error* first = fy_diag_errors_iterate(p->diag, &prev);
    if (first == NULL || first->msg == NULL) return Fail(p, p->line, "not valid YAML");
    char text[256];
    snprintf(text, sizeof text, "%s", first->msg);
    text[strcspn(text, "\n")] = 0;
    return Fail(p, first->line > 0 ? first->line : p->line, text);
}

static struct fy_event* Next(Parser* p) {
    struct fy_event* event = fy_parser_parse(p->fy);
    if (event == NULL) {
        FailSyntax(p);
        return NULL;
    }
    const struct fy_mark* mark = fy_event_start_mark(event);
    if (mark != NULL && mark->line < INT_MAX) p->line = mark->line + 1;
    return event;
}

// A copy of a token's text. A missing token is the empty text.
static const char* CopyText(Parser* p, struct fy_token* token) {
    size_t length = 0;
    const char* text = token == NULL ? "" : fy_token_get_text(token, &length);
    if (text == NULL) {
        FailSyntax(p);
        return NULL;
    }
    if (memchr(text, 0, length) != NULL) {
        Fail(p, p->line, "text with a zero byte");
        return NULL;
    }
    char* copy = wfArena_New(p->arena, char, length + 1, "scene text", p->err);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

static wfYaml* NewNode(Parser* p, wfYamlKind kind) {
    wfYaml* node = wfArena_New(p->arena, wfYaml, 1, "scene tree", p->err);
    if (node != NULL) *node = (wfYaml){.kind = kind, .line = p->line, .text = "", .origin = p->origin};
    return node;
}

static wfYamlItem* NewItem(Parser* p, wfYaml* parent, wfYamlItem*** end, const char* key, int line, wfYaml* value) {
    wfYamlItem* item = wfArena_New(p->arena, wfYamlItem, 1, "scene tree", p->err);
    if (item == NULL) return NULL;
    *item = (wfYamlItem){.key = key, .line = line, .value = value};
    **end = item;
    *end = &item->next;
    ++parent->count;
    return item;
}

static wfYaml* ReadNode(Parser* p, struct fy_event* event);

static bool ReadList(Parser* p, wfYaml* list) {
    wfYamlItem** end = &list->first;
    for (;;) {
        struct fy_event* event = Next(p);
        if (event == NULL) return false;
        if (event->type == FYET_SEQUENCE_END) {
            fy_parser_event_free(p->fy, event);
            return true;
        }
        int line = p->line;
        wfYaml* value = ReadNode(p, event);
        if (value == NULL || NewItem(p, list, &end, NULL, line, value) == NULL) return false;
    }
}

// Replaces "<<: map" by the pairs of that map that are not there already.
static bool FoldMerge(Parser* p, wfYaml* map) {
    for (wfYamlItem** at = &map->first; *at != NULL; at = &(*at)->next) {
        if (strcmp((*at)->key, "<<") != 0) continue;
        const wfYamlItem* merge = *at;
        if (merge->value->kind != wf_yamlMap) {
            Fail(p, merge->line, "\"<<\" expects a map");
            return false;
        }
        *at = merge->next;
        --map->count;
        wfYamlItem** end = &map->first;
        while (*end != NULL) end = &(*end)->next;
        for (const wfYamlItem* item = merge->value->first; item != NULL; item = item->next) {
            if (wfYaml_Find(map, item->key) == NULL && NewItem(p, map, &end, item->key, item->line, item->value) == NULL) return false;
        }
        return true; // keys are unique, so there is no second one
    }
    return true;
}

static bool ReadMap(Parser* p, wfYaml* map) {
    wfYamlItem** end = &map->first;
    for (;;) {
        struct fy_event* event = Next(p);
        if (event == NULL) return false;
        if (event->type == FYET_MAPPING_END) {
            fy_parser_event_free(p->fy, event);
            return FoldMerge(p, map);
        }
        int line = p->line;
        wfYaml* key = ReadNode(p, event);
        if (key == NULL) return false;
        if (key->kind != wf_yamlText || strpbrk(key->text, "\t\n\r") != NULL) {
            Fail(p, line, "expected a name as key");
            return false;
        }
        if (wfYaml_Find(map, key->text) != NULL) {
            char quoted[96], text[128];
            snprintf(text, sizeof text, "duplicate key %s", wfQuote(quoted, sizeof quoted, key->text));
            Fail(p, line, text);
            return false;
        }
        if (map->count == maxKeys) {
            Fail(p, line, "more than 10000 keys in a map");
            return false;
        }
        if ((event = Next(p)) == NULL) return false;
        wfYaml* value = ReadNode(p, event);
        if (value == NULL || NewItem(p, map, &end, key->text, line, value) == NULL) return false;
    }
}

static wfYaml* ReadAlias(Parser* p, struct fy_token* token) {
    const char* name = CopyText(p, token);
    if (name == NULL) return NULL;
    // From the back: an anchor may be defined anew. One that is still being read is not in the list, so no node contains itself.
    for (int i = p->anchorCount - 1; i >= 0; --i) {
        if (strcmp(p->anchors[i].name, name) == 0) return p->anchors[i].node;
    }
    char quoted[96], text[128];
    snprintf(text, sizeof text, "unknown alias %s", wfQuote(quoted, sizeof quoted, name));
    return Fail(p, p->line, text);
}

// Reads the node that begins with `event`, which it frees.
static wfYaml* ReadNode(Parser* p, struct fy_event* event) {
    wfYaml* node = NULL;
    const char* anchor = NULL;
    if (event->type == FYET_ALIAS) {
        node = ReadAlias(p, event->alias.anchor);
        fy_parser_event_free(p->fy, event);
        return node;
    }
    bool isScalar = event->type == FYET_SCALAR, isList = event->type == FYET_SEQUENCE_START;
    if (!isScalar && !isList && event->type != FYET_MAPPING_START) {
        fy_parser_event_free(p->fy, event);
        return Fail(p, p->line, "not valid YAML");
    }
    bool ok = true;
    if (fy_event_get_tag_token(event) != NULL) ok = Fail(p, p->line, "tags (!...) have no meaning here") != NULL;
    if (ok && fy_event_get_anchor_token(event) != NULL) ok = (anchor = CopyText(p, fy_event_get_anchor_token(event))) != NULL;
    if (ok) ok = (node = NewNode(p, isScalar ? wf_yamlText : isList ? wf_yamlList : wf_yamlMap)) != NULL;
    if (ok && isScalar) {
        struct fy_token* token = event->scalar.value;
        ok = (node->text = CopyText(p, token)) != NULL;
        bool plain = token == NULL || fy_token_scalar_style(token) == FYSS_PLAIN;
        if (ok && plain && (node->text[0] == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0)) {
            node->kind = wf_yamlNull;
            node->text = "";
        }
    }
    fy_parser_event_free(p->fy, event);
    if (ok && !isScalar) {
        if (p->depth >= maxDepth) return Fail(p, p->line, "nested too deeply");
        ++p->depth;
        ok = isList ? ReadList(p, node) : ReadMap(p, node);
        --p->depth;
    }
    if (ok && anchor != NULL) {
        if (p->anchorCount == maxAnchors) return Fail(p, p->line, "too many anchors");
        p->anchors[p->anchorCount++] = (Anchor){anchor, node};
    }
    return ok ? node : NULL;
}

// The length of the UTF-8 character at `s`, 0 where there is none: cut, overlong, surrogate or beyond Unicode.
static size_t Utf8Length(const unsigned char* s, size_t left) {
    if (s[0] < 0x80) return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length > left) return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((s[i] & 0xC0) != 0x80) return 0;
    }
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return length;
}

// What libfyaml 0.7.12 should not see: bytes that are no text; directives, on which it can loop without end (a broken %TAG); and ' four
// times in a row, on which it loses memory.
static bool CheckBytes(Parser* p, const char* bytes, size_t size) {
    const unsigned char* s = (const unsigned char*)bytes;
    int line = 1, quotes = 0;
    for (size_t i = 0, length; i < size; i += length) {
        length = Utf8Length(s + i, size - i);
        if (length == 0) return Fail(p, line, "not UTF-8 text") != NULL;
        if ((s[i] < 32 && s[i] != '\t' && s[i] != '\n' && s[i] != '\r') || s[i] == 127)
            return Fail(p, line, "text with a control character") != NULL;
        if (s[i] == '%' && (i == 0 || s[i - 1] == '\n' || s[i - 1] == '\r'))
            return Fail(p, line, "directives (%...) have no meaning here") != NULL;
        quotes = s[i] == '\'' ? quotes + 1 : 0;
        if (quotes == 4) return Fail(p, line, "more than three ' in a row; use \"...\" around such a text") != NULL;
        if (s[i] == '\n' && line < INT_MAX) ++line;
    }
    return true;
}

// STREAM_START, DOCUMENT_START, one node, DOCUMENT_END, STREAM_END.
static wfYaml* ReadStream(Parser* p) {
    wfYaml* root = NULL;
    for (;;) {
        struct fy_event* event = Next(p);
        if (event == NULL) return NULL;
        enum fy_event_type type = event->type;
        if (type == FYET_STREAM_END) {
            fy_parser_event_free(p->fy, event);
            return root != NULL ? root : NewNode(p, wf_yamlNull);
        }
        if (type == FYET_STREAM_START || type == FYET_DOCUMENT_START || type == FYET_DOCUMENT_END) {
            fy_parser_event_free(p->fy, event);
            if (type == FYET_DOCUMENT_START && root != NULL) return Fail(p, p->line, "expected one document, got a second");
            continue;
        }
        if ((root = ReadNode(p, event)) == NULL) return NULL;
    }
}

wfYaml* wfYaml_Parse(wfArena* arena, const char* bytes, size_t size, const char* name, const char* origin, wfError* err) {
    wfYaml* root = NULL;
    Parser* p = wfArena_New(arena, Parser, 1, "scene parser", err);
    if (p == NULL) return NULL;
    *p = (Parser){.arena = arena, .name = name, .origin = origin, .err = err, .line = 1};
    if (size > maxSize) return Fail(p, 1, "larger than 64 MiB");
    // An empty string would be taken as zero-ended by libfyaml.
    if (size == 0) return NewNode(p, wf_yamlNull);
    if (!CheckBytes(p, bytes, size)) return NULL;

    struct fy_diag_cfg diagConfig;
    fy_diag_cfg_default(&diagConfig);
    diagConfig.fp = NULL;
    diagConfig.output_fn = Discard;
    diagConfig.colorize = false;
    p->diag = fy_diag_create(&diagConfig);
    if (p->diag != NULL) {
        fy_diag_set_collect_errors(p->diag, true);
        struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_DISABLE_RECYCLING, .diag = p->diag};
        p->fy = fy_parser_create(&config);
    }
    if (p->fy == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for the YAML parser");
    } else if (fy_parser_set_string(p->fy, bytes, size) != 0) {
        FailSyntax(p);
    } else {
        root = ReadStream(p);
    }
    if (p->fy != NULL) fy_parser_destroy(p->fy);
    if (p->diag != NULL) fy_diag_destroy(p->diag);
    return root;
}

wfYamlItem* wfYaml_Find(const wfYaml* map, const char* key) {
    if (map->kind != wf_yamlMap) return NULL;
    for (wfYamlItem* item = map->first; item != NULL; item = item->next) {
        if (strcmp(item->key, key) == 0) return item;
    }
    return NULL;
}
