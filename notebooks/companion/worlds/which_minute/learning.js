// A training, step by step: the loss, the weights of "minute" in a few sentences, and their contexts in the plane.
attentionLive.define("learning", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, token, slider, group, largestFirst, quoted } = tools;
  const { steps, losses, sentences, meanings, names } = data,
    { mark, sign, legend, at, move, plane } = attentionLive.meanings(tools, names, data.reach);
  const state = { time: 0, sentence: data.follow };
  const weightsAt = (time, s) => data.weights[time][s].map((percents) => percents / 100);

  // ---- the loss: a curve above the slider; a dot stands at the step that is shown ----

  const told = (time) => `step ${steps[time]}, loss ${losses[time].toFixed(3)}`;
  const dot = svg("circle", { r: 6 }),
    wide = 300,
    high = 56;
  const across = (time) => (wide * time) / Math.max(1, steps.length - 1),
    place = (time) => [across(time), high * (1 - losses[time] / Math.max(...losses))];
  const curve = svg(
    "svg.attn-curve",
    { width: wide, height: high, "aria-hidden": "true" },
    svg("path.attn-axis", { d: `M 0 ${high} H ${wide}` }),
    svg("polyline", { points: losses.map((_, time) => place(time)).join(" ") }),
    dot,
    svg("text", { x: wide, y: 8, "text-anchor": "end" }, "loss"),
  );
  const range = { max: steps.length - 1, value: state.time };
  const time = slider("step of the training", range, (time, spoken) => show({ time }, spoken), told);

  // ---- the sentences: a row each, named by its own words, and a weight under each word ----

  const own = sentences[0].map((word, j) => sentences.some((words) => words[j] !== word));
  const ownOf = sentences.map((words) => words.filter((_, j) => own[j]).join(" "));
  const radios = group(sentences.length, state.sentence, (sentence) => show({ sentence }, true));
  const rows = sentences.map((words, s) => {
    radios[s].ariaLabel = `${words.join(" ")}: ${names[meanings[s]]}`;
    const cells = words.map(() => element("td")),
      label = element("label", radios[s], sign(meanings[s]), token(ownOf[s]));
    return { cells, made: element("tr", element("th", { scope: "row" }, label), ...cells) };
  });
  const heads = sentences[0].map((word, j) => element("th", { scope: "col" }, token(own[j] ? "clue" : word)));
  const table = element(
    "table",
    element("caption", "weights of “minute”"),
    element("thead", element("tr", element("td"), ...heads)),
    element("tbody", ...rows.map((row) => row.made)),
  );

  // ---- the plane: a point for each sentence, a name for each meaning, and the way that the followed one has come ----

  const points = meanings.map((meaning) => svg("g", mark(meaning)));
  const ends = meanings.map((meaning) => svg("g.attn-end", mark(meaning))); // where they will come to
  ends.forEach((end, s) => move(end, at(data.contexts.at(-1)[s]), 1.4));
  const way = svg("polyline.attn-way");
  const members = names.map((_, meaning) => [...sentences.keys()].filter((s) => meanings[s] === meaning));
  const labels = members.map((each) => svg("text", each.map((s) => ownOf[s]).join(", ")));

  // A name stands on the far side of its points, or if that is outside, on the near side; others: where the points of
  // other meanings are, of which a name is clear or is not shown.
  function name(label, places, others) {
    const [x, y] = [0, 1].map((side) => places.reduce((sum, place) => sum + place[side], 0) / places.length),
      ys = places.map((place) => place[1]),
      half = label.getComputedTextLength() / 2,
      room = 145 - half,
      across = Math.max(-room, Math.min(x, room));
    const [far, near] = [Math.max(...ys) + 26, Math.min(...ys) - 15].sort((a, b) => (b - a) * y);
    const height = Math.abs(far) < 135 ? far : near;
    label.setAttribute("transform", `translate(${across} ${height})`);
    const clear = others.every(([x, y]) => Math.abs(x - across) > half + 9 || Math.abs(y + 4 - height) > 15);
    return { label, half, across, height, far: clear ? Math.hypot(x, y) : 0 };
  }

  function show(change, spoken) {
    const { time: now, sentence: followed } = Object.assign(state, change),
      words = sentences[followed],
      contexts = data.contexts[now];
    rows.forEach(({ made, cells }, s) => {
      made.classList.toggle("attn-followed", s === followed);
      weightsAt(now, s).forEach((weight, j) => {
        const start = 6 * Math.round(20 * weight),
          ink = weight > data.lightInk ? "#FFF" : "#000";
        cells[j].style = `background:#${data.shades.slice(start, start + 6)};color:${ink}`;
        cells[j].textContent = twoDecimals(weight);
      });
    });
    points.forEach((point, s) => {
      point.setAttribute("class", s === followed ? "attn-chosen" : "");
      move(point, at(contexts[s]), s === followed ? 2 : 1.4);
    });
    const past = data.contexts.slice(0, now + 1).map((each) => at(each[followed]));
    way.setAttribute("points", past.join(" "));
    // In the heap no name could be read, near it names are faint, and hidden where it would touch one whose points have come farther.
    const placed = members.flatMap((own, meaning) => {
      const others = contexts.filter((_, s) => meanings[s] !== meaning);
      return own.length
        ? name(
            labels[meaning],
            own.map((s) => at(contexts[s])),
            others.map(at),
          )
        : [];
    });
    placed.sort((one, other) => other.far - one.far);
    placed.forEach(({ label, half, across, height, far }, place) => {
      const touches = (other) =>
        Math.abs(other.height - height) < 16 && Math.abs(other.across - across) < other.half + half;
      label.style.opacity = far < 15 || placed.slice(0, place).some(touches) ? 0 : far / 50;
    });
    dot.setAttribute("transform", `translate(${place(now)})`);
    const weights = weightsAt(now, followed),
      [best] = largestFirst(weights);
    const begin = [`${told(now).replace("s", "S")}: in `, ...quoted(words.join(" ")), ", “minute” looks most at "];
    say([...begin, ...quoted(words[best]), ` (${twoDecimals(weights[best])}).`], spoken);
  }

  body.replaceChildren(
    element(
      "div.attn-film",
      element("div", curve, element("label", time.range, " ", time.number)),
      element("div", plane("The contexts of “minute”", ...ends, way, ...points, ...labels), legend()),
      element("div.attn-scroll", table),
    ),
  );
  hint.textContent = "Move the slider: the marks go to the pale ones. Choose a sentence to follow its mark.";
  show({}, false);
});
