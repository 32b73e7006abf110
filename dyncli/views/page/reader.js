"use strict";
// What a reader does with the page: selects, pans, steps, searches, folds; the source beside the picture, mouse and keyboard.

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
    if (!group.matches(".node")) continue;
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
function markLines() {
  const chosen = state.chosen ? nodes.get(state.chosen) : null;
  for (const line of document.querySelectorAll("#source li")) {
    const here = chosen && chosen.line && +line.dataset.file === chosen.file && +line.dataset.line >= chosen.line && +line.dataset.line <= chosen.endLine;
    const picked = state.line && +line.dataset.file === state.line.file && +line.dataset.line === state.line.number;
    line.classList.toggle("chosen", Boolean(here || picked));
    if (line.hasAttribute("tabindex")) line.setAttribute("aria-pressed", String(Boolean(here || picked)));
    markExpression(line, here && chosen.line === chosen.endLine ? chosen : null);
  }
}
const nodeOf = id => nodes.get(id) || (shown.get(id) || {}).node || (boxes.has(id) ? shutNode(boxes.get(id)) : null);
function choose(id, {scroll = true} = {}) {
  state.chosen = id;
  state.line = null;
  const node = nodeOf(id);
  tell(node);
  emphasise();
  if (scroll && node && node.line) {
    const line = document.querySelector(`#source li[data-file="${node.file}"][data-line="${node.line}"]`);
    if (line) line.scrollIntoView({block: "nearest"});
  }
}
function tell(node) {
  const about = $("about");
  about.replaceChildren();
  if (!node) {
    about.append(html("span", {}, "Choose a node or a line. Keys: arrows move, Enter folds, / searches, [ ] step, + − 0 zoom, t theme."));
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
  const node = nodes.get(id);
  let opened = false;
  for (const box of chain(node)) opened = folded.delete(box) || opened;
  if (opened) draw();
  const item = shown.get(id);
  if (item) centre(item);
}
function toggle(id) {
  if (!boxes.has(id)) return;
  if (!folded.delete(id)) folded.add(id);
  draw();
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
  const x = (item.x + item.width / 2) * view.scale + view.x, y = (item.y + item.height / 2) * view.scale + view.y;
  if (onlyIfOut && x > 30 && x < room.width - 30 && y > 30 && y < room.height - 30) return;
  view.x += room.width / 2 - x;
  view.y += room.height / 2 - y;
  move();
}

// The source
function writeSource() {
  const pane = $("source");
  const drawn = new Set(data.nodes.map(node => `${node.file} ${node.line}`));
  data.files.forEach((file, number) => {
    pane.append(html("h2", {}, file.name));
    const list = html("ol", {role: "group", "aria-label": `source of ${file.name}`});
    file.lines.forEach(([text, mark], at) => {
      const linked = drawn.has(`${number} ${at + 1}`);
      const word = {ran: "ran", left: "not reached", raised: "raised"}[mark] || "";
      const line = html("li", {class: `${mark} ${linked ? "linked" : ""}`.trim(), "data-file": number, "data-line": at + 1,
        tabindex: linked ? -1 : null, role: linked ? "button" : null, title: word || null});
      line.append(html("span", {class: "number"}, String(at + 1)), html("span", {class: "mark"}), html("span", {class: "words"}));
      line.lastChild.append(html("code", {}, text), html("span", {class: "value"}));
      list.append(line);
    });
    pane.append(list);
  });
  rove(pane, pane.querySelector("li.linked"));
  if (!data.files.length) pane.append(html("h2", {}, "The record holds no source."));
}
function markExpression(line, chosen) {
  const [file, number] = [+line.dataset.file, +line.dataset.line];
  const text = data.files[file].lines[number - 1][0], code = line.querySelector("code");
  if (chosen && chosen.endCol > chosen.col) {
    code.replaceChildren(text.slice(0, chosen.col), html("mark", {}, text.slice(chosen.col, chosen.endCol)), text.slice(chosen.endCol));
  } else if (code.childNodes.length !== 1 || code.firstChild.nodeType !== 3) code.textContent = text;
}
// The value that each line has at the step the reader is at.
function writeValues() { for (const line of document.querySelectorAll("#source li")) writeValue(line); }
function writeValue(line) {
  const [file, number] = [+line.dataset.file, +line.dataset.line], text = data.files[file].lines[number - 1][0];
  const here = lineNodes.get(`${file} ${number}`) || [];
  const words = here.map(node => [node.expr, valueOn(node)]).filter(([, value]) => value);
  const value = line.querySelector(".value");
  value.textContent = words.length ? "→ " + words[words.length - 1][1] : "";
  value.title = some(words.map(([text, value]) => `${text} = ${value}`)).join("\n");
  if (line.hasAttribute("tabindex")) {
    line.setAttribute("aria-label", [`line ${number}, ${line.title}: ${text.trim()}`, ...some(words.map(([, value]) => value))].join(", "));
  }
}
const some = words => words.length <= 20 ? words : [...words.slice(0, 10), `${words.length - 20} more`, ...words.slice(-10)];
const lineNodes = new Map();
const breadth = node => (node.kind === "decision" ? 1e6 : 0) + node.endCol - node.col;
const onLines = data.nodes.filter(node => node.line && ["op", "parameter", "decision"].includes(node.kind));
for (const node of onLines.sort((a, b) => breadth(a) - breadth(b))) {
  const key = `${node.file} ${node.line}`;
  if (!lineNodes.has(key)) lineNodes.set(key, []);
  lineNodes.get(key).push(node);
}
function valueOn(node) {
  const now = stepOf(node);
  if (now && now[1] !== null && now[1].includes("\n")) return now[1].split("\n").join("  |  ");
  if (now) return now[1] === null ? "" : node.kind === "decision" ? now[1] : now[1].split(" · ").slice(1).join(" · ") || now[1];
  const texts = node.lines.map(([text]) => text);
  const said = own => node.kind === "decision" ? own.join(" · ").replace(/^(line \d+|[^·→]*:\d+)( · | → )?/, "")
    : own[0].split(" · ").slice(1).join(" · ") || own[0];
  const each = data.names.map(name => [name, texts.filter(text => text.startsWith(`${name}: `)).map(text => text.slice(name.length + 2))]);
  if (!texts.length || !each.some(([name]) => texts[0].startsWith(`${name}: `))) return texts.length ? said(texts) : "";
  return each.filter(([, own]) => own.length).map(([name, own]) => `${name}: ${said(own)}`).join("  |  ");
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
  $("at").max = stepsOf(state.loop).length;
}
function step(to) {
  const steps = stepsOf(state.loop);
  const at = Math.max(0, Math.min(steps.length, to));
  state.step = at ? steps[at - 1] : null;
  $("at").max = steps.length;
  $("at").value = at;
  const [now, all] = [(state.step || 0) + 1, steps[steps.length - 1] + 1];  // of very many only the first and the last are here
  const words = at ? `iteration ${now.toLocaleString("en")} of ${all.toLocaleString("en")}` : `all ${all.toLocaleString("en")}`;
  $("count").textContent = words;
  $("at").setAttribute("aria-valuetext", words);
  seek();
  writeValues();
  draw();
  tell(nodeOf(state.chosen));
}

// Search
// Finds what the words sought stand in; a box is lit for what it holds.
function seek() {
  const words = state.query.toLowerCase();
  state.hits = words ? data.nodes.filter(node => `${spoken(node)} ${node.expr || ""} line ${node.line}`.toLowerCase().includes(words)) : [];
  state.lit = words ? new Set(state.hits.flatMap(node => [node.id, ...chain(node)])) : null;
}
function search(again) {
  seek();
  const found = state.hits.map(node => node.id);
  let at = -1;
  if (found.length && again) {
    at = (found.indexOf(state.chosen) + 1) % found.length;
    reveal(found[at]);
    choose(found[at]);
  } else emphasise();
  $("found").textContent = !state.lit ? "" : at >= 0 ? `${at + 1} of ${found.length}` : found.length ? `${found.length} found` : "nothing found";
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").setAttribute("aria-pressed", String(name === "dark"));
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
}
function foldAll(all) {
  folded.clear();
  if (all) for (const box of boxes.values()) if (["loop", "call", "module"].includes(box.kind)) folded.add(box.id);
  settle();
  fit();
}

// Events
function listen() {
  const picture = $("picture"), tip = $("tip");
  let drag = null;
  const target = event => event.target.closest ? event.target.closest("[data-id]") : null;
  picture.addEventListener("pointerdown", event => { drag = {x: event.clientX, y: event.clientY, moved: false}; });
  window.addEventListener("pointermove", event => {
    if (!drag) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
    drag.moved = true;
    picture.classList.add("dragging");
    view.x += event.clientX - drag.x;
    view.y += event.clientY - drag.y;
    drag.x = event.clientX;
    drag.y = event.clientY;
    move();
  });
  window.addEventListener("pointerup", () => { picture.classList.remove("dragging"); setTimeout(() => { drag = null; }); });
  picture.addEventListener("click", event => {
    if (drag && drag.moved) return;
    const hit = target(event);
    if (!hit) { state.chosen = state.line = null; tell(null); emphasise(); return; }
    if (boxes.has(hit.dataset.id)) toggle(hit.dataset.id); else choose(hit.dataset.id);
  });
  picture.addEventListener("wheel", event => {
    event.preventDefault();
    const room = picture.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey || !event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY)) {
      zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
    } else { view.x -= event.deltaX || event.deltaY; move(); }
  }, {passive: false});
  picture.addEventListener("mousemove", event => {
    const hit = target(event), item = hit && shown.get(hit.dataset.id);
    if (!item || !item.node || drag && drag.moved) { tip.style.display = "none"; return; }
    const node = item.node;
    tip.textContent = [[node.name, node.rest].filter(Boolean).join(" "), ...linesOf(node).map(([text]) => text), node.expr || "",
      node.full || "", node.fullGrad ? "grad " + node.fullGrad : ""].filter(Boolean).join("\n");
    tip.style.display = tip.textContent ? "block" : "none";
    const room = $("graph").getBoundingClientRect();
    tip.style.left = `${Math.min(event.clientX - room.left + 14, Math.max(0, room.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.min(event.clientY - room.top + 14, Math.max(0, room.height - tip.offsetHeight - 8))}px`;
  });
  picture.addEventListener("mouseleave", () => { tip.style.display = "none"; });
  picture.addEventListener("focusin", event => { const hit = target(event); if (hit) rove($("canvas"), hit); if (hit && !drag && nodes.has(hit.dataset.id) && state.chosen !== hit.dataset.id) choose(hit.dataset.id); });
  $("source").addEventListener("click", event => pickLine(event.target.closest("li.linked")));
  $("source").addEventListener("focusin", event => rove($("source"), event.target.closest("li.linked")));
  $("source").addEventListener("keydown", event => {
    const lines = [...document.querySelectorAll("#source li.linked")], at = lines.indexOf(event.target.closest("li.linked"));
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (by && lines[at + by]) { event.preventDefault(); lines[at + by].focus(); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pickLine(lines[at]); }
  });
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  $("fit").addEventListener("click", fit);
  $("fold").addEventListener("click", () => foldAll(true));
  $("unfold").addEventListener("click", () => foldAll(false));
  $("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("search").addEventListener("input", event => { state.query = event.target.value.trim(); search(false); });
  $("search").addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); search(true); } });
  $("loop").addEventListener("change", event => { state.loop = event.target.value; step(0); });
  $("at").addEventListener("input", event => step(+event.target.value));
  $("back").addEventListener("click", () => step(+$("at").value - 1));
  $("next").addEventListener("click", () => step(+$("at").value + 1));
  document.addEventListener("keydown", key);
  window.addEventListener("resize", move);
  onPaper();
}
// Printed, the whole picture is there, on white.
function onPaper() {
  let before = null;
  window.addEventListener("beforeprint", () => {
    before = [view, document.documentElement.dataset.theme];
    whole = true;
    theme("light");
    view = {x: 10, y: 10, scale: 1};
    $("picture").setAttribute("viewBox", `0 0 ${round(size.width + 20)} ${round(size.height + 20)}`);
    move();
  });
  window.addEventListener("afterprint", () => {
    whole = false;
    $("picture").removeAttribute("viewBox");
    theme(before[1]);
    view = before[0];
    move();
  });
}
function pickLine(line) {
  if (!line) return;
  state.chosen = null;
  state.line = {file: +line.dataset.file, number: +line.dataset.line};
  const here = data.nodes.filter(node => node.file === state.line.file && node.line === state.line.number);
  if (here.length) { reveal(here[0].id); tell(here[here.length - 1]); }
  emphasise();
}
// A browser empties a search field on Escape without a word to the page.
function leave(field) {
  if (field === $("search")) { field.value = state.query = ""; search(false); }
  field.blur();
}
function key(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "f" && many() && event.target !== $("search")) {
    event.preventDefault();
    $("search").select();
    $("search").focus();
    return;
  }
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") leave(event.target);
    return;
  }
  const inPicture = event.target.closest && event.target.closest("#picture") || event.target === document.body;
  const id = event.target.dataset ? event.target.dataset.id : null;
  const keys = {"/": () => $("search").focus(), "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
    "[": () => state.loop && step(+$("at").value - 1), "]": () => state.loop && step(+$("at").value + 1), "t": () => $("theme").click(),
    "Escape": () => { state.chosen = state.line = null; tell(null); emphasise(); }};
  if (inPicture) Object.assign(keys, {"ArrowDown": () => walk(1), "ArrowRight": () => walk(1), "ArrowUp": () => walk(-1), "ArrowLeft": () => walk(-1),
    "Home": () => walk(-Infinity), "End": () => walk(Infinity)});
  if (inPicture && id) Object.assign(keys, {"Enter": () => toggle(id), " ": () => toggle(id)});
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
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
