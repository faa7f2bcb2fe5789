// The cell under the pointer or moved by keys, and the pinned one: readout, marks and curves.

// job: the state, the file that it is compared with, and the indices of the cell.
function askAtCell(what, job, signal) {
    const query = { ...queryBeside(job), at: job.at.join(",") };
    return askForJson(addressOf(what, job.state, query), { signal, ...bodyOf(job.file) });
}

class Cells {
    // The explorer has the state, the picture and the views.
    constructor(explorer) {
        this.explorer = explorer;
        this.cell = null;
        this.spoken = false;
        this.cells = new LatestOnly({
            send: (job, signal) => askAtCell("cell", job, signal),
            show: (cell, job) => this.showCell(cell, job),
            refuse: (refusal) => clearCell(refusal.message),
        });
        this.curves = new LatestOnly({
            send: (job, signal) => askAtCell("curves", job, signal),
            show: (answer, job) => this.showCurves(answer, job),
            refuse: () => {},
        });
    }

    // A table that is too small for the pinned cell, perhaps only until a number is typed to its end,
    // has none.
    get pinned() {
        const { state, frame } = this.explorer;
        return state.at && frame && isWithin(state.at, frame.shape) ? state.at : null;
    }

    setPinned(indices) {
        this.explorer.state = { ...this.explorer.state, at: indices };
        if (!indices) clearCurves(byId("curves"));
        this.mark();
        this.explorer.remember();
    }

    // text: the value, where the page knows it before the program says more.
    pointAt(indices, text) {
        if (this.pinned || String(indices) === String(this.cell)) return;
        this.cell = indices;
        if (text !== undefined) {
            clearCell(`${describeCell(this.explorer.values.head.axes, indices)}: ${text}`);
        }
        this.mark();
        this.askCell();
    }

    move(rows, columns) {
        const indices = this.explorer.view().moved(this.cell, rows, columns);
        if (!indices) return;
        this.spoken = true;
        if (this.pinned) this.pin(indices);
        else this.pointAt(indices);
    }

    pin(indices) {
        this.cell = indices;
        this.spoken = true;
        this.setPinned(indices);
        this.explorer.revealPinned();
        this.askAgain();
    }

    // A second click on the pinned cell lets it go.
    clicked(indices) {
        if (String(indices) === String(this.pinned)) this.unpin();
        else this.pin(indices);
    }

    pinCurrent() {
        if (this.cell) this.pin(this.cell);
    }

    unpin() {
        if (!this.explorer.state.at) return;
        this.curves.forget();
        this.setPinned(null);
        this.explorer.say("The cell is not pinned any more.");
    }

    // Of what is drawn, which may be older than the settings.
    askCell() {
        const { drawn } = this.explorer;
        if (drawn && this.cell) this.cells.want({ ...drawn, at: this.cell });
    }

    askAgain() {
        const { drawn } = this.explorer;
        this.askCell();
        if (drawn && this.pinned) this.curves.want({ ...drawn, at: this.pinned });
    }

    mark() {
        const { figures, values, frame } = this.explorer;
        const lines = this.pinned !== null;
        byId("unpin").classList.toggle("absent", !lines);
        if (frame) figures.mark(this.cell, lines);
        values.mark(this.cell, lines);
    }

    // What can be read, as long as nothing is.
    invite() {
        const { figures, state } = this.explorer;
        const readable = state.picture === "values" || figures.hasPanels();
        byId("picture").classList.toggle("unreadable", !readable);
        byId("keys").hidden = !readable;
        if (this.cell) return;
        clearCell(readable ? "Point at the picture, or use the arrow keys, to read a value." :
            "This plot does not show single values. Values shows those of the table.");
    }

    // A table of another size may not have the cell, or have the pinned one again.
    dropOutside() {
        const { shape } = this.explorer.frame;
        if (this.pinned) this.cell = this.pinned;
        else clearCurves(byId("curves"));
        if (this.cell && !isWithin(this.cell, shape)) this.cell = null;
    }

    // The pointer's cells are not spoken, those of the keyboard are.
    showCell(cell, { at }) {
        if (String(at) !== String(this.cell)) return;
        showCell(cell, this.explorer.frame.dtype);
        if (this.spoken) this.explorer.saySoon((this.pinned ? "Pinned: " : "") + cellText(cell));
        this.spoken = false;
    }

    showCurves({ curves }, { at }) {
        if (String(at) !== String(this.pinned)) return;
        drawCurves(byId("curves"), curves, this.explorer.frame.axes, at);
    }
}
