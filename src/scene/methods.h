// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The methods that a scene names: how cloth moves, how contact is answered, how the two take turns.

#include "scene/params.h"
#include "step/step.h"

typedef struct wfMethods {
    const wfDynamicsType* dynamics;
    const wfContactType* contact;
    const wfStepperType* stepper;
} wfMethods;

/// Fails where there is no such method or where they do not fit; *field then is the parameter at fault, which the message does not name.
bool wfFindMethods(const wfSceneDef* def, wfMethods* out, const char** field, wfError* err);
