// Words as lanes through random layers: attention alone, beside it with the parts that are ticked.
attentionLive.define("stages", (tools) => {
  const { data, body, hint, say, element, svgElement, setAttributes, button, slider } = tools;
  const { words, parts, draws } = data,
    middle = (words.length - 1) / 2,
    state = { draw: 0, depth: data.depth, ticked: parts.map(() => true) };
  const WIDE = 280, // pixels of all layers
    APART = 34,
    LEFT = 88,
    high = APART * words.length + 26;
  const percents = (share) => `${Math.round(100 * share)}%`;

  // The lanes are as far apart as the words can be told apart.
  function panel(depth) {
    const STEP = WIDE / depth,
      every = Math.ceil(depth / 4); // how many layers have one number
    const layers = Array.from({ length: depth }, (_, layer) => [
      svgElement("rect", { x: LEFT + STEP * (layer + 0.3), y: 4, width: 0.4 * STEP, height: high - 26, rx: 3 }),
      svgElement("text.attn-name", { x: LEFT + STEP * (layer + 0.5), y: -5 }, `${layer + 1}`),
    ]);
    const lanes = words.map((word, place) => {
      const fade = 0.95 - (0.5 * place) / (words.length - 1 || 1);
      return {
        name: svgElement("text.attn-word", { x: LEFT - 8 }, word),
        path: svgElement("path", { "stroke-opacity": fade }),
      };
    });
    const numbers = Array.from({ length: depth + 1 }, (_, at) =>
      svgElement("text", { x: LEFT + STEP * at, y: high - 2 }),
    );
    const look = { viewBox: `0 -18 ${LEFT + WIDE + 24} ${high + 20}`, "aria-hidden": true };
    const named = [
      svgElement("text.attn-word.attn-name", { x: LEFT - 8, y: -5 }, "layer"),
      svgElement("text.attn-word.attn-name", { x: LEFT - 22, y: high - 2 }, "told apart"),
    ];
    const all = [...named, ...layers.flat(), ...lanes.flatMap(({ path, name }) => [path, name]), ...numbers];
    const title = element("b"),
      made = element("div", title, svgElement("svg.attn-lanes", look, ...all));
    const show = (name, shares) => {
      title.textContent = name;
      lanes.forEach(({ name, path }, place) => {
        const [first, ...later] = shares.map((share) => (high - 22) / 2 + (place - middle) * APART * share);
        const way = later.map((y, at) => {
          const [x, before] = [LEFT + STEP * at, at ? later[at - 1] : first];
          const [from, mid, to] = [0.3, 0.5, 0.7].map((part) => x + STEP * part);
          return `H${from}C${mid} ${before} ${mid} ${y} ${to} ${y}`;
        });
        setAttributes(path, { d: `M${LEFT} ${first}${way.join("")}H${LEFT + WIDE + 14}` });
        setAttributes(name, { y: first + 5 });
      });
      numbers.forEach((number, at) => {
        number.textContent = (depth - at) % every ? "" : percents(shares[at]);
      });
    };
    return { made, show };
  }
  const both = element("div.attn-side");
  let sides;
  function stack(depth) {
    state.depth = depth;
    sides = [panel(depth), panel(depth)];
    both.replaceChildren(...sides.map(({ made }) => made));
  }
  const layers = { min: 1, max: draws[0][0].length - 1, step: 1, value: state.depth };
  const deep = slider("layers", layers, (depth, spoken) => (stack(depth), paint(spoken)), String);

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
    const first = (shares) => shares.slice(0, state.depth + 1);
    sides[0].show("attention alone", first(ways[0]));
    sides[1].show("with the ticked parts", first(ways[which]));
    const [alone, other] = [ways[0], ways[which]].map((shares) => percents(shares[state.depth]));
    const end = `${alone} with attention alone, ${other} ${added}.`;
    const count = `${state.depth} layer${state.depth > 1 ? "s" : ""}`;
    const told = named.length < parts.length ? ` ${data.else}` : ""; // all are ticked at first: then it is the question
    say([`How well the words can be told apart after ${count}: ${end}${told}`], spoken);
  }

  body.replaceChildren(
    element(
      "div.attn-controls",
      element("fieldset", element("legend", "around attention"), ...boxes),
      deep.made,
      again,
    ),
    both,
  );
  hint.textContent = "Untick a part: which one keeps the lanes apart? Then try more layers, and others.";
  stack(state.depth);
  paint(false);
});
