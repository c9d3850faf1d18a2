// One word walks through attention: it asks, each word answers, and what they give adds up to its context.
attentionLive.define("walk", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, token, softmax, largestFirst, quoted, describeQuery } = tools;
  const { words, scores, query, key, value, head_dim: headDim, d_v: width } = data;
  const state = { word: data.follow };

  // ---- vectors as bars ----

  // One scale for all vectors of a kind; numbers below zero hang from its line.
  function scaleOf(vectors) {
    const all = vectors.flat(),
      low = Math.min(0, ...all);
    return { low, span: Math.max(0, ...all) - low || 1 };
  }

  // The first features of a vector; of each, the full colour fills the share that is taken.
  function bars(role, { low, span }, numbers, whole, share = 1) {
    const line = (-low / span) * 100;
    const slots = numbers.map((number) => {
      const part = element("span.attn-part", { style: `${number < 0 ? "top" : "bottom"}:0;height:${share * 100}%` });
      const [low, high] = [Math.min(number, 0), Math.abs(number)].map((each) => (each / span) * 100);
      const bar = element("span.attn-bar", { style: `bottom:${line + low}%;height:${high}%` }, part);
      return element("span.attn-slot", bar);
    });
    const title = numbers.map(fixed).join(", ") + (whole > numbers.length ? ", …" : "");
    const zero = element("span.attn-zero", { style: `bottom:${line}%` });
    const drawn = element(`span.attn-bars.attn-${role}`, { title, ariaHidden: "true" }, zero, ...slots);
    return [drawn, element("span.attn-spoken", title)];
  }
  const few = ([{ length }], whole) => (whole > length ? `, first ${length} of ${whole}` : "");
  const scales = { query: scaleOf(query), key: scaleOf(key), value: scaleOf(value) };

  // ---- the steps: a row each, a column for each word ----

  // Radio buttons of two pictures must not share a group. None is chosen at first, so that the keyboard comes in at an
  // end of the row; as a word is followed once it is reached, the key that enters the picture moves it.
  const group = `attn${Math.random()}`;
  const radios = words.map((word, i) => {
    const reach = () => follow(i, true);
    return element("input", { type: "radio", name: group, onfocus: reach, onchange: reach });
  });
  const asked = words.map(() => element("div.attn-vector"));
  const choices = words.map((word, i) => {
    const label = element("label.attn-word", radios[i], token(word));
    return element("th", { scope: "col", onpointerenter: () => follow(i, false) }, label, asked[i]);
  });

  function row(name, role, what, cells = words.map(() => element("td"))) {
    const step = element("div.attn-step"),
      told = element("div", { style: `color:var(--${role}-ink)` }, what);
    const made = element(`tr.attn-row-${name}`, element("th", { scope: "row" }, step, told), ...cells);
    return { made, step, cells };
  }
  const ask = row("query", "query", `query${few(query, headDim)}`, choices);
  // A wider white one below each keeps those that cross apart.
  const ribbons = words.map(() => ["gap", "ribbon"].map((kind) => drawing("path", { class: `attn-${kind}` })));
  const fan = drawing("svg", { "aria-hidden": "true" }, ...ribbons.flat());
  const spread = row("ribbons", "weight", "ribbon width: weight", [element("td", { colSpan: words.length }, fan)]);
  const answers = words.map((word, j) => {
    const vector = element("div.attn-vector", ...bars("key", scales.key, key[j], headDim));
    return element("td", element("div.attn-answering", token(word)), vector);
  });
  const answer = row("key", "key", "key", answers);
  const match = row("score", "score", `score: query · key / √${headDim}`);
  const share = row("weight", "weight", "weight");
  const give = row("value", "value", "value, filled: weight · value");
  const sum = row("context", "context", `context${few(value, width)}`);

  // A ribbon is as wide as its weight, all the way; where they leave the word, together they fill it.
  function spreadRibbons(weights) {
    const column = fan.clientWidth / words.length,
      high = fan.clientHeight;
    let from = column * (state.word + 0.1);
    weights.forEach((weight, j) => {
      const wide = 0.8 * column * weight,
        start = from + wide / 2,
        end = column * (j + 0.5);
      const d = `M${start} 0C${start} ${0.6 * high} ${end} ${0.4 * high} ${end} ${high}`;
      // What a style says can move.
      ribbons[j].forEach((path, over) => {
        const stroke = weight < 0.005 ? 0 : Math.max(wide, 1) + (over ? 0 : 4);
        path.style.cssText = `d:path("${d}");stroke-width:${stroke}`;
      });
      from += wide;
    });
  }

  function follow(word, spoken) {
    radios[word].checked = true;
    if (word === state.word) return;
    state.word = word;
    // The arrow keys go on from here.
    if (radios.includes(document.activeElement)) radios[word].focus({ preventScroll: true });
    paint(spoken);
  }

  function paint(spoken) {
    const i = state.word,
      weights = softmax(scores[i]);
    const context = value[0].map((_, d) => weights.reduce((all, weight, j) => all + weight * value[j][d], 0));
    const [first] = largestFirst(weights),
      name = (j) => quoted(words[j]);
    ask.step.replaceChildren(...name(i), " asks");
    answer.step.replaceChildren("each word answers");
    match.step.replaceChildren(`with a score: ${fixed(scores[i][first])} for `, ...name(first));
    share.step.replaceChildren(`softmax: ${fixed(weights[first])} for `, ...name(first));
    give.step.replaceChildren("so much of each value");
    sum.step.replaceChildren("add: the context of ", ...name(i));
    spreadRibbons(weights);
    words.forEach((_, j) => {
      choices[j].classList.toggle("attn-asking", j === i);
      asked[j].replaceChildren(...(j === i ? bars("query", scales.query, query[i], headDim) : []));
      sum.cells[j].replaceChildren(...(j === i ? bars("context", scales.value, context, width) : []));
      match.cells[j].textContent = fixed(scores[i][j]);
      share.cells[j].textContent = fixed(weights[j]);
      give.cells[j].replaceChildren(...bars("value", scales.value, value[j], width, weights[j]));
      for (const { cells } of [match, share]) cells[j].classList.toggle("attn-most", j === first);
    });
    say(describeQuery(words[i], weights, words), spoken);
  }

  const steps = element("tbody", ...[spread, answer, match, share, give, sum].map((each) => each.made));
  const table = element("table", element("thead", ask.made), steps);
  // The static table keeps its own style.
  body.classList.add("attn-walking");
  body.style.setProperty("--words", words.length);
  tools.answerKeys(table, { Home: () => follow(0, true), End: () => follow(words.length - 1, true) });
  body.replaceChildren(element("div.attn-scroll", table));
  new ResizeObserver(() => spreadRibbons(softmax(scores[state.word]))).observe(fan);
  hint.textContent = "Point at a word, or use Tab and the arrow keys.";
  paint(false);
});
