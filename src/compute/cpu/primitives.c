// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/cpu/cpu.h"

#include <omp.h>
#include <string.h>

// Prefix sum and stable radix sort with OpenMP. The input is cut into one equal range a thread; integers make the result independent of
// the cut.

enum { RadixBits = 8, Radix = 1 << RadixBits, SerialBelow = 1 << 14 };

static int ThreadsFor(const wfDevice* device, int count) { return count < SerialBelow ? 1 : device->threadCount; }

static void RangeOf(int count, int thread, int threads, int* first, int* last) {
    *first = (int)((int64_t)count * thread / threads);
    *last = (int)((int64_t)count * (thread + 1) / threads);
}

// ---- scan ---------------------------------------------------------------------------------------------------------------------

typedef struct ScanArgs {
    const int* in;
    int* out;
    int* totals; // one a thread
} ScanArgs;

size_t wfCpu_ScanScratch(wfDevice* device, int count) {
    (void)count;
    return (size_t)device->threadCount * sizeof(int);
}

static void ScanNow(wfDevice* device, int count, const void* args) {
    const ScanArgs a = *(const ScanArgs*)args;
    int threads = ThreadsFor(device, count);
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads(), first, last, sum = 0;
        RangeOf(count, thread, team, &first, &last);
        for (int i = first; i < last; ++i) sum += a.in[i];
        a.totals[thread] = sum;
#pragma omp barrier
        sum = 0;
        for (int t = 0; t < thread; ++t) sum += a.totals[t];
        for (int i = first; i < last; ++i) {
            a.out[i] = sum;
            sum += a.in[i];
        }
        if (thread == team - 1) a.out[count] = sum;
    }
}

void wfCpu_Scan(wfDevice* device, const int* in, int* out, int count, void* scratch) {
    ScanArgs args = {in, out, scratch};
    wfCpu_Do(device, ScanNow, count, &args, sizeof args);
}

// ---- sort ---------------------------------------------------------------------------------------------------------------------

typedef struct SortArgs {
    uint32_t *keys, *otherKeys;
    int *values, *otherValues;
    int* histograms; // [thread][digit]
    int bitCount;
} SortArgs;

size_t wfCpu_SortScratch(wfDevice* device, int count) {
    return (size_t)count * (sizeof(uint32_t) + sizeof(int)) + (size_t)device->threadCount * Radix * sizeof(int);
}

static void SortNow(wfDevice* device, int count, const void* args) {
    SortArgs a = *(const SortArgs*)args;
    int threads = ThreadsFor(device, count);
#pragma omp parallel num_threads(threads) firstprivate(a)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads(), first, last;
        RangeOf(count, thread, team, &first, &last);
        int* mine = a.histograms + (size_t)thread * Radix;
        int passes = 0;
        for (int shift = 0; shift < a.bitCount; shift += RadixBits, ++passes) {
            int bits = a.bitCount - shift < RadixBits ? a.bitCount - shift : RadixBits;
            uint32_t mask = (1u << bits) - 1u;
            memset(mine, 0, Radix * sizeof(int));
            for (int i = first; i < last; ++i) mine[(a.keys[i] >> shift) & mask]++;
#pragma omp barrier
#pragma omp single
            {
                // Digit by digit, then thread by thread: what makes the sort stable.
                int sum = 0;
                for (int digit = 0; digit < Radix; ++digit)
                    for (int t = 0; t < team; ++t) {
                        int* slot = a.histograms + (size_t)t * Radix + digit;
                        int n = *slot;
                        *slot = sum;
                        sum += n;
                    }
            }
            for (int i = first; i < last; ++i) {
                int to = mine[(a.keys[i] >> shift) & mask]++;
                a.otherKeys[to] = a.keys[i];
                a.otherValues[to] = a.values[i];
            }
#pragma omp barrier
            uint32_t* keys = a.keys;
            a.keys = a.otherKeys;
            a.otherKeys = keys;
            int* values = a.values;
            a.values = a.otherValues;
            a.otherValues = values;
        }
        if (passes % 2 == 1) { // the result lies in the scratch
            memcpy(a.otherKeys + first, a.keys + first, (size_t)(last - first) * sizeof(uint32_t));
            memcpy(a.otherValues + first, a.values + first, (size_t)(last - first) * sizeof(int));
        }
    }
}

void wfCpu_Sort(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, void* scratch) {
    uint32_t* otherKeys = scratch;
    int* otherValues = (int*)(otherKeys + count);
    SortArgs args = {keys, otherKeys, values, otherValues, otherValues + count, bitCount};
    wfCpu_Do(device, SortNow, count, &args, sizeof args);
}
