// The softmax of scores: a query is followed through table, lines and steps; temperature, mask and head can be changed.
attentionLive.define(
  "view",
  ({
    data,
    body,
    hint,
    say,
    fixed,
    element,
    drawing,
    softmax,
    slider,
    choice,
    largestFirst,
    quoted,
    describeQuery,
    weightPainter,
    paintCell,
    pointable,
    followable,
  }) => {
    const { scores, queries, keys, head_dim: headDim, causal, follow } = data;
    const state = { head: 0, temperature: 1, causal, pointed: null, pinned: follow };
    const paintWeight = weightPainter(data);
    const [main, steps] = body.querySelectorAll("table");
    const rows = [...main.tBodies[0].rows];

    // ---- the numbers: the same steps as in Python ----

    const score = (i, j) => scores[state.head][i][j] ?? -Infinity;
    const scaled = (i, j) => score(i, j) / Math.sqrt(headDim ?? 1) / state.temperature;
    const masked = (i, j) => (state.causal && j > i ? -Infinity : scaled(i, j));
    const seen = (i, j) => masked(i, j) > -Infinity;
    let weights;

    // ---- lines from queries to keys ----

    function drawLines() {
      const top = 22,
        height = Math.max(queries.length, keys.length) * 27 + 10;
      const short = (token) => ([...token].length > 14 ? [...token].slice(0, 13).join("") + "…" : token);
      const room = (tokens) => 14 + 8 * Math.max(...tokens.map((token) => [...short(token)].length));
      const left = room(queries),
        right = left + 150,
        width = right + room(keys),
        middle = (left + right) / 2;
      const y = (place, count) => top + ((place + 0.5) * height) / count;
      const curve = (from, to) =>
        drawing("path", { d: `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}` });
      const write = (text, role, x, y, anchor) => drawing("text", { class: role, x, y, "text-anchor": anchor }, text);
      const name = (tokens, role, x, anchor) =>
        tokens.map((token, place) => write(short(token), role, x, y(place, tokens.length) + 4.5, anchor));
      const groups = queries.map((_, i) =>
        drawing("g", {}, ...keys.map((_, j) => curve(y(i, queries.length), y(j, keys.length)))),
      );
      const names = name(queries, "attn-query", left - 7, "end");
      // The table says the same, and better, to those who do not see the lines.
      const svg = drawing(
        "svg",
        { class: "attn-lines", width, height: top + height, "aria-hidden": true },
        write("query", "attn-heading", left - 7, 14, "end"),
        write("key", "attn-heading", right + 7, 14, "start"),
        drawing("g", {}, ...groups),
        ...names,
        ...name(keys, "attn-key", right + 7, "start"),
      );
      return { svg, groups, names };
    }

    // ---- following one query ----

    function point(query, spoken) {
      state.pointed = query;
      mark(spoken);
    }

    function pin(query) {
      state.pinned = state.pinned === query ? null : query;
      mark(true);
    }

    // ---- what is shown ----

    const painted = queries.map(() => []);

    function paint(spoken = true) {
      weights = queries.map((_, i) => softmax(keys.map((_, j) => masked(i, j))));
      weights.forEach((row, i) => {
        row.forEach((weight, j) => paintPair(i, j, weight));
        rows[i].cells[keys.length + 1].textContent = fixed(row.reduce((a, b) => a + b));
      });
      mark(spoken);
    }

    function paintPair(i, j, weight) {
      const hidden = !seen(i, j),
        text = hidden ? "–" : fixed(weight);
      // With many tokens most cells stay as they are; leaving them alone saves the browser most of its work.
      if (text === painted[i][j]) return;
      painted[i][j] = text;
      paintWeight(rows[i].cells[j + 1], weight, hidden);
      Object.assign(lines.groups[i].children[j].style, {
        display: weight < 0.02 ? "none" : "",
        strokeWidth: 0.6 + 9 * weight,
        strokeOpacity: 0.25 + 0.65 * weight,
      });
    }

    function mark(spoken) {
      const query = state.pointed ?? state.pinned;
      rows.forEach((row, i) => {
        buttons[i].setAttribute("aria-pressed", i === state.pinned);
        for (const part of [row, lines.groups[i], lines.names[i]]) part.classList.toggle("attn-followed", i === query);
      });
      lines.svg.classList.toggle("attn-following", query !== null);
      const head = scores.length > 1 ? [`Head ${state.head}: `] : [];
      say(
        [
          ...head,
          ...(query === null
            ? describeLargest()
            : describeQuery(
                queries[query],
                weights[query],
                keys,
                keys.map((_, j) => seen(query, j)),
              )),
        ],
        spoken,
      );
      if (steps) markSteps(query ?? 0);
    }

    function describeLargest() {
      const [best] = largestFirst(weights.flat()),
        i = Math.floor(best / keys.length),
        j = best % keys.length;
      return ["Largest weight: ", ...quoted(queries[i]), " to ", ...quoted(keys[j]), ` (${fixed(weights[i][j])}).`];
    }

    function markSteps(i) {
      const temperature = state.temperature === 1 ? "" : `, ÷ ${fixed(state.temperature)}`;
      steps.querySelector(".attn-name").textContent = queries[i];
      const { rows } = steps.tBodies[0];
      rows[1].cells[0].textContent = `scaled: ÷ √${headDim}${temperature}`;
      keys.forEach((_, j) => {
        [score, scaled, masked].forEach((step, place) => {
          const number = step(i, j);
          paintCell(rows[place].cells[j + 1], fixed(number), number === -Infinity);
        });
        paintWeight(rows[3].cells[j + 1], weights[i][j], !seen(i, j));
      });
    }

    // ---- controls ----

    const controls = element("div", { className: "attn-controls" });
    if (scores.length > 1)
      controls.append(
        choice("head", [...scores.keys()], 0, (head) => {
          state.head = head;
          paint();
        }),
      );
    // Quarter powers of two, from 1/8 to 32, with 1 as the start.
    const power = (quarters) => 2 ** (quarters / 4);
    const temperature = slider(
      "temperature",
      { min: -12, max: 20, step: 1, value: 0 },
      (quarters) => {
        state.temperature = power(quarters);
        paint();
      },
      (quarters) => fixed(power(quarters)),
    );
    controls.append(element("label", {}, "temperature ", temperature.range, " ", temperature.number));
    if (causal !== null) {
      const mask = element("input", {
        type: "checkbox",
        checked: causal,
        onchange: () => {
          state.causal = mask.checked;
          paint();
        },
      });
      controls.append(element("label", {}, mask, " causal mask"));
    }

    const lines = drawLines();
    const buttons = followable(rows, queries, follow ?? 0, point, pin);
    lines.names.forEach((name, i) => pointable(name, i, point, pin));
    const scrolling = (part) => element("div", { className: "attn-scroll" }, part);
    body.replaceChildren(
      controls,
      element("div", { className: "attn-side" }, scrolling(main), scrolling(lines.svg)),
      ...(steps ? [scrolling(steps)] : []),
    );
    hint.textContent =
      "Point at a row to follow its query, or Tab to it and use the arrow keys. A click, or Enter, pins it (●).";
    paint(false);
  },
);
