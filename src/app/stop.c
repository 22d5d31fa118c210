// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t s_stop;

static void OnSignal(int signal) {
    (void)signal;
    s_stop = 1;
}

void wfCatchSignals(void) {
    struct sigaction action = {.sa_handler = OnSignal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; ++i) {
        struct sigaction old;
        // Whoever started us with a signal ignored (a shell's background job) wants it so.
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
}

bool wfIsStopped(void) { return s_stop != 0; }
