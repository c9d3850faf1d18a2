// The clues' vectors while the head is trained: a point for each word, and a ground below those of one meaning.
attentionLive.define("gathering", (tools) => {
  const { data, body, hint, say, element, svg, setAttributes, quoted, slider, button } = tools;
  const { steps, times, words, meanings, names } = data,
    [wide, high] = data.size,
    { mark } = attentionLive.meanings(tools, names, 1);
  const state = { time: steps.length - 1, word: data.follow[0] };
  const hue = (meaning) => ({ style: `--hue:var(--${data.hues[meaning]});--ink-of:var(--${data.hues[meaning]}-ink)` });
  const grounds = names.map((_, meaning) => svg("path.attn-ground", hue(meaning)));
  const titles = names.map((name, meaning) => svg("text.attn-title", hue(meaning), name));
  const points = words.map((word, place) =>
    svg("g.attn-point", hue(meanings[place]), svg("title", word), mark(meanings[place])),
  );
  const labels = words.map((word) => svg("text.attn-word", word));
  const near = words.map(() => svg("circle.attn-near", { r: 12 })); // for a finger, below marks and words
  for (const parts of [near, points, labels])
    parts.forEach((part, word) => (part.onclick = () => show({ word }, true)));
  const way = svg("polyline.attn-way");
  const axes = svg("path.attn-axes", { d: `M0 ${data.origin[1]}H${wide}M${data.origin[0]} 0V${high}` });
  const look = { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "The words as points" };
  const plane = svg("svg.attn-words", look, ...grounds, axes, way, ...near, ...points, ...labels, ...titles);

  function show(next, spoken) {
    Object.assign(state, next);
    const now = times[state.time],
      unit = Math.max(1, wide / (plane.clientWidth || wide)); // letters are as large on a phone
    plane.style.fontSize = `${13 * unit}px`;
    const taken = now.map(([x, y]) => [x - 7 * unit, x + 7 * unit, y - 7 * unit, y + 7 * unit]);
    // A text takes the first of its places that is free; without one it is hidden, unless it must be seen.
    function write(text, places, size, must) {
      text.style.display = "";
      const half = text.getComputedTextLength() / 2;
      const boxes = places(half).map(([x, y]) => [x - half, x + half, y - size / 2, y + size / 2]);
      const inside = ([left, right, top, low]) => left > 0 && right < wide && top > 0 && low < high;
      const meet = (one, other) => one[0] < other[1] && one[1] > other[0] && one[2] < other[3] && one[3] > other[2];
      const free = boxes.find((box) => inside(box) && !taken.some((other) => meet(box, other))) ?? (must && boxes[0]);
      if (!free) return void (text.style.display = "none");
      taken.push(free);
      setAttributes(text, { x: (free[0] + free[1]) / 2, y: (free[2] + free[3]) / 2 });
    }
    const label = (word) => {
      const [x, y] = now[word];
      const beside = (half) => [1, -1].map((side) => [x + side * (half + 10 * unit), y]);
      const above = [-1, 1].map((side) => [x, y + side * 16 * unit]);
      labels[word].classList.toggle("attn-followed", word === state.word);
      write(labels[word], (half) => [...beside(half), ...above], 12 * unit, word === state.word);
    };
    label(state.word);
    const groups = names.map((_, meaning) => now.filter((_, word) => meanings[word] === meaning)),
      middles = groups.map((own) => [0, 1].map((side) => own.reduce((sum, at) => sum + at[side], 0) / own.length));
    groups.forEach((own, meaning) => {
      const outer = Array.from({ length: 48 }, (_, turn) => {
        const along = ([x, y]) => x * Math.cos((turn * Math.PI) / 24) + y * Math.sin((turn * Math.PI) / 24);
        return own.reduce((best, point) => (along(point) > along(best) ? point : best));
      });
      setAttributes(grounds[meaning], { d: `M${outer.join("L")}z`, "stroke-width": 36 * unit });
      const [x, y] = middles[meaning],
        down = own.map((point) => point[1]);
      const edge = y < high / 2 ? Math.min(...down) - 32 * unit : Math.max(...down) + 32 * unit,
        kept = Math.max(12 * unit, Math.min(edge, high - 12 * unit));
      const apart = middles.every(([a, b], other) => other === meaning || Math.hypot(a - x, b - y) > 60);
      write(titles[meaning], () => (apart ? [[x, kept]] : []), 20 * unit); // in the heap none has a name
    });
    words.forEach((_, word) => word === state.word || label(word));
    for (const parts of [points, near])
      parts.forEach((part, word) => setAttributes(part, { transform: `translate(${now[word]}) scale(${unit})` }));
    const past = times.slice(0, state.time + 1).map((each) => each[state.word]);
    setAttributes(way, { points: past.join(" ") });
    const [x, y] = now[state.word],
      far = now.map(([a, b], other) => (other === state.word ? Infinity : (a - x) ** 2 + (b - y) ** 2)),
      nearest = far.indexOf(Math.min(...far));
    const told = (word) => [...quoted(words[word]), ` (${names[meanings[word]]})`];
    const begin = `Step ${steps[state.time]}: the word nearest to `;
    follows.forEach((each, place) => (each.ariaPressed = state.word === data.follow[place]));
    say([begin, ...told(state.word), " is ", ...told(nearest), "."], spoken);
  }

  const range = { max: steps.length - 1, value: state.time };
  const change = (time, spoken) => show({ time }, spoken);
  const time = slider("training", range, change, (value) => `step ${steps[value]}`);
  const follows = data.follow.map((word) => button(words[word], () => show({ word }, true)));
  const row = element("div.attn-controls", time.made, element("div.attn-follow", "follow", ...follows));
  body.replaceChildren(row, plane);
  hint.textContent = "Move the slider to step 0 and back; press a word to see its way.";
  new ResizeObserver(() => show({}, false)).observe(plane);
  show({}, false);
});
