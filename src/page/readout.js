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

function arithmeticText(arithmetic) {
    if (!arithmetic) return "";
    return `${arithmetic.value}, off by ${arithmetic.error} (${arithmetic.ulps} ulps)`;
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

// dtype: that of the table.
function termsOfCell(cell, dtype) {
    return [
        ...(cell.beside ? termsOfOther(cell.beside) : []),
        ["function", functionText(cell)],
        ["frequency", unitText(cell.frequency, "radians per position")],
        ["wavelength", unitText(cell.wavelength, "positions")],
        ["angle", unitText(cell.angle, "radians")],
        ["float32 arithmetic", arithmeticText(cell.float32_arithmetic)],
        ...(cell.dtypes ?? []).map(({ dtype: name, value, error }) =>
            [`in ${name}${name === dtype ? ", as the table has it" : ""}`,
                `${value}, error ${shortened(error)}`]),
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
