// The views of the tour. Each loads tables of the program, adds its controls to the stage, and gives it
// a function that draws.

const WIDTH = 860;

async function countingView(stage) {
    const table = await matrixOf("index", { len: "8" });
    const { words } = stage.texts;
    let order = words.map((_, i) => i);
    const chosen = stage.slider("word", 0, 7, 0, (word) => words[word]);
    stage.playButton(chosen);
    stage.button("shuffle", () => {
        order = order.slice(3).concat(order.slice(0, 3)).reverse();
        stage.draw();
    });
    stage.draw = () => stage.show(WIDTH, 170, stage.texts.picture,
        ...order.flatMap((word, i) => {
            const x = 55 + i * 107;
            const isHere = word === chosen.value ? " here" : "";
            return [
                makeSvg("rect", { class: `box${isHere}`, x: x - 48, y: 30, width: 96, height: 44, rx: 6 }),
                label(words[word], x, 58, { class: "word", "text-anchor": "middle" }),
                label(String(table.at(i, 0)), x, 118, { class: `number${isHere}`, "text-anchor": "middle" }),
            ];
        }),
        label(stage.texts.below(words[chosen.value], order.indexOf(chosen.value)), 7, 156));
}

function cells(table, { left, top, width, height, row, column, colour, stroke = null }) {
    const across = width / table.columns;
    const down = height / table.rows;
    const nodes = [];
    for (let i = 0; i < table.rows; ++i) {
        for (let j = 0; j < table.columns; ++j) {
            nodes.push(makeSvg("rect", {
                x: left + j * across, y: top + i * down, width: across + (stroke ? 0 : 0.4), height: down + (stroke ? 0 : 0.4),
                fill: colour(table.at(i, j)), stroke, "data-column": j,
            }));
        }
    }
    const outline = (x, y, w, h) => makeSvg("rect", { class: "outline", x, y, width: w, height: h });
    if (row !== undefined) nodes.push(outline(left, top + row * down, width, down));
    if (column !== undefined) nodes.push(outline(left + column * across, top, across, height));
    return nodes;
}

async function binaryView(stage) {
    const table = await matrixOf("binary", { len: "16" });
    const position = stage.slider("position", 0, 15, 0);
    stage.playButton(position);
    stage.draw = () => {
        const row = table.row(position.value);
        stage.show(WIDTH, 380, stage.texts.picture,
            ...cells(table, {
                left: 60, top: 20, width: 300, height: 340, row: position.value,
                colour: (value) => value ? "var(--accent)" : "var(--raised)", stroke: "var(--line)",
            }),
            ...Array.from({ length: 16 }, (_, i) => label(String(i), 48, 35.5 + i * 21.25,
                { class: "tick", "text-anchor": "end" })),
            label(stage.texts.order, 500, 110),
            label(`${position.value} =`, 420, 150, { class: "word" }),
            ...row.flatMap((bit, i) => [
                label(String(bit), 520 + i * 84, 150, { class: "number", "text-anchor": "middle" }),
                label(`× ${2 ** i}`, 520 + i * 84, 180, { "text-anchor": "middle" }),
            ]),
            ...stage.texts.below.map((text, i) => label(text, 420, 250 + 24 * i)));
    };
}

function wavelengthOf(channel, d, base = 10000) {
    return TURN * base ** (2 * Math.floor(channel / 2) / d);
}

function waveFormula(channel, d) {
    const even = channel - channel % 2;
    return ["mrow", `PE(p,${channel}) =`, channel % 2 ? "cos" : "sin",
        ["mfrac", "p", ["msup", "10000", `${even}/${d}`]]];
}

// The values of a channel as a curve, with the rows of `marks`, each { row, kind }; `step` is the distance from row to
// row.
function drawWave(stage, table, channel, marks, { top, height, step = 1, isCurve = true }) {
    const box = { left: 60, top, width: WIDTH - 80, height };
    const plot = plotAxes(box, { low: 0, high: (table.rows - 1) * step, name: stage.texts.positions },
        { low: -1, high: 1, name: `${stage.texts.channel} ${channel}` });
    const values = table.column(channel);
    const x = (i) => plot.x(i * step);
    return [
        ...plot.nodes,
        ...isCurve ? [curveOf(values, x, plot.y)] : [],
        ...values.map((value, i) => makeSvg("circle", { class: "dot", cx: x(i), cy: plot.y(value), r: 2 })),
        ...marks.map(({ row, kind }) =>
            makeSvg("circle", { class: `dot ${kind}`, cx: x(row), cy: plot.y(values[row]), r: 6 })),
    ];
}

async function waveView(stage) {
    const d = 16;
    const channel = stage.slider("channel", 0, d - 1, 4);
    const spacing = stage.slider("spacing", 0, 3, 0, (power) => String(10 ** power));
    const row = stage.slider("row", 0, 63, 5, (row) => String(row * 10 ** spacing.value));
    stage.playButton(row);
    stage.draw = async () => {
        const step = 10 ** spacing.value;
        row.refresh();
        const table = await matrixOf("sinusoid", { d: String(d), len: "64", step: String(step) });
        byId("formula").replaceChildren(formulaOf(waveFormula(channel.value, d)));
        const wavelength = wavelengthOf(channel.value, d);
        const isCurve = wavelength >= 4 * step;
        stage.show(WIDTH, 330, stage.texts.picture,
            ...drawWave(stage, table, channel.value, [{ row: row.value, kind: "q" }],
                { top: 40, height: 220, step, isCurve }),
            label(isCurve ? "" : stage.texts.gaps(tickText(step / wavelength, 2)), WIDTH - 20, 32, { "text-anchor": "end" }),
            label(`${stage.texts.wavelength} ${tickText(wavelength)}`, 60, 322),
            label(`${stage.texts.value} ${tickText(table.at(row.value, channel.value))}`, 360, 322));
    };
}

async function clocksView(stage) {
    const d = 16;
    const table = await matrixOf("sinusoid", { d: String(d), len: "64" });
    const position = stage.slider("position", 0, 63, 3);
    const other = stage.slider("other", 0, 63, 60);
    let channel = 4;
    stage.playButton(position);
    stage.svg.addEventListener("pointerover", ({ target }) => {
        const over = target.dataset?.column;
        if (over === undefined || Number(over) === channel) return;
        channel = Number(over);
        stage.draw();
    });
    // A hand starts at twelve o'clock and moves to the right.
    const handOf = (row, pair, kind) => ({ up: table.at(row, 2 * pair + 1), right: table.at(row, 2 * pair), kind });
    stage.draw = () => {
        byId("formula").replaceChildren(formulaOf(waveFormula(channel, d)));
        const chosen = Math.floor(channel / 2);
        const bar = Array.from({ length: 41 }, (_, i) => makeSvg("rect", {
            x: 60 + i * 4, y: 250, width: 4.4, height: 10, fill: warmth(i / 20 - 1),
        }));
        stage.show(WIDTH, 442, stage.texts.picture,
            ...cells(table, {
                left: 60, top: 10, width: 164, height: 220, column: channel, colour: warmth,
            }),
            ...[[other, "k"], [position, "q"]].map(([{ value }, kind]) => makeSvg("rect", {
                class: `outline ${kind}`, x: 60, y: 10 + value * 220 / 64, width: 164, height: 220 / 64,
            })),
            label(stage.texts.positions, 50, 120, { "text-anchor": "middle", transform: "rotate(-90 50 120)" }),
            ...bar, ...[[-1, 60], [0, 142], [1, 224]].map(([value, x]) => label(tickText(value), x, 275,
                { class: "tick", "text-anchor": "middle" })),
            ...Array.from({ length: d / 2 }, (_, i) => {
                const x = 300 + (i % 4) * 146;
                const y = 64 + Math.floor(i / 4) * 138;
                return makeSvg("g", { class: i === chosen ? "chosen" : "" },
                    ...clock(x, y, 48, [handOf(other.value, i, "k"), handOf(position.value, i, "q")]),
                    makeSvg("circle", { class: "cover", cx: x, cy: y, r: 54, "data-column": 2 * i }),
                    label(`${2 * i}, ${2 * i + 1}`, x, y + 66, { class: "tick", "text-anchor": "middle" }));
            }),
            ...drawWave(stage, table, channel,
                [{ row: other.value, kind: "k" }, { row: position.value, kind: "q" }], { top: 310, height: 90 }),
            label(`${stage.texts.wavelength} ${tickText(wavelengthOf(channel, d))}`, WIDTH - 20, 302,
                { "text-anchor": "end" }));
    };
}

function dotProduct(a, b) {
    return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

async function distanceView(stage) {
    const table = await matrixOf("sinusoid", { d: "64", len: "80" });
    const query = stage.slider("query", 20, 59, 30);
    const other = stage.slider("other", 20, 59, 45);
    stage.playButton(query);
    const distances = Array.from({ length: 41 }, (_, i) => i - 20);
    const products = (position) => distances.map((distance) =>
        dotProduct(table.row(position), table.row(position + distance)));
    stage.draw = () => {
        const box = { left: 60, top: 40, width: WIDTH - 80, height: 270 };
        const plot = plotAxes(box, { low: -20, high: 20, name: stage.texts.distance },
            { low: 0, high: 32, name: stage.texts.product });
        const curves = [query, other].map(({ value }) => products(value));
        const apart = Math.max(...curves[0].map((value, i) => Math.abs(value - curves[1][i])));
        const x = (i) => plot.x(distances[i]);
        stage.show(WIDTH, 400, stage.texts.picture, ...plot.nodes,
            curveOf(curves[0], x, plot.y, { class: "curve below" }),
            curveOf(curves[1], x, plot.y, { class: "curve other" }),
            label(apart < 1e-5 ? stage.texts.below(query.value, other.value) : String(apart), 60, 385));
    };
}

// What the score depends on, and the angle of a turn R.
function formulasOfRotation(pair, d) {
    return [
        formulaOf(["mrow", ["msub", "R", "m"], "q ·", ["msub", "R", "n"], "k = q ·", ["msub", "R", "n−m"], "k"]),
        formulaOf(["mrow", ["msub", "θ", "m"], "=", ["mfrac", "m", ["msup", "10000", `${2 * pair}/${d}`]]]),
    ];
}

async function rotationView(stage) {
    const pairs = 8;
    const settings = { d: String(2 * pairs), len: "64", layout: "single" };
    const [cos, sin] = await Promise.all(["cos", "sin"].map((table) =>
        matrixOf("rope", { ...settings, table })));
    const m = stage.slider("m", 0, 63, 12);
    const n = stage.slider("n", 0, 63, 7);
    const pair = stage.slider("pair", 0, pairs - 1, 1);
    stage.playButton(m, n);
    const turned = ([x, y], position, of) => {
        const [c, s] = [cos.at(position, of), sin.at(position, of)];
        return [x * c - y * s, x * s + y * c];
    };
    const q = [0.95, 0.2];
    const k = [0.6, 0.7];
    const scoreOf = (of) => dotProduct(turned(q, m.value, of), turned(k, n.value, of));
    // As on the clocks before, the first number of a pair points up and a turn goes to the right.
    // The text is `along` the arrow, at a share of its length, and `beside` it.
    const arrow = (x, y, radius, [up, right], kind, text, { along, beside }) => {
        const size = Math.hypot(up, right);
        return [
            makeSvg("line", { class: `hand ${kind}`, x1: x, y1: y, x2: x + radius * right, y2: y - radius * up }),
            makeSvg("circle", { class: `tip ${kind}`, cx: x + radius * right, cy: y - radius * up, r: 5 }),
            label(text, x + along * radius * right + beside * up / size, y - along * radius * up + beside * right / size + 5,
                { class: `label ${kind}`, "text-anchor": "middle" }),
        ];
    };
    stage.draw = () => {
        const of = pair.value;
        byId("formula").replaceChildren(...formulasOfRotation(of, 2 * pairs));
        const text = (score) => score.toFixed(4).replace("-", "−");
        const sum = Array.from({ length: pairs }, (_, i) => scoreOf(i)).reduce((a, b) => a + b);
        stage.show(WIDTH, 430, stage.texts.picture,
            ...clock(180, 150, 115, []),
            ...[[q, "q"], [k, "k"]].flatMap(([vector, name]) =>
                arrow(180, 150, 115, vector, "faint", name, { along: 0.72, beside: 13 })),
            ...[[q, m, "q", "Rₘq"], [k, n, "k", "Rₙk"]].flatMap(([vector, { value }, kind, name]) =>
                arrow(180, 150, 115, turned(vector, value, of), kind, name, { along: 1.18, beside: 0 })),
            label(`${stage.texts.score} ${text(scoreOf(of))}`, 400, 80, { class: "number left" }),
            label(`${stage.texts.sum} ${text(sum)}`, 400, 116),
            ...stage.texts.below(String(n.value - m.value).replace("-", "−")).map((line, i) =>
                label(line, 400, 154 + 24 * i)),
            label(stage.texts.strip, 60, 322),
            ...Array.from({ length: pairs }, (_, i) => makeSvg("g", { class: i === of ? "chosen" : "" },
                ...clock(90 + i * 97, 370, 34, [[q, m, "q"], [k, n, "k"]].map(([vector, { value }, kind]) => {
                    const [up, right] = turned(vector, value, i);
                    return { up, right, kind };
                })),
                label(`${i}: ${scoreOf(i).toFixed(2).replace("-", "−")}`, 90 + i * 97, 424,
                    { class: "tick", "text-anchor": "middle" }))));
    };
}

const SCALINGS = ["none", "linear", "ntk", "yarn", "llama3"];

async function scalingView(stage) {
    const trained = 4096;
    const factor = stage.slider("factor", 1, 4, 2, (power) => String(2 ** power));
    const chosen = stage.choice("scaling", SCALINGS);
    chosen.value = "yarn";
    const lengthsOf = async (scaling, times) => {
        const more = scaling === "none" ? {} : { scaling, factor: String(times) };
        if (["yarn", "llama3"].includes(scaling)) more["original-max-position-embeddings"] = String(trained);
        return (await matrixOf("rope", { d: "64", table: "wavelengths", ...more })).column(0);
    };
    let wanted = 0;
    stage.draw = async () => {
        const own = ++wanted;
        const times = 2 ** factor.value;
        const all = await Promise.all(SCALINGS.map((scaling) => lengthsOf(scaling, times)));
        if (own !== wanted) return;
        // Turns at the end of the training texts, and at the end of a text that is longer by the factor.
        const seen = all[0].map((length) => trained / length);
        const turns = all.map((lengths) => lengths.map((length) => times * trained / length));
        const first = seen.findIndex((count) => count < 1);
        const excess = turns[SCALINGS.indexOf(chosen.value)].slice(first).map((count, i) => count / seen[first + i]);
        const box = { left: 70, top: 40, width: WIDTH - 220, height: 310 };
        const plot = plotAxes(box, { low: 0, high: 31, name: stage.texts.pairs },
            { low: -1.5, high: 5, name: stage.texts.turns, ticks: [-1, 0, 1, 2, 3, 4, 5] },
            (power) => power < 4 ? String(10 ** power) : `${10 ** (power - 3)} 000`);
        const y = (count) => plot.y(Math.log10(count));
        const unseen = [
            ...seen.slice(first).map((count, i) => `${plot.x(first + i)} ${y(count)}`),
            `${plot.x(31)} ${box.top}`, `${plot.x(first)} ${box.top}`,
        ];
        stage.show(WIDTH, 430, stage.texts.picture,
            makeSvg("path", { class: "unseen", d: `M${unseen.join("L")}Z` }),
            ...plot.nodes,
            label(stage.texts.unseen, plot.x(31) - 6, box.top + 18, { "text-anchor": "end" }),
            ...turns.map((counts, i) => curveOf(counts, plot.x, y,
                { class: `curve series-${i}${SCALINGS[i] === chosen.value ? " wide" : ""}` })),
            curveOf(seen, plot.x, y, { class: "curve trained" }),
            ...SCALINGS.flatMap((scaling, i) => [
                makeSvg("line", {
                    class: `curve series-${i}${scaling === chosen.value ? " wide" : ""}`,
                    x1: WIDTH - 140, x2: WIDTH - 112, y1: 60 + 26 * i, y2: 60 + 26 * i,
                }),
                label(scaling, WIDTH - 104, 65 + 26 * i)]),
            makeSvg("line", { class: "curve trained", x1: WIDTH - 140, x2: WIDTH - 112, y1: 200, y2: 200 }),
            label(stage.texts.trained, WIDTH - 104, 205),
            label(stage.texts.below(chosen.value, excess.filter((times) => times > 1.01).length, 32 - first,
                tickText(Math.max(...excess), 3)), box.left, 422));
    };
}

function softmax(scores) {
    const largest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - largest));
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
}

async function biasView(stage) {
    const { words } = stage.texts;
    const count = words.length;
    const settings = { heads: "8", len: String(count) };
    const [table, slopes] = await Promise.all([
        matrixOf("alibi", { ...settings, table: "row" }), matrixOf("alibi", { ...settings, table: "slopes" })]);
    const head = stage.slider("head", 0, 7, 1);
    const scores = [0.4, 2.1, 0.3, 0.2, 0.9, 0.1, 0.6, 1.2];
    const rowOf = (y, name, numbers) => [
        label(name, 6, y + 5),
        ...numbers.map((number, i) => label(number.toFixed(3).replace("-", "−"), 196 + i * 86, y + 5,
            { class: "cell-number", "text-anchor": "middle" })),
    ];
    stage.draw = () => {
        const bias = table.row(head.value);
        const sums = scores.map((score, i) => score + bias[i]);
        const [before, after] = [softmax(scores), softmax(sums)];
        const bars = (y, weights, kind) => weights.map((weight, i) => makeSvg("rect", {
            class: `bar ${kind}`, x: 170 + i * 86, width: 52, y: y - 110 * weight, height: 110 * weight,
        }));
        stage.show(WIDTH, 400, stage.texts.picture,
            ...words.map((word, i) => label(word, 196 + i * 86, 24, { class: "word", "text-anchor": "middle" })),
            ...rowOf(60, stage.texts.scores, scores),
            ...rowOf(90, stage.texts.bias(`1/${1 / slopes.at(head.value, 0)}`), bias),
            ...rowOf(120, stage.texts.sums, sums),
            makeSvg("line", { class: "scale", x1: 6, x2: WIDTH - 10, y1: 104, y2: 104 }),
            label(stage.texts.before, 6, 240), ...bars(250, before, "k"), ...rowOf(266, "", before),
            label(stage.texts.after, 6, 370), ...bars(378, after, "q"), ...rowOf(394, "", after));
    };
}

async function bucketsView(stage) {
    const length = 200;
    const table = await matrixOf("t5", { len: String(length), table: "bucket" });
    const distance = stage.slider("distance", 0, length - 1, 20);
    const buckets = table.row(length - 1).reverse();
    const lastBucket = buckets.at(-1);
    stage.draw = () => {
        const box = { left: 60, top: 40, width: WIDTH - 80, height: 210 };
        const plot = plotAxes(box, { low: 0, high: length - 1, name: stage.texts.distance },
            { low: 0, high: 16, name: stage.texts.bucket });
        const here = buckets[distance.value];
        const first = buckets.indexOf(here);
        const last = buckets.lastIndexOf(here);
        const steps = buckets.map((bucket, i) =>
            `${i ? `H${plot.x(i)}V` : `M${plot.x(0)} `}${plot.y(bucket)}`).join("");
        stage.show(WIDTH, 430, stage.texts.picture,
            makeSvg("rect", {
                class: "unseen", x: plot.x(first), width: plot.x(Math.min(last + 1, length - 1)) - plot.x(first),
                y: box.top, height: box.height,
            }),
            ...plot.nodes, makeSvg("path", { class: "curve", d: steps }),
            makeSvg("circle", { class: "dot here", cx: plot.x(distance.value), cy: plot.y(here), r: 6 }),
            label(stage.texts.below(here, first, here === lastBucket ? Infinity : last), 60, 312),
            ...stage.texts.summary.flatMap((row, i) => row.map((text, j) =>
                label(text, [60, 190, 450, 640][j], 342 + 20 * i, { class: i ? "label" : "label head" }))));
    };
}

// The steps in their order: a key of the texts, the view, and the table that the page of explore shows.
const STEPS = [
    { key: "counting", view: countingView, table: "index?len=8" },
    { key: "binary", view: binaryView, table: "binary?len=16" },
    { key: "wave", view: waveView, table: "sinusoid?d=16&len=64&plot=waves" },
    { key: "clocks", view: clocksView, table: "sinusoid?d=16&len=64" },
    { key: "distance", view: distanceView, table: "sinusoid?d=64&len=80&plot=similarity" },
    { key: "rotation", view: rotationView, table: "rope?d=16&len=64&table=cos&layout=single" },
    { key: "scaling", view: scalingView, table: "rope?d=64&table=wavelengths&scaling=yarn&factor=4&original-max-position-embeddings=4096" },
    { key: "bias", view: biasView, table: "alibi?len=8&heads=8" },
    { key: "buckets", view: bucketsView, table: "t5?len=200&table=bucket" },
];
