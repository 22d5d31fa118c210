// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render.h"

#include "base/file.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

bool wfWritePng(const char* path, const uint8_t* pixels, int width, int height, wfError* err) {
    if (width < 1 || height < 1) return wfFail(err, wf_badInput, "%s: size %d x %d, expected at least one pixel", path, width, height);
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_stdio(&image, file.stream, 0, pixels, 0, NULL)) return wfOutFile_Close(&file, err);
    wfOutFile_Discard(&file);
    return wfFail(err, wf_fileFailed, "%s: %s", path, image.message);
}
