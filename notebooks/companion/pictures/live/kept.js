// What a layer keeps of a text, five ways side by side. One area holds as many numbers in all of them.
attentionLive.define("kept", (tools) => {
  const { data, body, hint, say, element, svg, token, slider } = tools,
    { words, ways, written } = data,
    [heads, groups] = data.heads;
  const across = 112,
    row = 14,
    number = across / ways[0][1],
    gap = 1.2; // pixels: a whole token, and a number of it
  const side = Math.sqrt((ways[4][1] * number * row) / heads),
    columns = Math.ceil(Math.sqrt(heads)),
    strip = 7;
  const low = Math.ceil(heads / columns) * (side + strip + 6) + 24, // where the newest product begins
    height = Math.max(words.length * row, low + 0.85 * side) + 4;
  function box(role, x, y, wide, height, kind = "full", shade = 1) {
    const style = `--role:var(--${role});--ink-of:var(--${role}-ink);fill-opacity:${shade}`;
    return svg("rect", { x, y, width: Math.max(0, wide), height, class: `attn-${kind}`, style });
  }

  const each = (count, draw) => Array.from({ length: count }, (_, place) => draw(place)).flat();

  // A token's keys, then its values, one box for each head.
  const pair = (count, width, y) =>
    ["key", "value"].flatMap((role, half) =>
      each(count, (h) => box(role, ((half + h / count) * width) / 2, y + gap / 2, width / 2 / count - gap, row - gap)),
    );
  const tokens = (count, draw) => each(count, (t) => draw(t * row + 2, t));
  const frame = (width, count) => box("input", 0, (count - 1) * row + 2, width, row, "newest");

  // From the newest latent every head makes its key and its value when it needs them.
  function fan(wide, last) {
    const small = across / 2 / heads - gap,
      left = across - 2 * (small + gap) - 2,
      middle = last + row / 2;
    const top = Math.max(0, Math.min(height - heads * row - 2, middle - (heads * row) / 2));
    const made = (role, x, h) => box(role, x, top + h * row + 1, small, row - 2, "made");
    const line = (y2) => svg("line", { x1: wide, y1: middle, x2: left - 1, y2, class: "attn-fan" });
    const pairOf = (h) => [made("key", left, h), made("value", left + small + gap + 2, h)];
    return each(heads, (h) => [line(top + h * row + 1 + row / 2), ...pairOf(h)]);
  }

  // Each head's square of keys times values: a key, a column, times a value, a row, is added to all of it. Darker is
  // larger, and gray, for a mixture would look like another role's color.
  const dim = written[0][0].length / 2;
  const product = (pair, i) => pair[Math.floor(i / dim)] * pair[dim + (i % dim)];
  const states = (n, h) => each(dim ** 2, (i) => written.slice(0, n).reduce((sum, all) => sum + product(all[h], i), 0));
  const largest = Math.max(...each(heads, (h) => states(words.length, h))) || 1;
  const cellAt = (i, x, y, size) => [x + (i % dim) * size, y + Math.floor(i / dim) * size, size, size];
  const stamped = (n) =>
    each(heads, (h) => {
      const x = (h % columns) * (side + strip + 5) + strip + 2,
        y = Math.floor(h / columns) * (side + strip + 6) + strip + 3;
      const cell = side / dim,
        pair = written[n - 1][h];
      return [
        ...states(n, h).map((sum, i) => box("ink", ...cellAt(i, x, y, cell), "full", Math.sqrt(sum / largest))),
        ...each(dim, (i) => box("key", x - strip - 1, y + i * cell, strip, cell, "full", pair[i] / 3)),
        ...each(dim, (j) => box("value", x + j * cell, y - strip - 1, cell, strip, "full", pair[dim + j] / 3)),
        box("key", x - strip - 1, y, strip, side, "newest attn-thin"),
        box("value", x, y - strip - 1, side, strip, "newest attn-thin"),
      ];
    });

  // Below them what the newest token adds to the first: a key, a column, times a value, a row, is a square.
  const sign = (x, y, text) => svg("text", { x, y }, text);
  function adds(n) {
    const [pair, size, middle] = [written[n - 1][0], 0.85 * side, low + 0.425 * side],
      cell = size / dim,
      [row, square] = [24, 40 + size];
    return [
      sign(0, low - 6, "added now"),
      ...each(dim, (i) => box("key", 2, low + i * cell, strip, cell, "full", pair[i] / 3)),
      ...each(dim, (j) => box("value", row + j * cell, middle - strip / 2, cell, strip, "full", pair[dim + j] / 3)),
      ...each(dim ** 2, (i) => box("ink", ...cellAt(i, square, low, cell), "full", product(pair, i) / 9)),
      box("key", 2, low, strip, size, "newest"),
      box("value", row, middle - strip / 2, size, strip, "newest"),
      box("ink", square, low, size, size, "newest"),
      sign(12, middle + 4, "×"),
      sign(28 + size, middle + 4, "="),
    ];
  }

  const wide = ways.map(([, numbers]) => numbers * number),
    lately = ways[3][2];
  const drawn = [
    (n) => [...tokens(n, (y) => pair(heads, across, y)), frame(across, n)],
    (n) => [...tokens(n, (y) => pair(groups, wide[1], y)), frame(wide[1], n)],
    (n) => [
      ...tokens(n, (y) => box("input", 0, y + gap / 2, wide[2], row - gap)),
      frame(wide[2], n),
      ...fan(wide[2] + 1, (n - 1) * row + 2),
    ],
    (n) => [
      ...tokens(n, (y, t) => (t < n - lately ? [] : pair(heads, across, y))),
      ...(n > lately ? [box("input", 1, 3, across - 3, (n - lately) * row - 2, "made")] : []),
      frame(across, n),
    ],
    (n) => [...stamped(n), ...adds(n)],
  ];
  const panels = ways.map(([name]) => {
    const sheet = svg("svg", { viewBox: `-2 0 ${across + 4} ${height}`, "aria-hidden": "true" }),
      count = element("b");
    const more = element("div"),
      made = element("figure", element("figcaption", name), element("div", count, " numbers"), more, sheet);
    return { sheet, count, more, made };
  });
  const text = words.map((word, t) => element("span", { onclick: () => amount.go(t + 1) }, token(word)));
  const sample = (role, kind) => [box(role, 1, 1, 17, 11, kind)];
  const marks = {
    keys: sample("key"),
    values: sample("value"),
    "a latent": sample("input"),
    "keys times values, added up": each(3, (k) => box("ink", 1 + (17 * k) / 3, 1, 17 / 3, 11, "full", (k + 1) / 4)),
    "not kept": sample("input", "made"),
    "the newest token": sample("input", "newest"),
  };
  const legend = Object.entries(marks).map(([name, boxes]) =>
    element("span", svg("svg", { width: 20, height: 14 }, ...boxes), name),
  );

  function paint(count, spoken) {
    text.forEach((word, t) => {
      word.className = t < count - 1 ? "" : t < count ? "attn-now" : "attn-later";
    });
    const sizes = ways.map(([, each, most]) => each * Math.min(count, most));
    panels.forEach((panel, way) => {
      panel.sheet.replaceChildren(...drawn[way](count));
      panel.count.textContent = sizes[way].toLocaleString("en");
      const [, each, most] = ways[way],
        grows = way < 3 || (way === 3 && count < most);
      panel.more.textContent = `+ ${grows ? each : 0} a token`;
      panel.more.className = grows ? "" : "attn-still";
    });
    const shares = ways.slice(1).map(([name], way) => `${Math.round((100 * sizes[way + 1]) / sizes[0])}% ${name}`);
    say([`After ${count} token${count > 1 ? "s" : ""}, of all keys and values: ${shares.join(", ")}.`], spoken);
  }

  const amount = slider("tokens", { min: 1, max: words.length, value: data.start }, paint, String);
  body.replaceChildren(
    element("div.attn-controls", amount.made),
    element("p.attn-text", ...text),
    element("div.attn-ways", ...panels.map((each) => each.made)),
    element("div.attn-legend", ...legend),
  );
  hint.textContent =
    "Move the slider, or press a word: the text grows. Equal areas are equal counts of numbers. Each key times its value (made-up numbers here) is added to all cells of a state.";
  paint(data.start, false);
});
