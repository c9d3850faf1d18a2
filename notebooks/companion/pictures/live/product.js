// A product: each number of the result lights the row and the column that it comes from, and writes out its sum.
attentionLive.define("product", ({ data, body, hint, say, element, token, answerKeys }) => {
  const { names, roles, rows, columns, start } = data;
  // The twin's table stays. Its last lines hold a label, a row of the left, a gap and a row of the result;
  // those from the third on hold a label and a row of the right.
  const lines = [...body.querySelector("table").rows].map((line) => [...line.cells]),
    below = lines.slice(-rows.length);
  const terms = below[0].length - 2 - columns.length;
  const left = below.map((line) => line.slice(1, 1 + terms)),
    result = below.map((line) => line.slice(2 + terms));
  const right = lines.slice(2, 2 + terms).map((line) => line.slice(1));

  const zero = (cell) => Number(cell.textContent) === 0;
  // A weight keeps the shade that Python gave it; `from` is the cell that has it.
  function coloured(cell, role, className, from = cell) {
    const { background, color } = from.style,
      shade = role === "weight" && !zero(cell) ? `;background:${background};color:${color}` : "";
    cell.className = `attn-cell ${className}${zero(cell) ? " attn-nothing" : ""}`;
    cell.style = `--role:var(--${role});--role-ink:var(--${role}-ink)${shade}`;
    return cell;
  }
  [left, right].forEach((part, p) => part.flat().forEach((cell) => coloured(cell, roles[p], "attn-term")));

  const buttons = result.map((line, i) =>
    line.map((cell, j) => {
      const text = coloured(cell, roles[2], "").textContent;
      const ariaLabel = `${names[2]}, ${rows[i]}, ${columns[j]}: ${text}`;
      const button = element("button", { type: "button", ariaLabel }, text);
      button.onpointermove = () => choose(i, j, false); // not `enter`: a page that scrolls under a mouse chooses nothing
      button.onfocus = button.onclick = () => choose(i, j, true);
      const walk = (row, column) => () => buttons[row]?.[column]?.focus();
      const rest = {
        ArrowUp: walk(i - 1, j),
        ArrowDown: walk(i + 1, j),
        Home: walk(i, 0),
        End: walk(i, line.length - 1),
      };
      answerKeys(button, { ArrowLeft: walk(i, j - 1), ArrowRight: walk(i, j + 1), ...rest });
      cell.replaceChildren(button);
      return button;
    }),
  );

  // What is nothing, because a factor is 0, stays pale in the sum.
  const written = (cell, p, pale) =>
    coloured(element("span", { textContent: cell.textContent }), roles[p], pale ? "" : "attn-lit", cell);
  function term(a, b) {
    if (a.textContent === "…") return "…";
    const pale = zero(a) || zero(b);
    return element("span", { style: "white-space:nowrap" }, written(a, 0, pale), " · ", written(b, 1, pale));
  }

  function choose(i, j, spoken) {
    const column = right.map((line) => line[j]),
      chosen = [...left[i], ...column, result[i][j]];
    [left, right, result].flat(2).forEach((cell) => cell.classList.toggle("attn-lit", chosen.includes(cell)));
    // A factor 0 takes nothing from its row of the right, so both fade: of a one-hot row, the row that is looked up stays.
    left.forEach((line, row) => line.forEach((cell) => cell.classList.toggle("attn-faded", row === i && zero(cell))));
    left[i].forEach((cell, k) => right[k].forEach((each) => each.classList.toggle("attn-faded", zero(cell))));
    for (const button of buttons.flat()) button.tabIndex = button === buttons[i][j] ? 0 : -1;
    const sum = left[i].flatMap((cell, k) => [k ? " + " : " = ", term(cell, column[k])]);
    const place = [`${names[2]}[`, token(rows[i]), ", ", token(columns[j]), "]"];
    say([...place, ...sum, " = ", written(result[i][j], 2)], spoken);
  }

  hint.textContent = `Point at a number of ${names[2]}, or walk there with the arrow keys.`;
  choose(...start, false);
});
