// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// load_scene FILE: the smallest program that reads a scene file with the installed libraries.

#include <weft/io.h>

#include <stdio.h>

int main(int argc, char** argv) {
    wfError err = {0};
    wfDeviceDef def = wfDefaultDeviceDef();
    wfDevice* device = wfCreateDevice(&def, &err);
    wfSceneFile file = {0};
    wfScene* scene = device != NULL && argc == 2 ? wfLoadScene(device, argv[1], NULL, 0, &file, &err) : NULL;
    if (scene == NULL) {
        fprintf(stderr, "load_scene: %s\n", err.text);
        return 1;
    }
    printf("%s: %d cloths, %d colliders\n", file.title, wfScene_GetClothCount(scene), wfScene_GetColliderCount(scene));
    wfDestroyScene(scene);
    wfDestroyDevice(device);
    return 0;
}
