// Serves the files of a folder, compressed, as most web hosts do: for the page that needs no more.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm" };

const compressed = new Map();

async function compressedFile(path) {
    if (!compressed.has(path)) compressed.set(path, gzipSync(await readFile(path)));
    return compressed.get(path);
}

async function answer(folder, request, response) {
    const path = new URL(request.url, "http://localhost").pathname;
    const name = path === "/" ? "index.html" : normalize(path);
    try {
        const content = await compressedFile(join(folder, name));
        const type = TYPES[extname(name)] ?? "application/octet-stream";
        response.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip" });
        response.end(content);
    } catch {
        response.writeHead(404);
        response.end();
    }
}

// Answers the origin, and what ends it.
export async function servePage(folder) {
    const server = createServer((request, response) => answer(folder, request, response));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${server.address().port}`;
    const stop = () => new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
    });
    return { origin, stop };
}
