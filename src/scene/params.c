// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/params.h"

#include "base/assert.h"
#include "base/error.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Enums are read and written through int.
static_assert(sizeof(wfUpAxis) == sizeof(int) && sizeof(wfShapeKind) == sizeof(int) && sizeof(wfInterpolation) == sizeof(int) &&
                  sizeof(wfAttach) == sizeof(int) && sizeof(wfInflation) == sizeof(int) && sizeof(wfMembraneModel) == sizeof(int) &&
                  sizeof(wfBendingModel) == sizeof(int) && sizeof(wfRestBend) == sizeof(int) && sizeof(wfStart) == sizeof(int) &&
                  sizeof(wfIntegrator) == sizeof(int) && sizeof(wfGenerator) == sizeof(int) && sizeof(wfSheetPattern) == sizeof(int),
              "enums are ints");

// The number of names of an enum, from "y|z", is counted at run time; hi stays 0 in its row.
#define WF_FLOAT(name, value, lo, hi, unit, meaning) \
    {wf_paramFloat, #name, offsetof(WF_DEF, name), {(value), 0, 0}, "", (lo), (hi), unit, "", meaning},
#define WF_INT(name, value, lo, hi, meaning) {wf_paramInt, #name, offsetof(WF_DEF, name), {(value), 0, 0}, "", (lo), (hi), "", "", meaning},
#define WF_BOOL(name, value, meaning)        {wf_paramBool, #name, offsetof(WF_DEF, name), {(value), 0, 0}, "", 0, 1, "", "", meaning},
#define WF_VEC3(name, x, y, z, lo, hi, unit, meaning) \
    {wf_paramVec3, #name, offsetof(WF_DEF, name), {(x), (y), (z)}, "", (lo), (hi), unit, "", meaning},
#define WF_COLOR(name, r, g, b, meaning) {wf_paramColor, #name, offsetof(WF_DEF, name), {(r), (g), (b)}, "", 0, 1, "", "", meaning},
#define WF_ENUM(name, type, value, names, meaning) \
    {wf_paramEnum, #name, offsetof(WF_DEF, name), {(value), 0, 0}, "", 0, 0, "", names, meaning},
#define WF_NAME(name, value, meaning) {wf_paramName, #name, offsetof(WF_DEF, name), {0, 0, 0}, value, 0, 0, "", "", meaning},

#define WF_DEF                        wfSceneDef
static const wfParam s_sceneRows[] = {
#include "weft/params/scene.inl"
};
#undef WF_DEF
#define WF_DEF wfFabric
static const wfParam s_fabricRows[] = {
#include "weft/params/fabric.inl"
};
#undef WF_DEF
#define WF_DEF wfClothDef
static const wfParam s_clothRows[] = {
#include "weft/params/cloth.inl"
};
#undef WF_DEF
#define WF_DEF wfColliderDef
static const wfParam s_colliderRows[] = {
#include "weft/params/collider.inl"
};
#undef WF_DEF
#define WF_DEF wfPinDef
static const wfParam s_pinRows[] = {
#include "weft/params/pin.inl"
};
#undef WF_DEF
#define WF_DEF wfSeamDef
static const wfParam s_seamRows[] = {
#include "weft/params/seam.inl"
};
#undef WF_DEF
#define WF_DEF wfFrictionDef
static const wfParam s_frictionRows[] = {
#include "weft/params/friction.inl"
};
#undef WF_DEF
#define WF_DEF wfGenerateDef
static const wfParam s_generateRows[] = {
#include "weft/params/generate.inl"
};
#undef WF_DEF

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))
const wfParamTable wfSceneParams = {"scene", s_sceneRows, COUNT(s_sceneRows)};
const wfParamTable wfFabricParams = {"fabric", s_fabricRows, COUNT(s_fabricRows)};
const wfParamTable wfClothParams = {"cloth", s_clothRows, COUNT(s_clothRows)};
const wfParamTable wfColliderParams = {"collider", s_colliderRows, COUNT(s_colliderRows)};
const wfParamTable wfPinParams = {"pin", s_pinRows, COUNT(s_pinRows)};
const wfParamTable wfSeamParams = {"seam", s_seamRows, COUNT(s_seamRows)};
const wfParamTable wfFrictionParams = {"friction", s_frictionRows, COUNT(s_frictionRows)};
const wfParamTable wfGenerateParams = {"generate", s_generateRows, COUNT(s_generateRows)};
const wfParamTable* const wfParamTables[] = {&wfSceneParams,    &wfFabricParams,   &wfClothParams,
                                             &wfColliderParams, &wfPinParams,      &wfSeamParams,
                                             &wfFrictionParams, &wfGenerateParams, NULL};

static int EnumCount(const wfParam* row) {
    int count = 1;
    for (const char* s = row->names; *s != 0; ++s) count += *s == '|';
    return count;
}

const wfParam* wfParamTable_Find(const wfParamTable* table, const char* name) {
    for (int i = 0; i < table->count; ++i) {
        if (strcmp(table->rows[i].name, name) == 0) return &table->rows[i];
    }
    return NULL;
}

void wfParamTable_SetDefaults(const wfParamTable* table, void* def) {
    for (int i = 0; i < table->count; ++i) {
        const wfParam* row = &table->rows[i];
        bool isVector = row->type == wf_paramVec3 || row->type == wf_paramColor;
        bool ok = row->type == wf_paramName ? wfParam_SetText(row, def, row->text, row->name, NULL)
                                            : wfParam_SetNumbers(row, def, row->value, isVector ? 3 : 1, row->name, NULL);
        WF_ASSERT(ok);
        (void)ok;
    }
}

// ---- messages -----------------------------------------------------------------------------------------------------------------

static void Append(char* text, size_t size, const char* format, ...) WF_PRINTF(3, 4);
static void Append(char* text, size_t size, const char* format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    if (used + 1 < size) vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

// "y|z" as "y, z".
static void AppendNames(char* text, size_t size, const char* names) {
    for (const char* s = names; *s != 0; ++s) Append(text, size, *s == '|' ? ", " : "%c", *s);
}

void wfParam_Expected(const wfParam* row, char* text, size_t size) {
    text[0] = 0;
    switch (row->type) {
    case wf_paramFloat:
        Append(text, size, "a number in [%g, %g]", row->lo, row->hi);
        break;
    case wf_paramInt:
        Append(text, size, "a whole number in [%.0f, %.0f]", row->lo, row->hi);
        break;
    case wf_paramBool:
        Append(text, size, "true or false");
        break;
    case wf_paramVec3:
        Append(text, size, "3 numbers in [%g, %g]", row->lo, row->hi);
        break;
    case wf_paramColor:
        Append(text, size, "3 numbers in [0, 1] or \"#rrggbb\"");
        break;
    case wf_paramEnum:
        Append(text, size, "one of ");
        AppendNames(text, size, row->names);
        break;
    case wf_paramName:
        Append(text, size, "a name of 1 to %d bytes without /, \\, control characters or a leading .", wf_nameSize - 1);
        break;
    }
    if (row->unit[0] != 0 && strcmp(row->unit, "1") != 0) Append(text, size, " %s", row->unit);
}

const char* wfQuote(char* out, size_t size, const char* text) {
    WF_ASSERT(size >= 16);
    size_t used = 0;
    out[used++] = '"';
    for (const unsigned char* s = (const unsigned char*)text; *s != 0; ++s) {
        // Room for one escaped byte, the ellipsis, the quote and the zero. A cut goes before a character, not into its bytes.
        if (used + 4 + 3 + 2 > size && (*s & 0xC0) != 0x80) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (used + 4 + 2 > size) break;
        if (*s < 32 || *s == 127) {
            used += (size_t)snprintf(out + used, size - used, "\\x%02x", *s);
        } else {
            out[used++] = (char)*s;
        }
    }
    out[used++] = '"';
    out[used] = 0;
    return out;
}

static bool FailNumbers(const wfParam* row, const double* value, int count, const char* where, wfError* err) {
    char expected[256], got[128] = "";
    wfParam_Expected(row, expected, sizeof expected);
    for (int i = 0; i < count && i < 4; ++i) Append(got, sizeof got, i == 0 ? "%.9g" : ", %.9g", value[i]);
    if (count > 4) Append(got, sizeof got, ", ...");
    return wfFail(err, wf_badInput, count == 1 ? "%s: expected %s, got %s" : "%s: expected %s, got [%s]", where, expected, got);
}

// ---- values -------------------------------------------------------------------------------------------------------------------

// The range is compared in the precision of the field: 1e-6 must pass a limit that is written as 1e-6f.
static bool InRange(const wfParam* row, double value) {
    return fabs(value) <= FLT_MAX && (float)value >= (float)row->lo && (float)value <= (float)row->hi;
}

static bool Fits(const wfParam* row, const double* value, int count) {
    switch (row->type) {
    case wf_paramFloat:
        return count == 1 && InRange(row, value[0]);
    case wf_paramInt:
        return count == 1 && value[0] >= row->lo && value[0] <= row->hi && floor(value[0]) == value[0];
    case wf_paramBool:
        return count == 1 && (value[0] == 0.0 || value[0] == 1.0);
    case wf_paramVec3:
    case wf_paramColor:
        return count == 3 && InRange(row, value[0]) && InRange(row, value[1]) && InRange(row, value[2]);
    case wf_paramEnum:
        return count == 1 && value[0] >= 0.0 && value[0] < EnumCount(row) && floor(value[0]) == value[0];
    case wf_paramName:
        return false;
    }
    return false;
}

bool wfParam_SetNumbers(const wfParam* row, void* def, const double* value, int count, const char* where, wfError* err) {
    if (!Fits(row, value, count)) return FailNumbers(row, value, count, where, err);
    char* field = (char*)def + row->offset;
    switch (row->type) {
    case wf_paramFloat:
        memcpy(field, &(float){(float)value[0]}, sizeof(float));
        break;
    case wf_paramInt:
    case wf_paramEnum:
        memcpy(field, &(int){(int)value[0]}, sizeof(int));
        break;
    case wf_paramBool:
        memcpy(field, &(bool){value[0] != 0.0}, sizeof(bool));
        break;
    case wf_paramVec3:
    case wf_paramColor:
        memcpy(field, &(wfVec3){(float)value[0], (float)value[1], (float)value[2]}, sizeof(wfVec3));
        break;
    case wf_paramName:
        WF_ASSERT(false);
        break;
    }
    return true;
}

static int GetNumbers(const wfParam* row, const void* def, double value[3]) {
    const char* field = (const char*)def + row->offset;
    int integer = 0;
    float number = 0;
    wfVec3 vector;
    unsigned char byte = 0;
    switch (row->type) {
    case wf_paramFloat:
        memcpy(&number, field, sizeof number);
        value[0] = number;
        return 1;
    case wf_paramInt:
    case wf_paramEnum:
        memcpy(&integer, field, sizeof integer);
        value[0] = integer;
        return 1;
    case wf_paramBool: // through a byte: a bool that holds neither 0 nor 1 must not be loaded as one
        memcpy(&byte, field, 1);
        value[0] = byte;
        return 1;
    case wf_paramVec3:
    case wf_paramColor:
        memcpy(&vector, field, sizeof vector);
        value[0] = vector.x;
        value[1] = vector.y;
        value[2] = vector.z;
        return 3;
    case wf_paramName:
        break;
    }
    return 0;
}

static bool IsName(const char* text, size_t length) {
    if (length >= wf_nameSize || text[0] == '.') return false;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 || c == 127 || c == '/' || c == '\\') return false;
    }
    return true;
}

static bool FailText(const wfParam* row, const char* text, const char* where, wfError* err) {
    char expected[256], quoted[96];
    wfParam_Expected(row, expected, sizeof expected);
    return wfFail(err, wf_badInput, "%s: expected %s, got %s", where, expected, wfQuote(quoted, sizeof quoted, text));
}

static bool SetEnum(const wfParam* row, void* def, const char* text, const char* where, wfError* err) {
    enum { maxNames = 32 };
    char copy[256];
    const char* names[maxNames];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", row->names);
    for (char* s = copy; s != NULL && count < maxNames;) {
        char* bar = strchr(s, '|');
        if (bar != NULL) *bar = 0;
        names[count++] = s;
        s = bar == NULL ? NULL : bar + 1;
    }
    WF_ASSERT(count == EnumCount(row));
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], text) == 0) return wfParam_SetNumbers(row, def, &(double){i}, 1, where, err);
    }
    return wfFailUnknown(where, "name", text, names, count, err);
}

static double LinearFromSrgb(int byte) {
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

bool wfParam_SetText(const wfParam* row, void* def, const char* text, const char* where, wfError* err) {
    if (row->type == wf_paramEnum) return SetEnum(row, def, text, where, err);
    if (row->type == wf_paramName) {
        // The default may be empty (the scene then makes one up), so an empty text passes only where it is the default.
        size_t length = strlen(text);
        if ((length == 0 && row->text[0] != 0) || !IsName(text, length)) return FailText(row, text, where, err);
        char* field = (char*)def + row->offset;
        memset(field, 0, wf_nameSize);
        memcpy(field, text, length);
        return true;
    }
    if (row->type == wf_paramColor && text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        unsigned long rgb = strtoul(text + 1, NULL, 16);
        double value[3] = {LinearFromSrgb(rgb >> 16 & 255), LinearFromSrgb(rgb >> 8 & 255), LinearFromSrgb(rgb & 255)};
        return wfParam_SetNumbers(row, def, value, 3, where, err);
    }
    return FailText(row, text, where, err);
}

bool wfParamTable_Check(const wfParamTable* table, const void* def, const char* where, wfError* err) {
    for (int i = 0; i < table->count; ++i) {
        const wfParam* row = &table->rows[i];
        char place[256];
        snprintf(place, sizeof place, "%s: %s", where, row->name);
        if (row->type == wf_paramName) {
            const char* text = (const char*)def + row->offset;
            const char* end = memchr(text, 0, wf_nameSize);
            if (end == NULL) return wfFail(err, wf_badInput, "%s: the name is not ended by a zero", place);
            if (!IsName(text, (size_t)(end - text))) return FailText(row, text, place, err);
        } else {
            double value[3];
            int count = GetNumbers(row, def, value);
            if (!Fits(row, value, count)) return FailNumbers(row, value, count, place, err);
        }
    }
    return true;
}

// ---- misspelt names -----------------------------------------------------------------------------------------------------------

enum { maxSpelling = 40 }; // longer names are not compared

// Insertions, deletions, replacements and swaps of neighbours that turn a into b; upper and lower case are the same.
static int SpellingDistance(const char* a, const char* b) {
    int rows[3][maxSpelling + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int j = 0; j <= m; ++j) rows[0][j] = j;
    for (int i = 1; i <= n; ++i) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; ++j) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            int best = last[j - 1] + (ca != cb);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]) &&
                           before[j - 2] + 1 < best;
            now[j] = swapped ? before[j - 2] + 1 : best;
        }
    }
    return rows[n % 3][m];
}

const char* wfNearestName(const char* wrong, const char* const* names, int count) {
    size_t length = strlen(wrong);
    if (length == 0 || length > maxSpelling) return NULL;
    const char* best = NULL;
    int bestDistance = 0;
    for (int i = 0; i < count; ++i) {
        size_t other = strlen(names[i]);
        if (other == 0 || other > maxSpelling) continue;
        int distance = SpellingDistance(wrong, names[i]);
        // About a third of the letters may be wrong; a name that only lacks its end counts as two.
        int limit = (int)((other > length ? other : length) + 1) / 3;
        bool isBeginning = length >= 3 && strncmp(wrong, names[i], length) == 0;
        if (isBeginning && distance > 2) distance = 2;
        if ((distance > limit && !isBeginning) || distance >= (int)length) continue;
        if (best == NULL || distance < bestDistance) {
            best = names[i];
            bestDistance = distance;
        }
    }
    return best;
}

bool wfFailUnknown(const char* where, const char* kind, const char* wrong, const char* const* names, int count, wfError* err) {
    char text[512] = "", quoted[96];
    if (where != NULL) Append(text, sizeof text, "%s: ", where);
    Append(text, sizeof text, "unknown %s %s; ", kind, wfQuote(quoted, sizeof quoted, wrong));
    const char* near = wfNearestName(wrong, names, count);
    if (near != NULL) Append(text, sizeof text, "did you mean \"%s\"? ", near);
    for (int i = 0; i < count; ++i) Append(text, sizeof text, i == 0 ? "known: %s" : ", %s", names[i]);
    return wfFail(err, wf_badInput, "%s", text);
}
