// The robot: points and lines in space, turned about the middle; one pose is drawn as a whole, of the others a point.
(() => {
  const island = document.getElementById("robot-data");
  if (!island) return;
  const data = JSON.parse(island.textContent);
  const view = document.getElementById("robot-view"), told = document.getElementById("robot-told");
  const still = data.still.length / 3, count = data.poses.length;
  const state = { turn: -0.6, tilt: 0.35, size: 1, pose: 0 };
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const point = (number) => {
    const from = number < still ? data.still : data.moving;
    const place = number < still ? 3 * number : 3 * (state.pose * data.each + number - still);
    return [from[place], from[place + 1], from[place + 2]];
  };
  const projected = ([x, y, z], width, height) => {
    const c = Math.cos(state.turn), s = Math.sin(state.turn), d = Math.cos(state.tilt), t = Math.sin(state.tilt);
    const across = c * x - s * y, along = s * x + c * y;
    const scale = (state.size * 0.8 * Math.min(width, height)) / data.steps;
    return [width / 2 + scale * across, height / 2 - scale * (d * z + t * along), d * along - t * z];
  };
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = view.clientWidth || 1000, height = Math.min(560, Math.max(320, 0.62 * width));
    view.width = width * ratio; view.height = height * ratio; view.style.height = `${height}px`;
    const pen = view.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = style("--interval"); pen.globalAlpha = count > 500 ? 0.45 : 0.8;
    for (let pose = 0; pose < count; pose++) {
      const place = 3 * (pose * data.each + data.followed - still);
      const [x, y] = projected(data.moving.slice(place, place + 3), width, height);
      pen.fillRect(x - 1.2, y - 1.2, 2.4, 2.4);
    }
    pen.globalAlpha = 1; pen.lineWidth = 3; pen.lineCap = "round"; pen.strokeStyle = style("--possible");
    for (const [a, b] of data.lines) {
      const [x, y] = projected(point(a), width, height), [u, v] = projected(point(b), width, height);
      pen.beginPath(); pen.moveTo(x, y); pen.lineTo(u, v); pen.stroke();
    }
    for (let number = 0; number < still + data.each; number++) {
      const [x, y] = projected(point(number), width, height), followed = number === data.followed;
      pen.fillStyle = style(followed ? "--needs" : "--text");
      pen.beginPath(); pen.arc(x, y, followed ? 6 : 4, 0, 2 * Math.PI); pen.fill();
    }
    const wanted = (0.2 * data.extent) / state.size, power = 10 ** Math.floor(Math.log10(wanted));
    const length = power * (wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1);
    const bar = (state.size * 0.8 * Math.min(width, height) * length) / data.extent;
    pen.strokeStyle = pen.fillStyle = style("--text"); pen.lineWidth = 2; pen.font = "12px sans-serif";
    pen.beginPath(); pen.moveTo(14, height - 14); pen.lineTo(14 + bar, height - 14); pen.stroke();
    pen.fillText(`${Number(length.toPrecision(2))} mm`, 14, height - 20);
    axes(pen, width, height);
    view.dataset.turn = state.turn.toFixed(3); view.dataset.pose = data.poses[state.pose];
    told.textContent = `pose ${data.poses[state.pose]} (${state.pose + 1} of ${count} that are drawn)`;
  };
  const axes = (pen, width, height) => {
    const long = data.steps / 12 / state.size;
    const [x0, y0] = projected([0, 0, 0], width, height);
    for (const [name, end] of [["x", [long, 0, 0]], ["y", [0, long, 0]], ["z", [0, 0, long]]]) {
      const [x, y] = projected(end, width, height), u = 46 + x - x0, v = 46 + y - y0;
      pen.lineWidth = 1.5; pen.beginPath(); pen.moveTo(46, 46); pen.lineTo(u, v); pen.stroke();
      pen.fillText(name, u + 3, v + 3);
    }
  };
  const pick = (number) => {
    state.pose = Math.min(Math.max(number, 0), count - 1);
    slider.value = String(state.pose);
    draw();
  };
  const turned = (across, up) => {
    state.turn += across;
    state.tilt = Math.min(Math.max(state.tilt + up, -Math.PI / 2), Math.PI / 2);
    draw();
  };

  const controls = document.getElementById("robot-controls");
  const label = document.createElement("label"), slider = document.createElement("input");
  label.textContent = "pose";
  Object.assign(slider, { type: "range", min: "0", max: String(count - 1), value: "0", id: "robot-pose" });
  slider.addEventListener("input", () => pick(Number(slider.value)));
  label.append(slider);
  controls.append(label);
  for (const [text, by] of [["previous", -1], ["next", 1]]) {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = text;
    button.addEventListener("click", () => pick(state.pose + by));
    controls.append(button);
  }
  let last = null;
  view.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; view.setPointerCapture(event.pointerId); });
  view.addEventListener("pointermove", (event) => {
    if (!last) return;
    turned((event.clientX - last[0]) / 150, (event.clientY - last[1]) / 150);
    last = [event.clientX, event.clientY];
  });
  view.addEventListener("pointerup", () => { last = null; });
  view.addEventListener("wheel", (event) => { event.preventDefault(); state.size = Math.min(Math.max(state.size * (event.deltaY < 0 ? 1.1 : 1 / 1.1), 0.2), 20); draw(); }, { passive: false });
  view.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (moves) turned(...moves);
    else if (event.key === "+" || event.key === "-") { state.size *= event.key === "+" ? 1.1 : 1 / 1.1; draw(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("pose-chosen", (event) => {
    const number = data.poses.indexOf(event.detail);
    if (number >= 0) pick(number);
  });
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
})();
