// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Triangle elements: what a flat triangle answers when it is stretched and sheared. In both precisions (names ending in D are double).
//
// The flat shape gives F, the 3x2 map from (warp, weft) into space, constant over the triangle. A model is an energy density psi(F) [J/m²];
// its first derivative is the stress P [N/m], its second the 6x6 matrix of wfMembraneHessian [N/m]. What a vertex sees follows by the
// gradient b of its shape function: gradient = area P b [N], block of vertices i and j = area sum b_i b_j d²psi [N/m].
//
//   StVK          St. Venant–Kirchhoff: quadratic in Green's strain E = (FᵀF - 1)/2. Stiffens in tension (nominal modulus grows by 1.5
//                 times the strain), softens in compression and collapses below 58 % of the length: for moderate strain.
//   corotational  mu |F - R|² + lambda/2 (tr S - 2)², F = R S: linear in the stretches, isotropic, never soft in compression.
//                 With lambda = 0 it is ARAP (as-rigid-as-possible).
//   fabric        threads: engineering strains |F_u| - 1 and |F_v| - 1 of warp and weft, coupled by a Poisson term, and the shear F_u·F_v:
//                 orthotropic, linear along each thread at any strain, defined for collapsed triangles.
// To first order in the strain all three are the plane stress law of their wfPlanar. StVK takes any orthotropic one; corotational reads
// the isotropic ones only.
//
// `clamped` Hessians leave out what could make them indefinite (they are symmetric and positive semidefinite); the others are exact.

#include "math/polar.h"
#include "mesh/mesh.h"

enum { wf_elementModelCount = wf_membraneFabric + 1 }; // the models below; mass–spring is elastic/springs.h

#define WF_BOTH "elastic/membrane.inl"
#include "math/both_precisions.inl"

/// Of a triangle with an area (wfReferenceShape); a mirrored one is as good as its mirror image.
wfElementD wfMakeElement(const wfFlatTriangle* flat);
wfElement wfElement_Narrow(wfElementD e);

/// What a fabric says: orthotropic by stretch_warp, stretch_weft, shear and poisson for the fabric model, isotropic by stretch and poisson
/// for the other two. Along a thread that may narrow freely the stiffness is exactly the one of the fabric.
wfPlanarD wfMakePlanar(const wfFabric* fabric, wfMembraneModel model);
wfPlanar wfPlanar_Narrow(wfPlanarD m);
/// What bounds the second derivative of an energy density by F_u and by F_v at small strain. The law couples the strains along both threads
/// by uv and the two parts of the shear by `shear`.
void wfPlanar_Bounds(const wfPlanarD* law, double* u, double* v);

/// The isotropic law of a sheet with stiffness `young` [N/m] (modulus times thickness).
wfPlanarD wfMakeIsotropic(double young, double poisson);
/// The orthotropic law; poisson is sqrt(nu_uv nu_vu), the mean of both ratios, whose quotient follows from symmetry.
wfPlanarD wfMakeOrthotropic(double warp, double weft, double shear, double poisson);
