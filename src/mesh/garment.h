// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Garments: flat panels, cut along curves, that lie about a figure without being stretched and are sewn together by the stitches that the
// mesh brings along. Lengths are parts of the wearer's height, heights are from the ground, and the wearer is that of figure_shape.h.
//
// Outlines run counter-clockwise and panels face outwards, so the two curves of an ordinary seam run against each other.

#include "mesh/panel.h"

/// How a panel lies. Each keeps all lengths.
typedef enum wfGarmentLay {
    /// Upright at z = middle + depth, before the wearer, and bent over the shoulders about the line where it reaches `bend`; lifted by
    /// `lift`. What is farther to a side than `flat` is rolled about the wearer there, with `radius`. With
    /// a negative depth behind the wearer, with the flat x to the left, so that it still faces outwards.
    wf_layHang,
    /// About a cylinder: the flat y goes along its axis, the flat x = 0 lies at `normal` from it.
    wf_layRoll,
    /// About an upright cone with its tip up: the flat point (0, apex) lies at the tip, which is at the height `origin[1]`, a flat circle
    /// about it becomes one about the axis, `slope` times as wide. Before the wearer, the axis at z = middle + depth, or behind, as above.
    wf_layCone,
    /// Along a path: the flat y goes along it, x across.
    wf_layRibbon,
} wfGarmentLay;

typedef struct wfRibbonPlace {
    double at[3], across[3];
} wfRibbonPlace;

/// Places at equal steps of its length, steps + 1 of them.
typedef struct wfRibbonPath {
    wfRibbonPlace* places;
    int steps;
    double length;
} wfRibbonPath;

typedef struct wfGarmentPlace {
    wfGarmentLay lay;
    double middle, depth, bend, lift, flat;
    double origin[3], axis[3], normal[3], radius;
    double apex, slope;
    const wfRibbonPath* path;
} wfGarmentPlace;

enum { wf_maxPanels = 48, wf_maxPanelCurves = 16, wf_maxGarmentSeams = 128, wf_curveSteps = 24 };

typedef struct wfGarmentCurve {
    int panel, first, count, parts; // its points, and edges
} wfGarmentCurve;

/// A curve of a panel.
typedef struct wfGarmentEdge {
    int panel, curve;
} wfGarmentEdge;

/// No edge is longer, in parts of the wearer's height, so that narrow pieces keep their shape.
#define wf_longestEdge 0.02

/// Fill it with the calls below and finish it. Start from {0}; a failure is kept and told at the end.
typedef struct wfGarment {
    const char* name;
    int panelCount, curveCount, seamCount, pointCount;
    size_t pointCapacity;
    void* points; // wfVec2
    struct {
        wfGarmentPlace place;
        int firstCurve, curveCount, creaseCount; // creases are the last of the curves
    } panels[wf_maxPanels];
    wfGarmentCurve curves[wf_maxPanels * wf_maxPanelCurves];
    struct {
        wfGarmentEdge a, b;
        bool along;
    } seams[wf_maxGarmentSeams];
    wfError* err;
    bool failed;
} wfGarment;

/// Begins a panel at a point; returns its number. The calls after it add curves to its outline, which must end where it began.
int wfGarment_Panel(wfGarment* g, wfGarmentPlace place, double x, double y);
void wfGarment_Line(wfGarment* g, double x, double y);
void wfGarment_Curve(wfGarment* g, double x1, double y1, double x2, double y2, double x, double y); // a cubic with those control points
void wfGarment_More(wfGarment* g, double x1, double y1, double x2, double y2, double x, double y);  // goes on with the same curve

/// Begins a line inside the panel, to which others are sewn, at a point; after all of its outline. The call after it adds its curve, whose
/// number this returns. Where it ends exactly at ends of other curves it shares their vertices.
int wfGarment_Crease(wfGarment* g, double x, double y);

/// Sews curve b to a. `along`: they run the same way, as those of layers do. Curves of about the same length get the same vertices;
/// otherwise the longer one is gathered.
void wfGarment_Sew(wfGarment* g, wfGarmentEdge a, wfGarmentEdge b, bool along);

/// Makes the mesh for a wearer of that height, about the origin, as the figure is. Frees what the garment holds in any case.
bool wfGarment_Finish(wfGarment* g, wfMesh* out, double height, double edge, wfError* err);
