// The axes of a table, and where a cell is on them.

function unravel(flat, shape) {
    const indices = new Array(shape.length);
    for (let axis = shape.length - 1; axis >= 0; --axis) {
        indices[axis] = flat % shape[axis];
        flat = Math.floor(flat / shape[axis]);
    }
    return indices;
}

function ravel(indices, shape) {
    return indices.reduce((flat, index, axis) => flat * shape[axis] + index, 0);
}

function isWithin(indices, shape) {
    return indices.length === shape.length &&
        indices.every((index, axis) => index >= 0 && index < shape[axis]);
}

// The last two axes are drawn as a matrix; `leading` counts the matrices along the axes before.
function matrixOf(shape, leading = 0) {
    const columns = shape.at(-1) ?? 1;
    const rows = shape.at(-2) ?? 1;
    return { rows, columns, base: leading * rows * columns };
}

function matricesIn(shape) {
    return shape.slice(0, -2).reduce((product, size) => product * size, 1);
}

// Twelve digits hide the rounding of start + step * index.
function positionOn(axis, index) {
    const before = axis.rows_before ?? 0;
    if (index < before) return null;
    const positions = axis.positions;
    if (Array.isArray(positions)) return positions[index - before];
    const { start, step } = positions ?? { start: 0, step: 1 };
    return Number((Number(start) + Number(step) * (index - before)).toPrecision(12));
}

// What an index stands for: a name, a position, or "" for rows without one.
function standsFor(axis, index) {
    if (axis.index_names?.length) return axis.index_names[index] ?? "";
    const position = positionOn(axis, index);
    return position === null ? "" : String(position);
}

function describeIndex(axis, index) {
    const meaning = standsFor(axis, index);
    const name = axis.name || "index";
    if (meaning === String(index)) return `${name} ${index}`;
    return meaning === "" ? `${name}: row ${index}, before the first` :
        `${name} ${meaning} (index ${index})`;
}

function describeCell(axes, indices) {
    return axes.map((axis, i) => describeIndex(axis, indices[i])).join(", ");
}
