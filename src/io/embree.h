// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Embree 3 (Debian 12) or 4 (Ubuntu 24.04), whose calls to trace a ray differ. Only this file knows which one it is.

#if WF_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

static inline void wfEmbree_Intersect(RTCScene scene, struct RTCRayHit* ray) {
#if WF_EMBREE_MAJOR >= 4
    rtcIntersect1(scene, ray, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, ray);
#endif
}

/// Afterwards tfar is negative where something lies between tnear and tfar.
static inline void wfEmbree_Occluded(RTCScene scene, struct RTCRay* ray) {
#if WF_EMBREE_MAJOR >= 4
    rtcOccluded1(scene, ray, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, ray);
#endif
}
