// A query and keys as arrows. How far a key reaches along the query's line, times the query's length, is its score.
// The query's tip can be moved; behind the line at a right angle to it, every key scores below zero.
attentionLive.define("turn-query", ({ data, body, hint, say, fixed, element, drawing, token, draggable }) => {
  const { keys, labels, reach } = data;
  const [width, height] = [380, 320], unit = height / 2 / reach / 1.2, far = width + height;
  const largest = Math.ceil(reach * Math.max(...keys.map(([x, y]) => Math.abs(x) + Math.abs(y)))) || 1;
  const ink = (role) => `var(--${role}-ink)`;
  const at = ([x, y]) => [x * unit, -y * unit];
  const degrees = (y, x) => Math.atan2(y, x) * 180 / Math.PI;
  const set = (drawn, attributes) => { for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value); };
  let query = data.query;

  // ---- the plane: its origin in the middle, its second number upwards ----

  function arrow(role, width, text, beyond) {
    const shaft = drawing("line", { stroke: `var(--${role})`, "stroke-width": width });
    const head = drawing("path", { fill: `var(--${role})`, d: "M 0 0 l -13 -6 v 12 z" });
    const name = drawing("text", { fill: ink(role), "dominant-baseline": "central" }, text.length > 12 ? `${text.slice(0, 11)}…` : text);
    function point(tip) {
      const [x, y] = at(tip), length = Math.hypot(x, y) || 1, side = x / length;
      const neck = Math.max(0, 1 - 10 / length), out = 1 + beyond / length;
      set(shaft, { x2: x * neck, y2: y * neck });
      set(head, { transform: `translate(${x} ${y}) rotate(${degrees(y, x)})` });
      // The name stands beyond the tip, on the side to which the arrow points.
      set(name, { x: x * out, y: y * out, "text-anchor": side > 0.3 ? "start" : side < -0.3 ? "end" : "middle" });
    }
    return { point, name, made: drawing("g", {}, shaft, head) };
  }

  const upright = (x) => `M ${x} ${-far} V ${far}`, level = (y) => `M ${-far} ${y} H ${far}`;
  const stripes = Array.from({ length: far / 8 }, (_, i) => upright(-8 * (i + 1))).join("");
  // Turned with the query: all that lies left of a right angle to it.
  const below = drawing("g", {}, drawing("rect", { class: "attn-below", x: -far, y: -far, width: far, height: 2 * far }),
    drawing("path", { class: "attn-stripe", d: stripes }), drawing("path", { d: upright(0), stroke: ink("score"), "stroke-dasharray": "6 4" }));
  const zone = drawing("text", { class: "attn-small", style: `fill:${ink("score")}` }, "scores below zero");
  const along = drawing("line", { stroke: ink("query"), "stroke-dasharray": "2 4" });
  const apart = Math.ceil(reach / 5), marks = Array.from({ length: 2 * reach / apart }, (_, i) => (i + 1) * apart).flatMap((step) => [-step, step]);
  const grid = drawing("g", { stroke: "var(--edge)" },
    drawing("path", { "stroke-width": 0.6, d: marks.map((step) => upright(step * unit) + level(step * unit)).join("") }),
    drawing("path", { "stroke-width": 1.6, d: upright(0) + level(0) }));
  const numbers = drawing("g", { class: "attn-small" }, ...marks.filter((step) => Math.abs(step * unit) < width / 2 - 8).flatMap((step) => {
    const place = step * unit, text = `${step}`.replace("-", "−");
    return [drawing("text", { x: place, y: 14, "text-anchor": "middle" }, text), drawing("text", { x: -5, y: 4 - place, "text-anchor": "end" }, text)];
  }));
  const arrows = labels.map((label) => arrow("key", 3, label, 10)), asking = arrow("query", 4, "query", 27);
  const feet = keys.map(() => ({
    band: drawing("line", { stroke: "var(--key)", "stroke-width": 10, "stroke-opacity": 0.4 }),
    turn: drawing("path", { fill: "none", stroke: ink("key"), "stroke-width": 1.5 }),
    drop: drawing("line", { stroke: ink("key"), "stroke-dasharray": "3 3" }),
    foot: drawing("circle", { r: 4.5, fill: "#FFFFFF", stroke: ink("key"), "stroke-width": 2 }),
  }));
  const handle = drawing("circle", {
    class: "attn-handle", r: 20, tabindex: 0, role: "slider", "aria-label": "tip of the query",
    "aria-valuemin": -reach, "aria-valuemax": reach,
  });
  const quiet = drawing("g", { "aria-hidden": "true" }, below, grid, numbers, zone, along,
    ...["band", "turn", "drop"].flatMap((part) => feet.map((each) => each[part])),
    ...arrows.map((each) => each.made), asking.made, ...feet.map((each) => each.foot),
    ...[...arrows, asking].map((each) => each.name));
  const plane = drawing("svg", { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, role: "group", "aria-label": "The plane" },
    quiet, handle);

  // ---- the scores ----

  // The twin's table stays; each line gets a bar, all on one scale that no query within reach can leave.
  const table = body.querySelector("table"), [head, ...lines] = table.rows;
  const scale = [`−${largest}`, "0", `${largest}`].map((textContent) => element("span", { textContent }));
  head.append(element("td", {}, element("div", { className: "attn-scale" }, ...scale)));
  const bars = lines.map((line) => line.appendChild(element("td", { className: "attn-bar" }, element("div"))).firstChild);

  function paint(spoken) {
    const length = Math.hypot(...query), [x, y] = length ? query.map((each) => each / length) : [0, 0];
    const scores = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
    set(below, { transform: `rotate(${degrees(-y, x)})` });
    for (const part of [below, zone]) part.style.display = length ? "" : "none";
    // A corner that the query points away from: no key there scores above zero.
    set(zone, { x: (x > 0 ? -1 : 1) * (width / 2 - 8), y: y > 0 ? height / 2 - 10 : 18 - height / 2, "text-anchor": x > 0 ? "start" : "end" });
    set(along, { x1: -far * x, y1: far * y, x2: far * x, y2: -far * y });
    asking.point(query);
    const [cx, cy] = at(query);
    const written = `(${query.map(fixed).join(", ")})`;
    table.caption.textContent = `query ${written}, length ${fixed(length)}`;
    set(handle, { cx, cy, "aria-valuenow": query[0], "aria-valuetext": written });
    keys.forEach((key, j) => {
      const shadow = length ? scores[j] / length : 0, [x1, y1] = at(key), [x2, y2] = at([shadow * x, shadow * y]);
      const { drop, band, foot, turn } = feet[j], bar = bars[j], cells = [...lines[j].cells];
      set(drop, { x1, y1, x2, y2 });
      set(band, { x2, y2 });
      set(foot, { cx: x2, cy: y2 });
      const size = Math.hypot(...key), side = x * key[1] - y * key[0], round = 20 + 6 * j;
      const ends = [x, -y, key[0] / size, -key[1] / size].map((each) => each * round);
      set(turn, { d: length && size ? `M ${ends[0]} ${ends[1]} A ${round} ${round} 0 0 ${side > 0 ? 0 : 1} ${ends[2]} ${ends[3]}` : "" });
      const angle = length ? `${degrees(Math.abs(side), shadow).toFixed(1)}°` : "–";
      [angle, fixed(shadow), fixed(scores[j])].forEach((text, c) => { cells[c + 1].textContent = text; });
      bar.className = scores[j] < 0 ? "attn-negative" : "";
      bar.style.width = `${Math.abs(scores[j]) / largest * 50}%`;
      bar.style.left = `${50 + Math.min(scores[j], 0) / largest * 50}%`;
      bar.style.visibility = scores[j] ? "" : "hidden";
    });
    say(words(scores), spoken);
  }

  // Which key scores highest, and which score 0 or below, by the digits shown.
  function words(scores) {
    const texts = scores.map(fixed), digits = texts.map((text) => Number(text.replace("−", "-")));
    const first = digits.indexOf(Math.max(...digits));
    const listed = (fits) => labels.filter((_, j) => fits(texts[j])).flatMap((label, i) => [i ? ", “" : "“", token(label), "”"]);
    const below = listed((text) => text.startsWith("−")), zero = listed((text) => text === "0.00");
    return ["Largest score: “", token(labels[first]), `” (${texts[first]}); below zero: `, ...(below.length ? below : ["none"]),
      ...(zero.length ? ["; zero: ", ...zero] : []), "."];
  }

  // ---- moving the tip ----

  function move(tip, spoken) {
    query = tip.map((each) => Math.round(10 * Math.max(-reach, Math.min(reach, each))) / 10 + 0);
    paint(spoken);
  }
  draggable(handle, (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    move([x / unit, -y / unit], false);
  });
  const ways = { ArrowRight: [0.1, 0], ArrowLeft: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  handle.onkeydown = (event) => {
    const way = ways[event.key];
    if (way) move(query.map((each, place) => each + way[place]), true);
    else if (event.key === "Home") move(data.query, true);
    else return;
    event.preventDefault();
  };

  arrows.forEach((each, j) => each.point(keys[j]));
  body.replaceChildren(element("div", { className: "attn-side" }, plane, element("div", { className: "attn-scroll" }, table)));
  hint.textContent = "Drag the tip of the query, or move it with the arrow keys; Home brings it back.";
  paint(false);
});
