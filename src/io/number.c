// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reading: the first 19 digits fit into 64 bits; scaled in double by exact powers of ten they are wrong by a few units in the last of 53
// bits, while a float has 24. So the float is certain unless the double lies within those few units of the middle between two floats,
// or outside of the normal floats. These few (about one in ten million) go to strtof, as digits and exponent without a decimal point,
// which no locale reads differently.

enum {
    wf_mantissaDigits = 19, // as many as surely fit into 64 bits
    wf_slowDigits = 128,    // the middle between two floats has at most 113 digits
    wf_doubtUnits = 16,     // five roundings of half a unit each, generously
};

static const double s_powersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double ScaleByTen(double value, int power) {
    for (; power > 22; power -= 22) value *= 1e22;
    for (; power < -22; power += 22) value /= 1e22;
    return power < 0 ? value / s_powersOfTen[-power] : value * s_powersOfTen[power];
}

static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// digits: what lies between sign and exponent, a decimal point included. exponent: what follows the `e`.
static float ReadSlowly(const char* digits, const char* end, int64_t exponent) {
    char text[wf_slowDigits + 32];
    int count = 0;
    bool fraction = false, more = false;
    for (const char* p = digits; p < end; ++p) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        if (count < wf_slowDigits) {
            if (count > 0 || *p != '0') text[count++] = *p;
            exponent -= fraction;
        } else {
            more = more || *p != '0';
            exponent += !fraction;
        }
    }
    if (more) { // anything but zero behind the digits kept: just above them
        text[count++] = '1';
        --exponent;
    }
    if (exponent > 9999) exponent = 9999;
    if (exponent < -9999) exponent = -9999;
    snprintf(text + count, sizeof text - (size_t)count, "e%d", (int)exponent);
    return strtof(text, NULL);
}

const char* wfScanFloat(const char* at, const char* end, float* out) {
    const char* p = at;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';

    const char* digits = p;
    uint64_t mantissa = 0;
    int64_t scale = 0; // the mantissa is to be taken times ten to this
    int count = 0, used = 0;
    for (; p < end && IsDigit(*p); ++p, count = 1) {
        if (used < wf_mantissaDigits) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            used += mantissa != 0;
        } else {
            ++scale;
        }
    }
    if (p < end && *p == '.') {
        for (++p; p < end && IsDigit(*p); ++p, count = 1) {
            if (used < wf_mantissaDigits) {
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
                used += mantissa != 0;
                --scale;
            }
        }
    }
    if (count == 0) return NULL;
    const char* digitsEnd = p;

    int64_t exponent = 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char* q = p + 1;
        bool down = false;
        if (q < end && (*q == '-' || *q == '+')) down = *q++ == '-';
        if (q < end && IsDigit(*q)) {
            for (; q < end && IsDigit(*q); ++q) {
                if (exponent < INT64_MAX / 100) exponent = exponent * 10 + (*q - '0');
            }
            if (down) exponent = -exponent;
            p = q;
        }
    }

    scale += exponent;
    float value;
    if (mantissa == 0 || scale < -66) { // below 1e-47, less than half of the smallest float
        value = 0.0f;
    } else if (scale > 39) {
        value = INFINITY;
    } else {
        double wide = ScaleByTen((double)mantissa, (int)scale);
        uint64_t bits;
        memcpy(&bits, &wide, sizeof bits);
        int64_t fromMiddle = (int64_t)(bits & 0x1fffffff) - 0x10000000; // the 29 bits that a float has not
        bool doubt = fromMiddle >= -wf_doubtUnits && fromMiddle <= wf_doubtUnits;
        if (doubt || wide <= 2.0 * (double)FLT_MIN || wide >= (double)FLT_MAX) {
            value = ReadSlowly(digits, digitsEnd, exponent);
        } else {
            value = (float)wide;
        }
    }
    *out = negative ? -value : value;
    return p;
}

const char* wfScanInt(const char* at, const char* end, int64_t* out) {
    const char* p = at;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (p == end || !IsDigit(*p)) return NULL;
    int64_t value = 0;
    for (; p < end && IsDigit(*p); ++p) {
        int digit = *p - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *out = negative ? -value : value;
    return p;
}

// Writing: nine digits are the number scaled to [1e8, 1e9) and rounded. Scaling in double is wrong by some 1e-15 of the number, half of the
// ninth digit is 5e-9 of it at most, and half of the way to the next float 2.9e-8 at least: what is read back is the same float.

int wfFormatNumber(char out[wf_numberSize], double value) {
    char* p = out;
    if (signbit(value)) *p++ = '-';
    value = fabs(value);
    if (value == 0.0) {
        *p++ = '0';
        *p = 0;
        return (int)(p - out);
    }
    int binary;
    frexp(value, &binary);
    int exponent = (int)floor((binary - 1) * 0.30103); // of ten: this or one more (two, near the ends of double)
    double scaled = rint(ScaleByTen(value, 8 - exponent));
    while (scaled >= 1e9) scaled = rint(ScaleByTen(value, 8 - ++exponent));

    char digits[9];
    uint32_t rest = (uint32_t)scaled;
    for (int i = 8; i >= 0; --i, rest /= 10) digits[i] = (char)('0' + rest % 10);
    int count = 9;
    while (count > 1 && digits[count - 1] == '0') --count;

    bool scientific = exponent < -4 || exponent >= 9; // as printf's %g chooses
    int point = scientific ? 1 : exponent + 1;        // digits before it
    if (point <= 0) *p++ = '0';
    for (int i = point < 0 ? point : 0; i < count || i < point; ++i) {
        if (i == point) *p++ = '.';
        *p++ = i < 0 || i >= count ? '0' : digits[i];
    }
    if (scientific) p += snprintf(p, 8, "e%+03d", exponent);
    *p = 0;
    return (int)(p - out);
}
