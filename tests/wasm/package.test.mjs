// The npm package, installed in a folder, makes what the program makes. PEGEN_PROGRAM is the program; PEGEN_PACKAGE the
// folder; PEGEN_PAGE the folder of the page without a server.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const program = process.env.PEGEN_PROGRAM;
const folder = process.env.PEGEN_PACKAGE;
const { figure, file, identify, run, table, version, PosencError } =
    await import(pathToFileURL(join(folder, "index.mjs")));

function native(...words) {
    return execFileSync(program, words, { maxBuffer: 1 << 28 });
}

function digest(bytes) {
    return createHash("sha256").update(bytes).digest("hex");
}

test("the version is the program's", () => {
    assert.ok(String(native("--version")).includes(version));
});

test("a table has the values of the program, its shape and its axes", () => {
    const { data, shape, dtype, axes } = table("fairseq", { d: 64, len: 100, start: 2 });
    assert.deepEqual([shape, dtype, axes], [[100, 64], "float32", ["position", "channel"]]);
    const npy = native("fairseq", "--d", "64", "--len", "100", "--start", "2", "--npy", "-");
    assert.equal(digest(new Uint8Array(data.buffer)), digest(npy.subarray(128)));
});

test("each dtype has its array; those that JavaScript lacks are bits", () => {
    const kinds = { float32: Float32Array, float64: Float64Array, float16: Uint16Array, bfloat16: Uint16Array };
    for (const [dtype, kind] of Object.entries(kinds)) {
        const { data } = table("rope", { table: "cos", d: 8, len: 3, dtype });
        assert.ok(data instanceof kind, dtype);
    }
    assert.ok(table("t5", { len: 4, dtype: "int64" }).data instanceof BigInt64Array);
});

test("files are the program's to the byte", () => {
    for (const format of ["npy", "safetensors", "json", "csv", "text", "png", "svg"]) {
        const words = ["sinusoid", "--d", "16", "--len", "30"];
        assert.equal(digest(file("sinusoid", { d: 16, len: 30 }, format)), digest(native(...words, `--${format}`, "-")),
            format);
    }
    assert.equal(digest(figure("sinusoid", { d: 128, len: 400 })),
        digest(native("sinusoid", "--d", "128", "--len", "400", "--png", "-")));
});

test("options are those of the command line", () => {
    const angles = table("rope", { table: "angles", d: 4, positions: [1, 2, 3], dtype: "float64" });
    assert.deepEqual(Array.from(angles.data), [1, 0.01, 2, 0.02, 3, 0.03]);
    assert.deepEqual(table("rope", { partialRotaryFactor: 0.5, d: 8, len: 3, table: "cos" }).shape, [3, 4]);
    assert.deepEqual(table("index", { len: undefined, d: null }).shape.length, 2);
});

test("refusals are errors in the program's words", () => {
    assert.throws(() => table("sinusoid", { d: 5 }), (error) => error instanceof PosencError && error.status === 2 &&
        error.message === "--d 5: must be even with --odd error; use 4, 6 or --odd exact");
    assert.throws(() => table("learned", { len: 1e6, d: 1000 }), /addresses of 32 bits/);
    assert.throws(() => table("sinusoid", { pngs: "a.png" }), PosencError);
    assert.throws(() => run(["info", "none.npy"]), (error) => error.status === 4);
    assert.throws(() => identify(["0"], [1]), TypeError);
});

test("identify answers what the program answers", () => {
    const { data, shape } = table("fairseq", { d: 32, len: 40, start: 2 });
    const answer = identify(data, shape);
    assert.match(answer.command.join(" "), /^pe-gen sinusoid .*--layout halves --denom-shift 2 --start 2/);
    assert.match(answer.text, /also called .*fairseq --start 2/);
});

test("commands run in a folder of their own", () => {
    const made = run(["sinusoid", "--d", "4", "--len", "2", "-o", "a.npy", "-q"]);
    assert.deepEqual(Object.keys(made.files), ["a.npy"]);
    const { status, output } = run(["compare", "a.npy", "sinusoid"], made.files);
    assert.match(Buffer.from(output).toString(), /a\.npy and sinusoid are the same table/);
    assert.equal(status, 0);
    assert.equal(run(["diff", "a.npy", "--", "sinusoid", "--d", "4", "--len", "2", "--start", "1"], made.files).status, 1);
});

test("a model's configuration is read", () => {
    const config = { model_type: "llama", head_dim: 8, rope_theta: 5e5 };
    const made = run(["rope", "--config", "c.json", "--len", "3", "-o", "a.npy", "-q"],
        { "c.json": JSON.stringify(config) });
    assert.equal(digest(made.files["a.npy"]),
        digest(native("rope", "--d", "8", "--base", "500000", "--len", "3", "--npy", "-")));
    assert.throws(() => table("sinusoid", { d: 4, base: "1e-400" }), /beyond the range of a double/);
});

test("the command writes files, prints, reads pipes and refuses as the program does", () => {
    const command = join(folder, "command.mjs");
    const place = mkdtempSync(join(tmpdir(), "posenc-"));
    const options = { cwd: place, stdio: ["pipe", "pipe", "pipe"] };
    try {
        execFileSync(process.execPath, [command, "sinusoid", "--d", "128", "--len", "400", "-o", "out.png"], options);
        assert.equal(digest(readFileSync(join(place, "out.png"))),
            digest(native("sinusoid", "--d", "128", "--len", "400", "--png", "-")));
        const words = ["fairseq", "--d", "16", "--len", "9", "--npy", "-"];
        const npy = execFileSync(process.execPath, [command, ...words], options);
        assert.equal(digest(npy), digest(native(...words)));
        const info = execFileSync(process.execPath, [command, "info", "-"], { ...options, input: npy });
        assert.match(String(info), /shape +\(9, 16\)/);
        const many = ["rope", "--len", "3000", "--table", "cos", "--csv", "-"];  // more than a pipe holds
        assert.equal(digest(execFileSync(process.execPath, [command, ...many], { ...options, maxBuffer: 1 << 28 })),
            digest(native(...many)));
        assert.throws(() => execFileSync(process.execPath, [command, "sinusoid", "--d", "5"], options),
            ({ status, stderr }) => status === 2 && String(stderr).startsWith("pe-gen: --d 5: must be even"));
    } finally {
        rmSync(place, { recursive: true });
    }
});

test("files have folders, and none stay", () => {
    const manifest = { mkdir: true, jobs: [{ encoding: "sinusoid", d: 8, len: 4, npy: "sub/a.npy" }] };
    const { files } = run(["batch", "m.json", "-q"], { "m.json": JSON.stringify(manifest) });
    assert.deepEqual(Object.keys(files).sort(), ["m.json", "sub/a.npy"]);
    assert.match(Buffer.from(run(["info", "sub/a.npy"], files).output).toString(), /shape +\(4, 8\)/);
    run(["sinusoid", "--d", "4", "--len", "2", "-o", "../x.npy"]);
    assert.throws(() => run(["info", "../x.npy"]), PosencError);
    for (const name of ["", ".", "../y", "a//b", "/a", "__proto__"]) {
        assert.throws(() => run(["list"], { [name]: "" }), TypeError, name);
    }
    assert.deepEqual(Object.keys(run(["list"]).files), []);
});

test("a word with a null character and options that are no object are refused", () => {
    assert.throws(() => table("sinusoid\0x"), /null character/);
    for (const options of [5, [1], new Map(), "d"]) assert.throws(() => table("sinusoid", options), TypeError);
    assert.throws(() => figure("sinusoid", {}, "npy"), TypeError);
});

// Waits until a condition holds.
async function until(condition) {
    for (let i = 0; i < 500 && !condition(); ++i) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(condition());
}

test("a signal leaves no temporary file", async () => {
    const place = mkdtempSync(join(tmpdir(), "posenc-"));
    try {
        for (const signal of ["SIGINT", "SIGTERM"]) {
            const words = ["sinusoid", "--d", "4096", "--len", "30000", "--csv", "big.csv"];
            const child = spawn(process.execPath, [join(folder, "command.mjs"), ...words], { cwd: place });
            const ended = new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
            await until(() => readdirSync(place).length === 1);
            child.kill(signal);
            assert.equal(await ended, signal);
            assert.deepEqual(readdirSync(place), []);
        }
    } finally {
        rmSync(place, { recursive: true });
    }
});

test("ten thousand requests fit into 256 MB", async () => {
    const { default: start } = await import(pathToFileURL(join(process.env.PEGEN_PAGE, "explore.js")));
    const module = await start();
    const targets = ["/draw/fairseq?d=16&len=40", "/values/rope?d=16&len=64&table=cos", "/about/mae", "/nothing",
        "/cell/fairseq?d=16&len=40&at=7,3", "/draw/sinusoid?d=5", "/file/png/alibi?len=20", "/file/npy/sinusoid?len=1000"];
    for (let i = 0; i < 10_000; ++i) module.answer({ address: targets[i % targets.length] });
    assert.equal(module.answer({ address: targets[0] }).status, 200);
    assert.ok(module.HEAPU8.length <= 256 << 20, `${module.HEAPU8.length} bytes`);
});
