// The values that a slider stops at. A parameter without bounds has a window around its usual
// value; the window grows when a value outside is typed.

const FEW = 256;

function powerAbove(value) {
    return 2 ** Math.ceil(Math.log2(value));
}

// Whole numbers: all up to 16, then eight in each doubling.
function wholeStops(low, high) {
    const stops = [];
    for (let value = low; value <= high;) {
        stops.push(value);
        const step = value < 16 ? 1 : 2 ** Math.floor(Math.log2(value / 8));
        value = Math.floor(value / step) * step + step;
    }
    return stops;
}

function linearStops(low, high, whole) {
    const step = Math.max(niceStep(high - low, 100), whole ? 1 : 0);
    const stops = [];
    for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); ++i) {
        stops.push(Number((i * step).toPrecision(12)));
    }
    return stops;
}

// The powers of ten that a slider goes between, far within those that a double can be.
const FARTHEST = 300;

// Twenty in each decade, of three digits.
function logarithmicStops(low, high) {
    const stops = [];
    low = Math.max(low, 10 ** -FARTHEST);
    high = Math.min(high, 10 ** FARTHEST);
    const last = Math.round(20 * Math.log10(high));
    for (let i = Math.round(20 * Math.log10(low)); i <= last; ++i) {
        stops.push(Number((10 ** (i / 20)).toPrecision(3)));
    }
    return stops;
}

function wholeWindow(spec, usual) {
    const size = Math.max(Math.abs(usual), 1);
    const low = spec.lowest ?? (spec.is_extent ? 1 : -Math.max(16, 2 * size));
    const window = spec.is_extent ? powerAbove(8 * size) : Math.max(16, powerAbove(4 * size));
    const high = Math.min(spec.highest ?? Infinity, Math.max(window, low + 16));
    return low >= 0 && high - low > FEW ? wholeStops(low, high) : linearStops(low, high, true);
}

function realWindow(spec, usual) {
    const { lowest, highest } = spec;
    const size = Math.abs(usual) || 1;
    const positive = lowest !== null && lowest >= 0;
    if (positive && highest !== null && (lowest === 0 || highest / lowest < 1000)) {
        return linearStops(lowest, highest, false);
    }
    if (positive || (size >= 100 && usual > 0)) {
        return logarithmicStops(Math.max(lowest ?? 0, size / 1000),
            Math.min(highest ?? Infinity, size * 1000));
    }
    return linearStops(lowest ?? -4 * size, highest ?? 4 * size, false);
}

function isAllowed(spec, value) {
    const { lowest, highest } = spec;
    const aboveLowest = lowest === null || (spec.lowest_is_open ? value > lowest : value >= lowest);
    const belowHighest = highest === null ||
        (spec.highest_is_open ? value < highest : value <= highest);
    return aboveLowest && belowHighest;
}

// usual: what the parameter is without a change; current: what it is. Either may be NaN.
function stopsOf(spec, usual, current) {
    const whole = spec.type === "integer";
    const windowAround = (value) => (whole ? wholeWindow : realWindow)(spec, value)
        .filter((stop) => isAllowed(spec, stop));
    const centre = Number.isFinite(usual) ? usual : 0;
    let stops = windowAround(centre);
    const outside = Number.isFinite(current) && (current < stops[0] || current > stops.at(-1));
    if (outside) stops = windowAround(current);
    const own = [centre, current].filter((value) =>
        Number.isFinite(value) && isAllowed(spec, value));
    return [...new Set([...stops, ...own])].sort((a, b) => a - b);
}

function nearestStop(stops, value) {
    let nearest = 0;
    stops.forEach((stop, i) => {
        if (Math.abs(stop - value) < Math.abs(stops[nearest] - value)) nearest = i;
    });
    return nearest;
}
