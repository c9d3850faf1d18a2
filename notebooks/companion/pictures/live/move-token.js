// Four score matrices of one sentence: without positions, sinusoidal, rotary, ALiBi. A token can be moved, and every
// score of two words that is no longer what it was at the start turns blue.
attentionLive.define("move-token", (tools) => {
  const { data, body, hint, say, fixed, element, token, button, draggable, answerKeys } = tools;
  const { query, key, waveQuery, waveKey, tokens, order, follow, pair, slope, base } = data;
  const start = tokens.map((_, place) => place);
  const state = { order, chosen: follow };

  // ---- the scores of word a at place i for word b at place j ----

  const score = (one, other) => one.reduce((sum, each, d) => sum + each * other[d], 0) / Math.sqrt(one.length);
  const plus = (one, other) => one.map((each, d) => each + other[d]);
  function turned(row, place) {
    const half = row.length / 2;
    return row.map((each, d) => {
      const angle = place / base ** ((d % half) / half),
        cosine = Math.cos(angle),
        sine = Math.sin(angle);
      return d < half ? each * cosine - row[d + half] * sine : row[d - half] * sine + each * cosine;
    });
  }
  const kinds = {
    "no positions": (a, b) => score(query[a], key[b]),
    sinusoidal: (a, b, i, j) => score(plus(query[a], waveQuery[i]), plus(key[b], waveKey[j])),
    rotary: (a, b, i, j) => score(turned(query[a], i), turned(key[b], j)),
    ALiBi: (a, b, i, j) => score(query[a], key[b]) - slope * Math.abs(i - j),
  };

  // ---- the sentence: a button for each place, which shows the word that stands there ----

  const slots = start.map((place) => {
    const word = element("span"),
      slot = element("button", { type: "button" }, word, element("small", { textContent: `position ${place}` }));
    slot.onfocus = () => choose(state.order[place]);
    const carry = (next) => () => move(next, true);
    const sides = { ArrowRight: carry(place + 1), ArrowLeft: carry(place - 1) };
    answerKeys(slot, { ...sides, Home: carry(0), End: carry(tokens.length - 1) });
    draggable(slot, (event) => {
      const over = slots.findIndex((each) => event.clientX <= each.slot.getBoundingClientRect().right);
      move(over < 0 ? tokens.length - 1 : over, false);
    });
    slot.onpointerup = () => {
      slots[state.order.indexOf(state.chosen)].slot.focus(); // the next key moves the word that was dragged
      paint(true);
    };
    return { word, slot };
  });

  // ---- the matrices ----

  const header = (scope, role) => element("th", { scope, style: `color:var(--${role}-ink)` });
  const matrices = Object.entries(kinds).map(([name, of]) => {
    const tops = start.map(() => header("col", "key")),
      caption = element("caption");
    const rows = start.map(() => ({ side: header("row", "query"), cells: start.map(() => element("td")) }));
    const head = element("thead", element("tr", element("td", { ariaHidden: "true" }), ...tops));
    const all = element("tbody", ...rows.map(({ side, cells }) => element("tr", side, ...cells)));
    const before = start.map((a) => start.map((b) => fixed(of(a, b, a, b))));
    const made = element("div.attn-scroll", element("table", caption, head, all));
    return { name, of, tops, rows, caption, before, made };
  });

  function paint(spoken) {
    const { order, chosen } = state;
    slots.forEach(({ word, slot }, place) => {
      word.replaceChildren(token(tokens[order[place]]));
      slot.ariaPressed = order[place] === chosen;
    });
    const counts = matrices.map(({ name, of, tops, rows, caption, before }) => {
      let count = 0;
      rows.forEach(({ side, cells }, i) => {
        for (const label of [side, tops[i]]) {
          label.replaceChildren(token(tokens[order[i]]));
          label.title = tokens[order[i]];
          label.className = order[i] === chosen ? "attn-chosen" : "";
        }
        cells.forEach((cell, j) => {
          cell.textContent = fixed(of(order[i], order[j], i, j));
          const changed = cell.textContent !== before[order[i]][order[j]];
          cell.classList.toggle("attn-changed", changed);
          count += changed;
          cell.classList.toggle("attn-pair", i !== j && pair.includes(order[i]) && pair.includes(order[j]));
        });
      });
      caption.textContent = `${name}: ${count} changed`;
      return `${name} ${count}`;
    });
    const sentence = order.flatMap((each, place) => [place ? " " : "", token(tokens[each])]);
    say(["“", ...sentence, `”. Scores that have changed, of ${tokens.length ** 2}: ${counts.join(", ")}.`], spoken);
  }

  function choose(word) {
    state.chosen = word;
    paint(true);
  }

  // The others close up, and make room at the new place.
  function move(next, spoken) {
    const place = Math.max(0, Math.min(next, tokens.length - 1)),
      others = state.order.filter((each) => each !== state.chosen);
    if (state.order[place] === state.chosen) return;
    state.order = [...others.slice(0, place), state.chosen, ...others.slice(place)];
    if (spoken) slots[place].slot.focus();
    paint(spoken);
  }

  const back = button("as it was", () => {
    state.order = start;
    paint(true);
  });
  const group = { role: "group", ariaLabel: "The sentence" };
  body.replaceChildren(
    element("div.attn-controls", element("div.attn-slots", group, ...slots.map((each) => each.slot)), back),
    element("div.attn-four", ...matrices.map((each) => each.made)),
  );
  hint.textContent =
    "Drag a word to another place, or choose it and press the arrow keys. Each score that changes turns blue.";
  paint(false);
});
