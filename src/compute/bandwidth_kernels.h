// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

typedef struct TriadArgs {
    float* a;
    const float *b, *c;
    float s;
    int count;
} TriadArgs;
