// A query and keys as arrows. How far a key reaches along the query's line, times the query's length, is its score.
// The query's tip can be moved; behind the line at a right angle to it, every key scores below zero.
attentionLive.define("turn-query", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, token } = tools,
    { keys, labels, reach } = data;
  const [width, height] = [380, 320],
    plane = attentionLive.plane(tools, { width, height, reach, margin: 1.2 });
  const { far, set, at, degrees } = plane;
  const largest = Math.ceil(reach * Math.max(...keys.map(([x, y]) => Math.abs(x) + Math.abs(y)))) || 1;
  const ink = (role) => `var(--${role}-ink)`;
  let query = data.query;

  // ---- the plane ----

  const upright = (x) => `M ${x} ${-far} V ${far}`;
  const stripes = Array.from({ length: far / 8 }, (_, i) => upright(-8 * (i + 1))).join("");
  // Turned with the query: all that lies left of a right angle to it.
  const below = drawing(
    "g",
    {},
    drawing("rect", { class: "attn-below", x: -far, y: -far, width: far, height: 2 * far }),
    drawing("path", { class: "attn-stripe", d: stripes }),
    drawing("path", { d: upright(0), stroke: ink("score"), "stroke-dasharray": "6 4" }),
  );
  const zone = drawing("text", { class: "attn-small", style: `fill:${ink("score")}` }, "scores below zero");
  const along = drawing("line", { stroke: ink("query"), "stroke-dasharray": "2 4" });
  const arrows = labels.map((label) => plane.arrow("key", 3, label, 10)),
    asking = plane.arrow("query", 4, "query", 27);
  const feet = keys.map(() => ({
    band: drawing("line", { stroke: "var(--key)", "stroke-width": 10, "stroke-opacity": 0.4 }),
    turn: drawing("path", { fill: "none", stroke: ink("key"), "stroke-width": 1.5 }),
    drop: drawing("line", { stroke: ink("key"), "stroke-dasharray": "3 3" }),
    foot: drawing("circle", { r: 4.5, fill: "#FFFFFF", stroke: ink("key"), "stroke-width": 2 }),
  }));
  const handle = plane.handle("query", "tip of the query", 20, query, (tip, spoken) => {
    query = tip;
    paint(spoken);
  });
  const drawn = plane.sheet(
    [
      below,
      plane.grid(),
      zone,
      along,
      ...["band", "turn", "drop"].flatMap((part) => feet.map((each) => each[part])),
      ...arrows.map((each) => each.made),
      asking.made,
      ...feet.map((each) => each.foot),
      ...[...arrows, asking].map((each) => each.name),
    ],
    [handle.made],
  );

  // ---- the scores ----

  // The twin's table stays; each line gets a bar, all on one scale that no query within reach can leave.
  const table = body.querySelector("table"),
    [head, ...lines] = table.rows;
  const scale = [`−${largest}`, "0", `${largest}`].map((textContent) => element("span", { textContent }));
  head.append(element("td", {}, element("div", { className: "attn-scale" }, ...scale)));
  const bars = lines.map(
    (line) => line.appendChild(element("td", { className: "attn-bar" }, element("div"))).firstChild,
  );

  // The query's name steps aside, up or down, where a key's name stands.
  const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  function apart(name) {
    for (const dy of [0, 18, -18, 36, -36, 54]) {
      set(name, { dy });
      if (!arrows.some((each) => meet(each.name.getBBox(), name.getBBox()))) return;
    }
  }

  function paint(spoken) {
    const length = Math.hypot(...query),
      [x, y] = length ? query.map((each) => each / length) : [0, 0];
    const scores = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
    set(below, { transform: `rotate(${degrees(-y, x)})` });
    for (const part of [below, zone]) part.style.display = length ? "" : "none";
    // A corner that the query points away from: no key there scores above zero.
    set(zone, {
      x: (x > 0 ? -1 : 1) * (width / 2 - 8),
      y: y > 0 ? height / 2 - 10 : 18 - height / 2,
      "text-anchor": x > 0 ? "start" : "end",
    });
    set(along, { x1: -far * x, y1: far * y, x2: far * x, y2: -far * y });
    asking.point(query);
    apart(asking.name);
    table.caption.textContent = `query ${plane.written(query)}, length ${fixed(length)}`;
    keys.forEach((key, j) => {
      const shadow = length ? scores[j] / length : 0,
        [x1, y1] = at(key),
        [x2, y2] = at([shadow * x, shadow * y]);
      const { drop, band, foot, turn } = feet[j],
        bar = bars[j],
        cells = [...lines[j].cells];
      set(drop, { x1, y1, x2, y2 });
      set(band, { x2, y2 });
      set(foot, { cx: x2, cy: y2 });
      const size = Math.hypot(...key),
        side = x * key[1] - y * key[0],
        round = 20 + 6 * j;
      const ends = [x, -y, key[0] / size, -key[1] / size].map((each) => each * round);
      set(turn, {
        d:
          length && size
            ? `M ${ends[0]} ${ends[1]} A ${round} ${round} 0 0 ${side > 0 ? 0 : 1} ${ends[2]} ${ends[3]}`
            : "",
      });
      const angle = length ? `${degrees(Math.abs(side), shadow).toFixed(1)}°` : "–";
      [angle, fixed(shadow), fixed(scores[j])].forEach((text, c) => {
        cells[c + 1].textContent = text;
      });
      bar.className = scores[j] < 0 ? "attn-negative" : "";
      bar.style.width = `${(Math.abs(scores[j]) / largest) * 50}%`;
      bar.style.left = `${50 + (Math.min(scores[j], 0) / largest) * 50}%`;
      bar.style.visibility = scores[j] ? "" : "hidden";
    });
    say(words(scores), spoken);
  }

  // Which key scores highest, and which score 0 or below, by the digits shown.
  function words(scores) {
    const texts = scores.map(fixed),
      digits = texts.map((text) => Number(text.replace("−", "-")));
    const first = digits.indexOf(Math.max(...digits));
    const listed = (fits) =>
      labels.filter((_, j) => fits(texts[j])).flatMap((label, i) => [i ? ", “" : "“", token(label), "”"]);
    const below = listed((text) => text.startsWith("−")),
      zero = listed((text) => text === "0.00");
    return [
      "Largest score: “",
      token(labels[first]),
      `” (${texts[first]}); below zero: `,
      ...(below.length ? below : ["none"]),
      ...(zero.length ? ["; zero: ", ...zero] : []),
      ".",
    ];
  }

  body.replaceChildren(
    element("div", { className: "attn-side" }, drawn, element("div", { className: "attn-scroll" }, table)),
  );
  // Once they have a place: their names are measured.
  arrows.forEach((each, j) => each.point(keys[j]));
  hint.textContent = "Drag the tip of the query, or move it with the arrow keys; Home brings it back.";
  paint(false);
});
