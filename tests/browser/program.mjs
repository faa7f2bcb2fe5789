// Runs pe-gen: PEGEN_PROGRAM is its path, PEGEN_PAGE the folder of the page without a server, if that is tested.

import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { servePage } from "./static_page.mjs";

export const program = process.env.PEGEN_PROGRAM ?? "pe-gen";
export const ownPage = process.env.PEGEN_PAGE;

export function run(...words) {
    return execFileSync(program, words, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
}

export function explain(at, ...words) {
    return JSON.parse(run("explain", ...words, "--at", at.join(","), "--json"));
}

// The float32 values of an NPY file, and its shape.
export function readNpy(bytes) {
    const start = 10 + bytes.readUInt16LE(8);
    const header = bytes.toString("latin1", 10, start);
    const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(",").map((size) => size.trim())
        .filter(Boolean).map(Number);
    if (!header.includes("'<f4'")) throw new Error(`not float32: ${header}`);
    return { shape, at: (index) => bytes.readFloatLE(start + 4 * index) };
}

// The fragment of a table's address: fairseq?d=16 of fairseq --d 16.
function fragmentOf([name = "", ...options]) {
    return options.length ? `${name}?${options.join("=").replaceAll("=--", "&").slice(2)}` : name;
}

// Starts the explorer and answers its address, the origin, what ends it, and its process, if it is one.
export async function startExplorer(...words) {
    if (ownPage) {
        const { origin, stop } = await servePage(ownPage);
        return { address: `${origin}/#${fragmentOf(words)}`, origin, stop };
    }
    const child = spawn(program, ["explore", ...words, "--no-open", "--port", "0"],
        { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([
        new Promise((resolve) => lines.once("line", resolve)),
        ended.then(() => { throw new Error("pe-gen explore ended before it named its address"); }),
    ]);
    const [address, origin] = first.match(/(http:\/\/127\.0\.0\.1:\d+)\/#.*/);
    const stop = async () => {
        child.kill("SIGINT");
        await ended;
    };
    return { address, origin, stop, process: child.pid };
}
