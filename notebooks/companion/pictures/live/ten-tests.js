// A right layer, one with an error, and which of the ten tests notice it.
attentionLive.define("ten-tests", ({ data, body, hint, say, choice }) => {
  const cells = body.querySelectorAll(".attn-moves td[align]"),
    tests = [...body.querySelectorAll(".attn-tests tr")],
    title = body.querySelector("bdi");

  function put(cell, sign) {
    cell.textContent = sign.trim();
    cell.style.cssText = data.looks[sign];
  }

  function paint(at, spoken = true) {
    const { name, moves, tests: signs } = data.errors[at];
    title.textContent = name;
    cells.forEach((cell, place) => put(cell, moves[place]));
    const failed = tests.filter((test, place) => {
      put(test.cells[0], signs[place]);
      const fails = signs[place] === "✗",
        meets = data.meets[place],
        sign = test.querySelector("b");
      sign.textContent = fails ? data.opposite[meets] : meets;
      sign.style.cssText = fails ? data.looks["✗"] : "font-weight:400";
      test.classList.toggle("attn-silent", signs[place] === "○");
      return test.classList.toggle("attn-fails", fails);
    });
    const names = failed.map((test) => test.cells[1].textContent).join(", ") || "none";
    say([`${name}: ${failed.length} of ${tests.length} tests fail: ${names}.`], spoken);
  }

  const names = data.errors.map(({ name }) => name);
  body.prepend(choice("what is wrong", names, 0, paint));
  hint.textContent = "Choose an error, and see which outputs move and which tests notice.";
  paint(0, false);
});
