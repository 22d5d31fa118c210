// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

// The judge of each primitive is the plain loop on the host; sums must also have the bits of the reference device.

static const int s_counts[] = {0, 1, 2, 31, 127, 128, 129, 1000, 1023, 1024, 1025, 2049, 100000, 1 << 20, (1 << 20) + 77, 3000000};

static void TestScan(wfDevice* device, int count) {
    int* in = malloc(((size_t)count + 1) * sizeof(int));
    int* out = malloc(((size_t)count + 1) * sizeof(int));
    uint32_t seed = 7u + (uint32_t)count;
    for (int i = 0; i < count; ++i) in[i] = (int)(NextRandom(&seed) % 11);
    wfBuffer a = wfMakeBuffer(sizeof(int), "test.in"), b = wfMakeBuffer(sizeof(int), "test.out"), scratch = wfMakeBuffer(1, "test.scratch");
    wfReserve(device, &a, (size_t)count + 1);
    wfUploadRange(device, &a, 0, in, (size_t)count);
    wfReserve(device, &b, (size_t)count + 1);
    wfScanExclusive(device, wfData(&a, int), wfData(&b, int), count, &scratch);
    wfDownload(device, out, &b, 0, (size_t)count + 1, NULL);
    int sum = 0, wrong = 0;
    for (int i = 0; i < count; ++i) {
        wrong += out[i] != sum;
        sum += in[i];
    }
    ENSURE(wrong == 0 && out[count] == sum, "scan of %d: %d wrong, total %d, expected %d", count, wrong, out[count], sum);

    wfFreeBuffer(device, &a);
    wfFreeBuffer(device, &b);
    wfFreeBuffer(device, &scratch);
    free(in);
    free(out);
}

typedef enum Flagged { NoneFlagged, AllFlagged, FewFlagged, MostFlagged, LastFlagged, FlaggedCount } Flagged;

static void TestCompact(wfDevice* device, int count, Flagged which) {
    int* flags = malloc(((size_t)count + 1) * sizeof(int));
    int* out = malloc(((size_t)count + 1) * sizeof(int));
    uint32_t seed = 11u + (uint32_t)count;
    int expected = 0;
    for (int i = 0; i < count; ++i) {
        bool set = which == AllFlagged || (which == FewFlagged && NextRandom(&seed) % 700 == 0) ||
                   (which == MostFlagged && NextRandom(&seed) % 11 != 0) || (which == LastFlagged && i == count - 1);
        flags[i] = set ? i + 1 : 0; // any number but 0
        expected += set;
    }
    wfBuffer a = wfMakeBuffer(sizeof(int), "test.flags"), b = wfMakeBuffer(sizeof(int), "test.list"),
             n = wfMakeBuffer(sizeof(int), "test.count"), scratch = wfMakeBuffer(1, "test.scratch");
    wfUpload(device, &a, flags, (size_t)count);
    wfReserve(device, &n, 1);
    for (int halves = 0; halves < 2; ++halves) {
        wfFreeBuffer(device, &b);
        int found;
        if (halves) {
            found = wfCountFlagged(device, wfData(&a, int), count, &scratch);
            wfReserve(device, &b, (size_t)found); // and no more
            wfListFlagged(device, wfData(&a, int), wfData(&b, int), count, &scratch);
        } else {
            wfReserve(device, &b, (size_t)count);
            wfCompact(device, wfData(&a, int), wfData(&b, int), wfData(&n, int), count, &scratch);
            found = wfReadInt(device, wfData(&n, int));
        }
        ENSURE(found == expected, "compaction of %d (%d): %d found, expected %d", count, (int)which, found, expected);
        wfDownload(device, out, &b, 0, (size_t)expected, NULL);
        int wrong = 0, at = 0;
        for (int i = 0; i < count; ++i)
            if (flags[i] != 0) wrong += out[at++] != i;
        ENSURE(wrong == 0, "compaction of %d (%d): %d wrong", count, (int)which, wrong);
    }
    wfFreeBuffer(device, &a);
    wfFreeBuffer(device, &b);
    wfFreeBuffer(device, &n);
    wfFreeBuffer(device, &scratch);
    free(flags);
    free(out);
}

static void TestSort(wfDevice* device, int count, int bits) {
    uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1u;
    uint32_t* keys = malloc(((size_t)count + 1) * sizeof(uint32_t));
    uint32_t* sorted = malloc(((size_t)count + 1) * sizeof(uint32_t));
    int* values = malloc(((size_t)count + 1) * sizeof(int));
    uint32_t seed = 99u + (uint32_t)count;
    for (int i = 0; i < count; ++i) {
        keys[i] = NextRandom(&seed); // bits above the mask must not matter
        values[i] = i;
    }
    wfBuffer k = wfMakeBuffer(sizeof(uint32_t), "test.keys"), v = wfMakeBuffer(sizeof(int), "test.values"),
             scratch = wfMakeBuffer(1, "test.scratch");
    wfUpload(device, &k, keys, (size_t)count);
    wfUpload(device, &v, values, (size_t)count);
    wfSortPairs(device, wfData(&k, uint32_t), wfData(&v, int), count, bits, &scratch);
    wfDownload(device, sorted, &k, 0, (size_t)count, NULL);
    wfDownload(device, values, &v, 0, (size_t)count, NULL);
    // Stable order is unique: keys rise, and among equal keys the values (their old places) rise; every pair is one that went in.
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        wrong += values[i] < 0 || values[i] >= count || keys[values[i]] != sorted[i];
        if (i > 0) {
            uint32_t a = sorted[i - 1] & mask, b = sorted[i] & mask;
            wrong += a > b || (a == b && values[i - 1] >= values[i]);
        }
    }
    ENSURE(wrong == 0, "sort of %d by %d bits: %d wrong", count, bits, wrong);
    wfFreeBuffer(device, &k);
    wfFreeBuffer(device, &v);
    wfFreeBuffer(device, &scratch);
    free(keys);
    free(sorted);
    free(values);
}

typedef struct Sums {
    float sum, dot, max;
    int maxIndex;
} Sums;

static Sums SumsOn(wfDevice* device, const float* a, const float* b, int count) {
    wfBuffer da = wfMakeBuffer(sizeof(float), "test.a"), db = wfMakeBuffer(sizeof(float), "test.b"),
             out = wfMakeBuffer(sizeof(Sums), "test.sums");
    wfBuffer scratch = wfMakeBuffer(1, "test.scratch");
    wfUpload(device, &da, a, (size_t)count);
    wfUpload(device, &db, b, (size_t)count);
    wfReserve(device, &out, 1);
    Sums* s = wfData(&out, Sums);
    wfSum(device, wfData(&da, float), &s->sum, count, &scratch);
    wfDotProduct(device, wfData(&da, float), wfData(&db, float), &s->dot, count, &scratch);
    wfMaxIndex(device, wfData(&da, float), &s->max, &s->maxIndex, count, &scratch);
    Sums host = {0};
    wfDownload(device, &host, &out, 0, 1, NULL);
    wfFreeBuffer(device, &da);
    wfFreeBuffer(device, &db);
    wfFreeBuffer(device, &out);
    wfFreeBuffer(device, &scratch);
    return host;
}

static void TestSums(wfDevice* reference, wfDevice* device, int count) {
    float* a = malloc(((size_t)count + 1) * sizeof(float));
    float* b = malloc(((size_t)count + 1) * sizeof(float));
    uint32_t seed = 3u + (uint32_t)count;
    double sum = 0.0, dot = 0.0;
    int at = -1;
    for (int i = 0; i < count; ++i) {
        a[i] = NextFloat(&seed);
        b[i] = NextFloat(&seed);
        sum += a[i];
        dot += (double)a[i] * b[i];
        if (at < 0 || a[i] > a[at]) at = i;
    }
    Sums s = SumsOn(device, a, b, count), r = SumsOn(reference, a, b, count);
    double bound = 1e-6 * (1.0 + sqrt((double)count));
    ENSURE_NEAR(s.sum, sum, bound);
    ENSURE_NEAR(s.dot, dot, bound);
    ENSURE(s.maxIndex == at, "maximum of %d: at %d, expected %d", count, s.maxIndex, at);
    // A sum has the same bits everywhere. A dot product may be contracted by the GPU's compiler, so there it is only near.
    ENSURE(s.sum == r.sum && s.maxIndex == r.maxIndex, "sum of %d differs from the reference: %.9g, %.9g", count, (double)s.sum,
           (double)r.sum);
    if (wfDevice_GetKind(device) == wf_deviceCpu) ENSURE(s.dot == r.dot, "dot of %d: %.9g, %.9g", count, (double)s.dot, (double)r.dot);
    if (count > 700) {
        a[600] = NAN;
        ENSURE(SumsOn(device, a, b, count).maxIndex == 600, "NaN counts as largest");
    }
    free(a);
    free(b);
}

static void TestSegments(wfDevice* device) {
    enum { Segments = 50000 };
    int* start = malloc((Segments + 1) * sizeof(int));
    uint32_t seed = 5;
    start[0] = 0;
    for (int s = 0; s < Segments; ++s) start[s + 1] = start[s] + (int)(NextRandom(&seed) % 9);
    int count = start[Segments];
    float* in = malloc((size_t)count * sizeof(float));
    float* out = malloc(Segments * sizeof(float));
    for (int i = 0; i < count; ++i) in[i] = NextFloat(&seed);
    wfBuffer a = wfMakeBuffer(sizeof(float), "test.in"), b = wfMakeBuffer(sizeof(int), "test.start"),
             c = wfMakeBuffer(sizeof(float), "test.out");
    wfUpload(device, &a, in, (size_t)count);
    wfUpload(device, &b, start, Segments + 1);
    wfReserve(device, &c, Segments);
    wfSegmentedSum(device, wfData(&a, float), wfData(&b, int), wfData(&c, float), Segments);
    wfDownload(device, out, &c, 0, Segments, NULL);
    int wrong = 0;
    for (int s = 0; s < Segments; ++s) {
        float sum = 0.0f;
        for (int k = start[s]; k < start[s + 1]; ++k) sum += in[k];
        wrong += sum != out[s];
    }
    ENSURE(wrong == 0, "segmented sum: %d of %d segments wrong", wrong, (int)Segments);
    wfFreeBuffer(device, &a);
    wfFreeBuffer(device, &b);
    wfFreeBuffer(device, &c);
    free(start);
    free(in);
    free(out);
}

static void TestCopies(wfDevice* device) {
    enum { Count = 100003 };
    int* host = malloc(Count * sizeof(int));
    int* back = malloc(Count * sizeof(int));
    for (int i = 0; i < Count; ++i) host[i] = i * 7;
    wfBuffer a = wfMakeBuffer(sizeof(int), "test.a"), b = wfMakeBuffer(sizeof(int), "test.b");
    wfUpload(device, &a, host, Count);
    wfReserve(device, &b, Count);
    wfZero(device, &b);
    wfReadback zeros = {0}, copies = {0};
    wfReadback_Start(device, &zeros, &b, 0, Count);
    wfCopy(device, &b, &a, Count); // must not overtake the readback
    wfReadback_Start(device, &copies, &b, 5, Count - 5);
    wfZero(device, &b);
    const int* z = wfReadback_Wait(device, &zeros, NULL);
    const int* c = wfReadback_Wait(device, &copies, NULL);
    int wrong = z == NULL || c == NULL;
    for (int i = 0; !wrong && i < Count; ++i) wrong += z[i] != 0 || (i >= 5 && c[i - 5] != host[i]);
    ENSURE(wrong == 0, "an asynchronous readback saw a later write");
    wfUploadRange(device, &b, 10, host, 100);
    wfDownload(device, back, &b, 0, Count, NULL);
    wrong = 0;
    for (int i = 0; i < Count; ++i) wrong += back[i] != (i >= 10 && i < 110 ? host[i - 10] : 0);
    ENSURE(wrong == 0, "%d wrong after uploading a range", wrong);
    wfReadback_Free(device, &zeros);
    wfReadback_Free(device, &copies);
    wfFreeBuffer(device, &a);
    wfFreeBuffer(device, &b);
    free(host);
    free(back);
}

void TestPrimitives(wfDevice* reference, wfDevice* device) {
    for (size_t k = 0; k < sizeof s_counts / sizeof s_counts[0]; ++k) {
        TestScan(device, s_counts[k]);
        for (Flagged which = NoneFlagged; which < FlaggedCount; ++which) TestCompact(device, s_counts[k], which);
        TestSort(device, s_counts[k], 32);
        TestSums(reference, device, s_counts[k]);
    }
    for (int bits = 1; bits < 32; bits += 5) TestSort(device, 70000, bits);
    TestSegments(device);
    TestCopies(device);
}
