// Sentences about weights, as words.py writes them.
(({ tools }) => {
  const { fixed, token } = tools;

  // By the digits shown: no last bit of a sum changes a sentence.
  function largestFirst(numbers) {
    const digits = numbers.map((number) => Number(fixed(number).replaceAll("−", "-").replace("∞", "Infinity")));
    return numbers.map((_, j) => j).sort((a, b) => digits[b] - digits[a]);
  }
  const quoted = (text) => ["“", token(text), "”"];

  function describeQuery(query, row, keys) {
    const [first, second] = largestFirst(row);
    const key = (j) => [...quoted(keys[j]), ` (${fixed(row[j])})`];
    const also = second === undefined || fixed(row[second]) === "0.00" ? [] : [", then to ", ...key(second)];
    return [...quoted(query), " attends most to ", ...key(first), ...also, "."];
  }

  Object.assign(tools, { largestFirst, quoted, describeQuery });
})(attentionLive);
