// A field to type into: each word is cut into tokens as one types, and each token has its id below it.
attentionLive.define("typed", (tools) => {
  const { data, body, hint, say, element, token, quoted, button, slider } = tools;
  const merges = data.merges.map((pair) => pair.split(" ")),
    ids = new Map(Object.entries(data.parts));
  let used = merges.length;

  // Pieces by the merges, from left to right, one merge after the other; without merges a word is one piece.
  function cut(word) {
    if (!merges.length) return [word];
    const pieces = [...word];
    for (const [left, right] of merges.slice(0, used))
      for (let place = 0; place < pieces.length - 1; place++)
        if (pieces[place] === left && pieces[place + 1] === right) pieces.splice(place, 2, left + right);
    return pieces;
  }

  const field = element("input", { type: "text", maxLength: 120, spellcheck: false, autocomplete: "off" });
  field.setAttribute("autocapitalize", "off");
  field.ariaLabel = "text";
  field.oninput = () => paint();
  const words = element("div.attn-words"),
    examples = data.texts.map((text) =>
      // Named by what it is about, where a token of it is marked.
      button(data.mark.find((piece) => text.split(" ").includes(piece)) ?? text, () => {
        field.value = text;
        paint();
      }),
    );

  function box(piece) {
    const id = ids.get(piece);
    const made = element("span.attn-piece", token(piece), element("b", `${id ?? data.unknown}`));
    if (id === undefined) made.classList.add("attn-unknown");
    if (data.mark.includes(piece)) made.classList.add("attn-marked");
    if (!data.field) made.style.width = `${33 * piece.length - 3}px`; // below its letters
    return made;
  }

  function paint(spoken = true) {
    const cuts = field.value.split(/\s+/u).filter(Boolean).map(cut),
      all = cuts.flat();
    words.replaceChildren(...cuts.map((pieces) => element("div", ...pieces.map(box))));
    const strange = [...new Set(all.filter((piece) => !ids.has(piece)))];
    const numbers = all.map((piece) => ids.get(piece) ?? data.unknown).join(", ");
    const count = all.length === 1 ? "1 token, with the id" : `${all.length} tokens, with the ids`;
    const unknown = strange.flatMap((piece, place) => [place ? ", " : " Not in the vocabulary: ", ...quoted(piece)]);
    say(all.length ? [`${count} ${numbers}.`, ...unknown, strange.length ? "." : ""] : ["No token yet."], spoken);
  }

  field.value = data.texts[0];
  const change = (value, spoken) => {
    used = value;
    paint(spoken);
  };
  const show = (value) => (value ? `${value} (${merges[value - 1].join(" + ")})` : "0");
  const count = slider("merges", { max: used, value: used }, change, show);
  const row = element("div.attn-controls", ...(examples[1] ? examples : []), ...(used ? [count.made] : []));
  const spelled = [...data.texts[0]].map((letter) =>
    element(`span.attn-letter${data.mark.includes(letter) ? ".attn-marked" : ""}`, token(letter)),
  );
  if (!data.field) words.classList.add("attn-aligned");
  const above = element("div.attn-words.attn-aligned", element("div", ...spelled));
  body.replaceChildren(...(data.field ? [field, row] : [row, above]), words);
  const ways = [data.field && "Type into the field", examples[1] && "press a button", used && "move the slider"];
  hint.textContent = `${ways.filter(Boolean).join(", ")}.`.replace(/, ([^,]+)$/, ", or $1").replace(/^m/, "M");
  paint(false);
});
