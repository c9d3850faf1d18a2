// One word asks: its query among all keys, its context among all values; or the weights alone.
attentionLive.define("one-query", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, set, token, quoted, softmax, largestFirst, choice } = tools;
  const state = { asks: data.asks, clue: data.clue };
  const words = () => data.form.replace("{}", state.clue).split(" "),
    count = words().length;

  // ---- the planes: a few names at most, and those of the words that count ----

  const size = { width: 320, height: 320, margin: 1.1 };
  const sides = ["key", "value"].map((role, s) => {
    const plane = attentionLive.plane(tools, { ...size, reach: data.reach[s] });
    const arrows = words().map(() => plane.arrow(role, 2.5, " ", 12)),
      whole = s ? plane.arrow("context", 5, "context", 12) : plane.arrow("query", 4, "query", 14);
    const all = [...arrows, whole];
    const sheet = plane.sheet([plane.grid(), ...all.map((each) => each.made), ...all.map((each) => each.name)], []);
    return { arrows, whole, sheet, title: element("b") };
  });

  // ---- the controls and the weights ----

  const asking = words().map(token);
  const clues = data.clues.map((group) => {
    const options = group.map((clue) => element("option", { textContent: clue, selected: clue === state.clue }));
    return element("optgroup", { label: `like ${group[0]}` }, ...options);
  });
  const menu = element("select", { onchange: () => paint({ clue: menu.value }) }, ...clues);
  const controls = element(
    "div.attn-controls",
    choice("who asks", asking, state.asks, (asks) => paint({ asks })),
    element("label", "clue", menu),
  );
  const cells = words().map(() => {
    const [number, bar, name] = [element("div"), element("div.attn-part"), element("div")];
    return { number, bar, name, made: element("td", element("div.attn-bar", number, bar), name) };
  });

  const row = element("tr", ...cells.map((each) => each.made)),
    table = element("table", element("caption", "weights"), row);

  function paint(change, spoken = true) {
    Object.assign(state, change);
    const now = words(),
      vectors = now.map((word) => data.vectors[word]),
      query = vectors[state.asks][0];
    const weights = softmax(vectors.map(([, [x, y]]) => x * query[0] + y * query[1])),
      [best] = largestFirst(weights);
    const context = [0, 1].map((d) => weights.reduce((sum, weight, j) => sum + weight * vectors[j][2][d], 0));
    sides.forEach(({ arrows, whole }, s) => {
      arrows.forEach(({ made, name, point }, j) => {
        name.textContent = now[j];
        point(vectors[j][1 + s]);
        made.style.opacity = 0.35 + 0.65 * weights[j];
        name.style.visibility = weights[j] > 0.1 || j === state.asks ? "" : "hidden";
      });
      // The name of a context stands aside: it ends where the value does that it is mostly made of.
      whole.point(...(s ? [context, [context[1], -context[0]]] : [query, [0, query[1] < 0 ? -1 : 1]]));
    });
    sides[0].title.replaceChildren(...quoted(now[state.asks]), " asks: its query, and all keys");
    sides[1].title.textContent = "what it takes: all values, and its context";
    asking.forEach((each, j) => {
      each.textContent = now[j];
    });
    cells.forEach(({ number, bar, name }, j) => {
      name.replaceChildren(token(now[j]));
      name.className = j === state.asks ? "attn-asks" : "";
      number.textContent = fixed(weights[j]);
      bar.style.height = `${60 * weights[j]}px`;
    });
    const end = data.arrows ? `, and its context is (${context.map(fixed).join(", ")})` : "";
    const most = ` (${fixed(weights[best])} of 1)${end}.`;
    say([...quoted(now[state.asks]), " takes most from ", ...quoted(now[best]), most], spoken);
  }

  body.replaceChildren(
    controls,
    element("div.attn-side", ...(data.arrows ? sides : []).map(({ title, sheet }) => element("div", title, sheet))),
    element("div.attn-scroll", table),
  );
  hint.textContent = "Choose another clue, or another word to ask.";
  paint({}, false);
});
