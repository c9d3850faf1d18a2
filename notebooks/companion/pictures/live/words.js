// What sentences about weights are made of, as in words.py.
(({ tools }) => {
  const { twoDecimals, token } = tools;

  // By the digits shown: no last bit of a sum changes a sentence.
  function largestFirst(numbers) {
    const digits = numbers.map((number) => Number(twoDecimals(number).replaceAll("−", "-").replace("∞", "Infinity")));
    return numbers.map((_, j) => j).sort((a, b) => digits[b] - digits[a]);
  }
  const quoted = (text) => ["“", token(text), "”"];

  Object.assign(tools, { largestFirst, quoted });
})(attentionLive);
