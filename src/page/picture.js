// The pictures that the program drew, and the cells under them.

// Bytes of a palette, red, green and blue of each of 256 colours, before the pixels.
const PALETTE_BYTES = 3 * 256;

// A picture of indices into its palette, as an image. The program sends no PNG: a browser takes
// longer to decode one than the program to draw it.
function imageOf(bytes, width, height) {
    const image = new ImageData(width, height);
    const palette = new Uint32Array(256);
    const parts = new Uint8Array(palette.buffer);
    for (let i = 0; i < 256; ++i) parts.set([...bytes.subarray(3 * i, 3 * i + 3), 255], 4 * i);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < pixels.length; ++i) pixels[i] = palette[bytes[PALETTE_BYTES + i]];
    return image;
}

function imagesOf(head, buffer) {
    let offset = 0;
    return head.pictures.map(({ bytes, width, height }) => {
        const part = new Uint8Array(buffer, offset, bytes);
        offset += bytes;
        return imageOf(part, width, height);
    });
}

function isDark() {
    return matchMedia("(prefers-color-scheme: dark)");
}

function shapeText({ shape, dtype, table }) {
    return `${table}, ${shape.join(" x ")}, ${dtype}`;
}

class Figures {
    // onCell(indices) and onPin(indices), of the first picture's table.
    constructor(place, { onCell, onPin }) {
        Object.assign(this, { place, onCell, onPin });
        this.figures = [];
        this.head = null;
        this.marked = null;
    }

    show(head, images) {
        this.head = head;
        if (this.figures.length !== images.length) this.build(images.length);
        this.place.classList.toggle("several", images.length > 1);
        images.forEach((image, i) => this.replace(this.figures[i], head.pictures[i], image));
    }

    // What the program is told of the place of a picture, alone or beside others: its pixels on the
    // screen, how many there are for one of the page, and whether the page is dark.
    room(several) {
        const { width, height } = several ? this.roomOfOne() : this.roomAlone();
        const pixels = (length) =>
            Math.min(Math.max(Math.round(length * devicePixelRatio), 64), 4096);
        return {
            within: `${pixels(width)}x${pixels(height)}`, density: String(devicePixelRatio),
            ...(isDark().matches ? { dark: "true" } : {}),
        };
    }

    roomAlone() {
        const place = byId("picture");
        const hasOthers = place.classList.contains("with-others");
        place.classList.remove("with-others");
        const room = byId("stage").getBoundingClientRect();
        place.classList.toggle("with-others", hasOthers);
        return room;
    }

    // Of three pictures all are in sight, in one row or in two, where style.css puts them.
    roomOfOne() {
        const gap = 8, caption = 24, besides = 360;
        const whole = byId("stage").getBoundingClientRect().width;
        const columns = whole >= 900 ? 3 : 2, rows = columns === 3 ? 1 : 2;
        const width = (whole - (columns - 1) * gap) / columns - 2;
        const free = (innerHeight - besides) / rows - caption;
        return { width, height: Math.min(Math.max(free, 170), 0.86 * width) };
    }

    build(count) {
        this.figures = Array.from({ length: count }, (_, i) => {
            const canvas = make("canvas");
            const caption = make("figcaption");
            this.listen(canvas, i);
            return { canvas, caption, element: make("figure", {}, canvas, caption) };
        });
        this.place.replaceChildren(...this.figures.map(({ element }) => element));
    }

    listen(canvas, i) {
        const tell = (listener) => (event) => {
            const cell = this.cellAt(event, this.figures[i]);
            if (cell) listener(cell);
        };
        canvas.addEventListener("pointermove", tell(this.onCell));
        canvas.addEventListener("click", tell(this.onPin));
    }

    replace(figure, picture, image) {
        Object.assign(figure, { image, picture });
        if (figure.canvas.width !== image.width) figure.canvas.width = image.width;
        if (figure.canvas.height !== image.height) figure.canvas.height = image.height;
        setText(figure.caption, picture.of === "this" ? picture.label : `${picture.of}: ` +
            picture.label);
        this.paint(figure);
    }

    paint({ canvas, image, picture }) {
        const context = canvas.getContext("2d", { alpha: false });
        context.putImageData(image, 0, 0);
        const first = this.head.pictures[0];
        const place = this.marked && this.placeOf(this.marked.indices, picture, first);
        if (!place) return;
        const unit = 1 / this.scaleOf(canvas);
        paintMarkAt(context, { ...place.cell, lines: this.marked.lines }, place.panel, unit);
    }

    mark(indices, lines) {
        this.marked = indices && { indices, lines };
        for (const figure of this.figures) this.paint(figure);
    }

    // Pictures of other tables are marked where their panels have such a cell.
    placeOf(indices, picture, first) {
        if (!isWithin(indices, this.head.shape)) return null;
        const flat = ravel(indices, this.head.shape);
        const index = first.panels.findIndex((panel) =>
            flat >= panel.base && flat < panel.base + panel.rows * panel.columns);
        const own = first.panels[index];
        const panel = picture.panels[index];
        if (!own || !panel) return null;
        const row = Math.floor((flat - own.base) / own.columns);
        const column = (flat - own.base) % own.columns;
        if (row >= panel.rows || column >= panel.columns) return null;
        return { panel, cell: cellInPanel(panel, row, column) };
    }

    panelOf(indices) {
        const flat = ravel(indices, this.head.shape);
        return this.head.pictures[0].panels.find((panel) =>
            flat >= panel.base && flat < panel.base + panel.rows * panel.columns);
    }

    hasPanels() {
        return Boolean(this.head?.pictures[0].panels.length);
    }

    // Pixels of the page for one of the picture.
    scaleOf(canvas) {
        const box = canvas.getBoundingClientRect();
        return Math.min(box.width / canvas.width, box.height / canvas.height) || 1;
    }

    // The cell of the first table with the row and the column that are pointed at. The canvas is as
    // large as its box, and the picture lies in the middle of it.
    cellAt(event, { canvas, picture }) {
        const box = canvas.getBoundingClientRect();
        const scale = this.scaleOf(canvas);
        const x = (event.clientX - box.left - (box.width - canvas.width * scale) / 2) / scale;
        const y = (event.clientY - box.top - (box.height - canvas.height * scale) / 2) / scale;
        const index = picture.panels.findIndex(({ left, top, width, height }) =>
            x >= left && x < left + width && y >= top && y < top + height);
        const own = this.head.pictures[0].panels[index];
        if (!own) return null;
        const { row, column } = cellOfPanel(picture.panels[index], x, y);
        if (row >= own.rows || column >= own.columns) return null;
        return unravel(own.base + row * own.columns + column, this.head.shape);
    }

    // Arrows follow the picture, also where it is transposed.
    moved(indices, rows, columns) {
        if (!this.hasPanels()) return null;
        const panel = (indices && this.panelOf(indices)) ?? this.head.pictures[0].panels[0];
        const flat = indices ? ravel(indices, this.head.shape) : panel.base;
        const offset = this.panelOf(unravel(flat, this.head.shape)) ? flat - panel.base : 0;
        const [down, across] = panel.transposed ? [columns, rows] : [rows, columns];
        const within = (index, size) => Math.min(Math.max(index, 0), size - 1);
        const first = !indices;
        const row = within(Math.floor(offset / panel.columns) + (first ? 0 : down), panel.rows);
        const column = within(offset % panel.columns + (first ? 0 : across), panel.columns);
        return unravel(panel.base + row * panel.columns + column, this.head.shape);
    }
}

function cellOfPanel(panel, x, y) {
    const across = (x - panel.left) / panel.width;
    const down = (y - panel.top) / panel.height;
    const [rowPart, columnPart] = panel.transposed ? [across, down] : [down, across];
    return {
        row: Math.floor(rowPart * panel.rows), column: Math.floor(columnPart * panel.columns),
    };
}

function cellInPanel(panel, row, column) {
    const [down, downs] = panel.transposed ? [column, panel.columns] : [row, panel.rows];
    const [across, acrosses] = panel.transposed ? [row, panel.rows] : [column, panel.columns];
    return {
        left: panel.left + across / acrosses * panel.width,
        top: panel.top + down / downs * panel.height,
        width: panel.width / acrosses, height: panel.height / downs,
    };
}
