// The marks of the meanings, a circle, a triangle and a square: beside words, and in a plane from -reach to reach.
attentionLive.meanings ??= ({ element, svg }, names, reach) => {
  const shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M0-6L6 5H-6z", "M-5-5h10v10h-10z"],
    unit = 136 / reach;
  const mark = (meaning) => svg("path.attn-mark", { d: shapes[meaning] });
  const sign = (meaning) => svg("svg.attn-sign", { viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark(meaning));
  // A meaning in words, behind its mark.
  const named = (meaning) => element("span.attn-meaning", sign(meaning), ` ${names[meaning]}`);
  const legend = () => element("div.attn-legend", ...names.map((_, meaning) => named(meaning)));
  const at = ([x, y]) => [x * unit, -y * unit];
  // By a style, which can glide.
  const move = (drawn, [x, y], size) => {
    drawn.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
  };
  // Words to choose from, in groups that have names.
  const menu = (ariaLabel, groups, chosen, onchange) => {
    const options = (words) => words.map((word) => new Option(word, undefined, false, word === chosen));
    const parts = groups.map(([label, words]) => element("optgroup", { label }, ...options(words)));
    return element("select", { ariaLabel, onchange }, ...parts);
  };
  const plane = (name, ...drawn) =>
    svg(
      "svg.attn-plane",
      { viewBox: "-150 -150 300 300", role: "img", "aria-label": name },
      svg("path.attn-axes", { d: "M-150 0H150M0-150V150" }),
      ...drawn,
    );
  return { mark, sign, named, legend, menu, unit, at, move, plane };
};
