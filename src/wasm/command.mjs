#!/usr/bin/env node
// pe-gen, as `npx posenc` runs it.

import { isatty } from "node:tty";
import program from "./pe-gen.mjs";

await program({
    arguments: process.argv.slice(2),
    thisProgram: "pe-gen",
    preRun: [({ ENV }) => Object.assign(ENV, process.env)],
    onRuntimeInitialized() {
        // Emscripten takes the standard streams for terminals.
        for (const stream of [0, 1, 2]) this.FS.getStream(stream).tty = isatty(stream);
    },
});
