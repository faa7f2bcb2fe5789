// A method of the modules of the page: answers a request, as answer.cpp does, with its status, its headers, and the parts
// of its content.
Module.answer = ({ address, isPost = false, body = null }) => {
    const bytes = new Uint8Array(body ?? 0);
    const target = stringToNewUTF8(address);
    const content = _malloc(bytes.length + 1);
    HEAPU8.set(bytes, content);
    const reply = _posenc_answer(isPost, target, content, bytes.length);
    _free(content);
    _free(target);
    const { status, headers } = JSON.parse(UTF8ToString(_posenc_head(reply)));
    const parts = [];
    let more = 1;
    while (more === 1) {
        const begin = _posenc_part(reply) >>> 0;
        const size = _posenc_part_size(reply) >>> 0;
        parts.push(HEAPU8.slice(begin, begin + size));
        more = _posenc_more(reply);
    }
    _posenc_free(reply);
    return more === 0 ? { status, headers, parts } : { status: 503, headers: {}, parts: [] };
};
