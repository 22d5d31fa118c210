// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Small arithmetic for scene files: numbers, $variables, + - * / and parentheses.

#include "weft/base.h"

typedef struct wfVariable {
    const char* name; // without the $
    double value;
} wfVariable;

/// Evaluates the whole text. On failure `why` says what is wrong; it is "" where the text is simply no number.
bool wfEvaluate(const char* text, const wfVariable* variables, int count, double* out, char* why, size_t size);

bool wfIsVariableName(const char* text); // letters, digits and _, not beginning with a digit, at most 63
