// The elements of a table: decoded from bytes, and written in full.

// The float formats that have no typed array, and float32 for its shortest text: the number of
// significant bits, and the exponent of the smallest normal number.
const FLOATS = {
    float32: { bits: 24, lowest: -126, digits: 9 },
    float16: { bits: 11, lowest: -14, digits: 5 },
    bfloat16: { bits: 8, lowest: -126, digits: 4 },
};

function floatOfHalf(half) {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function decodeHalves(buffer) {
    return Float32Array.from(new Uint16Array(buffer), floatOfHalf);
}

// A bfloat16 is the upper half of a float32.
function decodeBrainFloats(buffer) {
    const halves = new Uint16Array(buffer);
    const bits = new Uint32Array(halves.length);
    for (let i = 0; i < halves.length; ++i) bits[i] = halves[i] << 16;
    return new Float32Array(bits.buffer);
}

const DECODERS = {
    float64: (buffer) => new Float64Array(buffer),
    float32: (buffer) => new Float32Array(buffer),
    float16: decodeHalves,
    bfloat16: decodeBrainFloats,
    int32: (buffer) => new Int32Array(buffer),
    int64: (buffer) => new BigInt64Array(buffer),
};

function bytesOfBase64(text) {
    const characters = atob(text.trim());
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < characters.length; ++i) bytes[i] = characters.charCodeAt(i);
    return bytes;
}

function roundTo(value, { bits, lowest }) {
    if (value === 0 || !Number.isFinite(value)) return value;
    const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), lowest);
    const unit = 2 ** (exponent - bits + 1);
    const units = value / unit;
    const below = Math.floor(units);
    const rest = units - below;
    const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
    return (below + (up ? 1 : 0)) * unit;
}

// The fewest digits that give this value again when they are read as this dtype.
function shortestText(value, dtype) {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
    if (Object.is(value, -0)) return "-0";
    const format = FLOATS[dtype];
    if (!format) return String(value);
    for (let digits = 1; digits < format.digits; ++digits) {
        const text = value.toPrecision(digits);
        if (roundTo(Number(text), format) === value) return String(Number(text));
    }
    return String(Number(value.toPrecision(format.digits)));
}

// numbers are for drawing; textAt writes an element in full, also an int64 that no double holds.
function decodeElements(buffer, dtype) {
    const elements = DECODERS[dtype](buffer);
    const whole = elements instanceof BigInt64Array;
    return {
        numbers: whole ? Float64Array.from(elements, Number) : elements,
        textAt: (index) => whole ? String(elements[index]) : shortestText(elements[index], dtype),
    };
}
