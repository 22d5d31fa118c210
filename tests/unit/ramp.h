// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A small sheet on a slope, for tests of friction.

#include "scene_fixture.h"

#include "math/vec.h"

enum { RampSide = 6, RampCount = RampSide * RampSide }; // vertices of the sheet

typedef struct Ramp {
    double angle;       // [rad] down is +x
    float width;        // of the sheet [m]
    float lift;         // of the sheet above the slope [m]
    float speed;        // down the slope at the start [m/s]
    float hold, slide;  // coefficients of friction; hold = 0: as slide
    wfColliderDef body; // level, its top in y = 0 about …
    wfVec3 at;          // … where it stands
} Ramp;

static inline wfQuat RampTilt(double angle) { return wfQuatAxisAngle(wfMake3(0, 0, 1), -(float)angle); }

/// The sheet and the slope, with their friction, all that is in the scene; committed.
static inline void BuildRamp(wfScene* scene, const Ramp* r) {
    wfQuat tilt = RampTilt(r->angle);
    Grid grid = MakeGrid(RampSide, RampSide, r->width, r->width, wfMake3(-0.5f * r->width, 0.0f, -0.5f * r->width));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    for (int i = 0; i < RampCount; ++i) {
        float* p = grid.positions + 3 * i;
        wfVec3 turned = wfRotate(tilt, wfMake3(p[0], r->lift, p[2]));
        memcpy(p, &turned, sizeof turned);
    }
    cloth.velocity = wfRotate(tilt, wfMake3(r->speed, 0, 0));
    wfFrictionDef pair = wfDefaultFrictionDef();
    pair.a.cloth = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    wfColliderDef body = r->body;
    wfKey key = {0, wfRotate(tilt, r->at), tilt};
    body.keys = &key;
    body.keyCount = 1;
    pair.b.collider = AddCollider(scene, &body);
    pair.friction = r->slide;
    pair.static_friction = r->hold;
    wfError err = {0};
    CHECK_OK(wfScene_SetFriction(scene, &pair, &err), err);
    Commit(scene);
}

// Where the middle of the sheet is, down the slope, and how fast it goes; means of all vertices.
typedef struct RampPlace {
    double way, speed;
} RampPlace;

static inline RampPlace PlaceOnRamp(const wfScene* scene, double angle) {
    size_t count;
    float* state = ReadState(scene, &count);
    wfQuat tilt = RampTilt(angle);
    RampPlace mean = {0};
    for (int i = 0; i < RampCount; ++i) {
        const float* s = state + 6 * i;
        mean.way += wfUnrotate(tilt, wfMake3(s[0], s[1], s[2])).x / (double)RampCount;
        mean.speed += wfUnrotate(tilt, wfMake3(s[3], s[4], s[5])).x / (double)RampCount;
    }
    free(state);
    return mean;
}
