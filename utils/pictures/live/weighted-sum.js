// Values shrink by their weights and add up to the context. A weight can be moved; the others give way.
attentionLive.define("weighted-sum", ({ data, body, hint, say, fixed, element, token, slider, choice }) => {
  const { weights, value, queries, keys, follow } = data;
  const steps = ["values", "weighted", "sum"];
  const state = { query: follow, step: 2, weights: [...weights[follow]] };
  const features = value[0].length;
  // One scale for all bars: a context never reaches beyond the values. Negative ones go left from the middle.
  const all = value.flat(), largest = Math.max(...all.map(Math.abs)) || 1;
  const zero = all.some((number) => number < 0) ? 50 : 0, scale = (100 - zero) / largest;

  function stretch(bar, number) {
    bar.style.width = `${Math.abs(number) * scale}%`;
    bar.style.left = `${zero + Math.min(number, 0) * scale}%`;
  }

  // A number with its bar: the track keeps the value's length, the part is what its weight leaves of it.
  function cell() {
    const [track, part] = ["attn-track", "attn-part"].map((className) => element("div", { className }));
    const text = element("span");
    return { track, part, text, made: element("td", { className: "attn-number" }, track, part, text) };
  }
  const cells = value.map((row) => row.map(cell)), sums = value[0].map(cell);
  const sliders = keys.map((key, j) => slider(`weight of ${key}`, { min: 0, max: 1, step: 0.01, value: state.weights[j] },
    (weight) => move(j, weight)));
  const rows = keys.map((key, j) => element("tr", {},
    element("th", { scope: "row", style: "color:var(--key-ink);text-align:right" }, token(key)),
    element("td", { style: "white-space:nowrap;color:var(--weight-ink)" }, sliders[j].range, " ", sliders[j].number),
    ...cells[j].map((each) => each.made)));
  const total = element("td", { style: "text-align:right;color:var(--weight-ink)" });
  const context = element("tr", {},
    element("th", { scope: "row", style: "color:var(--context-ink);text-align:right" }, "context"), total, ...sums.map((each) => each.made));
  const head = element("tr", {}, element("th", { scope: "col" }, "key"), element("th", { scope: "col", style: "color:var(--weight-ink)" }, "weight α"),
    ...value[0].map((_, d) => element("th", { scope: "col", style: "color:var(--value-ink);text-align:right" }, `value ${d}`)));

  function move(j, weight) {
    const rest = 1 - state.weights[j];
    state.weights = state.weights.map((each, i) => i === j ? weight
      : (1 - weight) * (rest > 1e-9 ? each / rest : 1 / (keys.length - 1)));
    paint(true, j);
  }

  function paint(spoken, moved) {
    sliders.forEach((each, j) => { if (j !== moved) each.set(state.weights[j]); });
    value.forEach((row, j) => row.forEach((number, d) => {
      const part = state.step === 0 ? number : state.weights[j] * number;
      draw(cells[j][d], number, state.step === 0 ? 0 : part, part);
    }));
    total.textContent = `Σ ${fixed(state.weights.reduce((a, b) => a + b))}`;
    context.style.visibility = state.step === 2 ? "" : "hidden";
    sums.forEach((each, d) => {
      const sum = value.reduce((all, row, j) => all + state.weights[j] * row[d], 0);
      draw(each, 0, sum, sum);
    });
    const parts = keys.flatMap((key, j) => [j ? " + " : "", `${fixed(state.weights[j])} · `, token(key)]);
    say(["Context of “", token(queries[state.query]), "” = ", ...parts, "."], spoken);
  }

  function draw({ track, part, text }, whole, length, number) {
    stretch(track, whole);
    stretch(part, length);
    part.style.visibility = length ? "" : "hidden";
    text.textContent = fixed(number);
  }

  const restart = () => { state.weights = [...weights[state.query]]; paint(true); };
  const controls = element("form", { className: "attn-controls", onsubmit: () => false },
    choice("step", steps, state.step, (step) => { state.step = step; paint(true); }));
  if (queries.length > 1) controls.append(choice("query", queries, follow, (query) => { state.query = query; restart(); }));
  controls.append(element("button", { type: "button", onclick: restart }, "computed weights"));
  body.replaceChildren(controls, element("div", { className: "attn-scroll" }, element("table", {},
    element("thead", {}, head), element("tbody", {}, ...rows), element("tfoot", {}, context))));
  hint.textContent = "Move a weight: the others give way, and the context follows. Follow the steps from values to sum.";
  paint(false);
});
