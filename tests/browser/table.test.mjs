// The page of one table, from a file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./browser.mjs";
import { readNpy, run } from "./program.mjs";
import { openTable } from "./session.mjs";

function shown(page) {
    return page.locator("#cell").textContent();
}

// The text after the last colon.
function valueIn(text) {
    return text.slice(text.lastIndexOf(": ") + 2);
}

test("values are read under the pointer and by the keyboard", async () => {
    const words = ["fairseq", "--d", "16", "--len", "40"];
    const table = readNpy(run(...words, "--npy", "-"));
    const { page, faults, close } = await openTable(words);
    assert.match(await page.locator("#command").textContent(), /^pe-gen fairseq/);
    const box = await page.locator("#values").boundingBox();
    await page.mouse.move(box.x + (3 + 0.5) / 16 * box.width, box.y + (7 + 0.5) / 40 * box.height);
    await until(async () => (await shown(page)).includes("channel 3"), "a value");
    assert.equal(Math.fround(Number(valueIn(await shown(page)))), table.at(7 * 16 + 3));
    await page.locator("#stage").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(Math.fround(Number(valueIn(await shown(page)))), table.at(8 * 16 + 3));
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#curves svg").count(), 2);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#curves svg").count(), 0);
    assert.deepEqual(faults, []);
    await close();
});

// The texts of a table's elements in NPY are exact; a page must give each of them again.
for (const dtype of ["float64", "float32", "float16", "bfloat16"]) {
    test(`elements of ${dtype} are written in full`, async () => {
        const words = ["fairseq", "--d", "8", "--len", "12", "--dtype", dtype];
        const { page, faults, close } = await openTable(words);
        const expected = JSON.parse(run(...words, "--json", "-").toString());
        const texts = await page.evaluate(() => {
            const head = JSON.parse(byId("head").textContent);
            const bytes = bytesOfBase64(byId("elements").textContent);
            const elements = decodeElements(bytes.buffer, head.dtype);
            return Array.from(elements.numbers, (_, i) => elements.textAt(i));
        });
        const values = (expected.data ?? expected.values ?? expected).flat(Infinity);
        assert.equal(texts.length, values.length);
        texts.forEach((text, i) => assert.equal(Number(text), Number(values[i])));
        assert.deepEqual(faults, []);
        await close();
    });
}

test("a table of three axes is read matrix by matrix", async () => {
    const words = ["alibi", "--heads", "4", "--len", "10"];
    const table = readNpy(run(...words, "--npy", "-"));
    const { page, faults, close } = await openTable(words);
    await page.locator("#leading input").fill("2");
    await page.locator("#stage").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const text = await shown(page);
    assert.match(text, /2/);
    assert.equal(Math.fround(Number(valueIn(text))), table.at(2 * 100 + 2 * 10));
    assert.deepEqual(faults, []);
    await close();
});

test("an int64 that no double holds is written in full", async () => {
    const { page, close } = await openTable(["index", "--len", "3"]);
    const text = await page.evaluate(() => {
        const elements = decodeElements(new BigInt64Array([9007199254740993n]).buffer, "int64");
        return elements.textAt(0);
    });
    assert.equal(text, "9007199254740993");
    await close();
});
