// Arrows in a row of words, from one to each that it gives a twentieth or more: above the row, or below it.
(({ tools }) => {
  const { svg, setAttributes } = tools,
    HIGH = 66;
  const arcs = () => svg("svg.attn-arcs", { height: HIGH, "aria-hidden": "true" });

  // Draw the arrows of one head; told: what stands beside the arrow to a place that gets a weight.
  function bend(sky, line, asks, weights, below, told) {
    const places = [...line.children].map((word) => word.offsetLeft + word.offsetWidth / 2),
      at = (y) => (below ? y : HIGH - y);
    const arrows = weights.flatMap((weight, j) => {
      if (weight < 0.05) return [];
      const loop = 9 * (j === asks),
        [start, goal] = [places[asks] - loop, places[j] + loop];
      return [{ weight, start, goal, top: Math.min(60, 30 + Math.abs(goal - start) / 6), name: told(weight, j) }];
    });
    const parts = arrows.map(({ weight, start, goal, top, name }) => {
      const side = 3 + 5 * weight;
      const d = `M${start} ${at(2)}C${start} ${at(top)} ${goal} ${at(top)} ${goal} ${at(10)}`,
        way = svg("path", { d });
      way.style.strokeWidth = 9 * weight;
      const tip = svg("path.attn-tip", { d: `M${goal - side} ${at(11)}H${goal + side}L${goal} ${at(1)}z` });
      const text = svg("text", {}, name),
        half = 3.4 * name.length; // nearly as wide as it is
      const x = Math.max(half, Math.min((start + goal) / 2, line.offsetWidth - half));
      // It stands over the other arrows here, too, but for those with a name of their own.
      const crossed = (each) =>
        !each.name && Math.abs(2 * x - each.start - each.goal) < 2 * half + Math.abs(each.start - each.goal);
      const roof = Math.max(top, ...arrows.filter(crossed).map((each) => each.top));
      setAttributes(text, { x, y: at(0.75 * roof + 14) + 4 });
      return [way, tip, text];
    });
    sky.replaceChildren(...parts.flatMap(([way, tip]) => [way, tip]), ...parts.map(([, , text]) => text));
  }

  Object.assign(tools, { arcs, bend });
})(attentionLive);
