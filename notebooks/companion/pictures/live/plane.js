// The plane, for pictures whose vectors are arrows: its origin in the middle, its second number upwards.
// margin: by how much it shows more than its reach.
attentionLive.plane ??= (tools, { size, reach, margin }) => {
  const { svg, setAttributes, draggable, answerKeys, twoDecimals } = tools,
    half = size / 2,
    unit = half / reach / margin,
    far = 2 * size;
  const at = ([x, y]) => [x * unit, -y * unit];
  const degrees = (y, x) => (Math.atan2(y, x) * 180) / Math.PI;
  const written = (vector) => `(${vector.map(twoDecimals).join(", ")})`;

  const within = (number, end) => Math.max(-end, Math.min(end, number));

  // An arrow from the origin; its name stands `beyond` its tip, where it points or any other `way`, and in the picture.
  function arrow(role, thick, text, beyond) {
    const shaft = svg("line", { stroke: `var(--${role})`, "stroke-width": thick });
    const head = svg("path", { fill: `var(--${role})`, d: "M 0 0 l -13 -6 v 12 z" });
    const look = { fill: `var(--${role}-ink)`, "dominant-baseline": "central", "text-anchor": "middle" };
    const name = svg("text", look, text.length > 12 ? `${text.slice(0, 11)}…` : text);
    function point(tip, way = tip) {
      const [x, y] = at(tip),
        neck = Math.max(0, 1 - 10 / Math.hypot(x, y));
      const [side, up] = way.map((each) => each / (Math.hypot(...way) || 1));
      setAttributes(shaft, { x2: x * neck, y2: y * neck });
      setAttributes(head, { transform: `translate(${x} ${y}) rotate(${degrees(y, x)})` });
      const wide = name.getComputedTextLength() / 2,
        lean = side > 0.3 ? wide : side < -0.3 ? -wide : 0;
      const across = within(x + side * beyond + lean, half - wide - 4);
      setAttributes(name, { x: across, y: within(y - up * beyond, half - 10) });
    }
    return { point, name, made: svg("g", shaft, head) };
  }

  function grid() {
    const apart = Math.ceil(reach / 5),
      lines = [];
    for (let step = -2 * reach; step <= 2 * reach; step += apart) {
      const place = step * unit,
        look = { "stroke-width": step ? 0.6 : 1.6 };
      lines.push(svg("line", { x1: place, x2: place, y1: -far, y2: far, ...look }));
      lines.push(svg("line", { x1: -far, x2: far, y1: -place, y2: -place, ...look }));
    }
    return svg("g", { stroke: "var(--edge)" }, ...lines);
  }

  // A tip to take hold of: by pointer, or by the arrow keys in steps of a tenth; Home brings it back to its start.
  function handle(role, name, r, start, moved) {
    let tip = start;
    const style = `--fill:var(--${role});--ink-of:var(--${role}-ink)`,
      range = { "aria-label": name, "aria-valuemin": -reach, "aria-valuemax": reach };
    const made = svg("circle.attn-handle", { style, r, tabindex: 0, role: "slider", ...range });
    function put(next) {
      tip = next;
      const [cx, cy] = at(tip);
      setAttributes(made, { cx, cy, "aria-valuenow": tip[0], "aria-valuetext": written(tip) });
    }
    function move(next, spoken) {
      put(next.map((each) => Math.round(10 * within(each, reach)) / 10 + 0));
      moved(tip, spoken);
    }
    draggable(made, (event) => {
      const place = new DOMPoint(event.clientX, event.clientY);
      const { x, y } = place.matrixTransform(made.ownerSVGElement.getScreenCTM().inverse());
      move([x / unit, -y / unit], false);
    });
    // Chromium heeds no touch-action of a part of an SVG, and would scroll.
    made.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    const by = (x, y) => () => move([tip[0] + x, tip[1] + y], true);
    const across = { ArrowRight: by(0.1, 0), ArrowLeft: by(-0.1, 0) };
    answerKeys(made, { ...across, ArrowUp: by(0, 0.1), ArrowDown: by(0, -0.1), Home: () => move(start, true) });
    put(start);
    return { made, put };
  }

  // What is drawn, and the handles that alone are spoken of.
  function sheet(drawn, handles) {
    const look = { viewBox: `${-half} ${-half} ${size} ${size}`, role: "group", "aria-label": "The plane" };
    return svg("svg.attn-plane", look, svg("g", { "aria-hidden": "true" }, ...drawn), ...handles);
  }

  return { far, at, degrees, written, arrow, grid, handle, sheet };
};
