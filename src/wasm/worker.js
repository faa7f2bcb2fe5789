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

function answerTo(module, { address, isPost, body }) {
    const bytes = new Uint8Array(body ?? 0);
    const target = module.stringToNewUTF8(address);
    const content = module._malloc(bytes.length + 1);
    module.HEAPU8.set(bytes, content);
    const reply = module._posenc_answer(isPost, target, content, bytes.length);
    module._free(content);
    module._free(target);
    const { status, headers } = JSON.parse(module.UTF8ToString(module._posenc_head(reply)));
    const parts = [];
    let more = 1;
    while (more === 1) {
        const begin = module._posenc_part(reply) >>> 0;
        const size = module._posenc_part_size(reply) >>> 0;
        parts.push(module.HEAPU8.slice(begin, begin + size));
        more = module._posenc_more(reply);
    }
    module._posenc_free(reply);
    return more === 0 ? { status, headers, parts } : { status: 503, headers: {}, parts: [] };
}

addEventListener("message", async ({ data }) => {
    if (data.code) {
        program = started(data.name, data.code);
        return;
    }
    const answer = answerTo(await program, data);
    postMessage(answer, answer.parts.map((part) => part.buffer));
});
