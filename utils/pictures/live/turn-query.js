// A query and keys as arrows. How far a key reaches along the query's line, times the query's length, is its score.
// The query's tip can be moved; behind the line at a right angle to it, every key scores below zero.
attentionLive.define("turn-query", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, token } = tools, { keys, labels, reach } = data;
  const [width, height] = [380, 320], plane = attentionLive.plane(tools, { width, height, reach, margin: 1.2 });
  const { far, set, at, degrees } = plane;
  const largest = reach * Math.max(...keys.map(([x, y]) => Math.abs(x) + Math.abs(y))) || 1;
  const ink = (role) => `var(--${role}-ink)`;
  let query = data.query;

  // ---- the plane ----

  // Turned with the query: all that lies left of a right angle to it.
  const below = drawing("g", {}, drawing("rect", { class: "attn-below", x: -far, y: -far, width: far, height: 2 * far }));
  for (let x = -8; x > -far; x -= 8) below.append(drawing("line", { class: "attn-stripe", x1: x, x2: x, y1: -far, y2: far }));
  below.append(drawing("line", { y1: -far, y2: far, stroke: ink("score"), "stroke-dasharray": "6 4" }));
  const zone = drawing("text", { class: "attn-small", style: `fill:${ink("score")}` }, "scores below zero");
  const along = drawing("line", { stroke: "var(--query-ink)", "stroke-dasharray": "2 4" });
  const arrows = labels.map((label) => plane.arrow("key", 3, label, 10)), asking = plane.arrow("query", 4, "query", 27);
  const feet = keys.map(() => ({
    drop: drawing("line", { stroke: ink("key"), "stroke-dasharray": "3 3" }),
    band: drawing("line", { stroke: "var(--key)", "stroke-width": 10, "stroke-opacity": 0.4 }),
    foot: drawing("circle", { r: 4.5, fill: "#FFFFFF", stroke: ink("key"), "stroke-width": 2 }),
  }));
  const handle = plane.handle("query", "tip of the query", 20, query, (tip, spoken) => {
    query = tip;
    paint(spoken);
  });
  const drawn = plane.sheet([below, plane.grid(), zone, along,
    ...["band", "drop"].flatMap((part) => feet.map((each) => each[part])),
    ...arrows.map((each) => each.made), asking.made, ...feet.map((each) => each.foot),
    ...[...arrows, asking].map((each) => each.name)], [handle.made]);

  // ---- the scores ----

  const columns = [["key", "key"], ["score", "score"], ["", "score"], ["=\u00a0along query", "key"], ["×\u00a0query length", "query"], ["angle", "key"]];
  const cell = (kind, role, text = "") => element(kind, { style: `color:${ink(role)}`, textContent: text });
  const lines = labels.map((label) => {
    const [score, bars, shadow, length, angle] = columns.slice(1).map(([, role]) => cell("td", role)), bar = element("div");
    const name = element("th", { scope: "row", style: `color:${ink("key")}` }, token(label));
    bars.className = "attn-bar";
    bars.append(bar);
    return { score, bar, shadow, length, angle, made: element("tr", {}, name, score, bars, shadow, length, angle) };
  });
  const place = element("caption", { style: `color:${ink("query")};text-align:left` });
  const table = element("table", { className: "attn-scores" }, place,
    element("thead", {}, element("tr", {}, ...columns.map(([text, role]) => cell(text ? "th" : "td", role, text)))),
    element("tbody", {}, ...lines.map((each) => each.made)));

  function paint(spoken) {
    const length = Math.hypot(...query), [x, y] = length ? query.map((each) => each / length) : [0, 0];
    const scores = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
    set(below, { transform: `rotate(${degrees(-y, x)})` });
    for (const part of [below, zone]) part.style.display = length ? "" : "none";
    // A corner that the query points away from: no key there scores above zero.
    set(zone, { x: (x > 0 ? -1 : 1) * (width / 2 - 8), y: y > 0 ? height / 2 - 10 : 18 - height / 2, "text-anchor": x > 0 ? "start" : "end" });
    set(along, { x1: -far * x, y1: far * y, x2: far * x, y2: -far * y });
    asking.point(query);
    place.textContent = `query ${plane.written(query)}`;
    keys.forEach((key, j) => {
      const shadow = length ? scores[j] / length : 0, [x1, y1] = at(key), [x2, y2] = at([shadow * x, shadow * y]);
      const { drop, band, foot } = feet[j], { angle, bar, ...cells } = lines[j];
      set(drop, { x1, y1, x2, y2 });
      set(band, { x2, y2 });
      set(foot, { cx: x2, cy: y2 });
      angle.textContent = length ? `${degrees(Math.abs(query[0] * key[1] - query[1] * key[0]), scores[j]).toFixed(1)}°` : "–";
      cells.shadow.textContent = fixed(shadow);
      cells.length.textContent = fixed(length);
      cells.score.textContent = fixed(scores[j]);
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

  body.replaceChildren(element("div", { className: "attn-side" }, drawn, element("div", { className: "attn-scroll" }, table)));
  // Once they have a place: their names are measured.
  arrows.forEach((each, j) => each.point(keys[j]));
  hint.textContent = "Drag the tip of the query, or move it with the arrow keys; Home brings it back.";
  paint(false);
});
