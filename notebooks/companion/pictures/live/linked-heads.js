// All heads' maps, linked: a query that is pointed at is followed in each; a slider goes through a training.
attentionLive.define(
  "linked-heads",
  ({ data, body, hint, say, fixed, element, drawing, quoted, slider, largestFirst, weightPainter, followable }) => {
    const { queries, keys, losses, steps } = data;
    // A map is a text in percents: "100/61 39"; a row ends where its keys are hidden from then on.
    const numbers = (row) => row.split(" ").map((each) => each / 100);
    const weights = data.weights.map((heads) => heads.map((map) => map.split("/").map(numbers)));
    const state = { time: weights.length - 1, query: data.follow };
    const paintWeight = weightPainter(data);
    const tables = [...body.querySelectorAll("table")];
    const maps = tables.map((table) => [...table.tBodies[0].rows]);
    // Tab reaches the first map's rows alone: they stand for all.
    maps.forEach((rows, head) =>
      followable(
        rows,
        queries,
        head ? null : state.query,
        (i, spoken) => i !== null && follow(i, spoken),
        (i) => follow(i, true),
      ),
    );

    // The losses as a line above the slider; a dot stands at the time that is shown.
    const dot = drawing("circle", { r: 6 });
    const place = (time) => [(300 * time) / (losses.length - 1 || 1), 48 * (1 - losses[time] / Math.max(...losses))];

    // A single map is seen as ribbons; its table then is for those who do not see them, and for the keys.
    const flow = losses && !maps[1] && attentionLive.tools.weave?.(queries, keys, follow);

    function paint() {
      maps.forEach((rows, head) =>
        rows.forEach((row, i) => {
          weights[state.time][head][i].forEach((weight, j) => paintWeight(row.cells[j + 1], weight));
        }),
      );
      if (flow) flow.spread(weights[state.time][0]);
      if (losses) dot.setAttribute("transform", `translate(${place(state.time)})`);
    }

    function follow(query, spoken) {
      state.query = query;
      if (flow) flow.mark(query);
      maps.forEach((rows) => rows.forEach((row, i) => row.classList.toggle("attn-followed", i === query && !!rows[1])));
      const found = maps.flatMap((_, head) => {
        const row = weights[state.time][head][query],
          [best] = largestFirst(row);
        return [
          maps[1] ? `${head ? "," : ":"} head ${head} ` : " ",
          "most at ",
          ...quoted(keys[best]),
          ` (${fixed(row[best])})`,
        ];
      });
      say([...quoted(queries[query]), " looks", ...found, "."], spoken);
    }

    // The columns have one width, for the longest key; maps stand side by side where there is room.
    const style = `--least:${Math.max(2.8, ...keys.map((key) => key.length / 2)) * keys.length + 6}em;--most: ${maps.length * (6 * keys.length + 7)}em`;
    const parts = [
      element(
        "div",
        { className: "attn-maps", style },
        ...tables.map((table) => element("div", { className: "attn-scroll" }, table)),
      ),
    ];
    if (losses) {
      const time = slider(
        "step of the training",
        { min: 0, max: weights.length - 1, step: 1, value: state.time },
        (value) => {
          state.time = value;
          paint();
          follow(state.query, true);
        },
        (value) => `step ${steps[value]}, loss ${fixed(losses[value])}`,
      );
      if (flow) parts.push(flow.drawn);
      parts.unshift(
        drawing(
          "svg",
          { width: 300, height: 48, "aria-hidden": true },
          drawing("polyline", { points: losses.map((_, time) => place(time)).join(" ") }),
          dot,
          drawing("text", { x: 272, y: 38 }, "loss"),
        ),
        element("label", {}, time.range, " ", time.number),
      );
    }
    body.replaceChildren(...parts);
    hint.textContent = maps[0][1]
      ? "Point at a word to follow it, or Tab to it and use the arrow keys."
      : "Move the slider.";
    paint();
    follow(state.query, false);
  },
);
