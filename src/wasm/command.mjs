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

// A pipe that node has made non-blocking is waited for.
function waitForPipes() {
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    for (const name of ["readSync", "writeSync"]) {
        const call = fs[name];
        fs[name] = (...given) => {
            for (;;) {
                try {
                    return call(...given);
                } catch (error) {
                    if (error.code !== "EAGAIN") throw error;
                    Atomics.wait(nobody, 0, 0, 2);  // milliseconds
                }
            }
        };
    }
}

async function runProgram({ words, terminals, size }) {
    reportTemporaryNames();
    waitForPipes();
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
    const terminal = terminals[1] ? process.stdout : terminals[2] ? process.stderr : {};
    const { rows = 24, columns = 80 } = terminal;
    watch(new Worker(new URL(import.meta.url), {
        workerData: { words: process.argv.slice(2), terminals, size: [rows, columns] },
    }));
} else {
    await runProgram(workerData);
}
