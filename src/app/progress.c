// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double s_slowFrame = 2.0;    // [s] after which a frame is shown step by step
static const double s_plainPause = 10.0;  // [s] between plain lines
static const double s_redrawPause = 0.08; // [s] between pictures of the bar

void wfFormatDuration(double seconds, char* out, size_t size) {
    long long s = (long long)(seconds + 0.5);
    if (seconds < 0.9995) {
        snprintf(out, size, "%.3g ms", 1e3 * seconds);
    } else if (seconds < 9.95) {
        snprintf(out, size, "%.1f s", seconds);
    } else if (s < 60) {
        snprintf(out, size, "%lld s", s);
    } else if (s < 3600) {
        snprintf(out, size, "%lld:%02lld", s / 60, s % 60);
    } else {
        snprintf(out, size, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    }
}

void wfProgress_Begin(wfProgress* p, bool quiet, int firstFrame, int lastFrame, double frameRate, int stepsPerFrame) {
    const char* terminal = getenv("TERM");
    const char* noColor = getenv("NO_COLOR");
    *p = (wfProgress){.quiet = quiet, .first = firstFrame, .last = lastFrame, .frame = firstFrame};
    p->frameRate = frameRate;
    p->stepsPerFrame = stepsPerFrame;
    p->terminal = isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
    p->color = p->terminal && (noColor == NULL || noColor[0] == 0);
    p->contacts = p->pairs = -1;
    p->frameStart = p->lastShown = wfSeconds();
}

static int CountColumns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// "31.2 ms/frame, 180 contacts, 0 pairs intersect, 3.4 s left", of what is known.
static void FormatState(const wfProgress* p, char* out, size_t size) {
    int n = 0;
    out[0] = 0;
    if (p->frameSeconds > 0.0) {
        char each[32];
        wfFormatDuration(p->frameSeconds, each, sizeof each);
        n += snprintf(out + n, size - (size_t)n, "  %s/frame", each);
    }
    if (p->contacts >= 0) n += snprintf(out + n, size - (size_t)n, "  %" PRId64 " contacts", p->contacts);
    if (p->pairs >= 0) {
        bool alarm = p->color && p->pairs > 0;
        n += snprintf(out + n, size - (size_t)n, "  %s%" PRId64 " intersecting%s", alarm ? "\033[31m" : "", p->pairs,
                      alarm ? "\033[0m" : "");
    }
    if (p->pinched > 0) n += snprintf(out + n, size - (size_t)n, "  %d pinched", p->pinched);
    if (p->frameSeconds > 0.0 && p->frame < p->last) {
        char left[32];
        wfFormatDuration((p->last - p->frame) * p->frameSeconds, left, sizeof left);
        snprintf(out + n, size - (size_t)n, "  %s left", left);
    }
}

/// The part of the current frame that is done, once it takes long enough to wonder; empty before.
static void FormatStep(const wfProgress* p, double now, char* out, size_t size) {
    out[0] = 0;
    if (now - p->frameStart < s_slowFrame) return;
    if (p->time < 0.0) {
        snprintf(out, size, "  settling, %.3g s to go", -p->time);
        return;
    }
    char spent[32];
    wfFormatDuration(now - p->frameStart, spent, sizeof spent);
    // By the time and not by counting: a resumed run may begin within a frame.
    int step = 1 + (int)lround((p->time * p->frameRate - p->frame) * p->stepsPerFrame);
    snprintf(out, size, "  frame %d: step %d of %d after %s", p->frame + 1, step, p->stepsPerFrame, spent);
}

static void Draw(wfProgress* p, double now) {
    enum { barWidth = 24 };
    char bar[barWidth + 1], state[160], step[96], line[400];
    double done = p->last > 0 ? (double)p->frame / p->last : 1.0;
    int full = (int)(done * barWidth);
    for (int i = 0; i < barWidth; ++i) bar[i] = i < full ? '#' : '.';
    bar[barWidth] = 0;
    FormatState(p, state, sizeof state);
    FormatStep(p, now, step, sizeof step);
    snprintf(line, sizeof line, "[%s] %d/%d%s%s", bar, p->frame, p->last, step, state);
    // A line that is broken by the terminal cannot be drawn over. Colours take no room, but cutting one off would leak it.
    int columns = CountColumns() - 1;
    if ((int)strlen(line) > columns && columns > 0 && (size_t)columns < sizeof line && strchr(line, '\033') == NULL) line[columns] = 0;
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    p->drawn = true;
    p->lastShown = now;
}

static void PrintLine(wfProgress* p, double now) {
    char state[160], step[96];
    FormatState(p, state, sizeof state);
    FormatStep(p, now, step, sizeof step);
    fprintf(stderr, "frame %d of %d%s%s\n", p->frame, p->last, step, state);
    p->lastShown = now;
}

void wfProgress_Step(wfProgress* p, double time) {
    p->time = time;
    if (p->quiet) return;
    double now = wfSeconds();
    if (now - p->frameStart < s_slowFrame) return;
    if (p->terminal && now - p->lastShown >= s_redrawPause) Draw(p, now);
    if (!p->terminal && now - p->lastShown >= s_plainPause) PrintLine(p, now);
}

void wfProgress_Frame(wfProgress* p, int frame, const wfCertificate* certificate) {
    double now = wfSeconds(), seconds = now - p->frameStart;
    p->frameSeconds = frame - p->first <= 1 ? seconds : 0.9 * p->frameSeconds + 0.1 * seconds;
    p->frame = frame;
    p->frameStart = now;
    p->contacts = certificate->contacts;
    p->pairs = certificate->intersectingPairs;
    p->pinched = certificate->pinchedVertices;
    if (p->quiet) return;
    if (p->terminal) {
        if (now - p->lastShown >= s_redrawPause || frame == p->last) Draw(p, now);
        return;
    }
    int tenth = p->last > p->first ? (int)(10LL * (frame - p->first) / (p->last - p->first)) : 10;
    if (tenth > p->lastTenth || now - p->lastShown >= s_plainPause) {
        p->lastTenth = tenth;
        PrintLine(p, now);
    }
}

void wfProgress_Clear(wfProgress* p) {
    if (p->drawn) fputs("\r\033[K", stderr);
    p->drawn = false;
}
