// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include "io/number.h"
#include "io/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Wavefront OBJ. One pass over the bytes; arrays grow with what is read, so memory stays in proportion to the file. A face may use
// vertices that come later, so positive indices are checked at the end: of each kind the largest one is kept with its line.

typedef struct ObjTriangle {
    int vertex[3], coordinate[3]; // coordinate -1: none
} ObjTriangle;

typedef struct LargestIndex {
    int64_t index;
    long line;
    const char* user; // "face" or "line"
} LargestIndex;

typedef struct ObjReader {
    const char *at, *end, *name;
    long line;       // of `at`
    long recordLine; // where the record began: what messages name
    const char* record;
    wfError* err;

    wfVec3* positions;
    wfVec2* coordinates;
    ObjTriangle* triangles;
    int (*stitches)[2];
    size_t positionCount, positionCapacity, coordinateCount, coordinateCapacity;
    size_t triangleCount, triangleCapacity, stitchCount, stitchCapacity;
    int64_t normalCount;
    LargestIndex largest[3]; // vertex, texture coordinate, normal
    bool everyCornerIsFlat;
} ObjReader;

typedef struct ObjCorner {
    int vertex, coordinate;
} ObjCorner;

static const char* const s_indexNames[] = {"vertex", "texture coordinate", "normal"};

static bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

/// Passes a line end, be it of one byte or two.
static void PassLineEnd(ObjReader* r) {
    r->at += *r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
    ++r->line;
}

static bool AtContinuation(const ObjReader* r) { return *r->at == '\\' && r->at + 1 < r->end && IsLineEnd(r->at[1]); }

/// Passes blanks; a backslash at the end of a line makes the next one part of it.
static void SkipBlanks(ObjReader* r) {
    while (r->at < r->end) {
        if (*r->at == ' ' || *r->at == '\t') {
            ++r->at;
        } else if (AtContinuation(r)) {
            ++r->at;
            PassLineEnd(r);
        } else {
            return;
        }
    }
}

static bool AtRecordEnd(const ObjReader* r) { return r->at == r->end || IsLineEnd(*r->at) || *r->at == '#'; }

static bool AtWordEnd(const ObjReader* r) { return AtRecordEnd(r) || *r->at == ' ' || *r->at == '\t' || AtContinuation(r); }

static void SkipRecord(ObjReader* r) {
    bool comment = false; // ends with its line, whatever stands there
    for (; r->at < r->end && !IsLineEnd(*r->at); ++r->at) {
        comment = comment || *r->at == '#';
        if (!comment && AtContinuation(r)) {
            ++r->at;
            PassLineEnd(r);
            --r->at; // the loop goes on from here
        }
    }
}

static bool FailRecord(ObjReader* r, const char* keyword, const char* expected) {
    SkipRecord(r);
    char quote[wf_quoteSize];
    return wfFail(r->err, wf_badInput, "%s:%ld: %s: expected %s, got \"%s\"", r->name, r->recordLine, keyword, expected,
                  wfQuoteSpan(quote, r->record, r->at));
}

/// Reads up to `most` finite numbers; whatever else there is must be a number, too. Returns how many, or -1.
static int ReadNumbers(ObjReader* r, float* out, int most) {
    int count = 0;
    for (;;) {
        SkipBlanks(r);
        if (AtRecordEnd(r)) return count;
        float value;
        const char* behind = wfScanFloat(r->at, r->end, &value);
        if (behind == NULL) return -1;
        r->at = behind;
        if (!AtWordEnd(r) || (count < most && !isfinite(value))) return -1;
        if (count < most) out[count++] = value;
    }
}

static bool ReadVertex(ObjReader* r) {
    float x[3];
    if (ReadNumbers(r, x, 3) != 3) return FailRecord(r, "v", "3 finite numbers");
    if (r->positionCount == wf_maxMeshElements)
        return wfFail(r->err, wf_badInput, "%s:%ld: more than %d vertices", r->name, r->recordLine, wf_maxMeshElements);
    if (r->positionCount == r->positionCapacity)
        WF_TRY(wfGrow((void**)&r->positions, &r->positionCapacity, r->positionCount + 1, sizeof *r->positions, "OBJ vertices", r->err));
    r->positions[r->positionCount++] = wfMake3(x[0], x[1], x[2]);
    return true;
}

static bool ReadCoordinate(ObjReader* r) {
    float u[3] = {0}; // a third number is allowed and not used
    if (ReadNumbers(r, u, 3) < 1) return FailRecord(r, "vt", "1 to 3 finite numbers");
    if (r->coordinateCount == wf_maxMeshElements)
        return wfFail(r->err, wf_badInput, "%s:%ld: more than %d texture coordinates", r->name, r->recordLine, wf_maxMeshElements);
    if (r->coordinateCount == r->coordinateCapacity)
        WF_TRY(wfGrow((void**)&r->coordinates, &r->coordinateCapacity, r->coordinateCount + 1, sizeof *r->coordinates,
                      "OBJ texture coordinates", r->err));
    r->coordinates[r->coordinateCount++] = (wfVec2){u[0], u[1]};
    return true;
}

/// From what the file says (1 is the first, -1 the latest) to an index from 0.
static bool ResolveIndex(ObjReader* r, const char* user, int kind, int64_t said, int* out) {
    const int64_t counts[3] = {(int64_t)r->positionCount, (int64_t)r->coordinateCount, r->normalCount};
    if (said == 0)
        return wfFail(r->err, wf_badInput, "%s:%ld: %s uses %s 0, they are numbered from 1", r->name, r->recordLine, user,
                      s_indexNames[kind]);
    if (said < 0) {
        if (said < -counts[kind])
            return wfFail(r->err, wf_badInput, "%s:%ld: %s uses %s %lld, the file has %lld before it", r->name, r->recordLine, user,
                          s_indexNames[kind], (long long)said, (long long)counts[kind]);
        *out = (int)(counts[kind] + said);
        return true;
    }
    if (said > r->largest[kind].index) r->largest[kind] = (LargestIndex){said, r->recordLine, user};
    *out = said > INT_MAX ? INT_MAX : (int)(said - 1); // one that is too large is refused at the end
    return true;
}

/// Reads v, v/vt, v//vn or v/vt/vn.
static bool ReadCorner(ObjReader* r, const char* keyword, const char* user, ObjCorner* out) {
    static const char forms[] = "corners like 3, 3/1, 3//2 or 3/1/2";
    int64_t said[3] = {0};
    bool given[3] = {true, false, false};
    const char* behind = wfScanInt(r->at, r->end, &said[0]);
    if (behind == NULL) return FailRecord(r, keyword, forms);
    r->at = behind;
    for (int kind = 1; kind < 3 && r->at < r->end && *r->at == '/'; ++kind) {
        ++r->at;
        if (kind == 1 && r->at < r->end && *r->at == '/') continue;
        behind = wfScanInt(r->at, r->end, &said[kind]);
        if (behind == NULL) return FailRecord(r, keyword, forms);
        r->at = behind;
        given[kind] = true;
    }
    if (!AtWordEnd(r)) return FailRecord(r, keyword, forms);

    int normal;
    WF_TRY(ResolveIndex(r, user, 0, said[0], &out->vertex));
    out->coordinate = -1;
    if (given[1]) WF_TRY(ResolveIndex(r, user, 1, said[1], &out->coordinate));
    if (given[2]) WF_TRY(ResolveIndex(r, user, 2, said[2], &normal));
    return true;
}

static bool AddTriangle(ObjReader* r, ObjCorner a, ObjCorner b, ObjCorner c) {
    if (r->triangleCount == wf_maxMeshElements)
        return wfFail(r->err, wf_badInput, "%s:%ld: more than %d triangles", r->name, r->recordLine, wf_maxMeshElements);
    if (r->triangleCount == r->triangleCapacity)
        WF_TRY(wfGrow((void**)&r->triangles, &r->triangleCapacity, r->triangleCount + 1, sizeof *r->triangles, "OBJ triangles", r->err));
    r->triangles[r->triangleCount++] = (ObjTriangle){{a.vertex, b.vertex, c.vertex}, {a.coordinate, b.coordinate, c.coordinate}};
    return true;
}

static bool ReadFace(ObjReader* r) {
    ObjCorner first = {0}, previous = {0}, corner = {0};
    int64_t count = 0;
    for (SkipBlanks(r); !AtRecordEnd(r); SkipBlanks(r), ++count) {
        WF_TRY(ReadCorner(r, "f", "face", &corner));
        r->everyCornerIsFlat = r->everyCornerIsFlat && corner.coordinate >= 0;
        if (count == 0) first = corner;
        if (count >= 2) WF_TRY(AddTriangle(r, first, previous, corner));
        previous = corner;
    }
    return count >= 3 || FailRecord(r, "f", "3 or more corners");
}

static bool ReadLine(ObjReader* r) {
    ObjCorner previous = {0}, corner = {0};
    int64_t count = 0;
    for (SkipBlanks(r); !AtRecordEnd(r); SkipBlanks(r), ++count) {
        WF_TRY(ReadCorner(r, "l", "line", &corner));
        if (count >= 1) {
            if (r->stitchCount == wf_maxMeshElements)
                return wfFail(r->err, wf_badInput, "%s:%ld: more than %d line pieces", r->name, r->recordLine, wf_maxMeshElements);
            if (r->stitchCount == r->stitchCapacity)
                WF_TRY(wfGrow((void**)&r->stitches, &r->stitchCapacity, r->stitchCount + 1, sizeof *r->stitches, "OBJ lines", r->err));
            r->stitches[r->stitchCount][0] = previous.vertex;
            r->stitches[r->stitchCount++][1] = corner.vertex;
        }
        previous = corner;
    }
    return count >= 2 || FailRecord(r, "l", "2 or more vertices");
}

static bool ReadRecords(ObjReader* r) {
    while (r->at < r->end) {
        SkipBlanks(r);
        r->recordLine = r->line;
        const char* word = r->at;
        while (!AtWordEnd(r)) ++r->at;
        r->record = r->at;
        size_t length = (size_t)(r->at - word);
        if (length == 1 && *word == 'v') {
            WF_TRY(ReadVertex(r));
        } else if (length == 1 && *word == 'f') {
            WF_TRY(ReadFace(r));
        } else if (length == 1 && *word == 'l') {
            WF_TRY(ReadLine(r));
        } else if (length == 2 && word[0] == 'v' && word[1] == 't') {
            WF_TRY(ReadCoordinate(r));
        } else if (length == 2 && word[0] == 'v' && word[1] == 'n') {
            ++r->normalCount;
        }
        SkipRecord(r); // names, groups, materials, normals, comments, what other programs add
        if (r->at < r->end) PassLineEnd(r);
    }
    const int64_t counts[3] = {(int64_t)r->positionCount, (int64_t)r->coordinateCount, r->normalCount};
    for (int kind = 0; kind < 3; ++kind) {
        const LargestIndex* largest = &r->largest[kind];
        if (largest->index > counts[kind])
            return wfFail(r->err, wf_badInput, "%s:%ld: %s uses %s %lld, the file has %lld", r->name, largest->line, largest->user,
                          s_indexNames[kind], (long long)largest->index, (long long)counts[kind]);
    }
    if (r->positionCount == 0) return wfFail(r->err, wf_badInput, "%s: expected an OBJ mesh, found no vertices in it", r->name);
    return true;
}

static bool FillMesh(const ObjReader* r, wfMesh* out) {
    bool flat = r->everyCornerIsFlat && r->triangleCount > 0;
    WF_TRY(wfMesh_Create(out, (int)r->positionCount, (int)r->triangleCount, flat, r->err));
    memcpy(out->positions, r->positions, r->positionCount * sizeof *r->positions);
    for (size_t i = 0; i < r->triangleCount; ++i) {
        const ObjTriangle* t = &r->triangles[i];
        memcpy(out->triangles[i].v, t->vertex, sizeof t->vertex);
        for (int k = 0; flat && k < 3; ++k) out->flat[i].corner[k] = r->coordinates[t->coordinate[k]];
    }
    if (r->stitchCount > 0) {
        out->stitches = wfArena_Alloc(&out->arena, r->stitchCount, sizeof *out->stitches, "stitches", r->err);
        if (out->stitches == NULL) return false;
        memcpy(out->stitches, r->stitches, r->stitchCount * sizeof *r->stitches);
        out->stitchCount = (int)r->stitchCount;
    }
    return true;
}

bool wfParseObj(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err) {
    ObjReader reader = {.at = bytes, .end = bytes + size, .name = name, .line = 1, .err = err, .everyCornerIsFlat = true};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) reader.at += 3; // the mark that some editors put before UTF-8
    bool ok = ReadRecords(&reader) && FillMesh(&reader, out);
    free(reader.positions);
    free(reader.coordinates);
    free(reader.triangles);
    free(reader.stitches);
    return ok;
}
