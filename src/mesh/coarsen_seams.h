// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The stitches of a coarser model (mesh/coarsen.h).
//
// A stitch goes along where one of its ends is a vertex that stays and the other lies, but for a little, on a line between two that stay:
// along an even boundary that is every second one. Those of a seam that go along take over the stiffness of the others, so that the seam
// as a whole is as stiff. A seam none of whose stitches goes along is not there.

#include "mesh/coarsen.h"

/// Needs everything else of `coarse`.
bool wfCoarsenSeams(wfCoarseModel* coarse, const wfModel* fine, wfError* err);
