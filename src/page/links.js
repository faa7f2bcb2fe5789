// Commands in texts, as links to what they make.

const OPTION = String.raw` --[\w-]+(?:[ =](?!--)[^\s',;]*[^\s',;.])?`;
const COMMAND = new RegExp(String.raw`(pe-gen [\w.-]*\w(?:${OPTION})*)`);

// The name and the settings of "pe-gen fairseq --start 2"; null if it is no such command.
function commandOf(text) {
    const [program, name, ...words] = text.split(/[ =]/);
    if (program !== "pe-gen" || !name) return null;
    const settings = {};
    let option = null;
    for (const word of words) {
        if (word.startsWith("--")) {
            option = word.slice(2);
            settings[option] = "true";
        } else if (option) {
            settings[option] = word;
        } else {
            return null;
        }
    }
    return { name, settings };
}

// The name of an option is not divided at the end of a line.
function unbroken(text) {
    return text.split(/(--[\w-]+)/).map((part) =>
        part.startsWith("--") ? make("span", { class: "option" }, part) : part);
}

// hrefOf(command) answers null for what the page does not have.
function withLinks(text, hrefOf) {
    return text.split(COMMAND).flatMap((part) => {
        const command = COMMAND.test(part) ? commandOf(part) : null;
        const href = command && hrefOf(command);
        return href ? [make("a", { href }, ...unbroken(part))] : unbroken(part);
    });
}
