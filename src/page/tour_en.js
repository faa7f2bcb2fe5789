// The texts of the tour in English.

const TOUR_EN = {
    tour: "tour", other: "中文", explore: "All encodings", back: "Back", on: "Next", steps: "Steps of the tour",
    table: "Open this table in the explorer",
    controls: {
        play: "Play", pause: "Pause", position: "position", channel: "channel", positions: "position",
        channels: "channel", wavelength: "wavelength", value: "value", distance: "distance",
    },
    counting: {
        name: "Counting",
        title: "A Transformer cannot count",
        sentence: "Attention sees a set of words. Whoever shuffles them gives it the same set, so each word must bring " +
            "its position along.",
        picture: "Eight words in a row, and under each the number of its place.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        shuffle: "Shuffle the words",
        below: "Above: the words, which attention sees in no order. Below: the positions, which stay where they are.",
        question: "Why not simply add the number of the position to the word's vector?",
        answer: "Word vectors have entries near 1; position 3000 would drown them, and a length that was never trained " +
            "would be a number that was never seen. An encoding keeps every entry between -1 and 1.",
    },
    binary: {
        name: "Binary",
        title: "Count in bits",
        sentence: "A number in binary is a row of small values: the first bit flips at every step, the next at every " +
            "second, then every fourth.",
        picture: "The numbers 0 to 15 in binary, a row each; columns flip half as often from left to right.",
        below: ["Each column is a square wave.", "Its wavelength doubles from column to column: 2, 4, 8, 16.",
            "Neighbours such as 7 and 8 differ in every bit."],
        question: "What is bad about 7 and 8?",
        answer: "They are neighbours, but all four bits differ: near positions are not near as vectors. Waves without " +
            "corners repair that: replace each square wave by a sine.",
    },
    wave: {
        name: "One wave",
        title: "One channel is one wave",
        sentence: "The paper's encoding replaces each bit by a sine or a cosine: low channels swing quickly, high ones " +
            "slowly.",
        picture: "The values of one channel at positions 0 to 63 as a curve.",
        question: "What tells the position in channel 15, whose wavelength is longer than the picture?",
        answer: "Nearly nothing from one position to the next, but a lot between the beginning and the end: slow waves " +
            "are the leading digits, quick ones the last.",
    },
    clocks: {
        name: "Many waves",
        title: "A position is the time on many clocks",
        sentence: "A sine and a cosine of the same frequency are the hand of a clock; eight clocks of eight speeds show " +
            "one position. Point at a column or a clock.",
        picture: "The table as colours, its eight pairs of channels as clocks, and the chosen channel as a wave.",
        question: "Which clocks must you read to tell position 3 from position 60?",
        answer: "A slow one alone tells early from late; a quick one has turned many times and could show the same. " +
            "To tell 60 from 61 you need a quick one. Together they tell all positions apart.",
    },
    distance: {
        name: "Distance",
        title: "The dot product depends on the distance only",
        sentence: "Compare one position with those around it, then start elsewhere: the two curves lie on each other.",
        picture: "The dot products of a position with those around it, for two positions; both curves are the same.",
        query: "first position", other: "second position", distance: "distance of the other position",
        product: "dot product",
        below: (a, b, apart) => `around position ${a} (wide) and position ${b} (dashed): at most ${apart} apart`,
        question: "Why?",
        answer: "For each clock, sin a sin b + cos a cos b = cos(a - b): the angle between two hands. It does not " +
            "matter what time it is, only how much later. The sum over all clocks inherits that.",
    },
    rotation: {
        name: "RoPE",
        title: "RoPE turns queries and keys like hands of a clock",
        sentence: "Instead of adding a position, turn the query by an angle of its position m and the key by one of n. " +
            "Play: both move on, and the score stays.",
        picture: "A query and a key as arrows, before and after they are turned, and the hands of all eight pairs.",
        m: "position m of the query", n: "position n of the key", pair: "pair of channels",
        score: "score",
        below: (distance) => [`The angle between the arrows changes with m - n = ${distance} only.`,
            "Move m alone: the score changes. Play moves both."],
        strip: "The pairs from quick to slow: the hand of m and the hand of n.",
        question: "What does a pair that hardly turns tell the model?",
        answer: "Nearly nothing about the position: its score is the plain dot product. Such pairs carry the meaning " +
            "of words over any distance, and quick pairs see who is next to whom.",
    },
    scaling: {
        name: "Longer texts",
        title: "Beyond the length that was trained",
        sentence: "A pair whose wave is longer than the training texts has shown only a part of its turn. Scalings make " +
            "waves longer, so that a longer text stays within what was seen.",
        picture: "The wavelength of each pair of channels on a logarithmic axis, for five scalings.",
        factor: "factor", scaling: "highlighted", pairs: "pair of channels, quick to slow", wavelength: "wavelength",
        trained: "trained: 4096 positions; above it, a turn is never completed",
        turns: (count) => `${count} of 32 waves never complete a turn within 4096 positions`,
        question: "Linear scaling makes every wave longer by the same factor. What does it lose?",
        answer: "The quick waves tell neighbours apart, and they get slower, too: the last digits blur. YaRN and llama3 " +
            "leave quick waves alone, NTK nearly so, and they slow down those that would show something new.",
    },
    bias: {
        name: "ALiBi",
        title: "Or add a bias to the scores",
        sentence: "ALiBi has no vectors for positions: it lowers each score by a slope times the distance, and each " +
            "head has a slope of its own. The scores here are made up; the bias is the table's.",
        picture: "Eight words with their scores, the bias, the sums, and the weights before and after.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        head: "head", scores: "scores of \"it\"", bias: "+ bias", sums: "= sums", before: "weights before",
        after: "weights after",
        question: "What does head 7 see that head 0 does not?",
        answer: "Its slope is 1/256: a word 100 positions back loses 0.4. Head 0 loses 0.5 a position and sees its " +
            "neighbours only. Some heads look near, some far.",
    },
    buckets: {
        name: "T5",
        title: "T5 learns one bias for each range of distances",
        sentence: "Small distances have a bucket each; farther ones share buckets that grow with the distance.",
        picture: "The bucket of each distance as a staircase whose steps become wider.",
        bucket: "bucket",
        below: (bucket, first, last) => first === last ? `bucket ${bucket}: distance ${first} alone`
            : `bucket ${bucket}: distances ${first} to ${last}`,
        question: "Two words are 150 and 190 positions back. Can T5 tell which is nearer?",
        answer: "Not by the bias: from distance 91 on all share the last bucket. Nothing breaks in longer texts, but " +
            "far is just far.",
    },
};
