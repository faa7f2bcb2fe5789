// The view of the values: the table itself on a canvas.

class ValuesView {
    constructor({ onCell, onPin }) {
        this.heatmap = new Heatmap(byId("values"), {
            onCell: (cell) => onCell(this.indicesOf(cell), this.textOf(cell)),
            onPin: (cell) => onPin(this.indicesOf(cell)),
        });
        this.head = null;
        this.leading = 0;
        connectZoom(byId("zoom"), this.heatmap, () => this.head.axes,
            () => unravel(this.leading, this.head.shape.slice(0, -2)));
    }

    show(head, bytes, leading) {
        this.head = head;
        this.elements = decodeElements(bytes, head.dtype);
        this.palette = paletteOf(head.colours);
        fillColourBar(byId("colour-bar"), head);
        this.showMatrix(leading);
    }

    // leading: which matrix, counted along the axes before the last two.
    showMatrix(leading) {
        if (!this.head) return;
        this.leading = Math.min(leading, matricesIn(this.head.shape) - 1);
        this.matrix = matrixOf(this.head.shape, this.leading);
        this.heatmap.show({ ...this.matrix, numbers: this.elements.numbers }, this.palette,
            this.head.limits);
    }

    indicesOf({ row, column }) {
        const flat = this.matrix.base + row * this.matrix.columns + column;
        return unravel(flat, this.head.shape);
    }

    cellOf(indices) {
        if (!this.head || !indices || !isWithin(indices, this.head.shape)) return null;
        const flat = ravel(indices, this.head.shape) - this.matrix.base;
        if (flat < 0 || flat >= this.matrix.rows * this.matrix.columns) return null;
        return { row: Math.floor(flat / this.matrix.columns), column: flat % this.matrix.columns };
    }

    textOf(cell) {
        const { base, columns } = this.matrix;
        return this.elements.textAt(base + cell.row * columns + cell.column);
    }

    mark(indices, lines) {
        if (this.head) this.heatmap.mark(this.cellOf(indices), lines);
    }

    reveal(indices) {
        const cell = this.cellOf(indices);
        if (cell) this.heatmap.reveal(cell);
    }

    moved(indices, rows, columns) {
        if (!this.head) return null;
        const cell = this.cellOf(indices);
        const within = (index, size) => Math.min(Math.max(index, 0), size - 1);
        const next = cell ? {
            row: within(cell.row + rows, this.matrix.rows),
            column: within(cell.column + columns, this.matrix.columns),
        } : { row: 0, column: 0 };
        this.heatmap.reveal(next);
        return this.indicesOf(next);
    }
}
