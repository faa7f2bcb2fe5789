// Requests to the program itself, which this page has as WebAssembly: worker.js runs it. What identify needs is in a
// program of its own, which is loaded when it is asked for.

const NO_ANSWER = location.protocol === "file:"
    ? "Browsers run programs of pages from a web server only. In the folder of this page, type " +
        "python3 -m http.server, and open http://localhost:8000"
    : "The program of this page cannot be loaded. Load the page again.";

// Milliseconds that the program may take to end what nobody waits for; then another is started.
const LAST_WORK = 1000;

const aborted = () => new DOMException("nobody waits", "AbortError");

// A program in its worker: one request at a time, the others wait in their order.
class OwnProgram {
    constructor(name) {
        this.name = name;
        this.waiting = [];
        this.running = null;
        this.worker = null;
        this.isReady = false;
        this.code = this.load();
        this.code.then(() => { this.isReady = true; }, () => {});  // each request says what is wrong
    }

    async load() {
        const response = await fetch(`${this.name}.wasm`);
        if (!response.ok) throw new TypeError(`${this.name}.wasm: ${response.status}`);
        const isNamed = response.headers.get("Content-Type") === "application/wasm";
        return isNamed ? WebAssembly.compileStreaming(response)
            : WebAssembly.compile(await response.arrayBuffer());
    }

    // Answers a Response, as fetch() does.
    async send(address, { method = "GET", body = null, signal = null } = {}) {
        const content = body === null ? null : await new Response(body).arrayBuffer();
        if (signal?.aborted) throw aborted();
        return new Promise((resolve, reject) => {
            const job = { address, isPost: method === "POST", content, resolve, reject };
            signal?.addEventListener("abort", () => this.giveUp(job));
            this.waiting.push(job);
            this.next();
        });
    }

    async next() {
        if (this.running !== null || this.waiting.length === 0) return;
        const job = this.waiting.shift();
        this.running = job;
        try {
            const code = await this.code;
            if (this.running !== job) return;  // it was given up meanwhile
            this.worker ??= this.started(code);
            this.worker.postMessage({ address: job.address, isPost: job.isPost, body: job.content });
        } catch (error) {
            if (this.running === job) this.end();
            job.reject(error);
        }
    }

    started(code) {
        const worker = new Worker("worker.js", { type: "module" });
        worker.postMessage({ name: this.name, code });
        worker.addEventListener("message", ({ data: { status, headers, parts } }) => {
            if (this.worker !== worker) return;
            const { resolve } = this.running;
            this.end();
            resolve(new Response(new Blob(parts), { status, headers }));
        });
        worker.addEventListener("error", () => {
            if (this.worker === worker) this.stop(new TypeError("the program has ended"));
        });
        return worker;
    }

    end() {
        clearTimeout(this.timer);
        this.running = null;
        this.next();
    }

    giveUp(job) {
        job.reject(aborted());
        this.waiting = this.waiting.filter((other) => other !== job);
        if (this.running === job) {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.stop(aborted()), LAST_WORK);
        }
    }

    // The next request starts another program.
    stop(reason) {
        this.worker?.terminate();
        this.worker = null;
        const job = this.running;
        this.end();
        job?.reject(reason);
    }
}

const explore = new OwnProgram("explore");
let recognition = null;

// What was made with the page, for the time until the program is there: the lists, and of the table that is shown first
// its picture, in a usual size, and what is said of it. Of another address, answers null.
const PREPARED = { draw: "first.bin", about: "about.json" };
let start = null;

async function preparedAnswer(address) {
    const [path, query = ""] = address.split("?");
    if (path === "/specs") {
        const lists = await fetch("specs.json");
        start = (await lists.clone().json()).start;
        return lists;
    }
    const [, kind, name] = path.split("/");
    const isUsual = pairsOf(query).every(([key]) => ["within", "density"].includes(key));
    if (explore.isReady || !(kind in PREPARED) || name !== start || !isUsual) return null;
    // The program then draws the picture for its place, as when the place changes.
    if (kind === "draw") explore.code.then(() => dispatchEvent(new Event("resize")), () => {});
    return fetch(PREPARED[kind]);
}

async function send(address, options) {
    if (!address.startsWith("/identify")) return await preparedAnswer(address) ?? explore.send(address, options);
    recognition ??= new OwnProgram("identify");
    return recognition.send(address, options);
}

// Saves what a link to a file of the table leads to.
async function download(link) {
    const response = await ask(link.getAttribute("href"));
    const [, name] = response.headers.get("Content-Disposition").match(/filename="(.*)"/);
    const href = URL.createObjectURL(await response.blob());
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

function makeDownloads() {
    byId("downloads").addEventListener("click", async (event) => {
        const link = event.target.closest("a[href^='/file/']");
        if (!link) return;
        event.preventDefault();
        try {
            await download(link);
        } catch (error) {
            showRefusal(error);
        }
    });
}
