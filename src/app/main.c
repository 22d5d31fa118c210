// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/commands.h"
#include "base/error.h"
#include "scene/params.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int UnknownCommand(const char* name) {
    const char* names[32];
    int count = 0;
    for (const wfCommand* c = wfCommands; c->name != NULL && count < 32; ++c) names[count++] = c->name;
    const char* nearest = wfNearestName(name, names, count);
    wfError err = {0};
    if (nearest != NULL) {
        wfFail(&err, wf_badInput, "unknown command \"%s\"; did you mean %s?", name, nearest);
    } else {
        wfFail(&err, wf_badInput, "unknown command \"%s\"; see weft help", name);
    }
    return wfApp_Fail(&err);
}

static int Dispatch(int argc, char** argv) {
    static char help[] = "help";
    char* alone[] = {help, NULL};
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return wfCmd_Help(1, alone);
    if (strcmp(argv[1], "--version") == 0) {
        printf("weft %s\n", wfVersion());
        return wf_exitOk;
    }
    for (const wfCommand* c = wfCommands; c->name != NULL; ++c) {
        if (strcmp(c->name, argv[1]) == 0) return c->run(argc - 1, argv + 1);
    }
    return UnknownCommand(argv[1]);
}

int main(int argc, char** argv) {
    // A full disk or a size limit is to be an error with a message, not a death by signal.
    signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
    // Buffers that grow go back to the system when they are freed: by itself glibc keeps more and more of them, up to 32 MB each.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
    int code = Dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "weft: standard output: %s\n", strerror(errno));
        if (code == wf_exitOk) code = wf_exitFailed;
    }
    return code;
}
