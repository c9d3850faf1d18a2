// One head beside two: what "minute" reads in each, and the two answers, which each head adds a part to.
attentionLive.define("heads-out", (tools) => {
  const { data, body, hint, say, twoDecimals, element, softmax, button, arcs, bend } = tools;
  const { nouns, names, questions, models, panels } = data,
    { named, menu } = attentionLive.meanings(tools, names, 1);
  const all = nouns.flat(),
    plain = data.form.split(" "),
    others = plain.filter((word) => word !== "{}"),
    own = plain.indexOf("minute"),
    isOut = (model, head) => data.out.some(([m, h]) => m === model && h === head);
  const state = {
    pair: [...data.pair],
    on: Object.values(panels).map((heads, m) => heads.map((_, h) => !isOut(m, h))),
  };

  // What stands in the gaps of the form, one after the other.
  const gaps = [...plain.keys()].filter((j) => plain[j] === "{}"),
    words = () => plain.map((word, j) => state.pair[gaps.indexOf(j)] ?? word);

  // What a model makes of the sentence, as in Python: each head that is on adds its part to the logits.
  function read(model) {
    const places = words().map((word, j) =>
      others.includes(word) ? others.indexOf(word) : others.length + all.indexOf(word) + (j > own) * all.length,
    );
    const heads = models[model].slice(0, -1).map((rows) => {
      const weights = softmax(places.map((place) => rows[place][0]));
      const add = (logit) => weights.reduce((sum, weight, j) => sum + weight * rows[places[j]][1 + logit], 0);
      return { weights, add };
    });
    const added = (start, logit) =>
      heads.reduce((sum, { add }, head) => sum + (state.on[model][head] ? add(logit) : 0), start);
    const logits = models[model].at(-1).map(added);
    const answers = questions.map((_, q) => {
      const found = names.map((_, m) => logits[2 * m + q]);
      return found.indexOf(Math.max(...found));
    });
    return { looks: heads.map(({ weights }) => weights), answers };
  }

  // ---- parts ----

  const groups = names.map((name, m) => [name, nouns[m]]);
  const menus = ["noun of the opening", "clue"].map((label, place) =>
    menu(label, groups, state.pair[place], ({ target }) => {
      state.pair[place] = target.value;
      paint();
    }),
  );
  const shown = Object.entries(panels).map(([name, heads], m) => {
    const buttons = heads.map((_, h) =>
      button("", () => {
        state.on[m][h] = !state.on[m][h];
        paint();
      }),
    );
    const line = element("div.attn-line", ...plain.map(() => element("span"))),
      skies = heads.map(arcs),
      answers = questions.map(() => element("div.attn-answer"));
    const controls = element("div.attn-controls", element("b", name), ...buttons),
      inner = element("div.attn-inner", skies[0], line, ...skies.slice(1)),
      sight = element("div.attn-sight", controls, element("div.attn-scroll", inner));
    const made = element("section", sight, element("div.attn-answers", ...answers));
    return { line, arcs: skies, answers, made, heads, buttons };
  });

  // ---- painting ----

  function bendAll({ line, arcs, heads }, { looks }, m) {
    arcs.forEach((sky, h) => {
      const most = Math.max(...looks[h]); // its arrow alone has a name, so no two names meet
      const told = (weight) =>
        weight < most ? "" : `${heads[h]}${state.on[m][h] ? `: ${twoDecimals(weight)}` : " is out"}`;
      bend(sky, line, own, looks[h], h > 0, told);
      sky.classList.toggle("attn-away", !state.on[m][h]);
    });
  }

  const found = [];
  function paint(spoken = true) {
    const [first, clue] = state.pair,
      wanted = [clue, first].map((noun) => nouns.findIndex((group) => group.includes(noun)));
    const told = shown.map((panel, m) => {
      found[m] = read(m);
      words().forEach((word, j) => {
        const read = found[m].looks.some((weights, h) => state.on[m][h] && weights[j] >= 0.5);
        panel.line.children[j].textContent = word;
        panel.line.children[j].className = j === own ? "attn-own" : read ? "attn-read" : "";
      });
      panel.answers.forEach((answer, q) => {
        const right = found[m].answers[q] === wanted[q];
        answer.replaceChildren(
          element("div", `${questions[q]}?`),
          element("b", named(found[m].answers[q])),
          element(right ? "b.attn-right" : "b.attn-wrong", right ? " ✓" : " ✗"),
          right ? "" : ` (right: ${names[wanted[q]]})`,
        );
      });
      bendAll(panel, found[m], m);
      panel.buttons.forEach((each, h) => {
        each.textContent = `${state.on[m][h] ? "take out" : "put back"} ${panel.heads[h]}`;
        each.className = state.on[m][h] ? "" : "attn-out";
      });
      const away = panel.heads.filter((_, h) => !state.on[m][h]),
        name = Object.keys(panels)[m],
        says = found[m].answers.map((a, q) => `“${names[a]}” (${a === wanted[q] ? "right" : "wrong"})`);
      const without = away.length ? ` without ${away.join(" and ")}` : "";
      return `${name[0].toUpperCase()}${name.slice(1)}${without}: ${says.join(", ")}.`;
    });
    say([told.join(" ")], spoken);
  }

  const sentence = plain.map((word, j) => menus[gaps.indexOf(j)] ?? ` ${word} `);
  const other = element("div.attn-controls.attn-other", element("span", ...sentence));
  body.replaceChildren(...shown.map(({ made }) => made), other);
  hint.textContent = "Take a head out: which answer goes wrong? Then choose other words below.";
  paint(false);
  const watch = new ResizeObserver(() => shown.forEach((panel, m) => bendAll(panel, found[m], m)));
  shown.forEach(({ line }) => watch.observe(line));
});
