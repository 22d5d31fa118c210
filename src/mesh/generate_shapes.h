// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The makers behind wfGenerate, one a shape. Def is in range; `out` is {0} and is freed by the caller after a failure.

#include "mesh/generate.h"

typedef bool wfMakeFn(wfMesh* out, const wfGenerateDef* def, wfError* err);

wfMakeFn wfMakeSheet, wfMakeDisc;                                                            // generate_sheet.c
wfMakeFn wfMakeSphere, wfMakeCapsule, wfMakeCylinder, wfMakeCone, wfMakeFunnel, wfMakeTorus; // generate_round.c
wfMakeFn wfMakeRoundTable, wfMakeTableLegs, wfMakeRods;                                      // generate_round.c
wfMakeFn wfMakeBox, wfMakeStairs, wfMakeSpikes;                                              // generate_block.c
wfMakeFn wfMakeFigure, wfMakeCow;                                                            // generate_figure.c
wfMakeFn wfMakeRobe;                                                                         // generate_robe.c
wfMakeFn wfMakeDress, wfMakeGown, wfMakeLayeredDress, wfMakeSkirt, wfMakeShirt;              // generate_garments.c
wfMakeFn wfMakeTie;                                                                          // generate_tie.c

/// The flat shape of a mesh in the plane y = 0: (x, -z), so that a triangle that faces up is counter-clockwise in it.
void wfSetFlatFromAbove(wfMesh* mesh);
