// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/json.h"

#include "io/number.h"

#include <math.h>

void wfJson_PutText(FILE* out, const char* text) {
    putc('"', out);
    for (; *text != 0; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            putc(c, out);
        }
    }
    putc('"', out);
}

void wfJson_PutNumber(FILE* out, double x) {
    if (isfinite(x)) {
        char text[wf_numberSize];
        wfFormatNumber(text, x); // a decimal point under every locale
        fputs(text, out);
    } else {
        fputs("null", out);
    }
}
