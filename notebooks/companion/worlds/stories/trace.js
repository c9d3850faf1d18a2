// One token on its way through the model: its id, its vector, what attention and the rest of each block add, and the
// next token.
attentionLive.define("trace", (tools) => {
  const { data, body, hint, say, twoDecimals, element, token, quoted } = tools,
    { choice, largestFirst, weightsOf, oneOf, askers, readings } = tools;
  const { tokens, letters, heads } = data,
    count = tokens.length,
    state = { asks: data.asks, head: data.head, read: data.read };
  const weights = data.weights.map((text) => weightsOf(letters, text)),
    levels = weightsOf(letters, data.vectors),
    features = levels.length / count / data.stages.length,
    nameOf = (head) => `head ${head % heads} of block ${Math.floor(head / heads)}`;
  const plus = getComputedStyle(body).getPropertyValue("--weight");

  const barOf = () => {
    const [word, bar, number] = ["bdi", "i", "span"].map((name) => element(name)),
      made = element("div.attn-says", word, element("div.attn-track", bar), number);
    const show = ([name, share], turns) => {
      made.classList.toggle("attn-turn", Boolean(turns));
      word.textContent = name;
      bar.style.width = `calc(var(--full) * ${share})`;
      number.textContent = twoDecimals(share);
    };
    return { made, show };
  };
  const rows = data.stages.map((stage) => {
    const canvas = element("canvas", { width: features, height: 1, ariaHidden: "true" });
    return { name: element("span", stage), canvas, bar: barOf() };
  });
  const last = data.next[0].map(barOf);

  // A number above zero is blue, one below it violet, the deeper the larger; each row up to its own largest.
  function stripe(canvas, start) {
    const ink = canvas.getContext("2d");
    ink.clearRect(0, 0, features, 1);
    for (let place = 0; place < features; place++) {
      const level = 2 * levels[start + place] - 1;
      ink.globalAlpha = Math.abs(level);
      ink.fillStyle = level > 0 ? plus : data.minus;
      ink.fillRect(place, 0, 1, 1);
    }
  }

  const asking = askers("token", tokens, (asks) => paint({ asks })),
    reading = readings("is read", tokens, data.stages.length ? null : (read) => paint({ read })),
    title = element("b"),
    share = element("div.attn-says.attn-faint"),
    id = element("b");

  function paint(change, spoken = true) {
    Object.assign(state, change);
    state.read = Math.min(state.read, state.asks); // no later token can be looked at
    const { asks, head, read } = state,
      start = (asks * (asks + 1)) / 2, // each row has one more than that above it
      row = tokens.map((_, place) => (place > asks ? 0 : weights[head][start + place])),
      [best] = largestFirst(row);
    asking.mark(asks);
    reading.show(asks, row);
    title.textContent = nameOf(head);
    reading.mark?.(read);
    markHead(order.indexOf(head));
    cells.forEach((cell, place) => cell.style.setProperty("--share", weights[order[place]][start + read]));
    looks.replaceChildren(
      "The bluer a head, the more ",
      ...quoted(tokens[asks]),
      " looks at ",
      ...quoted(tokens[read]),
    );
    id.replaceChildren(token(tokens[asks]), ` has id ${data.ids[asks]}`);
    const [name, likely] = data.next[asks][0];
    share.replaceChildren(element("bdi", "says"), element("span", "share of ", ...quoted(name)));
    rows.forEach(({ canvas, bar }, stage) => {
      stripe(canvas, (asks * rows.length + stage) * features);
      const said = data.says[asks][stage];
      bar.show(said, said[0] === name && data.says[asks][stage - 1]?.[0] !== name);
    });
    last.forEach((bar, place) => bar.show(data.next[asks][place]));
    const reads = [
      `. In ${nameOf(head)} it reads most from `,
      ...quoted(tokens[best]),
      ` (${twoDecimals(row[best])}). `,
    ];
    const says = ["The model says ", ...quoted(name), ` next (${twoDecimals(likely)}).`];
    say([...quoted(tokens[asks]), ` has the id ${data.ids[asks]}`, ...reads, ...says], spoken);
  }

  const faint = (text) => element("span.attn-faint", text);
  const stages = rows.flatMap(({ name, canvas, bar }) => [name, canvas, bar.made]);
  // Many heads are cells of a map, blocks side by side, the bluer, the more they look at the chosen token.
  const blocks = weights.length / heads,
    order = stages.length ? [] : weights.map((_, place) => (place % blocks) * heads + Math.floor(place / blocks)),
    cells = order.map((head) => element("button", { type: "button", ariaLabel: nameOf(head) })),
    markHead = oneOf(cells, blocks, (place) => paint({ head: order[place] })),
    looks = element("p.attn-faint");
  const which = { block: Math.floor(state.head / heads), head: state.head % heads };
  const choose = (name, number) =>
    choice(name, [...Array(number).keys()].map(String), which[name], (place) => {
      which[name] = place;
      paint({ head: which.block * heads + which.head });
    });
  const way = element(
    "div.attn-way",
    ...(stages.length ? [id, faint(`its ${features} numbers, purple below 0`), share, ...stages] : []),
    element("b.attn-final", stages.length ? "next token" : "The whole model says next"),
    element("div.attn-final", ...last.map(({ made }) => made)),
  );
  const names = Array.from({ length: blocks }, (_, block) => faint(block % 5 ? "" : block ? `${block}` : "block 0")),
    cellsOf = (head) => cells.slice(head * blocks, (head + 1) * blocks),
    lines = Array.from({ length: heads }, (_, head) => [faint(`head ${head}`), ...cellsOf(head)]),
    map = element("div.attn-map", { style: `--blocks:${blocks}` }, faint(""), ...names, ...lines.flat());
  body.replaceChildren(
    ...(stages.length ? [element("div.attn-controls", choose("block", blocks), choose("head", heads))] : []),
    element("div.attn-opened", element("div", title, element("div.attn-reads", asking.made, ...reading.made)), way),
    ...(stages.length ? [] : [looks, map]),
  );
  hint.textContent = stages.length
    ? "Choose a token, or the head whose reading is shown; each stage has all heads, and is read as at the end."
    : "Press a head in the map, a token at the left, which asks, or at the right, which is read.";
  way.classList.toggle("attn-short", !stages.length);
  paint({}, false);
});
