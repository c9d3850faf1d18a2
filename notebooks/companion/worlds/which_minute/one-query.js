// One word asks: its query among all keys, where it can be dragged, its context among all values; or the weights alone.
attentionLive.define("one-query", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes } = tools,
    { token, quoted, softmax, largestFirst, choice } = tools;
  const state = { asks: data.asks, clue: data.clue, own: null };
  const words = () => data.form.replace("{}", state.clue).split(" ");

  // ---- the planes ----

  const near = (at, middle, half) => Math.max(middle - half, Math.min(middle + half, at));
  const sides = ["key", "value"].map((role, s) => {
    const [reach, middle] = [data.reach[s], data.middle[s]],
      plane = attentionLive.plane(tools, { size: 320, reach, margin: data.half[s] / reach }),
      center = plane.at(middle);
    const arrows = words().map(() => plane.arrow(role, 2.5, " ", 12)),
      whole = s ? plane.arrow("context", 5, "context", 12) : plane.arrow("query", 4, "query", 14);
    const all = [...arrows, whole];
    const leaders = arrows.map(() => svg("line", { stroke: "var(--muted)" }));
    const take = (own, spoken) => paint({ own: own.map((each, d) => near(each, middle[d], 2.8)) }, spoken);
    const held = s ? [] : [plane.handle("query", "tip of the query", 12, [0, 0], take)];
    const [left, up] = center,
      corner = svg("text.attn-unit", { x: left + 154, y: up + 152 }, `a square is ${Math.ceil(reach / 5)}`);
    const sheet = plane.sheet(
      [plane.grid(), corner, ...all.map(({ made }) => made), ...leaders, ...all.map(({ name }) => name)],
      held.map(({ made }) => made),
    );
    setAttributes(sheet, { viewBox: `${left - 160} ${up - 160} 320 320` });
    return { plane, arrows, whole, sheet, held, leaders, center, title: element("b") };
  });

  // Each name stands where it covers the least, of other names first and then of arrows, near its tip and beyond it.
  // named: [name, tip, leader, how far apart], the most important first; tips: of all arrows; middle: of what is seen.
  function settle(named, tips, [across, down]) {
    const shafts = tips.flatMap(([x, y]) => [...Array(25).keys()].map((k) => [(x * k) / 24, (y * k) / 24])),
      taken = [[across + 110, down + 148, 46, 12]]; // what a square is
    for (const [name, [x, y], leader, apart] of named) {
      const { width, height } = name.getBBox(),
        [wide, high] = [width / 2 + 2, height / 2];
      const cost = ([left, up, far]) => {
        const outside = Math.hypot(left - near(left, across, 156 - wide), up - near(up, down, 156 - high));
        const over = taken.map(([l, u, w, h]) => {
          const [both, tall] = [wide + w - Math.abs(left - l), high + h - Math.abs(up - u)];
          return both > 0 && tall > 0 && both * tall;
        });
        const crossed = shafts.filter(([l, u]) => Math.abs(l - left) < wide + 3 && Math.abs(u - up) < high);
        return 1000 * (outside + over.reduce((sum, each) => sum + each)) + 12 * crossed.length + far;
      };
      const spots = [...Array(144).keys()].map((k) => {
        const turn = (k % 24) * (Math.PI / 12),
          out = apart + 12 * Math.floor(k / 24);
        const aside = out + 8 - 8 * Math.cos(turn - Math.atan2(y, x));
        return [x + (wide + out) * Math.cos(turn), y + (high + out) * Math.sin(turn), aside];
      });
      const [left, up] = spots.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best));
      taken.push([left, up, wide, high]);
      setAttributes(name, { x: left, y: up });
      if (leader) setAttributes(leader, { x1: x, y1: y, x2: near(x, left, wide), y2: near(y, up, high - 4) });
    }
  }

  // ---- the controls and the weights ----

  const asking = words().map(token);
  const clues = [5, 13, 21].map((first) => {
    const group = Object.keys(data.vectors).slice(first, first + 8); // eight of each meaning
    const options = group.map((clue) => new Option(clue, undefined, false, clue === state.clue));
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

  const table = element("table", element("tr", ...cells.map((each) => each.made))),
    above = svg("svg.attn-above", { viewBox: "0 0 600 56", "aria-hidden": "true" });

  function paint(change, spoken = true) {
    Object.assign(state, change);
    const now = words(),
      vectors = now.map((word) => data.vectors[word]),
      query = state.own ?? vectors[state.asks][0];
    const weights = softmax(vectors.map(([, [x, y]]) => x * query[0] + y * query[1])),
      [best] = largestFirst(weights);
    const context = [0, 1].map((d) => weights.reduce((sum, weight, j) => sum + weight * vectors[j][2][d], 0));
    sides.forEach(({ plane, arrows, whole, leaders, center }, s) => {
      const tip = s ? context : query;
      whole.point(tip);
      arrows.forEach(({ made, name, point }, j) => {
        name.textContent = now[j];
        point(vectors[j][1 + s]);
        made.style.opacity = 0.35 + 0.65 * weights[j];
      });
      const tips = [...vectors.map((vector) => vector[1 + s]), tip].map(plane.at);
      const outer = largestFirst(tips.map((each) => Math.hypot(...each))),
        named = outer.map((j) => [(arrows[j] ?? whole).name, tips[j], leaders[j], s || arrows[j] ? 8 : 15]);
      if (data.arrows) settle(named, tips, center);
    });
    const who = () => (state.own ? ["This query"] : quoted(now[state.asks]));
    sides[0].held[0].put(query);
    sides[0].title.replaceChildren(...who(), state.own ? " among all keys" : " asks: its query, and all keys");
    sides[1].title.textContent = "what it takes: all values, and its context";
    cells.forEach(({ number, bar, name }, j) => {
      asking[j].textContent = now[j];
      name.replaceChildren(token(now[j]));
      name.className = j === state.asks ? "attn-asks" : "";
      number.textContent = twoDecimals(weights[j]);
      bar.style.height = `${100 * weights[j]}%`;
    });
    // Arrows from the word that asks, over the six columns of a hundred each.
    const bends = weights.flatMap((weight, j) => {
      const loop = 9 * (j === state.asks),
        [start, goal, side] = [100 * state.asks + 50 - loop, 100 * j + 50 + loop, 3 + 5 * weight],
        top = Math.max(-4, 24 - Math.abs(goal - start) / 6);
      const way = { d: `M${start} 54C${start} ${top} ${goal} ${top} ${goal} 46`, "stroke-width": 9 * weight };
      const tip = { d: `M${goal - side} 45h${2 * side}l${-side} 10z` };
      return weight < 0.05 ? [] : [svg("path.attn-way", way), svg("path", tip)];
    });
    above.replaceChildren(...bends);
    const end = data.arrows ? `, and its context is (${context.map(twoDecimals).join(", ")})` : "";
    const most = ` (${twoDecimals(weights[best])} of 1)${end}.`;
    say([...who(), " takes most from ", ...quoted(now[best]), most], spoken);
  }

  body.replaceChildren(
    controls,
    element("div.attn-side", ...(data.arrows ? sides : []).map(({ title, sheet }) => element("div", title, sheet))),
    ...(data.arrows ? [table] : [above, table]),
  );
  const drag = data.arrows ? "Drag the tip of the query, or move it by the arrow keys. Or choose" : "Choose";
  hint.textContent = `${drag} another clue, or another word to ask.`;
  sides[0].held[0].made.addEventListener("keydown", ({ key }) => key === "Home" && paint({ own: null }));
  paint({}, false);
});
