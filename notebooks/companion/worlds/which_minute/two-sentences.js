// Which minute? Two sentences, each with a word that tells: where "minute" looks, and what it comes to mean.
attentionLive.define("two-sentences", (tools) => {
  const { data, body, hint, say, twoDecimals, element, svg, setAttributes, softmax, choice } = tools,
    { forms, menus, pair, names, heads, tells } = data;
  const { mark, named, menu, unit, at, move, plane } = attentionLive.meanings(tools, names, data.reach);
  const words = data.words.split(" "),
    clues = data.clues.map((each) => each.split(" ")),
    all = clues.flat();
  const meant = (clue) => clues.findIndex((each) => each.includes(clue));
  const most = (numbers) => numbers.indexOf(Math.max(...numbers)),
    kinds = Object.keys(heads);
  const seen = (share) => share >= 0.005; // the rest would be printed as 0.00
  let kind = kinds[0];

  // ---- the sentences: in each, a menu has the word that tells ----

  const forked = pair.map((clue, s) => {
    const groups = menus[s].map((m) => [`“minute” is ${names[m]}`, clues[m]]);
    return menu(`clue of sentence ${s + 1}`, groups, clue, () => paint(true));
  });
  const two = () => forked.map((each) => each.value);
  const sentence = (clue, s) => forms[s].replace("{}", clue).split(" ");

  // What the head makes of a sentence, as in Python.
  const answer = ([a, b]) => heads[kind].answers.map(([x, y, bias]) => x * a + y * b + bias);
  function read(clue, s) {
    const ids = sentence(clue, s).map((word) => words.indexOf(word)),
      weights = softmax(ids.map((id) => heads[kind].scores[id]));
    const values = ids.map((id) => heads[kind].values[id]);
    const context = [0, 1].map((d) => weights.reduce((sum, weight, j) => sum + weight * values[j][d], 0));
    return { weights, context, answers: softmax(answer(context)) };
  }

  // ---- each sentence as it is read: arrows from "minute" to its words, and the answer ----

  const high = innerWidth < 640 ? 56 : 70,
    thick = 26;
  const readings = forked.map((fork, s) => {
    const texts = forms[s].split(" "),
      own = texts.indexOf("minute");
    const word = (text) => element(text === "minute" ? "b" : "span", { textContent: text });
    const cells = texts.map((text) => element("div", text === "{}" ? fork : word(text), element("small")));
    const arrows = texts.map(() => svg("g", svg("path"), svg("path"))),
      arcs = svg("svg.attn-arcs", { height: high, "aria-hidden": "true" }, ...arrows),
      line = element("div.attn-words", ...cells),
      means = element("div.attn-answer");
    const made = element("div.attn-reading", element("div.attn-scroll", element("div.attn-inner", arcs, line)), means);
    return { arcs, line, own, means, made, weights: [] };
  });

  // An arrow is a stroke, as wide as its weight all the way. Side by side they leave "minute", and none crosses another:
  // to the left the nearest first, to the right the farthest, and at last the loop to itself.
  function ribbons({ arcs, line, own, weights }) {
    const places = [...line.children].map((word) => word.offsetLeft + word.offsetWidth / 2);
    let from = places[own] - thick / 2;
    for (const j of [...places.keys()].sort((a, b) => (a >= own) - (b >= own) || b - a)) {
      const wide = thick * weights[j],
        start = from + wide / 2,
        goal = places[j] + (j === own ? 30 : 0),
        half = wide / 2 + 5,
        end = high - 9 - wide / 3;
      const top = high - Math.min(high - 3, 34 + Math.abs(goal - start) / 2);
      const arrow = arcs.children[j];
      arrow.style.cssText = `stroke-width:${Math.max(wide, 0.8)};opacity:${weights[j] >= 0.02 ? 0.8 : 0}`;
      [
        `M${start} ${high}C${start} ${top} ${goal} ${top} ${goal} ${end + 1}`,
        `M${goal - half} ${end}H${goal + half}L${goal} ${high}z`,
      ].forEach((d, part) => {
        arrow.children[part].setAttribute("d", d);
        arrow.children[part].style.d = `path("${d}")`; // what a style says can move
      });
      from += wide;
    }
  }

  // ---- the plane: the area of each answer, all clues faintly, and the two that are read ----

  const areas = names.map(() => svg("path.attn-area")),
    signs = names.map(() => svg("text.attn-name"));
  const faint = all.map((clue) => svg("g.attn-faint", mark(meant(clue))));
  const points = pair.map(() => svg("g.attn-chosen")),
    tags = pair.map(() => svg("text"));
  const put = (text, [x, y]) => {
    const inside = Math.max(-115, Math.min(115, x));
    setAttributes(text, { x: inside, y });
    return [inside, y - 5];
  };

  // What is left of a shape where a number that changes evenly over it is not below zero.
  const cut = (corners, number) =>
    corners.flatMap((corner, i) => {
      const next = corners.at(i - 1),
        [a, b] = [corner, next].map(number),
        share = a / (a - b);
      const between = a * b < 0 ? [corner.map((each, d) => each + share * (next[d] - each))] : [];
      return a < 0 ? between : [...between, corner];
    });

  const marks = () => all.map((clue) => at(read(clue, 0).context));

  function draw(contexts) {
    const end = 2 * data.reach,
      places = contexts.map(at),
      above = places[0][1] <= places[1][1] ? 0 : 1,
      others = marks();
    others.forEach((place, c) => move(faint[c], place, 0.8));
    const beside = places.map(([x, y], s) => {
      points[s].replaceChildren(mark(meant(two()[s])));
      move(points[s], [x, y], 1.7);
      tags[s].textContent = s && two()[0] === two()[1] ? "" : two()[s];
      return put(tags[s], [x, y + (s === above ? -15 : 26)]);
    });
    // An area's name stands in it, as near to the clues of its meaning as neither they nor their words are in its way.
    const taken = [...others, ...beside],
      nearest = names.map(() => Infinity);
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
    for (let x = -105; x <= 105; x += 10)
      for (let y = -130; y <= 140; y += 10) {
        const [m, ...edges] = [0, -40, 40].map((side) => most(answer([(x + side) / unit, -y / unit])));
        const own = others.filter((_, c) => meant(all[c]) === m),
          far = Math.max(...own.map(([a, b]) => Math.hypot(x - a, y - b)));
        const free = taken.every(([a, b]) => Math.hypot((x - a) / 2, y - 5 - b) > 24);
        if (free && far < nearest[m] && edges.every((each) => each === m)) {
          nearest[m] = far;
          signs[m].textContent = `${"●▲■"[m]} ${names[m]}`;
          put(signs[m], [x, y]);
        }
      }
  }

  function paint(spoken) {
    const found = two().map(read);
    tell.textContent = tells[kind];
    draw(found.map(({ context }) => context));
    const says = found.map(({ weights, answers }, s) => {
      const reading = Object.assign(readings[s], { weights }),
        best = most(weights),
        first = most(answers),
        own = meant(two()[s]);
      const texts = sentence(two()[s], s),
        told = answers.map((share) => `${Math.round(100 * share)}%`),
        sure = `${told[first]} sure`;
      const others = names.flatMap((name, m) => (m !== first && seen(answers[m]) ? `${name} ${told[m]}` : [])),
        rest = others.join(", ");
      const blind = seen(weights[texts.indexOf(two()[s])]) ? "" : `: it found no clue, so it answers ${names[first]}`,
        how = kind === kinds[1] ? ", by luck" : blind;
      reading.made.style.setProperty("--letters", texts.join("  ").length + 3);
      [...reading.line.children].forEach((word, j) => {
        word.className = j === best ? "attn-most" : "";
        word.lastChild.textContent = seen(weights[j]) || word.contains(forked[s]) ? twoDecimals(weights[j]) : "";
      });
      reading.means.replaceChildren(
        "means",
        element("b", named(first)),
        element("span.attn-meaning", sure),
        element("div", first === own ? `✓ right${how}` : `✗ wrong: it is ${names[own]}`, element("div", rest)),
      );
      ribbons(reading);
      return `${s ? " " : ""}In sentence ${s + 1}, most attention goes to “${texts[best]}” (${twoDecimals(weights[best])}), and the answer is “${names[first]}” (${sure}).`;
    });
    say(says, spoken);
  }

  const which = choice("Network", kinds, 0, (place) => {
      kind = kinds[place];
      paint(true);
    }),
    tell = element("p"),
    map = plane("What “minute” becomes", ...areas, ...faint, ...signs, ...points, ...tags);
  // The mark that is nearest to a finger gives its clue to sentence 1; the menu does the same by keyboard.
  map.onclick = ({ clientX, clientY }) => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM().inverse());
    forked[0].value = all[most(marks().map(([a, b]) => -Math.hypot(a - x, b - y)))];
    paint(true);
  };
  const legend =
    "Each mark stands for a word in sentence 1. The area around it is the network's answer, its shape the right one. Press a mark to try its word.";
  const both = element("div.attn-readings", ...readings.map(({ made }) => made));
  body.replaceChildren(
    element("p.attn-lead", data.lead),
    element("div.attn-network", which, tell),
    element("div.attn-side", both, element("div.attn-ends", map, element("p", legend))),
  );
  hint.textContent = "Choose other words, or the untrained network.";
  const watch = new ResizeObserver(() => readings.forEach(ribbons));
  readings.forEach(({ line }) => watch.observe(line));
  paint(false);
});
