// The address of the page and its history.

// Browsers refuse to change the address much more often while a slider moves.
const ADDRESS_DELAY = 100;

class Address {
    constructor() {
        this.unsaved = null;
        this.timer = 0;
    }

    fragment() {
        return location.hash.slice(1);
    }

    // A setting changes the entry of the history.
    replace(state) {
        this.unsaved = state;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.save(), ADDRESS_DELAY);
    }

    // A new name is an entry of its own, so that Back undoes it.
    push(state) {
        this.save();
        history.pushState(null, "", `#${fragmentOf(state)}`);
    }

    save() {
        clearTimeout(this.timer);
        if (this.unsaved) history.replaceState(null, "", `#${fragmentOf(this.unsaved)}`);
        this.unsaved = null;
    }

    // What was not saved belongs to an entry that was left.
    forget() {
        clearTimeout(this.timer);
        this.unsaved = null;
    }
}
