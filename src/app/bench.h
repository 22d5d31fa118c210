// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The parts of `weft bench` that are named instead of a scene, one file each (bench_<name>.c). argv[0] is the part's own name.

#include "app/options.h"

int wfBench_Fabrics(int argc, char** argv);
int wfBench_Judge(int argc, char** argv);
int wfBench_Meshes(int argc, char** argv);
int wfBench_Hierarchy(int argc, char** argv);
int wfBench_Linear(int argc, char** argv);
int wfBench_Convergence(int argc, char** argv);

/// Opens a device for a benchmark; kind as in the choice "auto|cpu|cuda".
wfDevice* wfBench_OpenDevice(int kind, int threads, wfError* err);

/// The two options that say where, for tables whose AT finds `device` and `threads`.
#define WF_BENCH_DEVICE_ROWS                                                                                                \
    {.name = "device", .kind = wf_optionChoice, .offset = AT(device), .value = "auto|cpu|cuda", .about = "where to run"}, { \
        .name = "threads", .kind = wf_optionInt, .offset = AT(threads), .lo = 0, .hi = 1024, .value = "N",                  \
        .about = "CPU threads; 0 is one a core"                                                                             \
    }
