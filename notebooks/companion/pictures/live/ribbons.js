// A map of weights as ribbons between two rows of words, each as wide as its weight; those of one word stand out.
(({ tools }) => {
  const { svg, twoDecimals } = tools;

  // `pointable` gets each query's name, and its number.
  function weave(queries, keys, pointable) {
    const [high, column] = [150, 480 / Math.max(queries.length, keys.length)],
      most = Math.min(0.8 * column, 36); // how wide the weight 1 is
    const at = (place, count) => 240 + (place - (count - 1) / 2) * column;
    // A query that is one of the keys, too, stands over it.
    const same = queries.map((query) => keys.indexOf(query)),
      over = !same.includes(-1) && new Set(same).size === same.length,
      top = (i) => (over ? at(same[i], keys.length) : at(i, queries.length));
    const write = (role, text, x, y) => svg("text", { class: `attn-${role}`, x, y }, text);
    const rows = queries.map((query, i) => {
      const name = write("query", query, top(i), -8),
        shares = keys.map((_, j) => write("share", "", at(j, keys.length), high + 44)),
        ribbons = keys.map(() => ["gap", "ribbon"].map((kind) => svg("path", { class: `attn-${kind}` })));
      pointable(name, i);
      return { shares, ribbons, group: svg("g", ...ribbons.flat(), name, ...shares) };
    });
    const asks = svg("g", ...rows.map((row) => row.group));
    const names = keys.map((key, j) => write("key", key, at(j, keys.length), high + 22));
    const sides = Object.entries({ asks: -8, "is read": high + 22, weight: high + 44 });
    names.push(...sides.map(([text, y]) => write("side-name", text, -8, y)));
    const look = { viewBox: `-74 -28 564 ${high + 80}`, "aria-hidden": "true" };
    const drawn = svg("svg.attn-flow", look, asks, ...names);
    const flow = (row, i) => {
      let from = top(i) - most / 2;
      row.forEach((weight, j) => {
        const wide = most * weight,
          [start, end] = [from + wide / 2, at(j, keys.length)];
        from += wide;
        rows[i].shares[j].textContent = twoDecimals(weight);
        rows[i].ribbons[j].forEach((path, over) => {
          path.setAttribute("d", `M${start} 0C${start} ${0.6 * high} ${end} ${0.4 * high} ${end} ${high}`);
          path.setAttribute("stroke-width", weight < 0.02 ? 0 : wide + (over ? 0 : 3));
        });
      });
    };
    const mark = (query) => {
      rows.forEach(({ group }, i) => group.classList.toggle("attn-asking", i === query));
      asks.append(rows[query].group); // over the others
    };
    return { drawn, spread: (map) => map.forEach(flow), mark };
  }

  tools.weave = weave;
})(attentionLive);
