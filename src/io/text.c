// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/text.h"

#include <string.h>

static bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool wfText_NextWord(wfText* text, const char** word, const char** wordEnd) {
    const char *p = text->at, *end = text->end;
    for (; p < end && IsBlank(*p); ++p) text->line += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    *word = p;
    while (p < end && !IsBlank(*p)) ++p;
    *wordEnd = p;
    text->at = p;
    return *word < p;
}

const char* wfQuoteSpan(char out[wf_quoteSize], const char* at, const char* end) {
    static const char dots[] = "…";
    while (at < end && IsBlank(*at)) ++at;
    while (at < end && IsBlank(end[-1])) --end;
    size_t count = 0, room = wf_quoteSize - sizeof dots;
    for (; at < end && count < room; ++at) out[count++] = *at == '\t' ? ' ' : *at >= ' ' && *at <= '~' ? *at : '?';
    if (at < end) {
        memcpy(out + count, dots, sizeof dots);
    } else {
        out[count] = 0;
    }
    return out;
}

bool wfWordIs(const char* word, const char* wordEnd, const char* name) {
    for (; word < wordEnd && *name != 0; ++word, ++name) {
        char c = *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word;
        if (c != *name) return false;
    }
    return word == wordEnd && *name == 0;
}
