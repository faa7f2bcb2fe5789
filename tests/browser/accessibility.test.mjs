// axe-core finds nothing on the pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { commandHas } from "./actions.mjs";
import { colorSchemes, screenshot, until } from "./browser.mjs";
import { check } from "./axe.mjs";
import { openExplorer, openTable } from "./session.mjs";

async function picturesAre(page, count) {
    await until(async () => await page.locator("#figures figure").count() === count, "pictures");
}

const STATES = {
    plain: { fragment: "fairseq?d=16&len=40", ready: (page) => picturesAre(page, 1) },
    pinned: {
        fragment: "fairseq?d=16&len=40&at=7,3",
        ready: (page) => until(async () => await page.locator("#curves svg").count() === 2,
            "two curves"),
    },
    values: {
        fragment: "fairseq?d=16&len=40&picture=values",
        ready: (page) => until(() => page.evaluate(() => Boolean(explorer.values.head)), "values"),
    },
    comparison: {
        fragment: "fairseq?d=16&len=40&beside=fairseq%20--start%202",
        ready: (page) => picturesAre(page, 3),
    },
    error: {
        fragment: "vaswani?d=16&len=40",
        ready: async (page) => {
            await page.locator("#set-d").fill("7");
            await until(async () => await page.locator("[aria-invalid]").count() > 0, "an error");
        },
    },
    search: {
        fragment: "fairseq?d=16&len=40",
        ready: async (page) => {
            await page.keyboard.press("/");
            await page.keyboard.type("rope");
            await page.keyboard.press("ArrowDown");
        },
    },
};

for (const [name, { fragment, ready }] of Object.entries(STATES)) {
    for (const colorScheme of colorSchemes) {
        test(`the explorer, ${name}, ${colorScheme}`, async () => {
            const { page, close } = await openExplorer(fragment,
                { colorScheme, reducedMotion: "reduce" });
            await commandHas(page, "pe-gen ");
            await ready(page);
            await until(async () => await page.locator("#about h2").count() > 0, "a description");
            await check(page);
            await screenshot(page, `${name}-${colorScheme}`);
            await close();
        });
    }
}

test("the explorer on a narrow screen", async () => {
    const { page, close } = await openExplorer("fairseq?d=16&len=40",
        { viewport: { width: 800, height: 900 } });
    await picturesAre(page, 1);
    await check(page);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wider, false, "nothing is wider than the screen");
    await screenshot(page, "narrow");
    await close();
});

for (const colorScheme of colorSchemes) {
    test(`the page of a table, ${colorScheme}`, async () => {
        const { page, close } = await openTable(["fairseq", "--d", "16", "--len", "40"],
            { colorScheme });
        await page.locator("#stage").focus();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await check(page);
        await screenshot(page, `table-${colorScheme}`);
        await close();
    });
}
