// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double s_pi = 3.14159265358979323846;

// A rotation as it was written: the angle counts whole turns, which a quaternion forgets.
typedef struct Turn {
    bool hasAxis; // else only the quaternion is known
    wfVec3 axis;
    double angle; // [rad]
    wfQuat quat;
} Turn;

static const Turn s_noTurn = {.hasAxis = true, .quat = {0, 0, 0, 1}};

static bool ReadTurn(wfReader* r, const wfAt* parent, Turn* out) {
    wfAt at, part;
    double value[4];
    *out = s_noTurn;
    if (!wfReader_Open(parent, "rotate", &at)) return true;
    if (at.node->kind == wf_yamlList) {
        if (!wfReader_Numbers(r, &at, 4, "4 numbers x, y, z, w or a map", value)) return false;
        double length = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
        if (!(fabs(length - 1.0) < 1e-3)) return wfReader_Fail(r, &at, "expected a quaternion of length 1, got length %.6g", length);
        out->hasAxis = false;
        out->quat = wfQuatNormalize((wfQuat){(float)value[0], (float)value[1], (float)value[2], (float)value[3]});
        return true;
    }
    if (!wfReader_Section(r, &at, &wfSectionRotate, NULL)) return false;
    if (!wfReader_Open(&at, "axis", &part)) return wfReader_Fail(r, &at, "expected the key \"axis\"");
    if (!wfReader_Numbers(r, &part, 3, "3 numbers", value)) return false;
    double length = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
    if (!(length > 1e-9 && length < 1e9)) return wfReader_Fail(r, &part, "expected an axis of a length that is not 0, got %.6g", length);
    out->axis = wfMake3((float)(value[0] / length), (float)(value[1] / length), (float)(value[2] / length));
    wfAt degrees, radians;
    bool inDegrees = wfReader_Open(&at, "degrees", &degrees), inRadians = wfReader_Open(&at, "radians", &radians);
    if (inDegrees == inRadians) return wfReader_Fail(r, &at, "expected one of the keys \"degrees\" and \"radians\"");
    if (inDegrees) {
        if (!wfReader_Number(r, &degrees, -1e5, 1e5, "a number in [-100000, 100000] degrees", &out->angle)) return false;
        out->angle *= s_pi / 180.0;
    } else if (!wfReader_Number(r, &radians, -2e3, 2e3, "a number in [-2000, 2000] rad", &out->angle)) {
        return false;
    }
    // Reduced in double: a float angle of many turns would be coarse.
    out->quat = wfQuatAxisAngle(out->axis, (float)fmod(out->angle, 4.0 * s_pi));
    return true;
}

bool wfReader_Transform(wfReader* r, const wfAt* parent, bool mayScale, wfTransform* out) {
    wfAt at, part;
    *out = (wfTransform){{1, 1, 1}, {0, 0, 0, 1}, {0, 0, 0}};
    if (!wfReader_Open(parent, "transform", &at)) return true;
    wfPlacement placement = {0};
    if (!wfReader_Section(r, &at, &wfSectionTransform, &placement)) return false;
    out->translate = placement.translate;
    if (wfReader_Open(&at, "scale", &part)) {
        if (!mayScale) return wfReader_Fail(r, &part, "an exact shape is not scaled; use its radius and size");
        double scale[3];
        const char* expected = "a number or 3 numbers in [1e-06, 1e+06]";
        if (part.node->kind == wf_yamlList) {
            if (!wfReader_Numbers(r, &part, 3, expected, scale)) return false;
        } else {
            if (!wfReader_Number(r, &part, -HUGE_VAL, HUGE_VAL, expected, scale)) return false;
            scale[1] = scale[2] = scale[0];
        }
        for (int i = 0; i < 3; ++i) {
            if (!(scale[i] >= 1e-6 && scale[i] <= 1e6)) return wfReader_Fail(r, &part, "expected %s, got %.9g", expected, scale[i]);
        }
        out->scale = wfMake3((float)scale[0], (float)scale[1], (float)scale[2]);
    }
    Turn turn;
    if (!ReadTurn(r, &at, &turn)) return false;
    out->rotate = turn.quat;
    return true;
}

// Between two keys a quaternion takes the shorter way, so a turn of more than half a round needs keys in between. They can be made where
// both keys turn about one axis; false where they cannot.
static bool CountPieces(const Turn* from, const Turn* to, wfInterpolation interpolation, int* pieces) {
    *pieces = 1;
    if (interpolation == wf_interpolateHold) return true;
    float along = wfDot(from->axis, to->axis);
    bool oneAxis = from->hasAxis && to->hasAxis && (from->angle == 0.0 || to->angle == 0.0 || fabsf(along) > 0.99999f);
    if (!oneAxis) return fabs(from->angle) <= s_pi && fabs(to->angle) <= s_pi;
    double turn = fabs(to->angle - (along < 0.0f ? -from->angle : from->angle));
    if (turn > 0.75 * s_pi) *pieces = (int)ceil(turn / (0.5 * s_pi));
    return true;
}

bool wfReader_Motion(wfReader* r, const wfAt* parent, wfInterpolation interpolation, const wfTransform* start, wfKey** keys, int* count) {
    wfAt list, at = {0};
    *keys = NULL;
    *count = 0;
    if (!wfReader_Open(parent, "motion", &list)) return true;
    if (!wfReader_IsList(r, &list)) return false;
    if (list.node->count == 0) return wfReader_FailKind(r, &list, "at least one key");
    typedef struct Written {
        wfMotionKey key;
        Turn turn;
        int pieces; // from the key before
    } Written;
    Written* written = wfArena_New(&r->arena, Written, list.node->count, "motion keys", r->err);
    if (written == NULL) return false;
    size_t total = 0;
    const wfYamlItem* item = NULL;
    while (wfReader_NextItem(&list, &item, &at)) {
        Written *w = &written[at.index], *before = at.index > 0 ? w - 1 : NULL;
        if (!wfReader_Section(r, &at, &wfSectionKey, &w->key)) return false;
        if (wfYaml_Find(at.node, "time") == NULL) return wfReader_Fail(r, &at, "expected the key \"time\"");
        if (before != NULL && !(w->key.time > before->key.time)) {
            return wfReader_Fail(r, &at, "expected a time after %.9g s, got %.9g", (double)before->key.time, (double)w->key.time);
        }
        if (!ReadTurn(r, &at, &w->turn)) return false;
        w->pieces = 1;
        if (before != NULL && !CountPieces(&before->turn, &w->turn, interpolation, &w->pieces)) {
            return wfReader_Fail(r, &at, "a turn of more than 180 degrees needs the axis of the key before");
        }
        total += (size_t)w->pieces;
        if (total > 1000000) return wfReader_Fail(r, &at, "too many keys");
    }
    *keys = wfArena_New(&r->arena, wfKey, total, "motion keys", r->err);
    if (*keys == NULL) return false;
    for (int i = 0; i < list.node->count; ++i) {
        const Written *w = &written[i], *before = i > 0 ? w - 1 : w;
        wfVec3 axis = w->turn.angle != 0.0 ? w->turn.axis : before->turn.axis;
        double from = before->turn.angle * (wfDot(before->turn.axis, axis) < 0.0f ? -1.0 : 1.0);
        for (int k = 1; k <= w->pieces; ++k) {
            float t = (float)k / (float)w->pieces;
            wfKey* key = &(*keys)[(*count)++];
            key->time = before->key.time + t * (w->key.time - before->key.time);
            key->translate = wfAdd(wfLerp(before->key.translate, w->key.translate, t), start->translate);
            wfQuat quat = w->turn.quat;
            if (k < w->pieces) quat = wfQuatAxisAngle(axis, (float)fmod(from + (double)t * (w->turn.angle - from), 4.0 * s_pi));
            if (k == w->pieces) {
                key->time = w->key.time;
                key->translate = wfAdd(w->key.translate, start->translate);
            }
            key->rotate = wfQuatMul(quat, start->rotate);
        }
    }
    return true;
}
