// Tables of weights that Python wrote: what the pictures share that colour their cells, or follow their rows.
(({ tools }) => {
  const { fixed, element, token, answerKeys } = tools;

  // Returns a function from a place on a scale of colours, 0 to 1, to its colour and the ink that is readable on it.
  function shades({ stops, blackInk: [first, last] }) {
    const channels = stops.map((stop) => [1, 3, 5].map((place) => parseInt(stop.slice(place, place + 2), 16)));
    return (share) => {
      const place = Math.min(share, 1) * (stops.length - 1),
        start = Math.min(Math.floor(place), stops.length - 2);
      const mixed = channels[start].map((from, c) =>
        Math.round(from + (place - start) * (channels[start + 1][c] - from)),
      );
      return { background: `rgb(${mixed})`, color: share < first || share > last ? "#FFFFFF" : "#000000" };
    };
  }

  // Returns a function that gives a cell a weight and its colour; a hidden key has no weight, not one of 0.00.
  function weightPainter(look) {
    const shade = shades(look);
    return (cell, weight, hidden = false) => paintCell(cell, hidden ? "–" : fixed(weight), hidden, shade(weight));
  }

  function paintCell(cell, text, hidden, shade) {
    cell.textContent = text;
    cell.className = hidden ? "attn-hidden" : "";
    Object.assign(cell.style, { background: "", color: "" }, hidden ? {} : shade);
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
        buttons.forEach((each) => {
          each.tabIndex = each === button ? 0 : -1;
        });
        point(i, true);
      };
      button.onblur = () => point(null, false);
      const walk = (next) => () => buttons[next]?.focus();
      answerKeys(button, { ArrowDown: walk(i + 1), ArrowUp: walk(i - 1), Home: walk(0), End: walk(rows.length - 1) });
      return button;
    });
    return buttons;
  }

  Object.assign(tools, { shades, weightPainter, paintCell, pointable, followable });
})(attentionLive);
