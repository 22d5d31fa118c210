// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The commands of the weft tool, one file each (cmd_<name>.c). argv[0] is the command's own name.
// Exit codes: 0 done, 1 the answer is no (intersections found, a run that could not go on), 2 bad input, 3 device or system failure,
// 130 interrupted. Errors are one line on stderr, "weft: …"; results go to stdout.

#include "weft/io.h"

enum { wf_exitOk = 0, wf_exitNo = 1, wf_exitBadInput = 2, wf_exitFailed = 3, wf_exitInterrupted = 130 };

typedef struct wfCommand {
    const char* name;
    const char* synopsis; // "run SCENE -o DIR [options]"
    const char* about;    // one line
    int (*run)(int argc, char** argv);
} wfCommand;

int wfCmd_Run(int argc, char** argv);
int wfCmd_Check(int argc, char** argv);
int wfCmd_Info(int argc, char** argv);
int wfCmd_Scenes(int argc, char** argv);
int wfCmd_Render(int argc, char** argv);
int wfCmd_Untangle(int argc, char** argv);
int wfCmd_Subdivide(int argc, char** argv);
int wfCmd_Remesh(int argc, char** argv);
int wfCmd_Bench(int argc, char** argv);
int wfCmd_Help(int argc, char** argv);

extern const wfCommand wfCommands[]; // ended by a NULL name

/// Prints "weft: <text>" and returns the exit code that fits the error.
int wfApp_Fail(const wfError* err);

/// The path of a scene: a file of that name, or a built-in scene. False with the nearest names where there is neither.
bool wfApp_FindScene(const char* name, char* path, size_t size, wfError* err);
