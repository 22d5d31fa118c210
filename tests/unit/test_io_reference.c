// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "base/file.h"
#include "io/scene_file.h"

#include <stdlib.h>
#include <string.h>

// docs/scene-reference.md is what the parameter lists say now. `test_io_reference --markdown > docs/scene-reference.md` writes it anew.
static void TestDocumentIsCurrent(void** state) {
    (void)state;
    wfError err = {0};
    size_t size = 0, written = 0;
    char *document = wfReadFile(WF_TEST_DATA "/../../docs/scene-reference.md", &size, &err), *now = NULL;
    if (document == NULL) fail_msg("%s", err.text);
    FILE* stream = open_memstream(&now, &written);
    assert_non_null(stream);
    wfWriteSceneReference(stream);
    fclose(stream);
    size_t same = 0;
    int line = 1;
    while (same < size && same < written && document[same] == now[same]) line += now[same++] == '\n';
    if (same != size || same != written)
        fail_msg("docs/scene-reference.md differs from line %d on; test_io_reference --markdown writes it anew", line);
    assert_non_null(strstr(now, "| `thickness` | number | 0.0005 | 1e-06 to 0.1 | m |"));
    free(document);
    free(now);
}

int main(int argc, char** argv) {
    if (argc == 2 && strcmp(argv[1], "--markdown") == 0) {
        wfWriteSceneReference(stdout);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestDocumentIsCurrent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
