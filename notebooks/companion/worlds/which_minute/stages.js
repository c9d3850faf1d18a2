// Words as lanes through random layers: attention alone, beside it with the parts that are ticked.
attentionLive.define("stages", (tools) => {
  const { data, body, hint, say, element, drawing, set, button } = tools;
  const { words, parts, draws } = data,
    middle = (words.length - 1) / 2,
    depth = draws[0][0].length - 1,
    state = { draw: 0, ticked: parts.map(() => true) };
  const STEP = 70,
    APART = 34,
    LEFT = 80,
    high = APART * words.length + 26;
  const percents = (share) => `${Math.round(100 * share)}%`;

  // The lanes are as far apart as the words can be told apart.
  function panel() {
    const layers = Array.from({ length: depth }, (_, layer) =>
      drawing("rect", { x: LEFT + STEP * (layer + 0.3), y: 4, width: 0.4 * STEP, height: high - 26, rx: 3 }),
    );
    const lanes = words.map((word, place) => {
      const fade = 0.95 - (0.5 * place) / (words.length - 1 || 1);
      return {
        name: drawing("text.attn-word", { x: LEFT - 8 }, word),
        path: drawing("path", { "stroke-opacity": fade }),
      };
    });
    const numbers = Array.from({ length: depth + 1 }, (_, at) => drawing("text", { x: LEFT + STEP * at, y: high - 2 }));
    const look = { viewBox: `0 0 ${LEFT + STEP * depth + 24} ${high}`, "aria-hidden": true };
    const all = [...layers, ...lanes.flatMap(({ path, name }) => [path, name]), ...numbers];
    const title = element("b"),
      made = element("div", title, drawing("svg.attn-lanes", look, ...all));
    const show = (name, shares) => {
      title.textContent = name;
      lanes.forEach(({ name, path }, place) => {
        const [first, ...later] = shares.map((share) => (high - 22) / 2 + (place - middle) * APART * share);
        const way = later.map((y, at) => {
          const [x, before] = [LEFT + STEP * at, at ? later[at - 1] : first];
          const [from, mid, to] = [0.3, 0.5, 0.7].map((part) => x + STEP * part);
          return `H${from}C${mid} ${before} ${mid} ${y} ${to} ${y}`;
        });
        set(path, { d: `M${LEFT} ${first}${way.join("")}H${LEFT + STEP * depth + 14}` });
        set(name, { y: first + 5 });
      });
      numbers.forEach((number, at) => {
        number.textContent = percents(shares[at]);
      });
    };
    return { made, show };
  }
  const sides = [panel(), panel()];

  const boxes = parts.map((part, place) => {
    const box = element("input", { type: "checkbox", checked: true });
    box.onchange = () => {
      state.ticked[place] = box.checked;
      paint();
    };
    return element("label", box, " ", part);
  });
  const again = button("other random layers", () => {
    state.draw = (state.draw + 1) % draws.length;
    paint();
  });

  function paint(spoken = true) {
    const ways = draws[state.draw],
      which = state.ticked.reduce((sum, ticked, place) => sum + ticked * 2 ** place, 0),
      named = parts.filter((_, place) => state.ticked[place]),
      added = named.length ? `with ${named.join(", ").replace(/, ([^,]*)$/, " and $1")}` : "with nothing around it";
    sides[0].show("attention alone", ways[0]);
    sides[1].show("with the ticked parts", ways[which]);
    const [alone, other] = [ways[0], ways[which]].map((shares) => percents(shares[depth]));
    const end = `${alone} with attention alone, ${other} ${added}.`;
    say([`How well the words can be told apart after ${depth} layers: ${end}`], spoken);
  }

  body.replaceChildren(
    element("div.attn-controls", element("fieldset", element("legend", "around attention"), ...boxes), again),
    element("div.attn-side", ...sides.map(({ made }) => made)),
  );
  hint.textContent = "Untick a part: which one keeps the lanes apart? Then try other random layers.";
  paint(false);
});
