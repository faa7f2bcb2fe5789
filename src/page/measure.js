// Marks for measurements of the speed, which the browser collects.

let firstPictureShown = false;

// From the event to the frame after the one in which the picture was drawn, for measurements.
function measurePicture(since) {
    requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
            const end = performance.now();
            if (!firstPictureShown) performance.mark("first picture", { startTime: end });
            firstPictureShown = true;
            performance.measure("slider to picture", { start: since, end });
            performance.clearMeasures("slider to picture");
        };
        channel.port2.postMessage(null);
    });
}
