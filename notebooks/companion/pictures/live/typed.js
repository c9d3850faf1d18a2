// A field to type into: each word is cut into tokens as one types, and each token has its id below it.
attentionLive.define("typed", (tools) => {
  const { data, body, hint, say, element, token, quoted, button } = tools;
  const merges = data.merges.map((pair) => pair.split(" ")),
    ids = new Map(data.parts.map((part, id) => [part, id]));

  // Pieces by the merges, from left to right, one merge after the other; without merges a word is one piece.
  function cut(word) {
    if (!merges.length) return [word];
    const pieces = [...word];
    for (const [left, right] of merges)
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
  const row = element("div.attn-controls", ...(examples[1] ? examples : []));
  body.replaceChildren(field, row, words);
  hint.textContent = examples[1] ? "Type into the field, or press a button." : "Type into the field.";
  paint(false);
});
