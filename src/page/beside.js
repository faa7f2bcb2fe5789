// What the table is compared with: the words of another, or a file that stays in the page.

// The most bytes that the program takes.
const LARGEST_FILE = 16 * 2 ** 20;

// The parts of a request that name a file, which is its body, and the array of a file of several.
function queryOfFile({ name, array }) {
    return array === null ? { named: name } : { named: name, array };
}

// The parts of a request that say what the table is compared with.
function queryBeside({ state, file }) {
    if (file) return queryOfFile(file);
    return state.beside ? { beside: state.beside } : {};
}

function bodyOf(file) {
    return file ? { method: "POST", body: file.bytes,
        headers: { "Content-Type": "application/octet-stream" } } : {};
}

// A name that goes with a request and into a sentence.
function plainName(name) {
    const longest = 80;
    return name.replace(/\p{C}/gu, "?").slice(0, longest);
}

// What sentences call the array that is compared with.
function labelOf({ name, array }) {
    return array === null ? name : `${name}:${array}`;
}

// The array that a file of several is compared with first: positions, if one is called so.
function firstArray(arrays) {
    const readable = arrays.filter(({ refusal }) => refusal === undefined);
    if (readable.length === 0) throw new Error(arrays[0].refusal);
    return (readable.find(({ usual }) => usual) ?? readable[0]).name;
}

// The choice of an array of a file, with those that may be positions first.
function arrayChoices(arrays, chosen) {
    const choice = ({ name, shape, dtype, refusal }) => make("option",
        { value: name, selected: name === chosen, disabled: refusal !== undefined, title: refusal },
        shape ? `${name} (${shape.join(", ")}) ${dtype}` : name);
    const group = (label, members) => members.length === 0 ? [] :
        [make("optgroup", { label }, ...members.map(choice))];
    return [...group("positions, by name or shape", arrays.filter(({ usual }) => usual)),
        ...group("other arrays", arrays.filter(({ usual }) => !usual))];
}

class Beside {
    // setWords(text) takes the words of another table, fileTaken() follows another file,
    // refuse(text) and say(text) show messages.
    constructor(finder, { setWords, fileTaken, refuse, say }) {
        Object.assign(this, { setWords, fileTaken, refuse, say });
        this.file = null;
        this.taken = 0;
        this.box = new Combobox(byId("beside"), byId("beside-list"), {
            find: (text) => text.includes("--") ? [] : finder(text),
            choose: ({ name }) => setWords(name),
            chooseText: (text) => setWords(text),
        });
        byId("choose-file").addEventListener("click", () => byId("file").click());
        byId("file").addEventListener("change", () => this.take(byId("file").files[0]));
        byId("array").addEventListener("change", () => this.takeArray(byId("array").value));
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
        const own = ++this.taken;
        try {
            if (file.size > LARGEST_FILE) {
                throw new Error("a page takes files of at most 16 MiB; of a larger one, " +
                    `pe-gen explore ${file.name}:NAME takes an array`);
            }
            const content = { name: plainName(file.name), bytes: await file.arrayBuffer() };
            const { arrays } = await askForJson(`/arrays?named=${escaped(content.name)}`,
                bodyOf(content));
            if (own !== this.taken) return;  // another file came meanwhile
            const array = arrays.length > 1 ? firstArray(arrays) : null;
            this.file = { ...content, array };
            byId("array").replaceChildren(...arrayChoices(arrays, array));
        } catch (error) {
            const isNamed = error.message.startsWith(plainName(file.name));
            this.refuse(isNamed ? error.message : `${file.name}: ${error.message}`);
            return;
        }
        this.compare();
    }

    takeArray(array) {
        this.file = { ...this.file, array };
        this.compare();
    }

    compare() {
        this.say(`Comparing with ${labelOf(this.file)}.`);
        this.fileTaken();
    }

    remove() {
        ++this.taken;
        this.file = null;
        this.setWords("");
        byId("beside").focus();
    }

    // A file takes the place of words.
    show(words) {
        this.box.settle(words);
        byId("file-chip").hidden = this.file === null;
        setText(byId("file-name"), this.file?.name ?? "");
        byId("array").hidden = this.file === null || this.file.array === null;
        byId("remove-beside").hidden = this.file === null && words === "";
    }
}

// What is said of two tables. As long as these are the same two it keeps the height that it once
// had, so that the pictures under it stay where they are while a slider moves.
class ComparisonText {
    constructor(place, hrefOf) {
        Object.assign(this, { place, hrefOf });
        this.tables = [];
    }

    // tables: what is compared, to be told from others.
    show(sentences, tables) {
        const areSame = tables.every((table, i) => table === this.tables[i]);
        if (!areSame) this.place.style.minHeight = "";
        this.tables = tables;
        renew(this.place, sentences.map((sentence) =>
            make("p", {}, ...withLinks(sentence, this.hrefOf))));
        this.place.hidden = false;
        this.place.style.minHeight = `${this.place.offsetHeight}px`;
    }

    // Keeps what was said, and puts a sentence before it, in the place of the one added before.
    add(sentence) {
        this.place.querySelector(".added")?.remove();
        if (sentence) {
            this.place.prepend(make("p", { class: "added" },
                ...withLinks(sentence, this.hrefOf)));
        }
        this.place.style.minHeight = `${this.place.offsetHeight}px`;
    }

    hide() {
        this.place.hidden = true;
        this.place.style.minHeight = "";
    }
}

// Asks once for each file which command makes it.
class Identification {
    // say(sentence) shows the answer, or what is being done.
    constructor(say) {
        this.say = say;
        this.answers = new WeakMap();
        this.file = null;
    }

    // None is wanted for null.
    want(file) {
        this.file = file;
        if (!file) return;
        if (!this.answers.has(file)) this.answers.set(file, this.ask(file));
        const answer = this.answers.get(file);
        if (typeof answer === "string") this.say(answer);
        else this.say(`Looking for the command that makes ${labelOf(file)}…`);
    }

    async ask(file) {
        let answer;
        try {
            const query = queryOf(Object.entries(queryOfFile(file)));
            const response = await ask(`/identify?${query}`, bodyOf(file));
            answer = (await response.json()).sentence ||
                `No command was found that makes ${labelOf(file)}.`;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            answer = `The command that makes ${labelOf(file)} was not found: ${error.message}`;
        }
        this.answers.set(file, answer);
        if (this.file === file) this.say(answer);
    }
}
