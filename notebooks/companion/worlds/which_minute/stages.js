// Words as lanes through random layers: attention alone, beside it with the parts that are ticked.
attentionLive.define("stages", (tools) => {
  const { data, body, hint, say, element, svg, button, slider } = tools;
  const { words, parts, draws } = data,
    middle = (words.length - 1) / 2,
    state = { draw: 0, depth: data.depth, ticked: parts.map(() => true) };
  const WIDE = 280, // pixels of all layers
    APART = 34,
    LEFT = 88,
    high = APART * words.length + 26;
  const percents = (share) => `${Math.round(100 * share)}%`;

  // A panel of lanes, which are as far apart as the words can be told apart before each layer and after the last.
  function panel(title, shares) {
    const depth = shares.length - 1,
      step = WIDE / depth,
      every = Math.ceil(depth / 4); // how many layers have one number
    const layers = Array.from({ length: depth }, (_, layer) => [
      svg("rect", { x: LEFT + step * (layer + 0.3), y: 4, width: 0.4 * step, height: high - 26, rx: 3 }),
      svg("text.attn-name", { x: LEFT + step * (layer + 0.5), y: -5 }, `${layer + 1}`),
    ]);
    const lanes = words.flatMap((word, place) => {
      const fade = 0.95 - (0.5 * place) / (words.length - 1 || 1);
      const [first, ...later] = shares.map((share) => (high - 22) / 2 + (place - middle) * APART * share);
      const way = later.map((y, at) => {
        const [x, before] = [LEFT + step * at, at ? later[at - 1] : first];
        const [from, mid, to] = [0.3, 0.5, 0.7].map((part) => x + step * part);
        return `H${from}C${mid} ${before} ${mid} ${y} ${to} ${y}`;
      });
      const d = `M${LEFT} ${first}${way.join("")}H${LEFT + WIDE + 14}`;
      return [svg("path", { "stroke-opacity": fade, d }), svg("text.attn-word", { x: LEFT - 8, y: first + 5 }, word)];
    });
    const numbers = shares.map((share, at) =>
      svg("text", { x: LEFT + step * at, y: high - 2 }, (depth - at) % every ? "" : percents(share)),
    );
    const look = { viewBox: `0 -18 ${LEFT + WIDE + 24} ${high + 20}`, "aria-hidden": true };
    const named = [
      svg("text.attn-word.attn-name", { x: LEFT - 8, y: -5 }, "layer"),
      svg("text.attn-word.attn-name", { x: LEFT - 22, y: high - 2 }, "told apart"),
    ];
    const drawn = svg("svg.attn-lanes", look, ...named, ...layers.flat(), ...lanes, ...numbers);
    return element("div", element("b", title), drawn);
  }
  const both = element("div.attn-side");
  const layers = { min: 1, max: draws[0][0].length - 1, value: state.depth };
  const deep = slider("layers", layers, (depth, spoken) => paint({ depth }, spoken), String);

  const boxes = parts.map((part, place) => {
    const box = element("input", { type: "checkbox", checked: true });
    box.onchange = () => paint({ ticked: state.ticked.with(place, box.checked) });
    return element("label", box, " ", part);
  });
  const again = button("other random layers", () => paint({ draw: (state.draw + 1) % draws.length }));

  function paint(change, spoken = true) {
    Object.assign(state, change);
    const ways = draws[state.draw],
      which = state.ticked.reduce((sum, ticked, place) => sum + ticked * 2 ** place, 0),
      named = parts.filter((_, place) => state.ticked[place]),
      added = named.length ? `with ${named.join(", ").replace(/, ([^,]*)$/, " and $1")}` : "with nothing around it";
    const first = (shares) => shares.slice(0, state.depth + 1);
    both.replaceChildren(panel("attention alone", first(ways[0])), panel("with the ticked parts", first(ways[which])));
    const [alone, other] = [ways[0], ways[which]].map((shares) => percents(shares[state.depth]));
    const end = `${alone} with attention alone, ${other} ${added}.`;
    const count = `${state.depth} layer${state.depth > 1 ? "s" : ""}`;
    const told = named.length < parts.length ? ` ${data.else}` : ""; // all are ticked at first: then it is the question
    say([`How well the words can be told apart after ${count}: ${end}${told}`], spoken);
  }

  const around = element("fieldset", element("legend", "around attention"), ...boxes);
  body.replaceChildren(element("div.attn-controls", around, deep.made, again), both);
  hint.textContent = "Untick a part: which one keeps the lanes apart? Then try more layers, and others.";
  paint({}, false);
});
