// Letters to type, and what a model that reads them would write next: a bar for each letter, which temperature moves.
attentionLive.define("letter-bars", (tools) => {
  const { data, body, hint, say, twoDecimals, element, softmax, slider, button, largestFirst, shade } = tools;
  const ALPHABET = "·abcdefghijklmnopqrstuvwxyz",
    LONGEST = 9,
    FULL = 0.4, // a share that fills the height; a larger one does, too, and the others shrink
    LETTERS = ALPHABET.length,
    COUNT = LETTERS + LONGEST + 1,
    base = data.letters.length;
  const state = { text: data.text, beginning: data.text, temperature: data.temperature };

  // ---- the model: numbers that are added up, as in Python ----

  const numbers = data.model
    .match(/../gu)
    .map(([one, other]) => data.step * (data.letters.indexOf(one) * base + data.letters.indexOf(other)))
    .map((number) => number - data.step * Math.floor(base ** 2 / 2));
  const take = (count) => numbers.splice(0, count),
    [scores, own, value, bias] = [COUNT ** 2, COUNT * LETTERS, COUNT * LETTERS, LETTERS].map(take);
  const sum = (all) => all.reduce((a, b) => a + b, 0);

  function read() {
    const places = [...`·${state.text}`].map((letter, place) => [ALPHABET.indexOf(letter), LETTERS + place]),
      last = places.at(-1);
    const weights = softmax(places.map((key) => sum(last.flatMap((a) => key.map((b) => scores[a * COUNT + b])))));
    const logits = bias.map((start, next) => {
      const part = (table) => (row) => table[row * LETTERS + next];
      const context = sum(places.map((key, j) => weights[j] * sum(key.map(part(value)))));
      return start + sum(last.map(part(own))) + context;
    });
    return [weights, softmax(logits.map((logit) => logit / state.temperature))];
  }

  // ---- parts ----

  const field = element("input", { type: "text", maxLength: LONGEST, spellcheck: false, autocomplete: "off" });
  field.setAttribute("autocapitalize", "off");
  field.oninput = () => {
    state.text = state.beginning = field.value.toLowerCase().replace(/[^a-z]/g, "");
    paint();
  };
  const range = { min: 0.1, max: 2, step: 0.1, value: state.temperature },
    change = (value, spoken) => {
      state.temperature = value;
      paint("", spoken);
    };
  const heat = slider("temperature", range, change, (value) => value.toFixed(1));

  const slots = Array.from({ length: LONGEST + 1 }, () => {
    const [letter, weight] = [element("b"), element("small")];
    return { letter, weight, made: element("div", letter, weight) };
  });
  const reads = element("p.attn-title.attn-weight");
  const columns = [...ALPHABET].map((letter, next) => {
    const [share, bar] = [element("small"), element("i")],
      name = element("span", next ? letter : "end");
    const made = element("div", { onclick: () => append(next) }, element("div.attn-up", share, bar), name);
    return { share, bar, made };
  });
  const shelf = element("p.attn-shelf", element("i", "no word yet"));

  // ---- writing ----

  // The dot ends a word, and so does its ninth letter; then the next one begins as this one did.
  function append(next) {
    if (next && state.text.length < LONGEST) {
      state.text += ALPHABET[next];
      paint(`“${ALPHABET[next]}” is written. `);
      return true;
    }
    const word = element("bdi", element("u", state.beginning), state.text.slice(state.beginning.length));
    shelf.replaceChildren(...[word, ...[...shelf.querySelectorAll("bdi")].slice(0, 9)].flatMap((each) => [each, " "]));
    const done = `The word “${state.text}” is done. `;
    state.text = state.beginning;
    paint(done);
    return false;
  }
  function draw() {
    let left = Math.random();
    const drawn = read()[1].findIndex((share) => (left -= share) < 0);
    return append(Math.max(0, drawn));
  }
  const next = button("write the next letter", draw);
  next.className = "attn-first";
  let writing;
  function finish() {
    clearTimeout(writing);
    if (draw()) writing = setTimeout(finish, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350);
  }

  // ---- painting ----

  function paint(note = "", spoken = true) {
    const [weights, shares] = read(),
      { text } = state,
      tokens = `·${text}`,
      [best] = largestFirst(shares),
      [most] = largestFirst(weights);
    if (field.value !== text) field.value = text;
    reads.textContent = `what “${tokens.at(-1)}” reads`;
    slots.forEach(({ letter, weight, made }, place) => {
      const filled = place < tokens.length;
      made.className = ["attn-slot", filled ? "attn-read" : place === tokens.length ? "attn-next" : ""].join(" ");
      made.classList.toggle("attn-last", place === tokens.length - 1);
      letter.textContent = filled ? tokens[place] : place === tokens.length ? "?" : "";
      weight.textContent = filled ? twoDecimals(weights[place]) : "";
      letter.style = "";
      if (filled) Object.assign(letter.style, shade(weights[place], data.look));
    });
    columns.forEach(({ share, bar, made }, next) => {
      made.className = next === best ? "attn-most" : "";
      share.textContent = shares[next] >= 0.1 ? twoDecimals(shares[next]) : "";
      bar.style.height = `${(110 * shares[next]) / Math.max(FULL, shares[best])}px`;
    });
    const start = text ? `After “${text}”` : "At the start",
      end = best ? `the likeliest letter is “${ALPHABET[best]}”` : "the word most likely ends",
      last = text ? ` Here “${text.at(-1)}” reads most from “${tokens[most]}” (${twoDecimals(weights[most])}).` : "";
    say([`${note}${start}, ${end} (${twoDecimals(shares[best])}).${last}`], spoken);
  }

  const title = (name) => element("p.attn-title", name);
  const typing = element("label", "letters so far ", field),
    writes = element("span", next, " ", button("finish the word", finish)),
    reading = element("div", reads, element("div.attn-slots", ...slots.map(({ made }) => made)));
  body.replaceChildren(
    element("div.attn-controls", typing, writes),
    element("div.attn-word", reading, element("div", title("what it wrote"), shelf)),
    element("div.attn-controls", title("what may come next"), heat.made),
    element("div.attn-columns", ...[...columns.slice(1), columns[0]].map(({ made }) => made)),
  );
  hint.textContent = "Let it write, or type letters of your own. Then move the temperature.";
  paint("", false);
});
