// Pairs of features as hands of clocks, at 12 o'clock for the angle 0, each clock with its own speed. One hand is a
// position's encoding; two are a query and a key, whose angle alone makes the score, wherever the two stand.
attentionLive.define("clocks", ({ data, body, hint, say, fixed, element, drawing, slider }) => {
  const { hands, most, met } = data,
    speeds = data.slowness.map((each) => 1 / each),
    roles = Object.keys(hands),
    two = roles.length > 1;
  const state = { position: data.position, distance: data.distance },
    full = 2 * Math.PI;
  const longest =
    Math.max(
      ...Object.values(hands)
        .flat()
        .map(([length]) => length),
    ) || 1;
  const at = (angle, r) => [r * Math.sin(angle), -r * Math.cos(angle)];
  const slice = (from, turn, r) =>
    Math.abs(turn) >= full
      ? `M 0 ${-r} A ${r} ${r} 0 1 1 -0.01 ${-r} Z`
      : `M 0 0 L ${at(from, r)} A ${r} ${r} 0 ${Math.abs(turn) > Math.PI ? 1 : 0} ${turn > 0 ? 1 : 0} ${at(from + turn, r)} Z`;
  const put = (made, attributes) => {
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  };

  // ---- where the hands stand ----

  const places = () => [state.position + Math.max(0, -state.distance), state.position + Math.max(0, state.distance)];
  const angles = (pair, at = places()) => roles.map((role, h) => hands[role][pair][1] + speeds[pair] * at[h]);
  function part(pair, at) {
    const [one, other] = angles(pair, at);
    return hands.query[pair][0] * hands.key[pair][0] * Math.cos(other - one);
  }
  const score = (at) => speeds.reduce((sum, _, pair) => sum + part(pair, at), 0);

  // ---- the clocks ----

  const size = speeds.length > 4 ? 76 : speeds.length > 1 ? 136 : 240;
  const dials = speeds.map((speed) => {
    const seen = drawing("path", { class: "attn-gone" }),
      sector = drawing("path", { class: two ? "attn-sector" : "attn-sector attn-gone" });
    const arms = roles.map((role) => ({
      shaft: drawing("line", {
        stroke: `var(--${role}${two ? "" : "-ink"})`,
        "stroke-width": role === "key" ? 2.2 : 3.4,
      }),
      head: drawing("path", { fill: `var(--${role}${two ? "" : "-ink"})`, d: "M 0 0 l -4 9 h 8 z" }),
      name: drawing(
        "text",
        { fill: `var(--${role}-ink)`, "font-size": 1400 / size },
        two ? role.slice(0, size > 200 ? 9 : 1) : "",
      ),
    }));
    const ticks = Array.from({ length: 12 }, (_, hour) =>
      drawing("path", { class: "attn-tick", d: `M 0 -56 v ${hour % 3 ? 3 : 6}`, transform: `rotate(${30 * hour})` }),
    );
    const lines = [1, 2].map(() => element("div", { className: "attn-told" }));
    const drawn = drawing(
      "svg",
      { viewBox: "-60 -60 120 120", "aria-hidden": "true" },
      drawing("circle", { class: "attn-rim", r: 58 }),
      ...ticks,
      seen,
      sector,
      ...arms.flatMap(({ shaft, head, name }) => [shaft, head, name]),
      drawing("circle", { r: 3, fill: "var(--ink)" }),
    );
    const slow = element(
      "div",
      {},
      "a round in ",
      element("span", { textContent: Math.round(full / speed).toLocaleString("en") }),
    );
    return { seen, sector, arms, lines, made: element("div", { style: `width:${size}px` }, drawn, slow, ...lines) };
  });

  // ---- the score at every distance ----

  const [wide, high] = [380, 170],
    apart = Array.from({ length: 8 * most + 1 }, (_, step) => step / 4 - most);
  const scores = apart.map((distance) => two && score([0, distance]));
  const least = Math.min(0, ...scores),
    reach = Math.max(0, ...scores) - least || 1;
  const spot = (distance, number) => [
    (distance / most) * (wide / 2 - 14),
    high / 2 - 14 - ((number - least) / reach) * (high - 28),
  ];
  const curve = apart.map((distance, step) => spot(distance, scores[step])),
    dots = curve.filter((_, step) => step % 4 === 0 && most < 33);
  const now = drawing("circle", { class: "attn-now", r: 7 }),
    stem = drawing("line", { class: "attn-stem" });
  const chart =
    two &&
    drawing(
      "svg",
      { class: "attn-curve", viewBox: `${-wide / 2} ${-high / 2} ${wide} ${high + 22}`, "aria-hidden": "true" },
      drawing("path", {
        class: "attn-axis",
        d: `M ${-wide / 2} ${spot(0, 0)[1]} h ${wide} M 0 ${-high / 2} v ${high}`,
      }),
      drawing("path", { class: "attn-wave", d: `M ${curve.join(" L ")}` }),
      stem,
      drawing("text", { x: -6, y: 10 - high / 2, "text-anchor": "end" }, "score"),
      ...dots.map(([cx, cy]) => drawing("circle", { class: "attn-dot", cx, cy, r: 2.6 })),
      now,
      ...[-most, 0, most].map((distance) =>
        drawing(
          "text",
          {
            x: spot(distance, 0)[0],
            y: high / 2 + 14,
            "text-anchor": distance ? (distance > 0 ? "end" : "start") : "middle",
          },
          distance ? `${distance > 0 ? "key later" : "key earlier"} by ${Math.abs(distance)}` : "distance 0",
        ),
      ),
    );

  // ---- all together ----

  const told = element("strong");
  function paint(spoken) {
    const total = two && fixed(score()),
      [asks, offers] = places(),
      rounds = [speeds[0], speeds.at(-1)].map((speed) => fixed((speed * state.position) / full));
    dials.forEach(({ seen, sector, arms, lines }, pair) => {
      const [one, other] = angles(pair),
        from = two ? one : 0;
      const turn = two ? Math.atan2(Math.sin(other - one), Math.cos(other - one)) : one % full,
        r = two ? 20 : 50;
      put(sector, { d: slice(from, turn, r) });
      if (met?.length) put(seen, { d: slice(other - speeds[pair] * state.distance, -met[pair], 54) });
      arms.forEach(({ shaft, head, name }, h) => {
        const angle = angles(pair)[h],
          length = ((two ? 44 : 50) * hands[roles[h]][pair][0]) / longest;
        const [[x2, y2], [x, y]] = [length - 7, length].map((r) => at(angle, Math.max(0, r)));
        // A name leans away from the other hand.
        const [cx, cy] = at(angle + ((h === 0) === turn < 0 ? 0.2 : -0.2), length + (size > 200 ? 10 : 7));
        put(shaft, { x2, y2 });
        put(head, { transform: `translate(${x} ${y}) rotate(${(angle * 180) / Math.PI})` });
        put(name, { x: cx, y: cy });
      });
      const texts = two
        ? [
            `angle ${Math.abs((turn * 180) / Math.PI).toFixed(1)}°`,
            speeds.length > 1 ? `adds ${fixed(part(pair))}` : "",
          ]
        : [`sin ${fixed(Math.sin(one))}`, `cos ${fixed(Math.cos(one))}`];
      lines.forEach((line, l) => {
        line.textContent = texts[l];
      });
    });
    const [cx, cy] = two ? spot(state.distance, score()) : [0, 0];
    put(now, { cx, cy });
    put(stem, { x1: cx, x2: cx, y1: spot(0, 0)[1], y2: cy });
    told.textContent = two ? `query at ${asks}, key at ${offers}: score ${total}` : "";
    say(
      [
        two
          ? `Query at position ${asks}, key at position ${offers}: the score is ${total}.`
          : `At position ${asks}, the fastest hand has made ${rounds[0]} rounds, and the slowest ${rounds[1]}.`,
      ],
      spoken,
    );
  }

  function control(name, part, min) {
    const made = slider(
      name,
      { min, max: most, step: 1, value: state[part] },
      (value) => {
        state[part] = value;
        paint(false);
      },
      (value) => `${value}`.replace("-", "−"),
    );
    made.range.onchange = () => paint(true);
    return element("label", {}, name, made.range, made.number);
  }
  const sliders = two
    ? [control("move both", "position", 0), control("distance", "distance", -most)]
    : [control("position", "position", 0)];
  body.replaceChildren(
    element(
      "div",
      { className: "attn-controls" },
      ...sliders,
      told,
      met?.length
        ? element("span", {}, element("i", { className: "attn-gone" }), "\u00a0where keys stood in training")
        : "",
    ),
    element(
      "div",
      { className: "attn-side" },
      element(
        "div",
        { className: "attn-dials", style: `max-width:${size < 80 ? 8 * 82 : 2 * size + 6}px` },
        ...dials.map((each) => each.made),
      ),
      ...(two ? [chart] : []),
    ),
  );
  hint.textContent = two
    ? "Move both on: the angle and the score stand still. Then change the distance."
    : "Move the position on: the hands at the left are fast, those at the right slow.";
  paint(false);
});
