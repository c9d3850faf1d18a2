// A query and keys as arrows. How far a key reaches along the query's line, times the query's length, is its score.
// The query's tip can be moved; behind the line at a right angle to it, every key scores below zero.
attentionLive.define("turn-query", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes, quoted, largestFirst } = tools,
    { keys, labels, reach } = data;
  const size = 380,
    plane = attentionLive.plane(tools, { size, reach, margin: 1.1 });
  const { far, at, degrees } = plane;
  const largest = Math.ceil(reach * Math.max(...keys.map(([x, y]) => Math.abs(x) + Math.abs(y)))) || 1;
  const ink = (role) => `var(--${role}-ink)`;
  let query = data.query;

  // ---- the plane ----

  // Turned with the query: all that lies left of a right angle to it.
  const below = svg(
    "g",
    svg("rect.attn-below", { x: -far, y: -far, width: far, height: 2 * far }),
    svg("line", { y1: -far, y2: far, stroke: ink("score"), "stroke-dasharray": "6 4" }),
  );
  const zone = svg("text.attn-small", { style: `fill:${ink("score")}` }, "scores below zero");
  const along = svg("line", { stroke: ink("query"), "stroke-dasharray": "2 4" });
  const arrows = labels.map((label) => plane.arrow("key", 3, label, 13)),
    asking = plane.arrow("query", 4, "query", 27);
  const band = svg("line", { stroke: "var(--key)", "stroke-width": 12, "stroke-opacity": 0.5 }); // of the best key
  const feet = keys.map(() => ({
    drop: svg("line", { stroke: ink("key"), "stroke-dasharray": "3 3" }),
    foot: svg("circle", { r: 4.5, fill: "#FFFFFF", stroke: ink("key"), "stroke-width": 2 }),
  }));
  const turn = svg("path", { fill: "none", stroke: ink("key"), "stroke-width": 2 }); // to the key that scores most
  const handle = plane.handle("query", "tip of the query", 17, query, (tip, spoken) => {
    query = tip;
    paint(spoken);
  });
  const all = [...arrows, asking],
    drops = feet.map((each) => each.drop);
  const names = [...feet.map((each) => each.foot), ...all.map((each) => each.name)];
  const drawn = plane.sheet(
    [below, plane.grid(), zone, along, band, ...drops, turn, ...all.map((each) => each.made), ...names],
    [handle.made],
  );

  // ---- the scores ----

  // The twin's table stays; before each score lies its bar, all on one scale that no query within reach can leave.
  const table = body.querySelector("table"),
    [head, ...lines] = table.rows;
  head.lastElementChild.colSpan = 2;
  const bars = lines.map((line) => {
    const bar = element("div");
    line.lastElementChild.before(element("td.attn-bar", { ariaHidden: "true" }, bar));
    return bar;
  });

  // The query's name steps aside, up or down, where a key's name stands.
  const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  function apart(name) {
    for (const dy of [0, 18, -18, 36, -36, 54]) {
      setAttributes(name, { dy });
      if (!arrows.some((each) => meet(each.name.getBBox(), name.getBBox()))) return;
    }
  }

  function paint(spoken) {
    const length = Math.hypot(...query),
      [x, y] = length ? query.map((each) => each / length) : [0, 0];
    const scores = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
    const [best] = largestFirst(scores);
    setAttributes(below, { transform: `rotate(${degrees(-y, x)})` });
    for (const part of [below, zone, turn]) part.style.display = length ? "" : "none";
    // A corner that the query points away from: no key there scores above zero.
    const corner = { x: (x > 0 ? -1 : 1) * (size / 2 - 8), y: y > 0 ? size / 2 - 10 : 18 - size / 2 };
    setAttributes(zone, { ...corner, "text-anchor": x > 0 ? "start" : "end" });
    setAttributes(along, { x1: -far * x, y1: far * y, x2: far * x, y2: -far * y });
    asking.point(query, [0, y < 0 ? -1 : 1]);
    apart(asking.name);
    table.caption.textContent = `query ${plane.written(query)}, length ${twoDecimals(length)}`;
    keys.forEach((key, j) => {
      const shadow = length ? scores[j] / length : 0,
        [x1, y1] = at(key),
        [x2, y2] = at([shadow * x, shadow * y]);
      const { drop, foot } = feet[j],
        bar = bars[j],
        cells = [1, 2, 4].map((c) => lines[j].cells[c]);
      setAttributes(drop, { x1, y1, x2, y2 });
      setAttributes(foot, { cx: x2, cy: y2 });
      // Its name stands off the query's line.
      const side = x * key[1] - y * key[0];
      arrows[j].point(key, side > 0 ? [-y, x] : side < 0 ? [y, -x] : key);
      const most = j === best;
      lines[j].classList.toggle("attn-most", most);
      if (most) {
        setAttributes(band, { x2, y2 });
        // Around the origin, from the query's direction to the key's.
        const end = [0.7 * x1, 0.7 * y1],
          round = Math.hypot(...end);
        const d = `M ${round * x} ${-round * y} A ${round} ${round} 0 0 ${side > 0 ? 0 : 1} ${end.join(" ")}`;
        setAttributes(turn, { d });
      }
      const angle = length ? `${degrees(Math.abs(side), shadow).toFixed(1)}°` : "–";
      const texts = [angle, twoDecimals(shadow), twoDecimals(scores[j])];
      for (const [c, cell] of cells.entries()) cell.textContent = texts[c];
      bar.className = scores[j] < 0 ? "attn-negative" : "";
      bar.style.width = `${(Math.abs(scores[j]) / largest) * 50}%`;
      bar.style.left = `${50 + (Math.min(scores[j], 0) / largest) * 50}%`;
      bar.style.visibility = scores[j] ? "" : "hidden";
    });
    say(words(scores), spoken);
  }

  // Which key scores highest, and which score 0 or below, by the digits shown.
  function words(scores) {
    const texts = scores.map(twoDecimals),
      [best] = largestFirst(scores);
    const listed = (fits) =>
      labels.filter((_, j) => fits(texts[j])).flatMap((label, i) => [i ? ", " : "", ...quoted(label)]);
    const below = listed((text) => text.startsWith("−")),
      zero = listed((text) => text === "0.00");
    const first = ["Largest score: ", ...quoted(labels[best]), ` (${texts[best]}); below zero: `];
    return [...first, ...(below.length ? below : ["none"]), ...(zero.length ? ["; zero: ", ...zero] : []), "."];
  }

  body.replaceChildren(element("div.attn-side", drawn, element("div.attn-scroll", table)));
  hint.textContent = "Drag the tip of the query, or move it with the arrow keys; Home brings it back.";
  paint(false); // once the names have a place: they are measured
});
