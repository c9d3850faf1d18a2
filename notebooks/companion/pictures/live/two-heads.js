// Two heads, one after the other: what a token reads, above the row, and what that one had read before, below it.
attentionLive.define("two-heads", (tools) => {
  const { data, body, hint, say, fixed, element, token, quoted, largestFirst, weightsOf, oneOf, arcs, bend } = tools;
  const { tokens, letters, answers } = data,
    count = tokens.length;
  const heads = data.weights.map((text) => weightsOf(letters, text)),
    rowOf = (head, query) => heads[head].slice(query * count, (query + 1) * count);
  const buttons = tokens.map((each) => element("button", { type: "button" }, token(each))),
    mark = oneOf(buttons, count, paint),
    line = element("div.attn-line", ...buttons),
    [later, earlier] = [arcs(), arcs()],
    next = element("b"),
    answer = element("p.attn-answer");
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
    draw = () => {
      bend(later, line, asks, rows[0], false, (weight, j) => (j === read ? `second head ${fixed(weight)}` : ""));
      bend(earlier, line, read, rows[1], true, (weight, j) => (j === had ? `first head ${fixed(weight)}` : ""));
    };
    draw();
    const verb = came ? "says" : "guesses";
    next.replaceChildren(token(answers[asks]));
    answer.replaceChildren(`${verb} next: `, next);
    const start = came
      ? [...quoted(tokens[asks]), " came before, and ", ...quoted(tokens[before + 1]), " followed it."]
      : [...quoted(tokens[asks]), " has not come before, so what follows it is not known yet."];
    const which = came && read === before + 1 ? "that " : "";
    const reads = [` The second head reads ${which}`, ...quoted(tokens[read]), ` (${fixed(rows[0][read])}),`];
    const first = [" which in the first head had read ", ...quoted(tokens[had]), ` (${fixed(rows[1][had])}).`];
    say([...start, ...reads, ...first, ` The model ${verb} `, ...quoted(answers[asks]), "."], spoken);
  }

  body.replaceChildren(element("div.attn-scroll", element("div.attn-inner", later, line, earlier)), answer);
  hint.textContent = "Choose another token, by a press or by the arrow keys.";
  paint(data.asks, false);
  new ResizeObserver(() => draw()).observe(line);
});
