"use strict";
// What a reader does with the page: selects, pans, steps, searches, folds; mouse and keyboard.

// Selection
const spoken = node => [node.kind, node.name, node.rest, ...linesOf(node).map(([text]) => text)].filter(Boolean).join(", ");
function emphasise() {
  dress();
  markLines();
}
// What is drawn, by what is chosen and sought.
function dress() {
  const near = new Set();
  for (const {edge, path} of drawnEdges) {
    const on = state.chosen !== null && (edge.from === state.chosen || edge.to === state.chosen);
    path.classList.toggle("on", on);
    if (on) near.add(edge.from === state.chosen ? edge.to : edge.from);
  }
  for (const [id, group] of layers.nodes.drawn) {
    if (group.matches(".head")) { group.classList.toggle("chosen", id === state.chosen); continue; }
    const node = nodes.get(id);
    const now = node ? stepOf(node) : null;
    const onLine = state.line !== null && node && node.file === state.line.file && node.line === state.line.number;
    const chosen = id === state.chosen || Boolean(onLine);
    group.classList.toggle("chosen", chosen);
    if (node) group.setAttribute("aria-pressed", String(chosen));
    group.classList.toggle("near", near.has(id));
    group.classList.toggle("away", Boolean(state.lit && !state.lit.has(id)) || Boolean(now && now[1] === null));
  }
}
const nodeOf = id => nodes.get(id) || (shown.get(id) || {}).node || (boxes.has(id) ? foldedNode(boxes.get(id)) : null);
function choose(id, {scroll = true} = {}) {
  state.chosen = id;
  state.line = null;
  const node = nodeOf(id);
  tell(node);
  emphasise();
  if (scroll && node && node.line) {
    const line = document.querySelector(`#source li[data-file="${node.file}"][data-line="${node.line}"]`);
    if (line) line.scrollIntoView({block: "nearest"});
    if (line && line.matches(".linked")) rove($("source"), line);
  }
}
function tell(node) {
  const about = $("about");
  about.replaceChildren();
  if (!node) {
    about.append(html("span", {}, "Choose a node or a line."), html("span", {class: "keys"}, "Keys: arrows move, Enter folds, / searches (Enter and Shift+Enter go on and back), [ ] step, + − 0 zoom, t theme."));
    const all = order.length.toLocaleString("en");
    if (many()) about.append(html("span", {}, `${all} nodes and frames, drawn where you look; Ctrl+F searches all of them.`));
    return;
  }
  about.append(html("b", {}, [node.name, node.rest].filter(Boolean).join(" ") || node.kind));
  for (const [text, tone] of linesOf(node)) about.append(html("span", {class: tone}, text));
  if (node.expr) about.append(html("span", {}, `${data.files[node.file] ? data.files[node.file].name : ""}:${node.line}  ${node.expr}`));
  if (node.full) about.append(html("span", {}, node.full));
  if (node.fullGrad) about.append(html("span", {class: "gradient"}, "grad " + node.fullGrad));
}
function reveal(id) {
  let opened = false;
  for (const box of chain(nodes.get(id) || boxes.get(id))) opened = folded.delete(box) || opened;
  if (opened) draw();
  const item = shown.get(id);
  if (item) centre(item);
}
function toggle(id) {
  if (!boxes.has(id)) return;
  const before = shown.get(id);
  if (!folded.delete(id)) folded.add(id);
  settle();
  const item = shown.get(id);
  view.x += (before.x - item.x) * view.scale;
  view.y += (before.y - item.y) * view.scale;
  move();
  centre(item, true);
  if (elementOf(id)) elementOf(id).focus({preventScroll: true});
  $("said").textContent = folded.has(id) ? "folded" : "unfolded";
}
function walk(by) {
  const focus = document.activeElement.dataset.id || state.chosen;
  const at = order.findIndex(item => item.id === focus);
  const next = order[Math.max(0, Math.min(order.length - 1, at + by))];
  if (!next) return;
  centre(next, true);
  elementOf(next.id).focus({preventScroll: true});
  choose(next.id);
}

// Pan and zoom
function move() {
  $("canvas").setAttribute("transform", `translate(${round(view.x)} ${round(view.y)}) scale(${view.scale})`);
  drawPart();
}
function fit() {
  const room = $("picture").getBoundingClientRect();
  view.scale = Math.min(1.4, (room.width - 40) / Math.max(1, size.width), (room.height - 40) / Math.max(1, size.height));
  view.scale = Math.max(0.05, view.scale);
  view.x = (room.width - size.width * view.scale) / 2;
  view.y = Math.max(20, (room.height - size.height * view.scale) / 2);
  move();
}
function start() {
  // A tall graph begins at its top, wide enough to read.
  const room = $("picture").getBoundingClientRect();
  fit();
  if (view.scale < 0.75) {
    view.scale = Math.min(1, Math.max(0.6, (room.width - 40) / size.width));
    const first = [...shown.values()].filter(item => item.node && item.y < 1).sort((a, b) => a.order - b.order)[0];
    const middle = first && size.width * view.scale > room.width ? first.x + first.width / 2 : size.width / 2;
    view.x = Math.min(20, Math.max(room.width - 20 - size.width * view.scale, room.width / 2 - middle * view.scale));
    if (size.width * view.scale <= room.width) view.x = (room.width - size.width * view.scale) / 2;
    view.y = 20;
    move();
  }
}
// Two fingers: the picture moves with the place between them, and grows with how far they are apart.
function pinch(fingers, event) {
  const spread = () => {
    const [[x1, y1], [x2, y2]] = fingers.values();
    return [Math.hypot(x1 - x2, y1 - y2), (x1 + x2) / 2, (y1 + y2) / 2];
  };
  const [far, x, y] = spread();
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const [further, right, down] = spread(), room = $("picture").getBoundingClientRect();
  view.x += right - x;
  view.y += down - y;
  zoom(further / Math.max(1, far), right - room.left, down - room.top);
}
function zoom(by, x = null, y = null) {
  const room = $("picture").getBoundingClientRect();
  if (x === null) { x = room.width / 2; y = room.height / 2; }
  const scale = Math.max(0.05, Math.min(4, view.scale * by));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  move();
}
function centre(item, onlyIfOut = false) {
  const room = $("picture").getBoundingClientRect();
  // Of an open frame the title.
  const {width, height} = item.box && !item.folded ? titleOf(item) : item;
  const x = (item.x + width / 2) * view.scale + view.x, y = (item.y + height / 2) * view.scale + view.y;
  if (onlyIfOut && x > 30 && x < room.width - 30 && y > 30 && y < room.height - 30) return;
  view.x += room.width / 2 - x;
  view.y += room.height / 2 - y;
  move();
}

// The stepper
const stepsOf = loop => [...stepsWithin(loop)].sort((a, b) => a - b);
// A loop by its test and its line, which its frame leaves to the diamond below it.
function named(box) {
  const test = data.nodes.find(node => node.kind === "decision" && node.name === box.name && node.line && loopOf(node) === box.id);
  const words = test ? `${test.rest} · line ${test.line}` : "";
  return `${box.name} ${box.rest.startsWith(words) ? "" : `${words} · `}${box.rest}`.trim();
}
function setUpSteps() {
  const loops = data.boxes.filter(box => box.kind === "loop" && stepsOf(box.id).length > 1);
  if (!loops.length) { $("steps").classList.add("hidden"); return; }
  for (const box of loops) $("loop").append(html("option", {value: box.id}, named(box)));
  state.loop = loops[0].id;
  tellStep(stepsOf(state.loop), 0);
}
function step(to) {
  const steps = stepsOf(state.loop);
  const at = Math.max(0, Math.min(steps.length, to));
  state.step = at ? steps[at - 1] : null;
  tellStep(steps, at);
  seek();
  writeValues();
  draw();
  tell(nodeOf(state.chosen));
}
function tellStep(steps, at) {
  $("at").max = steps.length;
  $("at").value = at;
  const [now, all] = [(state.step || 0) + 1, steps[steps.length - 1] + 1];  // of very many only the first and the last are here
  const words = at ? `iteration ${now.toLocaleString("en")} of ${all.toLocaleString("en")}` : `all ${all.toLocaleString("en")}`;
  $("count").textContent = words;
  $("at").setAttribute("aria-valuetext", words);
}

// Search
// Finds what the words sought stand in; a box is lit for what it holds.
function seek() {
  const words = state.query.toLowerCase();
  const said = thing => boxes.has(thing.id) ? `${thing.kind} ${thing.name} ${thing.rest}` : `${spoken(thing)} ${thing.expr || ""} line ${thing.line}`;
  state.hits = words ? things().filter(thing => said(thing).toLowerCase().includes(words)) : [];
  state.lit = words ? new Set(state.hits.flatMap(thing => [thing.id, ...chain(thing)])) : null;
}
// All nodes, and before what each holds the frames that have a name of their own.
const things = () => once("things", () => {
  const all = new Set(), frames = ["loop", "call", "module"];
  for (const node of data.nodes) {
    for (const id of [...chain(node)].reverse()) if (frames.includes(boxes.get(id).kind)) all.add(boxes.get(id));
    all.add(node);
  }
  return [...all];
});
function search(by) {
  seek();
  const found = state.hits.map(node => node.id);
  let at = -1;
  if (found.length && by) {
    const here = found.indexOf(state.chosen);
    at = here < 0 && by < 0 ? found.length - 1 : (here + by + found.length) % found.length;
    reveal(found[at]);
    choose(found[at]);
  } else emphasise();
  $("found").textContent = !state.lit ? "" : at >= 0 ? `${at + 1} of ${found.length}` : found.length ? `${found.length} found` : "nothing found";
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
  $("theme").setAttribute("aria-label", `${$("theme").textContent} theme`);
}
function foldAll(all) {
  folded.clear();
  if (all) for (const box of boxes.values()) if (["loop", "call", "module"].includes(box.kind)) folded.add(box.id);
  settle();
  fit();
}

theme(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
arrowheads();
writeSource();
setUpSteps();
writeValues();
listen();
settle();
start();
markLines();
tell(null);
document.body.dataset.ready = "true";
