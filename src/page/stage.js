// The place where a step of the tour draws: its tables, its controls and a picture.

const TURN = 2 * Math.PI;
const PLAY_DELAY = 320;

// Tables that were asked for: they never change.
const tables = new Map();

async function matrixOf(name, settings) {
    const address = addressOf("values", { name, settings });
    if (!tables.has(address)) tables.set(address, askForFrame(address));
    const { head, bytes } = await tables.get(address);
    const columns = head.shape.length > 1 ? head.shape.at(-1) : 1;
    const { numbers } = decodeElements(bytes, head.dtype);
    return {
        columns, rows: numbers.length / columns,
        at: (row, column) => numbers[row * columns + column],
        row: (row) => Array.from(numbers.slice(row * columns, (row + 1) * columns)),
        column: (column) => Array.from({ length: numbers.length / columns },
            (_, row) => numbers[row * columns + column]),
    };
}

class Stage {
    // texts: the words of the controls of this step.
    constructor(texts) {
        this.texts = texts;
        this.controls = [];
        this.timer = 0;
        this.svg = makeSvg("svg", { role: "img" });
        this.draw = () => {};
    }

    // A picture of this size in its own units, read out as `label`.
    show(width, height, label, ...nodes) {
        this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        this.svg.setAttribute("aria-label", label);
        this.svg.replaceChildren(...nodes);
    }

    // A slider with its value behind it; what it is set to is its `value`.
    slider(name, low, high, value, textOf = String) {
        const id = `control-${name}`;
        const input = make("input", { type: "range", id, min: low, max: high, step: 1, value });
        const output = make("output", { for: id });
        const control = {
            get value() { return Number(input.value); },
            set value(value) {
                input.value = value;
                control.refresh();
            },
            low, high,
            refresh: () => {
                setText(output, textOf(control.value));
                input.setAttribute("aria-valuetext", output.textContent);
            },
        };
        input.addEventListener("input", () => {
            this.pause();
            control.refresh();
            this.draw();
        });
        control.refresh();
        this.controls.push(make("label", { for: id }, this.texts[name], input, output));
        return control;
    }

    // A word among several.
    choice(name, words) {
        const id = `control-${name}`;
        const select = make("select", { id }, ...words.map((word) => make("option", {}, word)));
        select.addEventListener("change", () => this.draw());
        this.controls.push(make("label", { for: id }, this.texts[name], select));
        return select;
    }

    button(name, press) {
        this.controls.push(make("button", { type: "button", onclick: press }, this.texts[name]));
    }

    // A button that moves the sliders on, from the end to the beginning.
    playButton(...sliders) {
        this.player = make("button", { type: "button", class: "play" }, this.texts.play);
        this.player.addEventListener("click", () => this.timer ? this.pause() : this.play(sliders));
        this.controls.unshift(this.player);
    }

    play(sliders) {
        setText(this.player, this.texts.pause);
        this.timer = setInterval(() => {
            const isOver = sliders.some(({ value, high }) => value >= high);
            const least = Math.min(...sliders.map(({ value, low }) => value - low));
            for (const slider of sliders) slider.value += isOver ? -least : 1;
            this.draw();
        }, PLAY_DELAY);
    }

    pause() {
        clearInterval(this.timer);
        this.timer = 0;
        if (this.player) setText(this.player, this.texts.play);
    }
}

// The colour of a value from -1 to 1: blue, white, red.
function warmth(value) {
    const share = Math.min(Math.max(value, -1), 1);
    const mix = (end) => Math.round(246 + Math.abs(share) * (end - 246));
    const [red, green, blue] = share < 0 ? [59, 100, 192] : [192, 60, 50];
    return `rgb(${mix(red)} ${mix(green)} ${mix(blue)})`;
}

function label(text, x, y, attributes = {}) {
    return makeSvg("text", { x, y, class: "label", ...attributes }, text);
}

// Axes with round numbers. box: left, top, width, height; across and up: low, high, name.
function plotAxes(box, across, up, upText = tickText) {
    const x = (value) => box.left + shareOf(value, across.low, across.high) * box.width;
    const y = (value) => box.top + shareOf(value, up.high, up.low) * box.height;
    const base = box.top + box.height;
    const nodes = [
        ...(up.ticks ?? ticksBetween(up.low, up.high, 4)).flatMap((value) => [
            makeSvg("line", { class: "scale", x1: box.left, x2: box.left + box.width, y1: y(value), y2: y(value) }),
            label(upText(value), box.left - 6, y(value) + 4, { class: "tick", "text-anchor": "end" })]),
        ...ticksBetween(across.low, across.high, 8).filter(Number.isInteger).map((value) =>
            label(tickText(value), x(value), base + 16, { class: "tick", "text-anchor": "middle" })),
        label(across.name, box.left + box.width / 2, base + 34, { "text-anchor": "middle" }),
        label(up.name, box.left, box.top - 8),
    ];
    return { x, y, nodes };
}

function curveOf(values, x, y, attributes = {}) {
    return makeSvg("path", { class: "curve", d: linePath(values, x, y), ...attributes });
}

// A clock whose hands reach `up` and `right` of its middle.
function clock(x, y, radius, hands) {
    return [
        makeSvg("circle", { class: "dial", cx: x, cy: y, r: radius }),
        ...hands.map(({ up, right, kind }) => makeSvg("line", {
            class: `hand ${kind}`, x1: x, y1: y, x2: x + radius * right, y2: y - radius * up,
        })),
    ];
}

// A formula as MathML: ["mfrac", "p", ["msup", "10000", "2i/d"]].
function mathOf(part) {
    const makeMath = (tag, ...children) => {
        const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
        element.append(...children);
        return element;
    };
    if (typeof part !== "string") return makeMath(part[0], ...part.slice(1).map(mathOf));
    const pieces = part.match(/[A-Za-zπθ]+|[\d.]+|[^\sA-Za-zπθ\d.]/g) ?? [];
    const kindOf = (piece) => /^[\d.]/.test(piece) ? "mn" : /^[A-Za-zπθ]/.test(piece) ? "mi" : "mo";
    return makeMath("mrow", ...pieces.map((piece) =>
        addAttributes(makeMath(kindOf(piece), piece), { stretchy: kindOf(piece) === "mo" && "false" })));
}

function formulaOf(part) {
    const math = document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");
    math.setAttribute("display", "block");
    math.append(mathOf(part));
    return math;
}
