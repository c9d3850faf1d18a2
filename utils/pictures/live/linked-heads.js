// All heads' maps, linked: a query that is pointed at is followed in each; a slider goes through a training.
attentionLive.define("linked-heads", ({ data, body, hint, say, fixed, element, drawing, token, slider }) => {
  const { weights, queries, keys, losses, steps, stops, whiteInkFrom } = data;
  const state = { time: weights.length - 1, query: data.follow };
  const heads = weights[0].length;

  function colour(weight) {
    const place = Math.min(weight, 1) * (stops.length - 1), start = Math.min(Math.floor(place), stops.length - 2);
    return `color-mix(in srgb, ${stops[start]}, ${stops[start + 1]} ${100 * (place - start)}%)`;
  }
  const maps = weights[0].map((_, head) => {
    const rows = queries.map((query, i) => {
      const button = element("button", { type: "button", tabIndex: head === 0 && i === state.query ? 0 : -1 }, token(query));
      const cells = keys.map(() => element("td"));
      const sum = element("td", { style: "color:var(--muted)" });
      const row = element("tr", {}, element("th", { scope: "row" }, button), ...cells, sum);
      row.onmouseenter = () => follow(i, false);
      row.onclick = () => follow(i, true);
      button.onfocus = () => follow(i, true);
      button.onkeydown = (event) => {
        const next = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: queries.length - 1 }[event.key];
        if (!maps[head].rows[next]) return;
        event.preventDefault();
        maps[head].rows[next].button.focus();
      };
      return { row, button, cells, sum };
    });
    const tops = keys.map((key) => element("th", { scope: "col", title: key, style: "color:var(--key-ink)" }, token(key)));
    const table = element("table", {}, element("caption", { textContent: heads > 1 ? `head ${head}` : "weights" }),
      element("thead", {}, element("tr", {}, element("td", { ariaHidden: "true" }), ...tops, element("th", { scope: "col", style: "color:var(--muted)" }, "Σ"))), element("tbody", {}, ...rows.map((each) => each.row)));
    return { rows, made: element("div", { className: "attn-scroll" }, table) };
  });

  // The losses as a line above the slider; a dot stands at the time that is shown.
  const dot = drawing("circle", { r: 6 });
  const place = (time) => [300 * time / Math.max(1, losses.length - 1), 48 * (1 - losses[time] / Math.max(...losses))];

  function paint() {
    maps.forEach(({ rows }, head) => rows.forEach(({ cells, sum }, i) => {
      const row = weights[state.time][head][i];
      cells.forEach((cell, j) => {
        cell.textContent = fixed(row[j]);
        cell.style.background = colour(row[j]);
        cell.style.color = row[j] >= whiteInkFrom ? "#FFFFFF" : "#000000";
      });
      sum.textContent = fixed(row.reduce((a, b) => a + b));
    }));
    if (losses) dot.setAttribute("transform", `translate(${place(state.time)})`);
  }

  function follow(i, spoken) {
    state.query = i;
    maps.forEach(({ rows }, head) => rows.forEach(({ row, button }, k) => {
      row.classList.toggle("attn-followed", k === i);
      button.tabIndex = head === 0 && k === i ? 0 : -1;
    }));
    const found = maps.flatMap((_, head) => {
      const row = weights[state.time][head][i];
      const shown = row.map((weight) => Number(fixed(weight))), best = shown.indexOf(Math.max(...shown));
      return [heads === 1 ? " " : `${head ? "," : ":"} head ${head} `, "most at “", token(keys[best]), `” (${fixed(row[best])})`];
    });
    say(["“", token(queries[i]), "” looks", ...found, "."], spoken);
  }

  const parts = [element("div", { className: "attn-maps" }, ...maps.map((each) => each.made))];
  if (losses) {
    const time = slider("step of the training", { min: 0, max: weights.length - 1, step: 1, value: state.time },
      (value) => { state.time = value; paint(); follow(state.query, true); }, (value) => `step ${steps[value]}, loss ${fixed(losses[value])}`);
    const line = drawing("polyline", { points: losses.map((_, time) => place(time)).join(" ") });
    const curve = drawing("svg", { width: 300, height: 48, "aria-hidden": true }, line, dot);
    parts.unshift(curve, element("label", {}, time.range, " ", time.number));
  }
  body.replaceChildren(...parts);
  hint.textContent = "Point at a word to follow it, or Tab to it and use the arrow keys.";
  paint();
  follow(state.query, false);
});
