// What sentences about weights are made of, as in words.py, and how a weight is painted.
(({ tools }) => {
  const { twoDecimals, token } = tools;

  // By the digits shown: no last bit of a sum changes a sentence.
  function largestFirst(numbers) {
    const digits = numbers.map((number) => Number(twoDecimals(number).replaceAll("−", "-").replace("∞", "Infinity")));
    return numbers.map((_, j) => j).sort((a, b) => digits[b] - digits[a]);
  }
  const quoted = (text) => ["“", token(text), "”"];

  // A weight's shade between the stops, and the ink that is readable on it.
  function shade(weight, { stops, blackInk }) {
    const place = Math.min(weight, 1) * (stops.length - 1),
      start = Math.min(Math.floor(place), stops.length - 2);
    const background = `color-mix(in srgb, ${stops[start]}, ${stops[start + 1]} ${100 * (place - start)}%)`;
    return { background, color: weight < blackInk[0] || weight > blackInk[1] ? "#FFF" : "#000" };
  }

  Object.assign(tools, { largestFirst, quoted, shade });
})(attentionLive);
