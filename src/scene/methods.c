// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/methods.h"

#include <string.h>

static const char* StepperName(int i) { return wfStepperTypes[i] == NULL ? NULL : wfStepperTypes[i]->name; }
static const char* DynamicsName(int i) { return wfDynamicsTypes[i] == NULL ? NULL : wfDynamicsTypes[i]->name; }
static const char* ContactName(int i) { return wfContactTypes[i] == NULL ? NULL : wfContactTypes[i]->name; }

// The row of that name; nameAt gives NULL behind the last row.
static bool Find(const char* wanted, const char* (*nameAt)(int), int* out, wfError* err) {
    enum { maxNames = 32 };
    const char* names[maxNames];
    int count = 0;
    for (int i = 0; nameAt(i) != NULL; ++i) {
        if (strcmp(nameAt(i), wanted) == 0) {
            *out = i;
            return true;
        }
        if (count < maxNames) names[count++] = nameAt(i);
    }
    return wfFailUnknown(NULL, "name", wanted, names, count, err);
}

bool wfFindMethods(const wfSceneDef* def, wfMethods* out, const char** field, wfError* err) {
    int stepper = 0, dynamics, contact;
    *field = "dynamics";
    WF_TRY(Find(def->dynamics, DynamicsName, &dynamics, err));
    *field = "contact";
    WF_TRY(Find(def->contact, ContactName, &contact, err));
    *out = (wfMethods){.dynamics = wfDynamicsTypes[dynamics], .contact = wfContactTypes[contact]};
    if (strcmp(def->stepper, "auto") != 0) {
        *field = "stepper";
        WF_TRY(Find(def->stepper, StepperName, &stepper, err));
        out->stepper = wfStepperTypes[stepper];
        WF_TRY(out->stepper->accepts(out->dynamics, out->contact, err));
    } else {
        while (wfStepperTypes[stepper] != NULL && !wfStepperTypes[stepper]->accepts(out->dynamics, out->contact, NULL)) ++stepper;
        out->stepper = wfStepperTypes[stepper];
        if (out->stepper == NULL)
            return wfFail(err, wf_badInput, "no stepper takes \"%s\" with the dynamics \"%s\"", def->contact, def->dynamics);
    }
    *field = "rest_bend";
    if (def->rest_bend == wf_restStart && def->bending != wf_bendingQuadratic && def->bending != wf_bendingDihedral)
        return wfFail(err, wf_badInput, "start: expected bending quadratic or dihedral, which have rest angles");
    return true;
}
