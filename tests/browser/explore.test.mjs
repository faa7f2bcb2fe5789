// The explorer in a browser, as one uses it.

import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { test } from "node:test";
import {
    askedFor, choose, command, commandHas, drag, drop, pointAt, placeOfCell, readout, readoutHas, slider,
} from "./actions.mjs";
import { colorSchemes, isFirefox, screenshot, until } from "./browser.mjs";
import { explain, ownPage, program, readNpy, run } from "./program.mjs";
import { makeFile, openExplorer, openExplorerOf } from "./session.mjs";

// A test gets a page of its own, which must have no faults at the end.
function onPage(name, fragment, body, { skip = false, ...options } = {}) {
    test(name, { skip }, async () => {
        const opened = await openExplorer(fragment, options);
        try {
            await commandHas(opened.page, "pe-gen ");
            await body(opened.page);
            assert.deepEqual(opened.faults, []);
        } finally {
            await opened.close();
        }
    });
}

onPage("a preset is chosen by typing", "sinusoid?d=16&len=40", async (page) => {
    await choose(page, "openai whisper");
    await commandHas(page, "pe-gen whisper");
    assert.equal(await page.locator("#search").inputValue(), "whisper");
    await until(async () => (await page.locator("#about h2").textContent()) === "whisper",
        "the description of whisper");
    assert.match(await command(page), /--len 40/, "sizes stay");
    assert.match(page.url(), /#whisper\?/);
    await page.keyboard.type("/fairseq");
    await page.keyboard.press("Enter");
    await commandHas(page, "pe-gen fairseq");
    await page.goBack();
    await commandHas(page, "pe-gen whisper");
    await screenshot(page, "explore");
});

onPage("words of an alias and of a summary find a preset", "sinusoid?d=16&len=40",
    async (page) => {
        await page.locator("#search").click();
        await page.keyboard.type("padding fairseq");
        const first = page.locator("#search-list [role=option] b").first();
        await until(async () => (await first.textContent()) === "fairseq", "fairseq at the top");
        await screenshot(page, "search");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#search").getAttribute("aria-expanded"), "false");
    });

onPage("a slider changes the picture, and its value can be put back", "fairseq?d=16&len=40",
    async (page) => {
        await drag(page, "len", 0.5, 0.75);
        const length = await page.locator("#set-len").inputValue();
        assert.notEqual(length, "40");
        await commandHas(page, `--len ${length}`);
        await until(async () => (await page.locator("#shape").textContent()).includes(
            `${length} x 16`), "the shape of the last value");
        await page.getByRole("button", { name: /^Put back len/ }).click();
        await until(async () => !(await command(page)).includes("--len"), "no length");
        await page.getByRole("button", { name: "Put all back" }).click();
        await until(async () => !(await command(page)).includes("--d"), "no changes");
    });

onPage("the value under the pointer is that of the program", "fairseq?d=16&len=40",
    async (page) => {
        const words = ["fairseq", "--d", "16", "--len", "40"];
        const table = readNpy(run(...words, "--npy", "-"));
        for (const [row, column] of [[7, 3], [39, 15], [2, 8]]) {
            await pointAt(page, row, column);
            const known = explain([row, column], ...words);
            await readoutHas(page, known.value);
            assert.equal(Math.fround(Number(known.value)), table.at(row * 16 + column));
            if (known.formula) {
                assert.equal(await page.locator("#cell-formula").textContent(), known.formula);
            }
        }
    });

onPage("the values on the canvas are those of the table", "fairseq?d=16&len=40&picture=values",
    async (page) => {
        const table = readNpy(run("fairseq", "--d", "16", "--len", "40", "--npy", "-"));
        await until(() => page.evaluate(() => Boolean(explorer.values.head)), "the values");
        for (const [row, column] of [[0, 0], [7, 3], [39, 15]]) {
            const text = await page.evaluate((cell) => explorer.values.textOf(cell),
                { row, column });
            assert.equal(Math.fround(Number(text)), table.at(row * 16 + column));
        }
        const box = await page.locator("#values").boundingBox();
        await page.mouse.move(box.x + 20, box.y + 20);
        await page.mouse.wheel(0, -600);
        const view = page.locator(".in-view");
        await until(async () => !(await view.textContent()).includes("39"), "a zoomed view");
        await screenshot(page, "values");
        await page.mouse.down();
        await page.mouse.move(0, 0, { steps: 5 });
        await page.mouse.up();
        await until(async () => !(await view.textContent()).startsWith("position 0 "),
            "a moved view");
        assert.equal(new URL(page.url()).hash.includes("at="), false, "dragging does not pin");
        await page.getByRole("button", { name: "Whole table" }).click();
        await until(async () => (await view.textContent()).includes("39"), "the whole table");
    });

onPage("an impossible combination is explained, and undone", "vaswani?d=16&len=40",
    async (page) => {
        await page.locator("#set-d").fill("7");
        await until(() => page.evaluate(() => document.querySelector("[aria-invalid]") !== null),
            "an invalid control");
        const message = page.locator(".error:not([hidden])");
        let words = "";
        try {
            run("vaswani", "--d", "7", "--len", "40", "--png", "-");
        } catch (error) {
            words = error.stderr.toString();
        }
        assert.ok(words.includes((await message.textContent()).trim()), words);
        assert.match(await command(page), /--d 16/, "the last good picture stays");
        await screenshot(page, "error");
        await page.locator("#set-d").fill("8");
        await commandHas(page, "--d 8");
        assert.equal(await page.locator("[aria-invalid]").count(), 0);
        assert.equal(await message.count(), 0);
    });

onPage("a preset that the sizes do not suit is described, with what is wrong", "fairseq?d=7&len=40",
    async (page) => {
        await choose(page, "vaswani");
        await until(async () => await page.locator("#set-d[aria-invalid]").count() === 1,
            "an invalid size");
        await until(async () => (await page.locator("#about h2").textContent()) === "vaswani",
            "the description of vaswani");
        await page.locator("#set-d").fill("8");
        await commandHas(page, "pe-gen vaswani");
        assert.equal(await page.locator("[aria-invalid]").count(), 0);
    });

onPage("a click pins a cell and draws its row and column", "fairseq?d=16&len=40",
    async (page) => {
        const { x, y } = await placeOfCell(page, 7, 3);
        await page.mouse.click(x, y);
        await until(async () => await page.locator("#curves svg").count() === 2, "two curves");
        await until(() => /at=7(,|%2C)3/.test(page.url()), "the cell in the address");
        const pinned = explain([7, 3], "fairseq", "--d", "16", "--len", "40").value;
        await readoutHas(page, pinned);
        await pointAt(page, 20, 10);
        await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.ok((await readout(page)).includes(pinned), "the readout stays");
        await screenshot(page, "pinned");
        await page.keyboard.press("Tab");
        await page.locator("#stage").focus();
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#curves svg").count(), 0);
        await until(() => !page.url().includes("at="), "no cell in the address");
    });

onPage("from fairseq to why it is off by two", "sinusoid?d=16&len=40", async (page) => {
    await choose(page, "fairseq");
    await until(async () => /first token uses row/.test(
        await page.locator("#about").textContent()), "the note of fairseq");
    await page.locator("#beside").fill("fairseq --start 2");
    await page.keyboard.press("Enter");
    await until(async () => await page.locator("#figures figure").count() === 3, "three pictures");
    const sentences = await page.locator("#comparison").textContent();
    assert.match(sentences, /from row 2 on|row/);
    await screenshot(page, "comparison");
    await page.locator("#remove-beside").click();
    await until(async () => await page.locator("#figures figure").count() === 1, "one picture");
    assert.equal(await page.locator("#comparison").isVisible(), false);
});

onPage("a neighbour is compared and followed", "fairseq?d=16&len=40", async (page) => {
    const button = page.locator("#about").getByRole("button", { name: /^Compare with/ }).first();
    const name = (await button.getAttribute("aria-label")).replace("Compare with ", "");
    await button.click();
    await until(async () => await page.locator("#figures figure").count() > 1, "other pictures");
    assert.equal(await page.locator("#beside").inputValue(), name);
    const link = page.locator("#about").getByRole("link", { name, exact: true }).first();
    await link.click();
    await commandHas(page, `pe-gen ${name}`);
    await page.goBack();
    await commandHas(page, "pe-gen fairseq");
});

onPage("a press on a link is a click although its panel is renewed", "fairseq?d=16&len=40",
    async (page) => {
        const link = page.locator("#about li a").first();
        const name = await link.textContent();
        await link.scrollIntoViewIfNeeded();
        const { x, y, width, height } = await link.boundingBox();
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await page.evaluate(() => explorer.set("len", "48"));
        await until(async () => (await link.getAttribute("href")).includes("len=48"),
            "a link with the new length");
        await page.mouse.up();
        await commandHas(page, `pe-gen ${name}`);
    });

onPage("a picture is drawn for the place that it fills", "sinusoid?d=16&len=40", async (page) => {
    const { drawn, place } = await page.evaluate(() => {
        const canvas = document.querySelector("#figures canvas");
        const box = document.getElementById("stage").getBoundingClientRect();
        return { drawn: [canvas.width, canvas.height], place: [box.width, box.height] };
    });
    assert.deepEqual(drawn, place.map((length) => Math.round(2 * length)));
}, { deviceScaleFactor: 2 });

onPage("of three pictures the difference is in sight, too", "fairseq?d=16&len=40&beside=vaswani",
    async (page) => {
        await until(async () => await page.locator("#figures figure").count() === 3,
            "three pictures");
        const box = await page.locator("#figures figure").nth(2).boundingBox();
        assert.ok(box.y + 0.6 * box.height < 768 - 118, `${box.y} ${box.height}`);
    });

onPage("on a phone the picture stays in sight beside a setting", "sinusoid?d=16&len=40",
    async (page) => {
        await page.locator("#set-layout").scrollIntoViewIfNeeded();
        await page.mouse.wheel(0, 400);
        await page.waitForTimeout(200);
        const box = await page.locator("#figures canvas").boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height < 500, `${box.y} ${box.height}`);
        assert.ok((await page.locator("#set-layout").boundingBox()).y < 800);
    }, { viewport: { width: 390, height: 844 } });

if (colorSchemes.includes("dark")) {
    onPage("a figure is dark on a dark page", "sinusoid?d=16&len=40", async (page) => {
        const corner = () => page.evaluate(() =>
            [...explorer.figures.figures[0].image.data.subarray(0, 3)]);
        const dark = await corner();
        assert.ok(Math.max(...dark) < 64, `${dark}`);
        await page.emulateMedia({ colorScheme: "light" });
        await until(async () => Math.min(...await corner()) === 255, "a white figure");
    }, { colorScheme: "dark" });
}

onPage("rope shows the settings that its scaling uses", "rope?d=16&len=40", async (page) => {
    const isShown = (name) => page.locator(`#set-${name}`).isVisible();
    const seen = async () => {
        const names = ["factor", "original-max-position-embeddings", "beta-fast", "low-freq-factor"];
        const shown = await Promise.all(names.map(isShown));
        return names.filter((_, i) => shown[i]).join(" ");
    };
    assert.equal(await seen(), "");
    await page.locator("#set-scaling").selectOption("yarn");
    await until(async () => await isShown("beta-fast"), "the settings of yarn");
    assert.equal(await seen(), "factor original-max-position-embeddings beta-fast");
    await page.locator("#set-factor").fill("4");
    await page.locator("#set-original-max-position-embeddings").fill("32");
    await commandHas(page, "--factor 4 --original-max-position-embeddings 32");
    await page.locator("#set-scaling").selectOption("none");
    await until(async () => !await isShown("beta-fast"), "no settings of yarn");
    assert.equal(await seen(), "factor original-max-position-embeddings", "what is set stays");
    await until(async () => /has no effect with --scaling none/.test(
        await page.locator("#message, .error:visible").allTextContents()), "the program's message");
    await page.locator("#filter").fill("low-freq");
    await until(async () => await isShown("low-freq-factor"), "the parameter that is looked for");
});

onPage("a dropped file is compared", "fairseq?d=16&len=40", async (page) => {
    const file = run("fairseq", "--d", "16", "--len", "40", "--start", "2", "--npy", "-");
    await drop(page, "mine.npy", file);
    await until(async () => await page.locator("#figures figure").count() === 3, "three pictures");
    assert.equal(await page.locator("#file-name").textContent(), "mine.npy");
    assert.match(await page.locator("#file-chip").textContent(), /stays on this machine/);
    assert.notEqual(await page.locator("#comparison").textContent(), "");
    await page.locator("#set-len").fill("41");
    await commandHas(page, "--len 41");
    assert.ok(await page.locator("#figures figure").count() >= 2, "the file is still there");
    await page.locator("#remove-beside").click();
    await until(async () => await page.locator("#figures figure").count() === 1, "one picture");
});

onPage("of a dropped checkpoint, an array that is called as positions are is compared, or another one",
    "rope?d=16&len=40&table=cos", async (page) => {
        const file = run("rope", "--d", "16", "--len", "40", "--table", "cos,sin", "--safetensors", "-");
        const verdict = page.locator("#comparison");
        await drop(page, "model.safetensors", file);
        await until(async () => /model\.safetensors:cos/.test(await verdict.textContent()), "the first array");
        const choice = page.getByLabel("Array of the file");
        assert.match(await choice.locator("option").first().textContent(), /^cos \(40, 16\) float32$/);
        await choice.selectOption("sin");
        await until(async () => /model\.safetensors:sin is made by pe-gen rope/.test(await verdict.textContent()),
            "the other array");
        await page.locator("#set-len").fill("41");
        await commandHas(page, "--len 41");
        assert.equal(await choice.inputValue(), "sin");
        await page.locator("#remove-beside").click();
        await until(async () => !await choice.isVisible(), "no file");
    });

function termOf(page, name) {
    return page.locator("#cell-terms dt", { hasText: name }).locator("+ dd");
}

test("a file of the command is compared as one that is dropped", { skip: Boolean(ownPage) }, async () => {
    const file = makeFile("mine.npy", "fairseq", "--d", "16", "--len", "40", "--start", "3");
    const { page, faults, close } = await openExplorerOf("sinusoid", file);
    const verdict = page.locator("#comparison");
    await until(async () => /mine\.npy is made by pe-gen/.test(await verdict.textContent()), "what makes it");
    assert.equal(await page.locator("#file-name").textContent(), "mine.npy");
    await commandHas(page, "pe-gen sinusoid --len 40 --d 16");
    assert.deepEqual(faults, []);
    await close();
});

test("the first picture is there before the program, and then drawn for its place", { skip: !ownPage }, async () => {
    let arrive;
    const { page, faults, close } = await openExplorer("", {
        beforeVisit: (page) => page.route("**/explore.wasm", async (route) => {
            await new Promise((resolve) => { arrive = resolve; });
            await route.continue();
        }),
    });
    const width = () => page.locator("#figures canvas").first().evaluate((canvas) => canvas.width);
    await commandHas(page, "pe-gen sinusoid");
    const prepared = await width();
    arrive();
    await until(async () => await width() !== prepared, "a picture of another size");
    assert.deepEqual(faults, []);
    await close();
});

onPage("the curve of a channel of zeros is drawn", "sinusoid?d=4&len=1&at=0,0", async (page) => {
    await until(async () => await page.locator("#curves svg").count() === 2, "a row and a column");
});

onPage("in a comparison the cell of the other table is read, too", "fairseq?d=16&len=40",
    async (page) => {
        const other = ["fairseq", "--d", "16", "--len", "40", "--start", "2"];
        await page.locator("#beside").fill("fairseq --start 2");
        await page.keyboard.press("Enter");
        await until(async () => await page.locator("#figures figure").count() === 3, "pictures");
        // The pictures move while the sentences above them come.
        const pointUntilRead = (row, value) => until(async () => {
            await pointAt(page, row, 3, 2);
            return (await readout(page)).includes(value);
        }, `a readout with ${value}`);
        const own = explain([7, 3], "fairseq", "--d", "16", "--len", "40");
        await pointUntilRead(7, own.value);
        const inFloat64 = ({ dtypes }) => dtypes.find(({ dtype }) => dtype === "float64").value;
        const value = inFloat64(explain([7, 3], ...other));
        assert.equal(Number(await termOf(page, "in fairseq --start 2").textContent()),
            Number(value));
        assert.equal(Number(await termOf(page, "difference").textContent()),
            Number(inFloat64(own)) - Number(value));
        await page.locator("#remove-beside").click();
        await until(async () => await termOf(page, "difference").count() === 0, "no difference");
        await drop(page, "mine.npy", run(...other, "--npy", "-"));
        await until(async () => await page.locator("#figures figure").count() === 3, "pictures");
        await pointUntilRead(8, explain([8, 3], "fairseq", "--d", "16", "--len", "40").value);
        await until(async () => await termOf(page, "in mine.npy").count() === 1, "its value");
        const held = await termOf(page, "in mine.npy").textContent();
        assert.equal(Math.fround(held), Math.fround(explain([8, 3], ...other).dtypes.find(
            ({ dtype }) => dtype === "float32").value));
    });

onPage("what is read under the pointer follows the settings", "fairseq?d=16&len=40",
    async (page) => {
        await pointAt(page, 7, 3);
        await readoutHas(page, explain([7, 3], "fairseq", "--d", "16", "--len", "40").value);
        await page.locator("#set-base").fill("100");
        await readoutHas(page,
            explain([7, 3], "fairseq", "--d", "16", "--len", "40", "--base", "100").value);
    });

onPage("a file that is no array is refused", "fairseq?d=16&len=40", async (page) => {
    await drop(page, "mine.npy", run("fairseq", "--d", "16", "--len", "40", "--npy", "-"));
    const verdict = page.locator("#comparison");
    await until(async () => (await verdict.textContent()).includes("same table"), "a verdict");
    await drop(page, "other.npy", Buffer.from("nothing of the kind"));
    await until(async () => (await verdict.textContent()).startsWith("Not compared: other.npy: "),
        "no verdict");
    assert.equal(await page.locator("#figures figure").count(), 1, "the own table stays");
    assert.ok(await page.locator("#downloads a[href]").count() > 0);
    await page.locator("#remove-beside").click();
    await until(async () => !(await verdict.isVisible()), "no comparison");
});

onPage("a dropped file is identified, and what makes it is shown by a click",
    "fairseq?d=16&len=40", async (page) => {
        await drop(page, "mine.npy", run("sinusoid", "--d", "24", "--len", "50", "--layout",
            "halves", "--npy", "-"));
        const link = page.locator("#comparison a");
        await until(async () => await link.count() === 1, "the command that makes the file");
        assert.match(await link.textContent(), /^pe-gen sinusoid .*--layout halves/);
        await link.click();
        await until(async () => /are the same table/.test(
            await page.locator("#comparison").textContent()), "the same table");
        assert.match(await command(page), /--layout halves/);
    });

onPage("sizes that a file has are shown as those of the file", "fairseq", async (page) => {
    await drop(page, "mine.npy", run("fairseq", "--d", "24", "--len", "50", "--npy", "-"));
    await until(async () => await page.locator("#set-d").inputValue() === "24", "the file's d");
    const control = page.locator(".control", { has: page.locator("#set-d") });
    assert.match(await control.textContent(), /of the file/);
    await pointAt(page, 7, 13);
    await readoutHas(page, explain([7, 13], "fairseq", "--d", "24", "--len", "50").value);
    const link = await page.getByRole("link", { name: "NPY", exact: true }).getAttribute("href");
    const { body } = await askedFor(page, link);
    assert.deepEqual(readNpy(body).shape, [50, 24]);
    await page.getByRole("button", { name: "Values" }).click();
    await until(async () => /0 to 49, channel 0 to 23/.test(
        await page.locator("#zoom").textContent()), "the values of the file's size");
    await page.getByRole("button", { name: "Figure" }).click();
    await page.locator("#remove-beside").click();
    await until(async () => await page.locator("#set-d").inputValue() === "512", "the usual d");
});

onPage("the command in a note is followed", "fairseq?d=16&len=40", async (page) => {
    await page.locator("#about .note a", { hasText: "pe-gen fairseq --start 2" }).click();
    await commandHas(page, "pe-gen fairseq --len 40 --d 16 --start 2");
});

onPage("what the other table is refused for is no fault of the own", "fairseq?d=16&len=40",
    async (page) => {
        await page.locator("#beside").fill("fairseq --base -1");
        await page.keyboard.press("Enter");
        await until(async () => /^Not compared: fairseq --base -1: --base -1: must/.test(
            await page.locator("#comparison").textContent()), "the refusal");
        assert.equal(await page.locator("[aria-invalid]").count(), 0);
    });

onPage("an address with a wrong name says so", "farseek?d=16", async (page) => {
    assert.match(await page.locator("#message").textContent(), /named farseek/);
    await choose(page, "fairseq");
    await commandHas(page, "pe-gen fairseq");
    await until(async () => !(await page.locator("#message").isVisible()), "no message");
});

onPage("a name is chosen twice by clicks, and words without a match are named",
    "sinusoid?d=16&len=40", async (page) => {
        const search = page.locator("#search");
        for (const name of ["rope", "mae"]) {
            await search.click();
            await page.keyboard.type(name);
            await page.keyboard.press("Enter");
            await commandHas(page, `pe-gen ${name}`);
        }
        await search.click();
        await page.keyboard.type("no such thing");
        assert.match(await page.locator("#search-list").textContent(), /No encoding or preset/);
        await page.keyboard.press("Enter");
        assert.equal(await search.inputValue(), "mae");
    });

onPage("a slider has its usual range again when its value is put back", "fairseq?d=16&len=40",
    async (page) => {
        const before = await slider(page, "base").inputValue();
        await page.locator("#set-base").fill("-5");
        await until(async () => await page.locator("[aria-invalid]").count() > 0, "an error");
        await page.getByLabel("Put back base to 10000").click();
        await until(async () => await page.locator("[aria-invalid]").count() === 0, "no error");
        assert.equal(await slider(page, "base").inputValue(), before);
    });

onPage("a second click lets a cell go", "fairseq?d=16&len=40", async (page) => {
    const { x, y } = await placeOfCell(page, 7, 3);
    await page.mouse.click(x, y);
    await until(() => page.locator("#unpin").isVisible(), "a button to unpin");
    await page.mouse.click(x, y);
    await until(async () => !(await page.locator("#unpin").isVisible()), "no button");
    await until(() => !page.url().includes("at="), "no cell in the address");
});

onPage("the copied command makes the file of the download", "fairseq?d=16&len=40&cmap=viridis",
    async (page) => {
        const folder = mkdtempSync(join(tmpdir(), "pegen-copied-"));
        try {
            await page.getByRole("button", { name: "Copy" }).click();
            await until(async () => (await page.locator("#status").textContent()).includes(
                "copied"), "a copied command");
            const copied = await page.evaluate(() => navigator.clipboard.readText());
            symlinkSync(resolve(program), join(folder, "pe-gen"));
            const path = `${folder}${delimiter}${process.env.PATH}`;
            execSync(copied, { cwd: folder, env: { ...process.env, PATH: path } });
            const waiting = page.waitForEvent("download");
            await page.getByRole("link", { name: "PNG", exact: true }).click();
            const download = await waiting;
            assert.equal(download.suggestedFilename(), "fairseq.png");
            assert.deepEqual(readFileSync(await download.path()),
                readFileSync(join(folder, "fairseq.png")));
        } finally {
            rmSync(folder, { recursive: true });
        }
    }, {
        permissions: ["clipboard-read", "clipboard-write"],
        // Playwright is not told when Firefox saves what a page has made.
        skip: Boolean(ownPage) && isFirefox,
    });

onPage("every download is there", "fairseq?d=16&len=40", async (page) => {
    const links = await page.locator("#downloads a").all();
    assert.ok(links.length >= 5);
    for (const link of links) {
        const { status, disposition } = await askedFor(page, await link.getAttribute("href"));
        assert.equal(status, 200, await link.textContent());
        assert.match(disposition, /attachment/);
    }
});

onPage("the address has the whole state", "fairseq?d=16&len=40", async (page) => {
    await page.locator("#set-d").fill("12");
    await commandHas(page, "--d 12");
    const { x, y } = await placeOfCell(page, 7, 3);
    await page.mouse.click(x, y);
    await page.locator("#beside").fill("vaswani");
    await page.keyboard.press("Enter");
    await until(async () => await page.locator("#figures figure").count() > 1, "other pictures");
    await until(() => page.url().includes("beside="), "the comparison in the address");
    const before = await command(page);
    await page.reload();
    await until(async () => await page.locator("#figures figure").count() > 1, "other pictures");
    await until(async () => await page.locator("#curves svg").count() === 2, "two curves");
    assert.equal(await command(page), before);
    assert.equal(await page.locator("#beside").inputValue(), "vaswani");
    assert.equal(await page.locator("#set-d").inputValue(), "12");
});

onPage("Back goes to the name before, with its settings", "fairseq?d=16&len=40",
    async (page) => {
        await page.locator("#set-d").fill("12");
        await commandHas(page, "--d 12");
        await choose(page, "whisper");
        await commandHas(page, "pe-gen whisper");
        await page.goBack();
        await commandHas(page, "pe-gen fairseq");
        assert.match(await command(page), /--d 12/);
        await page.goForward();
        await commandHas(page, "pe-gen whisper");
    });

onPage("the keyboard is enough", "sinusoid?d=16&len=40", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    await page.keyboard.press("/");
    await page.keyboard.type("fairseq");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await commandHas(page, "pe-gen fairseq");
    await slider(page, "d").focus();
    await page.keyboard.press("ArrowRight");
    const channels = await page.locator("#set-d").inputValue();
    assert.notEqual(channels, "16");
    await commandHas(page, `--d ${channels}`);
    await page.locator("#skip").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "stage");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) {
        await page.keyboard.press(key);
    }
    await page.keyboard.press("Enter");
    await until(async () => await page.locator("#curves svg").count() === 2, "two curves");
    await until(() => page.url().includes("at="), "the cell in the address");
    const at = decodeURIComponent(page.url()).match(/at=(\d+),(\d+)/).slice(1).map(Number);
    const known = explain(at, "fairseq", "--d", channels, "--len", "40");
    await readoutHas(page, known.value);
    await until(async () => (await page.locator("#status").textContent()).includes(known.value),
        "the value as a message");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#curves svg").count(), 0);
});

onPage("a parameter is found by an alias", "fairseq?d=16&len=40", async (page) => {
    await page.locator("#filter").fill("embed-dim");
    assert.equal(await page.locator("#set-d").isVisible(), true);
    assert.equal(await page.locator("#set-len").isVisible(), false);
    await page.locator("#filter").fill("nothing like this");
    assert.equal(await page.locator("#none-found").isVisible(), true);
    await page.locator("#filter").fill("");
    assert.equal(await page.locator("#set-len").isVisible(), true);
});

onPage("a table of three axes is selected from", "alibi?len=20&heads=4", async (page) => {
    await page.locator("summary", { hasText: "Figure" }).click();
    await page.locator("#set-select").fill("2");
    await commandHas(page, "--select 2");
    await page.locator("#show-values").click();
    const view = page.locator(".in-view");
    await until(async () => (await view.textContent()).includes("head 2,"), "the third matrix");
    await until(() => page.url().includes("picture=values"), "the address");
    await page.reload();
    await until(async () => (await view.textContent()).includes("head 2,"), "the third matrix");
});

onPage("a text is left out by two quotes, as on the command line", "fairseq?d=16&len=40",
    async (page) => {
        await page.locator("summary", { hasText: "Figure" }).click();
        const title = page.getByLabel("title", { exact: true });
        await title.fill("''");
        await until(() => page.url().includes("title="), "the empty title in the address");
        await page.reload();
        await commandHas(page, "--title ''");
        await until(async () => (await title.inputValue()) === "''", "the quotes in the field");
        await page.locator("summary", { hasText: "Figure" }).click();
        await title.fill("");
        await until(async () => !(await command(page)).includes("--title"), "the usual title");
    });

onPage("options of other plots are hidden", "sinusoid?d=16&len=40", async (page) => {
    await page.locator("summary", { hasText: "Figure" }).click();
    assert.equal(await page.locator("#set-channels").isVisible(), false);
    await page.locator("#set-plot").selectOption("waves");
    await commandHas(page, "--plot waves");
    assert.equal(await page.locator("#set-channels").isVisible(), true);
});

onPage("a pinned cell outlasts a number that is typed", "fairseq?d=64&len=40&at=7,37",
    async (page) => {
        const isPinned = () => page.locator("#unpin").isVisible();
        await until(isPinned, "a pinned cell");
        await page.locator("#set-d").fill("12");
        await until(async () => !(await isPinned()), "no such cell");
        await page.locator("#set-d").fill("128");
        await until(isPinned, "the cell again");
        await readoutHas(page, explain([7, 37], "fairseq", "--d", "128", "--len", "40").value);
    });

onPage("a refusal that is out of sight is shown in the picture", "alibi?plot=steps",
    async (page) => {
        await choose(page, "vaswani");
        await until(async () => /^--plot steps: draws a table over/.test(
            await page.locator("#message").textContent()), "the refusal");
        assert.equal(await page.locator("#message").isVisible(), true);
    });

for (const fragment of ["rope?base=1e308", "sinusoid?freq-scale=5e-324",
    "sinusoid?freq-scale=1e308&len=1", "sinusoid?out-scale=1e308&dtype=float64&len=60&at=3,3",
    "sinusoid?out-scale=1e308&dtype=float64&len=60&at=3,3&picture=values",
    "sinusoid?out-scale=5e-324&dtype=float64&len=60&at=3,3"]) {
    onPage(`numbers at the ends of float64 leave the page usable: ${fragment}`,
        fragment, async (page) => {
            if (fragment.includes("at=")) {
                await until(async () => await page.locator("#curves path").count() === 2, "curves");
                const paths = await page.locator("#curves path").evaluateAll(
                    (all) => all.map((path) => path.getAttribute("d")).join());
                assert.doesNotMatch(paths, /NaN|Infinity/);
            }
            await choose(page, "vaswani");
            await commandHas(page, "pe-gen vaswani");
            await page.locator("#set-base").fill("5e-324");
            await until(async () => /-324/.test(await page.locator("#message").textContent()) ||
                await page.locator("#set-base-error").isVisible(), "the refusal");
            await page.locator("#set-base").fill("1e308");
            await commandHas(page, "--base 1e+308");
        });
}

onPage("a setting without an effect on the table is kept for others", "rope?keep-channels=::2",
    async (page) => {
        await commandHas(page, "--keep-channels");
        await page.locator("#set-table").selectOption("wavelengths");
        await commandHas(page, "--table wavelengths");
        assert.doesNotMatch(await page.locator("#command").textContent(), /keep-channels/);
        assert.equal(await page.locator("#set-keep-channels").isVisible(), false);
        await page.locator("#set-table").selectOption("cos");
        await commandHas(page, "--keep-channels");
        assert.equal(await page.locator("#set-keep-channels").isVisible(), true);
    });

onPage("curves of a comparison are those of both tables",
    "fairseq?d=16&len=40&beside=vaswani&at=7,3", async (page) => {
        const others = page.locator("#curves .curve.other");
        await until(async () => await others.count() === 2, "curves of the other table");
        assert.match(await page.locator("#curves svg").first().getAttribute("aria-label"),
            /dashed: vaswani/);
        const paths = () => page.locator("#curves path").evaluateAll(
            (all) => all.map((path) => path.getAttribute("d")));
        const [own, other] = await paths();
        assert.notEqual(own, other);
        await screenshot(page, "curves-of-both");
        await page.locator("#beside").fill("fairseq");
        await page.keyboard.press("Enter");
        await until(async () => {
            const [first, second] = await paths();
            return first !== undefined && first === second;
        }, "the same curve twice");
        await page.locator("#remove-beside").click();
        await until(async () => await others.count() === 0, "one curve");
    });

onPage("a picture has its own size again after a comparison", "vaswani?d=64&beside=whisper",
    async (page) => {
        const width = () => page.locator("#figures canvas").first().evaluate(({ width }) => width);
        await page.locator("#remove-beside").click();
        await until(async () => await page.locator("#figures figure").count() === 1, "one picture");
        const removed = await width();
        await until(() => !page.url().includes("beside="), "no comparison in the address");
        await page.reload();
        await commandHas(page, "pe-gen vaswani");
        assert.equal(removed, await width());
    });

onPage("a cell is found by its indices", "fairseq?d=16&len=40", async (page) => {
    const field = page.locator("#go");
    await field.pressSequentially("40,3");
    await page.keyboard.press("Enter");
    await until(async () => /no cell 40,3: position 0 to 39/.test(
        await page.locator("#message").textContent()), "the refusal");
    await field.selectText();
    await page.keyboard.type("7,3");
    await page.keyboard.press("Enter");
    await readoutHas(page, explain([7, 3], "fairseq", "--d", "16", "--len", "40").value);
    await until(() => /at=7(,|%2C)3/.test(page.url()), "the cell in the address");
});
