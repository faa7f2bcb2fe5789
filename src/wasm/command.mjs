#!/usr/bin/env node
// pe-gen, as `npx posenc` runs it.

import { isatty } from "node:tty";
import program from "./pe-gen.mjs";

await program({
    arguments: process.argv.slice(2),
    thisProgram: "pe-gen",
    preRun: [({ ENV }) => Object.assign(ENV, process.env)],
    onRuntimeInitialized() {
        // Emscripten takes the standard streams for terminals, and does not know where they are.
        ["stdin", "stdout", "stderr"].forEach((name, number) =>
            Object.assign(this.FS.getStream(number), { tty: isatty(number), path: `/dev/${name}` }));
    },
});
