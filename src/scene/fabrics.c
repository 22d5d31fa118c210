// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/fabrics.h"

#include "base/error.h"
#include "scene/params.h"
#include "weft/weft.h"

#include <stdio.h>
#include <string.h>

// How a measured fabric (Wang, Ramamoorthi, O'Brien 2011, "Data-Driven Elastic Models for Cloth") becomes the few numbers of wfFabric:
//   stretch  mean of c11 and c22 over the five measured directions at the larger strain. At zero strain knits give 8 to 50 N/m, the
//            slack before the loops close; one linear stiffness has to stand for the range that cloth really works in.
//   shear    c33 at zero strain; at larger strain the fit is so loose that some values are negative.
//   bending  mean of all fifteen samples (three directions, five curvatures).
// Thickness and friction were not measured there.
#define WANG(fabric) "Wang, Ramamoorthi, O'Brien 2011, " fabric "; thickness and friction typical"

const wfFabricPreset wfFabricPresets[] = {
    {"cotton",
     {.density = 0.20f, .stretch = 1000.0f, .shear = 200.0f, .bending = 2.0e-5f, .thickness = 0.5e-3f, .friction = 0.30f},
     "typical of a medium plain weave, not measured; density and stretch are those of weft's benchmark scenes"},
    {"denim",
     {.density = 0.324f, .stretch = 641.0f, .shear = 53.4f, .bending = 7.23e-5f, .thickness = 0.8e-3f, .friction = 0.40f},
     WANG("11oz-black-denim (99% cotton, 1% spandex)")},
    {"jersey",
     {.density = 0.187f, .stretch = 214.0f, .shear = 36.9f, .bending = 2.18e-5f, .thickness = 0.6e-3f, .friction = 0.35f},
     WANG("gray-interlock (t-shirt knit, 60% cotton, 40% polyester)")},
    {"rib-knit",
     {.density = 0.276f, .stretch = 121.0f, .shear = 83.2f, .bending = 4.63e-5f, .thickness = 1.0e-3f, .friction = 0.35f},
     WANG("ivory-rib-knit (95% cotton, 5% spandex)")},
    {"polyester",
     {.density = 0.128f, .stretch = 2127.0f, .shear = 19.2f, .bending = 3.11e-5f, .thickness = 0.3e-3f, .friction = 0.25f},
     WANG("white-dots-on-blk (woven tablecloth, 100% polyester)")},
    {"blanket",
     {.density = 0.228f, .stretch = 211.0f, .shear = 30.3f, .bending = 1.21e-4f, .thickness = 2.0e-3f, .friction = 0.45f},
     WANG("pink-ribbon-brown (100% polyester)")},
    {"sweatshirt",
     {.density = 0.224f, .stretch = 148.0f, .shear = 17.6f, .bending = 3.26e-5f, .thickness = 1.2e-3f, .friction = 0.40f},
     WANG("navy-sparkle-sweat (96% polyester, 4% spandex)")},
    {"ponte",
     {.density = 0.284f, .stretch = 150.0f, .shear = 31.9f, .bending = 3.31e-5f, .thickness = 0.9e-3f, .friction = 0.35f},
     WANG("camel-ponte-roma (jacket knit, 60% polyester, 40% rayon)")},
    {"paper",
     {.density = 0.1f, .stretch = 5.0e5f, .shear = 1.9e5f, .bending = 4.2e-4f, .thickness = 0.1e-3f, .friction = 0.40f},
     "computed for a plate of 5 GPa, Poisson 0.3, thickness 0.1 mm, as ARCSim's paper; density and friction typical"},
    {"foil",
     {.density = 0.071f, .stretch = 1.78e6f, .shear = 6.7e5f, .bending = 9.56e-5f, .thickness = 25.4e-6f, .friction = 0.30f},
     "computed for a plate of 70 GPa, Poisson 0.33, thickness 25.4 um, 2800 kg/m^3, as ARCSim's aluminium; friction typical"},
    {.name = NULL},
};

wfFabric wfDefaultFabric(void) {
    wfFabric fabric;
    wfParamTable_SetDefaults(&wfFabricParams, &fabric);
    return fabric;
}

bool wfFindFabric(const char* name, wfFabric* out, wfError* err) {
    const char* names[sizeof wfFabricPresets / sizeof wfFabricPresets[0]];
    char known[256] = "", quoted[96];
    size_t used = 0;
    int count = 0;
    for (const wfFabricPreset* p = wfFabricPresets; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            *out = p->fabric;
            return true;
        }
        names[count++] = p->name;
        if (used < sizeof known) used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", count > 1 ? ", " : "", p->name);
    }
    const char* near = wfNearestName(name, names, count);
    wfQuote(quoted, sizeof quoted, name);
    if (near == NULL) return wfFail(err, wf_badInput, "unknown fabric %s; known: %s", quoted, known);
    return wfFail(err, wf_badInput, "unknown fabric %s; did you mean \"%s\"? known: %s", quoted, near, known);
}
