// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The parameter lists (weft/params/*.inl) as data: one row a parameter. Defaults, range checks, the scene reader, `weft help` and the
// docs table all read these rows.

#include "mesh/generate.h"
#include "weft/types.h"

typedef enum wfParamType { wf_paramFloat, wf_paramInt, wf_paramBool, wf_paramVec3, wf_paramColor, wf_paramEnum, wf_paramName } wfParamType;

typedef struct wfParam {
    wfParamType type;
    const char* name;
    size_t offset;     // in the Def struct
    double value[3];   // default (enum: its number); names use `text`
    const char* text;  // default of a name
    double lo, hi;     // range, ends included
    const char* unit;  // "" where there is none
    const char* names; // enum: "y|z"
    const char* meaning;
} wfParam;

typedef struct wfParamTable {
    const char* section; // "scene", "cloth", …
    const wfParam* rows;
    int count;
} wfParamTable;

extern const wfParamTable wfSceneParams, wfFabricParams, wfClothParams, wfColliderParams, wfPinParams, wfSeamParams, wfFrictionParams,
    wfGenerateParams;

/// All tables, ended by NULL.
extern const wfParamTable* const wfParamTables[];

const wfParam* wfParamTable_Find(const wfParamTable* table, const char* name); // NULL if there is none
void wfParamTable_SetDefaults(const wfParamTable* table, void* def);

/// Range-checks every field of a Def that was filled in code; the message is `where` + ": thickness: expected a number in [a, b] m, got c".
bool wfParamTable_Check(const wfParamTable* table, const void* def, const char* where, wfError* err);

/// "a number in [1e-06, 0.1] m", "true or false", "one of y, z", …: what messages and help say of a row.
void wfParam_Expected(const wfParam* row, char* text, size_t size);

/// Writes numbers (1, or 3 for vec3 and colours), a bool or an enum as a number, after the range check. Here `where` is the whole place,
/// with the field: `where` + ": expected a number in [a, b] m, got c". On failure the Def keeps what it had.
bool wfParam_SetNumbers(const wfParam* row, void* def, const double* value, int count, const char* where, wfError* err);
/// Writes a name, an enum by name ("known: …" when wrong, nearest suggested), or "#rrggbb" (sRGB, kept as linear). `where` as for numbers.
/// Names become file names, so they may not hold "/", "\\" or control characters nor begin with ".".
bool wfParam_SetText(const wfParam* row, void* def, const char* text, const char* where, wfError* err);

/// "where: unknown kind "wrong"; did you mean "near"? known: …"; without `where` where that is NULL. Returns false.
bool wfFailUnknown(const char* where, const char* kind, const char* wrong, const char* const* names, int count, wfError* err);

/// The name among `count` that is nearest to a misspelt one, or NULL where none is near.
const char* wfNearestName(const char* wrong, const char* const* names, int count);

/// Copies text into quotes for a message: control characters become \xNN and a long one is cut. Returns `out`.
const char* wfQuote(char* out, size_t size, const char* text);
