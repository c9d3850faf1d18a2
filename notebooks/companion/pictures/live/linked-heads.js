// All heads' maps, linked: a query that is pointed at is followed in each; a slider goes through a training.
attentionLive.define("linked-heads", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, token, quoted, slider, largestFirst, shade } = tools;
  const { queries, keys, losses, steps } = data;
  // A map is a text in percents: "100/61 39"; a row ends where its keys are hidden from then on.
  const numbers = (row) => row.split(" ").map((each) => each / 100);
  const weights = data.weights.map((heads) => heads.map((map) => map.split("/").map(numbers)));
  const state = { time: 0, query: data.follow };
  const tables = [...body.querySelectorAll("table")];
  const maps = tables.map((table) => [...table.tBodies[0].rows]);

  // ---- rows that can be pointed at, each by its button too: of the first map, for they stand for all ----

  function pointable(place, i) {
    place.onmouseenter = () => follow(i, false);
    place.onclick = () => follow(i, true);
    place.style.cursor = "pointer";
  }
  // One word alone has no other to follow.
  const several = queries.length > 1;
  if (several)
    maps.forEach((rows, head) => {
      const buttons = rows.map((row, i) => {
        const tabIndex = head || i !== state.query ? -1 : 0;
        const button = element("button", { type: "button", tabIndex }, token(queries[i]));
        row.cells[0].replaceChildren(button);
        pointable(row, i);
        button.onfocus = () => {
          for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
          follow(i, true);
        };
        const walk = (next) => () => buttons[next]?.focus();
        const ends = { Home: walk(0), End: walk(rows.length - 1) };
        tools.answerKeys(button, { ArrowDown: walk(i + 1), ArrowUp: walk(i - 1), ...ends });
        return button;
      });
    });

  // The losses as a line above the slider, both as wide as the ribbons; a dot, a line without length, is the time shown.
  const dot = svg("path", { d: "M0 0h0", class: "attn-dot" });
  const place = (time) => [(604 * time) / (losses.length - 1 || 1), 48 * (1 - losses[time] / Math.max(...losses))];

  // A single map is seen as ribbons; its table then is for those who do not see them, and for the keys.
  const flow = losses && !maps[1] && tools.weave?.(queries, keys, pointable);

  function paint() {
    maps.forEach((rows, head) =>
      rows.forEach((row, i) => {
        weights[state.time][head][i].forEach((weight, j) => {
          row.cells[j + 1].textContent = twoDecimals(weight);
          Object.assign(row.cells[j + 1].style, shade(weight, data));
        });
      }),
    );
    if (flow) flow.spread(weights[state.time][0]);
    if (losses) dot.setAttribute("transform", `translate(${place(state.time)})`);
  }

  function follow(query, spoken) {
    state.query = query;
    if (flow) flow.mark(query);
    maps.forEach((rows) => rows.forEach((row, i) => row.classList.toggle("attn-followed", several && i === query)));
    const found = maps.flatMap((_, head) => {
      const row = weights[state.time][head][query],
        [best] = largestFirst(row);
      const name = maps[1] ? `${head ? "," : ":"} head ${head} ` : " ";
      return [name, "most at ", ...quoted(keys[best]), ` (${twoDecimals(row[best])})`];
    });
    say([...quoted(queries[query]), " looks", ...found, "."], spoken);
  }

  // The columns have one width, for the longest key; maps stand side by side where there is room.
  const least = Math.max(2.8, ...keys.map((key) => key.length / 2)) * keys.length + 6;
  const style = `--least:${least}em;--most: ${maps.length * (6 * keys.length + 7)}em`;
  const parts = [element("div.attn-maps", { style }, ...tables.map((table) => element("div.attn-scroll", table)))];
  if (losses) {
    const change = (value, spoken) => {
      state.time = value;
      paint();
      follow(state.query, spoken);
    };
    const range = { max: weights.length - 1, value: state.time };
    const show = (value) => `step ${steps[value]}, loss ${twoDecimals(losses[value])}`;
    const time = slider("step of the training", range, change, show);
    if (flow) parts.push(flow.drawn);
    const curve = svg("polyline", { points: losses.map((_, time) => place(time)).join(" ") });
    const look = { viewBox: "0 0 604 48", preserveAspectRatio: "none", class: "attn-losses", "aria-hidden": true };
    parts.unshift(time.number, svg("svg", look, curve, dot), time.range);
  }
  body.replaceChildren(...parts);
  const follows = `Point at ${flow ? "an upper word" : "a word"} or tap it to follow it.`;
  hint.textContent = [losses && "Drag the slider to train it.", several && follows].filter(Boolean).join(" ");
  paint();
  follow(state.query, false);
});
