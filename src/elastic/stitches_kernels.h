// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/model.h"

typedef struct StitchTermsArgs {
    const wfStitch* stitches;
    const wfSeamTiming* seams;
    const double* time; // [s] on the device, so that a recorded graph sees it change
    const wfVec4* x;
    wfVec4* slots; // three a stitch: gradient of each point, a share of the energy
} StitchTermsArgs;
