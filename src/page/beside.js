// What the table is compared with: the words of another, or a file that stays in the page.

// The most that the program takes.
const LARGEST_FILE = 16 * 2 ** 20;

class Beside {
    // setWords(text) takes the words of another table, fileChanged() follows another file,
    // refuse(text) and say(text) show messages.
    constructor(finder, { setWords, fileChanged, refuse, say }) {
        Object.assign(this, { setWords, fileChanged, refuse, say });
        this.file = null;
        this.box = new Combobox(byId("beside"), byId("beside-list"), {
            find: (text) => text.includes("--") ? [] : finder(text),
            choose: ({ name }) => setWords(name),
            chooseText: (text) => setWords(text),
        });
        byId("choose-file").addEventListener("click", () => byId("file").click());
        byId("file").addEventListener("change", () => this.take(byId("file").files[0]));
        byId("remove-beside").addEventListener("click", () => this.remove());
        this.listenToDrops();
    }

    listenToDrops() {
        const sign = byId("drop");
        const hasFile = (event) => event.dataTransfer?.types.includes("Files");
        addEventListener("dragover", (event) => {
            if (!hasFile(event)) return;
            event.preventDefault();
            sign.hidden = false;
        });
        addEventListener("dragleave", (event) => {
            if (event.relatedTarget === null) sign.hidden = true;
        });
        addEventListener("drop", (event) => {
            sign.hidden = true;
            if (!hasFile(event)) return;
            event.preventDefault();
            this.take(event.dataTransfer.files[0]);
        });
    }

    // Read at once: the file may change or go while the page compares with it.
    async take(file) {
        if (!file) return;
        byId("file").value = "";
        try {
            if (file.size > LARGEST_FILE) throw new Error("a page compares files of at most 16 MiB; pe-gen compare takes larger ones");
            this.file = { name: file.name, bytes: await file.arrayBuffer() };
        } catch (error) {
            this.refuse(`${file.name}: ${error.message}`);
            return;
        }
        this.say(`Comparing with ${file.name}.`);
        this.fileChanged();
    }

    remove() {
        this.file = null;
        this.setWords("");
        byId("beside").focus();
    }

    // A file takes the place of words.
    show(words) {
        this.box.settle(words);
        byId("file-chip").hidden = this.file === null;
        setText(byId("file-name"), this.file?.name ?? "");
        byId("remove-beside").hidden = this.file === null && words === "";
    }
}

function showComparison(place, sentences) {
    place.hidden = !sentences;
    place.replaceChildren(...(sentences ?? []).map((sentence) => make("p", {}, sentence)));
}
