// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bounds along the nine axes of an 18-DOP, for lane loops: spelled out instead of looped over, since compilers vectorise a loop over lanes
// only if nothing inside it loops or is called. Axes 0 to 2 are those of the box, 3 to 8 those of the slabs, as in bounds.h.

#include "collide/bounds.h"

enum { wf_axisCount = 3 + wf_slabCount };

#define WF_EACH_BOX_AXIS(DO)  DO(0) DO(1) DO(2)
#define WF_EACH_SLAB_AXIS(DO) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8)

typedef struct wfExtents {
    float lo[wf_axisCount], hi[wf_axisCount];
} wfExtents;

/// Widens by a point; `first`: sets to it. Without `slabs` the axes of the box only.
WF_LANE_FN void wfExtents_Add(wfExtents* e, bool first, bool slabs, float x, float y, float z) {
    const float d[wf_axisCount] = {x, y, z, x + y, x - y, x + z, x - z, y + z, y - z};
#define WF_WIDEN_(k)                                  \
    e->lo[k] = first ? d[k] : wfLess(e->lo[k], d[k]); \
    e->hi[k] = first ? d[k] : wfMore(e->hi[k], d[k]);
    WF_EACH_BOX_AXIS(WF_WIDEN_)
    if (slabs) { WF_EACH_SLAB_AXIS(WF_WIDEN_) }
#undef WF_WIDEN_
}

WF_LANE_FN void wfExtents_Grow(wfExtents* e, bool slabs, const wfGrowth* by) {
#define WF_GROW_BOX_(k)                  \
    e->lo[k] = wfBoxBelow(e->lo[k], by); \
    e->hi[k] = wfBoxAbove(e->hi[k], by);
#define WF_GROW_SLAB_(k)                  \
    e->lo[k] = wfSlabBelow(e->lo[k], by); \
    e->hi[k] = wfSlabAbove(e->hi[k], by);
    WF_EACH_BOX_AXIS(WF_GROW_BOX_)
    if (slabs) { WF_EACH_SLAB_AXIS(WF_GROW_SLAB_) }
#undef WF_GROW_BOX_
#undef WF_GROW_SLAB_
}
