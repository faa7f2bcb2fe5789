// write-page.mjs FOLDER: writes index.html and tour.html, the pages that run explore.js of the folder, and what
// own_program.js takes as prepared.

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
const first = JSON.parse(specs).start;
await writeFile(join(folder, "specs.json"), specs);
await writeFile(join(folder, "about.json"), answer(`/about/${first}`));
await writeFile(join(folder, "first.bin"), answer(`/draw/${first}?within=720x340&density=1`));
