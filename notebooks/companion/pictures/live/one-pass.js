// Each key read is a block, as wide as its weight so far and as high as its value: all widths together are the sum, all
// areas the context, and the sum's share of the areas, a height, is the result. A larger score makes all blocks narrow;
// dashed lines keep their shapes before, and the table has the same factor above what it makes of sum and context.
attentionLive.define("one-pass", ({ data, body, hint, say, fixed, element, slider }) => {
  const { scores, values, steps, sentences, start } = data;
  const widest = Math.max(...steps.map((each) => each.sum)),
    highest = Math.max(...values) || 1;
  const part = (className, ...children) => element("div", { className }, ...children);
  const colour = (role, text = "") => element("div", { style: `color:var(--${role}-ink)`, textContent: text });
  const across = (box, number) => {
    box.style.width = `${(100 * number) / widest}%`;
  };

  const comers = scores.map((score, j) => part("attn-comer", colour("key", `key ${j}`), colour("score", fixed(score))));
  const blocks = values.map((value, j) => {
    const weight = colour("weight"),
      area = part("attn-area");
    const was = part("attn-was");
    area.style.height = was.style.height = `${(150 * value) / highest}px`;
    return {
      weight,
      was,
      made: part("attn-block", area, colour("value", `${Number(value.toFixed(2))}`), colour("key", `${j}`), weight),
    };
  });
  const level = part("attn-level"),
    result = part("attn-result"),
    factor = element("th");
  const names = ["before", "", "added", "now"];
  const rows = { "largest score": "score", sum: "weight", context: "context" };
  const cells = Object.keys(rows).map(() => names.map(() => element("td")));
  const table = element(
    "table",
    element(
      "tr",
      element("td"),
      ...names.map((textContent) => (textContent ? element("th", { textContent }) : factor)),
    ),
    ...Object.entries(rows).map(([name, role], i) =>
      element(
        "tr",
        { style: `--role:var(--${role}-ink)` },
        element("th", { scope: "row", textContent: name }),
        ...cells[i],
      ),
    ),
  );

  function paint(read, spoken) {
    const now = steps[read],
      old = steps[read - 1],
      text = (number) => (old ? fixed(number) : "–");
    comers.forEach((comer, j) => {
      comer.dataset.state = j < read ? "gone" : j === read ? "here" : "coming";
    });
    blocks.forEach(({ made, weight, was }, j) => {
      const width = j <= read ? Math.exp(scores[j] - now.largest) : 0;
      across(made, width);
      made.dataset.state = j < read ? "kept" : j === read ? "new" : "coming";
      weight.textContent = fixed(width);
      was.hidden = j >= read || now.factor === 1;
      across(was, j < read ? Math.exp(scores[j] - old.largest) : 0);
    });
    const height = now.context / now.sum;
    level.style.width = result.style.left = `${(100 * now.sum) / widest}%`;
    level.style.bottom = result.style.bottom = `${(150 * height) / highest}px`;
    result.textContent = `context / sum =\u00a0${fixed(height)}`;
    factor.textContent = old ? `× ${fixed(now.factor)}` : "–";
    [
      [text(old?.largest), "", "", fixed(now.largest)],
      ...["sum", "context"].map((name) => [
        text(old?.[name]),
        text(old?.[name] * now.factor),
        fixed(now.weight * (name === "sum" ? 1 : values[read])),
        fixed(now[name]),
      ]),
    ].forEach((row, i) =>
      row.forEach((each, k) => {
        cells[i][k].textContent = each;
      }),
    );
    say([sentences[read]], spoken);
  }

  const range = { min: 1, max: scores.length, step: 1, value: start + 1 };
  const keys = slider("keys read", range, (read, spoken) => paint(read - 1, spoken), String);
  body.replaceChildren(
    element("div.attn-controls", keys.made),
    part("attn-comers", ...comers),
    part(
      "attn-plot",
      part("attn-names", colour("value", "value"), colour("key", "key"), colour("weight", "weight")),
      part(
        "attn-room",
        part("attn-blocks", ...blocks.map((each) => each.made)),
        part("attn-blocks attn-shapes", ...blocks.map((each) => each.was)),
        level,
        result,
      ),
    ),
    part("attn-scroll", table),
  );
  hint.textContent =
    "Let the keys come one by one. A block is as wide as its weight and as high as its value. The green line is the average so far. Dashed: the blocks before they shrank.";
  paint(start, false);
});
