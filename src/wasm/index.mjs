// The npm package posenc: position encodings by the words of pe-gen's command line.

import posenc from "./posenc.js";

const printed = { 1: [], 2: [] };
const program = await posenc({
    stdout: (byte) => printed[1].push(byte),
    stderr: (byte) => printed[2].push(byte),
});
const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What pe-gen refuses. `status` is its exit status: 2 for the words, 3 for a file that is not what it should be, 4 for
// a file that cannot be read.
export class PosencError extends Error {
    constructor(message, status) {
        super(message);
        this.name = "PosencError";
        this.status = status;
    }
}

export const version = program.UTF8ToString(program._pegen_version());

// freqScale: 2 is --freq-scale=2; a list has commas between its items; true and false switch a flag.
function wordsOf(name, options) {
    const isPlain = typeof options === "object" && !Array.isArray(options) && !(options instanceof Map);
    if (!isPlain) throw new TypeError("options are an object, such as { d: 128 }");
    const words = [name];
    for (const [key, value] of Object.entries(options ?? {})) {
        if (value === undefined || value === null) continue;
        const option = key.replace(/_/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-+/, "");
        const isList = Array.isArray(value) || ArrayBuffer.isView(value);
        words.push(`--${option}=${isList ? Array.from(value).join(",") : value}`);
    }
    return words;
}

// Calls `use` with the address of the words, as C has them, and their number.
function withWords(words, use) {
    const strings = Array.from(words, String);
    const broken = strings.find((word) => word.includes("\0"));
    if (broken !== undefined) throw new PosencError(`${JSON.stringify(broken)}: has a null character`, 2);
    const texts = strings.map((word) => program.stringToNewUTF8(word));
    const list = program._malloc(4 * texts.length + 4);
    try {
        program.HEAPU32.set(texts, list >>> 2);
        return use(list, texts.length);
    } finally {
        texts.forEach((text) => program._free(text));
        program._free(list);
    }
}

function check(status) {
    if (status !== 0) throw new PosencError(program.UTF8ToString(program._pegen_message()), status);
}

function bytesAt(address, size) {
    return program.HEAPU8.slice(address >>> 0, (address >>> 0) + size);
}

// Calls `use` with the address of `size` bytes of memory.
function withMemory(size, use) {
    const address = program._malloc(size);
    if (address === 0) throw new PosencError(`out of memory: ${size} bytes`, 5);
    try {
        return use(address);
    } finally {
        program._free(address);
    }
}

const wordAt = (address) => program.HEAPU32[address >>> 2];

const ARRAYS = { float32: Float32Array, float64: Float64Array, int64: BigInt64Array, int32: Int32Array };

function read(table) {
    const rank = program._pegen_rank(table);
    const extents = program._pegen_shape(table) >>> 0;
    const shape = Array.from({ length: rank },
        (_, axis) => Number(new DataView(program.HEAPU8.buffer).getBigInt64(extents + 8 * axis, true)));
    const axes = shape.map((_, axis) => program.UTF8ToString(program._pegen_axis(table, axis)));
    const dtype = program.UTF8ToString(program._pegen_dtype(table));
    const notes = program.UTF8ToString(program._pegen_notes(table)).split("\n").filter(Boolean);
    const rows = program._pegen_rows(table);
    const size = Number(rows * program._pegen_row_bytes(table));
    const bytes = withMemory(size, (out) => {
        check(program._pegen_read_rows(table, 0n, rows, out, size));
        return bytesAt(out, size);
    });
    // JavaScript has no numbers of 16 bits: what there is are their bits.
    const data = new (ARRAYS[dtype] ?? Uint16Array)(bytes.buffer);
    return { data, shape, dtype, axes, notes };
}

// The table that `pe-gen NAME --OPTION=VALUE ...` makes, in C order.
export function table(name, options = {}) {
    return withWords(wordsOf(name, options), (words, count) => withMemory(4, (place) => {
        check(program._pegen_open(words, count, place));
        const opened = wordAt(place);
        try {
            return read(opened);
        } finally {
            program._pegen_close(opened);
        }
    }));
}

// The bytes of the file that `pe-gen NAME ... --FORMAT PATH` writes.
export function file(name, options = {}, format = "npy") {
    return withWords(wordsOf(name, options), (words, count) => withMemory(8, (place) => {
        const text = program.stringToNewUTF8(format);
        try {
            check(program._pegen_file(words, count, text, place, place + 4));
        } finally {
            program._free(text);
        }
        const made = wordAt(place);
        const bytes = bytesAt(made, wordAt(place + 4));
        program._pegen_free(made);
        return bytes;
    }));
}

// The picture of the table.
export function figure(name, options = {}, format = "png") {
    if (!["png", "svg", "pdf"].includes(format)) throw new TypeError(`${String(format)}: a picture is png, svg or pdf`);
    return file(name, options, format);
}

const isFolder = (path) => program.FS.isDir(program.FS.stat(path).mode);

// The files below a folder, by their paths in it.
function filesBelow(folder, start = "") {
    return program.FS.readdir(folder).filter((name) => ![".", ".."].includes(name)).flatMap((name) =>
        isFolder(`${folder}/${name}`) ? filesBelow(`${folder}/${name}`, `${start}${name}/`)
            : [[start + name, program.FS.readFile(`${folder}/${name}`)]]);
}

function addFile(folder, name, content) {
    const parts = name.split("/");
    if (parts.some((part) => ["", ".", "..", "__proto__"].includes(part))) {
        throw new TypeError(`${JSON.stringify(name)}: is no name of a file in the folder`);
    }
    const bytes = typeof content === "string" ? content
        : ArrayBuffer.isView(content) ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
            : new Uint8Array(content);
    program.FS.mkdirTree([folder, ...parts.slice(0, -1)].join("/"));
    program.FS.writeFile(`${folder}/${name}`, bytes);
}

// Runs `pe-gen WORDS...` in a folder that has `files`: what it prints, and the files that are there afterwards.
export function run(words, files = {}) {
    const { FS } = program;
    const folder = "/run/files";
    printed[1].length = printed[2].length = 0;
    // A file system of its own is gone with everything in it.
    FS.mkdirTree("/run");
    FS.mount(FS.filesystems.MEMFS, {}, "/run");
    try {
        FS.mkdir(folder);
        for (const [name, content] of Object.entries(files)) addFile(folder, name, content);
        FS.chdir(folder);
        const status = withWords(words, (list, count) => program._posenc_run(list, count));
        const message = decoder.decode(Uint8Array.from(printed[2]));
        if (status > 1) throw new PosencError(message, status);
        return { status, message, output: Uint8Array.from(printed[1]), files: Object.fromEntries(filesBelow(folder)) };
    } finally {
        FS.chdir("/");
        FS.unmount("/run");
    }
}

const DTYPES = [
    [Float32Array, "<f4"], [Float64Array, "<f8"], [Int32Array, "<i4"], [BigInt64Array, "<i8"], [Uint8Array, "|u1"],
];

function npyOf(data, shape) {
    const [, dtype] = DTYPES.find(([kind]) => data instanceof kind) ?? [];
    if (!dtype) throw new TypeError(`an array is one of ${DTYPES.map(([kind]) => kind.name).join(", ")}`);
    const extents = Array.from(shape).map((extent) => `${extent},`).join("");
    const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${extents}), }`;
    const padded = encoder.encode(text.padEnd(128 * Math.ceil((text.length + 11) / 128) - 11) + "\n");
    const head = [0x93, ...encoder.encode("NUMPY"), 1, 0, padded.length & 255, padded.length >> 8];
    const content = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const npy = new Uint8Array(head.length + padded.length + content.length);
    npy.set(head);
    npy.set(padded, head.length);
    npy.set(content, head.length + padded.length);
    return npy;
}

// Which command makes an array: what `pe-gen identify array.npy --json` says.
export function identify(data, shape) {
    const { output } = run(["identify", "array.npy", "--json"], { "array.npy": npyOf(data, shape) });
    return JSON.parse(decoder.decode(output));
}
