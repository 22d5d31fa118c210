// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
//
// Runs the Khronos glTF validator over files and prints what it finds; exit 1 when a file has an error, 2 when it cannot run.
//
//   npm install --no-save --no-package-lock --prefix build/node gltf-validator@2.0.0-dev.3.10
//   node tools/gltf_check.mjs --modules build/node FILE.glb...
//
// --modules names the folder that holds node_modules; without it the current folder is taken.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const files = process.argv.slice(2);
let modules = '.';
if (files[0] === '--modules') modules = files.splice(0, 2)[1] ?? '.';
if (files.length === 0) {
    console.error('usage: node tools/gltf_check.mjs [--modules DIR] FILE.glb...');
    process.exit(2);
}

let validator;
try {
    validator = createRequire(resolve(modules, 'from_here.js'))('gltf-validator');
} catch {
    console.error(`gltf_check: no gltf-validator under ${resolve(modules)}; the head of this script says how to install it`);
    process.exit(2);
}

let failed = false;
for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 50 });
    const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
    const { animationCount, drawCallCount, totalTriangleCount, totalVertexCount, hasMorphTargets } = report.info;
    console.log(
        `${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints; ${drawCallCount} primitives, ` +
            `${totalVertexCount} vertices, ${totalTriangleCount} triangles, ${animationCount} animations, morph targets: ${hasMorphTargets}`,
    );
    for (const m of messages) console.log(`  ${['error', 'warning', 'info', 'hint'][m.severity]}: ${m.code} at ${m.pointer}: ${m.message}`);
    failed = failed || numErrors > 0;
}
process.exit(failed ? 1 : 0);
