// The page of one table.

function sectionOf(heading, text, tag) {
    if (!text) return [];
    return [make("h2", {}, heading), make(tag, tag === "pre" ? { tabindex: "0" } : {}, text)];
}

function describeTable(head) {
    setText(byId("command"), head.command);
    byId("about").replaceChildren(
        ...sectionOf("Note", head.note, "p"),
        ...sectionOf("Formula", head.formula, "pre"),
        ...sectionOf("Source", head.source, "p"));
    setText(byId("made"), `Made by pe-gen ${head.version}: ${head.shape.join(" x ")} values, ` +
        `${head.dtype}, each in full.`);
}

class TablePage {
    constructor(head, elements) {
        this.head = head;
        this.elements = elements;
        this.leading = head.shape.slice(0, -2).map(() => 0);
        this.cell = null;
        this.pinned = false;
        this.palette = paletteOf(head.colours);
        this.heatmap = new Heatmap(byId("values"), {
            onCell: (cell) => this.pinned || this.point(cell),
            onPin: (cell) => this.pin(cell),
        });
        listenToKeys(byId("stage"), {
            move: (rows, columns) => this.moveCell(rows, columns),
            pin: () => this.cell && this.pin(this.cell),
            unpin: () => this.unpin(),
            zoom: (factor) => this.heatmap.zoomAtMark(factor),
            fit: () => this.heatmap.fit(),
        });
        connectZoom(byId("zoom"), this.heatmap, () => head.axes, () => this.leading);
        fillColourBar(byId("colour-bar"), head);
        byId("leading").replaceChildren(...this.leadingFields());
        clearCurves(byId("curves"));
        this.showMatrix();
    }

    leadingFields() {
        return this.leading.map((index, axis) => {
            const { name, size } = this.head.axes[axis];
            const field = make("input", { type: "number", min: 0, max: size - 1, value: index });
            field.addEventListener("input", () => this.select(axis, field));
            return make("label", {}, `${name || `axis ${axis}`} `, field, ` of ${size}`);
        });
    }

    select(axis, field) {
        if (!field.validity.valid || field.value === "") return;
        this.leading[axis] = Number(field.value);
        this.showMatrix();
        if (this.cell) this.point(this.cell);
        if (this.pinned) this.pin(this.cell);
    }

    showMatrix() {
        const { shape, limits } = this.head;
        this.matrix = matrixOf(shape, ravel(this.leading, shape));
        this.heatmap.show({ ...this.matrix, numbers: this.elements.numbers }, this.palette, limits);
    }

    indicesOf({ row, column }) {
        return this.head.shape.length > 1 ? [...this.leading, row, column] : [column];
    }

    textOf(cell) {
        const indices = this.indicesOf(cell);
        const value = this.elements.textAt(ravel(indices, this.head.shape));
        return `${describeCell(this.head.axes, indices)}: ${value}`;
    }

    point(cell) {
        this.cell = cell;
        setText(byId("cell"), this.textOf(cell));
        this.heatmap.mark(cell, this.pinned);
    }

    moveCell(rows, columns) {
        const within = (index, size) => Math.min(Math.max(index, 0), size - 1);
        const { row, column } = this.cell ?? { row: -rows, column: -columns };
        const cell = {
            row: within(row + rows, this.matrix.rows),
            column: within(column + columns, this.matrix.columns),
        };
        if (this.pinned) this.pin(cell);
        else this.point(cell);
        this.heatmap.reveal(cell);
        setText(byId("status"), this.textOf(cell));
    }

    pin(cell) {
        this.pinned = true;
        this.point(cell);
        setText(byId("status"), `Pinned: ${this.textOf(cell)}`);
        drawCurves(byId("curves"), this.curvesThrough(cell), this.head.axes, this.indicesOf(cell));
    }

    unpin() {
        this.pinned = false;
        clearCurves(byId("curves"));
        this.heatmap.mark(this.cell, false);
    }

    curvesThrough(cell) {
        const { rows, columns, base } = this.matrix;
        const axes = this.head.axes;
        const last = axes.length - 1;
        const alongRow = Array.from({ length: columns },
            (_, column) => this.elements.numbers[base + cell.row * columns + column]);
        const along = (axis, name, values) => ({ axis, name, from: 0, step: 1, values });
        if (last === 0) return [along(0, "all values", alongRow)];
        const alongColumn = Array.from({ length: rows },
            (_, row) => this.elements.numbers[base + row * columns + cell.column]);
        return [
            along(last - 1, describeIndex(axes[last], cell.column), alongColumn),
            along(last, describeIndex(axes[last - 1], cell.row), alongRow),
        ];
    }
}

function startTable() {
    const head = JSON.parse(byId("head").textContent);
    const bytes = bytesOfBase64(byId("elements").textContent);
    describeTable(head);
    new TablePage(head, decodeElements(bytes.buffer, head.dtype));
}

startTable();
