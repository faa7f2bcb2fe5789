// A control for each parameter, by its type. A field that is emptied puts back what it was.

function numberOf(text) {
    return text === null || text === undefined || text.trim() === "" ? NaN : Number(text);
}

// A text field, and a slider over the values that make sense.
class NumberField {
    constructor(spec, id, changed) {
        this.spec = spec;
        this.field = make("input", {
            id, type: "text", autocomplete: "off", spellcheck: "false",
            inputmode: spec.type === "integer" && spec.lowest >= 0 ? "numeric" : "decimal",
            oninput: (event) => changed(this.field.value.trim() || null, event),
            onblur: () => { this.field.value = this.text; },
        });
        this.slider = make("input", {
            type: "range", min: 0, step: 1, "aria-label": `${spec.name}, slider`,
            oninput: (event) => this.slide(event, changed),
        });
        this.elements = [this.slider, this.field];
        this.stops = [];
        this.text = "";
    }

    // Whoever types keeps what is typed, if it means the value; an empty field means the usual one.
    isTyped(value, usual) {
        if (document.activeElement !== this.field) return false;
        const typed = this.field.value.trim();
        return typed === value || numberOf(typed) === numberOf(value) ||
            (typed === "" && value === usual);
    }

    slide(event, changed) {
        const text = String(this.stops[this.slider.valueAsNumber]);
        this.field.value = text;
        this.slider.setAttribute("aria-valuetext", text);
        changed(text, event);
    }

    show(value, usual, resolved) {
        this.text = value ?? "";
        if (!this.isTyped(value, usual)) this.field.value = this.text;
        this.field.placeholder = usual ?? resolved ?? "";
        this.usual = numberOf(usual ?? resolved);
        this.current = numberOf(value ?? resolved);
        if (Number.isNaN(this.current)) this.current = numberOf(resolved);
        this.showSlider();
    }

    // The stops stay while they have the value and the slider is used, so that they do not change
    // under the pointer.
    showSlider() {
        const isUsed = document.activeElement === this.slider;
        const areRight = this.stops.includes(this.current) && Object.is(this.usual, this.stopsFor);
        if (!isUsed || !areRight) {
            this.stops = stopsOf(this.spec, this.usual, this.current);
            this.stopsFor = this.usual;
            this.slider.max = this.stops.length - 1;
        }
        const at = Number.isFinite(this.current) ? this.current : this.usual;
        this.slider.value = nearestStop(this.stops, Number.isFinite(at) ? at : 0);
        this.slider.setAttribute("aria-valuetext", Number.isFinite(at) ? String(at) : "not set");
    }
}

class ChoiceField {
    constructor(spec, id, changed) {
        this.field = make("select", {
            id, onchange: (event) => changed(this.field.value || null, event),
        });
        if (spec.default === null) this.field.append(make("option", { value: "" }, "not set"));
        this.field.append(...spec.choices.map((choice) => make("option", {}, choice)));
        this.elements = [this.field];
    }

    show(value, usual, resolved) {
        const text = value ?? "";
        const listed = [...this.field.options].some((option) => option.value === text);
        if (!listed) this.field.append(make("option", {}, text));
        this.field.value = text;
        const unset = [...this.field.options].find((option) => option.value === "");
        if (unset) setText(unset, resolved ? `not set: ${resolved}` : "not set");
    }
}

class FlagField {
    constructor(spec, id, changed) {
        this.field = make("input", {
            id, type: "checkbox",
            onchange: (event) => changed(this.field.checked ? "true" : "false", event),
        });
        this.elements = [this.field];
    }

    show(value) {
        this.field.checked = value === "true";
    }
}

// The empty text, as it is written on a command line.
const NO_TEXT = "''";

class TextField {
    constructor(spec, id, changed) {
        this.field = make("input", {
            id, type: "text", autocomplete: "off", spellcheck: "false",
            oninput: (event) => changed(this.text(), event),
        });
        this.elements = [this.field];
    }

    text() {
        const { value } = this.field;
        return value === NO_TEXT ? "" : value || null;
    }

    show(value, usual, resolved) {
        if (document.activeElement !== this.field) {
            this.field.value = value === "" ? NO_TEXT : value ?? "";
        }
        this.field.placeholder = resolved ?? "";
    }
}

// Other types are written as text.
const FIELDS = { integer: NumberField, real: NumberField, flag: FlagField };

function fieldFor(spec) {
    if (spec.type === "word" && spec.choices?.length) return ChoiceField;
    return FIELDS[spec.type] ?? TextField;
}

// changed(name, text or null, event): null puts back what it was.
class Control {
    constructor(spec, changed) {
        this.spec = spec;
        const id = `set-${spec.name}`;
        const Field = fieldFor(spec);
        this.field = new Field(spec, id, (text, event) => changed(spec.name, text, event));
        this.back = make("button", {
            type: "button", class: "back", hidden: true, onclick: () => {
                changed(spec.name, null);
                this.field.field.focus();
            },
        }, "Put back");
        this.origin = make("span", { class: "of-preset", hidden: true });
        const others = spec.aliases.filter((alias) => alias !== spec.name);
        const also = others.length > 0 ? `; also ${others.join(", ")}` : "";
        this.hint = make("p", { class: "hint", id: `${id}-hint`, title: spec.summary + also },
            spec.summary + also);
        this.error = make("p", { class: "error", id: `${id}-error`, hidden: true });
        this.element = make("div", { class: `control ${spec.type}` },
            make("div", { class: "control-head" }, make("label", { for: id }, spec.name),
                this.origin, this.back),
            make("div", { class: "inputs" }, ...this.field.elements), this.hint, this.error);
        for (const element of this.field.elements) {
            element.setAttribute("aria-describedby", this.hint.id);
        }
        this.texts = `${spec.name} ${this.hint.textContent}`.toLowerCase();
    }

    // adopted: the value that a file gives it.
    show({ own, preset, resolved, adopted }) {
        const usual = preset ?? (this.spec.type === "flag" ? "false" : this.spec.default);
        this.field.show(own ?? adopted ?? usual, usual, resolved);
        setText(this.origin, adopted === undefined ? "preset" : "of the file");
        this.origin.hidden = adopted === undefined && preset === undefined;
        this.back.hidden = own === undefined;
        this.element.classList.toggle("changed", own !== undefined);
        if (own !== undefined) {
            this.back.setAttribute("aria-label", `Put back ${this.spec.name} to ` +
                (usual ?? "not set"));
        }
    }

    showError(message) {
        const field = this.field.field;
        this.error.hidden = message === null;
        setText(this.error, message ?? "");
        this.element.classList.toggle("refused", message !== null);
        const described = message === null ? this.hint.id : `${this.error.id} ${this.hint.id}`;
        for (const element of this.field.elements) {
            element.setAttribute("aria-describedby", described);
        }
        if (message === null) field.removeAttribute("aria-invalid");
        else field.setAttribute("aria-invalid", "true");
    }
}

// A gradient for each colormap, under the field that chooses one.
function addGradient(control, colormaps) {
    const bar = make("div", { class: "gradient", "aria-hidden": "true" });
    control.element.querySelector(".inputs").append(bar);
    const show = control.show.bind(control);
    control.show = (values) => {
        show(values);
        const [name, reversed] = control.field.field.value.split(/(-r)$/);
        const map = colormaps.find((colormap) => colormap.name === control.field.field.value) ??
            colormaps.find((colormap) => colormap.name === name);
        const whole = map && map.name === control.field.field.value;
        bar.style.background = map ?
            gradientOf(map.colours, reversed && !whole ? "to left" : "to right") : "none";
    };
}

// All controls of one encoding.
class Controls {
    constructor(place, specs, changed) {
        Object.assign(this, { place, specs, changed });
        this.controls = new Map();
        this.name = "";
        this.settings = {};
        this.shownFor = null;
        this.hasMatrices = false;
        this.filter = "";
    }

    // Only another encoding has other controls; otherwise the focus stays where it is.
    build(name) {
        const encoding = this.specs.encodingOf(name);
        if (encoding === this.shownFor) return;
        this.shownFor = encoding;
        this.controls.clear();
        this.groups = this.specs.groupsOf(name).map((group) => this.buildGroup(group));
        this.place.replaceChildren(...this.groups.map((group) => group.element));
        this.place.parentElement.scrollTop = 0;
    }

    buildGroup({ title, specs, closed }) {
        const controls = specs.map((spec) => {
            const control = new Control(spec, this.changed);
            if (spec.name === "cmap") addGradient(control, this.specs.colormaps);
            this.controls.set(spec.name, control);
            return control;
        });
        const element = make("details", { open: !closed }, make("summary", {}, title),
            ...controls.map((control) => control.element));
        return { element, controls };
    }

    // resolved: a Map of the values that were used; adopted: of those that a file gave.
    show(state, resolved, adopted) {
        this.name = state.name;
        this.settings = state.settings;
        this.build(state.name);
        const preset = this.specs.presetSettings(state.name);
        for (const [name, control] of this.controls) {
            control.show({
                own: state.settings[name], preset: preset[name], resolved: resolved.get(name),
                adopted: adopted.get(name),
            });
        }
        this.arrange();
    }

    word(option) {
        return this.controls.get(option)?.field.field.value ?? "";
    }

    // A choice, such as that of a scaling, has parameters of its own. Whoever looks for one finds it.
    isOfChoice({ name, used_with: condition }) {
        return !condition || this.filter !== "" || this.settings[name] !== undefined ||
            condition.choices.includes(this.word(condition.parameter));
    }

    // What the table or the plot does not use is kept for others.
    isUsed({ name }) {
        return this.specs.hasFigureOption(this.word("plot"), name) &&
            !this.specs.isIdle(this.name, this.word("table"), name) &&
            (name !== "select" || this.hasMatrices);
    }

    arrange() {
        const words = wordsOf(this.filter);
        let found = 0;
        for (const { element, controls } of this.groups) {
            const shown = controls.filter(({ texts, spec }) =>
                hasAll(texts, words) && this.isUsed(spec) && this.isOfChoice(spec));
            for (const control of controls) control.element.hidden = !shown.includes(control);
            element.hidden = shown.length === 0;
            if (words.length > 0 && shown.length > 0) element.open = true;
            found += shown.length;
        }
        return found;
    }

    // Answers the control that shows it, if one can.
    showError(refusal) {
        for (const control of this.controls.values()) control.showError(null);
        const control = refusal && this.controls.get(refusal.option);
        if (!control || control.element.hidden) return null;
        control.element.closest("details").open = true;
        control.showError(refusal.message);
        return control;
    }

    // The axes of the table stand at the option that selects along them, if there are more than two.
    showAxes(axes) {
        this.hasMatrices = axes.length > 2;
        this.arrange();
        const control = this.controls.get("select");
        if (!control) return;
        const sizes = axes.slice(0, -2).map((axis) => `${axis.name} 0 to ${axis.size - 1}`);
        setText(control.hint, sizes.length === 0 ? control.spec.summary :
            `${control.spec.summary}: ${sizes.join(", ")}`);
    }
}
