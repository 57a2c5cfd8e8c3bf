// The residuals: all rows as one list of numbers, of which a plot and a page of the table are shown.
(() => {
  const island = document.getElementById("residual-data");
  if (!island) return;
  const data = JSON.parse(island.textContent), SIZE = 25;
  const plot = document.getElementById("residual-plot"), told = document.getElementById("residual-told");
  const table = document.getElementById("residual-table"), body = table.tBodies[0];
  const state = { point: data.points[0], family: "", only: false, key: "miss", down: true, page: 0, chosen: -1, rows: [] };

  const decimal = (steps, power) => {
    if (steps === null) return "not known";
    if (power >= 0) return String(steps * 10 ** power);
    const digits = String(Math.abs(steps)).padStart(1 - power, "0");
    return `${steps < 0 ? "-" : ""}${digits.slice(0, power)}.${digits.slice(power)}`;
  };
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const collect = () => {
    const rows = [];
    for (const family of data.families) {
      const at = family.at[state.point];
      if (!at || (state.family && family.name !== state.family)) continue;
      const used = new Set(family.used), scale = 10 ** at.power;
      at.lower.forEach((low, k) => {
        const number = family.numbers ? family.numbers[k] : k, high = at.upper[k];
        const bare = low === null || high === null;
        if (state.only && !used.has(number)) return;
        rows.push({
          family, number, low, high, power: at.power, used: used.has(number),
          pose: data.poses ? data.poses[number] : family.poses[k],
          from: bare ? NaN : low * scale, to: bare ? NaN : high * scale,
          miss: bare ? Infinity : Math.max(low, -high, 0) * scale,
        });
      });
    }
    state.reach = new Map();  // of each unit: what is in different units has no common scale
    for (const row of rows) if (row.to === row.to) {
      const unit = row.family.unit;
      state.reach.set(unit, Math.max(state.reach.get(unit) || 0, Math.abs(row.from), Math.abs(row.to)));
    }
    const part = (row) => row.miss / (state.reach.get(row.family.unit) || 1);
    const order = {
      miss: (a, b) => part(a) - part(b) || (a.to - a.from) - (b.to - b.from), from: (a, b) => a.from - b.from, to: (a, b) => a.to - b.to,
      pose: (a, b) => a.number - b.number, family: (a, b) => a.family.name.localeCompare(b.family.name, "en", { numeric: true }) || a.number - b.number,
      unit: (a, b) => a.family.unit.localeCompare(b.family.unit), used: (a, b) => a.used - b.used,
    }[state.key];
    rows.sort((a, b) => (state.down ? order(b, a) : order(a, b)));
    state.rows = rows;
  };

  const sentence = (row) => {
    const ends = `${decimal(row.low, row.power)} .. ${decimal(row.high, row.power)} ${row.family.unit}`;
    return `${row.family.name}, pose ${row.pose}: ${ends}${row.miss > 0 ? "; holds no 0" : ""}${row.used ? `; ${data.words.conflict}` : ""}`;
  };

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = plot.clientWidth || 1000, height = 260;
    plot.width = width * ratio; plot.height = height * ratio; plot.style.height = `${height}px`;
    const pen = plot.getContext("2d"), rows = state.rows;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const units = [...state.reach].map(([unit, reach]) => [unit, reach || 1]), reaches = new Map(units), one = units.length === 1;
    const left = 64, high = (share) => height / 2 - share * (height / 2 - 20), y = (value, row) => high(value / (reaches.get(row.family.unit) || 1)), x = (k) => left + ((k + 0.5) * (width - left - 6)) / Math.max(rows.length, 1);
    pen.strokeStyle = style("--line"); pen.fillStyle = style("--soft"); pen.font = "12px sans-serif"; pen.lineWidth = 1;
    for (const share of [1, 0.5, 0, -0.5, -1]) {
      pen.beginPath(); pen.moveTo(left, high(share)); pen.lineTo(width - 6, high(share)); pen.stroke();
      if (one || share === 0) pen.fillText(share ? (share * units[0][1]).toPrecision(2) : "0", 4, high(share) + 4);
    }
    const scales = units.map(([unit, reach]) => `\u00b1${reach.toPrecision(2)} ${unit}`);
    pen.fillText(one ? units[0][0] : `${scales.join(", ")}: each at a scale of its own`, 4, height - 4);
    const thick = Math.max(1, Math.min(6, (0.6 * (width - left)) / Math.max(rows.length, 1)));
    for (const [wanted, colour] of [[0, "--possible"], [1, "--needs"]]) {
      pen.strokeStyle = style(colour); pen.lineWidth = thick; pen.beginPath();
      rows.forEach((row, k) => {
        if ((row.miss > 0 ? 1 : 0) !== wanted || row.to !== row.to) return;
        pen.moveTo(x(k), y(row.from, row) + 0.75); pen.lineTo(x(k), y(row.to, row) - 0.75);
      });
      pen.stroke();
    }
    pen.fillStyle = style("--text");
    rows.forEach((row, k) => { if (row.used) pen.fillRect(x(k) - 1.5, 2, 3, 7); });
    if (state.chosen >= 0 && state.chosen < rows.length) {
      pen.strokeStyle = style("--text"); pen.lineWidth = 1; pen.beginPath();
      pen.moveTo(x(state.chosen), 0); pen.lineTo(x(state.chosen), height); pen.stroke();
    }
    plot.dataset.rows = String(rows.length);
  };

  const fill = () => {
    const first = state.page * SIZE;
    body.replaceChildren(...state.rows.slice(first, first + SIZE).map((row, k) => {
      const line = element("tr", "", { title: sentence(row) });
      if (first + k === state.chosen) line.className = "chosen";
      line.append(element("th", row.family.name, { scope: "row" }));
      for (const text of [row.pose, decimal(row.low, row.power), decimal(row.high, row.power), row.family.unit, row.used ? "used" : ""]) line.append(element("td", text));
      line.addEventListener("mouseenter", () => choose(first + k, false));
      line.addEventListener("click", () => choose(first + k, true));
      return line;
    }));
    const last = Math.max(Math.ceil(state.rows.length / SIZE), 1);
    counted.textContent = `rows ${Math.min(first + 1, state.rows.length)} to ${Math.min(first + SIZE, state.rows.length)} of ${state.rows.length}, page ${state.page + 1} of ${last}`;
  };
  const choose = (number, turn) => {
    if (!state.rows.length) return;
    state.chosen = Math.min(Math.max(number, 0), state.rows.length - 1);
    const row = state.rows[state.chosen];
    told.textContent = sentence(row);
    plot.title = sentence(row);
    if (turn && Math.floor(state.chosen / SIZE) !== state.page) { state.page = Math.floor(state.chosen / SIZE); fill(); }
    [...body.rows].forEach((line, k) => line.classList.toggle("chosen", state.page * SIZE + k === state.chosen));
    draw();
    document.dispatchEvent(new CustomEvent("pose-chosen", { detail: row.pose }));
  };
  const show = () => { collect(); state.page = 0; state.chosen = -1; told.textContent = ""; fill(); draw(); };

  const picked = (label, options, change) => {
    const box = element("label", label), choice = element("select");
    for (const [key, text] of options) { const option = element("option", text); option.value = key; choice.append(option); }
    choice.addEventListener("change", () => { change(choice.value); show(); });
    box.append(choice);
    return box;
  };
  const controls = document.getElementById("residual-controls");
  controls.append(
    picked("at", data.points.map((point) => [point, data.words[point]]), (value) => { state.point = value; }),
    picked("rows of", [["", "all"], ...data.families.map((family) => [family.name, family.name])], (value) => { state.family = value; }),
    picked("show", [["", "all rows"], ["used", "rows that the proof uses"]], (value) => { state.only = value === "used"; }),
  );
  const pages = document.getElementById("residual-pages"), counted = element("span", "");
  const step = (label, by) => {
    const button = element("button", label, { type: "button" });
    button.addEventListener("click", () => {
      const last = Math.max(Math.ceil(state.rows.length / SIZE) - 1, 0);
      state.page = Math.min(Math.max(state.page + by, 0), last); fill();
    });
    return button;
  };
  pages.append(step("previous", -1), counted, step("next", 1));
  ["family", "pose", "from", "to", "unit", "used"].forEach((key, column) => {
    const heading = table.tHead.rows[0].cells[column];
    heading.querySelector("button").addEventListener("click", () => {
      state.down = state.key === key ? !state.down : false; state.key = key;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      show();
    });
  });
  const under = (event) => {
    const place = plot.getBoundingClientRect();
    return Math.floor(((event.clientX - place.left - 64) / (place.width - 70)) * state.rows.length);
  };
  plot.addEventListener("mousemove", (event) => choose(under(event), false));
  plot.addEventListener("click", (event) => choose(under(event), true));
  plot.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -SIZE, PageDown: SIZE, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(by === Infinity ? state.rows.length - 1 : by === -Infinity ? 0 : state.chosen + by, true);
  });
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  show();
})();
