/** Options of the command line: { d: 128, freqScale: 2, flip: true } is --d=128 --freq-scale=2 --flip=true. */
export type Options = Record<
    string, string | number | bigint | boolean | readonly (string | number)[] | ArrayBufferView | null | undefined>;

export interface Table {
    /** The values in C order; of float16 and bfloat16 their bits. */
    data: Float32Array | Float64Array | BigInt64Array | Int32Array | Uint16Array;
    shape: number[];
    dtype: "float32" | "float64" | "float16" | "bfloat16" | "int64" | "int32";
    /** The name of each axis: ["position", "channel"]. */
    axes: string[];
    /** What the user should know, such as values taken from a model's config.json. */
    notes: string[];
}

export type Format = "npy" | "npz" | "safetensors" | "json" | "csv" | "text" | "png" | "svg" | "pdf" | "html";

/** What pe-gen refuses, in its words. */
export declare class PosencError extends Error {
    /** The exit status of pe-gen: 2 for the words, 3 for a malformed file, 4 for one that cannot be read. */
    status: number;
}

export declare const version: string;

/** The table that `pe-gen NAME --OPTION=VALUE ...` makes: the bytes of the program, on every machine. */
export declare function table(name: string, options?: Options): Table;

/** The bytes of the file that `pe-gen NAME ... --FORMAT PATH` writes. */
export declare function file(name: string, options?: Options, format?: Format): Uint8Array;

/** The picture of the table. */
export declare function figure(name: string, options?: Options, format?: "png" | "svg" | "pdf"): Uint8Array;

/** Which command makes an array, as `pe-gen identify --json` says it; `text` is the answer in words. */
export declare function identify(
    data: Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array, shape: ArrayLike<number>,
): { text: string; [name: string]: unknown };

/** Runs `pe-gen WORDS...` in a folder that has these files alone: what it prints, and the files that are there then. */
export declare function run(words: readonly string[], files?: Record<string, ArrayBufferView | ArrayBuffer | string>): {
    status: number;
    message: string;
    output: Uint8Array;
    files: Record<string, Uint8Array>;
};
