// Weights that a hand can move, a slider for each: the others give way in proportion, and the sum stays 1.
attentionLive.shares ??= ({ element, slider }, names, weights, change) => {
  // With one key alone, nothing could give way.
  const range = { min: names.length > 1 ? 0 : 1, max: 1, step: 0.01 };
  let held = weights;
  const sliders = names.map((name, j) =>
    slider(`weight of ${name}`, { ...range, value: weights[j] }, (weight) => move(j, weight)),
  );
  sliders.forEach(({ range }) => {
    range.onchange = () => change(held, true);
  });
  const cells = sliders.map(({ number, range }) =>
    element("td", { className: "attn-weight", style: "color:var(--weight-ink)" }, number, range),
  );

  function set(next, moved) {
    held = next;
    sliders.forEach((each, j) => {
      if (j !== moved) each.set(next[j]);
    });
  }

  function move(j, weight) {
    const others = held.reduce((sum, each, i) => (i === j ? sum : sum + each), 0);
    set(
      held.map((each, i) =>
        i === j ? weight : (1 - weight) * (others > 1e-9 ? each / others : 1 / (names.length - 1)),
      ),
      j,
    );
    change(held, false);
  }
  return { cells, set };
};
