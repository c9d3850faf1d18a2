// One word asks: its query among all keys, where it can be dragged, its context among all values; or the weights alone.
attentionLive.define("one-query", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, set, token, quoted, softmax, largestFirst, choice } = tools;
  const state = { asks: data.asks, clue: data.clue, own: null };
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
    const held = s ? [] : [plane.handle("query", "tip of the query", 12, [0, 0], (own, spoken) => paint({ own }, spoken))];
    const unit = `a square is ${Math.ceil(data.reach[s] / 5)}`;
    const corner = drawing("text.attn-unit", { x: 154, y: 152, "text-anchor": "end" }, unit);
    const drawn = [plane.grid(), corner, ...all.map((each) => each.made), ...names];
    const sheet = plane.sheet(
      drawn,
      held.map((each) => each.made),
    );
    return { plane, arrows, whole, pointed, sheet, held, title: element("b") };
  });

  // Each name stands where it covers the least, of other names first and then of arrows, near its tip and beyond it.
  // named: [name, tip], the most important first; tips: of all arrows.
  function settle(named, tips) {
    const shafts = tips.flatMap(([x, y]) => [...Array(25).keys()].map((k) => [(x * k) / 24, (y * k) / 24])),
      taken = [[110, 148, 46, 12]]; // what a square is
    for (const [name, [x, y], apart = 8] of named) {
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
          out = apart + 12 * Math.floor(k / 24);
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
  const menu = element("select", { onchange: () => paint({ clue: menu.value, own: null }) }, ...clues);
  const controls = element(
    "div.attn-controls",
    choice("who asks", asking, state.asks, (asks) => paint({ asks, own: null })),
    element("label", "clue", menu),
  );
  const cells = words().map(() => {
    const [number, bar, name] = [element("div"), element("div.attn-part"), element("div")];
    return { number, bar, name, made: element("td", name, element("div.attn-bar", bar), number) };
  });

  const row = element("tr", ...cells.map((each) => each.made)),
    table = element("table", row),
    above = drawing("svg.attn-above", { viewBox: "0 0 600 56", "aria-hidden": "true" });

  function paint(change, spoken = true) {
    Object.assign(state, change);
    const now = words(),
      vectors = now.map((word) => data.vectors[word]),
      query = state.own ?? vectors[state.asks][0];
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
      if (data.arrows) settle([[whole.name, plane.at(tip), s ? 8 : 15], ...named], [plane.at(tip), ...tips]);
    });
    const who = () => (state.own ? ["This query"] : quoted(now[state.asks]));
    sides[0].held[0].put(query);
    sides[0].title.replaceChildren(...who(), state.own ? " among all keys" : " asks: its query, and all keys");
    sides[1].title.textContent = "what it takes: all values, and its context";
    asking.forEach((each, j) => {
      each.textContent = now[j];
    });
    cells.forEach(({ number, bar, name }, j) => {
      name.replaceChildren(token(now[j]));
      name.className = j === state.asks ? "attn-asks" : "";
      number.textContent = fixed(weights[j]);
      bar.style.height = `${100 * weights[j]}%`;
    });
    // Arrows from the word that asks, over the six columns of a hundred each.
    const bends = weights.flatMap((weight, j) => {
      const loop = 9 * (j === state.asks),
        [start, goal, side] = [100 * state.asks + 50 - loop, 100 * j + 50 + loop, 3 + 5 * weight],
        top = Math.max(-4, 24 - Math.abs(goal - start) / 6);
      const way = { d: `M${start} 54C${start} ${top} ${goal} ${top} ${goal} 46`, "stroke-width": 9 * weight };
      const tip = { d: `M${goal - side} 45h${2 * side}l${-side} 10z` };
      return weight < 0.05 ? [] : [drawing("path.attn-way", way), drawing("path", tip)];
    });
    above.replaceChildren(...bends);
    const end = data.arrows ? `, and its context is (${context.map(fixed).join(", ")})` : "";
    const most = ` (${fixed(weights[best])} of 1)${end}.`;
    say([...who(), " takes most from ", ...quoted(now[best]), most], spoken);
  }

  body.replaceChildren(
    controls,
    element("div.attn-side", ...(data.arrows ? sides : []).map(({ title, sheet }) => element("div", title, sheet))),
    ...(data.arrows ? [table] : [above, table]),
  );
  hint.textContent = data.arrows
    ? "Drag the tip of the query, or move it by the arrow keys. Or choose another clue, or another word to ask."
    : "Choose another clue, or another word to ask.";
  sides[0].held[0].made.addEventListener("keydown", ({ key }) => key === "Home" && paint({ own: null }));
  paint({}, false);
});
