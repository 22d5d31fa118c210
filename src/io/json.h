// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The few things that are needed to write JSON by hand.

#include <stdio.h>

/// The text in quotes, with everything escaped that must be. Bytes above 127 are passed on: names are UTF-8.
void wfJson_PutText(FILE* out, const char* text);

/// A number, or null where it is not finite.
void wfJson_PutNumber(FILE* out, double x);
