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
