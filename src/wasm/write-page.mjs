// write-page.mjs FOLDER: writes index.html and tour.html, the pages that run explore.js of the folder, and what
// own_program.js has prepared: specs.json, and first.bin.

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const { default: start } = await import(join(folder, "explore.js"));
const module = await start();

function answer(address) {
    const target = module.stringToNewUTF8(address);
    const reply = module._posenc_answer(false, target, target, 0);
    const parts = [];
    do {
        const begin = module._posenc_part(reply) >>> 0;
        parts.push(module.HEAPU8.slice(begin, begin + (module._posenc_part_size(reply) >>> 0)));
    } while (module._posenc_more(reply) === 1);
    module._posenc_free(reply);
    module._free(target);
    return Buffer.concat(parts);
}

for (const [name, isTour] of [["index.html", false], ["tour.html", true]]) {
    await writeFile(join(folder, name), module.UTF8ToString(module._posenc_page(isTour)));
}
const specs = answer("/specs");
await writeFile(join(folder, "specs.json"), specs);
await writeFile(join(folder, "first.bin"), answer(`/draw/${JSON.parse(specs).start}?within=600x450&density=1`));
