// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/fabrics.h"

#include "base/error.h"
#include "scene/params.h"
#include "weft/weft.h"

#include <string.h>

// How a measured fabric (Wang, Ramamoorthi, O'Brien 2011, "Data-Driven Elastic Models for Cloth") becomes the few numbers of wfFabric. The
// files give c11, c12, c22, c33 of the plane law in Green's strain and samples of the bending stiffness; what they mean is told by the two
// that were computed instead of measured (paper, aluminium): c11 = E h, c33 = 2 G h (it multiplies half the shear angle).
//   stretch  means of c11 and c22 over the five measured directions at the larger strain, made moduli by poisson = c12 / sqrt(c11 c22). At
//            zero strain knits give 8 to 50 N/m, the slack before the loops close; one linear stiffness has to stand for the range that
//            cloth really works in.
//   shear    c33 / 2 at zero strain; at larger strain the fit is so loose that some values are negative.
//   bending  a quarter of the means of the five samples of a direction: they are coefficients k of the force k l/(h0 + h1) sin(t/2) across
//            an edge (Bridson et al. 2003; ARCSim's energy k l²/(2 A) t²/4 is the same to first order), which makes a rigidity of k/4.
//            Taken as rigidities, tablecloth and blanket would be stiffer than all 46 and 88 cloths of their weight that Feng et al. 2022
//            measured; as quarters all lie among them. The files' direction is that of the edge, across which the other thread is bent.
// Thickness and friction were not measured there.
#define WANG(fabric)    "Wang, Ramamoorthi, O'Brien 2011, " fabric "; thickness and friction typical"
#define TYPICAL(fabric) "typical of " fabric ", not measured"

// Nothing known of directions.
#define EVEN .stretch_warp = 1.0f, .stretch_weft = 1.0f, .bend_warp = 1.0f, .bend_weft = 1.0f, .bend_bias = 1.0f

// clang-format off
const wfFabricPreset wfFabricPresets[] = {
    {"cotton",
     {.density = 0.20f, .stretch = 1000.0f, EVEN,
      .shear = 200.0f, .poisson = 0.2f, .bending = 2.0e-5f, .thickness = 0.5e-3f, .friction = 0.30f},
     "typical of a medium plain weave, not measured; density and stretch are those of weft's benchmark scenes"},
    {"denim",
     {.density = 0.324f, .stretch = 636.0f, .stretch_warp = 225.0f / 636.0f, .stretch_weft = 1.05e3f / 636.0f,
      .shear = 26.7f, .poisson = 0.09f, .bending = 0.25f * 7.23e-5f,
      .bend_warp = 1.04e-4f / 7.23e-5f, .bend_weft = 5.35e-5f / 7.23e-5f, .bend_bias = 5.97e-5f / 7.23e-5f,
      .thickness = 0.8e-3f, .friction = 0.40f},
     WANG("11oz-black-denim (99% cotton, 1% spandex)")},
    {"jersey",
     {.density = 0.187f, .stretch = 170.0f, .stretch_warp = 77.4f / 170.0f, .stretch_weft = 263.0f / 170.0f,
      .shear = 18.4f, .poisson = 0.45f, .bending = 0.25f * 2.18e-5f,
      .bend_warp = 1.6e-5f / 2.18e-5f, .bend_weft = 3.06e-5f / 2.18e-5f, .bend_bias = 1.87e-5f / 2.18e-5f,
      .thickness = 0.6e-3f, .friction = 0.35f},
     WANG("gray-interlock (t-shirt knit, 60% cotton, 40% polyester)")},
    {"rib-knit",
     {.density = 0.276f, .stretch = 121.0f, .stretch_warp = 65.5f / 121.0f, .stretch_weft = 177.0f / 121.0f,
      .shear = 41.6f, .poisson = 0.01f, .bending = 0.25f * 4.63e-5f,
      .bend_warp = 3.57e-5f / 4.63e-5f, .bend_weft = 7.42e-5f / 4.63e-5f, .bend_bias = 2.91e-5f / 4.63e-5f,
      .thickness = 1.0e-3f, .friction = 0.35f},
     WANG("ivory-rib-knit (95% cotton, 5% spandex)")},
    {"polyester",
     {.density = 0.128f, .stretch = 2.13e3f, .stretch_warp = 2.11e3f / 2.13e3f, .stretch_weft = 2.14e3f / 2.13e3f,
      .shear = 9.59f, .poisson = 0.02f, .bending = 0.25f * 3.11e-5f,
      .bend_warp = 2.56e-5f / 3.11e-5f, .bend_weft = 4.45e-5f / 3.11e-5f, .bend_bias = 2.31e-5f / 3.11e-5f,
      .thickness = 0.3e-3f, .friction = 0.25f},
     WANG("white-dots-on-blk (woven tablecloth, 100% polyester)")},
    {"blanket",
     {.density = 0.228f, .stretch = 163.0f, .stretch_warp = 111.0f / 163.0f, .stretch_weft = 214.0f / 163.0f,
      .shear = 15.1f, .poisson = 0.48f, .bending = 0.25f * 1.21e-4f,
      .bend_warp = 5.95e-5f / 1.21e-4f, .bend_weft = 2.2e-4f / 1.21e-4f, .bend_bias = 8.33e-5f / 1.21e-4f,
      .thickness = 2.0e-3f, .friction = 0.45f},
     WANG("pink-ribbon-brown (100% polyester)")},
    {"sweatshirt",
     {.density = 0.224f, .stretch = 103.0f, .stretch_warp = 52.4f / 103.0f, .stretch_weft = 154.0f / 103.0f,
      .shear = 8.81f, .poisson = 0.55f, .bending = 0.25f * 3.26e-5f,
      .bend_warp = 3.04e-5f / 3.26e-5f, .bend_weft = 3.79e-5f / 3.26e-5f, .bend_bias = 2.93e-5f / 3.26e-5f,
      .thickness = 1.2e-3f, .friction = 0.40f},
     WANG("navy-sparkle-sweat (96% polyester, 4% spandex)")},
    {"ponte",
     {.density = 0.284f, .stretch = 121.0f, .stretch_warp = 88.1f / 121.0f, .stretch_weft = 154.0f / 121.0f,
      .shear = 15.9f, .poisson = 0.44f, .bending = 0.25f * 3.31e-5f,
      .bend_warp = 2.99e-5f / 3.31e-5f, .bend_weft = 4.0e-5f / 3.31e-5f, .bend_bias = 2.93e-5f / 3.31e-5f,
      .thickness = 0.9e-3f, .friction = 0.35f},
     WANG("camel-ponte-roma (jacket knit, 60% polyester, 40% rayon)")},
    {"silk",
     {.density = 0.06f, .stretch = 1000.0f, .stretch_warp = 1200.0f / 1000.0f, .stretch_weft = 800.0f / 1000.0f,
      .shear = 25.0f, .poisson = 0.2f, .bending = 3.0e-6f,
      .bend_warp = 3.5e-6f / 3.0e-6f, .bend_weft = 2.5e-6f / 3.0e-6f, .bend_bias = 3.0e-6f / 3.0e-6f,
      .thickness = 0.15e-3f, .friction = 0.25f},
     TYPICAL("a light plain weave")},
    {"satin",
     {.density = 0.13f, .stretch = 1600.0f, .stretch_warp = 2000.0f / 1600.0f, .stretch_weft = 1200.0f / 1600.0f,
      .shear = 30.0f, .poisson = 0.2f, .bending = 6.0e-6f,
      .bend_warp = 8.0e-6f / 6.0e-6f, .bend_weft = 5.0e-6f / 6.0e-6f, .bend_bias = 6.0e-6f / 6.0e-6f,
      .thickness = 0.25e-3f, .friction = 0.20f},
     TYPICAL("a dress satin")},
    {"wool",
     {.density = 0.22f, .stretch = 1000.0f, .stretch_warp = 1200.0f / 1000.0f, .stretch_weft = 800.0f / 1000.0f,
      .shear = 40.0f, .poisson = 0.2f, .bending = 1.0e-5f,
      .bend_warp = 1.1e-5f / 1.0e-5f, .bend_weft = 9.0e-6f / 1.0e-5f, .bend_bias = 1.0e-5f / 1.0e-5f,
      .thickness = 0.55e-3f, .friction = 0.30f},
     TYPICAL("a worsted suiting")},
    {"leather",
     {.density = 0.7f, .stretch = 1.0e4f, EVEN,
      .shear = 3.6e3f, .poisson = 0.4f, .bending = 9.9e-4f, .thickness = 1.0e-3f, .friction = 0.50f},
     "computed for a plate of 10 MPa, Poisson 0.4, thickness 1 mm, 700 kg/m^3 (soft garment leather); friction typical"},
    {"paper",
     {.density = 0.1f, .stretch = 5.0e5f, EVEN,
      .shear = 1.9e5f, .poisson = 0.3f, .bending = 4.2e-4f, .thickness = 0.1e-3f, .friction = 0.40f},
     "computed for a plate of 5 GPa, Poisson 0.3, thickness 0.1 mm, as ARCSim's paper; density and friction typical"},
    {"foil",
     {.density = 0.071f, .stretch = 1.78e6f, EVEN,
      .shear = 6.7e5f, .poisson = 0.33f, .bending = 9.56e-5f, .thickness = 25.4e-6f, .friction = 0.30f},
     "computed for a plate of 70 GPa, Poisson 0.33, thickness 25.4 um, 2800 kg/m^3, as ARCSim's aluminium; friction typical"},
    {.name = NULL},
};
// clang-format on

wfFabric wfDefaultFabric(void) {
    wfFabric fabric;
    wfParamTable_SetDefaults(&wfFabricParams, &fabric);
    return fabric;
}

bool wfFindFabric(const char* name, wfFabric* out, wfError* err) {
    const char* names[sizeof wfFabricPresets / sizeof wfFabricPresets[0]];
    int count = 0;
    for (const wfFabricPreset* p = wfFabricPresets; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            *out = p->fabric;
            return true;
        }
        names[count++] = p->name;
    }
    return wfFailUnknown(NULL, "fabric", name, names, count, err);
}
