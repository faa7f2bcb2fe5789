// What a user does on the page of the explorer.

import { until } from "./browser.mjs";

export function command(page) {
    return page.locator("#command").textContent();
}

export async function commandHas(page, words) {
    await until(async () => (await command(page)).includes(words), `a command with ${words}`);
}

// What the program answers the page, from its server or from its worker.
export async function askedFor(page, address) {
    const { status, disposition, content } = await page.evaluate(async (address) => {
        const response = await send(address);
        const bytes = new Uint8Array(await response.arrayBuffer());
        return {
            status: response.status, disposition: response.headers.get("Content-Disposition"),
            content: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
        };
    }, address);
    return { status, disposition, body: Buffer.from(content, "latin1") };
}

export async function choose(page, text) {
    await page.locator("#search").focus();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
}

export function slider(page, name) {
    return page.getByLabel(`${name}, slider`, { exact: true });
}

// Drags the thumb of a slider from one fraction of its width to another.
export async function drag(page, name, from, to, steps = 20) {
    const element = slider(page, name);
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    const at = (part) => [box.x + 8 + part * (box.width - 16), box.y + box.height / 2];
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps });
    await page.mouse.up();
}

// The place on the page of a cell of a picture's first panel.
export async function placeOfCell(page, row, column, picture = 0) {
    return page.evaluate(([row, column, picture]) => {
        const canvas = document.querySelectorAll("#figures canvas")[picture];
        if (picture > 0) canvas.scrollIntoView({ block: "start" });
        const { panels } = explorer.frame.pictures[picture];
        const cell = cellInPanel(panels[0], row, column);
        const box = canvas.getBoundingClientRect();
        const scale = Math.min(box.width / canvas.width, box.height / canvas.height);
        return {
            x: box.left + (box.width - canvas.width * scale) / 2 +
                (cell.left + cell.width / 2) * scale,
            y: box.top + (box.height - canvas.height * scale) / 2 +
                (cell.top + cell.height / 2) * scale,
        };
    }, [row, column, picture]);
}

export async function pointAt(page, row, column, picture = 0) {
    const { x, y } = await placeOfCell(page, row, column, picture);
    await page.mouse.move(x, y);
}

export function readout(page) {
    return page.locator("#cell").textContent();
}

export async function readoutHas(page, text) {
    await until(async () => (await readout(page)).includes(text), `a readout with ${text}`);
}

// Drops a file on the page.
export async function drop(page, name, bytes) {
    const transfer = await page.evaluateHandle(([name, base64]) => {
        const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([content], name));
        return data;
    }, [name, bytes.toString("base64")]);
    await page.dispatchEvent("main", "dragover", { dataTransfer: transfer });
    await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}
