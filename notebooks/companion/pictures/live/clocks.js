// Pairs of features as hands of clocks, at 12 o'clock for the angle 0, each clock with its own speed. One hand is a
// position's encoding, or the turn of a jump; two are a query and a key, whose angle alone makes the score, wherever the
// two stand.
attentionLive.define("clocks", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes, slider, draggable } = tools;
  const { hands, most } = data,
    speeds = data.slowness.map((positions) => 1 / positions),
    roles = Object.keys(hands),
    two = roles.length > 1,
    jumps = "trained" in data;
  const state = { position: data.position, distance: data.distance },
    full = 2 * Math.PI;
  const longest = Math.max(...Object.values(hands).flatMap((each) => each.map(([length]) => length))) || 1;
  const at = (angle, r) => [r * Math.sin(angle), -r * Math.cos(angle)];
  const slice = (from, turn, r) =>
    `M 0 0 L ${at(from, r)} A ${r} ${r} 0 ${+(Math.abs(turn) > Math.PI)} ${+(turn > 0)} ${at(from + turn, r)} Z`;

  // ---- where the hands stand ----

  const places = () => [state.position + Math.max(0, -state.distance), state.position + Math.max(0, state.distance)];
  const angles = (pair) => roles.map((role, h) => hands[role][pair][1] + speeds[pair] * places()[h]);
  function part(pair, distance = state.distance) {
    const [[length, one], [other, ahead]] = [hands.query[pair], hands.key[pair]];
    return length * other * Math.cos(ahead - one + speeds[pair] * distance);
  }
  const score = (distance = state.distance) => speeds.reduce((sum, _, pair) => sum + part(pair, distance), 0);

  // Where the angles that were met in training end, and the turn from there to this one, the shorter way.
  function unmet(angle, met) {
    angle %= full;
    if (angle <= met) return [angle, 0];
    return angle - met < full - angle ? [met, angle - met] : [0, angle - full];
  }
  const degrees = (angle) => `${Math.round(((angle % full) * 180) / Math.PI)}°`;

  // ---- the clocks ----

  const pairs = speeds.length,
    size = pairs > 4 ? 76 : two ? (pairs > 1 ? 116 : 290) : 150,
    wide = pairs === 1, // one clock has room for whole names, beyond its rim
    lean = wide ? 0.12 : 0.2;
  const dials = speeds.map((_, pair) => {
    const sector = svg("path.attn-sector"),
      whole = Math.min(speeds[pair] * data.trained, full - 1e-4),
      met = svg("path.attn-met", jumps ? { d: slice(0, whole, 50) } : {});
    const arms = roles.map((role) => {
      const [ink, color] = [`var(--${role}-ink)`, `var(--${role}${two ? "" : "-ink"})`];
      const text = two ? role.slice(0, wide ? 9 : 1) : "";
      return {
        shaft: svg("line", { stroke: color, "stroke-width": role === "key" ? 2.2 : 3.4 }),
        head: svg("path", { fill: color, d: "M 0 0 l -4 9 h 8 z" }),
        name: svg("text", { fill: ink, "font-size": wide ? 8 : 1400 / size }, text),
      };
    });
    const ticks = Array.from({ length: 12 }, (_, hour) =>
      svg("path.attn-tick", { d: `M 0 -56 v ${hour % 3 ? 3 : 6}`, transform: `rotate(${30 * hour})` }),
    );
    // Beside the first dial, what sine and cosine measure: how far the hand reaches to the right, and up.
    const [sine, cosine] = ["sin", "cos"].map((name) => svg("text.attn-leg", name)),
      reach = svg("path.attn-reach"),
      legs = two || jumps || pair ? [] : [sine, cosine, reach];
    const lines = [1, 2].map(() => element("div.attn-told"));
    const rim = svg("circle.attn-rim", { r: 58 });
    const parts = [rim, ...ticks, ...legs, met, sector, ...arms.flatMap((arm) => Object.values(arm))];
    const axle = svg("circle", { r: 3, fill: "var(--ink)" });
    const viewBox = wide ? "-86 -74 172 148" : "-60 -60 120 120";
    const drawn = svg("svg", { viewBox, "aria-hidden": "true" }, ...parts, axle);
    const slow = element("div");
    const made = element("div", { style: `width:${size}px` }, drawn, slow, ...lines);
    return { drawn, sector, arms, sine, cosine, reach, lines, slow, made };
  });

  // ---- the score at every distance ----

  const [across, high] = [400, 170],
    apart = Array.from({ length: 8 * most + 1 }, (_, step) => step / 4 - most);
  const every = two ? apart.map(score) : [];
  const [least, top] = [Math.min(0, ...every), Math.max(0, ...every)];
  const spot = (distance, number) => [
    20 + (distance / most) * (across / 2 - 24),
    high / 2 - 12 - ((number - least) / (top - least || 1)) * (high - 24),
  ];
  const points = every.map((number, step) => spot(apart[step], number)),
    whole = points.filter((_, step) => step % 4 === 0),
    stem = svg("line.attn-stem"),
    now = svg("circle.attn-now", { r: 7 });
  const writing = (text, x, y, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);
  const levels = [least, 0, top].filter((number) => !number || Math.abs(number) > (top - least) / 9);
  const chart = svg(
    "svg.attn-curve",
    { viewBox: `${-across / 2} ${-high / 2 - 22} ${across} ${high + 44}`, "aria-hidden": "true" },
    ...levels.flatMap((number) => [
      svg("path", { class: number ? "attn-level" : "attn-axis", d: `M ${spot(-most, number)} H ${across / 2}` }),
      writing(twoDecimals(number), spot(-most, 0)[0] - 6, spot(0, number)[1] + 4, "end"),
    ]),
    svg("path.attn-axis", { d: `M ${spot(0, least)} V ${spot(0, top)[1]}` }),
    svg("path.attn-wave", { d: `M ${points.join(" L ")}` }),
    stem,
    writing("score", spot(-most, 0)[0] - 6, -high / 2 - 8, "middle"),
    svg("g", ...whole.map(([cx, cy]) => svg("circle.attn-dot", { cx, cy, r: 2.6 }))),
    now,
    ...[-most, 0, most].map((distance) => {
      const text = distance ? `key ${distance > 0 ? "later" : "earlier"} by ${Math.abs(distance)}` : "distance 0";
      return writing(text, spot(distance, 0)[0], high / 2 + 16, ["start", "middle", "end"][1 + Math.sign(distance)]);
    }),
  );

  // ---- all together ----

  const told = element("strong", { className: two ? "attn-score" : "" });
  function paint(spoken) {
    const total = two && twoDecimals(score()),
      [asks, offers] = places(),
      rounds = [speeds[0], speeds.at(-1)].map((speed) => twoDecimals((speed * state.position) / full));
    dials.forEach(({ sector, arms, sine, cosine, reach, lines, slow }, pair) => {
      const [one, other] = angles(pair),
        met = speeds[pair] * data.trained,
        turn = two ? Math.atan2(Math.sin(other - one), Math.cos(other - one)) : 0,
        [right, up] = at(one, 50);
      if (jumps) setAttributes(sector, { d: slice(...unmet(one, met), 50) });
      // The triangle of a position's hand has its cosine and its sine for sides.
      else setAttributes(sector, { d: two ? slice(one, turn, 20) : `M 0 0 V ${up} H ${right} Z` });
      slow.textContent = `${two || !pair ? "a round " : ""}in ${Math.round(full / speeds[pair]).toLocaleString("en")}`;
      setAttributes(sine, { x: right / 2, y: -75 });
      setAttributes(cosine, { x: -80, y: up / 2 });
      setAttributes(reach, { d: `M 0 -65 H ${right} M -65 0 V ${up}` });
      arms.forEach(({ shaft, head, name }, h) => {
        const angle = angles(pair)[h],
          length = ((two ? 44 : 50) * hands[roles[h]][pair][0]) / longest;
        const [[x2, y2], [x, y]] = [length - 7, length].map((r) => at(angle, Math.max(0, r)));
        // A name leans away from the other hand.
        const [cx, cy] = at(angle + ((h === 0) === turn < 0 ? lean : -lean), wide ? 66 : length + 7);
        setAttributes(shaft, { x2, y2 });
        setAttributes(head, { transform: `translate(${x} ${y}) rotate(${(angle * 180) / Math.PI})` });
        setAttributes(name, { x: cx, y: cy });
      });
      const texts = two
        ? [`angle ${Math.abs((turn * 180) / Math.PI).toFixed(1)}°`, pairs > 1 ? `adds ${twoDecimals(part(pair))}` : ""]
        : jumps
          ? [degrees(one), `trained ${met > full ? "all around" : `to ${degrees(met)}`}`]
          : [`sin ${twoDecimals(Math.sin(one))}`, `cos ${twoDecimals(Math.cos(one))}`];
      lines.forEach((line, l) => {
        line.textContent = texts[l];
        if (!two && !jumps) line.style.setProperty("--shade", `${50 + 50 * [Math.sin, Math.cos][l](one)}%`);
      });
    });
    if (two) {
      const [cx, cy] = spot(state.distance, score());
      setAttributes(now, { cx, cy });
      setAttributes(stem, { x1: cx, x2: cx, y1: spot(0, 0)[1], y2: cy });
    }
    told.textContent = jumps
      ? ""
      : two
        ? `query at ${asks}, key at ${offers}: score ${total}`
        : `adds these ${2 * pairs} numbers to the word:`;
    const both = `Query at position ${asks}, key at position ${offers}: the score is ${total}.`;
    const alone = `At position ${asks}, the fastest hand has made ${rounds[0]} rounds, and the slowest ${rounds[1]}.`;
    const turned = speeds.map((_, pair) => degrees(angles(pair)[0])).join(", ");
    const jumped = `After a jump of ${asks}, the hands stand at ${turned}.`;
    say([two ? both : jumps ? jumped : alone], spoken);
  }

  function control(name, part, min) {
    const change = (value, spoken) => {
      state[part] = value;
      paint(spoken);
    };
    const range = { min, max: most, value: state[part] };
    return slider(name, range, change, (value) => `${value}`.replace("-", "−"));
  }
  const sliders = [control(two ? "move both" : jumps ? "jump" : "position", "position", 0)];
  if (two) sliders.push(control("distance", "distance", -most));
  // A hand and the point on the curve are dragged to the nearest whole number.
  function drag(part, goal) {
    const value = Math.max(part === "distance" ? -most : 0, Math.min(most, Math.round(goal)));
    if (value !== state[part]) sliders[+(part === "distance")].move(value);
  }
  dials.forEach(({ drawn }, pair) => {
    let held;
    const gaps = ({ clientX, clientY }) => {
      const { left, top, width, height } = drawn.getBoundingClientRect(),
        angle = Math.atan2(clientX - left - width / 2, top + height / 2 - clientY);
      return angles(pair).map((each) => Math.atan2(Math.sin(angle - each), Math.cos(angle - each)));
    };
    draggable(drawn, (event) => drag("position", state.position + gaps(event)[held] / speeds[pair]));
    drawn.addEventListener("pointerdown", (event) => {
      const [one, other] = gaps(event).map(Math.abs);
      held = +(other < one);
    });
  });
  draggable(chart, ({ clientX }) => {
    const { left, width } = chart.getBoundingClientRect();
    drag("distance", (most * (((clientX - left) / width - 0.5) * across - 20)) / (across / 2 - 24));
  });
  const controls = element("div.attn-controls", ...sliders.map((each) => each.made), told);
  const style = `max-width:${(size + 6) * (two ? 4 : 8)}px`,
    faces = dials.map((each) => each.made);
  const shown = [element(`div.attn-dials${two ? "" : jumps ? ".attn-jumps" : ".attn-row"}`, { style }, ...faces)];
  if (two) shown.push(chart);
  body.replaceChildren(controls, element("div.attn-side", ...shown));
  hint.textContent = two
    ? "Move both on, or drag a hand: the angle and the score stand still. Then change the distance."
    : jumps
      ? "Pale: the angles met in training. Dark: how far the jump turns a hand out of them. Move the jump."
      : "Move the position on, or drag a hand: those at the left come round after few positions, at the right after many.";
  paint(false);
});
