// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/motion.h"

#include "base/assert.h"

// Smooth motion is a cubic Hermite curve between each two keys. The velocity at an inner key is that of the parabola through it and its
// neighbours (Catmull-Rom where keys are evenly spaced); at the first and the last key it is zero, since the motion rests outside.
// Rotations use the same idea on unit quaternions: the cumulative Bezier form of Kim, Kim and Shin 1995, "A general construction scheme
// for unit quaternion curves with simple high order derivatives", section 4, takes an angular velocity at each end, so that it is
// continuous also where keys are unevenly spaced, which squad is not.

static wfQuat Flip(wfQuat q) { return (wfQuat){-q.x, -q.y, -q.z, -q.w}; }

// Half the rotation vector of a unit quaternion, by the shorter way.
static wfVec3 Log(wfQuat q) {
    if (q.w < 0.0f) q = Flip(q);
    wfVec3 v = wfMake3(q.x, q.y, q.z);
    float sine = wfLength(v);
    return sine > 0.0f ? wfScale(v, atan2f(sine, q.w) / sine) : v;
}

static wfQuat Exp(wfVec3 half) {
    float angle = wfLength(half);
    wfVec3 v = angle > 0.0f ? wfScale(half, sinf(angle) / angle) : half;
    return (wfQuat){v.x, v.y, v.z, cosf(angle)};
}

static wfVec3 Turn(const wfKey* a, const wfKey* b) { return Log(wfQuatMul(wfQuatConjugate(a->rotate), b->rotate)); }

typedef struct KeyVelocity {
    wfVec3 translate, turn; // [1/s]; turn is half the angular velocity in the key's own frame
} KeyVelocity;

static KeyVelocity VelocityAt(const wfMotion* m, int i) {
    KeyVelocity r = {0};
    if (i == 0 || i == m->keyCount - 1) return r;
    const wfKey *a = &m->keys[i - 1], *b = &m->keys[i], *c = &m->keys[i + 1];
    float before = (float)((double)b->time - a->time), after = (float)((double)c->time - b->time), both = before + after;
    float wa = after / (both * before), wc = before / (both * after);
    r.translate = wfAdd(wfScale(wfSub(b->translate, a->translate), wa), wfScale(wfSub(c->translate, b->translate), wc));
    r.turn = wfAdd(wfScale(Turn(a, b), wa), wfScale(Turn(b, c), wc));
    return r;
}

static wfPose Smooth(const wfMotion* m, int i, float s, float h) {
    const wfKey *a = &m->keys[i], *b = &m->keys[i + 1];
    KeyVelocity va = VelocityAt(m, i), vb = VelocityAt(m, i + 1);
    float s2 = s * s, s3 = s2 * s;
    // The Hermite curve, written as an offset from the first key so that it starts there exactly.
    wfVec3 p = wfMulAdd(a->translate, 3.0f * s2 - 2.0f * s3, wfSub(b->translate, a->translate));
    p = wfMulAdd(p, h * (s3 - 2.0f * s2 + s), va.translate);
    p = wfMulAdd(p, h * (s3 - s2), vb.translate);
    // Three turns one after the other, each weighted by a cumulative Bernstein polynomial. The middle one closes the way to key b.
    wfVec3 first = wfScale(va.turn, h / 3.0f), last = wfScale(vb.turn, h / 3.0f);
    wfQuat between = wfQuatMul(wfQuatConjugate(a->rotate), b->rotate);
    wfVec3 middle = Log(wfQuatMul(wfQuatMul(Exp(wfScale(first, -1.0f)), between), Exp(wfScale(last, -1.0f))));
    float r = 1.0f - s, b1 = 1.0f - r * r * r, b2 = s2 * (3.0f - 2.0f * s), b3 = s3;
    wfQuat q = wfQuatMul(a->rotate, Exp(wfScale(first, b1)));
    q = wfQuatMul(wfQuatMul(q, Exp(wfScale(middle, b2))), Exp(wfScale(last, b3)));
    return (wfPose){p, wfQuatNormalize(q)};
}

wfPose wfMotion_At(const wfMotion* m, double time) {
    if (m->keyCount == 0) return (wfPose){{0, 0, 0}, wfQuatIdentity()};
    int lo = -1, hi = m->keyCount; // keys[lo].time <= time < keys[hi].time
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if ((double)m->keys[mid].time <= time) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    const wfKey* a = &m->keys[lo < 0 ? 0 : lo];
    wfPose rest = {a->translate, a->rotate};
    if (lo < 0 || hi == m->keyCount || m->interpolation == wf_interpolateHold) return rest;
    const wfKey* b = &m->keys[hi];
    double h = (double)b->time - a->time;
    float s = (float)((time - a->time) / h);
    if (m->interpolation == wf_interpolateSmooth) return Smooth(m, lo, s, (float)h);
    return (wfPose){wfLerp(a->translate, b->translate, s), wfQuatNormalize(wfQuatMul(a->rotate, Exp(wfScale(Turn(a, b), s))))};
}

bool wfMotion_CopyKeys(const wfKey* keys, int keyCount, wfKey* out, const char* where, wfError* err) {
    for (int i = 0; i < keyCount; ++i) {
        wfKey k = keys[i];
        wfQuat q = k.rotate;
        float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        if (!isfinite(k.time)) return wfFail(err, wf_badInput, "%s: key %d: time: expected a finite number, got %g", where, i, k.time);
        if (!wfIsFinite3(k.translate)) {
            return wfFail(err, wf_badInput, "%s: key %d: translate: expected 3 finite numbers, got [%g, %g, %g]", where, i, k.translate.x,
                          k.translate.y, k.translate.z);
        }
        // Read as "length is a normal number": NaN, infinity and zero all fail.
        if (!(length > 1e-6f && length < 1e6f)) {
            return wfFail(err, wf_badInput, "%s: key %d: rotate: expected a quaternion that is not zero, got [%g, %g, %g, %g]", where, i,
                          q.x, q.y, q.z, q.w);
        }
        if (i > 0 && !(k.time > keys[i - 1].time)) {
            return wfFail(err, wf_badInput, "%s: key %d: time: expected more than %g, the time of the key before, got %g", where, i,
                          keys[i - 1].time, k.time);
        }
        k.rotate = wfQuatNormalize(q);
        if (i > 0) {
            wfQuat p = out[i - 1].rotate, r = k.rotate;
            if (p.x * r.x + p.y * r.y + p.z * r.z + p.w * r.w < 0.0f) k.rotate = Flip(r);
        }
        out[i] = k;
    }
    return true;
}

wfPose wfPose_Mul(wfPose a, wfPose b) { return (wfPose){wfPose_Apply(a, b.translate), wfQuatNormalize(wfQuatMul(a.rotate, b.rotate))}; }

wfPose wfPose_Inverse(wfPose p) {
    wfQuat back = wfQuatConjugate(p.rotate);
    return (wfPose){wfScale(wfRotate(back, p.translate), -1.0f), back};
}

wfVec3 wfSequence_At(const wfVec3* frames, int frameCount, int vertexCount, float rate, double time, int vertex) {
    WF_ASSERT(frameCount > 0 && vertex < vertexCount);
    double place = fmin(fmax(time * rate, 0.0), frameCount - 1.0);
    int first = (int)place;
    const wfVec3* a = frames + (size_t)first * (size_t)vertexCount + vertex;
    return first + 1 < frameCount ? wfLerp(a[0], a[vertexCount], (float)(place - first)) : a[0];
}
