// The keys of a picture: arrows move the cell, ten at once with shift.

const ARROWS = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};

// actions: move(rows, columns), pin(), unpin(), zoom(factor), fit()
function listenToKeys(element, actions) {
    const others = {
        Enter: () => actions.pin(), " ": () => actions.pin(), Escape: () => actions.unpin(),
        "+": () => actions.zoom(1.5), "=": () => actions.zoom(1.5),
        "-": () => actions.zoom(1 / 1.5), 0: () => actions.fit(),
    };
    element.addEventListener("keydown", (event) => {
        if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = ARROWS[event.key];
        const step = event.shiftKey ? 10 : 1;
        if (arrow) actions.move(arrow[0] * step, arrow[1] * step);
        else if (others[event.key]) others[event.key]();
        else return;
        event.preventDefault();
    });
}
