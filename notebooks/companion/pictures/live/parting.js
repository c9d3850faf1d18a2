// One word in two sentences: without attention, its two contexts are one arrow, its own value; with it, they part.
// Two arrows always lie in one plane, and each moment is drawn in its own: lengths, angle and distance are true.
attentionLive.define("parting", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, token, slider } = tools,
    { own, contexts, weights, sentences, place } = data;
  const length = (vector) => Math.hypot(...vector),
    word = sentences[0][place];
  const cut = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);
  // A long sentence is called by the words that the other has not.
  const differing = (words, s) => words.filter((each, j) => each !== sentences[1 - s][j]).join(" ");
  const called = (words, s) => (words.join(" ").length > 22 ? differing(words, s) || words.join(" ") : words.join(" "));
  const blend = (one, other, share) => one.map((each, d) => (1 - share) * each + share * other[d]);

  // The two arrows at a moment: how long they are, how far apart, and half the angle between them, exact near 0, too.
  function moment(attention) {
    const pair = contexts.map((context) => blend(own, context, attention)),
      lengths = pair.map(length);
    const [one, other] = pair.map((arrow, s) => arrow.map((each) => each / (lengths[s] || 1)));
    const half = Math.atan2(
      length(one.map((each, d) => each - other[d])),
      length(one.map((each, d) => each + other[d])),
    );
    return { lengths, half, apart: length(pair[0].map((each, d) => each - pair[1][d])) };
  }

  // ---- the arrows: from the left, one above the middle and the other below it ----

  const moments = Array.from({ length: 21 }, (_, step) => moment(step / 20));
  const longest = Math.max(...moments.flatMap((each) => each.lengths)) || 1;
  const highest = Math.max(...moments.flatMap(({ lengths, half }) => lengths.map((each) => each * Math.sin(half))));
  const farthest = Math.max(...moments.flatMap(({ lengths, half }) => lengths.map((each) => each * Math.cos(half))));
  // As wide as arrows and names need: the weights stand beside them.
  const height = 300,
    margin = 1.2,
    reach = Math.max(longest / 2.4, highest);
  const room = 24 + 11 * Math.max(...sentences.map((words, s) => cut(called(words, s)).length + 3));
  const width = Math.min(440, 30 + (farthest * height) / 2 / reach / margin + room),
    left = 30 - width / 2;
  const plane = attentionLive.plane(tools, { width, height, reach, margin });
  const arrows = contexts.map((_, s) => plane.arrow("context", s ? 3 : 5, "", 0));
  const names = sentences.map((words, s) =>
    drawing("text", { fill: "var(--context-ink)" }, `${s + 1}: ${cut(called(words, s))}`),
  );
  const angle = drawing("path", { class: "attn-line" }),
    apart = drawing("line", { class: "attn-line" });
  const drawn = plane.sheet(
    [drawing("g", { transform: `translate(${left} 0)` }, angle, apart, ...arrows.map((each) => each.made), ...names)],
    [],
  );

  // ---- whose values are in them ----

  const bars = sentences.map((words) =>
    words.map((word) => {
      const number = element("span"),
        bar = element("div", { className: "attn-part" });
      return {
        number,
        bar,
        made: element(
          "td",
          {},
          element("div", { className: "attn-bar" }, number, bar),
          element("div", { style: "color:var(--key-ink)" }, token(word)),
        ),
      };
    }),
  );
  const sizes = sentences.map(() => element("td", { className: "attn-size" }));
  const table = element(
    "table",
    {},
    element("caption", {}, "weights of “", token(word), "”"),
    element(
      "tbody",
      {},
      ...sentences.map((_, s) =>
        element("tr", {}, element("th", { scope: "row" }, `${s + 1}`), ...bars[s].map((each) => each.made), sizes[s]),
      ),
    ),
  );

  const told = element("span");
  function paint(attention, spoken) {
    const { lengths, half, apart: distance } = moment(attention),
      shares = weights.map((row) => row.map((weight, j) => (1 - attention) * (j === place) + attention * weight));
    const tips = lengths.map((each, s) => [each * Math.cos(half), each * Math.sin(half) * (s ? -1 : 1)]);
    tips.forEach((tip, s) => {
      // Far to the right, a name ends at the edge.
      const [x, y] = plane.at(tip),
        late = x + 30 + room > width + 1;
      arrows[s].point(tip);
      plane.set(names[s], {
        x: late ? width / 2 - left - 6 : x + 12,
        y: y + (s ? 22 : -12),
        "text-anchor": late ? "end" : "start",
      });
    });
    const [[x1, y1], [x2, y2]] = tips.map(plane.at),
      arc = 46,
      [x, y] = [arc * Math.cos(half), arc * Math.sin(half)];
    plane.set(apart, { x1, y1, x2, y2 });
    plane.set(angle, { d: `M ${x} ${-y} A ${arc} ${arc} 0 0 1 ${x} ${y}` });
    bars.forEach((row, s) =>
      row.forEach(({ number, bar }, j) => {
        number.textContent = fixed(shares[s][j]);
        bar.style.height = `${80 * shares[s][j]}px`;
      }),
    );
    sizes.forEach((size, s) => {
      size.textContent = `length ${fixed(lengths[s])}`;
    });
    const degrees = `${((2 * half * 180) / Math.PI).toFixed(1)}°`;
    hint.textContent = attention
      ? "Move the slider to 0: without attention, the word listens to itself alone."
      : "Here the word listens to itself alone. Move the slider to 1: attention sets in.";
    told.textContent = `angle ${degrees}, distance ${fixed(distance)}`;
    say(
      [
        `With attention at ${fixed(attention)}, the two contexts of “`,
        token(word),
        `” are ${fixed(distance)} apart, at an angle of ${degrees}.`,
      ],
      spoken,
    );
  }

  const amount = slider("attention", { min: 0, max: 1, step: 0.01, value: 1 }, (attention) => paint(attention, false));
  amount.range.onchange = () => paint(Number(amount.range.value), true);
  body.replaceChildren(
    element(
      "div",
      { className: "attn-controls" },
      element("label", {}, "attention", amount.range, amount.number),
      told,
    ),
    element("div", { className: "attn-side" }, drawn, element("div", { className: "attn-scroll" }, table)),
  );
  drawn.style.width = `${width}px`;
  paint(1, false);
});
