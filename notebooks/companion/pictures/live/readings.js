// One token reads a row of tokens: bands from it to those that it reads, as wide as the weights. As in readings.py.
(({ tools }) => {
  const { element, svg, setAttributes, token, twoDecimals, answerKeys } = tools;
  const HIGH = 26,
    WIDE = 110,
    LEAST = 0.005;

  // A weight is a letter, its percents.
  const weightsOf = (letters, text) => [...text].map((each) => letters.indexOf(each) / 100);

  // Buttons of which one is chosen, by the arrow keys too: `columns` of them side by side. Returns what marks one.
  function oneOf(buttons, columns, choose) {
    const mark = (chosen) =>
      buttons.forEach((button, place) => {
        button.tabIndex = place === chosen ? 0 : -1;
        button.ariaPressed = place === chosen;
      });
    buttons.forEach((button, place) => {
      const go = (next) => () => {
        if (!buttons[next]) return;
        buttons[next].focus();
        choose(next);
      };
      button.onclick = () => choose(place);
      const sides = columns > 1 ? { ArrowLeft: go(place - 1), ArrowRight: go(place + 1) } : {};
      const ends = { Home: go(0), End: go(buttons.length - 1) };
      answerKeys(button, { ...sides, ArrowUp: go(place - columns), ArrowDown: go(place + columns), ...ends });
    });
    return mark;
  }

  const column = (name, rows) => element("div.attn-column", element("i", name), ...rows);

  // The tokens as buttons, one below the other.
  function askers(name, tokens, choose) {
    const buttons = tokens.map((each) => element("button", { type: "button" }, token(each)));
    return { made: column(name, buttons), mark: oneOf(buttons, 1, choose) };
  }

  // The tokens as they are read: `show(from, weights)` draws the bands from the token at that place.
  // With `choose` they are buttons, of which `mark` marks one.
  function readings(name, tokens, choose) {
    const bands = tokens.map(() => svg("path"));
    const rows = tokens.map((each) => {
      const number = element("span");
      const made = choose ? element("button", { type: "button" }) : element("div");
      made.append(token(each), number);
      return { number, made };
    });
    const made = rows.map((row) => row.made),
      mark = choose && oneOf(made, 1, choose);
    const high = HIGH * tokens.length,
      size = { viewBox: `0 0 ${WIDE} ${high}`, height: high, preserveAspectRatio: "none", "aria-hidden": true };
    const show = (from, weights) => {
      const most = Math.max(...weights);
      bands.forEach((band, j) => {
        const [start, end] = [from, j].map((place) => HIGH * (place + 0.5));
        const half = WIDE / 2;
        setAttributes(band, { d: `M0 ${start}C${half} ${start} ${half} ${end} ${WIDE} ${end}` });
        band.style.strokeWidth = weights[j] < LEAST ? 0 : 1 + 19 * weights[j];
        rows[j].number.textContent = weights[j] < LEAST ? "" : twoDecimals(weights[j]);
        rows[j].made.className = weights[j] === most ? "attn-widest" : "";
      });
    };
    const both = [element("div.attn-bands", svg("svg", size, ...bands)), column(name, made)];
    return { made: both, show, mark };
  }

  Object.assign(tools, { weightsOf, oneOf, askers, readings });
})(attentionLive);
