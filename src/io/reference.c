// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_file.h"

#include "io/scene_keys.h"
#include "scene/fabrics.h"

#include <string.h>

// "|" would end a cell.
static void WriteCell(FILE* out, const char* text) {
    for (; *text != 0; ++text) {
        if (*text == '|') {
            fputs("\\|", out);
        } else {
            fputc(*text, out);
        }
    }
}

// "y|z" as "`y`, `z`".
static void WriteNames(FILE* out, const char* names) {
    fputc('`', out);
    for (; *names != 0; ++names) {
        if (*names == '|') {
            fputs("`, `", out);
        } else {
            fputc(*names, out);
        }
    }
    fputc('`', out);
}

static void WriteDefault(FILE* out, const wfParam* row) {
    const double* v = row->value;
    switch (row->type) {
    case wf_paramFloat:
        fprintf(out, "%g", v[0]);
        break;
    case wf_paramInt:
        fprintf(out, "%.0f", v[0]);
        break;
    case wf_paramBool:
        fputs(v[0] != 0.0 ? "true" : "false", out);
        break;
    case wf_paramVec3:
    case wf_paramColor:
        fprintf(out, "[%g, %g, %g]", v[0], v[1], v[2]);
        break;
    case wf_paramEnum: {
        const char* name = row->names;
        for (int i = 0; i < (int)v[0]; ++i) name = strchr(name, '|') + 1;
        fprintf(out, "%.*s", (int)strcspn(name, "|"), name);
        break;
    }
    case wf_paramName:
        fputs(row->text, out);
        break;
    }
}

static const char* TypeName(wfParamType type) {
    switch (type) {
    case wf_paramFloat:
        return "number";
    case wf_paramInt:
        return "whole number";
    case wf_paramBool:
        return "true, false";
    case wf_paramVec3:
        return "3 numbers";
    case wf_paramColor:
        return "colour";
    case wf_paramEnum:
        return "choice";
    case wf_paramName:
        return "text";
    }
    return "";
}

static void WriteRange(FILE* out, const wfParam* row) {
    switch (row->type) {
    case wf_paramFloat:
    case wf_paramVec3:
        fprintf(out, "%g to %g", row->lo, row->hi);
        break;
    case wf_paramInt:
        fprintf(out, "%.0f to %.0f", row->lo, row->hi);
        break;
    case wf_paramEnum:
        WriteNames(out, row->names);
        break;
    case wf_paramBool:
    case wf_paramColor:
    case wf_paramName:
        break;
    }
}

static void WriteSection(FILE* out, const wfSceneSection* section) {
    fprintf(out, "\n## %s\n\n", section->path);
    if (section->about[0] != 0) fprintf(out, "%s\n\n", section->about);
    fputs("| key | type | default | range | unit | meaning |\n|---|---|---|---|---|---|\n", out);
    for (const wfSceneKey* key = section->keys; key->name != NULL; ++key) {
        fprintf(out, "| `%s` | %s | %s | | | ", key->name, key->type, key->initial);
        WriteCell(out, key->meaning);
        fputs(" |\n", out);
    }
    for (int i = 0; section->table != NULL && i < section->table->count; ++i) {
        const wfParam* row = &section->table->rows[i];
        fprintf(out, "| `%s` | %s | ", row->name, TypeName(row->type));
        WriteDefault(out, row);
        fputs(" | ", out);
        WriteRange(out, row);
        fprintf(out, " | %s | ", row->unit);
        WriteCell(out, row->meaning);
        fputs(" |\n", out);
    }
}

// One value per direction, or one for all where they are the same.
static void WriteDirections(FILE* out, float common, const float* factors, int count) {
    bool same = true;
    for (int i = 1; i < count; ++i) same = same && factors[i] == factors[0];
    for (int i = 0; i < (same ? 1 : count); ++i) fprintf(out, "%s%.4g", i > 0 ? ", " : "", (double)common * (double)factors[i]);
    fputs(" | ", out);
}

static void WriteFabrics(FILE* out) {
    fputs(
        "\n## Fabrics\n\nNames for `fabric` and `base`. Density in kg/m^2, stretch (warp, weft) and shear in N/m, bending (warp, weft, "
        "bias) in "
        "N m, thickness in mm.\n\n"
        "| name | density | stretch | shear | poisson | bending | thickness | friction | source |\n|---|---|---|---|---|---|---|---|---|\n",
        out);
    for (const wfFabricPreset* p = wfFabricPresets; p->name != NULL; ++p) {
        const wfFabric* f = &p->fabric;
        fprintf(out, "| `%s` | %g | ", p->name, (double)f->density);
        WriteDirections(out, f->stretch, (float[]){f->stretch_warp, f->stretch_weft}, 2);
        fprintf(out, "%g | %g | ", (double)f->shear, (double)f->poisson);
        WriteDirections(out, f->bending, (float[]){f->bend_warp, f->bend_weft, f->bend_bias}, 3);
        fprintf(out, "%g | %g | ", (double)f->thickness * 1e3, (double)f->friction);
        WriteCell(out, p->source);
        fputs(" |\n", out);
    }
}

void wfWriteSceneReference(FILE* out) {
    fputs("# Scene files\n\n"
          "<!-- Generated from the parameter lists; a test compares it. Do not edit: test_io_reference --markdown writes it anew. -->\n\n"
          "A scene is a YAML file (JSON is a subset). All units are SI: metres, kilograms, seconds. Coordinates are right-handed, y up "
          "unless `up: z`.\n"
          "Numbers may be written as arithmetic with the scene's own `parameters`: `n: $n`, `time: 2 * $period`, `edge: 1 / ($n - 1)`.\n"
          "Anchors, aliases and merge keys (`&`, `*`, `<<`) work. An unknown key is an error that names the nearest one.\n\n"
          "```yaml\n"
          "title: A sheet falls on a ball\n"
          "parameters: {n: 100}\n"
          "cloths:\n"
          "  - name: sheet\n"
          "    generate: {shape: sheet, size: [1, 1, 1], n: $n}\n"
          "    transform: {translate: [0, 0.57, 0]}\n"
          "    fabric: cotton\n"
          "    pins: [{corners: [left-back, right-back]}]\n"
          "colliders:\n"
          "  - {name: ball, shape: sphere, radius: 0.25, transform: {translate: [0, 0.3, 0]}}\n"
          "```\n\n"
          "From the command line `--set key=value` changes a parameter (`--set n=200`), a setting of the scene (`--set time_step=0.002`) "
          "or anything by\n"
          "its path, in which items of lists are named by their `name` or their number from 0: `--set cloths.sheet.fabric.stretch=2000`,\n"
          "`--set cloths.0.generate.n=200`.\n",
          out);
    for (const wfSceneSection* const* section = wfSceneSections; *section != NULL; ++section) WriteSection(out, *section);
    WriteFabrics(out);
}
