// write-page.mjs FOLDER: writes index.html and tour.html, the pages that run posenc.js of the folder.

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const { default: posenc } = await import(join(folder, "posenc.js"));
const module = await posenc();
for (const [name, isTour] of [["index.html", false], ["tour.html", true]]) {
    await writeFile(join(folder, name), module.UTF8ToString(module._posenc_page(isTour)));
}
