// Making elements of the page.

function byId(id) {
    return document.getElementById(id);
}

// Attributes that are null, undefined or false are left out; one named onEVENT is a listener.
function addAttributes(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    return element;
}

function make(tag, attributes = {}, ...children) {
    const element = addAttributes(document.createElement(tag), attributes);
    element.append(...children);
    return element;
}

function makeSvg(tag, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    addAttributes(element, attributes);
    element.append(...children);
    return element;
}

function takeAttributes(element, other) {
    for (const { name } of [...element.attributes]) {
        if (name !== "open" && !other.hasAttribute(name)) element.removeAttribute(name);
    }
    for (const { name, value } of other.attributes) {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
}

// Gives a place these nodes, which have no listeners. A node of the same kind stays and takes over
// text and attributes, so that a press of the mouse on it becomes a click, and the focus and what
// was opened stay.
function renew(place, nodes) {
    nodes.forEach((node, i) => {
        const present = place.childNodes[i];
        if (!present) place.append(node);
        else if (present.nodeName !== node.nodeName) present.replaceWith(node);
        else if (node.nodeType === Node.TEXT_NODE) setText(present, node.data);
        else {
            takeAttributes(present, node);
            renew(present, [...node.childNodes]);
        }
    });
    while (place.childNodes.length > nodes.length) place.lastChild.remove();
}

// A list of terms and what they are; entries without a text are left out.
function fillTerms(list, entries) {
    const shown = entries.filter(([, text]) => text !== undefined && text !== null && text !== "");
    list.replaceChildren(...shown.map(([term, text]) =>
        make("div", {}, make("dt", {}, term), make("dd", {}, text))));
}

// Does not touch the page if nothing changes: a live region would be read again.
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
