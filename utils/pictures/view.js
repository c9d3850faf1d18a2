// Brings a picture of attention to life. Python has already written everything as a table and a sentence;
// this adds controls and lines, and rewrites the numbers. No library, no network, no kernel, no ids.
(() => {
  // Some editors run a script elsewhere than where it stands: then it is the newest picture that is not live yet.
  const root = document.currentScript?.closest(".attention-view")
    ?? [...document.querySelectorAll(".attention-view:not([data-live])")].at(-1);
  // A page that was saved while live is live already.
  if (!root || "live" in root.dataset) return;
  root.dataset.live = "";
  const { scores, queries, keys, head_dim: headDim, causal, follow, look } = JSON.parse(root.dataset.view);
  const state = { head: 0, temperature: 1, causal: causal === true, pointed: null, pinned: follow };
  const [main, steps] = root.querySelectorAll("table");
  const rows = [...main.tBodies[0].rows];
  const sentence = root.querySelector(".attn-sentence");
  // As Python prints: of exact ties, which are odd eighths, the even digit, where toFixed goes away from zero;
  // and no minus before 0.00.
  const even = (number) => Math.abs(number * 8) % 2 === 1 ? Math.round(number * 50) / 50 : number;
  function fixed(number) {
    if (!Number.isFinite(number)) return "−∞";
    const text = Math.abs(number) < 1e6 ? even(number).toFixed(2).replace("-0.00", "0.00") : number.toExponential(1);
    return text.replaceAll("-", "−");
  }

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function drawing(name, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // ---- the numbers: the same steps as in Python ----

  const mayAttend = (i, j) => scores[state.head][i][j] !== null && !(state.causal && j > i);
  const scaled = (i, j) => {
    const score = scores[state.head][i][j];
    return score === null ? -Infinity : score / Math.sqrt(headDim ?? 1) / state.temperature;
  };

  function softmax(i) {
    const row = keys.map((_, j) => mayAttend(i, j) ? scaled(i, j) : -Infinity);
    const top = Math.max(...row);
    if (top === -Infinity) return row.map(() => 0);
    const exps = row.map((score) => Math.exp(score - top));
    const sum = exps.reduce((a, b) => a + b);
    return exps.map((each) => each / sum);
  }

  // ---- colours ----

  const channels = look.stops.map((stop) => [1, 3, 5].map((place) => parseInt(stop.slice(place, place + 2), 16)));

  function colour(weight) {
    const place = Math.min(weight, 1) * (look.stops.length - 1);
    const start = Math.min(Math.floor(place), look.stops.length - 2);
    const mixed = channels[start].map((from, c) => Math.round(from + (place - start) * (channels[start + 1][c] - from)));
    return `rgb(${mixed})`;
  }

  function paintCell(cell, text, hidden, background, color) {
    cell.textContent = text;
    cell.className = hidden ? "attn-hidden" : "";
    Object.assign(cell.style, hidden ? { background: look.hidden, color: look.muted } : { background, color });
  }

  // A hidden key has the same sign in both tables: no weight, not one of 0.00.
  function paintWeight(cell, weight, hidden) {
    const ink = weight >= look.whiteInkFrom ? "#FFFFFF" : "#000000";
    paintCell(cell, hidden ? "–" : fixed(weight), hidden, colour(weight), ink);
  }

  const paintStep = (cell, number) => paintCell(cell, fixed(number), number === -Infinity, "", look.ink);

  // ---- lines from queries to keys ----

  function drawLines() {
    const top = 22, height = Math.max(queries.length, keys.length) * 27 + 10;
    const short = (token) => [...token].length > 14 ? [...token].slice(0, 13).join("") + "…" : token;
    const room = (tokens) => 14 + 8 * Math.max(...tokens.map((token) => [...short(token)].length));
    const left = room(queries), right = left + 150, width = right + room(keys);
    const y = (place, count) => top + (place + 0.5) * height / count;
    const curve = (i, j) => {
      const [a, b, middle] = [y(i, queries.length), y(j, keys.length), (left + right) / 2];
      return drawing("path", { d: `M${left} ${a}C${middle} ${a} ${middle} ${b} ${right} ${b}` });
    };
    const write = (text, role, x, y, anchor) => drawing("text", { class: role, x, y, "text-anchor": anchor }, text);
    const name = (tokens, role, x, anchor) =>
      tokens.map((token, place) => write(short(token), role, x, y(place, tokens.length) + 4.5, anchor));
    const groups = queries.map((_, i) => drawing("g", {}, ...keys.map((_, j) => curve(i, j))));
    const names = name(queries, "attn-query", left - 7, "end");
    // The table says the same, and better, to those who do not see the lines.
    const svg = drawing("svg", { class: "attn-lines", viewBox: `0 0 ${width} ${top + height}`, width, height: top + height, "aria-hidden": true },
      write("query", "attn-heading", left - 7, 14, "end"), write("key", "attn-heading", right + 7, 14, "start"),
      drawing("g", { fill: "none", stroke: look.line }, ...groups), ...names, ...name(keys, "attn-key", right + 7, "start"));
    root.querySelector(".attn-body").append(element("div", { className: "attn-scroll" }, svg));
    return { svg, groups, names };
  }

  // ---- controls ----

  function drawControls() {
    const form = element("form", { className: "attn-controls", onsubmit: () => false });
    if (scores.length > 1) {
      const choices = scores.map((_, head) => element("label", {},
        element("input", { type: "radio", name: "head", value: head, checked: head === 0 }), ` ${head}`));
      form.append(element("fieldset", {}, element("legend", { textContent: "head" }), ...choices));
    }
    // Quarter powers of two, from 1/8 to 32, with 1 as the start.
    const range = element("input", { type: "range", name: "temperature", min: -12, max: 20, step: 1, value: 0 });
    // The slider itself says its value to a screen reader.
    const number = element("span", { ariaHidden: true });
    const showTemperature = () => {
      number.textContent = fixed(state.temperature);
      range.setAttribute("aria-valuetext", fixed(state.temperature));
    };
    showTemperature();
    form.append(element("label", {}, "temperature ", range, " ", number));
    if (causal !== null) {
      form.append(element("label", {}, element("input", { type: "checkbox", name: "causal", checked: causal }), " causal mask"));
    }
    form.oninput = () => {
      const chosen = form.querySelector("[name=head]:checked");
      state.head = chosen ? Number(chosen.value) : 0;
      state.temperature = 2 ** (Number(range.value) / 4);
      state.causal = form.querySelector("[name=causal]")?.checked ?? false;
      showTemperature();
      paint();
    };
    root.prepend(form);
  }

  // ---- following one query ----

  const followed = () => state.pointed ?? state.pinned;

  function point(query, spoken) {
    state.pointed = query;
    // A moving mouse must not make a screen reader talk.
    sentence.ariaLive = spoken ? "polite" : "off";
    mark();
  }

  function pin(query) {
    state.pinned = state.pinned === query ? null : query;
    mark();
  }

  function makeFollowable(row, i) {
    const button = element("button", { type: "button", tabIndex: i === (follow ?? 0) ? 0 : -1 });
    button.append(...row.cells[0].childNodes);
    row.cells[0].append(button);
    button.onfocus = () => {
      buttons.forEach((each) => { each.tabIndex = each === button ? 0 : -1; });
      point(i, true);
    };
    button.onblur = () => point(null, false);
    for (const place of [row, lines.names[i]]) {
      place.onmouseenter = () => point(i, false);
      place.onmouseleave = () => point(null, false);
      place.onclick = () => pin(i);
    }
    button.onkeydown = (event) => {
      const next = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (!buttons[next]) return;
      event.preventDefault();
      buttons[next].focus();
    };
    return button;
  }

  // ---- what is shown ----

  let weights;

  function paint() {
    weights = queries.map((_, i) => softmax(i));
    weights.forEach((row, i) => {
      row.forEach((weight, j) => paintPair(i, j, weight));
      rows[i].cells[keys.length + 1].textContent = fixed(row.reduce((a, b) => a + b));
    });
    mark();
  }

  const painted = queries.map(() => []);

  function paintPair(i, j, weight) {
    const hidden = !mayAttend(i, j), text = hidden ? "–" : fixed(weight);
    // With many tokens most cells stay as they are; leaving them alone saves the browser most of its work.
    if (text === painted[i][j]) return;
    painted[i][j] = text;
    paintWeight(rows[i].cells[j + 1], weight, hidden);
    const path = lines.groups[i].children[j];
    path.style.display = weight < 0.02 ? "none" : "";
    path.style.strokeWidth = 0.6 + 9 * weight;
    path.style.strokeOpacity = 0.25 + 0.65 * weight;
  }

  function mark() {
    const query = followed();
    rows.forEach((row, i) => {
      row.classList.toggle("attn-followed", i === query);
      buttons[i].setAttribute("aria-pressed", i === state.pinned);
      lines.groups[i].classList.toggle("attn-followed", i === query);
      lines.names[i].classList.toggle("attn-followed", i === query);
    });
    lines.svg.classList.toggle("attn-following", query !== null);
    const head = scores.length > 1 ? [`Head ${state.head}: `] : [];
    sentence.replaceChildren(...head, ...(query === null ? largest() : describe(query)));
    if (steps) markSteps(query ?? 0);
  }

  function markSteps(i) {
    const temperature = state.temperature === 1 ? "" : `, ÷ ${fixed(state.temperature)}`;
    steps.querySelector(".attn-name").textContent = queries[i];
    const [score, small, masked, weight] = steps.tBodies[0].rows;
    small.cells[0].textContent = `scaled: ÷ √${headDim}${temperature}`;
    keys.forEach((_, j) => {
      paintStep(score.cells[j + 1], scores[state.head][i][j] ?? -Infinity);
      paintStep(small.cells[j + 1], scaled(i, j));
      paintStep(masked.cells[j + 1], mayAttend(i, j) ? scaled(i, j) : -Infinity);
      paintWeight(weight.cells[j + 1], weights[i][j], !mayAttend(i, j));
    });
  }

  // Ordered by the digits shown, so that the last bit of a sum cannot change the sentence.
  const shown = (weight) => Number(fixed(weight));

  // Right-to-left words keep their place.
  const named = (token) => element("bdi", { textContent: token });

  function describe(i) {
    const seen = keys.map((_, j) => j).filter((j) => mayAttend(i, j));
    if (!seen.length) return ["“", named(queries[i]), "” may attend to nothing."];
    const [first, ...others] = seen.sort((a, b) => shown(weights[i][b]) - shown(weights[i][a])).slice(0, 2);
    const hidden = keys.filter((_, j) => !mayAttend(i, j)).length;
    return ["“", named(queries[i]), "” attends most to “", named(keys[first]), `” (${fixed(weights[i][first])})`,
      ...others.filter((j) => shown(weights[i][j]) > 0).flatMap((j) => [", then to “", named(keys[j]), `” (${fixed(weights[i][j])})`]),
      hidden ? `; ${hidden} of ${keys.length} keys are hidden from it.` : "."];
  }

  function largest() {
    let best = [0, 0];
    weights.forEach((row, i) => row.forEach((weight, j) => {
      if (shown(weight) > shown(weights[best[0]][best[1]])) best = [i, j];
    }));
    const [i, j] = best;
    return ["Largest weight: “", named(queries[i]), "” to “", named(keys[j]), `” (${fixed(weights[i][j])}).`];
  }

  // What scrolls must be reached by keyboard, what does not should not stop it. Where more follows at the right, the
  // edge fades: a phone shows no bar.
  function letScroll() {
    for (const box of root.querySelectorAll(".attn-scroll")) {
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      box.tabIndex = scrolls ? 0 : -1;
      box.classList.toggle("attn-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
      box.onscroll = letScroll;
    }
  }

  root.querySelector(".attn-hint").textContent =
    "Point at a row to follow its query, or Tab to it and use the arrow keys. A click, or Enter, pins it (●).";
  // JupyterLab would take the arrow keys, and letters: two presses of d delete a cell.
  root.addEventListener("keydown", (event) => {
    const meant = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!meant && event.key !== "Escape") event.stopPropagation();
  });
  drawControls();
  const lines = drawLines();
  const buttons = rows.map(makeFollowable);
  paint();
  new ResizeObserver(letScroll).observe(root);
})();
