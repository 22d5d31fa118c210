// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// report.jsonl of a run: a line that says what was run, then a line a frame with its certificate, stage times and memory. A value that
// nobody has checked is null. A last line without its end (the run was killed while it wrote) is no line.

#include "weft/weft.h"

typedef struct wfReportHeader {
    const char* scene; // as named on the command line
    const char* const* overrides;
    int overrideCount;
    int firstFrame; // first frame that is written
} wfReportHeader;

typedef struct wfFrameRecord {
    wfCertificate certificate;
    double seconds; // wall time of the frame, with output
    size_t memory;  // bytes on the device
} wfFrameRecord;

typedef struct wfReport wfReport;

/// Starts a new report in place of any older one, or (keepThrough >= 0) goes on with the one that is there behind the line of that frame.
wfReport* wfReport_Open(const char* path, const wfScene* scene, const wfDevice* device, const wfReportHeader* header, int keepThrough,
                        wfError* err);
bool wfReport_Add(wfReport* report, const wfScene* scene, const wfFrameRecord* record, wfError* err);
bool wfReport_Close(wfReport* report, wfError* err); // NULL allowed

/// The first frame that the run of this report writes.
bool wfReport_ReadFirstFrame(const char* path, int* firstFrame, wfError* err);
