// The command that makes what is shown, and the files that one can have of it.

function selectText(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
}

async function copyCommand(say) {
    const command = byId("command");
    try {
        await navigator.clipboard.writeText(command.textContent);
        say("The command was copied.");
        setText(byId("copy"), "Copied");
        setTimeout(() => setText(byId("copy"), "Copy"), 1500);
    } catch {
        selectText(command);
        say("The command is selected: copy it with the keyboard.");
    }
}

// formats: those of the files that one can have of the table.
function showCommand(text, formats, state) {
    byId("footer").classList.remove("stale");
    byId("copy").disabled = false;
    setText(byId("command"), text);
    renew(byId("downloads"), formats.map(({ name, summary }) => make("a", {
        download: true, title: summary, href: addressOf(`file/${name}`, state),
    }, name.toUpperCase())));
}

// What was refused has neither a command nor files.
function withdrawCommand() {
    byId("footer").classList.add("stale");
    byId("copy").disabled = true;
    for (const link of byId("downloads").children) link.removeAttribute("href");
}
