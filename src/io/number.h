// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Numbers in text files: the same under every locale, and the nearest float, as strtof would give in the C locale.

#include "base/error.h"

enum { wf_numberSize = 32 }; // bytes that hold any number that wfFormatNumber writes

/// Reads a decimal number that begins at `at` (sign, digits, fraction, exponent; no blanks, no hexadecimal, no inf or nan).
/// Returns the first byte behind it, or NULL where none begins. What is too large becomes infinity.
const char* wfScanFloat(const char* at, const char* end, float* out);

/// The same for a whole number; what is too large stays at the largest int64_t (or its negative).
const char* wfScanInt(const char* at, const char* end, int64_t* out);

/// Writes a finite number with 9 significant digits, which give every float back exactly. Returns the length.
int wfFormatNumber(char out[wf_numberSize], double value);
