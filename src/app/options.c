// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "base/error.h"
#include "scene/params.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { helpWidth = 100, helpColumn = 30, maxRows = 64 };

void wfPrintWrapped(const char* text, int column, int indent) {
    while (*text == ' ') text++;
    for (const char* word = text; *word != 0;) {
        int length = (int)strcspn(word, " ");
        if (word != text && column + 1 + length > helpWidth) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (word != text) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, word);
        column += length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static const wfCommand* FindCommand(const char* name) {
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

static void PrintOption(const char* name, char letter, const char* value, const char* about) {
    char left[128];
    int column = letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s", letter, name) : snprintf(left, sizeof left, "      --%s", name);
    if (value != NULL) column += snprintf(left + column, sizeof left - (size_t)column, " %s", value);
    fputs(left, stdout);
    if (column + 2 > helpColumn) {
        printf("\n%*s", helpColumn, "");
    } else {
        printf("%*s", helpColumn - column, "");
    }
    wfPrintWrapped(about, helpColumn, helpColumn);
}

static int PrintHelp(const wfOptionTable* table) {
    const wfCommand* command = FindCommand(table->command);
    if (command != NULL)
        printf("usage: weft %s\n\n%s\n", command->synopsis, command->about);
    else
        printf("usage: weft %s [options]\n", table->command); // a part of a command
    printf("\noptions:\n");
    for (int i = 0; i < table->count; ++i) {
        const wfOption* row = &table->rows[i];
        PrintOption(row->name, row->letter, row->kind == wf_optionFlag ? NULL : row->value, row->about);
    }
    PrintOption("help", 'h', NULL, "print this");
    if (table->notes != NULL) printf("\n%s", table->notes);
    return wf_exitOk;
}

/// One of "a|b|c", counted from 0; -1 where it is none of them.
static int FindChoice(const char* names, const char* text) {
    size_t length = strlen(text);
    for (int index = 0;; ++index) {
        size_t n = strcspn(names, "|");
        if (n == length && memcmp(names, text, n) == 0) return index;
        if (names[n] == 0) return -1;
        names += n + 1;
    }
}

static bool SetValue(const wfOption* row, void* out, const char* text, wfError* err) {
    void* field = (char*)out + row->offset;
    char* end = NULL;
    errno = 0;
    switch (row->kind) {
    case wf_optionFlag:
        *(bool*)field = true;
        return true;
    case wf_optionText:
        *(const char**)field = text;
        return true;
    case wf_optionInt: {
        long long n = strtoll(text, &end, 10);
        if (end == text || *end != 0 || errno != 0 || (double)n < row->lo || (double)n > row->hi) {
            return wfFail(err, wf_badInput, "--%s: expected a whole number in [%.0f, %.0f], got \"%s\"", row->name, row->lo, row->hi, text);
        }
        *(int*)field = (int)n;
        return true;
    }
    case wf_optionNumber: {
        double x = strtod(text, &end);
        if (end == text || *end != 0 || !isfinite(x) || x < row->lo || x > row->hi) {
            return wfFail(err, wf_badInput, "--%s: expected a number in [%g, %g], got \"%s\"", row->name, row->lo, row->hi, text);
        }
        *(double*)field = x;
        return true;
    }
    case wf_optionChoice: {
        int index = FindChoice(row->value, text);
        if (index < 0) return wfFail(err, wf_badInput, "--%s: expected one of %s, got \"%s\"", row->name, row->value, text);
        *(int*)field = index;
        return true;
    }
    case wf_optionList: {
        wfTextList* list = field;
        if (list->count == wf_textListSize) return wfFail(err, wf_badInput, "--%s: given more than %d times", row->name, wf_textListSize);
        list->items[list->count++] = text;
        return true;
    }
    }
    return false;
}

static bool FailUnknown(const wfOptionTable* table, const char* argument, size_t length, wfError* err) {
    const char* names[maxRows + 1];
    int count = 0;
    for (int i = 0; i < table->count && count < maxRows; ++i) names[count++] = table->rows[i].name;
    names[count++] = "help";
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), argument);
    const char* nearest = wfNearestName(name + strspn(name, "-"), names, count);
    if (nearest != NULL) return wfFail(err, wf_badInput, "%s: unknown option %s; did you mean --%s?", table->command, name, nearest);
    return wfFail(err, wf_badInput, "%s: unknown option %s; see weft help %s", table->command, name, table->command);
}

/// Reads the option at argv[*index] and moves *index to the last argument that belongs to it. *help is set by --help.
static bool ParseOption(const wfOptionTable* table, int argc, char** argv, int* index, void* out, bool* help, wfError* err) {
    const char* argument = argv[*index];
    bool isLong = argument[1] == '-';
    size_t length = isLong ? strcspn(argument, "=") : 2;
    const char* attached = argument[length] == 0 ? NULL : argument + length + (isLong ? 1 : 0);
    if ((isLong && length == 6 && memcmp(argument, "--help", 6) == 0) || strcmp(argument, "-h") == 0) {
        *help = true;
        return true;
    }
    const wfOption* row = NULL;
    for (int i = 0; i < table->count && row == NULL; ++i) {
        const wfOption* candidate = &table->rows[i];
        bool same = isLong ? strlen(candidate->name) == length - 2 && memcmp(candidate->name, argument + 2, length - 2) == 0
                           : candidate->letter != 0 && candidate->letter == argument[1];
        if (same) row = candidate;
    }
    if (row == NULL) return FailUnknown(table, argument, isLong ? length : strlen(argument), err);
    if (row->kind == wf_optionFlag) {
        if (attached != NULL) return wfFail(err, wf_badInput, "--%s takes no value, got \"%s\"", row->name, attached);
        return SetValue(row, out, NULL, err);
    }
    if (attached == NULL) {
        if (*index + 1 >= argc) return wfFail(err, wf_badInput, "--%s: expected a value (%s)", row->name, row->value);
        attached = argv[++*index];
    }
    return SetValue(row, out, attached, err);
}

int wfParseOptions(const wfOptionTable* table, int* argc, char** argv, void* out) {
    wfError err = {0};
    bool help = false, optionsEnded = false;
    int kept = 1;
    for (int i = 1; i < *argc; ++i) {
        if (!optionsEnded && strcmp(argv[i], "--") == 0) {
            optionsEnded = true;
        } else if (optionsEnded || argv[i][0] != '-' || argv[i][1] == 0) {
            argv[kept++] = argv[i];
        } else if (!ParseOption(table, *argc, argv, &i, out, &help, &err)) {
            return wfApp_Fail(&err);
        } else if (help) {
            return PrintHelp(table);
        }
    }
    *argc = kept;
    const wfCommand* command = FindCommand(table->command);
    const char* synopsis = command != NULL ? command->synopsis : table->command;
    if (kept - 1 < table->minArguments) {
        wfFail(&err, wf_badInput, "%s: too few arguments; usage: weft %s", table->command, synopsis);
        return wfApp_Fail(&err);
    }
    if (kept - 1 > table->maxArguments) {
        const char* first = argv[1 + table->maxArguments];
        wfFail(&err, wf_badInput, "%s: unexpected argument \"%s\"; usage: weft %s", table->command, first, synopsis);
        return wfApp_Fail(&err);
    }
    return wf_exitGoOn;
}
