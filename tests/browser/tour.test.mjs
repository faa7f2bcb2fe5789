// The tour: each step draws tables of the program, in both languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { check } from "./axe.mjs";
import { colorSchemes, screenshot, until } from "./browser.mjs";
import { readNpy, run } from "./program.mjs";
import { openTour } from "./session.mjs";

const STEPS = 9;

async function isDrawn(page) {
    await until(async () => await page.locator("#view svg > *").count() > 3, "a picture");
}

/** Returns the places of all texts of a language, such as "binary.below.0". */
function placesOfTexts(language) {
    const file = new URL(`../../src/page/tour_${language}.js`, import.meta.url);
    const texts = vm.runInNewContext(`${readFileSync(file)}; TOUR_${language.toUpperCase()}`);
    const placesIn = (value, place) => typeof value === "string" ? [place]
        : Object.entries(value).flatMap(([key, inner]) => placesIn(inner, `${place}.${key}`));
    return placesIn(texts, "").sort();
}

test("both languages have the same texts", () => {
    assert.ok(placesOfTexts("en").length > 100);
    assert.deepEqual(placesOfTexts("zh"), placesOfTexts("en"));
});

for (const language of ["en", "zh"]) {
    for (const colorScheme of colorSchemes) {
        test(`every step, ${language}, ${colorScheme}`, async () => {
            const { page, faults, close } = await openTour(`1,${language}`, { colorScheme });
            for (let step = 1; step <= STEPS; ++step) {
                await until(async () => await page.locator("[aria-current=step]").textContent().then(
                    (text) => text.startsWith(`${step} `)), `step ${step}`);
                await isDrawn(page);
                await page.locator("#question summary").click();
                assert.ok((await page.locator("#question p").textContent()).length > 20);
                await check(page);
                await screenshot(page, `tour-${step}-${language}-${colorScheme}`);
                if (step < STEPS) await page.locator("#on").click();
            }
            assert.ok(await page.locator("#on").isDisabled());
            assert.deepEqual(faults, []);
            await close();
        });
    }
}

for (const width of [390, 1440]) {
    test(`no step is wider than a window of ${width} pixels`, async () => {
        const { page, close } = await openTour("1,en", { viewport: { width, height: 800 } });
        for (let step = 1; step <= STEPS; ++step) {
            await page.evaluate((step) => { location.hash = `${step},en`; }, step);
            await until(async () => (await page.locator("[aria-current=step]").textContent())
                .startsWith(`${step} `), `step ${step}`);
            await isDrawn(page);
            const { scroll, client } = await page.evaluate(() => ({
                scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth,
            }));
            assert.ok(scroll <= client, `step ${step}: ${scroll} > ${client}`);
            await screenshot(page, `tour-${step}-${width}`);
        }
        await close();
    });
}

async function slide(page, name, value) {
    await page.locator(`#control-${name}`).fill(String(value));
}

function scoreOf(page) {
    return page.locator("#view .number.left").textContent();
}

test("a score of RoPE stays when both positions move, and is that of the program's table", async () => {
    const { page, close } = await openTour("6,en");
    await isDrawn(page);
    await slide(page, "m", 20);
    await slide(page, "n", 15);
    const before = await scoreOf(page);
    await slide(page, "m", 50);
    assert.notEqual(await scoreOf(page), before);
    await slide(page, "n", 45);
    assert.equal(await scoreOf(page), before);
    const [cos, sin] = ["cos", "sin"].map((table) => readNpy(run("rope", "--d", "16", "--len", "64",
        "--layout", "single", "--table", table, "--npy", "-")));
    const turned = ([x, y], position) => {
        const [c, s] = [cos.at(8 * position + 1), sin.at(8 * position + 1)];
        return [x * c - y * s, x * s + y * c];
    };
    const [q, k] = [turned([0.95, 0.2], 50), turned([0.6, 0.7], 45)];
    assert.equal(before.replace("−", "-"), `score of the pair ${(q[0] * k[0] + q[1] * k[1]).toFixed(4)}`);
    await close();
});

test("playing moves the picture, and pausing stops it", async () => {
    const { page, close } = await openTour("2,en");
    await isDrawn(page);
    const play = page.getByRole("button", { name: "Play" });
    await play.click();
    await until(async () => Number(await page.locator("#control-position").inputValue()) > 1, "progress");
    await page.getByRole("button", { name: "Pause" }).click();
    const stopped = await page.locator("#control-position").inputValue();
    await page.waitForTimeout(800);
    assert.equal(await page.locator("#control-position").inputValue(), stopped);
    await close();
});

test("the table of a step opens in the explorer", async () => {
    const { page, faults, close } = await openTour("6,en");
    await isDrawn(page);
    await page.locator("#table").click();
    await until(async () => (await page.locator("#command").textContent()).startsWith("pe-gen rope"), "its command");
    assert.deepEqual(faults, []);
    await close();
});
