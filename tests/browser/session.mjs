// What the tests of a file share: a browser, and what they open in it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { run, startExplorer } from "./program.mjs";

let explorer;
let browser;
let folder;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pegen-browser-"));
    explorer = await startExplorer();
    browser = await launch();
});

after(async () => {
    await browser?.close();
    await explorer?.stop();
    rmSync(folder, { recursive: true });
});

// The page of the explorer, with the fragment of its address.
export function openExplorer(fragment, options) {
    return openPage(browser, `${explorer.origin}/#${fragment}`, options);
}

// A step of the tour: "6,en".
export function openTour(fragment, options) {
    return openPage(browser, `${explorer.origin}/tour.html#${fragment}`, options);
}

// The page of one table, which the words make.
export function openTable(words, options) {
    const path = join(folder, "table.html");
    run(...words, "--html", path);
    return openPage(browser, pathToFileURL(path).href, options);
}

// The page of an explorer of its own, which the words start.
export async function openExplorerOf(...words) {
    const own = await startExplorer(...words);
    const { page, faults, close } = await openPage(browser, own.address);
    return { page, faults, close: () => close().then(own.stop) };
}

// Makes a file of the table that the words make. Answers its path.
export function makeFile(name, ...words) {
    const path = join(folder, name);
    run(...words, "-o", path);
    return path;
}
