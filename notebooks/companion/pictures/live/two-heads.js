// Two heads, one after the other: what a token reads, and what that one had read before.
attentionLive.define("two-heads", (tools) => {
  const { data, body, hint, say, fixed, element, token, quoted, largestFirst, weightsOf, askers, readings } = tools;
  const { tokens, letters, answers } = data,
    count = tokens.length;
  const heads = data.weights.map((text) => weightsOf(letters, text)),
    rowOf = (head, query) => heads[head].slice(query * count, (query + 1) * count);
  const asking = askers("asks", tokens, paint),
    later = readings("second head reads", tokens),
    earlier = readings("first head had read", tokens),
    next = element("b");

  function paint(asks, spoken = true) {
    const rows = [rowOf(1, asks)],
      [read] = largestFirst(rows[0]);
    rows.push(rowOf(0, read));
    const [had] = largestFirst(rows[1]),
      before = tokens.lastIndexOf(tokens[asks], asks - 1),
      came = asks > 0 && before >= 0;
    asking.mark(asks);
    later.show(asks, rows[0]);
    earlier.show(read, rows[1]);
    next.replaceChildren(token(answers[asks]));
    const start = came
      ? [...quoted(tokens[asks]), " came before, and ", ...quoted(tokens[before + 1]), " followed it."]
      : [...quoted(tokens[asks]), " has not come before."];
    const which = came && read === before + 1 ? "that " : "";
    const reads = [` The second head reads ${which}`, ...quoted(tokens[read]), ` (${fixed(rows[0][read])}),`];
    const first = [" which in the first head had read ", ...quoted(tokens[had]), ` (${fixed(rows[1][had])}).`];
    say([...start, ...reads, ...first, " The model says ", ...quoted(answers[asks]), "."], spoken);
  }

  body.replaceChildren(
    element("div.attn-reads", asking.made, ...later.made, ...earlier.made),
    element("p.attn-answer", "says next: ", next),
  );
  hint.textContent = "Choose another token on the left, by a press or by the arrow keys.";
  paint(data.asks, false);
});
