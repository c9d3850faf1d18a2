// One word asks: its query among all keys, its context among all values; or the weights alone.
attentionLive.define("one-query", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, set, token, quoted, softmax, largestFirst, choice } = tools;
  const state = { asks: data.asks, clue: data.clue };
  const words = () => data.form.replace("{}", state.clue).split(" "),
    count = words().length;

  // ---- the planes: the names of the largest two and of the word that asks ----

  const size = { width: 320, height: 320, margin: 1.1 };
  const sides = ["key", "value"].map((role, s) => {
    const plane = attentionLive.plane(tools, { ...size, reach: data.reach[s] });
    const arrows = words().map(() => plane.arrow(role, 2.5, " ", 12)),
      whole = s ? plane.arrow("context", 5, "context", 12) : plane.arrow("query", 4, "query", 14);
    const all = [...arrows, whole];
    const names = all.map((each) => each.name),
      pointed = arrows.map(({ made }) => made.appendChild(drawing("title"))); // shown where a pointer rests
    const sheet = plane.sheet([plane.grid(), ...all.map((each) => each.made), ...names], []);
    return { plane, arrows, whole, pointed, sheet, title: element("b") };
  });

  // Each name stands where it covers the least, of other names first and then of arrows, near its tip and beyond it.
  // named: [name, tip], the most important first; tips: of all arrows.
  function settle(named, tips) {
    const shafts = tips.flatMap(([x, y]) => [...Array(25).keys()].map((k) => [(x * k) / 24, (y * k) / 24])),
      taken = [];
    for (const [name, [x, y]] of named) {
      const { width, height } = name.getBBox(),
        [wide, high] = [width / 2 + 2, height / 2];
      const cost = ([left, up, far]) => {
        const outside = Math.max(0, Math.abs(left) + wide - 156) + Math.max(0, Math.abs(up) + high - 156);
        const over = taken.reduce((sum, [l, u, w, h]) => {
          const [across, down] = [wide + w - Math.abs(left - l), high + h - Math.abs(up - u)];
          return sum + (across > 0 && down > 0 ? across * down : 0);
        }, 0);
        const crossed = shafts.filter(([l, u]) => Math.abs(l - left) < wide + 3 && Math.abs(u - up) < high);
        return 1000 * (outside + over) + 12 * crossed.length + far;
      };
      const spots = [...Array(144).keys()].map((k) => {
        const turn = (k % 24) * (Math.PI / 12),
          out = 8 + 12 * Math.floor(k / 24);
        const [right, down] = [Math.cos(turn), Math.sin(turn)];
        const back = 1 - (right * x + down * y) / (Math.hypot(x, y) || 1);
        return [x + (wide + out) * right, y + (high + out) * down, out + 8 * back];
      });
      const [left, up] = spots.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best));
      taken.push([left, up, wide, high]);
      set(name, { x: left, y: up });
    }
  }

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
    const largest = largestFirst(weights).slice(0, 2);
    sides.forEach(({ plane, arrows, whole, pointed }, s) => {
      const tip = s ? context : query;
      whole.point(tip);
      const shown = now.map((_, j) => j).filter((j) => j === state.asks || (weights[j] > 0.1 && largest.includes(j)));
      arrows.forEach(({ made, name, point }, j) => {
        name.textContent = pointed[j].textContent = now[j];
        point(vectors[j][1 + s]);
        made.style.opacity = 0.35 + 0.65 * weights[j];
        name.style.visibility = shown.includes(j) ? "" : "hidden";
      });
      const tips = vectors.map((vector) => plane.at(vector[1 + s])),
        named = shown.sort((a, b) => weights[b] - weights[a]).map((j) => [arrows[j].name, tips[j]]);
      if (data.arrows) settle([[whole.name, plane.at(tip)], ...named], [plane.at(tip), ...tips]);
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
      bar.style.height = `${100 * weights[j]}px`;
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
