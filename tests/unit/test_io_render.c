// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "io/render.h"

#include <fcntl.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A ball of radius 1 that stands on the floor y = 0.
enum { around = 64, down = 32, ballVertices = (around + 1) * (down + 1), ballTriangles = 2 * around * down };
static wfVec3 s_positions[ballVertices];
static wfTriangle s_triangles[ballTriangles];

static wfRenderObject MakeBallOf(int sides, int rings) {
    int k = 0;
    for (int j = 0; j <= rings; ++j) {
        for (int i = 0; i <= sides; ++i) {
            float t = 3.14159265f * (float)j / (float)rings, p = 6.2831853f * (float)i / (float)sides;
            s_positions[k++] = wfMake3(sinf(t) * cosf(p), 1.0f + cosf(t), -sinf(t) * sinf(p));
        }
    }
    k = 0;
    for (int j = 0; j < rings; ++j) {
        for (int i = 0; i < sides; ++i) {
            int a = j * (sides + 1) + i, b = a + sides + 1;
            s_triangles[k++] = (wfTriangle){{a, b, a + 1}};
            s_triangles[k++] = (wfTriangle){{a + 1, b, b + 1}};
        }
    }
    return (wfRenderObject){.name = "ball",
                            .positions = s_positions,
                            .vertexCount = (sides + 1) * (rings + 1),
                            .triangles = s_triangles,
                            .triangleCount = 2 * sides * rings,
                            .color = {0.9f, 0.9f, 0.9f}};
}

static wfRenderObject MakeBall(void) { return MakeBallOf(around, down); }

enum { width = 160, height = 120 };

static wfRenderDef SmallDef(void) {
    wfRenderDef def = wfDefaultRenderDef();
    def.width = width;
    def.height = height;
    def.samples = 4;
    return def;
}

static uint8_t* Draw(const wfRenderObject* objects, int count, const wfRenderDef* def) {
    wfError err = {0};
    uint8_t* pixels = malloc(3 * (size_t)def->width * (size_t)def->height);
    assert_non_null(pixels);
    CHECK_OK(wfRender(objects, count, def, pixels, &err), err);
    return pixels;
}

static int Brightness(const uint8_t* pixels, int x, int y) {
    const uint8_t* p = &pixels[3 * (y * width + x)];
    return p[0] + p[1] + p[2];
}

static void TestSameBitsForAnyThreads(void** state) {
    (void)state;
    wfRenderObject ball = MakeBall();
    ball.cloth = true;
    wfRenderDef def = SmallDef();
    def.threadCount = 1;
    uint8_t* one = Draw(&ball, 1, &def);
    for (int threads = 2; threads <= 5; threads += 3) {
        def.threadCount = threads;
        uint8_t* many = Draw(&ball, 1, &def);
        assert_memory_equal(one, many, 3 * width * height);
        free(many);
    }
    free(one);
}

// Black on the light background: what is dark is the ball. Seen from distance d a ball of radius 1 covers a cone of half-angle
// asin(1/d), which straight ahead is a disc of radius tan(asin(1/d)) = 1/sqrt(d^2 - 1) on the picture plane at distance 1.
static void TestSilhouette(void** state) {
    (void)state;
    wfRenderObject ball = MakeBall();
    ball.color = wfMake3(0, 0, 0);
    wfRenderDef def = SmallDef();
    def.floor = false;
    def.samples = 16;
    def.camera = (wfCameraDef){.given = true, .eye = {0, 1, 6}, .target = {0, 1, 0}, .fov = 30.0f};
    uint8_t* pixels = Draw(&ball, 1, &def);
    double area = 0, sumX = 0, sumY = 0;
    for (int y = 0; y < height; ++y) {
        double background = 0.5 * (Brightness(pixels, 2, y) + Brightness(pixels, width - 3, y));
        for (int x = 0; x < width; ++x) {
            double covered = Brightness(pixels, x, y) < 0.7 * background ? 1.0 : 0.0;
            area += covered;
            sumX += covered * (x + 0.5);
            sumY += covered * (y + 0.5);
        }
    }
    double pixel = 2.0 * tan(15.0 * 3.14159265358979 / 180.0) / height;
    double radius = 1.0 / sqrt(36.0 - 1.0) / pixel;
    double expected = 3.14159265358979 * radius * radius;
    CHECK_NEAR(area, expected, 0.02 * expected); // pixels of the rim count as a whole; 64 sides lose 0.2 %
    CHECK_NEAR(sumX / area, 0.5 * width, 0.5);
    CHECK_NEAR(sumY / area, 0.5 * height, 0.5);
    free(pixels);
}

static void TestLightAndShadow(void** state) {
    (void)state;
    wfRenderObject ball = MakeBall();
    wfRenderDef def = SmallDef();
    def.camera = (wfCameraDef){.given = true, .eye = {0, 3, 9}, .target = {0, 1, 0}, .fov = 40.0f};
    uint8_t* with = Draw(&ball, 1, &def);
    // The key light comes from the upper left of the camera.
    int lit = Brightness(with, width / 2 - 8, height / 2 - 8), dark = Brightness(with, width / 2 + 8, height / 2 + 8);
    if (!(lit > dark + 150)) fail_msg("lit side %d, dark side %d", lit, dark);
    ball.triangleCount = 0; // the same picture (bounds of the vertices), without the ball
    uint8_t* without = Draw(&ball, 1, &def);
    int shadowed = 0, brighter = 0;
    for (int y = height / 2; y < height; ++y) {
        for (int x = width / 2 + 24; x < width; ++x) { // right of the ball, on the floor
            int change = Brightness(with, x, y) - Brightness(without, x, y);
            if (change < -120) ++shadowed;
            if (change > 60) ++brighter;
        }
    }
    assert_in_range(shadowed, 100, 2000);
    assert_int_equal(brighter, 0);
    // Far to the left the floor knows nothing of the ball.
    CHECK_NEAR(Brightness(with, 4, height - 30), Brightness(without, 4, height - 30), 12);
    free(with);
    free(without);
}

// A coarse ball with smooth normals must be lit like a fine one: without care its facets shadow each other along the terminator, in dark
// patches. What is compared lies well inside the outline, which cannot agree.
static void TestTerminatorIsSmooth(void** state) {
    (void)state;
    wfRenderDef def = SmallDef();
    def.samples = 64;
    def.camera = (wfCameraDef){.given = true, .eye = {-2, 1, 5}, .target = {0, 1, 0}, .fov = 30.0f};
    wfRenderObject ball = MakeBall();
    uint8_t* fine = Draw(&ball, 1, &def);
    ball = MakeBallOf(20, 11);
    uint8_t* coarse = Draw(&ball, 1, &def);
    int worst = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int dx = x - width / 2, dy = y - height / 2;
            if (dx * dx + dy * dy > 33 * 33) continue; // of a radius of 41
            int change = Brightness(fine, x, y) - Brightness(coarse, x, y);
            if (change > worst) worst = change;
        }
    }
    if (worst > 12) fail_msg("a pixel of the coarse ball is too dark by %d of 765", worst); // 41 when rays leave from the facets
    free(fine);
    free(coarse);
}

// Two layers of a sharp fold, closer than triangles are wide, as coarse cloth has them: light on the outer side is not that of the inside.
static void TestSharpFold(void** state) {
    (void)state;
    enum { n = 9, count = n * n, triangleCount = 2 * (n - 1) * (n - 1) };
    static wfVec3 positions[count];
    static wfTriangle triangles[triangleCount];
    for (int i = 0; i < count; ++i) { // along the diagonal the fold, both sides hang down from it
        int column = i % n, row = i / n, across = column - row, along = column + row;
        float lean = 0.004f * sinf(1.7f * (float)along); // no fold is quite even
        float x = across == 0 ? 0.0f : across > 0 ? 0.0006f : -0.0006f;
        positions[i] = wfMake3(x + lean, 0.3f - 0.014f * fabsf((float)across), 0.014f * (float)along);
    }
    for (int j = 0, k = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            bool even = (i + j) % 2 == 0;
            triangles[k++] = even ? (wfTriangle){{a, c, d}} : (wfTriangle){{a, c, b}};
            triangles[k++] = even ? (wfTriangle){{a, d, b}} : (wfTriangle){{b, c, d}};
        }
    wfRenderObject fold = {.name = "fold",
                           .positions = positions,
                           .vertexCount = count,
                           .triangles = triangles,
                           .triangleCount = triangleCount,
                           .cloth = true,
                           .color = {0.9f, 0.9f, 0.9f}};
    wfRenderDef def = SmallDef();
    def.samples = 16;
    for (int side = 0; side < 2; ++side) {
        def.camera =
            (wfCameraDef){.given = true, .eye = {side == 0 ? -0.5f : 0.5f, 0.35f, 0.112f}, .target = {0, 0.27f, 0.112f}, .fov = 9.0f};
        uint8_t* pixels = Draw(&fold, 1, &def);
        int darkest = 765, away = Brightness(pixels, width / 2, height - 40); // away from the crease
        for (int y = 18; y < height - 30; ++y)
            for (int x = 40; x < width - 40; ++x)
                if (Brightness(pixels, x, y) < darkest) darkest = Brightness(pixels, x, y);
        if (darkest < away * 3 / 4) fail_msg("a pixel of the fold has %d, its side %d", darkest, away); // 201, 427 from inside
        free(pixels);
    }
}

static void TestFrameCamera(void** state) {
    (void)state;
    static const wfVec3 boxes[][2] = {
        {{-1, 0, -1}, {1, 2, 1}}, {{5, -3, 2}, {5.1f, 9, 2.2f}}, {{0, 0, 0}, {40, 0.01f, 3}}, {{1, 1, 1}, {1, 1, 1}}};
    for (int i = 0; i < 16; ++i) {
        wfVec3 lo = boxes[i % 4][0], hi = boxes[i % 4][1];
        bool zUp = i / 4 % 2 == 1;
        float aspect = i / 8 == 0 ? 1.333f : 0.5f;
        wfCameraDef camera = wfFrameCamera(lo, hi, aspect, zUp);
        assert_true(camera.given);
        wfVec3 forward = wfNormalizeOr(wfSub(camera.target, camera.eye), wfMake3(0, 0, 0));
        wfVec3 right = wfNormalizeOr(wfCross(forward, zUp ? wfMake3(0, 0, 1) : wfMake3(0, 1, 0)), wfMake3(0, 0, 0));
        wfVec3 up = wfCross(right, forward);
        float half = tanf(0.5f * camera.fov * 3.14159265f / 180.0f), largest = 0.0f;
        for (int c = 0; c < 8; ++c) {
            wfVec3 d = wfSub(wfMake3(c & 1 ? hi.x : lo.x, c & 2 ? hi.y : lo.y, c & 4 ? hi.z : lo.z), camera.eye);
            float depth = wfDot(d, forward);
            assert_true(depth > 0.0f);
            largest = fmaxf(largest, fmaxf(fabsf(wfDot(d, right)) / (half * aspect), fabsf(wfDot(d, up)) / half) / depth);
        }
        assert_true(largest < 0.95f);
        if (i % 4 != 3) assert_true(largest > 0.5f); // a point cannot fill a picture
    }
}

static void TestLegend(void** state) {
    (void)state;
    static float heat[ballVertices];
    wfRenderObject ball = MakeBall();
    for (int v = 0; v < ballVertices; ++v) heat[v] = s_positions[v].y;
    ball.heat = heat;
    wfRenderDef def = SmallDef();
    def.width = 320;
    def.height = 240;
    uint8_t* plain = Draw(&ball, 1, &def);
    def.heatTitle = "Height [m]";
    def.heatMax = 2.0f;
    uint8_t* mapped = Draw(&ball, 1, &def);
    // In the corner with the legend: from the violet end of the bar to its yellow end, and letters; elsewhere on the floor no change.
    int violet = 0, yellow = 0, ink = 0;
    for (int y = 180; y < 240; ++y) {
        for (int x = 0; x < 200; ++x) {
            const uint8_t* p = &mapped[3 * (y * 320 + x)];
            violet += p[0] < 90 && p[1] < 40 && p[2] > 90;
            yellow += p[0] > 220 && p[1] > 200 && p[2] < 80;
            ink += p[0] == 46 && p[1] == 50 && p[2] == 56;
        }
    }
    if (violet < 20 || yellow < 20 || ink < 100) fail_msg("violet %d, yellow %d, ink %d", violet, yellow, ink);
    assert_memory_equal(&plain[3 * (235 * 320 + 300)], &mapped[3 * (235 * 320 + 300)], 3 * 20);
    // The ball's top is hot, its foot cold.
    int hot = 0;
    for (int y = 0; y < 90; ++y)
        for (int x = 100; x < 220; ++x) hot += mapped[3 * (y * 320 + x)] > 130 && mapped[3 * (y * 320 + x) + 2] < 110;
    assert_true(hot > 50);
    free(plain);
    free(mapped);
}

static void TestWireframe(void** state) {
    (void)state;
    wfRenderObject ball = MakeBall();
    wfRenderDef def = SmallDef();
    def.camera = (wfCameraDef){.given = true, .eye = {0, 1, 2.2f}, .target = {0, 1, 0}, .fov = 20.0f};
    uint8_t* plain = Draw(&ball, 1, &def);
    def.wireframe = true;
    uint8_t* wires = Draw(&ball, 1, &def);
    int darker = 0, same = 0;
    for (int i = 0; i < width * height; ++i) {
        int change = (int)plain[3 * i + 1] - (int)wires[3 * i + 1];
        darker += change > 30;
        same += change < 3;
    }
    // Lines of about two pixels around triangles of some 15 x 15: a part of the picture, not most of it.
    assert_in_range(darker, width * height / 20, width * height / 2);
    assert_in_range(same, width * height / 4, width * height);
    free(plain);
    free(wires);
}

static void TestEmptyScene(void** state) {
    (void)state;
    wfRenderDef def = SmallDef();
    uint8_t* pixels = Draw(NULL, 0, &def);
    for (int i = 0; i < width * height; ++i) assert_true(pixels[3 * i] > 150); // light everywhere
    free(pixels);
}

static void TestBadInput(void** state) {
    (void)state;
    wfRenderObject ball = MakeBall();
    wfRenderDef def = SmallDef();
    uint8_t* pixels = malloc(3 * width * height);
    wfError err = {0};
    s_positions[17] = wfMake3(0.5f, NAN, -2);
    CHECK_FAILS(wfRender(&ball, 1, &def, pixels, &err), err, "object \"ball\": vertex 17: expected a finite position, got (0.5, nan, -2)");
    ball = MakeBall();
    s_triangles[5].v[1] = ballVertices;
    CHECK_FAILS(wfRender(&ball, 1, &def, pixels, &err), err, "object \"ball\": triangle 5 uses vertex 2145, there are 2145");
    ball = MakeBall();
    def.width = 0;
    CHECK_FAILS(wfRender(&ball, 1, &def, pixels, &err), err, "picture: size 0 x 120, expected 1 to 16384");
    def = SmallDef();
    def.samples = 0;
    CHECK_FAILS(wfRender(&ball, 1, &def, pixels, &err), err, "picture: 0 samples, expected 1 to 65536");
    def = SmallDef();
    def.camera = (wfCameraDef){.given = true, .eye = {1, 2, 3}, .target = {1, 2, 3}, .fov = 30.0f};
    CHECK_FAILS(wfRender(&ball, 1, &def, pixels, &err), err, "camera: eye (1, 2, 3) and target (1, 2, 3), expected two different points");
    free(pixels);
}

// Collapsed triangles have no normal, and a scene of one point no size.
static void TestDegenerate(void** state) {
    (void)state;
    wfVec3 positions[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    wfTriangle triangle = {{0, 1, 2}};
    wfRenderObject point = {
        .name = "point", .positions = positions, .vertexCount = 3, .triangles = &triangle, .triangleCount = 1, .cloth = true};
    wfRenderDef def = SmallDef();
    free(Draw(&point, 1, &def));
    positions[1].x = 2; // a line
    free(Draw(&point, 1, &def));
}

static void TestPngRoundTrip(void** state) {
    (void)state;
    enum { w = 37, h = 23 };
    uint8_t out[3 * w * h], in[3 * w * h];
    for (int i = 0; i < 3 * w * h; ++i) out[i] = (uint8_t)(i * 7 + i / 50);
    char path[] = "/tmp/weft_png_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    wfError err = {0};
    CHECK_OK(wfWritePng(path, out, w, h, &err), err);
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, w);
    assert_int_equal(image.height, h);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, in, 0, NULL));
    assert_memory_equal(in, out, sizeof in);
    unlink(path);
    CHECK_FAILS(wfWritePng("/nonexistent/a.png", out, w, h, &err), err, "/nonexistent/a.png: No such file or directory");
}

static void TestVideo(void** state) {
    (void)state;
    enum { w = 33, h = 17 }; // odd on purpose
    static uint8_t pixels[3 * w * h];
    char folder[] = "/tmp/weft_video_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.mp4", folder);
    wfError err = {0};

    char* search = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
    assert_null(wfVideo_Open(path, w, h, 24.0, &err));
    setenv("PATH", search, 1);
    char expected[160];
    snprintf(expected, sizeof expected, "%s: a video needs the program ffmpeg, which is not installed", path);
    assert_string_equal(err.text, expected);

    // A program of that name that reads nothing and fails: neither a signal nor a hang, and its words in the message.
    char fake[64];
    snprintf(fake, sizeof fake, "%s/ffmpeg", folder);
    FILE* script = fopen(fake, "w");
    assert_non_null(script);
    fputs("#!/bin/sh\necho no such codec >&2\nexit 1\n", script);
    fclose(script);
    chmod(fake, 0755);
    char both[4096];
    snprintf(both, sizeof both, "%s:%s", folder, search);
    setenv("PATH", both, 1);
    err = (wfError){0};
    wfVideo* video = wfVideo_Open(path, w, h, 24.0, &err);
    setenv("PATH", search, 1);
    free(search);
    assert_non_null(video);
    bool ok = true;
    for (int f = 0; f < 1000 && ok; ++f) ok = wfVideo_Add(video, pixels, &err);
    assert_false(ok);
    snprintf(expected, sizeof expected, "%s: ffmpeg failed: no such codec", path);
    assert_string_equal(err.text, expected);
    assert_false(wfVideo_Close(video, &err));
    sigset_t pending;
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
    unlink(fake);

    err = (wfError){0};
    video = wfVideo_Open(path, w, h, 24.0, &err);
    if (video == NULL) { // the program is not there: said above to be a clear error, nothing more to try
        print_message("ffmpeg is not installed: its output is not tried\n");
        rmdir(folder);
        return;
    }
    for (int f = 0; f < 5; ++f) {
        memset(pixels, 40 * f, sizeof pixels);
        CHECK_OK(wfVideo_Add(video, pixels, &err), err);
    }
    CHECK_OK(wfVideo_Close(video, &err), err);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char head[12];
    assert_int_equal(fread(head, 1, 12, file), 12);
    assert_memory_equal(head + 4, "ftyp", 4);
    fclose(file);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // nothing else is left in it
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSameBitsForAnyThreads),
        cmocka_unit_test(TestSilhouette),
        cmocka_unit_test(TestLightAndShadow),
        cmocka_unit_test(TestTerminatorIsSmooth),
        cmocka_unit_test(TestSharpFold),
        cmocka_unit_test(TestFrameCamera),
        cmocka_unit_test(TestLegend),
        cmocka_unit_test(TestWireframe),
        cmocka_unit_test(TestEmptyScene),
        cmocka_unit_test(TestBadInput),
        cmocka_unit_test(TestDegenerate),
        cmocka_unit_test(TestPngRoundTrip),
        cmocka_unit_test(TestVideo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
