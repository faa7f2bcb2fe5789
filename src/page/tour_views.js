// The views of the tour. Each loads tables of the program, adds its controls to the stage, and gives it
// a function that draws.

const WIDTH = 860;

async function countingView(stage) {
    const table = await matrixOf("index", { len: "8" });
    const { words } = stage.texts;
    let order = words.map((_, i) => i);
    const position = stage.slider("position", 0, 7, 0);
    stage.playButton(position);
    stage.button("shuffle", () => {
        order = order.slice(3).concat(order.slice(0, 3)).reverse();
        stage.draw();
    });
    stage.draw = () => stage.show(WIDTH, 170, stage.texts.picture,
        ...order.flatMap((word, i) => {
            const x = 55 + i * 107;
            const isHere = i === position.value ? " here" : "";
            return [
                makeSvg("rect", { class: `box${isHere}`, x: x - 48, y: 30, width: 96, height: 44, rx: 6 }),
                label(words[word], x, 58, { class: "word", "text-anchor": "middle" }),
                label(String(table.at(i, 0)), x, 118, { class: `number${isHere}`, "text-anchor": "middle" }),
            ];
        }),
        label(stage.texts.below, 7, 156));
}

function cells(table, { left, top, width, height, row, column, colour }) {
    const across = width / table.columns;
    const down = height / table.rows;
    const nodes = [];
    for (let i = 0; i < table.rows; ++i) {
        for (let j = 0; j < table.columns; ++j) {
            nodes.push(makeSvg("rect", {
                x: left + j * across, y: top + i * down, width: across + 0.4, height: down + 0.4,
                fill: colour(table.at(i, j)), "data-row": i, "data-column": j,
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
                colour: (value) => value ? "var(--accent)" : "var(--raised)",
            }),
            ...Array.from({ length: 16 }, (_, i) => label(String(i), 48, 35.5 + i * 21.25,
                { class: "tick", "text-anchor": "end" })),
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

function drawWave(stage, table, channel, position, top, height) {
    const box = { left: 60, top, width: WIDTH - 80, height };
    const plot = plotAxes(box, { low: 0, high: table.rows - 1, name: stage.texts.positions },
        { low: -1, high: 1, name: `${stage.texts.channel} ${channel}` });
    const values = table.column(channel);
    return [
        ...plot.nodes,
        curveOf(values, plot.x, plot.y),
        ...values.map((value, i) => makeSvg("circle", {
            class: i === position ? "dot here" : "dot", cx: plot.x(i), cy: plot.y(value), r: i === position ? 6 : 2,
        })),
    ];
}

async function waveView(stage) {
    const d = 16;
    const table = await matrixOf("sinusoid", { d: String(d), len: "64" });
    const channel = stage.slider("channel", 0, d - 1, 4);
    const position = stage.slider("position", 0, 63, 5);
    stage.playButton(position);
    stage.draw = () => {
        byId("formula").replaceChildren(formulaOf(waveFormula(channel.value, d)));
        stage.show(WIDTH, 330, stage.texts.picture,
            ...drawWave(stage, table, channel.value, position.value, 40, 220),
            label(`${stage.texts.wavelength} ${tickText(wavelengthOf(channel.value, d))}`, 60, 322),
            label(`${stage.texts.value} ${tickText(table.at(position.value, channel.value), 7)}`, 360, 322));
    };
}

async function clocksView(stage) {
    const d = 16;
    const table = await matrixOf("sinusoid", { d: String(d), len: "64" });
    const position = stage.slider("position", 0, 63, 5);
    let channel = 4;
    stage.playButton(position);
    stage.svg.addEventListener("pointerover", ({ target }) => {
        const over = target.dataset?.column;
        if (over === undefined || Number(over) === channel) return;
        channel = Number(over);
        stage.draw();
    });
    stage.draw = () => {
        byId("formula").replaceChildren(formulaOf(waveFormula(channel, d)));
        const pair = Math.floor(channel / 2);
        stage.show(WIDTH, 590, stage.texts.picture,
            ...cells(table, {
                left: 60, top: 16, width: 220, height: 320, row: position.value, column: channel, colour: warmth,
            }),
            label(stage.texts.positions, 50, 176, { "text-anchor": "end", transform: "rotate(-90 50 176)" }),
            label(stage.texts.channels, 170, 356, { "text-anchor": "middle" }),
            ...Array.from({ length: d / 2 }, (_, i) => {
                const x = 370 + (i % 4) * 128;
                const y = 82 + Math.floor(i / 4) * 168;
                const hand = {
                    // From twelve o'clock on, to the right.
                    cos: table.at(position.value, 2 * i), sin: table.at(position.value, 2 * i + 1),
                    kind: i === pair ? "here" : "q",
                };
                return makeSvg("g", {}, ...clock(x, y, 52, [hand]),
                    makeSvg("circle", { class: "cover", cx: x, cy: y, r: 58, "data-column": 2 * i }),
                    label(`${2 * i}, ${2 * i + 1}`, x, y + 72, { class: "tick", "text-anchor": "middle" }));
            }),
            ...drawWave(stage, table, channel, position.value, 396, 130),
            label(`${stage.texts.wavelength} ${tickText(wavelengthOf(channel, d))}`, 60, 582));
    };
}

function dotProduct(a, b) {
    return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

async function distanceView(stage) {
    const table = await matrixOf("sinusoid", { d: "64", len: "80" });
    const query = stage.slider("query", 20, 59, 30);
    const other = stage.slider("other", 20, 59, 45);
    stage.playButton(query, other);
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
            label(stage.texts.below(query.value, other.value, apart.toExponential(1)), 60, 385));
    };
}

async function rotationView(stage) {
    const settings = { d: "16", len: "64", layout: "single" };
    const [cos, sin] = await Promise.all(["cos", "sin"].map((table) =>
        matrixOf("rope", { ...settings, table })));
    const m = stage.slider("m", 0, 63, 12);
    const n = stage.slider("n", 0, 63, 7);
    const pair = stage.slider("pair", 0, 7, 1);
    stage.playButton(m, n);
    const turned = ([x, y], position, of) => {
        const [c, s] = [cos.at(position, of), sin.at(position, of)];
        return [x * c - y * s, x * s + y * c];
    };
    const q = [0.95, 0.2];
    const k = [0.6, 0.7];
    const arrow = (x, y, radius, [toX, toY], kind, text) => [
        makeSvg("line", { class: `hand ${kind}`, x1: x, y1: y, x2: x + radius * toX, y2: y - radius * toY }),
        label(text, x + (radius + 18) * toX, y - (radius + 18) * toY + 5, { "text-anchor": "middle" }),
    ];
    stage.draw = () => {
        const of = pair.value;
        const [turnedQ, turnedK] = [turned(q, m.value, of), turned(k, n.value, of)];
        const score = dotProduct(turnedQ, turnedK);
        stage.show(WIDTH, 430, stage.texts.picture,
            ...clock(180, 160, 130, []),
            ...arrow(180, 160, 130, q, "faint", "q"), ...arrow(180, 160, 130, k, "faint", "k"),
            ...arrow(180, 160, 130, turnedQ, "q", "Rₘq"), ...arrow(180, 160, 130, turnedK, "k", "Rₙk"),
            label(`${stage.texts.score} ${score.toFixed(4).replace("-", "−")}`, 400, 110, { class: "number left" }),
            ...stage.texts.below(m.value - n.value).map((text, i) => label(text, 400, 150 + 24 * i)),
            label(stage.texts.strip, 60, 330),
            ...Array.from({ length: 8 }, (_, i) => makeSvg("g", { class: i === of ? "chosen" : "" },
                ...clock(90 + i * 97, 378, 34, [
                    { cos: cos.at(m.value, i), sin: sin.at(m.value, i), kind: "q" },
                    { cos: cos.at(n.value, i), sin: sin.at(n.value, i), kind: "k" },
                ]),
                label(String(i), 90 + i * 97, 428, { class: "tick", "text-anchor": "middle" }))));
    };
}

const SCALINGS = ["none", "linear", "ntk", "yarn", "llama3"];

async function scalingView(stage) {
    const trained = 4096;
    const factor = stage.slider("factor", 1, 4, 2, (power) => String(2 ** power));
    const chosen = stage.choice("scaling", SCALINGS, () => stage.draw());
    chosen.value = "yarn";
    const lengthsOf = async (scaling, times) => {
        const more = scaling === "none" ? {} : { scaling, factor: String(times) };
        if (["yarn", "llama3"].includes(scaling)) more["original-max-position-embeddings"] = String(trained);
        return (await matrixOf("rope", { d: "64", table: "wavelengths", ...more })).column(0);
    };
    let wanted = 0;
    stage.draw = async () => {
        const own = ++wanted;
        const all = await Promise.all(SCALINGS.map((scaling) => lengthsOf(scaling, 2 ** factor.value)));
        if (own !== wanted) return;
        const powers = all.map((lengths) => lengths.map(Math.log10));
        const box = { left: 70, top: 40, width: WIDTH - 220, height: 320 };
        const plot = plotAxes(box, { low: 0, high: 31, name: stage.texts.pairs },
            { low: 0.5, high: 6.5, name: stage.texts.wavelength, ticks: [1, 2, 3, 4, 5, 6] },
            (power) => tickText(10 ** power));
        const limit = plot.y(Math.log10(trained));
        stage.show(WIDTH, 420, stage.texts.picture,
            makeSvg("rect", { class: "unseen", x: box.left, y: box.top, width: box.width, height: limit - box.top }),
            ...plot.nodes,
            makeSvg("line", { class: "pinned", x1: box.left, x2: box.left + box.width, y1: limit, y2: limit }),
            label(stage.texts.trained, box.left + 6, limit - 6),
            ...powers.map((values, i) => curveOf(values, plot.x, plot.y,
                { class: `curve series-${i}${SCALINGS[i] === chosen.value ? " wide" : ""}` })),
            ...SCALINGS.flatMap((scaling, i) => [
                makeSvg("line", {
                    class: `curve series-${i}${scaling === chosen.value ? " wide" : ""}`,
                    x1: WIDTH - 140, x2: WIDTH - 112, y1: 60 + 26 * i, y2: 60 + 26 * i,
                }),
                label(scaling, WIDTH - 104, 65 + 26 * i)]),
            label(`${SCALINGS[0]}: ${stage.texts.turns(turnsOf(all[0], trained))}`, box.left, 412));
    };
}

function turnsOf(lengths, trained) {
    return lengths.filter((length) => length > trained).length;
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
    const table = await matrixOf("alibi", { heads: "8", len: String(count), table: "row" });
    const head = stage.slider("head", 0, 7, 1);
    const scores = [0.4, 2.1, 0.3, 0.2, 0.9, 0.1, 0.6, 1.2];
    const rowOf = (y, name, numbers, textOf) => [
        label(name, 6, y + 5),
        ...numbers.map((number, i) => label(textOf(number), 196 + i * 86, y + 5,
            { class: "cell-number", "text-anchor": "middle" })),
    ];
    const text = (number) => number.toFixed(2).replace("-", "−");
    stage.draw = () => {
        const bias = table.row(head.value);
        const sums = scores.map((score, i) => score + bias[i]);
        const [before, after] = [softmax(scores), softmax(sums)];
        const bars = (y, weights, kind) => weights.map((weight, i) => makeSvg("rect", {
            class: `bar ${kind}`, x: 170 + i * 86, width: 52, y: y - 110 * weight, height: 110 * weight,
        }));
        stage.show(WIDTH, 400, stage.texts.picture,
            ...words.map((word, i) => label(word, 196 + i * 86, 24, { class: "word", "text-anchor": "middle" })),
            ...rowOf(60, stage.texts.scores, scores, text),
            ...rowOf(90, stage.texts.bias, bias, text),
            ...rowOf(120, stage.texts.sums, sums, text),
            makeSvg("line", { class: "scale", x1: 6, x2: WIDTH - 10, y1: 104, y2: 104 }),
            label(stage.texts.before, 6, 240), ...bars(250, before, "k"),
            ...rowOf(266, "", before, text),
            label(stage.texts.after, 6, 370), ...bars(378, after, "q"),
            ...rowOf(394, "", after, text));
    };
}

async function bucketsView(stage) {
    const length = 200;
    const table = await matrixOf("t5", { len: String(length), table: "bucket" });
    const distance = stage.slider("distance", 0, length - 1, 20);
    stage.playButton(distance);
    const buckets = table.row(length - 1).reverse();
    stage.draw = () => {
        const box = { left: 60, top: 40, width: WIDTH - 80, height: 260 };
        const plot = plotAxes(box, { low: 0, high: length - 1, name: stage.texts.distance },
            { low: 0, high: 16, name: stage.texts.bucket });
        const here = buckets[distance.value];
        const same = buckets.map((bucket, i) => bucket === here ? i : -1).filter((i) => i >= 0);
        const [first, last] = [same[0], same.at(-1)];
        const steps = buckets.map((bucket, i) =>
            `${i ? `H${plot.x(i)}V` : `M${plot.x(0)} `}${plot.y(bucket)}`).join("");
        stage.show(WIDTH, 385, stage.texts.picture,
            makeSvg("rect", {
                class: "unseen", x: plot.x(first), width: Math.max(plot.x(last) - plot.x(first), 2),
                y: box.top, height: box.height,
            }),
            ...plot.nodes, makeSvg("path", { class: "curve", d: steps }),
            makeSvg("circle", { class: "dot here", cx: plot.x(distance.value), cy: plot.y(here), r: 6 }),
            label(stage.texts.below(here, first, last), 60, 372));
    };
}

// The steps in their order: a key of the texts, the view, and the table that the page of explore shows.
const STEPS = [
    { key: "counting", view: countingView, table: "index?len=8" },
    { key: "binary", view: binaryView, table: "binary?len=16" },
    { key: "wave", view: waveView, table: "sinusoid?d=16&len=64&plot=waves" },
    { key: "clocks", view: clocksView, table: "sinusoid?d=16&len=64" },
    { key: "distance", view: distanceView, table: "sinusoid?d=64&len=80&plot=similarity" },
    { key: "rotation", view: rotationView, table: "rope?d=16&len=64&table=cos" },
    { key: "scaling", view: scalingView, table: "rope?d=64&table=wavelengths" },
    { key: "bias", view: biasView, table: "alibi?len=8&heads=8" },
    { key: "buckets", view: bucketsView, table: "t5?len=200&table=bucket" },
];
