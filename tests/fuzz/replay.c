// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// Feeds every file of a folder to a fuzzer's entry point, without libFuzzer: the corpus as a regression test. A fault ends the program.

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv); // a fuzzer may have one, as libFuzzer has it

int main(int argc, char** argv) {
    DIR* dir = argc == 2 ? opendir(argv[1]) : NULL;
    if (dir == NULL) {
        fprintf(stderr, "usage: replay FOLDER (of corpus files)\n");
        return 2;
    }
    if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&argc, &argv);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        char path[1024];
        size_t size = 0;
        wfError err = {0};
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        char* bytes = wfReadFile(path, &size, &err);
        uint8_t* exact = bytes != NULL ? malloc(size > 0 ? size : 1) : NULL; // nothing behind it that could be read by mistake
        if (exact == NULL) {
            fprintf(stderr, "%s: %s\n", path, err.text);
            return 2;
        }
        memcpy(exact, bytes, size);
        free(bytes);
        printf("%s\n", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
        ++count;
    }
    closedir(dir);
    printf("%d files\n", count);
    return count > 0 ? 0 : 1;
}
