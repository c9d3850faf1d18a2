// Values shrink by their weights, and what is left, laid end to end, reaches as far as the context. A weight can be
// moved; the others give way.
attentionLive.define("weighted-sum", (tools) => {
  const { data, body, hint, say, fixed, element, token, choice } = tools;
  const { weights, value, queries, keys, follow, part } = data;
  const steps = ["values", "weighted", "sum"];
  const names = ["value v", "α · v", "α · v, end to end"];
  const state = { query: follow, step: 2, weights: weights[follow], own: false };
  // One scale for all bars: a sum never reaches beyond the values. Negative ones go left from the middle.
  const all = value.flat(), largest = Math.max(...all.map(Math.abs)) || 1;
  const zero = all.some((number) => number < 0) ? 50 : 0, scale = (100 - zero) / largest;

  function stretch(bar, from, to) {
    bar.style.left = `${zero + Math.min(from, to) * scale}%`;
    bar.style.width = `${Math.abs(to - from) * scale}%`;
    bar.style.visibility = from === to ? "hidden" : "";
  }

  // A number over its bar: the track is the whole value, the part is what its weight leaves of it.
  function cell(value = 0) {
    const [track, part] = ["attn-track", "attn-part"].map((className) => element("div", { className }));
    const text = element("span");
    if (value) stretch(track, 0, value);
    const bar = element("div", { className: "attn-bar" }, ...(value ? [track, part] : [part]));
    return { part, text, made: element("td", { className: "attn-number" }, text, bar) };
  }

  function draw({ part, text }, from, to, number) {
    stretch(part, from, to);
    text.textContent = fixed(number);
  }

  const label = (role, properties, ...children) =>
    element("th", { ...properties, style: `color:var(--${role}-ink)` }, ...children);
  const cells = value.map((row) => row.map(cell)), sums = value[0].map(() => cell());
  const shares = attentionLive.shares(tools, keys, state.weights, (weights, spoken) => {
    Object.assign(state, { weights, own: true });
    paint(spoken, true);
  });
  const rows = keys.map((key, j) => element("tr", {}, label("key", { scope: "row" }, token(key)),
    shares.cells[j], ...cells[j].map((each) => each.made)));
  const total = element("td", { style: "color:var(--weight-ink)" });
  const columns = label("value", { scope: "colgroup", colSpan: sums.length });
  const table = element("table", { style: `--zero:${zero}%;--side:${zero ? "center" : "left"};--column:${Math.max(5, 28 / sums.length)}em` },
    element("thead", {}, element("tr", {}, label("key", { scope: "col" }, "key"), label("weight", { scope: "col" }, "weight α"), columns)),
    element("tbody", {}, ...rows),
    element("tfoot", {}, element("tr", {}, label("context", { scope: "row" }, "context"), total, ...sums.map((each) => each.made))));

  function paint(spoken, dragged = false) {
    table.dataset.step = state.step;
    // A bar that follows a hand must not lag behind it.
    table.className = dragged ? "attn-dragged" : "";
    columns.textContent = names[state.step] + part;
    columns.style.color = `var(--${state.step ? "weighted" : "value"}-ink)`;
    total.textContent = `Σ ${fixed(state.weights.reduce((a, b) => a + b))}`;
    sums.forEach((sum, d) => {
      let end = 0;
      value.forEach((row, j) => {
        const weighted = state.step ? state.weights[j] * row[d] : 0, start = state.step === 2 ? end : 0;
        draw(cells[j][d], start, start + weighted, state.step ? weighted : row[d]);
        end += state.weights[j] * row[d];
      });
      draw(sum, 0, end, end);
    });
    const parts = keys.flatMap((key, j) => [j ? " + " : "", `${fixed(state.weights[j])} · `, token(key)]);
    const whose = state.own ? ["Your own mix"] : ["Context of “", token(queries[state.query]), "”"];
    say([...whose, " = ", ...parts, "."], spoken);
  }

  function restart(query) {
    Object.assign(state, { query, weights: weights[query], own: false });
    shares.set(state.weights);
    paint(true);
  }
  const controls = element("div", { className: "attn-controls" },
    choice("step", steps, state.step, (step) => { state.step = step; paint(true); }));
  if (queries.length > 1) controls.append(choice("query", queries, follow, restart));
  const again = element("button", { type: "button", onclick: () => restart(state.query) }, "computed weights");
  body.replaceChildren(controls, element("div", { className: "attn-scroll" }, table, again));
  hint.textContent = "Follow the steps from values to sum. Move a weight: the others give way.";
  paint(false);
});
