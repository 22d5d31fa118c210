// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "base/error.h"
#include "io/scene_file.h"
#include "io/scene_keys.h"
#include "scene/fabrics.h"
#include "step/step.h"

#include <stdio.h>
#include <string.h>

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

enum { maxNames = 96 };

// ---- what can be chosen by name ---------------------------------------------------------------------------------------------------

static void PrintChoice(const char* name, const char* about) {
    printf("  %-14s ", name);
    wfPrintWrapped(about, 17, 17);
}

static void PrintFabrics(void) {
    printf("Fabrics that a scene can name; weft help fabric says what the values mean.\n\n");
    printf("  %-12s", "");
    for (int i = 0; i < wfFabricParams.count; ++i) printf(" %10s", wfFabricParams.rows[i].name);
    printf("\n  %-12s", "");
    for (int i = 0; i < wfFabricParams.count; ++i) printf(" %10s", wfFabricParams.rows[i].unit);
    printf("\n");
    for (const wfFabricPreset* preset = wfFabricPresets; preset->name != NULL; ++preset) {
        printf("  %-12s", preset->name);
        for (int i = 0; i < wfFabricParams.count; ++i) {
            printf(" %10.4g", (double)*(const float*)((const char*)&preset->fabric + wfFabricParams.rows[i].offset));
        }
        printf("\n      ");
        wfPrintWrapped(preset->source, 6, 6);
    }
}

static void PrintDynamics(void) {
    printf("How cloth moves without contact (scene key dynamics):\n\n");
    for (int i = 0; wfDynamicsTypes[i] != NULL; ++i) PrintChoice(wfDynamicsTypes[i]->name, wfDynamicsTypes[i]->about);
}

static void PrintContacts(void) {
    printf("How contact is answered (scene key contact):\n\n");
    for (int i = 0; wfContactTypes[i] != NULL; ++i) PrintChoice(wfContactTypes[i]->name, wfContactTypes[i]->about);
}

static void PrintSteppers(void) {
    printf("How dynamics and contact take turns (scene key stepper):\n\n");
    for (int i = 0; wfStepperTypes[i] != NULL; ++i) PrintChoice(wfStepperTypes[i]->name, wfStepperTypes[i]->about);
}

static void PrintReference(void) { wfWriteSceneReference(stdout); }

typedef struct ListTopic {
    const char* topic;
    void (*print)(void);
} ListTopic;

static const ListTopic s_lists[] = {
    {"fabrics", PrintFabrics},   {"dynamics", PrintDynamics},   {"contacts", PrintContacts},
    {"steppers", PrintSteppers}, {"reference", PrintReference}, // all of it, as the docs have it
};

// ---- what a scene file can say ----------------------------------------------------------------------------------------------------

/// "cloths[]" is asked for as cloth.
static void GetTopic(const wfSceneSection* section, char* topic, size_t size) {
    size_t length = strcspn(section->path, "[");
    bool isList = section->path[length] != 0;
    if (isList && length > 0 && section->path[length - 1] == 's') length--;
    snprintf(topic, size, "%.*s", (int)length, section->path);
}

/// The default as a scene file would write it.
static void FormatDefault(const wfParam* row, char* out, size_t size) {
    switch (row->type) {
    case wf_paramFloat:
    case wf_paramInt:
        snprintf(out, size, row->type == wf_paramInt ? "%.0f" : "%.7g", row->value[0]);
        return;
    case wf_paramBool:
        snprintf(out, size, "%s", row->value[0] != 0.0 ? "true" : "false");
        return;
    case wf_paramVec3:
    case wf_paramColor:
        snprintf(out, size, "[%.7g, %.7g, %.7g]", row->value[0], row->value[1], row->value[2]);
        return;
    case wf_paramName:
        snprintf(out, size, "%s", row->text[0] != 0 ? row->text : "-");
        return;
    case wf_paramEnum: {
        const char* name = row->names;
        for (int i = 0; i < (int)row->value[0]; ++i) name += strcspn(name, "|") + 1;
        snprintf(out, size, "%.*s", (int)strcspn(name, "|"), name);
        return;
    }
    }
}

static void FormatRange(const wfParam* row, char* out, size_t size) {
    switch (row->type) {
    case wf_paramInt:
        snprintf(out, size, "[%.0f, %.0f]", row->lo, row->hi);
        return;
    case wf_paramFloat:
    case wf_paramVec3:
        snprintf(out, size, "[%.7g, %.7g]%s%s", row->lo, row->hi, row->unit[0] != 0 ? " " : "", row->unit);
        return;
    case wf_paramEnum:
        snprintf(out, size, "%s", row->names);
        return;
    default:
        out[0] = 0;
    }
}

static void PrintRow(const char* name, const char* value, const char* range, const char* meaning) {
    printf(range[0] != 0 ? "  %-14s %-24s %s\n      " : "  %-14s %s%s\n      ", name, value, range);
    wfPrintWrapped(meaning, 6, 6);
}

static int PrintSection(const wfSceneSection* section) {
    printf("%s: key, default, range or type, meaning\n", section->path);
    if (section->about[0] != 0) wfPrintWrapped(section->about, 0, 0);
    printf("\n");
    for (const wfSceneKey* key = section->keys; key->name != NULL; ++key) {
        PrintRow(key->name, key->initial[0] != 0 ? key->initial : "-", key->type, key->meaning);
    }
    for (int i = 0; section->table != NULL && i < section->table->count; ++i) {
        const wfParam* row = &section->table->rows[i];
        char value[96], range[256];
        FormatDefault(row, value, sizeof value);
        FormatRange(row, range, sizeof range);
        PrintRow(row->name, value, range, row->meaning);
    }
    return wf_exitOk;
}

// ---- the command ------------------------------------------------------------------------------------------------------------------

static int Overview(void) {
    char topic[64];
    printf("weft %s, a cloth engine\n\ncommands:\n", wfVersion());
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        printf("  weft %-42s ", c->synopsis);
        wfPrintWrapped(c->about, 50, 50);
    }
    printf("\nweft help COMMAND explains a command, weft help TOPIC what scene files can say. Topics:\n ");
    for (int i = 0; wfSceneSections[i] != NULL; ++i) {
        GetTopic(wfSceneSections[i], topic, sizeof topic);
        printf(" %s", topic);
    }
    for (int i = 0; i < COUNT(s_lists); ++i) printf(" %s", s_lists[i].topic);
    printf("\n");
    return wf_exitOk;
}

static int UnknownTopic(const char* wrong) {
    static char topics[maxNames][64]; // names of sections are made up, so they need a place
    const char* names[maxNames];
    int count = 0;
    for (const wfCommand* c = wfCommands; c->name != NULL && count < maxNames; ++c) names[count++] = c->name;
    for (int i = 0; i < COUNT(s_lists) && count < maxNames; ++i) names[count++] = s_lists[i].topic;
    for (int i = 0; wfSceneSections[i] != NULL && count < maxNames; ++i) {
        GetTopic(wfSceneSections[i], topics[count], sizeof topics[count]);
        names[count] = topics[count];
        count++;
    }
    const char* nearest = wfNearestName(wrong, names, count);
    wfError err = {0};
    if (nearest != NULL) {
        wfFail(&err, wf_badInput, "help: nothing about \"%s\"; did you mean %s?", wrong, nearest);
    } else {
        wfFail(&err, wf_badInput, "help: nothing about \"%s\"; see weft help", wrong);
    }
    return wfApp_Fail(&err);
}

static const wfOptionTable s_table = {.command = "help", .maxArguments = 1};

int wfCmd_Help(int argc, char** argv) {
    int code = wfParseOptions(&s_table, &argc, argv, NULL);
    if (code != wf_exitGoOn) return code;
    if (argc < 2) return Overview();
    const char* asked = argv[1];
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        if (strcmp(c->name, asked) != 0) continue;
        static char option[] = "--help";
        char* arguments[] = {argv[1], option, NULL};
        return c->run(2, arguments);
    }
    for (int i = 0; i < COUNT(s_lists); ++i) {
        if (strcmp(s_lists[i].topic, asked) != 0) continue;
        s_lists[i].print();
        return wf_exitOk;
    }
    for (int i = 0; wfSceneSections[i] != NULL; ++i) {
        char topic[64];
        GetTopic(wfSceneSections[i], topic, sizeof topic);
        if (strcmp(topic, asked) == 0 || strcmp(wfSceneSections[i]->path, asked) == 0) return PrintSection(wfSceneSections[i]);
    }
    return UnknownTopic(asked);
}
