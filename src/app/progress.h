// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// How far a run is, on stderr: one line that is drawn over on a terminal, plain lines now and then otherwise.

#include "weft/types.h"

typedef struct wfProgress {
    bool quiet, terminal, color;
    int first, last; // frame the run began at (not simulated any more), last frame
    int frame;       // last whole frame
    int stepsPerFrame;
    double frameRate;             // [1/s]
    double time;                  // [s] simulated, negative during preroll
    double frameStart, lastShown; // [s] of the clock
    int lastTenth;                // how many tenths of the run plain lines have told of
    int64_t contacts, pairs;
    int pinched;         // vertices
    double frameSeconds; // mean over the last frames, newer ones counting more
    bool drawn;          // a line without its end stands on the terminal
} wfProgress;

void wfProgress_Begin(wfProgress* p, bool quiet, int firstFrame, int lastFrame, double frameRate, int stepsPerFrame);
/// Before a step that begins at `time`: shows a frame that takes long from the inside.
void wfProgress_Step(wfProgress* p, double time);
/// After a frame.
void wfProgress_Frame(wfProgress* p, int frame, const wfCertificate* certificate);
/// Clears the line, so that messages and results stand alone. Nothing is lost: the next call draws it again.
void wfProgress_Clear(wfProgress* p);

/// "31.2 ms", "2.5 s", "3:25", "2:03:25"
void wfFormatDuration(double seconds, char* out, size_t size);
