// A heatmap on a canvas that can be zoomed and dragged.

const SMALLEST_VIEW = 3;
const DRAG_DISTANCE = 4;
const TRANSPARENT = 0;

// The cells that one line of pixels covers: [first, last) for each pixel.
function cellsOfPixels(start, span, pixels, cells) {
    const bounds = new Int32Array(2 * pixels);
    for (let i = 0; i < pixels; ++i) {
        const first = Math.floor(start + i * span / pixels);
        const last = Math.floor(start + (i + 1) * span / pixels);
        bounds[2 * i] = Math.min(Math.max(first, 0), cells - 1);
        bounds[2 * i + 1] = Math.min(Math.max(last, bounds[2 * i] + 1), cells);
    }
    return bounds;
}

// The mean of the finite values, or NaN if there are none.
function meanOf(matrix, top, bottom, left, right) {
    let sum = 0;
    let count = 0;
    for (let row = top; row < bottom; ++row) {
        const start = matrix.base + row * matrix.columns;
        for (let i = start + left; i < start + right; ++i) {
            const value = matrix.numbers[i];
            if (!Number.isFinite(value)) continue;
            sum += value;
            ++count;
        }
    }
    return sum / count;
}

function colourOf(value, palette, [low, high]) {
    if (Number.isNaN(value)) return TRANSPARENT;
    const index = Math.floor(shareOf(value, low, high) * palette.length);
    return palette[Math.min(Math.max(index, 0), palette.length - 1)];
}

class Heatmap {
    // onCell(row, column) when the pointer is over another cell, onPin(row, column) on a click.
    constructor(canvas, { onCell, onPin }) {
        this.canvas = canvas;
        this.onCell = onCell;
        this.onPin = onPin;
        this.matrix = null;
        this.marked = null;
        this.pointers = new Map();
        this.dragged = false;
        this.painting = false;
        new ResizeObserver(() => this.paintSoon()).observe(canvas);
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("pointerdown", (event) => this.pointerDown(event));
        canvas.addEventListener("pointermove", (event) => this.pointerMove(event));
        canvas.addEventListener("pointerup", (event) => this.pointerUp(event));
        canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    }

    // matrix: numbers, base, rows, columns. The view stays if the matrix has the same size.
    show(matrix, palette, limits) {
        const same = this.matrix && this.matrix.rows === matrix.rows &&
            this.matrix.columns === matrix.columns;
        this.matrix = matrix;
        this.palette = palette;
        this.limits = limits;
        if (!same) this.view = this.wholeView();
        this.paintSoon();
    }

    wholeView() {
        return { left: 0, top: 0, across: this.matrix.columns, down: this.matrix.rows };
    }

    fit() {
        if (!this.matrix) return;
        this.view = this.wholeView();
        this.paintSoon();
    }

    // x and y are fractions of the canvas; what is there stays there.
    zoom(factor, x = 0.5, y = 0.5) {
        if (!this.matrix) return;
        const { left, top, across, down } = this.view;
        const limit = (span, all) => Math.min(Math.max(span, Math.min(SMALLEST_VIEW, all)), all);
        const newAcross = limit(across / factor, this.matrix.columns);
        const newDown = limit(down / factor, this.matrix.rows);
        this.view = {
            left: left + x * (across - newAcross), top: top + y * (down - newDown),
            across: newAcross, down: newDown,
        };
        this.move(0, 0);
    }

    // Without a pointer the marked cell stays where it is, or the middle.
    zoomAtMark(factor) {
        const fraction = (index, start, span) => {
            const part = (index + 0.5 - start) / span;
            return part >= 0 && part <= 1 ? part : 0.5;
        };
        if (!this.marked) this.zoom(factor);
        else this.zoom(factor, fraction(this.marked.column, this.view.left, this.view.across),
            fraction(this.marked.row, this.view.top, this.view.down));
    }

    // By fractions of what is visible.
    move(x, y) {
        const view = this.view;
        const within = (start, span, all) => Math.min(Math.max(start, 0), all - span);
        view.left = within(view.left + x * view.across, view.across, this.matrix.columns);
        view.top = within(view.top + y * view.down, view.down, this.matrix.rows);
        this.paintSoon();
    }

    // Outlines a cell, or with `lines` its row and column, and brings it into view.
    mark(cell, lines) {
        this.marked = cell && { ...cell, lines };
        this.paintSoon();
    }

    reveal({ row, column }) {
        const view = this.view;
        const outside = (index, start, span) =>
            Math.min(index - start, 0) + Math.max(index + 1 - start - span, 0);
        this.move(outside(column, view.left, view.across) / view.across,
            outside(row, view.top, view.down) / view.down);
    }

    visibleCells() {
        const { left, top, across, down } = this.view;
        return {
            rows: [Math.floor(top), Math.ceil(top + down - 1e-9) - 1],
            columns: [Math.floor(left), Math.ceil(left + across - 1e-9) - 1],
        };
    }

    fractionsAt(event) {
        const box = this.canvas.getBoundingClientRect();
        return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    }

    cellAt(event) {
        if (!this.matrix) return null;
        const [x, y] = this.fractionsAt(event);
        if (x < 0 || y < 0 || x >= 1 || y >= 1) return null;
        const row = Math.floor(this.view.top + y * this.view.down);
        const column = Math.floor(this.view.left + x * this.view.across);
        return row < this.matrix.rows && column < this.matrix.columns ? { row, column } : null;
    }

    wheel(event) {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.zoom(Math.exp(-event.deltaY * lines * 0.002), ...this.fractionsAt(event));
        this.tell(this.onCell, event);
    }

    pointerDown(event) {
        if (event.button !== 0) return;
        this.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        this.dragged = this.pointers.size > 1;
    }

    pointerMove(event) {
        const from = this.pointers.get(event.pointerId);
        if (from && this.matrix) this.drag(event, from);
        else this.tell(this.onCell, event);
    }

    drag(event, from) {
        const x = event.clientX - from.x;
        const y = event.clientY - from.y;
        if (!this.dragged && Math.hypot(x, y) < DRAG_DISTANCE) return;
        this.dragged = true;
        const box = this.canvas.getBoundingClientRect();
        const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
        if (others.length === 0) this.move(-x / box.width, -y / box.height);
        else this.pinch(event, from, others[0][1]);
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }

    pinch(event, from, other) {
        const before = Math.hypot(from.x - other.x, from.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        const still = this.fractionsAt({ clientX: other.x, clientY: other.y });
        if (before > 0) this.zoom(after / before, ...still);
    }

    pointerUp(event) {
        const pressed = this.pointers.delete(event.pointerId);
        if (pressed) this.tell(this.dragged ? this.onCell : this.onPin, event);
    }

    tell(listener, event) {
        const cell = this.cellAt(event);
        if (cell) listener(cell);
    }

    paintSoon() {
        if (this.painting) return;
        this.painting = true;
        requestAnimationFrame(() => {
            this.painting = false;
            this.paint();
        });
    }

    paint() {
        const box = this.canvas.getBoundingClientRect();
        const width = Math.round(box.width * devicePixelRatio);
        const height = Math.round(box.height * devicePixelRatio);
        if (!this.matrix || width === 0 || height === 0) return;
        if (this.canvas.width !== width) this.canvas.width = width;
        if (this.canvas.height !== height) this.canvas.height = height;
        const context = this.canvas.getContext("2d");
        context.putImageData(this.imageOf(width, height), 0, 0);
        if (this.marked) this.paintMark(context, width, height);
        this.canvas.dispatchEvent(new Event("paint"));
    }

    imageOf(width, height) {
        const { matrix, view, palette, limits } = this;
        const across = cellsOfPixels(view.left, view.across, width, matrix.columns);
        const down = cellsOfPixels(view.top, view.down, height, matrix.rows);
        const pixels = new Uint32Array(width * height);
        for (let y = 0; y < height; ++y) {
            const start = y * width;
            if (y > 0 && down[2 * y] === down[2 * y - 2] && down[2 * y + 1] === down[2 * y - 1]) {
                pixels.copyWithin(start, start - width, start);
                continue;
            }
            for (let x = 0; x < width; ++x) {
                const mean = meanOf(matrix, down[2 * y], down[2 * y + 1],
                    across[2 * x], across[2 * x + 1]);
                pixels[start + x] = colourOf(mean, palette, limits);
            }
        }
        return new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    }

    paintMark(context, width, height) {
        const { row, column, lines } = this.marked;
        const across = width / this.view.across;
        const down = height / this.view.down;
        paintMarkAt(context, {
            left: (column - this.view.left) * across, top: (row - this.view.top) * down,
            width: across, height: down, lines,
        }, { left: 0, top: 0, width, height }, devicePixelRatio);
    }
}

// Dark on light on the picture, so that it is seen on every colour.
function paintMarkAt(context, cell, area, unit) {
    const size = { width: Math.max(cell.width, 5 * unit), height: Math.max(cell.height, 5 * unit) };
    const x = cell.left + cell.width / 2;
    const y = cell.top + cell.height / 2;
    const path = new Path2D();
    path.rect(x - size.width / 2, y - size.height / 2, size.width, size.height);
    if (cell.lines) {
        for (const [fromX, fromY, toX, toY] of [
            [area.left, y, x - size.width / 2, y],
            [x + size.width / 2, y, area.left + area.width, y],
            [x, area.top, x, y - size.height / 2],
            [x, y + size.height / 2, x, area.top + area.height],
        ]) {
            path.moveTo(fromX, fromY);
            path.lineTo(toX, toY);
        }
    }
    context.save();
    context.beginPath();
    context.rect(area.left - unit, area.top - unit, area.width + 2 * unit, area.height + 2 * unit);
    context.clip();
    for (const [colour, line] of [["#ffffff", 3 * unit], ["#111111", unit]]) {
        context.strokeStyle = colour;
        context.lineWidth = line;
        context.stroke(path);
    }
    context.restore();
}
