// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

/// Seconds of a monotonic clock.
double wfSeconds(void);
