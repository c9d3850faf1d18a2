// Which minute? Two sentences that differ in one word: where "minute" looks, and what it comes to mean.
attentionLive.define("ask", (tools) => {
  const { data, body, hint, say, fixed, element, drawing, softmax, choice } = tools,
    { menus, chosen, pair, names, heads } = data;
  const { mark, named, legend, unit, at, move, plane } = attentionLive.meanings(tools, names, data.reach);
  const words = data.words.split(" "),
    clues = data.clues.map((each) => each.split(" ")),
    all = clues.flat();
  const meant = (clue) => clues.findIndex((each) => each.includes(clue));
  const most = (numbers) => numbers.indexOf(Math.max(...numbers)),
    kinds = Object.keys(heads);
  let head = heads[kinds[0]];

  // ---- the sentences, made by menus: they share all but their clue ----

  const menu = (name, texts, chosen) =>
    element(
      "select",
      { ariaLabel: name, onchange: () => write(true) },
      ...texts.map((text) =>
        element("option", { value: text, textContent: text || "(no ending)", selected: text === chosen }),
      ),
    );
  const shared = Object.keys(menus).map((name) => menu(name, menus[name], chosen[name]));
  const forked = pair.map((clue, s) => menu(`clue of sentence ${s + 1}`, all, clue)),
    two = () => forked.map((each) => each.value);
  const sentence = (clue) => {
    const [opening, before, ending] = shared.map((each) => each.value);
    return `${opening} ${before} minute ${clue} ${ending}`.trim().split(" ");
  };

  // What the head makes of a sentence, as in Python.
  const answer = ([a, b]) => head.answers.map(([x, y, bias]) => x * a + y * b + bias);
  function read(clue) {
    const ids = sentence(clue).map((word) => words.indexOf(word)),
      weights = softmax(ids.map((id) => head.scores[id]));
    const context = [0, 1].map((d) => weights.reduce((sum, weight, j) => sum + weight * head.values[ids[j]][d], 0));
    return { weights, context, answers: softmax(answer(context)) };
  }

  // ---- each sentence as it is read: ribbons from "minute" to its words, and the answer ----

  const high = 92,
    thick = 26;
  const readings = pair.map(() => {
    const arcs = drawing("svg", { class: "attn-arcs", height: high, "aria-hidden": "true" });
    const line = element("div", { className: "attn-words" }),
      means = element("div", { className: "attn-answer" });
    const made = element(
      "div",
      { className: "attn-reading" },
      element("div", { className: "attn-scroll" }, element("div", { className: "attn-inner" }, arcs, line)),
      means,
    );
    return { arcs, line, means, made, weights: [] };
  });

  // A ribbon is a stroke, as wide as its weight all the way. Side by side they leave "minute", and none crosses another:
  // to the left the nearest first, to the right the farthest, and at last the loop to itself.
  function ribbons({ arcs, line, weights }) {
    const places = [...line.children].map((word) => word.offsetLeft + word.offsetWidth / 2),
      own = sentence("").indexOf("minute");
    let from = places[own] - thick / 2;
    for (const j of [...places.keys()].sort((a, b) => (a >= own) - (b >= own) || b - a)) {
      const wide = thick * weights[j],
        start = from + wide / 2,
        goal = places[j] + (j === own ? 30 : 0);
      const top = high - Math.min(116, 34 + Math.abs(goal - start) / 2),
        arc = arcs.children[j];
      const d = `M${start} ${high}C${start} ${top} ${goal} ${top} ${goal} ${high}`;
      arc.setAttribute("d", d);
      // What a style says can move.
      Object.assign(arc.style, { d: `path("${d}")`, strokeWidth: `${Math.max(wide, 0.8)}px` });
      from += wide;
    }
  }

  function write(spoken) {
    readings.forEach(({ arcs, line, made }, s) => {
      const texts = sentence(two()[s]);
      arcs.replaceChildren(...texts.map(() => drawing("path")));
      line.replaceChildren(
        ...texts.map((text) =>
          element("div", {}, element(text === "minute" ? "b" : "span", { textContent: text }), element("small")),
        ),
      );
      made.style.setProperty("--letters", texts.join("  ").length);
    });
    paint(spoken);
  }

  // ---- the plane: the area of each answer, all clues faintly, and the two that are read ----

  const areas = names.map(() => drawing("path", { class: "attn-area" })),
    signs = names.map(() => drawing("text", { class: "attn-name" }));
  const faint = all.map((clue) => drawing("g", { class: "attn-faint" }, mark(meant(clue))));
  const points = pair.map(() => drawing("g", { class: "attn-chosen" })),
    tags = pair.map(() => drawing("text"));
  const put = (text, [x, y]) => {
    text.setAttribute("x", Math.max(-115, Math.min(115, x)));
    text.setAttribute("y", y);
  };

  // What is left of a shape where a number that changes evenly over it is not below zero.
  const cut = (corners, number) =>
    corners.flatMap((corner, i) => {
      const next = corners.at(i - 1),
        [a, b] = [corner, next].map(number),
        share = a / (a - b);
      return [
        ...(a * b < 0 ? [corner.map((each, d) => each + share * (next[d] - each))] : []),
        ...(a < 0 ? [] : [corner]),
      ];
    });

  function draw(contexts) {
    const end = 2 * data.reach,
      marks = all.map((clue) => at(read(clue).context)),
      room = names.map(() => 0);
    names.forEach((_, m) => {
      const shape = names.reduce(
        (left, _, n) => cut(left, (point) => answer(point)[m] - answer(point)[n]),
        [
          [-end, -end],
          [end, -end],
          [end, end],
          [-end, end],
        ],
      );
      areas[m].setAttribute("d", `M${shape.map(at).join("L")}z`);
      signs[m].textContent = "";
    });
    // An area's name stands in it where the most room is.
    for (let x = -105; x <= 105; x += 15)
      for (let y = -130; y <= 140; y += 15) {
        const [m, ...edges] = [0, -40, 40].map((side) => most(answer([(x + side) / unit, -y / unit])));
        const free = Math.min(...marks.map(([a, b]) => Math.hypot((x - a) / 2, y - b)));
        if (free > room[m] && edges.every((each) => each === m)) {
          room[m] = free;
          signs[m].textContent = names[m];
          put(signs[m], [x, y]);
        }
      }
    marks.forEach((place, c) => move(faint[c], place, 0.8));
    const places = contexts.map(at),
      above = places[0][1] <= places[1][1] ? 0 : 1;
    places.forEach(([x, y], s) => {
      points[s].replaceChildren(mark(meant(two()[s])));
      move(points[s], [x, y], 1.7);
      tags[s].textContent = two()[s];
      put(tags[s], [x, y + (s === above ? -15 : 26)]);
    });
  }

  function paint(spoken) {
    const found = two().map(read);
    draw(found.map(({ context }) => context));
    say(
      found.flatMap(({ weights, answers }, s) => {
        const reading = Object.assign(readings[s], { weights }),
          best = most(weights),
          first = most(answers),
          own = meant(two()[s]);
        const texts = sentence(two()[s]),
          sure = fixed(answers[first]);
        [...reading.line.children].forEach((word, j) => {
          word.className = j === best ? "attn-most" : "";
          word.lastChild.textContent = fixed(weights[j]);
        });
        reading.means.replaceChildren(
          "means",
          element("b", {}, named(first), ` ${sure}`),
          first === own ? "✓ right" : `✗ wrong: it is ${names[own]}`,
          element(
            "span",
            {},
            names.flatMap((name, m) => (m === first ? [] : `${name} ${fixed(answers[m])}`)).join(", "),
          ),
        );
        ribbons(reading);
        return `${s ? " " : ""}“minute ${two()[s]}”: most attention goes to “${texts[best]}” (${fixed(weights[best])}), and the answer is “${names[first]}” (${sure}).`;
      }),
      spoken,
    );
  }

  const maker = element(
    "div",
    { className: "attn-maker" },
    ...shared.slice(0, 2),
    element("b", {}, "minute"),
    element("div", { className: "attn-fork" }, ...forked),
    shared[2],
  );
  const which = choice("The network is", kinds, 0, (place) => {
    head = heads[kinds[place]];
    paint(true);
  });
  body.replaceChildren(
    body.querySelector(".attn-lead"),
    maker,
    which,
    element(
      "div",
      { className: "attn-side" },
      element("div", { className: "attn-readings" }, ...readings.map(({ made }) => made)),
      element(
        "div",
        { className: "attn-ends" },
        plane("What “minute” becomes", ...areas, ...faint, ...signs, ...points, ...tags),
        legend(),
        element("p", {}, "“minute” becomes a point; its area is the answer. Faint: the other clues."),
      ),
    ),
  );
  hint.textContent = "Choose other words, or see a network that has learned nothing yet.";
  const watch = new ResizeObserver(() => readings.forEach(ribbons));
  readings.forEach(({ line }) => watch.observe(line));
  write(false);
});
