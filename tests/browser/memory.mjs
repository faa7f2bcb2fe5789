// memory.mjs [MINUTES]: uses the page as somebody does who tries everything, and prints each minute what the page and
// its program keep, after a collection of garbage. In Chromium.

import { readFileSync } from "node:fs";
import { choose, drop } from "./actions.mjs";
import { launch, openPage } from "./browser.mjs";
import { run, startExplorer } from "./program.mjs";

const minutes = Number(process.argv[2] ?? 60);

// The same numbers in each run.
let state = 1;
function draw(count) {
    state = (state * 48271) % 2147483647;
    return state % count;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const lists = JSON.parse(run("list", "--json"));
const names = [...lists.encodings, ...lists.presets].map(({ name }) => name);
const file = run("fairseq", "--d", "16", "--len", "40", "--start", "2", "--npy", "-");

async function moveSlider(page) {
    const sliders = await page.locator("input[type=range]:visible").all();
    if (sliders.length === 0) return;
    await sliders[draw(sliders.length)].focus();
    for (let i = 0; i < 10; ++i) await page.keyboard.press(draw(2) ? "ArrowRight" : "ArrowLeft");
}

async function movePointer(page) {
    const box = await page.locator("#stage").boundingBox();
    for (let i = 0; i < 10; ++i) await page.mouse.move(box.x + draw(box.width | 0), box.y + draw(box.height | 0));
}

const ACTIONS = [
    moveSlider, moveSlider, movePointer, movePointer,
    (page) => choose(page, names[draw(names.length)]),
    (page) => page.locator("#stage").click({ position: { x: 200, y: 120 } }),
    (page) => page.keyboard.press("Escape"),
    (page) => page.locator(draw(2) ? "#show-values" : "#show-figure").click(),
    (page) => page.evaluate((name) => explorer.compareWith(name), names[draw(names.length)]),
    (page) => drop(page, "mine.npy", file),
    (page) => page.evaluate(() => explorer.beside.remove()),
];

const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function residentBytes(process) {
    const [, kilobytes] = readFileSync(`/proc/${process}/status`, "latin1").match(/VmRSS:\s*(\d+)/);
    return Number(kilobytes) * 1024;
}

const browser = await launch();
const explorer = await startExplorer();
const { page, faults, close } = await openPage(browser, `${explorer.origin}/#sinusoid`);
page.setDefaultTimeout(10_000);
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");

async function kept() {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    const program = explorer.process ? `, the program ${mib(residentBytes(explorer.process))}` : "";
    return `heap ${mib(of("JSHeapUsedSize"))}, ${of("Nodes")} nodes, ${of("JSEventListeners")} listeners${program}`;
}

let actions = 0;
for (let minute = 0; ; ++minute) {
    console.log(`minute ${minute}, ${actions} actions: ${await kept()}`);
    if (minute === minutes) break;
    for (const end = Date.now() + 60_000; Date.now() < end; ++actions) {
        await ACTIONS[draw(ACTIONS.length)](page).catch((error) => faults.push(error.message));
        await pause(50);
    }
}
for (const fault of new Set(faults)) console.log(fault);
await close();
await explorer.stop();
await browser.close();
