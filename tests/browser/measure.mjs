// Prints how long it takes from a slider's event to the picture on the screen, and from the start of
// the program to the first paint and to the first picture, beside an empty page that is served by a
// process that runs already. With PEGEN_PAGE, the page without a server: the second is a first visit by a line of
// 10 Mbit/s.

import { createServer } from "node:http";
import { commandHas } from "./actions.mjs";
import { launch, openPage, until } from "./browser.mjs";
import { ownPage, startExplorer } from "./program.mjs";

const COUNT = 100;
const STARTS = 21;

function quantile(numbers, part) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
}

const ms = (value) => `${value.toFixed(1)} ms`;

function watchPictures(page) {
    return page.evaluate(() => {
        window.pictureTimes = [];
        new PerformanceObserver((list) => {
            for (const entry of list.getEntriesByName("slider to picture")) {
                window.pictureTimes.push(entry.duration);
            }
        }).observe({ entryTypes: ["measure"] });
    });
}

// One event of the slider after the other, each when the picture of the one before is there.
async function measureSlider(page) {
    await watchPictures(page);
    await page.getByLabel("base, slider", { exact: true }).focus();
    for (let i = 0; i < COUNT; ++i) {
        await page.keyboard.press(Math.floor(i / 25) % 2 ? "ArrowLeft" : "ArrowRight");
        await until(() => page.evaluate((count) => window.pictureTimes.length > count, i),
            "the next picture");
    }
    return page.evaluate(() => window.pictureTimes);
}

// Milliseconds from `start` to what the page has marked so far.
function marks(page, start) {
    return page.evaluate((start) => {
        const sinceStart = (name) => {
            const [entry] = performance.getEntriesByName(name);
            return entry ? performance.timeOrigin + entry.startTime - start : NaN;
        };
        return { paint: sinceStart("first-paint"), picture: sinceStart("first picture") };
    }, start);
}

// Opens what open() starts, in a tab that waits for it or in a new one, until `last` is marked.
async function measureStart(context, { isTabOpen, open, last }) {
    const waiting = isTabOpen ? await context.newPage() : null;
    const start = Date.now();
    const { address, stop } = await open();
    const served = Date.now() - start;
    const tab = waiting ?? await context.newPage();
    await tab.goto(address);
    await until(async () => !Number.isNaN((await marks(tab, start))[last]), `the ${last}`);
    const times = await marks(tab, start);
    await tab.close();
    await stop();
    return { served, ...times };
}

// A visit with an empty cache, by a line of 10 Mbit/s that takes 40 ms to answer: times, and bytes that it loads.
async function measureVisit(browser, ...words) {
    const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions",
        { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 });
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; });
    const { address, stop } = await startExplorer(...words);
    const start = Date.now();
    await tab.goto(address);
    await until(async () => !Number.isNaN((await marks(tab, start)).picture), "the first picture");
    const times = await marks(tab, start);
    await context.close();
    await stop();
    return { ...times, bytes };
}

function serveEmptyPage() {
    const server = createServer((request, response) => {
        response.setHeader("Content-Type", "text/html");
        response.end("<!DOCTYPE html><title>empty</title><link rel=icon href=data:,>empty");
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function measureStarts() {
    const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
    const empty = await serveEmptyPage();
    const opens = {
        program: () => startExplorer("fairseq", "--d", "128", "--len", "400"),
        empty: () => ({ address: `http://127.0.0.1:${empty.address().port}/`, stop: () => {} }),
    };
    for (const isTabOpen of [true, false]) {
        const starts = [];
        const floors = [];
        for (let i = 0; i < STARTS; ++i) {
            starts.push(await measureStart(context,
                { isTabOpen, open: opens.program, last: "picture" }));
            floors.push(await measureStart(context, { isTabOpen, open: opens.empty, last: "paint" }));
        }
        const median = (times, name) => ms(quantile(times.map((time) => time[name]), 0.5));
        console.log(`${STARTS} starts, in a tab that is ${isTabOpen ? "open" : "new"}, medians: ` +
            `address ${median(starts, "served")}, first paint ${median(starts, "paint")}, ` +
            `first picture ${median(starts, "picture")}; ` +
            `first paint of an empty page ${median(floors, "paint")}`);
    }
    empty.close();
    await context.close();
}

const browser = await launch();
const explorer = await startExplorer();
const { page, close } = await openPage(browser, `${explorer.origin}/#fairseq?d=128&len=400`);
await commandHas(page, "pe-gen fairseq");
const times = await measureSlider(page);
console.log(`slider's event to picture, d 128, len 400, ${times.length} events: ` +
    `median ${ms(quantile(times, 0.5))}, 90 % ${ms(quantile(times, 0.9))}`);
await close();
await explorer.stop();

if (ownPage) {
    for (const words of [[], ["fairseq", "--d", "128", "--len", "400"]]) {
        const visits = [];
        for (let i = 0; i < STARTS; ++i) visits.push(await measureVisit(browser, ...words));
        const median = (name) => quantile(visits.map((visit) => visit[name]), 0.5);
        console.log(`${STARTS} first visits of ${words.join(" ") || "the page"} by 10 Mbit/s, medians: ` +
            `first paint ${ms(median("paint"))}, first picture ${ms(median("picture"))}, ` +
            `${median("bytes")} bytes until then`);
    }
} else {
    await measureStarts();
}
await browser.close();
