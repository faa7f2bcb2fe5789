// Round numbers for the marks of a scale.

function niceStep(span, count) {
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) * power;
}

function ticksBetween(low, high, count) {
    if (!(high > low)) return [low];
    const step = niceStep(high - low, count);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
        ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
}

function tickText(value) {
    const size = Math.abs(value);
    const text = size !== 0 && (size < 1e-4 || size >= 1e6) ?
        value.toExponential(2).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(4)));
    return text.replace("-", "−");
}
