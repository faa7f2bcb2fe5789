// The explorer: the state of the page, and what is asked of the program when it changes.

class Explorer {
    constructor(specs) {
        this.specs = specs;
        this.address = new Address();
        this.frame = null;
        this.resolved = new Map();
        this.makeRequests();
        this.makeParts();
        this.cells = new Cells(this);
        this.askAboutSoon = whenQuiet(150, () => this.about.want({ state: this.state }));
        this.saySoon = whenQuiet(300, (text) => this.say(text));
        this.listen();
    }

    makeRequests() {
        const quiet = () => {};
        this.draw = new LatestOnly({
            send: (job, signal) => this.sendDraw(job, signal),
            show: (answer, job) => this.showDrawn(answer, job),
            refuse: (refusal) => this.showRefusal(refusal),
        });
        this.about = new LatestOnly({
            send: ({ state }, signal) => this.sendAbout(state, signal),
            show: (about) => this.showAbout(about), refuse: quiet,
        });
        this.valueRequests = new LatestOnly({
            send: ({ state }, signal) => askForFrame(addressOf("values", state), { signal }),
            show: ({ head, bytes }) => this.showValues(head, bytes),
            refuse: (refusal) => this.showRefusal(refusal),
        });
    }

    makeParts() {
        const finder = makeFinder(this.specs.entries());
        const listeners = {
            onCell: (indices, text) => this.cells.pointAt(indices, text),
            onPin: (indices) => this.cells.pin(indices),
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
            fileChanged: () => this.compareWith(""),
            refuse: (text) => this.showRefusal(new Refusal(text)),
            say: (text) => this.say(text),
        });
    }

    listen() {
        listenToKeys(byId("stage"), {
            move: (rows, columns) => this.cells.move(rows, columns),
            pin: () => this.cells.pinCurrent(),
            unpin: () => this.cells.unpin(),
            zoom: (factor) => this.values.heatmap.zoom(factor),
            fit: () => this.values.heatmap.fit(),
        });
        byId("show-figure").addEventListener("click", () => this.showPicture("figure"));
        byId("show-values").addEventListener("click", () => this.showPicture("values"));
        byId("put-all-back").addEventListener("click", () => this.putAllBack());
        byId("copy").addEventListener("click", () => copyCommand((text) => this.say(text)));
        byId("filter").addEventListener("input", () => this.filterControls());
        byId("skip").addEventListener("click", (event) => {
            event.preventDefault();
            byId("stage").focus();
        });
        addEventListener("resize", whenQuiet(200, () => this.wantAll()));
        addEventListener("popstate", () => this.readAddress());
        document.addEventListener("keydown", (event) => {
            const typing = event.target.matches("input:not([type=range]), select, textarea");
            if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            byId("search").focus();
        });
    }

    readAddress() {
        this.address.forget();
        const state = stateOfFragment(this.address.fragment() || this.specs.start);
        const known = this.specs.has(state.name);
        if (known) this.replaceState(state);
        else if (!this.state) this.replaceState(stateOfFragment(this.specs.start));
        if (!known) this.say(`There is no encoding or preset named ${state.name}.`);
    }

    replaceState(state) {
        const other = this.state?.name !== state.name;
        this.state = state;
        this.cells.cell = state.at;
        if (other) this.resolved = new Map();
        this.wantAll();
        this.showState();
    }

    remember() {
        this.address.replace(this.state);
    }

    choose(name) {
        const settings = this.specs.carriedOver(this.state.settings, this.state.name, name);
        const state = { ...this.state, name, settings, at: null };
        if (name !== this.state.name) this.address.push(state);
        this.replaceState(state);
    }

    linkTo(name) {
        const settings = this.specs.carriedOver(this.state.settings, this.state.name, name);
        return `#${fragmentOf({ ...this.state, name, settings, at: null })}`;
    }

    // What a setting is without a change, as a text.
    usual(name) {
        const preset = this.specs.presetSettings(this.state.name)[name];
        const spec = this.controls.controls.get(name).spec;
        return preset ?? spec.default ?? (spec.type === "flag" ? "false" : "");
    }

    set(name, text, event) {
        const settings = { ...this.state.settings };
        if (text === null || text === "" || text === this.usual(name)) delete settings[name];
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
        if (words) this.beside.file = null;
        this.state = { ...this.state, beside: words };
        this.showState();
        this.remember();
        this.wantAll();
    }

    showPicture(picture) {
        this.state = { ...this.state, picture };
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
        showDownloads(byId("downloads"), this.specs.formats, state);
        if (!state.at) clearCurves(byId("curves"));
        this.cells.mark();
    }

    showSettings() {
        this.controls.show(this.state, this.resolved);
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

    wantValues() {
        if (this.state.picture === "values") this.valueRequests.want({ state: this.state });
    }

    // What a name is can be said also where its settings are impossible.
    async sendAbout(state, signal) {
        try {
            return await askForJson(addressOf("about", state), signal);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return askForJson(addressOf("about", { ...state, settings: {} }), signal);
        }
    }

    async sendDraw({ state, file }, signal) {
        const within = this.figures.room(Boolean(file || state.beside));
        const extra = !file && state.beside ? { beside: state.beside, within } : { within };
        const body = file ? { method: "POST", body: file.bytes,
            headers: { "Content-Type": "application/octet-stream" } } : {};
        const { head, bytes } = await askForFrame(addressOf("draw", state, extra),
            { signal, ...body });
        return { head, images: imagesOf(head, bytes) };
    }

    showDrawn({ head, images }, { state, since }) {
        this.frame = head;
        this.resolved = new Map(head.parameters.map(({ name, value }) => [name, value]));
        this.resolved.set("table", head.table).set("dtype", head.dtype);
        this.figures.show(head, images);
        measurePicture(since);
        byId("picture").classList.remove("stale");
        this.showMessage("");
        this.controls.showError(null);
        this.showSettings();
        this.controls.showAxes(head.axes);
        setText(byId("command"), head.command);
        setText(byId("shape"), shapeText(head));
        byId("stage").setAttribute("aria-label", `${head.title}, ${shapeText(head)}`);
        byId("notes").replaceChildren(...head.notes.map((note) => make("li", {}, note)));
        showComparison(byId("comparison"), head.comparison);
        byId("picture").classList.toggle("with-others", head.pictures.length > 1);
        if (head.comparison) this.saySoon(head.comparison[0]);
        this.values.showMatrix(this.leadingMatrix());
        this.cells.dropOutside();
        this.cells.mark();
        this.cells.invite();
        if (state === this.state) this.cells.askPinned();
        this.askAboutSoon();
    }

    showRefusal(refusal) {
        byId("picture").classList.add("stale");
        const shown = this.controls.showError(refusal);
        this.showMessage(shown ? "" : refusal.message);
        this.saySoon(refusal.message);
        this.askAboutSoon();
    }

    showAbout(about) {
        showAbout(byId("about"), about, {
            linkTo: (name) => this.linkTo(name),
            compareWith: (name) => this.compareWith(name),
        });
    }

    showValues(head, bytes) {
        this.values.show(head, bytes, this.leadingMatrix());
        this.cells.mark();
    }

    // The matrix that the figure draws first, or that of the pinned cell.
    leadingMatrix() {
        const { rows, columns } = matrixOf(this.frame?.shape ?? []);
        const panel = this.frame?.pictures[0].panels[0];
        const cell = this.cells.cell;
        const flat = cell && this.frame ? ravel(cell, this.frame.shape) : panel?.base ?? 0;
        return Math.floor(flat / (rows * columns));
    }
}

let explorer = null;

async function startExplorer() {
    try {
        const specs = new Specs(await askForJson("/specs"));
        explorer = new Explorer(specs);
        explorer.readAddress();
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        byId("message").hidden = false;
        setText(byId("message"), error.message);
    }
}

startExplorer();
