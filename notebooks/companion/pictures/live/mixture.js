// Values as arrows in the plane, and their average by weights that a hand can move: it never leaves their shape.
// Of each value, its weight's share is thick; these shares, laid end to end, reach the context.
attentionLive.define("mixture", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes, token, slider, button } = tools,
    { labels, reach } = data;
  const plane = attentionLive.plane(tools, { size: 380, reach, margin: 1.2 }),
    { at, written } = plane;
  const ink = (role) => `var(--${role}-ink)`;
  const start = { weights: data.weights, value: data.value },
    state = { ...start };

  // ---- the plane ----

  const shape = svg("polygon.attn-shape");
  const arrows = labels.map((label) => plane.arrow("value", 3, label, 26)),
    context = plane.arrow("context", 5, "context", 12);
  const parts = labels.map(() => svg("polyline.attn-part"));
  const steps = labels.map(() => svg("polyline.attn-step"));
  const handles = labels.map((label, j) =>
    plane.handle("value", `tip of ${label}`, 15, data.value[j], (tip, spoken) => {
      state.value = state.value.with(j, tip);
      paint(spoken);
    }),
  );
  const tips = [...arrows, context].map((each) => each.name);
  const drawn = plane.sheet(
    [plane.grid(), shape, ...arrows.map((each) => each.made), ...parts, ...steps, context.made, ...tips],
    handles.map((each) => each.made),
  );

  // ---- the numbers ----

  const cell = (kind, role, ...content) => element(kind, { style: `color:${ink(role)}` }, ...content);
  // The others give way to a weight in proportion, so that the sum stays 1; with one key alone, nothing could give way.
  function share(j, weight, spoken) {
    const { weights } = state,
      others = weights.reduce((sum, each, i) => (i === j ? sum : sum + each), 0);
    const part = (each) => (others > 1e-9 ? each / others : 1 / (labels.length - 1));
    state.weights = weights.map((each, i) => (i === j ? weight : (1 - weight) * part(each)));
    sliders.forEach((each, i) => i !== j && each.set(state.weights[i]));
    paint(spoken);
  }
  const range = { min: labels.length > 1 ? 0 : 1, max: 1, step: 0.01 };
  const sliders = labels.map((label, j) =>
    slider(`weight of ${label}`, { ...range, value: state.weights[j] }, (weight, spoken) => share(j, weight, spoken)),
  );
  const lines = labels.map((label, j) => {
    const [whole, part] = [cell("td", "value"), cell("td", "value")];
    const weight = element("td.attn-weight", { style: `color:${ink("weight")}` }, sliders[j].number, sliders[j].range);
    return { whole, part, made: element("tr", cell("th", "value", token(label)), whole, weight, part) };
  });
  const [total, sum] = ["weight", "context"].map((role) => cell("td", role));
  const names = { "value v": "value", "weight α": "weight", "α · v": "value" };
  const heads = Object.entries(names).map(([name, role]) => cell("th", role, name));
  const table = element(
    "table",
    element("thead", element("tr", element("td"), ...heads)),
    element("tbody", ...lines.map((each) => each.made)),
    element("tfoot", element("tr", cell("th", "context", "context"), element("td"), total, sum)),
  );

  // The corners of the smallest convex shape around points, one after the other (Andrew's monotone chain).
  function around(points) {
    const turn = ([a, b], [c, d], [e, f]) => (c - a) * (f - b) - (d - b) * (e - a);
    const sorted = points.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
    return [sorted, sorted.toReversed()].flatMap((half) => {
      const corners = [];
      for (const point of half) {
        while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), point) <= 0) corners.pop();
        corners.push(point);
      }
      return corners.slice(0, -1);
    });
  }

  // A name that would cover a handle, the context, or a name before it, moves a line or more down or up, if there is room.
  function partNames(end) {
    const spots = [...state.value, end, end.map((each) => 0.6 * each)].map(at);
    const placed = spots.map(([x, y]) => ({ x, y, wide: 13, high: 22 }));
    for (const { name } of [...arrows, context]) {
      const [x, start] = ["x", "y"].map((each) => Number(name.getAttribute(each))),
        wide = name.getComputedTextLength() / 2;
      const free = (y) =>
        Math.abs(y) < 180 &&
        placed.every((other) => Math.abs(other.x - x) >= other.wide + wide || Math.abs(other.y - y) >= other.high);
      const y = [0, 16, -16, 32, -32, 48, -48].map((by) => start + by).find(free) ?? start;
      setAttributes(name, { y });
      placed.push({ x, y, wide, high: 16 });
    }
  }

  function paint(spoken) {
    const { weights, value } = state,
      line = (...points) => ({ points: points.map(at).join(" ") });
    let end = [0, 0];
    value.forEach((whole, j) => {
      const part = whole.map((each) => weights[j] * each),
        from = end;
      end = end.map((each, d) => each + part[d]);
      arrows[j].point(whole);
      setAttributes(parts[j], line([0, 0], part));
      setAttributes(steps[j], line(from, end));
      lines[j].whole.textContent = written(whole);
      lines[j].part.textContent = written(part);
    });
    context.point(end);
    partNames(end);
    setAttributes(shape, line(...around(value)));
    total.textContent = `Σ ${twoDecimals(weights.reduce((a, b) => a + b))}`;
    sum.textContent = written(end);
    const longest = Math.max(...value.map((each) => Math.hypot(...each)));
    const added = labels.flatMap((label, j) => [`${j ? " + " : ""}${twoDecimals(weights[j])} · `, token(label)]);
    const length = `. Length ${twoDecimals(Math.hypot(...end))}; the longest value has ${twoDecimals(longest)}.`;
    say([`Context ${written(end)} = `, ...added, length], spoken);
  }

  const again = button("start again", () => {
    Object.assign(state, start);
    sliders.forEach((each, j) => each.set(state.weights[j]));
    handles.forEach((each, j) => each.put(state.value[j]));
    paint(true);
  });
  body.replaceChildren(element("div.attn-side", drawn, element("div.attn-scroll", table, again)));
  hint.textContent = "Move a weight: the others give way. Drag a corner, or move it with the arrow keys.";
  paint(false);
});
