// write-page.mjs FOLDER: writes index.html and tour.html, the pages that run explore.js of the folder, and what
// own_program.js takes as prepared.

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const { default: start } = await import(join(folder, "explore.js"));
const module = await start();

const answer = (address) => Buffer.concat(module.answer({ address }).parts);

for (const [name, isTour] of [["index.html", false], ["tour.html", true]]) {
    await writeFile(join(folder, name), module.UTF8ToString(module._posenc_page(isTour)));
}
const specs = answer("/specs");
const first = JSON.parse(specs).start;
await writeFile(join(folder, "specs.json"), specs);
await writeFile(join(folder, "about.json"), answer(`/about/${first}`));
await writeFile(join(folder, "first.bin"), answer(`/draw/${first}?within=720x340&density=1`));
