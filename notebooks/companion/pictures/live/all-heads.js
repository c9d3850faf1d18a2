// All heads of a model as small maps; one opens, and one of its tokens is followed.
attentionLive.define("all-heads", (tools) => {
  const { data, body, hint, say, twoDecimals, element } = tools,
    { quoted, largestFirst, weightsOf, oneOf, askers, readings } = tools;
  const { tokens, shape, letters } = data,
    [blocks, heads] = shape,
    count = tokens.length,
    state = { head: data.block * heads + data.head, asks: data.asks };
  const numbers = weightsOf(letters, data.weights),
    rowOf = (head, query) => numbers.slice((head * count + query) * count, (head * count + query + 1) * count);
  const nameOf = (head) => `head ${head % heads} of block ${Math.floor(head / heads)}`;

  const maps = Array.from({ length: blocks * heads }, (_, head) => {
    const canvas = element("canvas", { width: count, height: count }),
      ink = canvas.getContext("2d");
    ink.fillStyle = getComputedStyle(body).getPropertyValue("--weight");
    for (let place = 0; place < count * count; place++) {
      ink.globalAlpha = numbers[head * count * count + place];
      ink.fillRect(place % count, Math.floor(place / count), 1, 1);
    }
    return element("button.attn-map", { type: "button", ariaLabel: nameOf(head) }, canvas);
  });
  const markMap = oneOf(maps, heads, (head) => paint({ head }));
  const rows = Array.from({ length: blocks }, (_, block) => [
    element("span", `block ${block}`),
    ...maps.slice(block * heads, (block + 1) * heads),
  ]);
  const top = Array.from({ length: heads }, (_, head) => element("span", `${head}`));
  const large = element("canvas", { width: count, height: count }),
    asked = element("i", { style: `height: calc(100% / ${count})` });
  large.onclick = (event) =>
    paint({ asks: Math.min(count - 1, Math.floor((count * event.offsetY) / large.clientHeight)) });
  const legend =
    "The open head, larger: a row for each token that asks, the chosen one framed, a column for each that is read.";
  const larger = element("div", element("span", large, asked), element("p", legend));
  const cells = [element("span", "head"), ...top, ...rows.flat(), larger];
  const grid = element("div.attn-heads", { style: `--heads:${heads}` }, ...cells);

  const asking = askers("asks", tokens, (asks) => paint({ asks })),
    reading = readings("is read", tokens),
    title = element("b");

  function paint(change, spoken = true) {
    Object.assign(state, change);
    const weights = rowOf(state.head, state.asks),
      [best] = largestFirst(weights);
    markMap(state.head);
    asking.mark(state.asks);
    reading.show(state.asks, weights);
    title.textContent = nameOf(state.head);
    const ink = large.getContext("2d");
    ink.clearRect(0, 0, count, count);
    ink.drawImage(maps[state.head].firstChild, 0, 0);
    asked.style.top = `calc(${state.asks} * 100% / ${count})`;
    const [asks, most] = [state.asks, best].map((place) => quoted(tokens[place]));
    const share = ` (${twoDecimals(weights[best])}).`;
    say([`In ${nameOf(state.head)}, `, ...asks, " reads most from ", ...most, share], spoken);
  }

  const open = element("div", title, element("div.attn-reads", asking.made, ...reading.made));
  body.replaceChildren(element("div.attn-opened", grid, open));
  hint.textContent = "Choose a map, and a word that asks. The arrow keys work, too.";
  paint({}, false);
});
