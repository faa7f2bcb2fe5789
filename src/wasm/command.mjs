#!/usr/bin/env node
// pe-gen, as `npx posenc` runs it: in a thread of its own, so that this one sees signals.

import fs from "node:fs";
import { basename } from "node:path";
import { isatty } from "node:tty";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

// Tells the main thread the temporary names of files, as they come and go.
function reportTemporaryNames() {
    const isTemporary = (path) => basename(String(path)).startsWith(".pe-gen-");
    const { openSync, renameSync, unlinkSync } = fs;
    fs.openSync = (path, ...rest) => {
        if (isTemporary(path)) parentPort.postMessage({ made: path });
        return openSync(path, ...rest);
    };
    fs.renameSync = (from, to) => {
        renameSync(from, to);
        if (isTemporary(from)) parentPort.postMessage({ gone: from });
    };
    fs.unlinkSync = (path) => {
        unlinkSync(path);
        if (isTemporary(path)) parentPort.postMessage({ gone: path });
    };
}

async function runProgram({ words, terminals, size }) {
    reportTemporaryNames();
    const { default: program } = await import("./pe-gen.mjs");
    await program({
        arguments: words,
        thisProgram: "pe-gen",
        preRun: [({ ENV }) => Object.assign(ENV, process.env)],
        onRuntimeInitialized() {
            // Emscripten takes the standard streams for terminals, and does not know where they are.
            ["stdin", "stdout", "stderr"].forEach((name, number) =>
                Object.assign(this.FS.getStream(number), {
                    tty: terminals[number] ? { ops: { ioctl_tiocgwinsz: () => size } } : undefined,
                    path: `/dev/${name}`,
                }));
        },
    });
    process.exit(process.exitCode);
}

function watch(worker) {
    const names = new Set();
    worker.on("message", ({ made, gone }) => made ? names.add(made) : names.delete(gone));
    worker.on("error", (error) => {
        process.stderr.write(`pe-gen: ${error.message}\n`);
        process.exitCode = 70;
    });
    worker.on("exit", (status) => { process.exitCode ??= status; });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
        process.once(signal, async () => {
            await worker.terminate();
            for (const name of names) fs.rmSync(name, { force: true });
            process.kill(process.pid, signal);
        });
    }
}

if (isMainThread) {
    const terminals = [0, 1, 2].map((stream) => isatty(stream));
    const { rows = 24, columns = 80 } = terminals[1] ? process.stdout : process.stderr;
    watch(new Worker(new URL(import.meta.url), {
        workerData: { words: process.argv.slice(2), terminals, size: [rows, columns] },
    }));
} else {
    await runProgram(workerData);
}
