// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/commands.h"

#include <stdio.h>

const wfCommand wfCommands[] = {
    {"run", "run SCENE -o DIR [options]", "simulate a scene", wfCmd_Run},
    {"check", "check FILE...|DIR [--each] [--gap] [--json]", "look for intersecting triangles", wfCmd_Check},
    {"info", "info FILE...|DIR", "say what is in a mesh, a scene or a run", wfCmd_Info},
    {"scenes", "scenes", "list the built-in scenes", wfCmd_Scenes},
    {"render", "render FILE...|DIR -o PNG|DIR [options]", "draw meshes or a run: pictures, a strip of frames, a video", wfCmd_Render},
    {"untangle", "untangle FILE... -o OUT [options]", "move meshes that intersect until nothing does", wfCmd_Untangle},
    {"subdivide", "subdivide FILE...|DIR -o OUT [--levels N]", "smooth cloth for the picture, without intersections", wfCmd_Subdivide},
    {"remesh", "remesh FILE -o OUT --edge L [--json]", "give a cloth mesh even edges, in its flat pattern", wfCmd_Remesh},
    {"bench", "bench [SCENE...] [--json]", "measure step times beside the bandwidth floor, and memory", wfCmd_Bench},
    {"help", "help [COMMAND|TOPIC]", "explain a command, or list the parameters of scene files", wfCmd_Help},
    {NULL, NULL, NULL, NULL},
};

int wfApp_Fail(const wfError* err) {
    fflush(stdout); // so that the message comes after what was said before it
    fprintf(stderr, "weft: %s\n", err->text);
    switch (err->code) {
    case wf_ok:
    case wf_badInput:
    case wf_fileFailed:
        return wf_exitBadInput;
    case wf_outOfMemory:
    case wf_deviceFailed:
        return wf_exitFailed;
    case wf_stepFailed:
        return wf_exitNo;
    case wf_cancelled:
        return wf_exitInterrupted;
    }
    return wf_exitFailed;
}
