// A right layer, one with an error, and which of the ten tests notice it, once they are run.
attentionLive.define("ten-tests", ({ data, body, element, hint, say, choice, button }) => {
  body.replaceChildren(...[...body.querySelector("details").children].slice(1)); // the tables, no longer folded
  const cells = body.querySelectorAll(".attn-moves td[align]"),
    table = body.querySelector(".attn-tests"),
    title = body.querySelector("bdi"),
    tests = [...table.rows].map((row) => {
      const [sign, name] = row.cells;
      const box = element("input", { type: "checkbox", ariaLabel: `guess: ${name.textContent} fails` });
      row.prepend(element("td", element("label", box)));
      return { row, sign, name: name.textContent, meets: row.querySelector("b"), box };
    });
  // Under the maps, in room that it has in any case.
  const alike = body.querySelector(".attn-moves").createCaption();
  let chosen = 0;

  function put(cell, sign) {
    cell.textContent = sign.trim();
    cell.style.cssText = data.looks[sign] ?? "";
  }

  // Before the tests are run, none has failed.
  function paint(ran, spoken = true) {
    const { name, moves, tests: signs } = data.errors[chosen];
    title.textContent = name;
    cells.forEach((cell, place) => put(cell, moves[place]));
    alike.textContent = /[+−]/.test(moves) ? "\u00a0" : "Both move alike: this error does not show here.";
    const failed = tests.filter(({ row, sign, meets, box }, place) => {
      const fails = ran && signs[place] === "✗",
        should = data.meets[place];
      put(sign, ran ? signs[place] : " ");
      if (!ran) sign.style.cssText = "";
      meets.textContent = fails ? data.opposite[should] : should;
      meets.style.cssText = fails ? data.looks["✗"] : "font-weight:400";
      if (!ran) box.checked = false;
      row.classList.toggle("attn-silent", ran && signs[place] === "○");
      return row.classList.toggle("attn-fails", fails);
    });
    if (!ran) return say([`${name}: which of the ${tests.length} tests notice it?`], spoken);
    const guessed = tests.filter(({ box }) => box.checked),
      hits = guessed.filter((test) => failed.includes(test)).length,
      more = guessed.length > hits ? `, and ticked ${guessed.length - hits} more` : "",
      told = guessed.length ? ` You found ${hits} of ${failed.length}${more}.` : "";
    const names = failed.map(({ name }) => name).join(", ") || "none";
    say([`${name}: ${failed.length} of ${tests.length} tests fail: ${names}.${told}`], spoken);
  }

  const names = data.errors.map(({ name }) => name);
  const choose = (at) => {
    chosen = at;
    paint(false);
  };
  body.prepend(choice("what is wrong", names, 0, choose));
  const run = button("run the ten tests", () => paint(true));
  table.before(element("div.attn-controls", run));
  hint.textContent = "Choose an error, tick the tests that you think notice it, and run them.";
  paint(false, false);
});
