// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/figure_shape.h"

#include <math.h>

typedef wfFigurePoint Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static const wfLoftKnot s_torso[] = {
    {0.478, 0.0840, 0.0560, -0.006}, {0.510, 0.0955, 0.0650, -0.009}, {0.565, 0.0870, 0.0595, -0.004},
    {0.632, 0.0660, 0.0475, 0.003},  {0.690, 0.0755, 0.0540, 0.002},  {0.735, 0.0830, 0.0565, -0.002},
    {0.775, 0.0860, 0.0500, -0.008}, {0.805, 0.0680, 0.0380, -0.013}, {0.828, 0.0360, 0.0300, -0.015},
};
static const wfLoftKnot s_shoulder[] = {{0.0, 0.031, 0.028, 0.0}, {0.080, 0.032, 0.0285, 0.0}};
static const wfLoftKnot s_neck[] = {{0.0, 0.031, 0.033, 0.0}, {0.035, 0.0275, 0.029, 0.0}, {0.09, 0.0275, 0.030, 0.0}};
static const wfLoftKnot s_head[] = {
    {0.8735, 0.0185, 0.0200, 0.030}, {0.888, 0.0315, 0.0370, 0.018}, {0.910, 0.0395, 0.0490, 0.009},
    {0.9350, 0.0430, 0.0545, 0.003}, {0.955, 0.0440, 0.0560, 0.000},
};
static const wfLoftKnot s_breast[] = {{0.0, 0.034, 0.033, 0.0}};
static const wfLoftKnot s_seat[] = {{0.0, 0.044, 0.046, 0.0}};
static const wfLoftKnot s_leg[] = {
    {0.000, 0.0440, 0.0540, -0.004}, {0.060, 0.0455, 0.0520, 0.000},  {0.130, 0.0400, 0.0445, 0.002},
    {0.205, 0.0310, 0.0340, 0.002},  {0.238, 0.0295, 0.0320, -0.002}, {0.290, 0.0310, 0.0335, -0.008},
    {0.350, 0.0250, 0.0265, -0.008}, {0.405, 0.0185, 0.0205, -0.005}, {0.440, 0.0185, 0.0215, -0.003},
};
static const wfLoftKnot s_foot[] = {
    {0.000, 0.0210, 0.0200, 0.0200}, {0.030, 0.0205, 0.0250, 0.0250}, {0.070, 0.0235, 0.0200, 0.0200},
    {0.098, 0.0255, 0.0155, 0.0155}, {0.120, 0.0220, 0.0125, 0.0125},
};
static const wfLoftKnot s_arm[] = {
    {0.000, 0.0285, 0.0310, 0.000}, {0.050, 0.0262, 0.0290, 0.000}, {0.110, 0.0230, 0.0255, 0.000}, {0.180, 0.0190, 0.0205, 0.000},
    {0.215, 0.0198, 0.0208, 0.000}, {0.270, 0.0168, 0.0178, 0.000}, {0.325, 0.0142, 0.0160, 0.000}, {0.350, 0.0150, 0.0200, 0.001},
    {0.378, 0.0150, 0.0225, 0.002}, {0.402, 0.0138, 0.0205, 0.003}, {0.412, 0.0130, 0.0185, 0.003},
};
static const wfLoftKnot s_thumb[] = {{0.0, 0.0130, 0.0130, 0.0}, {0.032, 0.0118, 0.0118, 0.0}};

static const wfLoft s_body[] = {
    {0.000, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0.030, 0.016}, 0.115, WF_KNOTS(s_torso)},
    {0.032, {0.022, 0.807, -0.012}, {0.94868, -0.31623, 0}, {0, 0, 1}, {0.31623, 0.94868, 0}, {0.02, 0.026}, 0.04, WF_KNOTS(s_shoulder)},
    {0.030, {0, 0.805, -0.015}, {0, 0.98058, 0.19612}, {1, 0, 0}, {0, -0.19612, 0.98058}, {0.01, 0.01}, 0.04, WF_KNOTS(s_neck)},
    {0.012, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0.0065, 0.045}, 0.07, WF_KNOTS(s_head)},
    {0.022, {0.0395, 0.722, 0.040}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0.03, 0.036}, 0.04, WF_KNOTS(s_breast)},
    {0.030, {0.044, 0.508, -0.036}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0.03, 0.036}, 0.05, WF_KNOTS(s_seat)},
    {0.045, {0.0535, 0.490, -0.002}, {0.02695, -0.99964, 0}, {0.99964, 0.02695, 0}, {0, 0, 1}, {0.05, 0.015}, 0.065, WF_KNOTS(s_leg)},
    {0.014, {0.0655, 0, -0.026}, {0.08716, 0, 0.99619}, {0.99619, 0, -0.08716}, {0, 1, 0}, {0.017, 0.017}, 0.055, WF_KNOTS(s_foot)},
};
static const wfLoft s_limb[] = {
    {0.026, {0.103, 0.780, -0.008}, {0.57358, -0.81915, 0}, {0.81915, 0.57358, 0}, {0, 0, 1}, {0.026, 0.018}, 0.04, WF_KNOTS(s_arm)},
    {0.010,
     {0.297, 0.503, 0.012},
     {0.3813, -0.5446, 0.747},
     {0.81915, 0.57358, 0},
     {-0.4285, 0.6119, 0.6647},
     {0.012, 0.0115},
     0.02,
     WF_KNOTS(s_thumb)},
};
enum { BodyCount = sizeof s_body / sizeof s_body[0], LimbCount = sizeof s_limb / sizeof s_limb[0] };

static const double s_middle = 0.003; // how far the halves run into each other

double wfFigureField(Vector p) {
    p = wfMirrorField(p, s_middle);
    return wfUniteLofts(wfUniteLofts(INFINITY, s_body, BodyCount, p), s_limb, LimbCount, p);
}

double wfFigureArmShare(Vector p, double* along) {
    p = wfMirrorField(p, s_middle);
    double body = wfUniteLofts(INFINITY, s_body, BodyCount, p), arm = wfUniteLofts(INFINITY, s_limb, LimbCount, p);
    double t = fmin(fmax(0.5 + (body - arm) / 0.06, 0.0), 1.0);
    *along = Dot(Add(p, -1.0, s_limb[0].from), s_limb[0].along);
    return t * t * (3.0 - 2.0 * t);
}
