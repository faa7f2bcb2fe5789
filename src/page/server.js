// Requests to the server that this page is from.

const NO_ANSWER = "The program does not answer. Start pe-gen explore again.";

function send(address, options) {
    return fetch(address, options);
}

// The browser asks for these files itself.
function makeDownloads() {}
