// All heads' maps, linked: a query that is pointed at is followed in each; a slider goes through a training.
attentionLive.define("linked-heads", ({ data, body, hint, say, fixed, element, drawing, token, slider }) => {
  const { weights, queries, keys, losses, steps, stops } = data;
  const state = { time: weights.length - 1, query: data.follow };
  const heads = weights[0].length;
  const name = (head) => heads > 1 ? `head ${head}` : "weights";
  const channels = stops.map((stop) => [1, 3, 5].map((place) => parseInt(stop.slice(place, place + 2), 16)));

  function colour(weight) {
    const place = Math.min(weight, 1) * (stops.length - 1), start = Math.min(Math.floor(place), stops.length - 2);
    return channels[start].map((from, c) => Math.round(from + (place - start) * (channels[start + 1][c] - from)));
  }
  // White words where they stand out more than black ones.
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);

  const maps = weights[0].map((_, head) => {
    const rows = queries.map((query, i) => {
      const button = element("button", { type: "button", tabIndex: head === 0 && i === state.query ? 0 : -1 }, token(query));
      const cells = keys.map(() => element("td"));
      const row = element("tr", {}, element("th", { scope: "row" }, button), ...cells);
      row.onmouseenter = () => follow(i, false);
      row.onclick = () => follow(i, true);
      button.onfocus = () => follow(i, true);
      button.onkeydown = (event) => {
        const next = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: queries.length - 1 }[event.key];
        if (!maps[head].rows[next]) return;
        event.preventDefault();
        maps[head].rows[next].button.focus();
      };
      return { row, button, cells };
    });
    const tops = keys.map((key) => element("th", { scope: "col", title: key, style: "color:var(--key-ink)" }, token(key)));
    const table = element("table", {}, element("caption", { textContent: name(head) }),
      element("thead", {}, element("tr", {}, element("td", { ariaHidden: "true" }), ...tops)), element("tbody", {}, ...rows.map((each) => each.row)));
    return { rows, made: element("div", { className: "attn-scroll" }, table) };
  });

  function paint() {
    maps.forEach(({ rows }, head) => rows.forEach(({ cells }, i) => cells.forEach((cell, j) => {
      const weight = weights[state.time][head][i][j], rgb = colour(weight);
      cell.textContent = fixed(weight);
      cell.style.background = `rgb(${rgb})`;
      cell.style.color = light(rgb) < 0.179 ? "#FFFFFF" : "#000000";
    })));
    if (losses) dot.setAttribute("transform", `translate(${x(state.time)} ${y(losses[state.time])})`);
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
      return [head ? ", " : "", `${name(head)} most at “`, token(keys[best]), `” (${fixed(row[best])})`];
    });
    say(["“", token(queries[i]), "” looks: ", ...found, "."], spoken);
  }

  const parts = [element("div", { className: "attn-maps" }, ...maps.map((each) => each.made))];
  const top = losses && Math.max(...losses), x = (time) => 40 + 240 * time / (weights.length - 1), y = (loss) => 8 + 54 * (1 - loss / top);
  const dot = drawing("circle", { r: 5, fill: "var(--ink)" });
  if (losses) {
    const line = drawing("polyline", { points: losses.map((loss, time) => `${x(time)},${y(loss)}`).join(" "), fill: "none", stroke: "var(--muted)", "stroke-width": 2 });
    const words = drawing("text", { x: 34, y: 12, "text-anchor": "end", fill: "var(--muted)", "font-size": 12 }, "loss");
    const time = slider("step of the training", { min: 0, max: weights.length - 1, step: 1, value: state.time },
      (value) => { state.time = value; paint(); follow(state.query, true); }, (value) => `step ${steps[value]}, loss ${fixed(losses[value])}`);
    parts.unshift(element("div", { className: "attn-controls" }, element("label", {}, "training ", time.range, " ", time.number),
      drawing("svg", { width: 290, height: 70, viewBox: "0 0 290 70", "aria-hidden": true }, words, line, dot)));
  }
  body.replaceChildren(...parts);
  hint.textContent = "Point at a word, or Tab to it and use the arrow keys: it is followed in every head.";
  paint();
  follow(state.query, false);
});
