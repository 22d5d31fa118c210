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

/// Options that several benchmarks have, for tables whose AT finds the fields. Where it runs:
#define WF_BENCH_DEVICE_ROWS                                                                         \
    {"device", 0, wf_optionChoice, AT(device), .value = "auto|cpu|cuda", .about = "where to run"}, { \
        "threads", 0, wf_optionInt, AT(threads), 0, 1024, "N", "CPU threads; 0 is one a core"        \
    }
#define WF_BENCH_STEP_ROW(standard) \
    { "step", 0, wf_optionNumber, AT(step), 1e-5, 0.1, "SECONDS", "time step (default " standard ")" }
/// How something comes to rest.
#define WF_BENCH_REST_ROWS                                                                                                               \
    {"damping", 0, wf_optionNumber, AT(damping), 0, 1000, "RATE", "damping while it comes to rest, per second (default 10)"}, {          \
        "longest", 0, wf_optionNumber, AT(longest), 0.1, 1000, "SECONDS", "simulated time after which it is taken as it is (default 20)" \
    }
#define WF_BENCH_JSON_ROW \
    { "json", 0, wf_optionFlag, AT(json), .about = "one JSON object a line" }
