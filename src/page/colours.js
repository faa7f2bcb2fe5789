// Colours of a colormap, which come as one text of hexadecimal digits.

function coloursOf(digits) {
    return digits.match(/.{6}/g).map((colour) => `#${colour}`);
}

// As the 32 bits of a pixel of ImageData: alpha, blue, green, red.
function paletteOf(digits) {
    return Uint32Array.from(digits.match(/.{6}/g), (colour) => {
        const rgb = parseInt(colour, 16);
        return (0xff000000 | (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16) >>> 0;
    });
}

function gradientOf(digits, direction) {
    return `linear-gradient(${direction}, ${coloursOf(digits).join(", ")})`;
}

function fillColourBar(bar, head) {
    bar.querySelector(".colours").style.background = gradientOf(head.colours, "to top");
    setText(bar.querySelector(".high"), tickText(head.limits[1]));
    setText(bar.querySelector(".low"), tickText(head.limits[0]));
    setText(bar.querySelector(".label"), head.value_label ?? "");
}
