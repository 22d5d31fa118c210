// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include "io/bytes.h"
#include "io/number.h"
#include "io/text.h"
#include "io/weld.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// STL, binary and ascii. Triangles come as loose corners; equal ones become one vertex, numbered in the order of their first use.
// Normals are not used. Many binary files begin with "solid" as ascii ones do, so a size that fits the binary count decides first.

enum { wf_stlHeaderSize = 84, wf_stlTriangleSize = 50 };

static const char s_finite[] = "finite numbers (single precision)";

static bool FillMesh(wfMesh* out, const wfVec3* corners, size_t triangleCount, wfError* err) {
    wfWeld weld;
    WF_TRY(wfWeld_Create(&weld, 3 * triangleCount, err));
    int* numbers = malloc(3 * triangleCount * sizeof *numbers + 1);
    bool ok = numbers != NULL || wfFail(err, wf_outOfMemory, "out of memory for STL triangles (%zu)", triangleCount);
    for (size_t i = 0; ok && i < 3 * triangleCount; ++i) {
        wfVec3 x = wfAdd(corners[i], wfMake3(0, 0, 0)); // -0 becomes 0, so that equal means equal bits
        numbers[i] = wfWeld_Find(&weld, wfBitsFromFloat(x.x), wfBitsFromFloat(x.y), wfBitsFromFloat(x.z));
    }
    ok = ok && wfMesh_Create(out, weld.count, (int)triangleCount, false, err);
    for (int i = 0; ok && i < weld.count; ++i) {
        const uint32_t* key = weld.keys[i];
        out->positions[i] = wfMake3(wfFloatFromBits(key[0]), wfFloatFromBits(key[1]), wfFloatFromBits(key[2]));
    }
    for (size_t i = 0; ok && i < triangleCount; ++i) memcpy(out->triangles[i].v, &numbers[3 * i], sizeof out->triangles[i].v);
    free(numbers);
    wfWeld_Free(&weld);
    return ok;
}

static bool ParseBinary(wfMesh* out, const unsigned char* bytes, size_t triangleCount, const char* name, wfError* err) {
    wfVec3* corners = malloc(3 * triangleCount * sizeof *corners + 1);
    bool ok = corners != NULL || wfFail(err, wf_outOfMemory, "out of memory for STL triangles (%zu)", triangleCount);
    for (size_t i = 0; ok && i < triangleCount; ++i) {
        const unsigned char* p = bytes + wf_stlHeaderSize + i * wf_stlTriangleSize + 12; // behind the normal
        for (size_t k = 0; ok && k < 3; ++k) {
            const unsigned char* q = p + 12 * k;
            wfVec3 x = wfMake3(wfLoadLeFloat(q), wfLoadLeFloat(q + 4), wfLoadLeFloat(q + 8));
            corners[3 * i + k] = x;
            if (!wfIsFinite3(x))
                ok = wfFail(err, wf_badInput, "%s: byte %zu: triangle %zu: expected %s, got \"%g %g %g\"", name, (size_t)(q - bytes), i,
                            s_finite, (double)x.x, (double)x.y, (double)x.z);
        }
    }
    ok = ok && FillMesh(out, corners, triangleCount, err);
    free(corners);
    return ok;
}

typedef struct StlText {
    wfText text;
    const char* name;
    wfError* err;
    const char *word, *wordEnd; // the latest
} StlText;

static bool Next(StlText* s) { return wfText_NextWord(&s->text, &s->word, &s->wordEnd); }

static bool FailWord(StlText* s, const char* expected) {
    char quote[wf_quoteSize];
    if (s->word == s->wordEnd)
        return wfFail(s->err, wf_badInput, "%s:%ld: expected %s, the file ends here", s->name, s->text.line, expected);
    return wfFail(s->err, wf_badInput, "%s:%ld: expected %s, got \"%s\"", s->name, s->text.line, expected,
                  wfQuoteSpan(quote, s->word, s->wordEnd));
}

static bool Expect(StlText* s, const char* name) { return (Next(s) && wfWordIs(s->word, s->wordEnd, name)) || FailWord(s, name); }

/// What follows `solid` and `endsolid` is a name, to the end of the line.
static void SkipLine(StlText* s) {
    while (s->text.at < s->text.end && *s->text.at != '\n' && *s->text.at != '\r') ++s->text.at;
}

static bool ReadCorner(StlText* s, wfVec3* out) {
    float x[3];
    WF_TRY(Expect(s, "vertex"));
    for (int k = 0; k < 3; ++k) {
        if (!Next(s) || wfScanFloat(s->word, s->wordEnd, &x[k]) != s->wordEnd || !isfinite(x[k])) return FailWord(s, s_finite);
    }
    *out = wfMake3(x[0], x[1], x[2]);
    return true;
}

/// From behind `facet` to its end.
static bool ReadFacet(StlText* s, wfVec3 corners[3]) {
    WF_TRY(Expect(s, "normal"));
    for (int k = 0; k < 3; ++k) {
        if (!Next(s)) return FailWord(s, "a normal");
    }
    WF_TRY(Expect(s, "outer") && Expect(s, "loop"));
    for (int k = 0; k < 3; ++k) WF_TRY(ReadCorner(s, &corners[k]));
    return Expect(s, "endloop") && Expect(s, "endfacet");
}

static bool ReadSolids(StlText* s, wfVec3** corners, size_t* triangleCount) {
    size_t capacity = 0;
    while (Next(s)) {
        if (!wfWordIs(s->word, s->wordEnd, "solid")) return FailWord(s, "solid");
        SkipLine(s);
        for (;;) {
            if (!Next(s)) return FailWord(s, "facet or endsolid");
            if (wfWordIs(s->word, s->wordEnd, "endsolid")) break;
            if (!wfWordIs(s->word, s->wordEnd, "facet")) return FailWord(s, "facet or endsolid");
            if (*triangleCount == wf_maxMeshElements / 3)
                return wfFail(s->err, wf_badInput, "%s:%ld: more than %d triangles", s->name, s->text.line, wf_maxMeshElements / 3);
            WF_TRY(wfGrow((void**)corners, &capacity, 3 * *triangleCount + 3, sizeof **corners, "STL triangles", s->err));
            WF_TRY(ReadFacet(s, &(*corners)[3 * *triangleCount]));
            ++*triangleCount;
        }
        SkipLine(s);
    }
    if (*triangleCount == 0) return wfFail(s->err, wf_badInput, "%s: expected an STL mesh, found no triangles in it", s->name);
    return true;
}

bool wfParseStl(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err) {
    const unsigned char* raw = (const unsigned char*)bytes;
    uint64_t said = size >= wf_stlHeaderSize ? wfLoadLe32(raw + 80) : 0;
    uint64_t expected = wf_stlHeaderSize + said * wf_stlTriangleSize;
    if (size >= wf_stlHeaderSize && expected == size) {
        if (said == 0 || said > wf_maxMeshElements / 3)
            return wfFail(err, wf_badInput, "%s: expected 1 to %d triangles, got %lld", name, wf_maxMeshElements / 3, (long long)said);
        return ParseBinary(out, raw, (size_t)said, name, err);
    }

    StlText text = {.text = {.at = bytes, .end = bytes + size, .line = 1}, .name = name, .err = err};
    if (Next(&text) && wfWordIs(text.word, text.wordEnd, "solid")) {
        text.text = (wfText){.at = bytes, .end = bytes + size, .line = 1};
        wfVec3* corners = NULL;
        size_t triangleCount = 0;
        bool ok = ReadSolids(&text, &corners, &triangleCount) && FillMesh(out, corners, triangleCount, err);
        free(corners);
        return ok;
    }
    if (size < wf_stlHeaderSize)
        return wfFail(err, wf_badInput, "%s: expected an STL file, got %zu bytes that do not begin with \"solid\"", name, size);
    return wfFail(err, wf_badInput, "%s: the header says %lld triangles (%lld bytes), the file has %zu bytes", name, (long long)said,
                  (long long)expected, size);
}
