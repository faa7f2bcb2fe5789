// The explorer: the state of the page, and what is asked of the program when it changes.

class Explorer {
    constructor(specs) {
        this.specs = specs;
        this.address = new Address();
        this.frame = null;
        this.drawn = null;
        this.resolved = new Map();
        this.notice = "";
        this.makeRequests();
        this.makeParts();
        this.cells = new Cells(this);
        this.askAboutSoon = whenQuiet(150, () =>
            this.about.want({ state: this.withSizes(this.state) }));
        this.saySoon = whenQuiet(300, (text) => this.say(text));
        this.listen();
    }

    makeRequests() {
        const quiet = () => {};
        this.draw = new LatestOnly({
            send: (job, signal) => this.sendDraw(job, signal),
            show: (answer, job) => this.showDrawn(answer, job),
            refuse: (refusal, job) => this.showRefusal(refusal, job),
        });
        this.about = new LatestOnly({
            send: ({ state }, signal) => this.sendAbout(state, signal),
            show: (about) => this.showAbout(about), refuse: quiet,
        });
        this.valueRequests = new LatestOnly({
            send: ({ state }, signal) => askForFrame(addressOf("values", state), { signal }),
            show: ({ head, bytes }) => this.showValues(head, bytes),
            refuse: (refusal) => this.refuseValues(refusal),
        });
    }

    makeParts() {
        const finder = makeFinder(this.specs.entries());
        const listeners = {
            onCell: (indices, text) => this.cells.pointAt(indices, text),
            onPin: (indices) => this.cells.clicked(indices),
        };
        this.search = new Combobox(byId("search"), byId("search-list"), {
            find: finder, choose: ({ name }) => this.choose(name),
        });
        this.controls = new Controls(byId("groups"), this.specs,
            (name, text, event) => this.set(name, text, event));
        this.figures = new Figures(byId("figures"), listeners);
        this.values = new ValuesView(listeners);
        this.beside = new Beside(finder, {
            setWords: (words) => this.compareWith(words),
            fileTaken: () => this.compareWithFile(),
            refuse: (text) => this.notify(text),
            say: (text) => this.say(text),
        });
        this.comparison = new ComparisonText(byId("comparison"),
            (command) => this.hrefOfWhole(command));
        this.identification = new Identification((text) => this.comparison.add(text));
    }

    listen() {
        listenToKeys(byId("stage"), {
            move: (rows, columns) => this.cells.move(rows, columns),
            pin: () => this.cells.pinCurrent(),
            unpin: () => this.cells.unpin(),
            zoom: (factor) => this.values.heatmap.zoomAtMark(factor),
            fit: () => this.values.heatmap.fit(),
        });
        byId("show-figure").addEventListener("click", () => this.showPicture("figure"));
        byId("show-values").addEventListener("click", () => this.showPicture("values"));
        byId("unpin").addEventListener("click", () => {
            this.cells.unpin();
            byId("stage").focus();
        });
        byId("go").addEventListener("change", () => this.goTo(indicesOf(byId("go").value)));
        byId("put-all-back").addEventListener("click", () => this.putAllBack());
        makeDownloads();
        byId("copy").addEventListener("click", () => copyCommand((text) => this.say(text)));
        byId("about").addEventListener("click", ({ target }) => {
            if (target.dataset.beside) this.compareWith(target.dataset.beside);
        });
        byId("filter").addEventListener("input", () => this.filterControls());
        byId("skip").addEventListener("click", (event) => {
            event.preventDefault();
            byId("stage").focus();
        });
        addEventListener("resize", whenQuiet(200, () => this.wantAll()));
        isDark().addEventListener("change", () => this.wantAll());
        addEventListener("popstate", () => this.readAddress());
        document.addEventListener("keydown", (event) => {
            const search = byId("search");
            const typing = event.target.matches("input:not([type=range]), select, textarea");
            if (event.key !== "/" || event.ctrlKey || event.metaKey) return;
            if (typing && event.target !== search) return;  // no name has a slash
            event.preventDefault();
            search.focus();
            search.select();
        });
    }

    readAddress() {
        this.address.forget();
        const state = stateOfFragment(this.address.fragment() || this.specs.start);
        if (this.specs.has(state.name)) {
            this.notice = "";
            this.replaceState(state);
            return;
        }
        this.notice = `There is no encoding or preset named ${state.name}.`;
        this.replaceState(this.state ?? stateOfFragment(this.specs.start));
    }

    // The file that the program was started with is taken as one that is dropped.
    async takeGiven() {
        const { file } = stateOfFragment(this.address.fragment());
        if (file) await this.beside.take(new File([await (await ask("/given")).blob()], file));
    }

    replaceState(state) {
        const other = this.state?.name !== state.name;
        this.state = state;
        this.cells.cell = state.at;
        if (other) this.resolved = new Map();
        this.adopted = new Map();
        this.wantAll();
        this.showState();
        if (other) this.about.want({ state });
    }

    remember() {
        this.address.replace(this.state);
    }

    choose(name) {
        this.notice = "";
        const settings = this.specs.carriedOver(this.state.settings, this.state.name, name);
        const state = { ...this.state, name, settings, at: null };
        if (name !== this.state.name) this.address.push(state);
        this.replaceState(state);
    }

    // The address of another table beside what the present one is compared with.
    hrefTo(name, settings) {
        return `#${fragmentOf({ ...this.state, name, settings, at: null })}`;
    }

    linkTo(name) {
        return this.hrefTo(name,
            this.specs.carriedOver(this.state.settings, this.state.name, name));
    }

    // A command that says what is to be changed: settings of the same name stay.
    hrefOfChange({ name, settings }) {
        if (!this.specs.has(name)) return null;
        const own = name === this.state.name ? this.state.settings :
            this.specs.carriedOver(this.state.settings, this.state.name, name);
        return this.hrefTo(name, { ...own, ...settings });
    }

    // A command that says all of a table.
    hrefOfWhole({ name, settings }) {
        if (!this.specs.has(name)) return null;
        return this.hrefTo(name,
            { ...this.specs.figureSettings(this.state.settings), ...settings });
    }

    // What a setting is without a change, as a text.
    usual(name) {
        const preset = this.specs.presetSettings(this.state.name)[name];
        const spec = this.controls.controls.get(name).spec;
        return preset ?? spec.default ?? (spec.type === "flag" ? "false" : null);
    }

    set(name, text, event) {
        this.notice = "";
        const settings = { ...this.state.settings };
        if (text === null || text === this.usual(name)) delete settings[name];
        else settings[name] = text;
        this.state = { ...this.state, settings };
        this.wantAll(event?.timeStamp);
        this.showState();
        this.remember();
    }

    putAllBack() {
        this.replaceState({ ...this.state, settings: {} });
        this.remember();
        byId("filter").focus();
    }

    compareWith(words) {
        this.notice = "";
        if (words) this.beside.file = null;
        this.state = { ...this.state, beside: words };
        this.showState();
        this.remember();
        this.wantAll();
    }

    // The sizes become those of the file, until they are changed.
    compareWithFile() {
        const { name, settings } = this.state;
        this.state = { ...this.state, settings: this.specs.withoutSizes(settings, name) };
        this.compareWith("");
    }

    // Pins the cell that was typed.
    goTo(indices) {
        if (byId("go").value === "" || !this.frame) return;
        if (indices && isWithin(indices, this.frame.shape)) {
            byId("go").value = "";
            this.cells.pin(indices);
            return;
        }
        const ranges = this.frame.axes.map(({ name, size }) => `${name} 0 to ${size - 1}`);
        this.notify(`The table has no cell ${byId("go").value}: ${ranges.join(", ")}.`);
    }

    // Says what went wrong and changed nothing.
    notify(text) {
        this.notice = text;
        this.showMessage(text);
        this.saySoon(text);
    }

    showPicture(picture) {
        this.state = { ...this.state, picture };
        if (this.notice) this.showMessage("");
        this.notice = "";
        this.showState();
        this.cells.invite();
        this.remember();
        this.wantValues();
    }

    showState() {
        const { state } = this;
        this.search.settle(state.name);
        setText(byId("heading"), `pe-gen explore: ${state.name}`);
        document.title = `${state.name} · pe-gen explore`;
        this.showSettings();
        this.beside.show(state.beside);
        const values = state.picture === "values";
        byId("show-figure").setAttribute("aria-pressed", String(!values));
        byId("show-values").setAttribute("aria-pressed", String(values));
        byId("figures").hidden = values;
        byId("values-view").hidden = !values;
        byId("zoom").hidden = !values;
        byId("shape").hidden = values;
        byId("put-all-back").hidden = Object.keys(state.settings).length === 0;
        if (!this.cells.pinned) clearCurves(byId("curves"));
        this.cells.mark();
    }

    showSettings() {
        this.controls.show(this.state, this.resolved, this.adopted);
        this.filterControls();
    }

    filterControls() {
        this.controls.filter = byId("filter").value;
        byId("none-found").hidden = this.controls.arrange() > 0;
    }

    view() {
        return this.state.picture === "values" ? this.values : this.figures;
    }

    say(text) {
        setText(byId("status"), text);
    }

    showMessage(text) {
        byId("message").hidden = text === "";
        setText(byId("message"), text);
    }

    wantAll(since = performance.now()) {
        this.draw.want({ state: this.state, file: this.beside.file, since });
        this.wantValues();
    }

    // With the sizes that the table has because a file has them.
    withSizes(state) {
        return { ...state, settings: { ...Object.fromEntries(this.adopted), ...state.settings } };
    }

    wantValues() {
        if (this.state.picture !== "values") return;
        this.valueRequests.want({ state: this.withSizes(this.state) });
    }

    // What a name is can be said also where its settings are impossible.
    async sendAbout(state, signal) {
        try {
            return await askForJson(addressOf("about", state), { signal });
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return askForJson(addressOf("about", { ...state, settings: {} }), { signal });
        }
    }

    async sendDraw(job, signal) {
        const waiting = setTimeout(() => byId("picture").classList.add("waiting"), 600);
        try {
            return await this.askForPictures(job, signal);
        } finally {
            clearTimeout(waiting);
            byId("picture").classList.remove("waiting");
        }
    }

    // What cannot be compared is drawn alone, with the refusal of the comparison.
    async askForPictures({ state, file }, signal) {
        const isCompared = Boolean(file || state.beside);
        try {
            return await this.askForFrameBeside({ state, file }, isCompared, signal);
        } catch (error) {
            if (!isCompared || !(error instanceof Refusal)) throw error;
            const alone = { state: { ...state, beside: "" }, file: null };
            return { ...await this.askForFrameBeside(alone, false, signal), refusal: error };
        }
    }

    async askForFrameBeside(tables, isCompared, signal) {
        const { head, bytes } = await askForFrame(
            addressOf("draw", tables.state,
                { ...queryBeside(tables), ...this.figures.room(isCompared) }),
            { signal, ...bodyOf(tables.file) });
        return { tables, head, images: imagesOf(head, bytes) };
    }

    // tables: what is drawn, which may be less than what was asked for.
    showDrawn({ tables, head, images, refusal }, { state, file, since }) {
        this.frame = head;
        this.resolved = new Map(head.parameters.map(({ name, value }) => [name, value]));
        this.adopt(tables.file ? this.sizesOfFile(head) : new Map());
        this.resolved.set("table", head.table).set("dtype", head.dtype);
        this.figures.show(head, images);
        measurePicture(since);
        for (const id of ["picture", "comparison"]) byId(id).classList.remove("stale");
        this.showMessage(this.notice);
        this.controls.showError(null);
        this.drawn = { state: this.withSizes(tables.state), file: tables.file };
        showCommand(head.command, this.specs.formats, this.drawn.state);
        this.showSettings();
        this.controls.showAxes(head.axes);
        setText(byId("shape"), shapeText(head));
        byId("go").placeholder = head.axes.map(({ name }) => name).join(",");
        byId("stage").setAttribute("aria-label", `${head.title}, ${shapeText(head)}`);
        byId("notes").replaceChildren(...head.notes.map((note) => make("li", {}, note)));
        this.showComparison(refusal ? notCompared(refusal) : head.comparison,
            [state.name, state.beside, file]);
        byId("picture").classList.toggle("with-others", head.pictures.length > 1);
        this.values.showMatrix(this.leadingMatrix());
        this.cells.dropOutside();
        this.cells.mark();
        this.cells.invite();
        if (state === this.state) this.cells.askAgain();
        this.askAboutSoon();
    }

    adopt(sizes) {
        const areSame = String([...sizes]) === String([...this.adopted]);
        this.adopted = sizes;
        if (!areSame) this.wantValues();
    }

    // The extents that the table has because the file has them.
    sizesOfFile(head) {
        const extents = this.specs.sizesOf(this.state.name);
        return new Map(head.parameters
            .filter(({ name, value }) => extents.includes(name) &&
                !(name in this.state.settings) && value !== this.usual(name))
            .map(({ name, value }) => [name, value]));
    }

    showComparison(comparison, tables) {
        if (!comparison) {
            this.comparison.hide();
            return;
        }
        const file = tables.at(-1);
        this.comparison.show(comparison.sentences, tables);
        this.identification.want(file && !comparison.is_command_known ? file : null);
        this.saySoon(comparison.sentences[0]);
    }

    // Whoever uses the control that is at fault reads it there, others in the picture.
    showRefusal(refusal) {
        for (const id of ["picture", "comparison"]) byId(id).classList.add("stale");
        const control = this.controls.showError(refusal);
        const isUsed = control?.element.contains(document.activeElement);
        this.showMessage(isUsed ? "" : refusal.message);
        if (!this.frame) clearCell("");
        withdrawCommand();
        this.identification.want(null);
        this.saySoon(refusal.message);
        this.askAboutSoon();
    }

    showAbout(about) {
        showAbout(byId("about"), about, {
            linkTo: (name) => this.linkTo(name),
            hrefOf: (command) => this.hrefOfChange(command),
        });
    }

    // A table may have too many values for this view, and still be drawn.
    refuseValues(refusal) {
        byId("values-view").classList.add("refused");
        this.notice = refusal.message;
        this.showMessage(refusal.message);
    }

    showValues(head, bytes) {
        byId("values-view").classList.remove("refused");
        this.values.show(head, bytes, this.leadingMatrix());
        this.cells.mark();
    }

    // The matrix that is selected, or that of the pinned cell, or the first.
    leadingMatrix() {
        const { rows, columns } = matrixOf(this.frame?.shape ?? []);
        const panel = this.frame?.pictures[0].panels[0];
        const cell = "select" in this.state.settings ? null : this.cells.pinned;
        const flat = cell ? ravel(cell, this.frame.shape) : panel?.base ?? 0;
        return Math.floor(flat / (rows * columns));
    }

    revealPinned() {
        this.values.showMatrix(this.leadingMatrix());
        this.values.reveal(this.cells.pinned);
    }
}

function notCompared(refusal) {
    return { sentences: [`Not compared: ${refusal.message}`], is_command_known: true };
}

let explorer = null;

async function startExplorer() {
    try {
        const specs = new Specs(await askForJson("/specs"));
        explorer = new Explorer(specs);
        explorer.readAddress();
        await explorer.takeGiven();
    } catch (error) {
        showRefusal(error);
    }
}

startExplorer();
