// What is known of one cell.

function whereText({ at }) {
    return at.map(({ axis, index, stands_for: meaning }) =>
        meaning === undefined || meaning === String(index) ? `${axis} ${index}` :
            `${axis} ${meaning} (index ${index})`).join(", ");
}

function functionText(cell) {
    if (!cell.function) return "";
    const pair = cell.pair === undefined ? "" : `, pair ${cell.pair}`;
    const partner = cell.partner === undefined ? "" : `, its partner is channel ${cell.partner}`;
    return `${cell.function}${cell.of ? ` of ${cell.of}` : ""}${pair}${partner}`;
}

// "0.9984, too small by 1.2e-9"
function heldText({ value, error }) {
    if (error === "0") return `${value}, no error`;
    if (error === "nan") return value;
    const isSmall = error.startsWith("-");
    return `${value}, too ${isSmall ? "small" : "large"} by ${shortened(error.replace(/^-/, ""))}`;
}

function arithmeticText(arithmetic) {
    if (!arithmetic) return "";
    const ulps = arithmetic.error === "0" ? "" : `, ${arithmetic.ulps.replace(/^-/, "")} ulps`;
    return heldText(arithmetic) + ulps;
}

// A number of twenty digits is more than one reads.
function shortened(text) {
    const value = Number(text);
    return text === undefined || Number.isNaN(value) ? text : String(Number(value.toPrecision(8)));
}

function unitText(text, unit) {
    return text === undefined ? "" : `${shortened(text)} ${unit}`;
}

// The same cell of the table that is compared with.
function termsOfOther({ name, value, difference }) {
    if (value === null) return [[`in ${name}`, "no such cell"]];
    return [[`in ${name}`, value], ["difference", difference]];
}

// In each dtype; dtype is that of the table. Two tables beside each other leave no room for it.
function termsOfDtypes(cell, dtype) {
    if (cell.beside) return [];
    return (cell.dtypes ?? []).map((held) =>
        [`in ${held.dtype}${held.dtype === dtype ? ", as the table has it" : ""}`, heldText(held)]);
}

function termsOfCell(cell, dtype) {
    return [
        ...(cell.beside ? termsOfOther(cell.beside) : []),
        ["function", functionText(cell)],
        ["frequency", unitText(cell.frequency, "radians per position")],
        ["wavelength", unitText(cell.wavelength, "positions")],
        ["angle", unitText(cell.angle, "radians")],
        ["float32 arithmetic", arithmeticText(cell.float32_arithmetic)],
        ...termsOfDtypes(cell, dtype),
        ["in the terminal", cell.beside ? "" : cell.command],
        ...(cell.notes ?? []).map((note) => ["note", note]),
    ];
}

function cellText(cell) {
    const other = cell.beside?.value ? `; in ${cell.beside.name} ${cell.beside.value}` : "";
    return `${whereText(cell)}: ${cell.value}${other}`;
}

function showCell(cell, dtype) {
    setText(byId("cell"), cellText(cell));
    byId("cell").title = cell.value_is ? `The value is ${cell.value_is}.` : "";
    setText(byId("cell-formula"), cell.formula ?? "");
    fillTerms(byId("cell-terms"), termsOfCell(cell, dtype));
}

function clearCell(text) {
    setText(byId("cell"), text);
    setText(byId("cell-formula"), "");
    byId("cell-terms").replaceChildren();
}
