// Serves the files of a folder, as any web server does: for the page that needs no more.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm" };

async function answer(folder, request, response) {
    const path = new URL(request.url, "http://localhost").pathname;
    const name = path === "/" ? "index.html" : normalize(path);
    try {
        const content = await readFile(join(folder, name));
        response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" });
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
