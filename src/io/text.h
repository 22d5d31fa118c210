// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A text in memory, read word by word. Lines end in \n, \r\n or \r.

#include "base/error.h"

typedef struct wfText {
    const char *at, *end;
    long line; // of `at`, from 1
} wfText;

/// The next run of bytes without blanks and line ends. False at the end of the text.
bool wfText_NextWord(wfText* text, const char** word, const char** wordEnd);

enum { wf_quoteSize = 64 };

/// A piece of a file for a message: without blanks around, one line, cut where too long, odd bytes as '?'. Returns out.
const char* wfQuoteSpan(char out[wf_quoteSize], const char* at, const char* end);

/// Whether a word is this name, letters of either case taken as equal. The name is given in lower case.
bool wfWordIs(const char* word, const char* wordEnd, const char* name);
