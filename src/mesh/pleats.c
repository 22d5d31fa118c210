// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/pleats.h"

static const double s_pi = 3.14159265358979323846;

double wfGetPleatLength(float height, float gap) { return height + s_pi * 0.5 * gap; }

void wfLayIntoPleats(wfVec3* positions, int count, float height, float gap, float wave) {
    double first = INFINITY, radius = 0.5 * gap, period = wfGetPleatLength(height, gap);
    for (int i = 0; i < count; ++i) first = fmin(first, positions[i].x);
    wfQuat turn = wfQuatAxisAngle(wfMake3(0.3f, 1.0f, 0.2f), 0.7f);
    for (int i = 0; i < count; ++i) {
        double along = positions[i].x - first, layer = floor(along / period), u = along - layer * period, z = positions[i].z;
        bool up = fmod(layer, 2.0) == 0.0;
        double x = layer * gap, y = up ? u : height - u;
        if (u > height) {
            double angle = (u - height) / radius;
            x += radius * (1.0 - cos(angle));
            y = up ? height + radius * sin(angle) : -radius * sin(angle);
        }
        x += wave * sin(40.0 * y + 25.0 * z);
        positions[i] = wfRotate(turn, wfMake3((float)x, (float)y, (float)z));
    }
}
