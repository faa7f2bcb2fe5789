// Runs a program of the page: the first message brings its name and its code, each other one a request.

let program;

async function started(name, code) {
    const { default: start } = await import(`./${name}.js`);
    return start({
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(code, imports).then((instance) => done(instance, code));
            return {};
        },
    });
}

addEventListener("message", async ({ data }) => {
    if (data.code) {
        program = started(data.name, data.code);
        return;
    }
    const answer = (await program).answer(data);
    postMessage(answer, answer.parts.map((part) => part.buffer));
});
