// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Three kinds of check, never mixed: WF_ASSERT for our own bugs (debug builds), WF_VALIDATE for slow whole-structure checks
// (-DWEFT_VALIDATE=ON), and wfFail for what callers and files say (always on).

#include <assert.h>

#define WF_ASSERT(condition) assert(condition)

#if defined(WF_VALIDATE_STRUCTURES)
#define WF_VALIDATE(condition) assert(condition)
#else
#define WF_VALIDATE(condition) ((void)0)
#endif
