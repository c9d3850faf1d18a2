// Scores become shares of 1: exp makes them positive, the sum divides them. Scores can be moved, keys clicked away.
attentionLive.define("softmax-machine", (tools) => {
  const { data, body, hint, say, twoDecimals, element, token, softmax } = tools,
    { slider, button, quoted, largestFirst } = tools;
  const { scores, keys, query, scale } = data,
    [low, high] = scale,
    state = {};
  const place = (score) => Math.max(0, Math.min((score - low) / (high - low), 1));

  // ---- parts ----

  const digits = () => element("span.attn-figure");
  const bar = (...names) => element("div.attn-bar", { ariaHidden: "true" }, ...names);
  const cell = (number, className, ...drawn) =>
    element("td", { className }, element("div.attn-cell", number, element("div.attn-track", ...drawn)));

  const rows = keys.map((key, j) => {
    const seen = element("input", { type: "checkbox" });
    const [score, exp, share] = [digits(), digits(), digits()];
    const [length, height, part] = [element("div.attn-length"), bar(), bar()];
    const name = element("span.attn-name", { ariaHidden: "true" }, token(key)); // beside its stair
    seen.onchange = () => {
      state.hidden[j] = !seen.checked;
      paint();
    };
    const change = (score, spoken) => {
      state.scores[j] = score;
      paint("", spoken);
    };
    const { range, set } = slider(`score of ${key}`, { min: low, max: high, step: 0.1, value: scores[j] }, change);
    const made = element(
      "tr",
      element("th", { scope: "row" }, element("label", { title: key }, seen, token(key))),
      cell(score, "attn-score", length, range),
      cell(exp, "attn-exp", height),
      cell(share, "attn-share", part, name),
    );
    return { seen, range, set, score, exp, share, length, height, part, name, made };
  });

  // The one bar: a part shows its key's name where there is room for it.
  const whole = keys.map((key) => bar(element("span", token(key))));
  const sums = [digits(), digits()];
  const above = (className, name = "") => element("th", { scope: "col", className }, name);
  const exponent = above("attn-exp");
  const [score, weight] = [above("attn-score", "score ω"), above("attn-share", "weight α = exp\u00a0/\u00a0sum")];
  const head = element("tr", element("th", { scope: "col" }, "key"), score, exponent, weight);
  const shares = [element("td"), element("td", sums[0]), cell(sums[1], "attn-share", ...whole)];
  const foot = element("tr", element("th", { scope: "row" }, "sum"), ...shares);

  // ---- controls ----

  // Steps of equal factors: 5 is as far from 1 as a fifth.
  const heat = (power, spoken) => {
    state.temperature = 5 ** power;
    paint("", spoken);
  };
  const show = (power) => twoDecimals(5 ** power);
  const temperature = slider("temperature", { min: -1, max: 1, step: 0.1, value: 0 }, heat, show);

  const shift = (by) => () => {
    const moved = state.scores.map((score) => score + by);
    const fits = moved.every((score) => score >= low && score <= high);
    if (fits) state.scores = moved;
    paint(fits ? `All scores ${by > 0 ? "rose" : "fell"} by 1, and no share changed. ` : "The scale ends here. ");
  };

  function reset(spoken) {
    Object.assign(state, { scores: [...scores], hidden: keys.map(() => false), temperature: data.temperature });
    temperature.set(Math.log(data.temperature) / Math.log(5));
    paint("", spoken);
  }
  const controls = element(
    "div.attn-controls",
    element("span", "temperature ", temperature.range, " ", temperature.number),
    element("span", "scores ", button("+ 1 to all", shift(1)), " ", button("− 1 to all", shift(-1))),
    button("reset", () => reset(true)),
  );

  // ---- painting ----

  function paint(note = "", spoken = true) {
    const seen = state.scores.map((score, j) => (state.hidden[j] ? -Infinity : score));
    const top = Math.max(...seen);
    const exps = seen.map((score) => Math.exp(score / state.temperature));
    const shares = softmax(seen.map((score) => score / state.temperature));
    let start = 0;
    rows.forEach((row, j) => {
      row.made.className = state.hidden[j] ? "attn-away" : "";
      row.seen.checked = !state.hidden[j];
      row.range.disabled = state.hidden[j];
      row.set(state.scores[j]);
      row.range.setAttribute("aria-valuetext", twoDecimals(seen[j]));
      row.score.textContent = twoDecimals(seen[j]);
      row.exp.textContent = twoDecimals(exps[j]);
      // As in every table: no weight, not one of 0.00.
      row.share.textContent = state.hidden[j] ? "–" : twoDecimals(shares[j]);
      const [from, to] = [0, state.scores[j]].map(place).sort((a, b) => a - b);
      row.length.style.cssText = `--from:${from};--length:${to - from}`;
      row.length.classList.toggle("attn-negative", state.scores[j] < 0);
      row.height.style.width = state.hidden[j] ? 0 : `${Math.exp((seen[j] - top) / state.temperature) * 100}%`;
      [row.part, whole[j]].forEach((part) => {
        part.style.left = `${start * 100}%`;
        part.style.width = `${shares[j] * 100}%`;
        part.style.visibility = shares[j] ? "" : "hidden";
      });
      // Its name stands where there is most room: before its stair, in it or behind it.
      const end = start + shares[j],
        rooms = [start, shares[j], 1 - end],
        most = rooms.indexOf(Math.max(...rooms));
      row.name.className = `attn-name ${["attn-before", "attn-within", ""][most]}`;
      row.name.style.cssText = `left:${[0, start, end][most] * 100}%;width:${rooms[most] * 100}%`;
      start = end;
    });
    for (const [s, numbers] of [exps, shares].entries())
      sums[s].textContent = twoDecimals(numbers.reduce((a, b) => a + b));
    exponent.textContent = state.temperature === 1 ? "exp(ω)" : `exp(ω / ${twoDecimals(state.temperature)})`;
    say([note, ...sentence(shares)], spoken);
  }

  function sentence(shares) {
    if (state.hidden.every(Boolean)) return ["All keys are hidden: the row becomes zeros, and nothing is shared out."];
    const [first, second] = largestFirst(shares);
    const parts = query === null ? [] : ["For ", ...quoted(query), ": "];
    parts.push(...quoted(keys[first]), ` gets ${twoDecimals(shares[first])} of 1`);
    if (second !== undefined && twoDecimals(shares[second]) > 0)
      parts.push(", ", ...quoted(keys[second]), ` ${twoDecimals(shares[second])}`);
    return [...parts, "."];
  }

  body.style.setProperty("--zero", place(0));
  body.style.setProperty("--figure", `${Math.max(twoDecimals(low).length, twoDecimals(high).length)}ch`);
  const lines = element("tbody", ...rows.map((row) => row.made));
  body.replaceChildren(controls, element("table", element("thead", head), lines, element("tfoot", foot)));
  hint.textContent = "Drag a score, or untick a key: laid end to end, the shares always fill the 1.";
  reset(false);
});
