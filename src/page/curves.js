// The values along a row or a column as a curve.

const CURVE = { width: 300, height: 170, left: 46, right: 8, top: 22, bottom: 30 };

function finiteRange(values) {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
        if (value === null || !Number.isFinite(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    if (low > high) return [0, 1];
    return low === high ? [low - 1, high + 1] : [low, high];
}

// Values that are not finite interrupt the line.
function linePath(values, xOf, yOf) {
    let path = "";
    let drawing = false;
    values.forEach((value, i) => {
        const finite = value !== null && Number.isFinite(value);
        if (finite) path += `${drawing ? "L" : "M"}${xOf(i).toFixed(2)} ${yOf(value).toFixed(2)}`;
        drawing = finite;
    });
    return path;
}

function scaleLine(attributes, label, x, y, anchor) {
    return [
        makeSvg("line", { class: "scale", ...attributes }),
        makeSvg("text", { class: "tick", x, y, "text-anchor": anchor }, label),
    ];
}

// curve: name, from, step, values, and beside: name and values of the same cells of another table,
// or nothing; label: of its axis; pinned: index on the axis.
function drawCurve(svg, curve, label, pinned) {
    const { width, height, left, right, top, bottom } = CURVE;
    const others = curve.beside?.values ?? [];
    const last = Math.max(curve.values.length - 1, 1);
    const [low, high] = finiteRange([...curve.values, ...others]);
    const end = curve.from + curve.step * last;
    const xOf = (i) => left + i / last * (width - left - right);
    const yOf = (value) => top + shareOf(value, high, low) * (height - top - bottom);
    const xOfIndex = (index) => xOf((index - curve.from) / curve.step);
    const base = height - bottom;
    const ticks = ticksBetween(low, high, 4);
    const digits = digitsOfTicks(ticks);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${curve.name}: values along ${label}, ` +
        `from ${tickText(low)} to ${tickText(high)}` +
        (curve.beside ? `; dashed: ${curve.beside.name}` : ""));
    svg.replaceChildren(
        makeSvg("text", { class: "caption", x: left, y: 13 }, curve.name),
        ...ticks.flatMap((value) => scaleLine(
            { x1: left, x2: width - right, y1: yOf(value), y2: yOf(value) },
            tickText(value, digits), left - 5, yOf(value) + 3.5, "end")),
        ...ticksBetween(curve.from, end, 5).filter(Number.isInteger).flatMap((index) => scaleLine(
            { x1: xOfIndex(index), x2: xOfIndex(index), y1: base, y2: base + 3 },
            tickText(index), xOfIndex(index), base + 14, "middle")),
        makeSvg("text", {
            class: "tick", x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle",
        }, label),
        makeSvg("line", {
            class: "pinned", x1: xOfIndex(pinned), x2: xOfIndex(pinned), y1: top, y2: base,
        }),
        makeSvg("path", { class: "curve", d: linePath(curve.values, xOf, yOf) }),
        ...(curve.beside ?
            [makeSvg("path", { class: "curve other", d: linePath(others, xOf, yOf) })] : []),
    );
}

function clearCurves(place) {
    place.replaceChildren(make("p", { class: "empty" },
        "A click pins a cell. Its row and its column are drawn here as curves."));
}

function drawCurves(place, curves, axes, at) {
    const drawings = curves.map((curve) => {
        const drawing = makeSvg("svg");
        const axis = axes[curve.axis];
        drawCurve(drawing, curve, axis?.label || axis?.name || "index", at[curve.axis]);
        return drawing;
    });
    const other = curves[0]?.beside;
    const legend = other ? [make("p", { class: "legend" }, `Dashed: ${other.name}`)] : [];
    place.replaceChildren(...drawings, ...legend);
}
