// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

/// From now on the first interrupt or termination asks to stop, so that nothing half done stays; a second one ends the program at once.
void wfCatchSignals(void);

/// A signal has asked to stop.
bool wfIsStopped(void);
