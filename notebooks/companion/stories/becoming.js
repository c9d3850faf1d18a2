// What a model writes, step by step of its training.
attentionLive.define("becoming", ({ data, body, hint, say, element, slider }) => {
  const { times } = data,
    page = element("blockquote", { className: "attn-story" });
  const told = ({ step, loss }) => `step ${step}, loss ${loss}`;
  const time = slider(
    "step of the training",
    { min: 0, max: times.length - 1, step: 1, value: times.length - 1 },
    (value) => paint(value, true),
    (value) => told(times[value]),
  );

  function paint(now, spoken) {
    const { text, says } = times[now];
    page.textContent = text;
    say([`${told(times[now]).replace("s", "S")}: ${says}.`], spoken);
  }

  body.replaceChildren(element("label", {}, time.range, " ", time.number), page);
  hint.textContent = "Move the slider through the training.";
  paint(times.length - 1, false);
});
