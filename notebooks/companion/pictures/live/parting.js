// One word in two sentences: without attention, its two contexts are one arrow, its own value; with it, each is pulled
// towards the values of its own sentence, and they part.
attentionLive.define("parting", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes, token, quoted, slider } = tools,
    { weights, value, sentences, place, reach } = data;
  const word = sentences[0][place];
  // A sentence is named by this word and those that the other does not have: “minute pause”.
  const called = sentences.map((words, s) =>
    words.filter((each, j) => j === place || each !== sentences[1 - s][j]).join(" "),
  );
  // The word's weights, from itself alone to the given ones, and what they make of the values.
  const shared = (attention) =>
    weights.map((row) => row.map((weight, j) => (1 - attention) * (j === place) + attention * weight));
  const mixed = (shares) =>
    shares.map((row, s) => [0, 1].map((d) => row.reduce((sum, share, j) => sum + share * value[s][j][d], 0)));

  // ---- the plane: the values that pull, and the two contexts between them ----

  const plane = attentionLive.plane(tools, { size: 330, reach, margin: 1.2 }),
    { at } = plane;
  const ends = mixed(weights).map(at),
    origin = at(value[0][place]);
  const others = sentences.flatMap((words, s) =>
    words.flatMap((each, j) => (each === sentences[1 - s][j] ? [] : [[each, value[s][j]]])),
  );
  const pulls = [[word, value[0][place]], ...others];
  const dots = pulls.map(([name, tip]) => {
    const [x, y] = at(tip);
    const dot = svg("circle", { cx: x, cy: y, r: 7, class: "attn-value" });
    const text = { x: x > 0 ? x + 12 : x - 4, y: y + (y > 0 ? 24 : -14), fill: "var(--value-ink)" };
    return svg("g", dot, svg("text", { ...text, "text-anchor": x > 0 ? "start" : "middle" }, name));
  });
  const ways = ends.map((end) => svg("polyline.attn-way", { points: `${origin} ${end}` }));
  const arrows = ends.map((_, s) => plane.arrow("context", s ? 3 : 5, "", 0));
  const names = ends.map((_, s) => svg("text", { fill: "var(--context-ink)" }, called[s]));
  const angle = svg("path.attn-line"),
    apart = svg("line.attn-line");
  const tips = arrows.map((each) => each.made);
  const drawn = plane.sheet([plane.grid(), ...ways, apart, angle, ...dots, ...tips, ...names], []);
  // No more of the plane than is used, and room for names.
  const used = [[0, 0], ...ends, ...pulls.map(([, tip]) => at(tip))];
  const [left, top] = [0, 1].map((d) => Math.min(...used.map((each) => each[d])) - 45),
    [right, bottom] = [0, 1].map((d) => Math.max(...used.map((each) => each[d])) + 45);
  drawn.setAttribute("viewBox", `${left} ${top} ${right - left + 75} ${bottom - top}`);

  // ---- whose values are in them ----

  const bars = sentences.map((words) =>
    words.map((word) => {
      const [number, bar] = [element("span"), element("div.attn-part")],
        name = element("div", { style: "color:var(--key-ink)" }, token(word));
      return { number, bar, made: element("td", element("div.attn-bar", number, bar), name) };
    }),
  );
  const rows = bars.map((row, s) =>
    element("tr", element("th", { scope: "row" }, token(called[s])), ...row.map((each) => each.made)),
  );
  const table = element("table", element("caption", "weights of ", ...quoted(word)), element("tbody", ...rows));

  const told = element("span");
  function paint(attention, spoken) {
    const shares = shared(attention),
      tips = mixed(shares);
    const [one, other] = tips,
      across = one[0] * other[1] - one[1] * other[0],
      along = one[0] * other[0] + one[1] * other[1];
    const degrees = `${plane.degrees(Math.abs(across), along).toFixed(1)}°`,
      distance = twoDecimals(Math.hypot(one[0] - other[0], one[1] - other[1]));
    const [[x1, y1], [x2, y2]] = tips.map(at);
    setAttributes(apart, { x1, y1, x2, y2 });
    const [from, to] = tips.map((tip) => at(tip).map((each) => (36 * each) / (Math.hypot(...at(tip)) || 1)));
    angle.style.opacity = Math.abs(Math.atan2(across, along)) < 0.26 ? 0 : 1; // under 15° it would be a tick
    setAttributes(angle, { d: `M ${from} A 36 36 0 0 ${across > 0 ? 0 : 1} ${to}` });
    tips.forEach((tip, s) => {
      arrows[s].point(tip);
      // Beside its arrow, nearer its tip than the origin; on the side away from the other.
      const [x, y] = at(tip),
        side = (across > 0 === (s === 0) ? 14 : -14) / (Math.hypot(x, y) || 1);
      const anchor = y * side < 0 ? "start" : "end";
      setAttributes(names[s], { x: 0.75 * x - y * side, y: 0.75 * y + x * side + 5, "text-anchor": anchor });
    });
    bars.forEach((row, s) =>
      row.forEach(({ number, bar }, j) => {
        number.textContent = shares[s][j] < 0.005 ? "" : twoDecimals(shares[s][j]);
        bar.style.height = `${80 * shares[s][j]}px`;
      }),
    );
    hint.textContent = attention
      ? "Move the slider to 0: without attention, the word listens to itself alone."
      : "Here the word listens to itself alone. Move the slider to 1: attention sets in.";
    told.textContent = `angle ${degrees}, distance ${distance}`;
    const facts = ` are ${distance} apart, at an angle of ${degrees}.`;
    say([`With attention at ${twoDecimals(attention)}, the two contexts of `, ...quoted(word), facts], spoken);
  }

  const amount = slider("attention", { max: 1, step: 0.01, value: 1 }, paint);
  body.replaceChildren(
    element("div.attn-controls", amount.made, told),
    element("div.attn-side", drawn, element("div.attn-scroll", table)),
  );
  paint(1, false);
});
