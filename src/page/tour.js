// The tour: one step at a time, in the language of the reader. The address is #STEP,LANGUAGE: #4,zh

const LANGUAGES = { en: TOUR_EN, zh: TOUR_ZH };

function placeOfAddress() {
    const [step, language] = location.hash.slice(1).split(",");
    const own = navigator.language.startsWith("zh") ? "zh" : "en";
    const number = Number(step);
    return {
        step: Number.isInteger(number) && number >= 1 && number <= STEPS.length ? number - 1 : 0,
        language: Object.hasOwn(LANGUAGES, language) ? language : own,
    };
}

class Tour {
    constructor() {
        this.stage = null;
        this.answer = 0;
        addEventListener("hashchange", () => this.show());
        byId("on").addEventListener("click", () => this.go(this.step + 1));
        byId("back").addEventListener("click", () => this.go(this.step - 1));
        byId("language").addEventListener("click", () =>
            this.go(this.step, this.language === "en" ? "zh" : "en"));
    }

    go(step, language = this.language) {
        location.hash = `${step + 1},${language}`;
    }

    show() {
        Object.assign(this, placeOfAddress());
        const texts = LANGUAGES[this.language];
        document.documentElement.lang = this.language;
        document.title = `pe-gen ${texts.tour}`;
        setText(byId("brand"), texts.tour);
        setText(byId("language"), texts.other);
        byId("language").lang = this.language === "en" ? "zh" : "en";
        setText(byId("explore"), texts.explore);
        setText(byId("back"), texts.back);
        setText(byId("on"), texts.on);
        byId("back").disabled = this.step === 0;
        byId("on").disabled = this.step === STEPS.length - 1;
        byId("steps").setAttribute("aria-label", texts.steps);
        byId("view").setAttribute("aria-label", texts.picture);
        renew(byId("steps"), STEPS.map(({ key }, i) => make("a", {
            href: `#${i + 1},${this.language}`, "aria-current": i === this.step && "step",
        }, `${i + 1} ${texts[key].name}`)));
        byId("steps").querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
        this.showStep(STEPS[this.step], texts);
    }

    async showStep({ key, view, table }, texts) {
        const own = ++this.answer;
        const words = texts[key];
        this.stage?.pause();
        setText(byId("title"), words.title);
        setText(byId("sentence"), words.sentence);
        setText(byId("status"), words.title);
        byId("message").hidden = true;
        byId("formula").replaceChildren();
        byId("question").open = false;
        setText(byId("question").querySelector("summary"), words.question);
        setText(byId("question").querySelector("p"), words.answer);
        byId("table").href = `./#${table}`;
        setText(byId("table"), texts.table);
        const stage = new Stage({ ...texts.controls, ...words });
        try {
            await view(stage);
            if (own !== this.answer) return;
            this.stage = stage;
            byId("view").replaceChildren(stage.svg);
            byId("tour-controls").replaceChildren(...stage.controls);
            await stage.draw();
        } catch (error) {
            showRefusal(error);
        }
    }
}

new Tour().show();
