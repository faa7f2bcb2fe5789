// The texts of the tour in English.

const TOUR_EN = {
    tour: "tour", other: "中文", explore: "All encodings", back: "Back", on: "Next", steps: "Steps of the tour",
    picture: "Picture", table: "Open this table in the explorer",
    controls: {
        play: "Play", pause: "Pause", position: "position", channel: "channel", positions: "position",
        wavelength: "wavelength", value: "value", distance: "distance",
    },
    counting: {
        name: "Counting",
        title: "A Transformer does not see the order of words",
        sentence: "Attention sees a bag of words: shuffle them, and it sees the same bag. So each word must bring its " +
            "position along.",
        picture: "Eight words in a row, and under each the number of its place.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        shuffle: "Shuffle the words",
        below: "Above: the words, which attention sees in no order. Below: the positions, which stay where they are.",
        question: "Why not simply add the number of the position to the word's vector?",
        answer: "Entries of word vectors are of size 1 or less; position 3000 would drown them, and a length that was " +
            "never trained would be a number that was never seen. The encodings of the next steps stay between -1 and 1.",
    },
    binary: {
        name: "Binary",
        title: "Count in bits",
        sentence: "A number in binary is a row of zeros and ones: the lowest bit flips at every step, the next every 2 " +
            "steps, the next every 4.",
        picture: "The numbers 0 to 15 in binary, a row each; columns flip half as often from left to right.",
        order: "the lowest bit first",
        below: ["Each column is a square wave.", "Its wavelength doubles from column to column: 2, 4, 8, 16.",
            "Neighbours such as 7 and 8 differ in every bit."],
        question: "Why are 7 and 8 a problem?",
        answer: "They are neighbours, but all four bits differ: near positions are not near as vectors. Waves without " +
            "corners repair that: replace each square wave by a sine.",
    },
    wave: {
        name: "One wave",
        title: "One channel is one wave",
        sentence: "The original Transformer's encoding replaces each bit by a sine or a cosine: low channels swing " +
            "quickly, high ones slowly.",
        picture: "The values of one channel at 64 positions as a curve.",
        spacing: "positions apart", row: "position",
        question: "What does channel 15 tell about the position?",
        answer: "Here nearly nothing: over 64 positions it falls from 1 to 0.9998. Set the positions 1000 apart: now it " +
            "tells early from late. Slow waves are the leading digits, quick ones the last.",
    },
    clocks: {
        name: "Many waves",
        title: "A position is the time on many clocks",
        sentence: "A sine and a cosine of the same frequency are the hand of a clock; eight clocks of eight speeds show " +
            "one position (blue) and another (brown). Point at a column or a clock.",
        picture: "The table as colours, its eight pairs of channels as clocks, and the chosen channel as a wave.",
        other: "other position",
        question: "Which clocks must you read to tell position 3 from position 60?",
        answer: "The clock 6, 7, whose wavelength is 199, has not yet come round, so it tells them apart; a quick one has " +
            "turned many times and could show the same. To tell 60 from 61 you need a quick one. Together they tell all " +
            "positions apart.",
    },
    distance: {
        name: "Distance",
        title: "The dot product depends on the distance only",
        sentence: "Take the dot product of one position's vector with those of its neighbours, then start elsewhere: the " +
            "two curves coincide.",
        picture: "The dot products of a position with those around it, for two positions; both curves are the same.",
        query: "first position", other: "second position", distance: "how far the other position is, with its sign",
        product: "dot product",
        below: (a, b) => `around position ${a} (wide) and position ${b} (dashed): equal up to rounding`,
        question: "Why? And why does it fall?",
        answer: "For each clock, sin a sin b + cos a cos b = cos(a - b): it depends only on the angle between the two " +
            "hands, not on the time. At distance 0 all these cosines are 1; farther away the quick ones fall out of step " +
            "and cancel, the slow ones stay near 1. So the sum falls, not quite steadily, to what the slow ones hold.",
    },
    rotation: {
        name: "RoPE",
        title: "RoPE turns queries and keys like hands of a clock",
        sentence: "An added position is mixed with the word by the layers that follow. RoPE instead turns the query by an " +
            "angle proportional to its position m, the key by n. Play: both move on, and the score stays.",
        picture: "A query and a key as arrows, before and after they are turned, and the hands of all eight pairs.",
        m: "position m of the query", n: "position n of the key", pair: "pair of channels",
        score: "score of the pair", sum: "all pairs together",
        below: (distance) => [`It depends only on m - n, now ${distance}.`, "Move m alone: the score changes. Play moves both.",
            "Blue: the query. Brown: the key. Grey: before the turn."],
        strip: "The pairs from quick to slow, the hands of m (blue) and n (brown), and their scores:",
        question: "What does a pair that hardly turns tell the model?",
        answer: "Nearly nothing about the position: its score is the plain dot product. Such pairs can carry the meaning " +
            "of words over any distance, and quick pairs can see who is next to whom.",
    },
    scaling: {
        name: "Longer texts",
        title: "Beyond the training length",
        sentence: "In a longer text slow pairs reach angles that training has never shown (shaded). Scalings make waves " +
            "longer, so that these pairs stay within what was seen.",
        picture: "The turns of each pair at the end of a longer text, for five scalings, and at the end of the training.",
        factor: "times as long", scaling: "highlighted", pairs: "pair of channels, quick to slow",
        turns: "turns at the end of the text",
        trained: "trained: 4096", unseen: "never seen",
        below: (name, some, all) => `${name}: ${some} of the ${all} pairs that never completed a turn reach new angles`,
        question: "Linear scaling makes every wave longer by the same factor. What does it lose?",
        answer: "The quick waves tell neighbours apart, and they get slower, too: the last digits blur. YaRN and llama3 " +
            "leave quick waves alone and stretch slow ones by the whole factor. NTK changes each a little more than the " +
            "one before, and only the slowest by the whole factor, so some still show new angles.",
    },
    bias: {
        name: "ALiBi",
        title: "Or add a bias to the scores",
        sentence: "ALiBi has no vectors for positions: it lowers each score by a slope times the distance. Each head has a " +
            "fixed slope of its own; nothing is learned. (The scores here are made up.)",
        picture: "Eight words with their scores, the bias, the sums, and the weights before and after.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        head: "head", scores: "scores of \"it\"", bias: (slope) => `bias, slope ${slope}`, sums: "sums",
        before: "weights before", after: "weights after",
        question: "What does head 7 see that head 0 does not? And in a longer text?",
        answer: "Its slope is 1/256: a word 100 positions back loses 0.4. Head 0 loses 0.5 a position and attends almost " +
            "only to the nearest words. A longer text shows no new kind of number, only larger distances, which are " +
            "lowered more: so models trained on short texts go on working.",
    },
    buckets: {
        name: "T5",
        title: "T5 learns a bias for each range of distances",
        sentence: "Each head learns one bias for each bucket of distances. Small distances have a bucket each; farther ones " +
            "share buckets that grow with the distance. The height is the bucket's number, not its bias.",
        picture: "The bucket of each distance as a staircase whose steps become wider, and the four ideas in a table.",
        bucket: "bucket (of the encoder, looking back)",
        below: (bucket, first, last) => `bucket ${bucket}: ${last === Infinity ? `distance ${first} and more`
            : first === last ? `distance ${first} alone` : `distances ${first} to ${last}`}`,
        summary: [
            ["", "acts on", "learned", "longer texts"],
            ["sinusoid", "the word's vector, added", "no", "new positions, unseen"],
            ["RoPE", "queries and keys, turned", "no", "new angles, unless scaled"],
            ["ALiBi", "scores, by the distance", "no", "go on working"],
            ["T5", "scores, by the bucket", "yes", "the last bucket"],
        ],
        question: "Two words are 150 and 190 positions back. Can T5 tell which is nearer?",
        answer: "Not by the bias: from distance 91 on all share the last bucket. Nothing breaks in longer texts, but " +
            "far is just far.",
    },
};
