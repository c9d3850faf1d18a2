// What all live pictures share: numbers, text, controls, keys. Each picture's own file calls
// `attentionLive.define(name, build)`, which makes the element <attn-name>; `build` draws it from its data.
// No library, no network, no kernel, no ids. The scripts of a page's first picture serve all others on it.
window.attentionLive ??= (() => {
  // As Python prints: of exact ties, which are odd eighths, the even digit, where toFixed goes away from zero;
  // no minus before 0.00, and a true minus before the rest.
  const even = (number) => (Math.abs(number * 8) % 2 === 1 ? Math.round(number * 50) / 50 : number);
  function twoDecimals(number) {
    if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
    const text = Math.abs(number) < 1e6 ? even(number).toFixed(2).replace("-0.00", "0.00") : number.toExponential(1);
    return text.replaceAll("-", "−");
  }

  // `element("td.attn-cell", { title }, ...children)`: a name, with classes if it has any, properties if it has any, and
  // what stands in it.
  const maker =
    (create) =>
    (name, ...parts) => {
      const [tag, ...classes] = name.split("."),
        made = create(tag);
      if (classes.length) made.setAttribute("class", classes.join(" "));
      const properties = parts[0]?.constructor === Object ? parts.shift() : {};
      for (const [key, value] of Object.entries(properties)) {
        if (key in made && !(made instanceof SVGElement)) made[key] = value;
        else made.setAttribute(key, value);
      }
      made.append(...parts);
      return made;
    };
  const element = maker((tag) => document.createElement(tag));
  const svg = maker((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  function setAttributes(made, attributes) {
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  }
  // A token is text and not markup, and a right-to-left one keeps its place.
  const token = (text) => element("bdi", { textContent: text });

  // Over the scores that are finite; a row of none gets zeros, as in the course.
  function softmax(scores) {
    const top = Math.max(...scores);
    if (top === -Infinity) return scores.map(() => 0);
    const exps = scores.map((score) => Math.exp(score - top));
    const sum = exps.reduce((a, b) => a + b);
    return exps.map((each) => each / sum);
  }

  // ---- controls ----

  // A slider that says its name and its value; `show` writes the value. `change` gets each new value, and whether to say
  // what comes of it: not while a hand still moves the slider. From elsewhere, `move` moves it, and `go` says so, too.
  function slider(name, { min = 0, max, step = 1, value }, change, show = twoDecimals) {
    const number = element("output", { ariaHidden: "true", textContent: show(value) });
    const range = element("input", { type: "range", min, max, step, value, ariaLabel: name });
    let shown, before;
    // A number that is set is shown as it is, and not as the nearest step.
    const tell = (value) => {
      shown = value;
      number.textContent = show(value);
      range.setAttribute("aria-valuetext", number.textContent);
    };
    const set = (value) => {
      range.value = value;
      tell(value);
    };
    const move = (value) => {
      set(value);
      change(value, false);
    };
    range.oninput = () => move(Number(range.value));
    range.onchange = () => change(Number(range.value), true);
    // A finger that turns out to scroll the page has moved the slider under it: that is taken back.
    range.onpointerdown = () => (before = shown);
    range.onpointercancel = () => move(before);
    tell(value);
    const go = (value) => {
      set(value);
      change(value, true);
    };
    return { range, number, set, move, go, made: element("label", name, range, number) };
  }

  const button = (name, onclick) => element("button", { type: "button", onclick }, name);

  // Radio buttons of which one is chosen; those of two pictures must not share a name.
  function group(count, chosen, change) {
    const name = `attn${Math.random()}`;
    return Array.from({ length: count }, (_, place) =>
      element("input", { type: "radio", name, checked: place === chosen, onchange: () => change(place) }),
    );
  }

  // One of several, by radio buttons in a row.
  function choice(name, labels, chosen, change) {
    const buttons = group(labels.length, chosen, change).map((button, place) =>
      element("label", button, " ", labels[place]),
    );
    return element("fieldset", element("legend", { textContent: name }), ...buttons);
  }

  const modified = (event) => event.ctrlKey || event.metaKey || event.altKey;

  // Let a handle do what `ways` says by the names of keys, and nothing scroll; Alt and ← still go back in the browser.
  function answerKeys(handle, ways) {
    handle.onkeydown = (event) => {
      if (!ways[event.key] || modified(event)) return;
      event.preventDefault();
      ways[event.key]();
    };
  }

  // ---- elements ----

  // JupyterLab would take the arrow keys, and letters: two presses of d delete a cell.
  function keepKeys(event) {
    const meant = modified(event) || (event.shiftKey && event.key === "Enter");
    if (!meant && event.key !== "Escape") event.stopPropagation();
  }

  // What scrolls must be reached by keyboard, what does not should not stop it. Where more follows at the right, the
  // edge fades: a phone shows no bar.
  function letScroll(body) {
    for (const box of body.querySelectorAll(".attn-scroll")) {
      box.tabIndex = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight ? 0 : -1;
      box.classList.toggle("attn-continues", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
      box.onscroll = () => letScroll(body);
    }
  }

  const made = { twoDecimals, element, svg, setAttributes, token, softmax };
  const tools = { ...made, slider, button, choice, group, answerKeys };

  function define(name, build) {
    if (customElements.get(`attn-${name}`)) return;
    customElements.define(
      `attn-${name}`,
      class extends HTMLElement {
        connectedCallback() {
          // While a page loads, what stands inside may not be there yet.
          if (document.readyState === "loading")
            addEventListener("DOMContentLoaded", () => this.start(), { once: true });
          else this.start();
        }

        start() {
          if (this.started) return; // moved, not made
          this.started = true;
          this.addEventListener("keydown", keepKeys);
          const [body, sentence, hint] = ["body", "sentence", "hint"].map((each) =>
            this.querySelector(`.attn-${each}`),
          );
          // A moving pointer must not make a screen reader talk.
          const say = (parts, spoken = true) => {
            sentence.ariaLive = spoken ? "polite" : "off";
            sentence.replaceChildren(...parts);
          };
          build({ ...tools, body, hint, say, data: JSON.parse(this.dataset.picture) });
          new ResizeObserver(() => letScroll(body)).observe(body);
        }
      },
    );
  }
  return { define, tools };
})();
