// Two heads, one after the other: what a token reads, above the row, and what that one had read before, below it.
// After the token that asks stands what the model says, and an arrow leads there from where it was read.
attentionLive.define("two-heads", (tools) => {
  const { data, body, hint, say, twoDecimals, element, token, quoted, largestFirst, weightsOf, oneOf, arcs, bend } =
    tools;
  const { tokens, letters, answers } = data,
    count = tokens.length;
  const heads = data.weights.map((text) => weightsOf(letters, text)),
    rowOf = (head, query) => heads[head].slice(query * count, (query + 1) * count);
  const buttons = tokens.map((each) => element("button", { type: "button" }, token(each))),
    mark = oneOf(buttons, count, paint),
    line = element("div.attn-line", ...buttons),
    [later, earlier, copied] = [arcs(), arcs(), arcs()],
    told = element("i"),
    next = element("b"),
    answer = element("span.attn-next", told, next);
  let draw;

  function paint(asks, spoken = true) {
    const rows = [rowOf(1, asks)],
      [read] = largestFirst(rows[0]);
    rows.push(rowOf(0, read));
    const [had] = largestFirst(rows[1]),
      before = tokens.lastIndexOf(tokens[asks], asks - 1),
      came = asks > 0 && before >= 0;
    mark(asks);
    buttons.forEach((button, j) => {
      button.className = j === read ? "attn-read" : j === had ? "attn-had" : "";
    });
    const verb = came ? "says" : "guesses";
    told.textContent = verb;
    next.replaceChildren(token(answers[asks]));
    buttons[asks].after(answer);
    const place = (j) => j + (j > asks),
      large = (weights) => weights.toSpliced(asks + 1, 0, 0).map((weight) => (weight < 0.2 ? 0 : weight)),
      name = (which, best) => (weight, j) => (j === place(best) ? `${which} head ${twoDecimals(weight)}` : "");
    draw = () => {
      bend(later, line, asks, large(rows[0]), false, name("second", read));
      bend(earlier, line, place(read), large(rows[1]), true, name("first", had));
      const { offsetLeft, offsetWidth } = buttons[read],
        beside = { offsetLeft: offsetLeft + 10, offsetWidth }; // the first head's arrow
      const way = { children: [beside, answer], offsetWidth: line.offsetWidth };
      bend(copied, way, 0, [0, 0.4 * (came && answers[asks] === tokens[read])], true, () => "copied");
    };
    draw();
    const start = came
      ? [...quoted(tokens[asks]), " came before, and ", ...quoted(tokens[before + 1]), " followed it."]
      : [...quoted(tokens[asks]), " has not come before, so what follows it is not known yet."];
    const which = came && read === before + 1 ? "that " : "";
    const reads = [` The second head reads ${which}`, ...quoted(tokens[read]), ` (${twoDecimals(rows[0][read])}),`];
    const first = [" which in the first head had read ", ...quoted(tokens[had]), ` (${twoDecimals(rows[1][had])}).`];
    say([...start, ...reads, ...first, ` The model ${verb} `, ...quoted(answers[asks]), "."], spoken);
  }

  body.replaceChildren(element("div.attn-scroll", element("div.attn-inner", later, line, earlier, copied)));
  hint.textContent = "Press another letter, or use the arrow keys.";
  paint(data.asks, false);
  new ResizeObserver(() => draw()).observe(line);
});
