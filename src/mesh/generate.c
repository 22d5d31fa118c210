// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

wfGenerateDef wfDefaultGenerateDef(void) {
#define WF_FLOAT(name, value, lo, hi, unit, meaning)     .name = value,
#define WF_INT(name, value, lo, hi, meaning)             .name = value,
#define WF_VEC3(name, vx, vy, vz, lo, hi, unit, meaning) .name = {vx, vy, vz},
#define WF_ENUM(name, type, value, names, meaning)       .name = value,
    return (wfGenerateDef){
#include "weft/params/generate.inl"
    };
#undef WF_FLOAT
#undef WF_INT
#undef WF_VEC3
#undef WF_ENUM
}

static bool CheckFloat(const char* name, double value, double lo, double hi, const char* unit, wfError* err) {
    if (value >= lo && value <= hi) return true;
    return wfFail(err, wf_badInput, "generate: %s: expected a number in [%g, %g] %s, got %g", name, lo, hi, unit, value);
}

static bool CheckInt(const char* name, int value, int lo, int hi, wfError* err) {
    if (value >= lo && value <= hi) return true;
    return wfFail(err, wf_badInput, "generate: %s: expected a whole number in [%d, %d], got %d", name, lo, hi, value);
}

static bool CheckEnum(const char* name, int value, const char* names, wfError* err) {
    int count = 1;
    for (const char* s = names; *s != 0; ++s) count += *s == '|';
    if (value >= 0 && value < count) return true;
    return wfFail(err, wf_badInput, "generate: %s: expected one of %s, got number %d", name, names, value);
}

static bool CheckRanges(const wfGenerateDef* def, wfError* err) {
#define WF_FLOAT(name, value, lo, hi, unit, meaning) WF_TRY(CheckFloat(#name, (double)def->name, (double)lo, (double)hi, unit, err));
#define WF_INT(name, value, lo, hi, meaning)         WF_TRY(CheckInt(#name, def->name, lo, hi, err));
#define WF_VEC3(name, vx, vy, vz, lo, hi, unit, meaning)                               \
    WF_TRY(CheckFloat(#name, (double)def->name.x, (double)lo, (double)hi, unit, err)); \
    WF_TRY(CheckFloat(#name, (double)def->name.y, (double)lo, (double)hi, unit, err)); \
    WF_TRY(CheckFloat(#name, (double)def->name.z, (double)lo, (double)hi, unit, err));
#define WF_ENUM(name, type, value, names, meaning) WF_TRY(CheckEnum(#name, (int)def->name, names, err));
#include "weft/params/generate.inl"
#undef WF_FLOAT
#undef WF_INT
#undef WF_VEC3
#undef WF_ENUM
    return true;
}

void wfSetFlatFromAbove(wfMesh* mesh) {
    for (int t = 0; t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            wfVec3 p = mesh->positions[mesh->triangles[t].v[k]];
            mesh->flat[t].corner[k] = (wfVec2){p.x, -p.z};
        }
}

static wfMakeFn* const s_makers[wf_generatorCount] = {
    [wf_makeSheet] = wfMakeSheet,
    [wf_makeDisc] = wfMakeDisc,
    [wf_makeSphere] = wfMakeSphere,
    [wf_makeBox] = wfMakeBox,
    [wf_makeCapsule] = wfMakeCapsule,
    [wf_makeCylinder] = wfMakeCylinder,
    [wf_makeCone] = wfMakeCone,
    [wf_makeFunnel] = wfMakeFunnel,
    [wf_makeTorus] = wfMakeTorus,
    [wf_makeRoundTable] = wfMakeRoundTable,
    [wf_makeTableLegs] = wfMakeTableLegs,
    [wf_makeSpikes] = wfMakeSpikes,
    [wf_makeStairs] = wfMakeStairs,
    [wf_makeRods] = wfMakeRods,
    [wf_makeFigure] = wfMakeFigure,
    [wf_makeRobe] = wfMakeRobe,
    [wf_makeDress] = wfMakeDress,
    [wf_makeGown] = wfMakeGown,
    [wf_makeShirt] = wfMakeShirt,
    [wf_makeLayeredDress] = wfMakeLayeredDress,
    [wf_makeSkirt] = wfMakeSkirt,
    [wf_makeTie] = wfMakeTie,
    [wf_makeCow] = wfMakeCow,
};

bool wfGenerate(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    WF_TRY(CheckRanges(def, err));
    if (s_makers[def->shape](out, def, err)) return true;
    wfMesh_Free(out);
    return false;
}
