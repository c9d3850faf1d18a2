// All heads' maps, linked: a query that is pointed at is followed in each; a slider goes through a training.
attentionLive.define(
  "linked-heads",
  ({ data, body, hint, say, fixed, element, drawing, quoted, slider, largestFirst, weightPainter, followable }) => {
    const { queries, keys, losses, steps } = data;
    // A map is a text in percents: "100/61 39"; a row ends where its keys are hidden from then on.
    const numbers = (row) => row.split(" ").map((percents) => percents / 100);
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
        head === 0 ? state.query : null,
        (i, spoken) => {
          if (i !== null) follow(i, spoken);
        },
        (i) => follow(i, true),
      ),
    );

    // The losses as a line above the slider; a dot stands at the time that is shown.
    const dot = drawing("circle", { r: 6 });
    const place = (time) => [
      (300 * time) / Math.max(1, losses.length - 1),
      48 * (1 - losses[time] / Math.max(...losses)),
    ];

    function paint() {
      maps.forEach((rows, head) =>
        rows.forEach((row, i) => {
          weights[state.time][head][i].forEach((weight, j) => paintWeight(row.cells[j + 1], weight));
        }),
      );
      if (losses) dot.setAttribute("transform", `translate(${place(state.time)})`);
    }

    function follow(query, spoken) {
      state.query = query;
      maps.forEach((rows) => rows.forEach((row, i) => row.classList.toggle("attn-followed", i === query)));
      const found = maps.flatMap((_, head) => {
        const row = weights[state.time][head][query],
          [best] = largestFirst(row);
        return [
          maps.length === 1 ? " " : `${head ? "," : ":"} head ${head} `,
          "most at ",
          ...quoted(keys[best]),
          ` (${fixed(row[best])})`,
        ];
      });
      say([...quoted(queries[query]), " looks", ...found, "."], spoken);
    }

    const boxes = tables.map((table) => element("div", { className: "attn-scroll" }, table));
    const parts = [element("div", { className: "attn-maps" }, ...boxes)];
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
      const line = drawing("polyline", { points: losses.map((_, time) => place(time)).join(" ") });
      const curve = drawing("svg", { width: 300, height: 48, "aria-hidden": true }, line, dot);
      parts.unshift(curve, element("label", {}, time.range, " ", time.number));
    }
    body.replaceChildren(...parts);
    hint.textContent = "Point at a word to follow it, or Tab to it and use the arrow keys.";
    paint();
    follow(state.query, false);
  },
);
