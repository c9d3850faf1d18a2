// Letters on top, a row of phonemes for each question below them, and lines from each answer to the letters it reads.
// In training all rows are there at once, and the true beginning is given; in writing each row is a pass of its own,
// and its beginning is what the passes above have said. What is wrong is dark, in every row that begins with it.
attentionLive.define("teacher-forcing", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, token, quoted, choice, slider, largestFirst } = tools;
  const { words, sounds } = data,
    state = { word: 0, writing: 0, pass: 1 };
  const [high, step, first] = [28, 44, 84]; // of a tile; from row to row; where the first row begins
  const start = "Choose “writing”, and move the slider from pass to pass.";
  const fan = svg("svg", { "aria-hidden": "true" }),
    heard = element("p");

  function tile(kind, text, x, y, wide) {
    const box = svg("rect", { x: x - wide / 2, y, width: wide, height: high, rx: 6 });
    const word = svg("text", { x, y: y + high / 2 }, text);
    return svg("g", { class: `attn-tile attn-${kind}` }, box, word);
  }

  const told = () => words[state.word],
    way = () => told().ways[state.writing];
  const wrong = (row) => way().said[row] !== told().truth[row];
  const begun = (row) => (state.writing ? way().said : told().truth).slice(0, row);

  // A row: its beginning, its answer in the column behind it, below the letters, and the answer's lines.
  function rowOf(row, x, wide) {
    const { said, weights } = way(),
      y = first + step * row,
      middle = (high + y) / 2,
      at = x(row + 1);
    const lines = weights[row].flatMap((weight, j) => {
      const d = `M${at} ${y}C${at} ${middle} ${x(j + 1)} ${middle} ${x(j + 1)} ${high}`;
      return weight < 0.02 ? [] : [svg("path", { d, "stroke-width": 14 * weight })];
    });
    const marked = (kind, place) => (wrong(place) ? `${kind} attn-wrong` : kind);
    const given = ["begin", ...begun(row)].map((each, i) =>
      tile(state.writing && i ? marked("own", i - 1) : "given", each, x(i), y, wide),
    );
    const answer = [tile(marked("answer", row), said[row], at, y, wide)];
    const below = { class: "attn-truth", x: at + 8, y: y + (step + high) / 2 };
    if (wrong(row)) answer.push(svg("text", below, `≠ ${told().truth[row] ?? "–"}`));
    const back = state.writing && row ? [svg("text.attn-back", { x: x(row), y: y - (step - high) / 2 }, "↓")] : [];
    const older = state.writing && row < state.pass - 1 ? " attn-older" : "";
    return svg("g", { class: `attn-asked${older}` }, ...lines, ...back, ...given, ...answer);
  }

  function describe() {
    const { word, truth } = told(),
      { said, weights } = way(),
      row = state.pass - 1;
    if (state.writing) {
      const [best] = largestFirst(weights[row]),
        own = begun(row).flatMap((each) => [" ", token(each)]);
      const after = row ? ["after its own", ...own] : ["while nothing is written"];
      const should = wrong(row) ? [", and should say ", token(truth[row] ?? "nothing more")] : [];
      const says = [` in writing, pass ${state.pass} of ${said.length}: `, ...after, " it says ", token(said[row])];
      const looks = [". It looks most at ", ...quoted(told().letters[best]), ` (${twoDecimals(weights[row][best])}).`];
      return [...quoted(word), ...says, ...should, ...looks];
    }
    const listed = said.flatMap((each, i) => [i ? ", " : "", token(each)]);
    const errors = said.flatMap((_, i) => (wrong(i) ? [` Row ${i + 1} should say `, token(truth[i]), "."] : []));
    const end = errors.length ? " The rows below are given the right one." : " All are right.";
    const says = ` in training: one pass answers all ${said.length} rows with `;
    return [...quoted(word), says, ...listed, ".", ...errors, end];
  }

  function paint(change, spoken) {
    Object.assign(state, change);
    const { letters, ways, truth } = told(),
      longest = Math.max(...ways.map((each) => each.said.length));
    const column = Math.min(80, fan.clientWidth / (1 + Math.max(letters.length, longest))),
      wide = column - 6;
    const x = (place) => column * (place + 0.5),
      rows = state.writing ? state.pass : way().said.length;
    fan.style.height = `${first + step * longest}px`;
    const coming = Array.from({ length: way().said.length - rows }, (_, i) =>
      tile("coming", "?", x(rows + i + 1), first + step * (rows + i), wide),
    );
    fan.replaceChildren(
      ...coming,
      svg("text.attn-letters", { x: 0, y: high / 2 }, "letters"),
      ...Array.from({ length: rows }, (_, row) => rowOf(row, x, wide)).reverse(), // the lines of later rows lie behind
      ...letters.map((each, j) => tile("letter", each, x(j + 1), 0, wide)),
    );
    const codes = [...new Set([...truth, ...ways.flatMap((each) => each.said)])].filter((each) => sounds[each]);
    const like = (each, i) => [i ? ", " : "", element("b", token(each)), " as in ", token(sounds[each])];
    heard.replaceChildren(...codes.flatMap(like), ".");
    say(describe(), spoken);
  }

  const show = (value) => (state.writing ? `${value} of ${way().said.length}` : "1, all rows at once");
  const pass = slider("pass", { min: 1, max: 2, value: 1 }, (pass, spoken) => paint({ pass }, spoken), show);
  // With another word or way, writing begins again.
  function begin(change, spoken = true) {
    Object.assign(state, change, { pass: 1 });
    pass.range.max = way().said.length;
    pass.range.disabled = !state.writing;
    pass.set(1);
    paint({}, spoken);
  }
  const signs = { given: "given", own: "said by the model", wrong: "wrong, ≠ what is right" };
  const legend = Object.entries({ ...signs, line: "line width: weight" }).map(([kind, text]) =>
    element("span.attn-key", element(`span.attn-swatch.attn-${kind}`), text),
  );
  const called = words.map(({ word }) => token(word));
  const chosen = choice("word", called, 0, (word) => begin({ word }));
  const ways = choice("way", ["training", "writing"], 0, (writing) => {
    hint.textContent = writing ? "Move the slider from pass to pass." : start;
    begin({ writing });
  });
  const controls = element("div.attn-controls", chosen, ways, pass.made);
  body.replaceChildren(controls, fan, element("p.attn-legend", ...legend), heard);
  hint.textContent = start;
  begin({}, false);
  new ResizeObserver(() => paint({}, false)).observe(fan);
});
