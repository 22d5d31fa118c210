// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The options of a command as one table, which both reads the command line and makes its help text.
//
//     typedef struct CheckOptions { bool each; int limit; } CheckOptions;
//     static const wfOption s_rows[] = {
//         {.name = "each", .kind = wf_optionFlag, .offset = offsetof(CheckOptions, each), .about = "take the files one by one"},
//         {.name = "limit", .letter = 'n', .kind = wf_optionInt, .offset = offsetof(CheckOptions, limit), .lo = 1, .hi = 1e6, .value = "N",
//          .about = "stop after N pairs"},
//     };
//     static const wfOptionTable s_table = {.command = "check", .rows = s_rows, .count = 2, .minArguments = 1, .maxArguments = INT_MAX};
//
//     int wfCmd_Check(int argc, char** argv) {
//         CheckOptions o = {.limit = 100};
//         int code = wfParseOptions(&s_table, &argc, argv, &o);
//         if (code != wf_exitGoOn) return code;      // the help or the error has been printed
//         for (int i = 1; i < argc; ++i) …           // argv[1 .. argc-1] are the arguments that are no options
//
// "--name value", "--name=value", "-n value" and "-nvalue" are the same; "--" ends the options; "-" alone is an argument.

#include "app/commands.h"

typedef enum wfOptionKind {
    wf_optionFlag,   // bool: true when given
    wf_optionInt,    // int in [lo, hi]
    wf_optionNumber, // double in [lo, hi]
    wf_optionText,   // const char*
    wf_optionChoice, // int: which of `value`, "auto|cpu|cuda", counted from 0
    wf_optionList,   // wfTextList: may be given several times
} wfOptionKind;

enum { wf_exitGoOn = -1, wf_textListSize = 64 };

typedef struct wfTextList {
    const char* items[wf_textListSize]; // into argv
    int count;
} wfTextList;

typedef struct wfOption {
    const char* name; // without "--"
    char letter;      // short name, or 0
    wfOptionKind kind;
    size_t offset;     // of the field in the command's struct
    double lo, hi;     // int and number
    const char* value; // how help writes the value, "N"; the names of a choice; unused for a flag
    const char* about;
} wfOption;

typedef struct wfOptionTable {
    const char* command; // its synopsis and meaning stand in wfCommands
    const wfOption* rows;
    int count;
    int minArguments, maxArguments; // how many arguments that are no options
    const char* notes;              // more help, behind the options; NULL: none
} wfOptionTable;

/// Fills the struct `out` (set to its defaults by the caller) and moves the other arguments to argv[1 .. *argc-1].
/// Returns wf_exitGoOn, or an exit code: wf_exitOk after "--help" was answered, wf_exitBadInput after an error was printed.
int wfParseOptions(const wfOptionTable* table, int* argc, char** argv, void* out);

/// Prints `text` with lines broken at 100 columns; lines after the first start at column `indent`.
void wfPrintWrapped(const char* text, int column, int indent);
