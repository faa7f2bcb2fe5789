// A text field with a list of what it may mean, after the pattern "combobox with listbox popup"
// of the ARIA authoring practices.

class Combobox {
    // find(text) lists entries; choose(entry) takes one; chooseText(text), if given, takes words
    // that are none.
    constructor(input, list, { find, choose, chooseText }) {
        Object.assign(this, { input, list, find, choose, chooseText });
        this.entries = [];
        this.active = -1;
        this.settled = "";
        input.addEventListener("focus", () => input.select());
        input.addEventListener("click", () => this.clickedInput());
        input.addEventListener("input", () => this.open(input.value));
        input.addEventListener("blur", () => this.leave());
        input.addEventListener("keydown", (event) => this.keyDown(event));
        list.addEventListener("pointerdown", (event) => event.preventDefault());
        list.addEventListener("click", (event) => this.clicked(event));
    }

    // The text that stands in the field when nobody types.
    settle(text) {
        this.settled = text;
        if (document.activeElement !== this.input || !this.isOpen()) this.input.value = text;
    }

    // What was chosen before is not what is looked for now.
    queryText() {
        return this.input.value === this.settled ? "" : this.input.value;
    }

    // What is typed after a click takes the place of what was chosen.
    clickedInput() {
        if (this.input.value === this.settled) this.input.select();
        this.open(this.queryText());
    }

    isOpen() {
        return !this.list.hidden;
    }

    open(query) {
        this.entries = this.find(query);
        this.list.replaceChildren(...this.entries.map((entry, i) => this.optionFor(entry, i)));
        const takesText = this.chooseText && query.includes("--");
        if (this.entries.length === 0 && !takesText) this.list.append(this.nothingFound());
        this.list.hidden = this.list.children.length === 0;
        this.input.setAttribute("aria-expanded", String(this.isOpen()));
        this.list.scrollTop = 0;
        this.activate(query && this.entries.length > 0 ? 0 : -1);
    }

    optionFor(entry, i) {
        return make("li", {
            id: `${this.list.id}-${i}`, role: "option", "aria-selected": "false", "data-index": i,
        }, make("b", {}, entry.name), " ", make("small", {}, entry.kind), make("span", {},
            entry.summary));
    }

    nothingFound() {
        return make("li", { role: "option", "aria-selected": "false", "aria-disabled": "true" },
            "No encoding or preset has these words.");
    }

    close() {
        this.list.hidden = true;
        this.input.setAttribute("aria-expanded", "false");
        this.activate(-1);
    }

    activate(index) {
        this.list.children[this.active]?.setAttribute("aria-selected", "false");
        this.active = index;
        const option = this.list.children[index];
        option?.setAttribute("aria-selected", "true");
        option?.scrollIntoView({ block: "nearest" });
        if (option && this.isOpen()) this.input.setAttribute("aria-activedescendant", option.id);
        else this.input.removeAttribute("aria-activedescendant");
    }

    step(by) {
        if (!this.isOpen()) this.open(this.queryText());
        const count = this.entries.length;
        if (count === 0) return;
        const from = this.active < 0 && by < 0 ? count : this.active;
        this.activate((from + by + count) % count);
    }

    enter() {
        const entry = this.isOpen() ? this.entries[this.active] : undefined;
        const text = this.input.value.trim();
        this.close();
        if (entry) this.choose(entry);
        else if (this.chooseText) this.chooseText(text);
        else this.input.value = this.settled;
    }

    escape() {
        if (this.isOpen()) this.close();
        else this.input.value = this.settled;
    }

    keyDown(event) {
        const actions = {
            ArrowDown: () => this.step(1), ArrowUp: () => this.step(-1),
            Enter: () => this.enter(), Escape: () => this.escape(),
        };
        if (!actions[event.key] || event.isComposing) return;
        event.preventDefault();
        actions[event.key]();
    }

    clicked(event) {
        const option = event.target.closest("[role=option]:not([aria-disabled])");
        if (!option) return;
        const entry = this.entries[Number(option.dataset.index)];
        this.close();
        this.choose(entry);
    }

    leave() {
        this.close();
        if (this.chooseText && this.input.value.trim() !== this.settled) {
            this.chooseText(this.input.value.trim());
        } else {
            this.input.value = this.settled;
        }
    }
}
