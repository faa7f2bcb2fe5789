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
    } catch {
        selectText(command);
        say("The command is selected: copy it with the keyboard.");
    }
}

function showDownloads(place, formats, state) {
    if (place.children.length !== formats.length) {
        place.replaceChildren(...formats.map(({ name, summary }) =>
            make("a", { download: "", title: summary }, name.toUpperCase())));
    }
    formats.forEach(({ name }, i) => {
        place.children[i].href = addressOf(`file/${name}`, state);
    });
}
