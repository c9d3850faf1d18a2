// What a model writes, step by step of its training, and how much of it does not fit.
attentionLive.define("becoming", ({ data, body, hint, say, element, slider }) => {
  const { times, start } = data,
    page = element("blockquote.attn-story");
  const told = ({ step, loss }) => `step ${step}, loss ${loss}`;
  // Between two asterisks stands what does not fit.
  const parts = (text) => text.split("*").map((part, place) => element(place % 2 ? "u" : "span", {}, part));
  function dashes(part) {
    const className = part.localName === "u" ? "attn-untrue" : "";
    const words = part.textContent.match(/[\p{L}']+/gu) ?? [];
    return words.map((word) => element("i", { className, style: `--letters:${word.length}` }));
  }
  const moments = times.map((time, now) => {
    const small = element("div", ...parts(time.text).flatMap(dashes));
    return element("div", { onclick: () => training.go(now) }, element("b", `step ${time.step}`), small, time.true);
  });
  const range = { max: times.length - 1, value: start };
  const training = slider("step of the training", range, paint, (value) => told(times[value]));

  function paint(now, spoken) {
    const { text, says } = times[now];
    page.replaceChildren(...parts(text));
    moments.forEach((moment, at) => moment.classList.toggle("attn-now", at === now));
    say([`${told(times[now]).replace("s", "S")}. ${says}`], spoken);
  }

  body.style = `--moments:${times.length}`;
  body.replaceChildren(training.range, element("div.attn-moments", ...moments), page);
  hint.textContent =
    "Each dash is a word; a heavy dash, like a wavy line, is a word that does not fit. Move the slider.";
  paint(start, false);
});
