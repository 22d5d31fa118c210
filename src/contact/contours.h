// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The curves in which surfaces cross (Ye, Nyberg and Xiong, section IV; Wicke et al. 2006). A crossing is registered to its hosts: the
// triangles of its edge and its face. Two triangles that cross have two crossings in common, or one and a vertex that they share, the loop
// vertex; these are the pieces of a contour, and a contour is a row of crossings.
//
// On the surfaces a contour is two strands: each piece lies in two triangles, and at a crossing one strand goes on over the edge, the other
// stays in the face. At a loop vertex the strands meet, and become one curve. What a curve is, by its ends:
//   CL   closed                           BB   from boundary to boundary
//   BI   from boundary to the inside      II   inside at both ends
//   BLI  from boundary by a loop vertex to the inside

#include "contact/crossings.h"

typedef enum wfCurveType { wf_curveCL, wf_curveBB, wf_curveBI, wf_curveBLI, wf_curveII, wf_curveTypeCount } wfCurveType;

/// What a contour is: its two curves, or the one.
typedef enum wfContourKind {
    wf_contourCLCL,
    wf_contourCL, // one closed curve, of both strands: between two loop vertices, or where the strands change places
    wf_contourBBII,
    wf_contourBIBI,
    wf_contourBLI,
    wf_contourKindCount
} wfContourKind;

extern const char* const wfContourNames[wf_contourKindCount]; // "CL/CL", …

/// A crossing on its contour.
typedef struct wfStop {
    int crossing;
    int strand; // 0 or 1: the one that goes over the edge; the other is in the face
} wfStop;

typedef struct wfContour {
    int firstStop, stopCount;
    bool closed; // the last stop is followed by the first
    wfContourKind kind;
    wfCurveType type[2];    // of the strands; both the same where they are one curve
    bool single;            // the strands are one curve
    int loop[2];            // loop vertices at the ends, or -1
    int firstVia, viaCount; // loop vertices on the way
} wfContour;

typedef struct wfContours {
    wfContour* items;
    int count;
    wfStop* stops;
    int* vias;
} wfContours;

/// Memory from `arena`.
bool wfContours_Create(wfContours* out, const wfTopology* topology, const wfCrossings* crossings, wfArena* arena, wfError* err);
