// What the pictures with tables of weights share beyond the base: it joins the base's tools.
(({ tools }) => {
  const { fixed, element, token } = tools;

  // ---- words: as words.py writes them ----

  // By the digits shown: no last bit of a sum changes a sentence.
  function largestFirst(numbers) {
    const digits = numbers.map((number) => Number(fixed(number).replaceAll("−", "-").replace("∞", "Infinity")));
    return numbers.map((_, j) => j).sort((a, b) => digits[b] - digits[a]);
  }
  const quoted = (text) => ["“", token(text), "”"];

  function describeQuery(query, row, keys, seen = keys.map(() => true)) {
    const [first, second] = largestFirst(row).filter((j) => seen[j]);
    if (first === undefined) return [...quoted(query), " may attend to nothing."];
    const key = (j) => [...quoted(keys[j]), ` (${fixed(row[j])})`];
    const also = second === undefined || fixed(row[second]) === "0.00" ? [] : [", then to ", ...key(second)];
    const hidden = seen.filter((each) => !each).length;
    return [...quoted(query), " attends most to ", ...key(first), ...also, hidden ? `; ${hidden} of ${keys.length} keys are hidden from it.` : "."];
  }

  // ---- tables of weights that Python wrote ----

  // Returns a function that gives a cell a weight and its colour; a hidden key has no weight, not one of 0.00.
  function weightPainter({ stops, whiteInkFrom }) {
    const channels = stops.map((stop) => [1, 3, 5].map((place) => parseInt(stop.slice(place, place + 2), 16)));
    function colour(weight) {
      const place = Math.min(weight, 1) * (stops.length - 1), start = Math.min(Math.floor(place), stops.length - 2);
      return `rgb(${channels[start].map((from, c) => Math.round(from + (place - start) * (channels[start + 1][c] - from)))})`;
    }
    return (cell, weight, hidden = false) => {
      const ink = weight >= whiteInkFrom ? "#FFFFFF" : "#000000";
      paintCell(cell, hidden ? "–" : fixed(weight), hidden, colour(weight), ink);
    };
  }

  function paintCell(cell, text, hidden, background = "", color = "") {
    cell.textContent = text;
    cell.className = hidden ? "attn-hidden" : "";
    Object.assign(cell.style, hidden ? { background: "", color: "" } : { background, color });
  }

  function pointable(place, i, point, pick) {
    place.onmouseenter = () => point(i, false);
    place.onmouseleave = () => point(null, false);
    place.onclick = () => pick(i);
    place.style.cursor = "pointer";
  }

  // Rows that can be pointed at, each by its button too; of these, Tab reaches the one at `start`, or that was left.
  // `point` gets a row's number, or null, and whether to say it; `pick` the number of the one that is clicked.
  function followable(rows, names, start, point, pick) {
    const buttons = rows.map((row, i) => {
      const button = element("button", { type: "button", tabIndex: i === start ? 0 : -1 }, token(names[i]));
      row.cells[0].replaceChildren(button);
      pointable(row, i, point, pick);
      button.onfocus = () => {
        buttons.forEach((each) => { each.tabIndex = each === button ? 0 : -1; });
        point(i, true);
      };
      button.onblur = () => point(null, false);
      button.onkeydown = (event) => {
        const next = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: rows.length - 1 }[event.key];
        if (!buttons[next]) return;
        event.preventDefault();
        buttons[next].focus();
      };
      return button;
    });
    return buttons;
  }

  Object.assign(tools, { largestFirst, quoted, describeQuery, weightPainter, paintCell, pointable, followable });
})(attentionLive);
