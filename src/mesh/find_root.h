// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

/// Disjoint sets in an array of parents, a root being its own: the root of i, with the path to it halved on the way.
static inline int wfFindRoot(int* parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
