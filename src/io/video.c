// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Frames go to the ffmpeg program through a pipe. fork and exec rather than popen: a path needs no quoting, and what ffmpeg says can be
// read back for the error text.

struct wfVideo {
    char path[1024], temporary[1056]; // as with wfOutFile, it lies under another name until it is whole
    int width, height;                // of the frames given
    int even[2];                      // size of the video: H.264 in 4:2:0 needs even numbers, so an odd row or column is repeated
    pid_t child;
    int frames, messages; // file descriptors: into ffmpeg, out of it
    uint8_t* row;
};

static void Child(int in, int out, int fail, char* const arguments[]) {
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0 && dup2(in, 0) >= 0 && dup2(null, 1) >= 0 && dup2(out, 2) >= 0) execvp("ffmpeg", arguments);
    int code = errno;
    ssize_t told = write(fail, &code, sizeof code);
    _exit(told == (ssize_t)sizeof code ? 127 : 126);
}

static void SetCloseOnExec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

// Starts ffmpeg; returns 0, or the errno of what failed.
static int Start(wfVideo* video, char* const arguments[]) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; // frames, messages, failure of exec
    for (int i = 0; i < 3; ++i) {
        if (pipe(pipes[i]) != 0) {
            int code = errno;
            for (int k = 0; k < i; ++k) close(pipes[k][0]), close(pipes[k][1]);
            return code;
        }
        SetCloseOnExec(pipes[i][0]);
        SetCloseOnExec(pipes[i][1]);
    }
    video->child = fork();
    int code = video->child < 0 ? errno : 0;
    if (video->child == 0) Child(pipes[0][0], pipes[1][1], pipes[2][1], arguments);
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    video->frames = pipes[0][1];
    video->messages = pipes[1][0];
    // The write end of the third pipe closes when exec succeeds: nothing to read means that ffmpeg runs.
    if (video->child > 0) {
        ssize_t got;
        do got = read(pipes[2][0], &code, sizeof code);
        while (got < 0 && errno == EINTR);
        if (got != (ssize_t)sizeof code) code = 0;
        if (code != 0) waitpid(video->child, NULL, 0);
    }
    close(pipes[2][0]);
    if (code != 0) {
        close(video->frames);
        close(video->messages);
        video->child = -1;
    }
    return code;
}

wfVideo* wfVideo_Open(const char* path, int width, int height, double frameRate, wfError* err) {
    if (strlen(path) >= sizeof((wfVideo*)0)->path || width < 1 || height < 1 || !(frameRate > 0)) {
        wfFail(err, wf_badInput, "%.64s: video of %d x %d at %g frames a second, expected all > 0 and a path under 1024 bytes", path, width,
               height, frameRate);
        return NULL;
    }
    wfVideo* video = calloc(1, sizeof *video);
    uint8_t* row = malloc(3 * ((size_t)width + 1));
    if (video == NULL || row == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for the video %s", path);
        free(video);
        free(row);
        return NULL;
    }
    snprintf(video->path, sizeof video->path, "%s", path);
    video->row = row;
    video->width = width;
    video->height = height;
    video->even[0] = width + width % 2;
    video->even[1] = height + height % 2;
    // The ending stays last: ffmpeg takes the kind of file from it.
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash != NULL ? slash : path, '.');
    int stem = (int)(dot != NULL ? (size_t)(dot - path) : strlen(path));
    snprintf(video->temporary, sizeof video->temporary, "%.*s.%ld.tmp%s", stem, path, (long)getpid(), path + stem);
    char size[32], rate[32], target[1072];
    snprintf(size, sizeof size, "%dx%d", video->even[0], video->even[1]);
    snprintf(rate, sizeof rate, "%.9g", frameRate);
    snprintf(target, sizeof target, "file:%s", video->temporary); // a name with a colon or a dash in front is still a file
    char* const arguments[] = {"ffmpeg",    "-loglevel",   "error",   "-y",         "-f",      "rawvideo", "-pixel_format",
                               "rgb24",     "-video_size", size,      "-framerate", rate,      "-i",       "pipe:0",
                               "-an",       "-c:v",        "libx264", "-pix_fmt",   "yuv420p", "-crf",     "18",
                               "-movflags", "+faststart",  target,    NULL};
    int code = Start(video, arguments);
    if (code == 0) return video;
    if (code == ENOENT) {
        wfFail(err, wf_fileFailed, "%s: a video needs the program ffmpeg, which is not installed", path);
    } else {
        wfFail(err, wf_fileFailed, "%s: cannot start ffmpeg: %s", path, strerror(code));
    }
    free(row);
    free(video);
    return NULL;
}

// Writes with SIGPIPE held back from this thread, so that an ffmpeg that died is an error and not the end of the program. A signal that
// the write itself raised is taken away again; one that was pending before is left.
static bool WriteAll(int fd, const uint8_t* bytes, size_t count) {
    sigset_t pipeOnly, old, pending;
    sigemptyset(&pipeOnly);
    sigaddset(&pipeOnly, SIGPIPE);
    sigpending(&pending);
    bool before = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipeOnly, &old);
    bool ok = true;
    while (ok && count > 0) {
        ssize_t wrote = write(fd, bytes, count);
        if (wrote > 0) {
            bytes += wrote;
            count -= (size_t)wrote;
        } else if (errno != EINTR) {
            ok = false;
        }
    }
    if (!ok && !before) sigtimedwait(&pipeOnly, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return ok;
}

// Ends ffmpeg and takes what it said (its first line) and whether it succeeded.
static bool Finish(wfVideo* video, char* said, size_t size) {
    if (video->frames >= 0) close(video->frames);
    video->frames = -1;
    size_t count = 0;
    char piece[256];
    for (;;) {
        ssize_t got = read(video->messages, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size_t room = size - 1 - count, take = (size_t)got < room ? (size_t)got : room;
        memcpy(said + count, piece, take);
        count += take;
    }
    said[count] = 0;
    said[strcspn(said, "\n")] = 0;
    close(video->messages);
    video->messages = -1;
    int status = 0;
    while (waitpid(video->child, &status, 0) < 0 && errno == EINTR) {}
    video->child = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool wfVideo_Add(wfVideo* video, const uint8_t* pixels, wfError* err) {
    bool ok = video->child > 0;
    size_t width = (size_t)video->width;
    for (int y = 0; ok && y < video->even[1]; ++y) {
        int from = y < video->height ? y : video->height - 1;
        memcpy(video->row, pixels + 3 * width * (size_t)from, 3 * width);
        memcpy(video->row + 3 * width, video->row + 3 * (width - 1), 3);
        ok = WriteAll(video->frames, video->row, 3 * (size_t)video->even[0]);
    }
    if (ok) return true;
    char said[300] = "it has ended";
    if (video->child > 0) Finish(video, said, sizeof said);
    return wfFail(err, wf_fileFailed, "%s: ffmpeg failed: %s", video->path, said);
}

bool wfVideo_Close(wfVideo* video, wfError* err) {
    if (video == NULL) return true;
    char said[300] = "it has ended";
    bool ok = video->child > 0 && Finish(video, said, sizeof said);
    if (!ok) wfFail(err, wf_fileFailed, "%s: ffmpeg failed: %s", video->path, said);
    if (ok && rename(video->temporary, video->path) != 0) ok = wfFail(err, wf_fileFailed, "%s: %s", video->path, strerror(errno));
    if (!ok) unlink(video->temporary);
    free(video->row);
    free(video);
    return ok;
}
