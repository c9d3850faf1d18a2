// Sentences about weights, as words.py writes them.
(({ tools }) => {
  const { fixed, token } = tools;

  // By the digits shown: no last bit of a sum changes a sentence.
  function largestFirst(numbers) {
    const digits = numbers.map((number) => Number(fixed(number).replaceAll("−", "-").replace("∞", "Infinity")));
    return numbers.map((_, j) => j).sort((a, b) => digits[b] - digits[a]);
  }
  const quoted = (text) => ["“", token(text), "”"];

  function describeQuery(query, row, keys, seen = keys.map(() => true)) {
    const [first, second] = largestFirst(row).filter((j) => seen[j]);
    if (first === undefined) return [...quoted(query), " may attend to nothing."];
    const key = (j) => [...quoted(keys[j]), ` (${fixed(row[j])})`];
    const also = second === undefined || fixed(row[second]) === "0.00" ? [] : [", then to ", ...key(second)];
    const hidden = seen.filter((each) => !each).length;
    return [
      ...quoted(query),
      " attends most to ",
      ...key(first),
      ...also,
      hidden ? `; ${hidden} of ${keys.length} keys are hidden from it.` : ".",
    ];
  }

  Object.assign(tools, { largestFirst, quoted, describeQuery });
})(attentionLive);
