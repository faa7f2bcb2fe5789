// What an encoding is, and which others are like it.

function settingsText(settings) {
    return Object.entries(settings).map(([name, value]) =>
        value === "true" ? `--${name}` : `--${name} ${value}`).join(" ");
}

function paragraph(text, attributes = {}) {
    return text ? [make("p", attributes, text)] : [];
}

function listed(heading, items) {
    return items.length === 0 ? [] : [make("h3", {}, heading), make("ul", {}, ...items)];
}

// linkTo(name) is the fragment of another subject, hrefOf(command) the fragment of a command.
function sameItem(name, linkTo) {
    return make("li", {}, make("a", { href: linkTo(name) }, name));
}

function neighbourItem({ name, summary, settings }, linkTo) {
    return make("li", {},
        make("a", { href: linkTo(name), title: summary }, name),
        make("button", {
            type: "button", "aria-label": `Compare with ${name}`, "data-beside": name,
        }, "Compare"),
        make("code", {}, ...unbroken(settingsText(settings))));
}

function showAbout(place, about, { linkTo, hrefOf }) {
    const kind = about.kind === "preset" ? `a preset of ${about.encoding}` : "an encoding";
    const general = about.general ? [make("details", {},
        make("summary", {}, "For any parameters"), make("pre", { tabindex: "0" }, about.general))] :
        [];
    renew(place, [
        make("h2", {}, about.name), make("p", { class: "kind" }, kind),
        ...paragraph(about.summary),
        ...(about.note ? [make("p", { class: "note" }, ...withLinks(about.note, hrefOf))] : []),
        ...(about.formula ? [make("h3", {}, "Formula"),
            make("pre", { tabindex: "0" }, about.formula)] : []),
        ...general,
        ...listed("Similar, and what they set differently",
            about.neighbours.map((other) => neighbourItem(other, linkTo))),
        ...listed("The same table as", about.same.map((name) => sameItem(name, linkTo))),
        ...(about.equivalence ? [make("h3", {}, "In other words"),
            make("p", {}, make("code", {}, ...unbroken(about.equivalence)))] : []),
        ...(about.aliases.length ? [make("h3", {}, "Also called"),
            make("p", {}, about.aliases.join(", "))] : []),
        ...(about.source ? [make("h3", {}, "Source"), make("p", {}, about.source)] : []),
    ]);
}
