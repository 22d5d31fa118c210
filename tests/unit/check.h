// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// cmocka with what it needs before it, and a comparison of numbers that prints both sides.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "base/error.h"

#include <math.h>

#define CHECK_NEAR(a, b, tolerance)                                                                                          \
    do {                                                                                                                     \
        double a_ = (a), b_ = (b), t_ = (tolerance);                                                                         \
        if (!(fabs(a_ - b_) <= t_)) fail_msg("%s = %.9g, %s = %.9g, |diff| %.3g > %.3g", #a, a_, #b, b_, fabs(a_ - b_), t_); \
    } while (0)

/// For calls that must succeed: prints the error text when they do not.
#define CHECK_OK(call, err)                                 \
    do {                                                    \
        if (!(call)) fail_msg("%s: %s", #call, (err).text); \
    } while (0)

/// For calls that must fail with exactly this text.
#define CHECK_FAILS(call, err, message)                                     \
    do {                                                                    \
        (err) = (wfError){0};                                               \
        if (call) fail_msg("%s succeeded, expected: %s", #call, (message)); \
        assert_string_equal((err).text, (message));                         \
    } while (0)
