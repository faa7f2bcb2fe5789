// What the page asks its server while a slider moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { command, commandHas, drag } from "./actions.mjs";
import { isFirefox, until } from "./browser.mjs";
import { ownPage } from "./program.mjs";
import { openExplorer } from "./session.mjs";

// Counts the pictures that are asked for and not there yet.
function countDraws(page) {
    const counted = { asked: 0, now: 0, most: 0 };
    const isDraw = (request) => new URL(request.url()).pathname.startsWith("/draw/");
    page.on("request", (request) => {
        if (!isDraw(request)) return;
        counted.asked += 1;
        counted.now += 1;
        counted.most = Math.max(counted.most, counted.now);
    });
    const ended = (request) => { counted.now -= isDraw(request) ? 1 : 0; };
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
    return counted;
}

// Each picture takes `delay` milliseconds longer.
async function dragWith(delay) {
    const { page, faults, close } = await openExplorer("fairseq?d=16&len=40");
    await commandHas(page, "pe-gen fairseq");
    if (delay > 0) {
        await page.route("**/draw/**", async (route) => {
            await new Promise((resolve) => setTimeout(resolve, delay));
            await route.continue().catch(() => {});
        });
    }
    const counted = countDraws(page);
    await drag(page, "len", 0.2, 0.9, 60);
    const length = await page.locator("#set-len").inputValue();
    await commandHas(page, `--len ${length} `);
    await until(() => counted.now === 0, "an end of the requests");
    assert.match(await command(page), new RegExp(`--len ${length} `), "the last value stays");
    assert.ok((await page.locator("#shape").textContent()).includes(`${length} x 16`));
    assert.ok(counted.most <= 2, `${counted.most} requests at once`);
    assert.deepEqual(faults, []);
    await close();
    return counted;
}

test("a fast drag ends with the last picture", { skip: Boolean(ownPage) }, async () => {
    await dragWith(0);
});

// Playwright learns late which requests Firefox has given up.
test("slow pictures are given up for newer ones", { skip: Boolean(ownPage) || isFirefox }, async () => {
    const counted = await dragWith(400);
    assert.ok(counted.asked < 30, `${counted.asked} requests`);
});
