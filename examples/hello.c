// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// A sheet falls on a ball. Everything a program needs to embed weft: device, scene, cloth, collider, commit, step, read back.

#include <weft/weft.h>

#include <stdio.h>

enum { n = 25, vertexCount = n * n, triangleCount = 2 * (n - 1) * (n - 1) };
static float positions[vertexCount][3];
static int triangles[triangleCount][3];

static int Fail(const wfError* err) {
    fprintf(stderr, "hello: %s\n", err->text);
    return 1;
}

int main(void) {
    // One square metre, half a metre up, two triangles a cell.
    int t = 0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            int v = j * n + i;
            positions[v][0] = (float)i / (n - 1) - 0.5f;
            positions[v][1] = 0.5f;
            positions[v][2] = (float)j / (n - 1) - 0.5f;
            if (i + 1 == n || j + 1 == n) continue;
            const int a[3] = {v, v + n, v + n + 1}, b[3] = {v, v + n + 1, v + 1};
            for (int k = 0; k < 3; ++k) {
                triangles[t][k] = a[k];
                triangles[t + 1][k] = b[k];
            }
            t += 2;
        }
    }

    wfError err = {0};
    wfDeviceDef deviceDef = wfDefaultDeviceDef(); // a GPU where there is one, else the CPU
    wfDevice* device = wfCreateDevice(&deviceDef, &err);
    if (device == NULL) return Fail(&err);
    wfSceneDef sceneDef = wfDefaultSceneDef(); // gravity, 60 frames a second
    wfScene* scene = wfCreateScene(device, &sceneDef, &err);
    if (scene == NULL) return Fail(&err);

    wfClothDef clothDef = wfDefaultClothDef();
    clothDef.mesh =
        (wfMeshView){.positions = positions[0], .vertexCount = vertexCount, .triangles = triangles[0], .triangleCount = triangleCount};
    wfFindFabric("cotton", &clothDef.fabric, &err);
    wfClothId sheet = wfCreateCloth(scene, &clothDef, &err);
    wfColliderDef ball = wfDefaultColliderDef(); // a sphere of radius 0.25 m at the origin
    wfCreateCollider(scene, &ball, &err);
    if (err.code != wf_ok || !wfScene_Commit(scene, &err)) return Fail(&err); // the first failure is kept

    for (int frame = 0; frame < 60; ++frame) {
        if (!wfScene_StepFrame(scene, &err)) return Fail(&err);
    }

    wfCertificate certificate;
    if (!wfCloth_ReadPositions(scene, sheet, positions[0], sizeof positions[0], &err)) return Fail(&err);
    if (!wfScene_Certify(scene, true, &certificate, &err)) return Fail(&err);
    float lowest = positions[0][1];
    for (int v = 1; v < vertexCount; ++v) lowest = positions[v][1] < lowest ? positions[v][1] : lowest;
    printf("%s: frame %d at %.3f s, lowest point %.3f m\n", wfDevice_GetName(device), certificate.frame, certificate.time, lowest);
    printf("%lld contacts, worst stretch %.3f, kinetic energy %.4f J, elastic energy %.4f J\n", (long long)certificate.contacts,
           certificate.worstStretch, certificate.kineticEnergy, certificate.elasticEnergy);
    printf("%lld intersecting pairs; cloth against itself is %s\n", (long long)certificate.intersectingPairs,
           certificate.selfContact ? "answered" : "not answered by this contact method");
    wfDestroyScene(scene);
    wfDestroyDevice(device);
    return 0;
}
