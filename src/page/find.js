// Finding entries by words in any order, those with the words in their names first.

function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function hasAll(text, words) {
    return words.every((word) => text.includes(word));
}

// From best to worst; each is a test of an entry's lower-case texts.
const MATCHES = [
    ({ name }, words) => words.length === 1 && name === words[0],
    ({ aliases }, words) => words.length === 1 && aliases.includes(words[0]),
    ({ name }, words) => words.length === 1 && name.startsWith(words[0]),
    ({ name }, words) => hasAll(name, words),
    ({ name, aliases }, words) => hasAll([name, ...aliases].join(" "), words),
    ({ name, aliases, summary }, words) => hasAll([name, ...aliases, summary].join(" "), words),
    ({ all }, words) => hasAll(all, words),
];

function textsOf({ name, aliases, summary, source, note }) {
    const lower = (text) => (text ?? "").toLowerCase();
    const texts = { name: lower(name), aliases: aliases.map(lower), summary: lower(summary) };
    return { ...texts, all: [name, ...aliases, summary, source, note].map(lower).join(" ") };
}

function makeFinder(entries) {
    const indexed = entries.map((entry) => ({ entry, texts: textsOf(entry) }));
    return (query) => {
        const words = wordsOf(query);
        if (words.length === 0) return entries;
        return indexed
            .map(({ entry, texts }) =>
                ({ entry, rank: MATCHES.findIndex((matches) => matches(texts, words)) }))
            .filter(({ rank }) => rank >= 0)
            .sort((a, b) => a.rank - b.rank)
            .map(({ entry }) => entry);
    };
}
