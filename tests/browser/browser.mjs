// A browser, and pages of it that are watched. PEGEN_BROWSER is chromium or firefox.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, firefox } from "playwright-core";

const OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

const BROWSERS = {
    chromium: () => chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: OPTIONS,
    }),
    // Firefox as it is, by WebDriver BiDi.
    firefox: () => firefox.launch({
        executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", channel: "moz-firefox",
    }),
};

const name = process.env.PEGEN_BROWSER ?? "chromium";
export const isFirefox = name === "firefox";

// Playwright cannot tell Firefox which colours the user prefers.
export const colorSchemes = isFirefox ? ["light"] : ["light", "dark"];

export function launch() {
    return BROWSERS[name]();
}

// A refused combination is a reply of status 400, which Chromium reports on its console.
function isRefusal(message) {
    return /^Failed to load resource.* 400 /.test(message.text());
}

// A page in a context of its own. `faults` are errors, and requests to anywhere else. `beforeVisit` gets the page before
// it has an address.
export async function openPage(browser, address, { beforeVisit = () => {}, ...options } = {}) {
    const context = await browser.newContext({
        viewport: { width: 1366, height: 768 }, acceptDownloads: true, ...options,
    });
    context.setDefaultTimeout(60000);
    const page = await context.newPage();
    const faults = [];
    const home = new URL(address);
    page.on("pageerror", (error) => faults.push(error.stack));
    page.on("console", (message) => {
        const bad = ["error", "warning"].includes(message.type());
        if (bad && !isRefusal(message)) faults.push(message.text());
    });
    page.on("request", (request) => {
        const url = new URL(request.url());
        const local = ["blob:", "data:"].includes(url.protocol);
        const own = url.origin === home.origin && url.protocol === home.protocol;
        if (!local && !own) faults.push(`a request to ${url}`);
    });
    await beforeVisit(page);
    await page.goto(address);
    return { page, faults, close: () => context.close() };
}

// Waits for a condition of the test's own.
export async function until(condition, what) {
    const end = Date.now() + 60000;
    for (;;) {
        if (await condition()) return;
        if (Date.now() > end) throw new Error(`never: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

export async function screenshot(page, name) {
    const folder = process.env.PEGEN_SCREENSHOTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
}
