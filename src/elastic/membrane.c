// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/membrane.h"

#include "base/assert.h"

wfElementD wfMakeElement(const wfFlatTriangle* flat) {
    const wfVec2* c = flat->corner;
    double e1u = (double)c[1].x - c[0].x, e1v = (double)c[1].y - c[0].y;
    double e2u = (double)c[2].x - c[0].x, e2v = (double)c[2].y - c[0].y;
    double det = e1u * e2v - e2u * e1v;
    WF_ASSERT(det != 0.0);
    return (wfElementD){.area = 0.5 * fabs(det), .b1u = e2v / det, .b1v = -e2u / det, .b2u = -e1v / det, .b2v = e1u / det};
}

wfElement wfElement_Narrow(wfElementD e) { return (wfElement){(float)e.area, (float)e.b1u, (float)e.b1v, (float)e.b2u, (float)e.b2v}; }

wfPlanarD wfMakeOrthotropic(double warp, double weft, double shear, double poisson) {
    double plane = 1.0 / (1.0 - poisson * poisson);
    return (wfPlanarD){.uu = warp * plane, .vv = weft * plane, .uv = poisson * sqrt(warp * weft) * plane, .shear = shear};
}

wfPlanarD wfMakeIsotropic(double young, double poisson) { return wfMakeOrthotropic(young, young, 0.5 * young / (1.0 + poisson), poisson); }

wfPlanarD wfMakePlanar(const wfFabric* fabric, wfMembraneModel model) {
    if (model != wf_membraneFabric) return wfMakeIsotropic(fabric->stretch, fabric->poisson);
    double warp = (double)fabric->stretch * fabric->stretch_warp, weft = (double)fabric->stretch * fabric->stretch_weft;
    return wfMakeOrthotropic(warp, weft, fabric->shear, fabric->poisson);
}

wfPlanar wfPlanar_Narrow(wfPlanarD m) { return (wfPlanar){(float)m.uu, (float)m.vv, (float)m.uv, (float)m.shear}; }

void wfPlanar_Bounds(const wfPlanarD* law, double* u, double* v) {
    *u = fmax(law->uu + fabs(law->uv), 2.0 * law->shear);
    *v = fmax(law->vv + fabs(law->uv), 2.0 * law->shear);
}
