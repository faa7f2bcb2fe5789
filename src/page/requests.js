// Requests to the program.

// The refusal of the program: its message, and the option that it is about, or null.
class Refusal extends Error {
    constructor(message, option = null) {
        super(message);
        this.option = option;
    }
}

// Shows what the program refuses where the page has its message; throws any other error.
function showRefusal(error) {
    if (!(error instanceof Refusal)) throw error;
    byId("message").hidden = false;
    setText(byId("message"), error.message);
}

async function refusalOf(response) {
    try {
        const { message, option } = await response.json();
        return new Refusal(message, option);
    } catch {
        return new Refusal(`The program answered ${response.status}.`);
    }
}

async function ask(address, options = {}) {
    let response;
    try {
        response = await send(address, options);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Refusal(NO_ANSWER);
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
}

async function askForJson(address, options) {
    return (await ask(address, options)).json();
}

// A line of JSON, then bytes.
async function askForFrame(address, options) {
    const buffer = await (await ask(address, options)).arrayBuffer();
    const end = new Uint8Array(buffer).indexOf(10);
    const text = new TextDecoder().decode(new Uint8Array(buffer, 0, end));
    return { head: JSON.parse(text), bytes: buffer.slice(end + 1) };
}

// Milliseconds that a request may take before a newer one stops it.
const PATIENCE = 150;

// Requests of one kind, one at a time. While one is under way only the latest of the others waits.
class LatestOnly {
    // send(job, signal) answers a promise; show(answer, job) and refuse(refusal, job) take what
    // comes of it.
    constructor({ send, show, refuse }) {
        Object.assign(this, { send, show, refuse });
        this.running = null;
        this.waiting = null;
    }

    want(job) {
        if (this.running === null) {
            this.start(job);
            return;
        }
        this.waiting = job;
        const age = performance.now() - this.running.started;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.running?.controller.abort(),
            Math.max(PATIENCE - age, 0));
    }

    // Drops what is under way and what waits.
    forget() {
        this.waiting = null;
        this.running?.controller.abort();
    }

    async start(job) {
        const controller = new AbortController();
        const { signal } = controller;
        this.running = { controller, started: performance.now() };
        try {
            const answer = await this.send(job, signal);
            if (!signal.aborted) this.show(answer, job);
        } catch (error) {
            if (!(error instanceof Refusal || error.name === "AbortError")) throw error;
            if (!signal.aborted && this.waiting === null) this.refuse(error, job);
        } finally {
            clearTimeout(this.timer);
            const next = this.waiting;
            this.running = null;
            this.waiting = null;
            if (next !== null) this.start(next);
        }
    }
}

// Calls back with the last arguments when there was no call for a while.
function whenQuiet(milliseconds, callback) {
    let timer = 0;
    return (...values) => {
        clearTimeout(timer);
        timer = setTimeout(() => callback(...values), milliseconds);
    };
}
