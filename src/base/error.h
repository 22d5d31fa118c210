// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "weft/base.h"

/// Keeps the first failure and returns false, so that a failing function can end in `return wfFail(err, code, "…", …)`.
WF_EXTERN bool wfFail(wfError* err, wfErrorCode code, const char* format, ...) WF_PRINTF(3, 4);

#define WF_TRY(call)               \
    do {                           \
        if (!(call)) return false; \
    } while (0)
