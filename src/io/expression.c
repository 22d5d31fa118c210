// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/expression.h"

#include "scene/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxNesting = 32, maxVariables = 1000 };

typedef struct Input {
    const char* at;
    const wfVariable* variables;
    int count, depth;
    char* why;
    size_t size;
} Input;

static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
static bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static void SkipSpace(Input* in) { in->at += strspn(in->at, " \t"); }

bool wfIsVariableName(const char* text) {
    size_t length = 0;
    while (IsLetter(text[length]) || (length > 0 && IsDigit(text[length]))) ++length;
    return length > 0 && length < 64 && text[length] == 0;
}

// Decimal numbers only: strtod would also take hexadecimal ones, inf and nan.
static bool ReadNumber(Input* in, double* out) {
    const char* s = in->at;
    while (IsDigit(*s)) ++s;
    bool any = s > in->at;
    if (*s == '.') {
        const char* point = s++;
        while (IsDigit(*s)) ++s;
        any = any || s > point + 1;
    }
    if (!any) return false;
    if (*s == 'e' || *s == 'E') {
        const char* e = s + 1 + (s[1] == '+' || s[1] == '-');
        if (!IsDigit(*e)) return false;
        while (IsDigit(*e)) ++e;
        s = e;
    }
    char* end = NULL;
    *out = strtod(in->at, &end);
    if (end != s) return false;
    in->at = s;
    return true;
}

static bool ReadVariable(Input* in, double* out) {
    char name[64];
    size_t length = 0;
    ++in->at;
    while (IsLetter(in->at[length]) || (length > 0 && IsDigit(in->at[length]))) ++length;
    if (length == 0 || length >= sizeof name) return false;
    memcpy(name, in->at, length);
    name[length] = 0;
    in->at += length;
    const char* names[maxVariables];
    for (int i = 0; i < in->count; ++i) {
        if (strcmp(in->variables[i].name, name) == 0) {
            *out = in->variables[i].value;
            return true;
        }
        if (i < maxVariables) names[i] = in->variables[i].name;
    }
    const char* near = wfNearestName(name, names, in->count < maxVariables ? in->count : maxVariables);
    snprintf(in->why, in->size, near != NULL ? "unknown parameter \"$%s\"; did you mean \"$%s\"?" : "unknown parameter \"$%s\"", name,
             near);
    return false;
}

static bool ReadSum(Input* in, double* out);

static bool ReadFactor(Input* in, double* out) {
    double sign = 1.0;
    for (SkipSpace(in); *in->at == '-' || *in->at == '+'; SkipSpace(in)) {
        if (*in->at++ == '-') sign = -sign;
    }
    bool ok = false;
    if (*in->at == '(') {
        ++in->at;
        if (++in->depth > maxNesting) return false;
        ok = ReadSum(in, out);
        --in->depth;
        SkipSpace(in);
        ok = ok && *in->at == ')';
        if (ok) ++in->at;
    } else {
        ok = *in->at == '$' ? ReadVariable(in, out) : ReadNumber(in, out);
    }
    if (ok) *out *= sign;
    return ok;
}

static bool ReadProduct(Input* in, double* out) {
    if (!ReadFactor(in, out)) return false;
    for (SkipSpace(in); *in->at == '*' || *in->at == '/'; SkipSpace(in)) {
        char sign = *in->at++;
        double right;
        if (!ReadFactor(in, &right)) return false;
        *out = sign == '*' ? *out * right : *out / right;
    }
    return true;
}

static bool ReadSum(Input* in, double* out) {
    if (!ReadProduct(in, out)) return false;
    for (SkipSpace(in); *in->at == '+' || *in->at == '-'; SkipSpace(in)) {
        char sign = *in->at++;
        double right;
        if (!ReadProduct(in, &right)) return false;
        *out = sign == '+' ? *out + right : *out - right;
    }
    return true;
}

bool wfEvaluate(const char* text, const wfVariable* variables, int count, double* out, char* why, size_t size) {
    Input in = {.at = text, .variables = variables, .count = count, .why = why, .size = size};
    why[0] = 0;
    if (!ReadSum(&in, out) || *in.at != 0) return false;
    if (isfinite(*out)) return true;
    char quoted[64];
    snprintf(why, size, "expected a finite number, got %s", wfQuote(quoted, sizeof quoted, text));
    return false;
}
