// Prints how long it takes from a slider's event to the picture on the screen, and from the start
// of the program to the first paint and to the first picture.

import { drag, commandHas } from "./actions.mjs";
import { launch, openPage, until } from "./browser.mjs";
import { startExplorer } from "./program.mjs";

const COUNT = 100;

function quantile(numbers, part) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
}

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

async function measureStart(browser) {
    const start = Date.now();
    const explorer = await startExplorer("fairseq", "--d", "128", "--len", "400");
    const named = Date.now();
    const { page, close } = await openPage(browser, explorer.address);
    await commandHas(page, "pe-gen fairseq");
    const times = await page.evaluate(() => ({
        origin: performance.timeOrigin,
        paint: performance.getEntriesByName("first-paint")[0]?.startTime,
        picture: performance.getEntriesByName("first picture")[0]?.startTime,
    }));
    await close();
    await explorer.stop();
    return {
        address: named - start,
        paint: times.paint, picture: times.picture,
        fromStart: { paint: times.origin + times.paint - start,
            picture: times.origin + times.picture - start },
    };
}

const browser = await launch();
const explorer = await startExplorer();
const { page } = await openPage(browser, `${explorer.origin}/#fairseq?d=128&len=400`);
await commandHas(page, "pe-gen fairseq");
const times = await measureSlider(page);
const ms = (value) => `${value.toFixed(1)} ms`;
console.log(`slider's event to picture, d 128, len 400, ${times.length} events: ` +
    `median ${ms(quantile(times, 0.5))}, 90 % ${ms(quantile(times, 0.9))}`);
await page.close();
await explorer.stop();
const start = await measureStart(browser);
console.log(`start of the program to its address: ${ms(start.address)}`);
console.log(`request of the page to first paint: ${ms(start.paint)}, ` +
    `to first picture: ${ms(start.picture)}`);
console.log(`start of the program to first paint: ${ms(start.fromStart.paint)}, to first ` +
    `picture: ${ms(start.fromStart.picture)} (a page opened at once)`);
await browser.close();
