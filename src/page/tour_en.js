// The texts of the tour in English.

const TOUR_EN = {
    tour: "tour", other: "中文", explore: "All encodings", back: "Back", on: "Next", steps: "Steps of the tour",
    picture: "Picture", table: "Open this table in the explorer",
    controls: {
        play: "Play", pause: "Pause", position: "position", channel: "channel", positions: "position",
        wavelength: "wavelength", value: "value", distance: "distance",
    },
    counting: {
        name: "Order",
        title: "A Transformer does not see the order of words",
        sentence: "Attention sees a bag of words: shuffle them, and it sees the same bag. So each word must bring its " +
            "position along.",
        picture: "Eight words in a row, and under each the number of its place.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        word: "word", shuffle: "Shuffle the words",
        below: (word, place) => `"${word}" is at position ${place}: the number that has to come along with it.`,
        question: "Why not simply add the number of the position to the word's vector?",
        answer: "Entries of word vectors are of size 1 or less, and position 3000 would drown them. The waves of the next " +
            "steps stay between -1 and 1.",
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
        gaps: (turns) => `From dot to dot the wave turns ${turns} times: what the dots seem to draw is not the wave.`,
        question: "What does channel 15 tell about the position?",
        answer: "Here nearly nothing: over 64 positions it falls from 1 to 0.9998. Set the positions 100 apart: over 6300 it " +
            "falls to -0.41, and tells early from late. Slow waves are the leading digits, quick ones the last. The base, " +
            "10000, is a choice: the slowest waves have to be longer than the texts.",
    },
    clocks: {
        name: "Many waves",
        title: "A position is the time on many clocks",
        sentence: "A sine and a cosine of the same frequency are the hand of a clock; eight clocks of eight speeds show " +
            "one position (blue) and another (brown). Point at a column or a clock, or touch it.",
        picture: "The table as colours, its eight pairs of channels as clocks, and the chosen channel as a wave.",
        other: "other position",
        question: "Which clocks must you read to tell position 3 from position 60?",
        answer: "One that does not come round between them, such as 6, 7 with its wavelength of 199. A quick one may show the " +
            "same: set the other position to 47, and look at the clock 0, 1. But to tell 60 from 61 you need a quick one. " +
            "Together they tell all positions apart.",
    },
    distance: {
        name: "Distance",
        title: "The dot product depends on the distance only",
        sentence: "Take the dot product of one position's vector, of 32 clocks now, with those of its neighbours, then start " +
            "elsewhere: the two curves coincide. Play moves the first position, and its curve stays.",
        picture: "The dot products of a position with those around it, for two positions; both curves are the same.",
        query: "first position", other: "second position", distance: "how far the other position is, with its sign",
        product: "dot product",
        below: (a, b) => `around position ${a} (wide) and position ${b} (dashed): equal up to rounding`,
        question: "Why? And why does it fall?",
        answer: "For each clock, sin a sin b + cos a cos b = cos(a - b): it depends only on the angle between the two " +
            "hands, not on the time. At distance 0 all these cosines are 1; farther away the quick ones fall out of step " +
            "and cancel, the slow ones stay near 1. So the sum falls, not quite steadily, to what the slow ones hold. Both " +
            "sides are the same: before or after, the product alone does not say. And in a Transformer words are added to " +
            "these vectors and layers come between, so a model has to learn to use it. RoPE, next, keeps it exactly.",
    },
    rotation: {
        name: "RoPE",
        title: "RoPE turns queries and keys like hands of a clock",
        sentence: "An added position is mixed with the word by the layers that follow. RoPE instead turns each pair " +
            "of the query's channels by its position m times the speed of the pair's clock, and the key's by n times it. " +
            "Play: both move on, and the score stays.",
        picture: "A query and a key as arrows, before and after they are turned, and the hands of all eight pairs.",
        m: "position m of the query", n: "position n of the key", pair: "pair of the 16 channels",
        score: "score of the pair", sum: "all pairs together",
        below: (distance) => [`For this q and k it depends only on n − m, now ${distance}.`,
            "Moving both turns both by the same angle:", "the angle between them stays, and so the score.",
            "Move m alone, and the score changes.", "Blue: the query. Brown: the key. Grey: before the turn."],
        strip: "All pairs with this q and k, from quick to slow, after the turn, and their scores:",
        question: "What does a pair that hardly turns tell the model?",
        answer: "Nearly nothing about the position: its score is the plain dot product. Such pairs can carry the meaning " +
            "of words over any distance, and quick pairs can see who is next to whom.",
    },
    scaling: {
        name: "Longer texts",
        title: "Beyond the training length",
        sentence: "In training, quick pairs turned through every angle; slow ones never completed a turn. In a longer text " +
            "they reach angles that training has never shown (shaded), and the model has not learned what these mean. " +
            "Scalings make waves longer, to keep the slow pairs within what was seen.",
        picture: "The turns of each pair at the end of a longer text, for five scalings, and at the end of the training.",
        factor: "times as long", scaling: "highlighted", pairs: "pair of 64 channels, quick to slow; base 10000",
        turns: "turns at the end of the text",
        trained: "trained: 4096", unseen: "never seen",
        below: (name, some, all, most) => some === 0
            ? `${name}: the ${all} pairs that never completed a turn stay where training has been`
            : `${name}: of the ${all} pairs that never completed a turn, ${some} reach new angles, up to ${most} times as far`,
        question: "Linear scaling makes every wave longer by the same factor. What does it lose?",
        answer: "The quick waves tell neighbours apart, and they get slower, too: the last digits blur. YaRN and llama3 " +
            "leave pairs alone that turned often in training (32 times for YaRN, 4 times for llama3), stretch those that " +
            "never completed a turn by the whole factor, and pass from one to the other in between. NTK takes a " +
            "larger base: each pair is stretched a little more than the one before, only the slowest by the whole factor, " +
            "and the other slow ones go somewhat too far.",
    },
    bias: {
        name: "ALiBi",
        title: "Or add a bias to the scores",
        sentence: "ALiBi has no vectors for positions: it lowers each score by a slope times the distance. Each head has a " +
            "fixed slope, of 8 heads 1/2, 1/4 and so on to 1/256; nothing is learned. (The scores are made up; \"it\" is the " +
            "last word and looks back.)",
        picture: "Eight words with their scores, the bias, the sums, and the weights before and after.",
        words: ["the", "dog", "bit", "the", "man", "who", "fed", "it"],
        head: "head", scores: "scores of \"it\"", bias: (slope) => `bias, slope ${slope}`, sums: "sums",
        before: "weights before", after: "weights after",
        question: "What does head 7 see that head 0 does not? And in a longer text?",
        answer: "Its slope is 1/256: a word 100 positions back loses 0.4. Head 0 loses 0.5 a position and attends almost " +
            "only to the nearest words. A longer text shows no new kind of number, only larger distances, which are " +
            "lowered more: so models trained on short texts go on working, with far words counting less and less.",
    },
    buckets: {
        name: "T5",
        title: "T5 learns a bias for each range of distances",
        sentence: "Each head learns one bias for each bucket of distances. Small distances have a bucket each; farther ones " +
            "share buckets that grow with the distance. The height is the bucket's number, not its bias.",
        picture: "The bucket of each distance as a staircase whose steps become wider, and the four ideas in a table.",
        bucket: "bucket (of 32; 0 to 15 are for words behind, the others for words ahead)",
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
