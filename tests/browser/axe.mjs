// axe-core finds nothing on a page.

import assert from "node:assert/strict";
import axe from "axe-core";

export async function check(page) {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
}
