// What the page shows, as it stands in the fragment of its address: NAME?key=value&...
// Settings are named as on the command line, and only those that were changed are there.

// Keys of the page itself; no option has these names.
const PAGE_KEYS = ["beside", "at", "picture", "file"];

// Half a surrogate pair, which a text field may hold, is no character.
function escaped(text) {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

function queryOf(pairs) {
    return pairs.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join("&");
}

// An address that somebody typed may have a lone %.
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function pairsOf(query) {
    return query.split("&").filter(Boolean).map((pair) => {
        const [key, ...rest] = pair.split("=");
        return [decoded(key), decoded(rest.join("="))];
    });
}

function indicesOf(text) {
    return text && /^\d+(,\d+)*$/.test(text) ? text.split(",").map(Number) : null;
}

function stateOfFragment(fragment) {
    const [name, query = ""] = fragment.split(/\?(.*)/s);
    const pairs = pairsOf(query);
    const own = Object.fromEntries(pairs.filter(([key]) => PAGE_KEYS.includes(key)));
    return {
        name: decoded(name),
        settings: Object.fromEntries(pairs.filter(([key]) => !PAGE_KEYS.includes(key))),
        beside: own.beside ?? "",
        file: own.file ?? "",
        at: indicesOf(own.at),
        picture: own.picture === "values" ? "values" : "figure",
    };
}

function fragmentOf(state) {
    const pairs = Object.entries(state.settings);
    if (state.beside) pairs.push(["beside", state.beside]);
    if (state.at) pairs.push(["at", state.at.join(",")]);
    if (state.picture !== "figure") pairs.push(["picture", state.picture]);
    const query = queryOf(pairs);
    return escaped(state.name) + (query ? `?${query}` : "");
}

function addressOf(kind, state, extra = {}) {
    const query = queryOf([...Object.entries(state.settings), ...Object.entries(extra)]);
    return `/${kind}/${escaped(state.name)}${query ? `?${query}` : ""}`;
}
