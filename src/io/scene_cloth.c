// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "scene/fabrics.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// ---- fabrics ------------------------------------------------------------------------------------------------------------------

static bool FindFabric(wfReader* r, const wfAt* at, const char* name, wfFabric* out) {
    enum { maxNames = 128 };
    const char* names[maxNames];
    char quoted[96], text[400];
    int count = 0;
    for (int i = r->fabricCount - 1; i >= 0; --i) {
        if (strcmp(r->fabrics[i].name, name) == 0) {
            *out = r->fabrics[i].fabric;
            return true;
        }
        if (count < maxNames / 2) names[count++] = r->fabrics[i].name;
    }
    if (wfFindFabric(name, out, NULL)) return true;
    for (const wfFabricPreset* p = wfFabricPresets; p->name != NULL && count < maxNames; ++p) names[count++] = p->name;
    const char* near = wfNearestName(name, names, count);
    size_t used = (size_t)snprintf(text, sizeof text, "unknown fabric %s", wfQuote(quoted, sizeof quoted, name));
    if (near != NULL) used += (size_t)snprintf(text + used, sizeof text - used, "; did you mean \"%.64s\"?", near);
    for (int i = 0; near == NULL && i < count && used < sizeof text; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.64s", i > 0 ? ", " : "; known: ", names[i]);
    }
    return wfReader_Fail(r, at, "%s", text);
}

static bool ReadFabric(wfReader* r, const wfAt* at, wfFabric* out) {
    const char* name;
    wfAt base;
    *out = wfDefaultFabric();
    if (at->node->kind == wf_yamlText) return wfReader_Text(r, at, "a fabric", &name) && FindFabric(r, at, name, out);
    if (at->node->kind != wf_yamlMap) return wfReader_FailKind(r, at, "the name of a fabric or a map");
    if (wfReader_Open(at, "base", &base)) {
        if (!wfReader_Text(r, &base, "the name of a fabric", &name) || !FindFabric(r, &base, name, out)) return false;
    }
    return wfReader_Section(r, at, &wfSectionFabric, out);
}

bool wfReader_Fabrics(wfReader* r, const wfAt* at) {
    if (!wfReader_IsMap(r, at)) return false;
    r->fabrics = wfArena_New(&r->arena, wfOwnFabric, at->node->count, "fabrics", r->err);
    if (r->fabrics == NULL) return false;
    for (const wfYamlItem* item = at->node->first; item != NULL; item = item->next) {
        wfAt child = {.up = at, .node = item->value, .key = item->key};
        wfFabric fabric;
        if (!wfReader_IsMap(r, &child) || !ReadFabric(r, &child, &fabric)) return false;
        r->fabrics[r->fabricCount++] = (wfOwnFabric){item->key, fabric};
    }
    return true;
}

// ---- cloths -------------------------------------------------------------------------------------------------------------------

typedef enum Reference { referenceRest, referenceFlat } Reference;
static const wfParam s_referenceRow = {
    .type = wf_paramEnum, .name = "reference", .text = "", .unit = "", .names = "rest|flat", .meaning = ""};

// Decides the reference shape: leaves in the mesh the flat one in metres, or none where the placed mesh itself is the reference.
static bool SetReference(wfReader* r, const wfAt* at, wfMesh* mesh, bool generated) {
    wfAt part, scaleAt;
    Reference reference = referenceRest;
    if (wfReader_Open(at, "reference", &part) && !wfReader_Row(r, &part, &s_referenceRow, &reference)) return false;
    double unit = 1.0;
    if (wfReader_Open(at, "flat_scale", &scaleAt)) {
        if (reference != referenceFlat) return wfReader_Fail(r, &scaleAt, "only with \"reference: flat\"");
        if (!wfReader_Number(r, &scaleAt, 1e-6, 1e6, "a number in [1e-06, 1e+06] m", &unit)) return false;
    }
    if (reference == referenceFlat && mesh->flat == NULL) {
        return wfReader_Fail(r, &part, "the mesh has no flat pattern (texture coordinates vt for every face)");
    }
    // What weft makes lies flat or has no pattern; its pattern is its rest shape and knows the warp besides.
    if (reference == referenceRest && !generated) mesh->flat = NULL;
    for (int i = 0; mesh->flat != NULL && unit != 1.0 && i < mesh->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            mesh->flat[i].corner[k].x *= (float)unit;
            mesh->flat[i].corner[k].y *= (float)unit;
        }
    }
    return true;
}

// What a cloth of the file becomes: this, in each of its copies.
typedef struct Described {
    wfClothDef def;
    wfCopies copies;
    wfPinDef* pins;
    int pinCount;
    bool sewn;
    wfSeamDef stitches;  // of its loose edges
    const wfVec3* local; // or NULL
} Described;

static bool NameCopy(wfReader* r, const wfAt* at, const Described* d, int copy, const char* base, char out[wf_nameSize]) {
    memcpy(out, base, wf_nameSize);
    if (d->copies.count == 1 || base[0] == 0) return true;
    int length = snprintf(out, wf_nameSize, "%.56s%d", base, copy + 1);
    return (strlen(base) <= 56 && length > 0) || wfReader_Fail(r, at, "the name is too long for numbered copies");
}

static bool CreateCopy(wfReader* r, const wfAt* at, const Described* d, int copy, const wfMesh* mesh) {
    wfError inner = {0};
    wfClothDef def = d->def;
    WF_TRY(NameCopy(r, at, d, copy, d->def.name, def.name));
    def.mesh = wfMesh_View(mesh);
    def.layer += copy * d->copies.layer;
    wfClothId cloth = wfCreateCloth(r->scene, &def, &inner);
    if (WF_ID_IS_NULL(cloth)) return wfReader_Wrap(r, at, &inner);
    wfScene_SetClothLine(r->scene, cloth, at->node->line);
    for (int k = 0; k < d->pinCount; ++k) {
        wfPinDef pin = d->pins[k];
        pin.cloth = cloth;
        pin.center = wfMulAdd(pin.center, (float)copy, d->copies.offset);
        wfPinId id = wfCreatePin(r->scene, &pin, &inner);
        if (WF_ID_IS_NULL(id)) return wfReader_Wrap(r, at, &inner);
    }
    if (d->sewn) {
        wfSeamDef seam = d->stitches;
        seam.a.cloth = seam.b.cloth = cloth;
        WF_TRY(NameCopy(r, at, d, copy, d->stitches.name, seam.name));
        wfSeamId id = wfCreateSeam(r->scene, &seam, &inner);
        if (WF_ID_IS_NULL(id)) return wfReader_Wrap(r, at, &inner);
    }
    wfReadCloth* read = wfArena_New(&r->arena, wfReadCloth, 1, "cloths", r->err);
    if (read == NULL) return false;
    *read = (wfReadCloth){.next = r->cloths, .id = cloth, .local = d->local, .vertexCount = mesh->vertexCount};
    memcpy(read->name, d->def.name, sizeof read->name);
    r->cloths = read;
    return true;
}

static bool ReadCloth(wfReader* r, const wfAt* at, wfMesh* mesh) {
    Described d = {.def = wfDefaultClothDef(), .copies = {.count = 1}};
    wfTransform transform;
    bool given, generated;
    wfAt part;
    WF_TRY(wfReader_Section(r, at, &wfSectionCloth, &d.def));
    if (wfReader_Open(at, "fabric", &part)) WF_TRY(ReadFabric(r, &part, &d.def.fabric));
    static const char* const ownKeys[] = {"thickness", "friction", "static_friction"};
    for (int i = 0; i < 3; ++i) {
        const char* name = ownKeys[i];
        if (wfReader_Open(at, name, &part)) WF_TRY(wfReader_Row(r, &part, wfParamTable_Find(&wfFabricParams, name), &d.def.fabric));
    }
    if (wfReader_Open(at, "copies", &part)) WF_TRY(wfReader_Section(r, &part, &wfSectionCopies, &d.copies));
    WF_TRY(wfReader_Transform(r, at, true, &transform));
    WF_TRY(wfReader_Mesh(r, at, &given, &generated, mesh));
    if (!given) return wfReader_Fail(r, at, "expected one of the keys \"mesh\" and \"generate\"");
    WF_TRY(SetReference(r, at, mesh, generated));
    WF_TRY(wfReader_Stitches(r, at, mesh, &d.sewn, &d.stitches));

    bool hasPins = wfReader_Open(at, "pins", &part);
    if (hasPins || r->hasSeams) {
        wfVec3* local = wfArena_New(&r->arena, wfVec3, mesh->vertexCount, "vertices by name", r->err);
        if (local == NULL) return false;
        memcpy(local, mesh->positions, (size_t)mesh->vertexCount * sizeof local[0]);
        d.local = local;
    }
    wfMesh_Transform(mesh, transform.scale, transform.rotate, transform.translate); // and the flat pattern with it
    if (hasPins) WF_TRY(wfReader_Pins(r, &part, d.local, mesh->positions, mesh->vertexCount, &d.pins, &d.pinCount));
    for (int i = 0; i < d.copies.count; ++i) {
        if (i > 0) wfMesh_Transform(mesh, wfMake3(1, 1, 1), wfQuatIdentity(), d.copies.offset);
        WF_TRY(CreateCopy(r, at, &d, i, mesh));
    }
    return true;
}

bool wfReader_Cloth(wfReader* r, const wfAt* at) {
    wfMesh mesh = {0};
    bool ok = ReadCloth(r, at, &mesh);
    wfMesh_Free(&mesh);
    return ok;
}
