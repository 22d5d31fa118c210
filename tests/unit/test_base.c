// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "base/memory.h"

#include <stdlib.h>

static void TestFirstErrorIsKept(void** state) {
    (void)state;
    wfError err = {0};
    assert_false(wfFail(&err, wf_badInput, "first %d", 1));
    assert_false(wfFail(&err, wf_fileFailed, "second"));
    assert_int_equal(err.code, wf_badInput);
    assert_string_equal(err.text, "first 1");
    assert_false(wfFail(NULL, wf_badInput, "nobody listens"));
}

static void TestArena(void** state) {
    (void)state;
    wfArena arena = {0};
    wfError err = {0};
    double* a = wfArena_New(&arena, double, 1000, "a", &err);
    int* empty = wfArena_New(&arena, int, 0, "empty", &err);
    assert_non_null(a);
    assert_non_null(empty);
    assert_int_equal((uintptr_t)a % 64, 0);
    for (int i = 0; i < 1000; ++i) assert_true(a[i] == 0.0);
    assert_null(wfArena_Alloc(&arena, SIZE_MAX / 4, 8, "too much", &err));
    assert_int_equal(err.code, wf_outOfMemory);
    wfArena_Free(&arena);
}

static void TestGrowKeepsContent(void** state) {
    (void)state;
    void* data = NULL;
    size_t capacity = 0;
    wfError err = {0};
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(wfGrow(&data, &capacity, (size_t)i + 1, sizeof(int), "numbers", &err), err);
        ((int*)data)[i] = i;
    }
    for (int i = 0; i < 1000; ++i) assert_int_equal(((int*)data)[i], i);
    CHECK_FAILS(wfGrow(&data, &capacity, SIZE_MAX / 2, 8, "x", &err), err, "out of memory for x (9223372036854775807 elements of 8 bytes)");
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestFirstErrorIsKept), cmocka_unit_test(TestArena),
                                       cmocka_unit_test(TestGrowKeepsContent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
