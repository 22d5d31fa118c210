// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "base/error.h"
#include "scene/params.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { maxNames = 64 };

static int Overview(void) {
    printf("weft %s, a cloth engine\n\ncommands:\n", wfVersion());
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        printf("  weft %-42s ", c->synopsis);
        wfPrintWrapped(c->about, 50, 50);
    }
    printf("\nweft help COMMAND explains a command. What scene files can say: weft help");
    for (int i = 0; wfParamTables[i] != NULL; ++i) printf(" %s%s", i > 0 ? "| " : "", wfParamTables[i]->section);
    printf(".\n");
    return wf_exitOk;
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

static int PrintTable(const wfParamTable* table) {
    printf("%s: parameter, default, range and unit, meaning\n\n", table->section);
    for (int i = 0; i < table->count; ++i) {
        char value[96], range[256];
        FormatDefault(&table->rows[i], value, sizeof value);
        FormatRange(&table->rows[i], range, sizeof range);
        if (range[0] != 0) {
            printf("  %-14s %-20s %s\n      ", table->rows[i].name, value, range);
        } else {
            printf("  %-14s %s\n      ", table->rows[i].name, value);
        }
        wfPrintWrapped(table->rows[i].meaning, 6, 6);
    }
    return wf_exitOk;
}

static int UnknownTopic(const char* topic) {
    const char* names[maxNames];
    int count = 0;
    for (const wfCommand* c = wfCommands; c->name != NULL && count < maxNames; ++c) names[count++] = c->name;
    for (int i = 0; wfParamTables[i] != NULL && count < maxNames; ++i) names[count++] = wfParamTables[i]->section;
    const char* nearest = wfNearestName(topic, names, count);
    wfError err = {0};
    if (nearest != NULL) {
        wfFail(&err, wf_badInput, "help: nothing about \"%s\"; did you mean %s?", topic, nearest);
    } else {
        wfFail(&err, wf_badInput, "help: nothing about \"%s\"; see weft help", topic);
    }
    return wfApp_Fail(&err);
}

static const wfOptionTable s_table = {.command = "help", .maxArguments = 1};

int wfCmd_Help(int argc, char** argv) {
    int code = wfParseOptions(&s_table, &argc, argv, NULL);
    if (code != wf_exitGoOn) return code;
    if (argc < 2) return Overview();
    const char* topic = argv[1];
    for (int i = 0; wfParamTables[i] != NULL; ++i) {
        if (strcmp(wfParamTables[i]->section, topic) == 0) return PrintTable(wfParamTables[i]);
    }
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        if (strcmp(c->name, topic) != 0) continue;
        static char option[] = "--help";
        char* arguments[] = {argv[1], option, NULL};
        return c->run(2, arguments);
    }
    return UnknownTopic(topic);
}
