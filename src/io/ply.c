// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include "io/bytes.h"
#include "io/number.h"
#include "io/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stanford PLY. The header is read into a row of elements with their properties; then every element of the body is walked, and the
// properties that have a role are taken, all others passed. What the header promises is held against the bytes that are left before
// anything is allocated for it.

typedef enum PlyFormat { wf_plyAscii, wf_plyLittle, wf_plyBig } PlyFormat;
typedef enum PlyType { wf_plyInt8, wf_plyUint8, wf_plyInt16, wf_plyUint16, wf_plyInt32, wf_plyUint32, wf_plyFloat, wf_plyDouble } PlyType;
typedef enum PlyRole { wf_plyX, wf_plyY, wf_plyZ, wf_plyCorners, wf_plyOther } PlyRole;

static const int s_typeSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

static const struct {
    const char* name;
    PlyType type;
} s_typeNames[] = {{"char", wf_plyInt8},   {"int8", wf_plyInt8},     {"uchar", wf_plyUint8},   {"uint8", wf_plyUint8},
                   {"short", wf_plyInt16}, {"int16", wf_plyInt16},   {"ushort", wf_plyUint16}, {"uint16", wf_plyUint16},
                   {"int", wf_plyInt32},   {"int32", wf_plyInt32},   {"uint", wf_plyUint32},   {"uint32", wf_plyUint32},
                   {"float", wf_plyFloat}, {"float32", wf_plyFloat}, {"double", wf_plyDouble}, {"float64", wf_plyDouble}};

typedef struct PlyProperty {
    PlyRole role;
    PlyType type;
    bool isList;
    PlyType countType;
} PlyProperty;

typedef enum PlyKind { wf_plyVertices, wf_plyFaces, wf_plyRest } PlyKind;

typedef struct PlyElement {
    PlyKind kind;
    char name[wf_quoteSize];
    int64_t count;
    size_t firstProperty, propertyCount;
} PlyElement;

typedef struct PlyReader {
    wfText text; // what is left; its line counts in the header and in ascii bodies
    const char *begin, *name;
    wfError* err;
    PlyFormat format;
    PlyElement* elements;
    PlyProperty* properties;
    size_t elementCount, elementCapacity, propertyCount, propertyCapacity;
    int64_t vertexCount; // as the header says; -1: no such element
    wfVec3* positions;
    wfTriangle* triangles;
    size_t triangleCount, triangleCapacity;
} PlyReader;

/// Fails with "mesh.ply:12: …" in text and "mesh.ply: byte 1840: …" in binary data.
WF_PRINTF(2, 3) static bool FailHere(const PlyReader* r, const char* format, ...) {
    char what[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (r->format == wf_plyAscii) return wfFail(r->err, wf_badInput, "%s:%ld: %s", r->name, r->text.line, what);
    return wfFail(r->err, wf_badInput, "%s: byte %lld: %s", r->name, (long long)(r->text.at - r->begin), what);
}

//----------------------------------------------------------------------------------------------------------------------- header

/// Cuts off the next line of the header. Its end is looked for as the first line has it: behind `end_header` any byte may be data.
static bool NextHeaderLine(PlyReader* r, char lineEnd, wfText* line) {
    const char* found = r->text.at < r->text.end ? memchr(r->text.at, lineEnd, (size_t)(r->text.end - r->text.at)) : NULL;
    if (found == NULL) return FailHere(r, "the file ends before \"end_header\"");
    *line = (wfText){.at = r->text.at, .end = found, .line = r->text.line};
    r->text.at = found + 1;
    return true;
}

static bool ReadFormat(PlyReader* r, wfText* line, PlyFormat* format) {
    static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const char *word, *end, *line0 = line->at;
    if (wfText_NextWord(line, &word, &end)) {
        for (int i = 0; i < 3; ++i) {
            if (!wfWordIs(word, end, names[i])) continue;
            *format = (PlyFormat)i;
            return true;
        }
    }
    char quote[wf_quoteSize];
    return FailHere(r, "format: expected ascii, binary_little_endian or binary_big_endian, got \"%s\"",
                    wfQuoteSpan(quote, line0, line->end));
}

static bool ReadElementLine(PlyReader* r, wfText* line) {
    const char *word, *end, *number, *numberEnd, *line0 = line->at;
    char quote[wf_quoteSize];
    int64_t count = -1;
    if (!wfText_NextWord(line, &word, &end) || !wfText_NextWord(line, &number, &numberEnd) ||
        wfScanInt(number, numberEnd, &count) != numberEnd || count < 0)
        return FailHere(r, "element: expected a name and a count, got \"%s\"", wfQuoteSpan(quote, line0, line->end));
    PlyElement e = {.count = count, .firstProperty = r->propertyCount};
    e.kind = wfWordIs(word, end, "vertex") ? wf_plyVertices : wfWordIs(word, end, "face") ? wf_plyFaces : wf_plyRest;
    wfQuoteSpan(e.name, word, end);
    if (e.kind != wf_plyRest && count > wf_maxMeshElements)
        return FailHere(r, "element %s: expected at most %d, got %lld", e.name, wf_maxMeshElements, (long long)count);
    for (size_t i = 0; i < r->elementCount; ++i) {
        if (e.kind != wf_plyRest && r->elements[i].kind == e.kind) return FailHere(r, "element %s is there twice", e.name);
    }
    if (e.kind == wf_plyVertices) r->vertexCount = count;
    WF_TRY(wfGrow((void**)&r->elements, &r->elementCapacity, r->elementCount + 1, sizeof e, "PLY elements", r->err));
    r->elements[r->elementCount++] = e;
    return true;
}

static bool ReadType(wfText* line, PlyType* type) {
    const char *word, *end;
    if (!wfText_NextWord(line, &word, &end)) return false;
    for (size_t i = 0; i < sizeof s_typeNames / sizeof *s_typeNames; ++i) {
        if (!wfWordIs(word, end, s_typeNames[i].name)) continue;
        *type = s_typeNames[i].type;
        return true;
    }
    return false;
}

static bool ReadPropertyLine(PlyReader* r, wfText* line) {
    const char *word, *end, *line0 = line->at;
    char quote[wf_quoteSize];
    if (r->elementCount == 0) return FailHere(r, "property: expected an element before it");
    PlyElement* element = &r->elements[r->elementCount - 1];
    PlyProperty p = {.role = wf_plyOther};
    wfText types = *line;
    if (wfText_NextWord(line, &word, &end) && wfWordIs(word, end, "list")) {
        p.isList = true;
        types = *line;
    }
    if ((p.isList && !ReadType(&types, &p.countType)) || !ReadType(&types, &p.type) || !wfText_NextWord(&types, &word, &end))
        return FailHere(r, "property: expected \"TYPE NAME\" or \"list TYPE TYPE NAME\", got \"%s\"", wfQuoteSpan(quote, line0, line->end));
    if (p.isList && p.countType >= wf_plyFloat)
        return FailHere(r, "property: expected a whole-number type for the length of a list, got \"%s\"",
                        wfQuoteSpan(quote, line0, line->end));

    if (element->kind == wf_plyVertices && !p.isList && end - word == 1 && *word >= 'x' && *word <= 'z') p.role = (PlyRole)(*word - 'x');
    if (element->kind == wf_plyFaces && (wfWordIs(word, end, "vertex_indices") || wfWordIs(word, end, "vertex_index"))) {
        if (!p.isList || p.type >= wf_plyFloat)
            return FailHere(r, "property: expected a list of whole numbers, got \"%s\"", wfQuoteSpan(quote, line0, line->end));
        p.role = wf_plyCorners;
    }
    for (size_t i = element->firstProperty; p.role != wf_plyOther && i < r->propertyCount; ++i) {
        if (r->properties[i].role == p.role) return FailHere(r, "property %s is there twice", wfQuoteSpan(quote, word, end));
    }
    WF_TRY(wfGrow((void**)&r->properties, &r->propertyCapacity, r->propertyCount + 1, sizeof p, "PLY properties", r->err));
    r->properties[r->propertyCount++] = p;
    ++element->propertyCount;
    return true;
}

static bool ReadHeader(PlyReader* r) {
    size_t size = (size_t)(r->text.end - r->text.at);
    if (size < 4 || memcmp(r->text.at, "ply", 3) != 0 || (r->text.at[3] != '\n' && r->text.at[3] != '\r'))
        return wfFail(r->err, wf_badInput, "%s: expected a PLY file, the first line is not \"ply\"", r->name);
    char lineEnd = r->text.at[3] == '\r' && (size == 4 || r->text.at[4] != '\n') ? '\r' : '\n';
    PlyFormat format = wf_plyAscii;
    bool hasFormat = false;
    for (;; ++r->text.line) {
        wfText line;
        const char *word, *end;
        WF_TRY(NextHeaderLine(r, lineEnd, &line));
        if (!wfText_NextWord(&line, &word, &end) || wfWordIs(word, end, "ply") || wfWordIs(word, end, "comment") ||
            wfWordIs(word, end, "obj_info"))
            continue;
        if (wfWordIs(word, end, "end_header")) break;
        if (wfWordIs(word, end, "format")) {
            WF_TRY(ReadFormat(r, &line, &format));
            hasFormat = true;
        } else if (wfWordIs(word, end, "element")) {
            WF_TRY(ReadElementLine(r, &line));
        } else if (wfWordIs(word, end, "property")) {
            WF_TRY(ReadPropertyLine(r, &line));
        } else {
            char quote[wf_quoteSize];
            return FailHere(r, "expected format, element, property, comment or end_header, got \"%s\"", wfQuoteSpan(quote, word, end));
        }
    }
    if (!hasFormat) return FailHere(r, "the header has no format");
    if (r->vertexCount < 0) return FailHere(r, "the header has no element vertex");
    for (size_t i = 0; i < r->elementCount; ++i) {
        const PlyElement* e = &r->elements[i];
        int roles[wf_plyOther + 1] = {0};
        for (size_t k = 0; k < e->propertyCount; ++k) ++roles[r->properties[e->firstProperty + k].role];
        for (int role = 0; e->kind == wf_plyVertices && role < 3; ++role) {
            if (roles[role] == 0) return FailHere(r, "element vertex has no property %c", "xyz"[role]);
        }
        if (e->kind == wf_plyFaces && roles[wf_plyCorners] == 0)
            return FailHere(r, "element face has no property vertex_indices or vertex_index");
    }
    ++r->text.line;
    r->format = format;
    return true;
}

//------------------------------------------------------------------------------------------------------------------------- body

static bool FailShort(const PlyReader* r, const PlyElement* e, int64_t item) {
    return FailHere(r, "%s %lld: the file ends inside it", e->name, (long long)item);
}

static double LoadReal(const unsigned char* p, PlyType type, bool big) {
    switch (type) {
    case wf_plyInt8:
        return (int8_t)p[0];
    case wf_plyUint8:
        return p[0];
    case wf_plyInt16:
        return (int16_t)(big ? wfLoadBe16(p) : wfLoadLe16(p));
    case wf_plyUint16:
        return big ? wfLoadBe16(p) : wfLoadLe16(p);
    case wf_plyInt32:
        return (int32_t)(big ? wfLoadBe32(p) : wfLoadLe32(p));
    case wf_plyUint32:
        return big ? wfLoadBe32(p) : wfLoadLe32(p);
    case wf_plyFloat:
        return (double)wfFloatFromBits(big ? wfLoadBe32(p) : wfLoadLe32(p));
    case wf_plyDouble:
        return wfDoubleFromBits(big ? wfLoadBe64(p) : wfLoadLe64(p));
    }
    return 0.0;
}

/// A whole number: the length of a list or an index. Every one of 32 bits is exact in a double.
static bool ReadInteger(PlyReader* r, const PlyElement* e, int64_t item, PlyType type, int64_t* out) {
    if (r->format == wf_plyAscii) {
        const char *word, *end;
        char quote[wf_quoteSize];
        if (!wfText_NextWord(&r->text, &word, &end)) return FailShort(r, e, item);
        if (wfScanInt(word, end, out) != end)
            return FailHere(r, "%s %lld: expected a whole number, got \"%s\"", e->name, (long long)item, wfQuoteSpan(quote, word, end));
        return true;
    }
    if (r->text.end - r->text.at < s_typeSizes[type]) return FailShort(r, e, item);
    *out = (int64_t)LoadReal((const unsigned char*)r->text.at, type, r->format == wf_plyBig);
    r->text.at += s_typeSizes[type];
    return true;
}

static bool ReadCoordinate(PlyReader* r, const PlyElement* e, int64_t item, const PlyProperty* p, float* out) {
    static const char expected[] = "a finite number (single precision)";
    if (r->format == wf_plyAscii) {
        const char *word, *end;
        char quote[wf_quoteSize];
        if (!wfText_NextWord(&r->text, &word, &end)) return FailShort(r, e, item);
        if (wfScanFloat(word, end, out) != end || !isfinite(*out))
            return FailHere(r, "vertex %lld: %c: expected %s, got \"%s\"", (long long)item, "xyz"[p->role], expected,
                            wfQuoteSpan(quote, word, end));
        return true;
    }
    if (r->text.end - r->text.at < s_typeSizes[p->type]) return FailShort(r, e, item);
    double value = LoadReal((const unsigned char*)r->text.at, p->type, r->format == wf_plyBig);
    *out = (float)value;
    if (!isfinite(*out)) return FailHere(r, "vertex %lld: %c: expected %s, got %g", (long long)item, "xyz"[p->role], expected, value);
    r->text.at += s_typeSizes[p->type];
    return true;
}

static bool SkipValues(PlyReader* r, const PlyElement* e, int64_t item, PlyType type, int64_t count) {
    if (r->format == wf_plyAscii) {
        const char *word, *end;
        for (; count > 0; --count) {
            if (!wfText_NextWord(&r->text, &word, &end)) return FailShort(r, e, item);
        }
        return true;
    }
    if (count > (r->text.end - r->text.at) / s_typeSizes[type]) return FailShort(r, e, item);
    r->text.at += count * s_typeSizes[type];
    return true;
}

static bool ReadFace(PlyReader* r, const PlyElement* e, int64_t item, const PlyProperty* p, int64_t count) {
    int first = 0, previous = 0;
    if (count < 3) return FailHere(r, "face %lld: expected 3 or more corners, got %lld", (long long)item, (long long)count);
    for (int64_t k = 0; k < count; ++k) {
        int64_t index = 0;
        WF_TRY(ReadInteger(r, e, item, p->type, &index));
        if (index < 0 || index >= r->vertexCount)
            return FailHere(r, "face %lld uses vertex %lld, the file has %lld (numbered from 0)", (long long)item, (long long)index,
                            (long long)r->vertexCount);
        int corner = (int)index;
        if (k == 0) first = corner;
        if (k >= 2) {
            if (r->triangleCount == wf_maxMeshElements)
                return FailHere(r, "face %lld: more than %d triangles", (long long)item, wf_maxMeshElements);
            WF_TRY(
                wfGrow((void**)&r->triangles, &r->triangleCapacity, r->triangleCount + 1, sizeof *r->triangles, "PLY triangles", r->err));
            r->triangles[r->triangleCount++] = (wfTriangle){{first, previous, corner}};
        }
        previous = corner;
    }
    return true;
}

static bool ReadElement(PlyReader* r, const PlyElement* e) {
    if (e->propertyCount == 0) return true; // takes no room, however many
    const PlyProperty* properties = &r->properties[e->firstProperty];
    int64_t smallest = 0, left = r->text.end - r->text.at;
    for (size_t k = 0; k < e->propertyCount; ++k) {
        PlyType type = properties[k].isList ? properties[k].countType : properties[k].type;
        smallest += r->format == wf_plyAscii ? 2 : s_typeSizes[type]; // in text: a digit and what parts it from the next
    }
    if (e->count > (left + (r->format == wf_plyAscii)) / smallest)
        return FailHere(r, "element %s: the header says %lld of at least %lld bytes each, %lld bytes are left", e->name,
                        (long long)e->count, (long long)smallest, (long long)left);
    if (e->kind == wf_plyVertices) {
        size_t capacity = 0;
        WF_TRY(wfGrow((void**)&r->positions, &capacity, (size_t)e->count, sizeof *r->positions, "PLY vertices", r->err));
    }
    for (int64_t item = 0; item < e->count; ++item) {
        float x[3] = {0};
        for (size_t k = 0; k < e->propertyCount; ++k) {
            const PlyProperty* p = &properties[k];
            int64_t count = 1;
            if (p->isList) {
                WF_TRY(ReadInteger(r, e, item, p->countType, &count));
                if (count < 0)
                    return FailHere(r, "%s %lld: expected a list of 0 or more, got length %lld", e->name, (long long)item,
                                    (long long)count);
            }
            if (p->role == wf_plyCorners) {
                WF_TRY(ReadFace(r, e, item, p, count));
            } else if (p->role == wf_plyOther) {
                WF_TRY(SkipValues(r, e, item, p->type, count));
            } else {
                WF_TRY(ReadCoordinate(r, e, item, p, &x[p->role]));
            }
        }
        if (e->kind == wf_plyVertices) r->positions[item] = wfMake3(x[0], x[1], x[2]);
    }
    return true;
}

static bool ReadPly(PlyReader* r, wfMesh* out) {
    WF_TRY(ReadHeader(r));
    for (size_t i = 0; i < r->elementCount; ++i) WF_TRY(ReadElement(r, &r->elements[i]));
    if (r->vertexCount == 0) return wfFail(r->err, wf_badInput, "%s: expected a PLY mesh, found no vertices in it", r->name);
    WF_TRY(wfMesh_Create(out, (int)r->vertexCount, (int)r->triangleCount, false, r->err));
    memcpy(out->positions, r->positions, (size_t)r->vertexCount * sizeof *r->positions);
    if (r->triangleCount > 0) memcpy(out->triangles, r->triangles, r->triangleCount * sizeof *r->triangles);
    return true;
}

bool wfParsePly(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err) {
    PlyReader reader = {.text = {.at = bytes, .end = bytes + size, .line = 1}, .begin = bytes, .name = name, .err = err, .vertexCount = -1};
    bool ok = ReadPly(&reader, out);
    free(reader.elements);
    free(reader.properties);
    free(reader.positions);
    free(reader.triangles);
    return ok;
}
