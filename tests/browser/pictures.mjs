// Makes the pictures of docs/explore.md: node pictures.mjs FOLDER

import { join } from "node:path";
import { commandHas } from "./actions.mjs";
import { launch, openPage, until } from "./browser.mjs";
import { startExplorer } from "./program.mjs";

async function isExplorerThere(page, part) {
    await commandHas(page, "pe-gen fairseq");
    await until(() => page.locator(part).count(), part);
    await until(() => page.locator("#about h2").count(), "what is said of it");
}

const PICTURES = [
    { file: "explore.png", address: "#fairseq?d=64&len=200&at=63,18",
        isThere: (page) => isExplorerThere(page, "#curves svg") },
    { file: "compare.png",
        address: "#fairseq?d=64&len=200&beside=tensor2tensor%20--start%202",
        isThere: (page) => isExplorerThere(page, "#comparison p") },
    { file: "tour.png", address: "tour.html#6,en",
        isThere: (page) => until(() => page.locator("#view .hand").count(), "the hands") },
];

const folder = process.argv[2];
const explorer = await startExplorer();
const browser = await launch();
for (const { file, address, isThere } of PICTURES) {
    const { page, close } = await openPage(browser, `${explorer.origin}/${address}`,
        { viewport: { width: 1366, height: 800 } });
    await isThere(page);
    await page.screenshot({ path: join(folder, file) });
    await close();
}
await browser.close();
await explorer.stop();
