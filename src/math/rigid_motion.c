// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "math/rigid_motion.h"

static wfTurn UnitTurn(double x, double y, double z, double w) {
    double s = 1.0 / sqrt(x * x + y * y + z * z + w * w);
    return (wfTurn){x * s, y * s, z * s, w * s};
}

/// First b, then a.
static wfTurn MulTurn(wfTurn a, wfTurn b) {
    return UnitTurn(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

wfTurn wfTurn_Between(wfQuat start, wfQuat end) {
    return MulTurn(UnitTurn(end.x, end.y, end.z, end.w), UnitTurn(-(double)start.x, -(double)start.y, -(double)start.z, start.w));
}

static wfMat3D TurnMatrix(wfTurn q) {
    return (wfMat3D){{{1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y)},
                      {2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x)},
                      {2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)}}};
}

/// Eigenvectors of a symmetric matrix as the columns of a rotation, by Jacobi's sweeps; its eigenvalues are left on the diagonal.
static wfMat3D PrincipalAxes(wfMat3D* a) {
    wfMat3D axes = wfDiagonal3D(1.0);
    for (int sweep = 0; sweep < 30; ++sweep) {
        bool done = true;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                double off = a->m[p][q];
                if (fabs(off) <= 1e-17 * (fabs(a->m[p][p]) + fabs(a->m[q][q]))) continue;
                done = false;
                double ratio = (a->m[q][q] - a->m[p][p]) / (2.0 * off);
                double t = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + sqrt(ratio * ratio + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    double kp = a->m[k][p], kq = a->m[k][q];
                    a->m[k][p] = c * kp - s * kq, a->m[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k) {
                    double pk = a->m[p][k], qk = a->m[q][k];
                    a->m[p][k] = c * pk - s * qk, a->m[q][k] = s * pk + c * qk;
                    double kp = axes.m[k][p], kq = axes.m[k][q];
                    axes.m[k][p] = c * kp - s * kq, axes.m[k][q] = s * kp + c * kq;
                }
                a->m[p][q] = a->m[q][p] = 0.0;
            }
        }
        if (done) break;
    }
    return axes;
}

/// The equation in principal axes. About an axis a turn is measured by the root of the inertia about it and a moment by the root's inverse,
/// so that at no turn the derivative is the identity, also for a narrow row.
typedef struct Equation {
    double spread[3], momentum[3];
    double scale[3]; // 1 / root of inertia; 0 where there is none to speak of
} Equation;

/// The scaled moment that is missing, and optionally its derivative by the scaled turn before R. Returns the square of the former.
static double Miss(const Equation* e, wfTurn turn, double miss[3], double derivative[3][3]) {
    wfMat3D r = TurnMatrix(turn), b;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) b.m[i][j] = r.m[i][j] * e->spread[j];
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        miss[i] = e->scale[i] * (b.m[k][j] - b.m[j][k] - e->momentum[i]);
        sum += miss[i] * miss[i];
    }
    if (derivative == NULL) return sum;
    double trace = b.m[0][0] + b.m[1][1] + b.m[2][2];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double br = b.m[i][0] * r.m[0][j] + b.m[i][1] * r.m[1][j] + b.m[i][2] * r.m[2][j];
            derivative[i][j] = e->scale[i] * (trace * r.m[i][j] - br) * e->scale[j];
        }
        if (e->scale[i] == 0.0) derivative[i][i] = 1.0;
    }
    return sum;
}

/// Solves (J^T J + damping) step = -J^T miss by Cholesky; false where J is singular and nothing damps.
static bool DampedStep(double j[3][3], const double miss[3], double damping, double step[3]) {
    double l[3][3] = {{0}};
    for (int i = 0; i < 3; ++i) {
        step[i] = -(j[0][i] * miss[0] + j[1][i] * miss[1] + j[2][i] * miss[2]);
        for (int k = 0; k <= i; ++k) {
            double sum = j[0][i] * j[0][k] + j[1][i] * j[1][k] + j[2][i] * j[2][k] + (i == k ? damping : 0.0);
            for (int n = 0; n < k; ++n) sum -= l[i][n] * l[k][n];
            if (i == k && !(sum > 1e-14)) return false;
            l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
        }
        for (int k = 0; k < i; ++k) step[i] -= l[i][k] * step[k];
        step[i] /= l[i][i];
    }
    for (int i = 2; i >= 0; --i) {
        for (int k = i + 1; k < 3; ++k) step[i] -= l[k][i] * step[k];
        step[i] /= l[i][i];
    }
    return true;
}

wfTurn wfMatchTurn(const wfMat3D* spread, wfVec3D momentum, bool* matched) {
    wfMat3D a = *spread, axes = PrincipalAxes(&a), back = wfMat3_TransposeD(&axes);
    wfVec3D l = wfMat3_ApplyD(&back, momentum);
    Equation e = {.spread = {fmax(a.m[0][0], 0.0), fmax(a.m[1][1], 0.0), fmax(a.m[2][2], 0.0)}, .momentum = {l.x, l.y, l.z}};
    double trace = e.spread[0] + e.spread[1] + e.spread[2];
    bool reachable = true;
    for (int i = 0; i < 3; ++i) {
        double inertia = e.spread[(i + 1) % 3] + e.spread[(i + 2) % 3];
        e.scale[i] = inertia > 1e-14 * trace ? 1.0 / sqrt(inertia) : 0.0;
        // No turn has more than the inertia about an axis. Asking for it would drown the other axes: of a row that is narrow only by
        // rounding a motion asks ten thousand times as much.
        reachable = reachable && (e.scale[i] == 0.0 || fabs(e.momentum[i]) <= inertia + 1e-13 * trace);
        e.momentum[i] = fmin(fmax(e.momentum[i], -inertia), inertia);
    }
    wfTurn turn = {0.0, 0.0, 0.0, 1.0};
    double miss[3], derivative[3][3], damping = 0.0;
    double left = Miss(&e, turn, miss, derivative);
    for (int round = 0; round < 100 && left > 0.0; ++round) {
        double step[3], next[3];
        if (DampedStep(derivative, miss, damping, step)) {
            double size = 0.0;
            for (int i = 0; i < 3; ++i) {
                step[i] = fmin(fmax(e.scale[i] * step[i], -1.0), 1.0); // further than a radian the branch may be lost
                size = fmax(size, fabs(step[i]));
            }
            wfTurn trial = MulTurn(turn, UnitTurn(0.5 * step[0], 0.5 * step[1], 0.5 * step[2], 1.0));
            double missed = Miss(&e, trial, next, NULL);
            if (missed < left) {
                bool last = missed > (1.0 - 1e-9) * left;
                turn = trial;
                left = Miss(&e, turn, miss, derivative);
                damping = damping > 1e-8 ? 0.125 * damping : 0.0;
                if (last) break;
                continue;
            }
            if (size < 1e-15) break;
        }
        damping = fmax(8.0 * damping, 1e-4);
    }
    *matched = reachable;
    for (int i = 0; i < 3; ++i)
        if (e.scale[i] > 0.0) *matched = *matched && fabs(miss[i]) <= 1e-13 * trace * e.scale[i];
    wfVec3D axis = wfMat3_ApplyD(&axes, wfMake3D(turn.x, turn.y, turn.z));
    return UnitTurn(axis.x, axis.y, axis.z, turn.w);
}

wfRigidMotion wfMatchMotion(const wfMovedMass* masses, int count, bool* matched) {
    wfRigidMotion motion = {0};
    wfVec3D near = masses[0].start; // sums about a mass, not about a far origin
    double mass = 0.0;
    for (int i = 0; i < count; ++i) {
        mass += masses[i].mass;
        motion.centre = wfMulAddD(motion.centre, masses[i].mass, wfSubD(masses[i].start, near));
        motion.shift = wfMulAddD(motion.shift, masses[i].mass, masses[i].shift);
    }
    motion.centre = wfMulAddD(near, 1.0 / mass, motion.centre);
    motion.shift = wfScaleD(motion.shift, 1.0 / mass);
    wfMat3D spread = wfDiagonal3D(0.0);
    wfVec3D momentum = wfMake3D(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) {
        wfVec3D r = wfSubD(masses[i].start, motion.centre);
        wfMat3_AddOuterD(&spread, masses[i].mass, r, r);
        momentum = wfMulAddD(momentum, masses[i].mass, wfCrossD(r, wfSubD(masses[i].shift, motion.shift)));
    }
    motion.turn = wfMatchTurn(&spread, momentum, matched);
    return motion;
}
