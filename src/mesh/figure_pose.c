// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate.h"

#include "mesh/figure_shape.h"

#include <math.h>

// Bones with smooth weights: a joint turns what lies beyond it by a share of its angle that grows smoothly across the joint.

#define PI 3.14159265358979323846

typedef wfFigurePoint Vector;

static double SmoothStep(double t) {
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Forward about an axis along x.
static Vector Swing(Vector p, double y, double z, double angle) {
    double up = p.y - y, out = p.z - z, c = cos(angle), s = sin(angle);
    return (Vector){p.x, y + c * up + s * out, z + c * out - s * up};
}

// Outwards about an axis along z, on the side of +x.
static Vector Raise(Vector p, Vector at, double angle) {
    double up = p.y - at.y, out = p.x - at.x, c = cos(angle), s = sin(angle);
    return (Vector){at.x + c * out - s * up, at.y + c * up + s * out, p.z};
}

// How a leg is bent: forward at the hip, back at the knee.
typedef struct Leg {
    double hip, knee;
} Leg;

static Leg LegOf(wfFigurePose pose, double side) {
    const double stride = 0.40, knee = 0.95, ahead = 0.30; // [rad]
    double swings = fmax(side * (double)pose.lift, 0.0);
    return (Leg){stride * side * (double)pose.stride + ahead * swings, knee * swings};
}

// How far toes or heel, whichever is lower, are above the ground if the hips stay where they are.
static double LowestFoot(Leg leg) {
    const double toes = 0.095, heel = -0.038;
    double lowest = INFINITY;
    for (int k = 0; k < 2; ++k) {
        Vector p = {0.0, 0.0, k == 0 ? toes : heel};
        p = Swing(Swing(p, wfFigureKnee, 0.0, -leg.knee), wfFigureHip, 0.0, leg.hip);
        lowest = fmin(lowest, p.y);
    }
    return lowest;
}

static Vector PoseLeg(Vector p, Leg leg, double blend) {
    p = Swing(p, wfFigureKnee, 0.0, -leg.knee * SmoothStep((wfFigureKnee + 0.03 - p.y) / 0.06));
    return Swing(p, wfFigureHip, 0.0, leg.hip * blend);
}

static Vector PosePoint(Vector p, wfFigurePose pose) {
    const double swing = -0.35, bend = 0.25; // [rad] of the arms, against the legs
    Vector shoulder = wfFigureShoulder;
    double side = p.x < 0.0 ? -1.0 : 1.0, along, arm = wfFigureArmShare(p, &along);
    p.x *= side;
    if (arm > 0.0) {
        double moves = fmin(hypot((double)pose.stride, (double)pose.lift), 1.0), elbow = SmoothStep((along - wfFigureElbow) / 0.05 + 0.5);
        p = Raise(p, shoulder, arm * (double)pose.arms * PI / 180.0);
        // The lower arm turns about the elbow, which is still below and beside the shoulder.
        double angle = (PI / 180.0) * (35.0 + (double)pose.arms);
        p = Swing(p, shoulder.y - (wfFigureElbow + 0.004) * cos(angle), shoulder.z, bend * moves * elbow);
        p = Swing(p, shoulder.y, shoulder.z, swing * arm * side * (double)pose.stride);
    } else if (p.y < 0.56) {
        double blend = SmoothStep((0.55 - p.y) / 0.11), middle = SmoothStep(0.5 + 0.5 * p.x / 0.04);
        Vector own = PoseLeg(p, LegOf(pose, side), blend), other = PoseLeg(p, LegOf(pose, -side), blend);
        p = (Vector){p.x, middle * own.y + (1.0 - middle) * other.y, middle * own.z + (1.0 - middle) * other.z};
    }
    p.x *= side;
    p.y -= fmin(LowestFoot(LegOf(pose, 1.0)), LowestFoot(LegOf(pose, -1.0)));
    return p;
}

void wfPoseFigure(const wfMesh* figure, float height, wfFigurePose pose, wfVec3* out) {
    for (int v = 0; v < figure->vertexCount; ++v) {
        wfVec3 q = figure->positions[v];
        Vector p = PosePoint((Vector){(double)q.x / height, (double)q.y / height + 0.5, (double)q.z / height}, pose);
        out[v] = wfMake3((float)(height * p.x), (float)(height * (p.y - 0.5)), (float)(height * p.z));
    }
}

wfFigurePose wfWalkingPose(float phase, float amount, float arms) {
    double angle = 2.0 * PI * (double)phase;
    return (wfFigurePose){(float)(amount * sin(angle)), (float)(amount * cos(angle)), arms};
}
