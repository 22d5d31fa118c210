// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A cloth mesh made anew with edges of one length (mesh/panel.h), piece by piece in its flat pattern.

#include "mesh/fill.h"

typedef struct wfRemeshDef {
    const char* name; // opens messages
    float edge;       // [m] length of edges in the pattern; a little more or less where that gives a small mesh much more even ones
} wfRemeshDef;

typedef struct wfRemeshReport {
    int pieceCount;                  // parts of the pattern that hang together
    int seamCount;                   // runs of the boundary that are sewn to others
    wfEdgeLengths lengths;           // in the pattern
    int shortestPiece, longestPiece; // where those edges are, counted from 0
} wfRemeshReport;

/// The pattern is the flat shape, or, of a mesh without one, each connected piece in its plane. Corners of the pattern, ends of seams and
/// stitched vertices that no seam explains are kept; the boundary between them is divided anew; new vertices lie on the old surface.
/// Seams, be they vertices that two pieces share or rows of stitches from edge to edge, are divided alike on all sides, so that they are
/// shared or stitched vertex for vertex again. Vertices without a triangle go.
/// Fails (wf_badInput) where the pattern is not a flat manifold, or the edges are too long for it. `out` must be {0}, and is {0} again
/// after a failure.
bool wfRemesh(wfMesh* out, const wfMesh* in, const wfRemeshDef* def, wfRemeshReport* report, wfError* err);
