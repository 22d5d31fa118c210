// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Pieces that several garments are cut of.

#include "mesh/garment.h"

/// The front or back of a garment that hangs from the shoulders: half widths and flat heights. Over the bust the way to the shoulder is
/// longer than it is high, so `top` is above the shoulders.
typedef struct wfBodiceCut {
    double hemHalf, hemY, hemDip;            // the hem, and how much lower its middle lies
    double hipHalf, hipY, waistHalf, waistY; // left out where the hem is above
    double armHalf, armY;                    // below the arm
    double shoulderHalf, slope;              // the shoulder seam, and how far it falls
    double neckHalf, neckDepth, top;
} wfBodiceCut;

/// Curves of a bodice.
enum {
    wf_bodiceHem,
    wf_bodiceSideRight,
    wf_bodiceArmRight,
    wf_bodiceShoulderRight,
    wf_bodiceNeckRight,
    wf_bodiceNeckLeft,
    wf_bodiceShoulderLeft,
    wf_bodiceArmLeft,
    wf_bodiceSideLeft
};

int wfCutBodice(wfGarment* g, wfGarmentPlace place, const wfBodiceCut* cut);

/// Sides and shoulders.
void wfSewBodice(wfGarment* g, int front, int back);

/// Hangs before (side 1) or behind (-1) the wearer, further out by `out`, over the shoulders where it is cut to reach them.
wfGarmentPlace wfHangPlace(const wfBodiceCut* cut, int side, double out);

/// How far apart layers lie, in parts of the wearer's height: farther where edges are long, since contact keeps vertices of different
/// layers apart by their length (1.55 edges in safe repulsion).
double wfLayerDistance(double height, double edge);

/// A sector of a circle that hangs down: of that angle, with an inner arc (the waist) of that length, so long, its waist's middle at y.
/// With a line below its waist by `line`, or none where that is 0, to which another is sewn.
typedef struct wfSectorCut {
    double angle, waist, length, y, line;
} wfSectorCut;

/// Curves of a sector; of one with a line, the sides of which are cut where it ends.
enum { wf_sectorHem, wf_sectorSideRight, wf_sectorWaist, wf_sectorSideLeft };
enum { wf_linedHem, wf_linedSideRight, wf_linedYokeRight, wf_linedWaist, wf_linedYokeLeft, wf_linedSideLeft, wf_linedLine };

int wfCutSector(wfGarment* g, wfGarmentPlace place, const wfSectorCut* cut);
/// Front and back at their sides.
void wfSewSectors(wfGarment* g, int front, int back, bool lined);

/// About a cone before (side 1) or behind (-1) the wearer, its waist further out than a bodice by `out`. Two such sectors almost meet at
/// their sides. Those of the same circle, over `layer` others, lie `apart` outside of each, everywhere.
wfGarmentPlace wfConePlace(const wfSectorCut* cut, int side, double out, int layer, double apart);
