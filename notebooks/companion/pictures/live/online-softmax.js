// Each key read is a block, as wide as its weight so far and as high as its value: all widths together are the sum, all
// areas the context, and the sum's share of the areas, a height, is the result. A larger score makes all blocks narrow:
// one bracket is as wide as they were, one as they are now. The table has the same factor above what it makes of sum and
// context.
attentionLive.define("online-softmax", ({ data, body, hint, say, twoDecimals, element, slider }) => {
  const { scores, values, steps, sentences } = data;
  const widest = Math.max(...steps.map((each) => each.sum)),
    highest = Math.max(...values) || 1;
  const color = (role, text = "") => element("div", { style: `color:var(--${role}-ink)`, textContent: text });
  const across = (number) => `${(100 * number) / widest}%`;

  const comers = scores.map((score, j) => {
    const parts = [color("key", `key ${j}`), color("score", twoDecimals(score))];
    return element("button.attn-comer", { type: "button", onclick: () => keys.go(j + 1) }, ...parts);
  });
  const blocks = values.map((value, j) => {
    const [area, weight] = [element("div.attn-area"), color("weight")];
    area.style.height = `${(150 * value) / highest}px`;
    const names = [color("value", `${Number(value.toFixed(2))}`), color("key", `${j}`), weight];
    return { weight, made: element("div.attn-block", area, ...names) };
  });
  const [level, result] = [element("div.attn-level"), element("div.attn-result")],
    [before, left] = ["width before", ""].map((name) => element("div.attn-bracket", element("span", name))),
    factor = element("td");
  const names = ["before", "", "added", "now"];
  const rows = { "largest score": "score", sum: "weight", context: "context" };
  const cells = Object.keys(rows).map(() => names.map(() => element("td")));
  const lines = Object.entries(rows).map(([textContent, role], i) =>
    element("tr", { style: `--role:var(--${role}-ink)` }, element("th", { scope: "row", textContent }), ...cells[i]),
  );
  const heads = names.map((name) => (name ? element("th", name) : factor));
  const table = element("table", element("tr", element("td"), ...heads), ...lines);

  function paint(read, spoken) {
    const now = steps[read],
      old = steps[read - 1],
      text = (number) => (old ? twoDecimals(number) : "–");
    blocks.forEach(({ made, weight }, j) => {
      comers[j].dataset.state = j < read ? "gone" : j === read ? "here" : "coming";
      const width = j <= read ? Math.exp(scores[j] - now.largest) : 0;
      made.style.width = across(width);
      made.dataset.state = j < read ? "kept" : j === read ? "new" : "coming";
      weight.textContent = twoDecimals(width);
    });
    before.style.width = across(old ? old.sum : 0);
    left.style.width = across(old ? old.sum * now.factor : 0);
    for (const each of [before, left]) each.style.visibility = old ? "visible" : "hidden";
    const height = now.context / now.sum;
    level.style.width = result.style.left = across(now.sum);
    level.style.bottom = result.style.bottom = `${(150 * height) / highest}px`;
    result.textContent = `context / sum\n= ${twoDecimals(height)}`;
    left.firstChild.textContent = factor.textContent = old ? `× ${twoDecimals(now.factor)}` : "";
    const shrunk = (name, added) => [
      ...[old?.[name], old?.[name] * now.factor].map(text),
      ...[added, now[name]].map(twoDecimals),
    ];
    const kept = [...shrunk("sum", now.weight), ...shrunk("context", now.weight * values[read])];
    const texts = [text(old?.largest), "", "", twoDecimals(now.largest), ...kept];
    for (const [k, cell] of cells.flat().entries()) cell.textContent = texts[k];
    say([sentences[read]], spoken);
  }

  const range = { min: 1, max: scores.length, value: data.start + 1 };
  const made = element("div.attn-blocks", ...blocks.map((each) => each.made));
  const count = (read) => `${read} of ${scores.length} (${read > 1 ? `keys 0 to ${read - 1}` : "key 0"})`;
  const keys = slider("keys read", range, (read, spoken) => paint(read - 1, spoken), count);
  const sides = element("div.attn-names", ...["value", "key", "weight"].map((role) => color(role, role)));
  body.replaceChildren(
    element("div.attn-controls", keys.made),
    element("div.attn-comers", ...comers),
    element("div.attn-plot", sides, element("div.attn-room", before, left, made, level, result)),
    element("div.attn-scroll", table),
  );
  hint.textContent =
    "Let the keys come one by one, or press one. A block is as wide as its weight and as high as its value. The green line is the average so far. Struck out: no longer needed.";
  paint(data.start, false);
});
