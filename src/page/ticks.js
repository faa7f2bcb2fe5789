// Scales, and round numbers for their marks. Halves: two doubles may be farther apart than the
// largest one.

// Where a value is between two others: 0 at the first, 1 at the last.
function shareOf(value, first, last) {
    return (value / 2 - first / 2) / (last / 2 - first / 2 || 1);
}

function niceStep(span, count) {
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) * power;
}

function ticksBetween(low, high, count) {
    if (!(high > low)) return [low];
    const step = niceStep(high / 2 - low / 2, count / 2);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
        ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
}

function tickText(value, digits = 4) {
    const size = Math.abs(value);
    const text = size !== 0 && (size < 1e-4 || size >= 1e6) ?
        value.toExponential(2).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(digits)));
    return text.replace("-", "−");
}

// As many digits as tell neighbouring ticks apart.
function digitsOfTicks(ticks) {
    const largest = Math.max(...ticks.map(Math.abs));
    const step = ticks.length > 1 ? ticks[1] - ticks[0] : largest;
    return Math.min(Math.max(Math.ceil(Math.log10(largest / step || 1)) + 1, 4), 9);
}
