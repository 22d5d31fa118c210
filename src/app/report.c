// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/report.h"

#include "base/file.h"
#include "io/json.h"
#include "scene/scene.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wfReport {
    FILE* stream;
    char path[1024];
};

static const char s_firstFrameKey[] = "\"first_frame\": ";

static void PutCount(FILE* out, int64_t n) {
    if (n >= 0) {
        fprintf(out, "%" PRId64, n);
    } else {
        fputs("null", out);
    }
}

static void PutHeader(FILE* out, const wfScene* scene, const wfDevice* device, const wfReportHeader* header) {
    const wfSceneDef* def = wfScene_GetDef(scene);
    fputs("{\"weft\": ", out);
    wfJson_PutText(out, wfVersion());
    fputs(", \"device\": ", out);
    wfJson_PutText(out, wfDevice_GetName(device));
    fputs(", \"scene\": ", out);
    wfJson_PutText(out, header->scene);
    // Each part apart, so that two reports show whether it was the cloths or the colliders that changed.
    fprintf(out,
            ", \"hash\": {\"params\": \"%016" PRIx64 "\", \"cloths\": \"%016" PRIx64 "\", \"colliders\": \"%016" PRIx64
            "\", \"pins\": \"%016" PRIx64 "\"}",
            scene->hash.params, scene->hash.cloths, scene->hash.colliders, scene->hash.pins);
    fputs(", \"set\": [", out);
    for (int i = 0; i < header->overrideCount; ++i) {
        if (i > 0) fputs(", ", out);
        wfJson_PutText(out, header->overrides[i]);
    }
    fprintf(out, "], \"frame_rate\": %.9g, \"time_step\": %.9g, %s%d, \"cloths\": [", (double)def->frame_rate, (double)def->time_step,
            s_firstFrameKey, header->firstFrame);
    int64_t vertices = 0, triangles = 0;
    for (int i = 0; i < wfScene_GetClothCount(scene); ++i) {
        wfClothId id = wfScene_GetCloth(scene, i);
        vertices += wfCloth_GetVertexCount(scene, id);
        triangles += wfCloth_GetTriangleCount(scene, id);
        if (i > 0) fputs(", ", out);
        wfJson_PutText(out, wfCloth_GetName(scene, id));
    }
    fprintf(out, "], \"vertices\": %" PRId64 ", \"triangles\": %" PRId64 "}\n", vertices, triangles);
}

/// Where the line of `frame` ends, as a byte offset; 0 where it is not there whole. Frame lines begin with {"frame": N,.
static size_t FindLineEnd(const char* text, size_t size, int frame) {
    char start[48];
    int length = snprintf(start, sizeof start, "{\"frame\": %d,", frame);
    for (size_t at = 0; at < size;) {
        const char* end = memchr(text + at, '\n', size - at);
        if (end == NULL) return 0;
        if (strncmp(text + at, start, (size_t)length) == 0) return (size_t)(end - text) + 1;
        at = (size_t)(end - text) + 1;
    }
    return 0;
}

/// The lines through `frame`, written anew under the old name.
static bool CutReport(const char* path, int frame, wfError* err) {
    size_t size;
    char* text = wfReadFile(path, &size, err);
    if (text == NULL) return false;
    size_t keep = FindLineEnd(text, size, frame);
    wfOutFile out;
    bool ok = keep > 0 || wfFail(err, wf_badInput, "%s: has no line for frame %d, at which the checkpoint stands", path, frame);
    ok = ok && wfOutFile_Open(&out, path, err);
    if (ok) {
        fwrite(text, 1, keep, out.stream); // a failure shows at close
        ok = wfOutFile_Close(&out, err);
    }
    free(text);
    return ok;
}

static bool StartReport(const char* path, const wfScene* scene, const wfDevice* device, const wfReportHeader* header, wfError* err) {
    wfOutFile out;
    WF_TRY(wfOutFile_Open(&out, path, err));
    PutHeader(out.stream, scene, device, header);
    return wfOutFile_Close(&out, err);
}

wfReport* wfReport_Open(const char* path, const wfScene* scene, const wfDevice* device, const wfReportHeader* header, int keepThrough,
                        wfError* err) {
    bool ready = keepThrough >= 0 ? CutReport(path, keepThrough, err) : StartReport(path, scene, device, header, err);
    if (!ready) return NULL;
    wfReport* report = calloc(1, sizeof *report);
    if (report == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for the report");
        return NULL;
    }
    snprintf(report->path, sizeof report->path, "%s", path);
    report->stream = fopen(path, "ab");
    if (report->stream == NULL) {
        wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
        free(report);
        return NULL;
    }
    return report;
}

static bool Flush(wfReport* report, wfError* err) {
    if (fflush(report->stream) == 0 && !ferror(report->stream)) return true;
    return wfFail(err, wf_fileFailed, "%s: %s", report->path, strerror(errno));
}

static void PutPinch(FILE* out, const wfScene* scene, const wfCertificate* c) {
    if (c->pinchedVertices == 0) {
        fputs("null", out);
        return;
    }
    fprintf(out, "{\"vertices\": %d, \"pairs\": ", c->pinchedVertices);
    PutCount(out, c->pinchedPairs);
    fputs(", \"cloth\": ", out);
    wfJson_PutText(out, wfCloth_GetName(scene, wfScene_GetCloth(scene, c->pinchedCloth)));
    for (int k = 0; k < 2; ++k) {
        fputs(k == 0 ? ", \"colliders\": [" : ", ", out);
        wfJson_PutText(out, wfCollider_GetName(scene, wfScene_GetCollider(scene, c->pinchedColliders[k])));
    }
    fputs("]}", out);
}

bool wfReport_Add(wfReport* report, const wfScene* scene, const wfFrameRecord* record, wfError* err) {
    static const char* const stages[wf_stageCount] = {"motion", "dynamics", "contact", "check", "output"};
    const wfCertificate* c = &record->certificate;
    FILE* out = report->stream;
    fprintf(out,
            "{\"frame\": %d, \"time\": %.9g, \"steps\": %d, \"self_contact\": %s, \"mesh_contact\": %s, \"intersecting_pairs\": ", c->frame,
            c->time + 0.0, c->stepCount, c->selfContact ? "true" : "false", c->meshContact ? "true" : "false");
    PutCount(out, c->intersectingPairs);
    fputs(", \"pinched\": ", out);
    PutPinch(out, scene, c);
    fputs(", \"contacts\": ", out);
    PutCount(out, c->contacts);
    if (c->rounds.all >= 0)
        fprintf(out, ", \"rounds\": {\"all\": %" PRId64 ", \"soft\": %" PRId64 ", \"taken_back\": %" PRId64 "}", c->rounds.all,
                c->rounds.soft, c->rounds.takenBack);
    fputs(", \"worst_stretch\": ", out);
    wfJson_PutNumber(out, (double)c->worstStretch);
    fputs(", \"worst_stretch_cloth\": ", out);
    bool known = c->worstStretchCloth >= 0 && c->worstStretchCloth < wfScene_GetClothCount(scene);
    if (known) {
        wfJson_PutText(out, wfCloth_GetName(scene, wfScene_GetCloth(scene, c->worstStretchCloth)));
    } else {
        fputs("null", out);
    }
    fputs(", \"worst_stretch_vertex\": ", out);
    PutCount(out, known ? c->worstStretchVertex : -1);
    fputs(", \"kinetic_energy\": ", out);
    wfJson_PutNumber(out, c->kineticEnergy);
    fputs(", \"elastic_energy\": ", out);
    wfJson_PutNumber(out, c->elasticEnergy);
    fputs(", \"gravity_energy\": ", out);
    wfJson_PutNumber(out, c->gravityEnergy);
    fputs(", \"stages\": {", out);
    for (int i = 0; i < wf_stageCount; ++i) {
        fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "", stages[i]);
        wfJson_PutNumber(out, c->stageSeconds[i]);
    }
    fputs("}, \"seconds\": ", out);
    wfJson_PutNumber(out, record->seconds);
    fprintf(out, ", \"memory\": %zu}\n", record->memory);
    return Flush(report, err);
}

bool wfReport_Close(wfReport* report, wfError* err) {
    if (report == NULL) return true;
    bool ok = Flush(report, err);
    if (ok && fsync(fileno(report->stream)) != 0) ok = wfFail(err, wf_fileFailed, "%s: %s", report->path, strerror(errno));
    fclose(report->stream);
    free(report);
    return ok;
}

bool wfReport_ReadFirstFrame(const char* path, int* firstFrame, wfError* err) {
    size_t size;
    char* text = wfReadFile(path, &size, err);
    if (text == NULL) return false;
    char* end = memchr(text, '\n', size);
    if (end != NULL) *end = 0;
    const char* at = end != NULL ? strstr(text, s_firstFrameKey) : NULL;
    bool ok = at != NULL || wfFail(err, wf_badInput, "%s: not a report of weft: line 1: expected the header", path);
    if (ok) *firstFrame = atoi(at + sizeof s_firstFrameKey - 1);
    free(text);
    return ok;
}
