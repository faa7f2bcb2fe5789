// Questions about what the program offers, as /specs lists it.

// No parameter is meant to come near a bound like this one.
const NO_BOUND = 2 ** 53;

// A spec leaves out what is usual.
function wholeSpec(spec) {
    const bound = (value) => value === undefined || Math.abs(value) >= NO_BOUND ? null : value;
    return {
        aliases: [], choices: [], default: null, is_extent: false, ...spec,
        lowest: bound(spec.lowest), highest: bound(spec.highest),
    };
}

class Specs {
    constructor(listed) {
        Object.assign(this, listed);
        this.options = listed.options.map(wholeSpec);
        this.figure = listed.figure.map(wholeSpec);
        this.encodings = listed.encodings.map((encoding) =>
            ({ ...encoding, parameters: encoding.parameters.map(wholeSpec) }));
        this.subjects = new Map();
        for (const encoding of this.encodings) this.add(encoding.name, encoding, null);
        for (const preset of this.presets) {
            const encoding = this.encodings.find(({ name }) => name === preset.encoding);
            for (const name of [preset.name, ...preset.aliases]) this.add(name, encoding, preset);
        }
    }

    add(name, encoding, preset) {
        if (!this.subjects.has(name)) this.subjects.set(name, { encoding, preset });
    }

    has(name) {
        return this.subjects.has(name);
    }

    encodingOf(name) {
        return this.subjects.get(name).encoding;
    }

    presetSettings(name) {
        return this.subjects.get(name).preset?.settings ?? {};
    }

    // The specs of a subject in the order of the page.
    groupsOf(name) {
        const { parameters, tables } = this.encodingOf(name);
        const options = this.options.map((spec) => spec.name === "table" ?
            { ...spec, type: "word", choices: tables.map((table) => table.name),
                default: tables[0].name, summary: "the table to show" } : spec);
        const size = { title: "Size", specs: parameters.filter((spec) => spec.is_extent) };
        const others = { title: "Parameters", specs: parameters.filter((spec) => !spec.is_extent) };
        const isSelect = (spec) => spec.name === "select";
        const table = { title: "Table and dtype",
            specs: [...options, ...this.figure.filter(isSelect)] };
        const figure = { title: "Figure", closed: true,
            specs: this.figure.filter((spec) => !isSelect(spec)) };
        const groups = tables.length > 1 ? [size, table, others, figure] :
            [size, others, table, figure];
        return groups.filter(({ specs }) => specs.length > 0);
    }

    // The names of the parameters that are sizes.
    sizesOf(name) {
        return this.encodingOf(name).parameters.filter((spec) => spec.is_extent)
            .map((spec) => spec.name);
    }

    // The settings that another subject has, too: sizes and those of the figure.
    carriedOver(settings, from, to) {
        const shared = this.sizesOf(from).filter((name) => this.sizesOf(to).includes(name));
        const carried = new Set([...shared, ...this.figure.map((spec) => spec.name)]);
        const positional = this.figure.filter((spec) => spec.type === "integers");
        for (const spec of positional) carried.delete(spec.name);
        return Object.fromEntries(Object.entries(settings).filter(([key]) => carried.has(key)));
    }

    withoutSizes(settings, name) {
        const sizes = this.sizesOf(name);
        return Object.fromEntries(Object.entries(settings).filter(([key]) => !sizes.includes(key)));
    }

    // The settings of the figure, whatever it shows.
    figureSettings(settings) {
        const names = this.figure.map((spec) => spec.name);
        return Object.fromEntries(Object.entries(settings).filter(([key]) => names.includes(key)));
    }

    // An option that plots list is for those plots alone. The first plot is the usual one.
    hasFigureOption(plot, option) {
        const chosen = plot || this.plots[0].name;
        const owners = this.plots.filter(({ options }) => options.includes(option));
        return owners.length === 0 || owners.some(({ name }) => name === chosen);
    }

    // A table has some parameters without an effect on it. The first one is the usual one.
    isIdle(name, table, parameter) {
        const { tables } = this.encodingOf(name);
        const chosen = tables.find((own) => own.name === table) ?? tables[0];
        return chosen.idle.includes(parameter);
    }

    entries() {
        const own = this.encodings.map((encoding) =>
            ({ ...encoding, kind: "encoding", aliases: [] }));
        const presets = this.presets.map((preset) => ({ ...preset, kind: preset.encoding }));
        return [...own, ...presets];
    }
}
