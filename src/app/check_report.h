// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// How `weft check` says what it found, to people and as JSON.

#include "app/check_scene.h"

extern const char wfCheckMethod[];

/// `name` is the file or folder, `frame` that of a run or -1. The text of a run's frame is left out where nothing intersects.
bool wfCheck_PrintText(const wfCheckScene* scene, const char* name, int frame, const wfCheckResult* result, wfError* err);
/// One object on one line.
bool wfCheck_PrintJson(const wfCheckScene* scene, const char* name, int frame, const wfCheckResult* result, wfError* err);

/// "0.0012 m between triangle 3 of a and triangle 7 of b, at (0, 1, 2)", without a line's end.
void wfCheck_PrintGap(const wfCheckScene* scene, const wfGap* gap);
