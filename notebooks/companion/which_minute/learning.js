// A training, step by step: the loss, the weights of "minute" in a few sentences, and their contexts in the plane.
attentionLive.define("learning", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, token, slider, largestFirst, quoted } = tools;
  const { steps, losses, sentences, meanings, names } = data,
    { mark, named, legend, at, move, plane } = attentionLive.meanings(tools, names, data.reach);
  const state = { time: steps.length - 1, sentence: data.follow };
  const weightsAt = (time, s) => data.weights[time][s].map((percents) => percents / 100);

  // ---- the loss: a curve above the slider; a dot stands at the step that is shown ----

  const told = (time) => `step ${steps[time]}, loss ${losses[time].toFixed(3)}`;
  const dot = drawing("circle", { r: 6 }),
    wide = 300,
    high = 56;
  const place = (time) => [
    (wide * time) / Math.max(1, steps.length - 1),
    high * (1 - losses[time] / Math.max(...losses)),
  ];
  const curve = drawing(
    "svg",
    { class: "attn-curve", width: wide, height: high, "aria-hidden": "true" },
    drawing("path", { class: "attn-axis", d: `M 0 ${high} H ${wide}` }),
    drawing("polyline", { points: losses.map((_, time) => place(time)).join(" ") }),
    dot,
    drawing("text", { x: wide, y: 8, "text-anchor": "end" }, "loss"),
  );
  const time = slider(
    "step of the training",
    { min: 0, max: steps.length - 1, step: 1, value: state.time },
    (value) => {
      state.time = value;
      paint(true);
    },
    told,
  );

  // ---- the sentences: a row each, and a bar under each word ----

  const group = `attn${Math.random()}`; // radio buttons of two pictures must not share a group
  const rows = sentences.map((words, s) => {
    const bars = words.map(() => element("div", { className: "attn-bar" })),
      numbers = words.map(() => element("span"));
    const radio = element("input", {
      type: "radio",
      name: group,
      checked: s === state.sentence,
      ariaLabel: `${words.join(" ")}: ${names[meanings[s]]}`,
    });
    radio.onchange = () => {
      state.sentence = s;
      paint(true);
    };
    const made = element(
      "tr",
      {},
      element("th", { scope: "row" }, element("label", {}, radio, named(meanings[s]))),
      ...words.map((word, j) =>
        element("td", {}, token(word), element("div", { className: "attn-track" }, bars[j]), numbers[j]),
      ),
    );
    return { made, bars, numbers };
  });
  const table = element(
    "table",
    {},
    element("caption", {}, "weights of “minute”"),
    element("tbody", {}, ...rows.map((row) => row.made)),
  );

  // ---- the plane: a point for each sentence, and the way that the followed one has come ----

  const points = meanings.map((meaning) => drawing("g", {}, mark(meaning)));
  const way = drawing("polyline", { class: "attn-way" }),
    name = drawing("text");

  function paint(spoken) {
    const { time: now, sentence: followed } = state,
      words = sentences[followed],
      contexts = data.contexts[now];
    rows.forEach(({ made, bars, numbers }, s) => {
      made.classList.toggle("attn-followed", s === followed);
      weightsAt(now, s).forEach((weight, j) => {
        bars[j].style.width = `${100 * weight}%`;
        numbers[j].textContent = fixed(weight);
      });
    });
    points.forEach((point, s) => {
      point.setAttribute("class", s === followed ? "attn-chosen" : "");
      move(point, at(contexts[s]), s === followed ? 1.6 : 1);
    });
    way.setAttribute(
      "points",
      data.contexts
        .slice(0, now + 1)
        .map((each) => at(each[followed]))
        .join(" "),
    );
    const [x, y] = at(contexts[followed]),
      late = x > 60;
    name.textContent = `minute ${words[words.indexOf("minute") + 1] ?? ""}`;
    name.setAttribute("text-anchor", late ? "end" : "start");
    name.setAttribute("transform", `translate(${x + (late ? -14 : 14)} ${y + 5})`);
    dot.setAttribute("transform", `translate(${place(now)})`);
    const weights = weightsAt(now, followed),
      [best] = largestFirst(weights);
    say(
      [
        `${told(now).replace("s", "S")}: in `,
        ...quoted(words.join(" ")),
        ", “minute” looks most at ",
        ...quoted(words[best]),
        ` (${fixed(weights[best])}).`,
      ],
      spoken,
    );
  }

  body.replaceChildren(
    curve,
    element("label", {}, time.range, " ", time.number),
    element(
      "div",
      { className: "attn-side" },
      element("div", { className: "attn-scroll" }, table),
      element("div", {}, plane("The contexts of “minute”", way, ...points, name), legend()),
    ),
  );
  hint.textContent = "Move the slider through the training; choose a sentence to follow its point.";
  paint(false);
});
