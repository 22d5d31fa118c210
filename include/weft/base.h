// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// weft, a cloth engine: version, export, error. All units are SI (metre, kilogram, second, radian), right-handed, y up.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

#if defined(__cplusplus)
#define WF_EXTERN extern "C"
#else
#define WF_EXTERN extern
#endif

#if defined(__GNUC__)
#define WF_API             WF_EXTERN __attribute__((visibility("default")))
#define WF_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#else
#define WF_API WF_EXTERN
#define WF_PRINTF(fmt, va)
#endif

typedef enum wfErrorCode {
    wf_ok = 0,
    wf_badInput,     // what the caller or a file said is wrong: the text names the place, the field, what was expected and what came
    wf_fileFailed,   // a file could not be opened, read or written
    wf_outOfMemory,  // the text names what was asked for
    wf_deviceFailed, // the compute device failed; it stays failed
    wf_stepFailed,   // the simulation cannot go on: the text names frame, object, vertex and why
    wf_cancelled,    // a callback asked to stop
} wfErrorCode;

/// Filled by every call that can fail; the first failure is kept. Start from {0}; NULL is allowed everywhere.
typedef struct wfError {
    wfErrorCode code;
    char text[512];
} wfError;

typedef struct wfVec3 {
    float x, y, z;
} wfVec3;

/// Unit quaternion; {0, 0, 0, 1} is no rotation.
typedef struct wfQuat {
    float x, y, z, w;
} wfQuat;
