// The buttons under a heatmap that zoom it, and the text that says what is in view.

// axesOf() answers the axes of the table, leadingOf() the indices along all but the last two.
function connectZoom(bar, heatmap, axesOf, leadingOf) {
    const actions = {
        in: () => heatmap.zoomAtMark(1.5), out: () => heatmap.zoomAtMark(1 / 1.5),
        fit: () => heatmap.fit(),
    };
    for (const button of bar.querySelectorAll("button")) {
        button.addEventListener("click", actions[button.value]);
    }
    const text = bar.querySelector(".in-view");
    heatmap.canvas.addEventListener("paint", () => {
        setText(text, viewText(heatmap, axesOf(), leadingOf()));
    });
}

function viewText(heatmap, axes, leading) {
    const { rows, columns } = heatmap.visibleCells();
    const range = (axis, [first, last]) =>
        `${axis.name} ${standsFor(axis, first) || first} to ${standsFor(axis, last) || last}`;
    const parts = leading.map((index, axis) => describeIndex(axes[axis], index));
    if (axes.length > 1) parts.push(range(axes.at(-2), rows));
    return [...parts, range(axes.at(-1), columns)].join(", ");
}
