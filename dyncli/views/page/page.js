"use strict";
// The page: draws what is unfolded, links it to the source, and answers mouse and keyboard.  No text is read as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const $ = id => document.getElementById(id);
const nodes = new Map(data.nodes.map((node, order) => [node.id, Object.assign(node, {order})]));
const boxes = new Map(data.boxes.map(box => [box.id, box]));
const folded = new Set();
const state = {chosen: null, loop: null, step: null, line: null, query: ""};
let view = {x: 0, y: 0, scale: 1}, size = {width: 1, height: 1}, shown = new Map(), drawnEdges = [];

function make(tag, attributes = {}, text = null, space = SVG) {
  const element = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}
const html = (tag, attributes, text = null) => make(tag, attributes, text, null);
const parentOf = thing => thing.box !== undefined ? thing.box : thing.parent;
function chain(thing) {
  const above = [];
  for (let id = parentOf(thing); id; id = boxes.get(id).parent) above.push(id);
  return above;
}
const loopOf = node => chain(node).find(id => boxes.get(id).kind === "loop") || null;

// What a node says at the step the reader is at.
function stepOf(node) {
  if (state.step === null || loopOf(node) !== state.loop || !node.steps || !node.steps.length) return null;
  return node.steps.find(([step]) => step === state.step) || [state.step, null, ""];
}
function linesOf(node) {
  const now = stepOf(node);
  if (!now) return node.lines;
  if (now[1] === null) return [["not in this iteration", "faint"]];
  const lines = now[1].split("\n").map(text => [text, "muted"]);
  if (now[2]) for (const text of now[2].split("\n")) lines.push(["grad " + text, "gradient"]);
  return lines.concat(node.lines.filter(([, tone]) => tone === "faint" || tone === "error").slice(0, 1));
}

// Sizes of text, measured once for each string.
const pen = document.createElement("canvas").getContext("2d");
const FONTS = {name: "700 12px system-ui, Helvetica, Arial, sans-serif", text: "12px system-ui, Helvetica, Arial, sans-serif",
  small: "11px system-ui, Helvetica, Arial, sans-serif", source: "11px ui-monospace, Menlo, Consolas, monospace"};
const widths = new Map();
function widthOf(text, font) {
  const key = font + text;
  if (!widths.has(key)) { pen.font = FONTS[font]; widths.set(key, pen.measureText(text).width); }
  return widths.get(key);
}
function wrapped(text, wide = 32, most = 3) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > wide) lines.push(word); else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.slice(0, most).map((line, at) => line.length > wide + 8 || at === most - 1 && lines.length > most ? line.slice(0, wide + 7) + "…" : line);
}
function rowsOf(node) {
  if (node.kind === "ghost" || node.kind === "done") return node.lines.map(([text]) => [[text, "source"]]);
  const head = [], [first, ...more] = node.kind === "decision" ? wrapped(node.rest) : [node.rest];
  if (node.name) head.push([node.name, "name"]);
  if (first) head.push([first, "text"]);
  return [head, ...more.map(text => [[text, "text"]]), ...(node.kind === "leaf" ? [] : linesOf(node)).map(([text, tone]) => [[text, "small", tone]])];
}
function measure(node) {
  const rows = rowsOf(node);
  const wide = row => row.reduce((sum, [text, font]) => sum + widthOf(text, font === "text" ? "text" : font), 0)
    + 5 * (row.length - 1);
  let width = Math.max(24, ...rows.map(wide)) + 24, height = rows.length * 15 + 12;
  if (node.kind === "leaf") { width -= 10; height -= 4; }
  if (node.kind === "decision") { width = width * 1.25 + 24; height = height * 1.5 + 8; }
  return {rows, width, height};
}

// The tree of what is visible: a folded box is one node.
function visible() {
  const inside = new Map([[null, []]]), stands = new Map(), items = new Map();
  for (const box of boxes.values()) inside.set(box.id, []);
  const hiddenBy = thing => chain(thing).reverse().find(id => folded.has(id)) || null;
  for (const box of boxes.values()) {
    if (hiddenBy(box)) continue;
    const shut = folded.has(box.id);
    const item = {id: box.id, box, shut, order: Infinity};
    if (shut) Object.assign(item, measure(shutNode(box)), {node: shutNode(box)});
    items.set(box.id, item);
    inside.get(box.parent).push(item);
  }
  for (const node of nodes.values()) {
    const by = hiddenBy(node);
    for (const id of chain(node)) if (items.has(id)) items.get(id).order = Math.min(items.get(id).order, node.order);
    if (by) { stands.set(node.id, by); continue; }
    const item = {id: node.id, node, order: node.order, ...measure(node)};
    items.set(node.id, item);
    inside.get(node.box).push(item);
    stands.set(node.id, node.id);
  }
  return {inside, stands, items};
}
function shutNode(box) {
  const within = data.nodes.filter(node => chain(node).includes(box.id));
  const ops = within.filter(node => node.kind === "op").length, tests = within.filter(node => node.kind === "decision").length;
  const words = [`${ops} op${ops === 1 ? "" : "s"}`];
  if (tests) words.push(`${tests} decision${tests === 1 ? "" : "s"}`);
  return {id: box.id, kind: "fold", name: title(box), rest: box.rest, lines: [[words.join(" · "), "muted"]], box: box.parent};
}
const title = box => box.kind === "arm" ? "taken: " + box.name : box.kind === "left" ? "not taken" : box.name;

function arrange() {
  const {inside, stands, items} = visible();
  const edges = [];
  const seen = new Map();
  for (const edge of data.edges) {
    const from = stands.get(edge.s), to = stands.get(edge.t);
    if (from === to && edge.s !== edge.t) continue;
    const key = `${from} ${to} ${edge.k} ${edge.side}`;
    if (!seen.has(key)) { seen.set(key, {...edge, from, to}); edges.push(seen.get(key)); }
  }
  const path = id => [...chain(items.get(id).node && !items.get(id).shut ? items.get(id).node : items.get(id).box)].reverse();
  const lifted = new Map(), entries = new Map(), exits = new Map();
  const list = (map, id) => map.get(id) || map.set(id, []).get(id);
  edges.forEach((edge, number) => { edge.key = String(number); });
  for (const edge of edges) {
    const a = [...path(edge.from), edge.from], b = [...path(edge.to), edge.to];
    let depth = 0;
    while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++;
    edge.home = depth ? a[depth - 1] : null;
    edge.ends = [a[depth], b[depth]];
    if (edge.k === "carried" || edge.k === "asked again") continue;
    list(lifted, edge.home).push(edge.ends);
    edge.out = a.slice(depth, -1).reverse();
    edge.into = b.slice(depth, -1);
    edge.out.forEach((box, at) => list(exits, box).push([edge.key, at ? edge.out[at - 1] : edge.from]));
    edge.into.forEach((box, at) => list(entries, box).push([edge.key, at + 1 < edge.into.length ? edge.into[at + 1] : edge.to]));
  }
  const bends = new Map();
  const settle = id => {
    const children = inside.get(id);
    for (const child of children) {
      if (!child.box || child.shut) continue;
      const inner = settle(child.id);
      child.width = Math.max(inner.width, widthOf(`${title(child.box)} ${child.box.rest}`, "name") + 30) + 2 * PAD;
      child.inset = (child.width - inner.width) / 2;
      child.height = inner.height + HEAD + PAD;
    }
    const done = layOut(children, lifted.get(id) || [], entries.get(id), exits.get(id));
    for (const [key, cells] of done.bends) bends.set(`${id} ${key}`, cells);
    return done;
  };
  const whole = settle(null);
  const corner = new Map([[null, {x: 0, y: 0}]]);
  const spread = (id, x, y) => {
    for (const child of inside.get(id)) {
      child.x += x; child.y += y;
      if (child.box && !child.shut) {
        corner.set(child.id, {x: child.x + child.inset, y: child.y + HEAD});
        spread(child.id, child.x + child.inset, child.y + HEAD);
      }
    }
  };
  spread(null, 0, 0);
  size = {width: whole.width, height: whole.height};
  return {inside, items, edges, bends, corner};
}

// Drawing
const round = value => Math.round(value * 10) / 10;
function draw() {
  const plan = arrange();
  shown = plan.items;
  const canvas = $("canvas");
  const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.id : null;
  canvas.replaceChildren();
  const layerBoxes = make("g"), layerEdges = make("g", {"aria-hidden": "true"}), layerNodes = make("g");
  canvas.append(layerBoxes, layerEdges, layerNodes);
  drawnEdges = plan.edges.map(edge => drawEdge(edge, plan, layerEdges));
  const paint = id => {
    const children = [...plan.inside.get(id)].sort((a, b) => a.order - b.order);
    for (const item of children) {
      if (item.box && !item.shut) { drawBox(item, layerBoxes, layerNodes); paint(item.id); } else drawNode(item, layerNodes);
    }
  };
  paint(null);
  emphasise();
  if (focus) { const again = canvas.querySelector(`[data-id="${focus}"]`); if (again) again.focus({preventScroll: true}); }
}
function drawBox(item, under, over) {
  const {box} = item, kind = box.kind === "kind" ? "loop" : box.kind === "left" ? "ghost" : box.kind;
  const sided = box.side === "a" || box.side === "b" ? `var(--${box.side})` : null;
  const line = sided || `var(--${kind}-line)`, ink = sided || `var(--${kind}-text)`;
  under.append(make("rect", {x: round(item.x), y: round(item.y), width: round(item.width), height: round(item.height), rx: 9,
    fill: `var(--${kind})`, stroke: line, "stroke-dasharray": box.kind === "arm" || box.kind === "left" ? "6 4" : null}));
  const head = make("g", {class: "head", tabindex: 0, role: "button", "aria-expanded": "true", "data-id": box.id,
    "aria-label": `${box.kind} ${title(box)} ${box.rest}, fold`});
  head.append(make("rect", {x: round(item.x), y: round(item.y), width: round(item.width), height: HEAD - 4, rx: 9}));
  const text = make("text", {x: round(item.x + item.width / 2), y: round(item.y + 17), "text-anchor": "middle"});
  text.append(make("tspan", {style: `fill:${ink}`}, "▾ "), make("tspan", {class: "name", style: `fill:${ink}`}, title(box)),
    make("tspan", {style: `fill:${ink}`}, box.rest ? ` ${box.rest}` : ""));
  head.append(text);
  over.append(head);
}
function drawNode(item, into) {
  const {node, x, y, width, height, rows} = item;
  const kind = node.kind === "leaf" ? "constant" : node.kind;
  const group = make("g", {class: `node ${node.kind}`, tabindex: 0, role: "button", "data-id": node.id,
    "aria-label": spoken(node) + (item.shut ? ", folded" : ""), "aria-expanded": item.shut ? "false" : null});
  let fill = `var(--${kind})`, line = `var(--${kind}-line)`;
  if (node.failed) { fill = "var(--failed)"; line = "var(--failed-line)"; }
  if (node.side === "a" || node.side === "b") line = `var(--${node.side})`;
  const dashes = node.kind === "ghost" || node.kind === "done" ? "5 4" : null;
  if (node.kind === "decision") {
    const [cx, cy] = [x + width / 2, y + height / 2];
    group.append(make("polygon", {class: "shape", fill, stroke: line,
      points: [[cx, y], [x + width, cy], [cx, y + height], [x, cy]].map(point => point.map(round).join(",")).join(" ")}));
  } else {
    if (node.kind === "fold") {
      group.append(make("rect", {x: round(x + 4), y: round(y + 4), width: round(width), height: round(height), rx: 9, fill, stroke: line}));
    }
    group.append(make("rect", {class: "shape", x: round(x), y: round(y), width: round(width), height: round(height),
      rx: 9, fill, stroke: line, "stroke-dasharray": dashes}));
  }
  const top = y + (height - rows.length * 15) / 2 + 12;
  const code = node.kind === "ghost" || node.kind === "done";
  rows.forEach((row, at) => {
    const text = make("text", {x: round(code ? x + 12 : x + width / 2), y: round(top + at * 15),
      "text-anchor": code ? "start" : "middle", "xml:space": "preserve"});
    row.forEach(([words, font, tone], place) =>
      text.append(make("tspan", {class: `${font === "text" ? "" : font} ${tone || ""}`.trim() || null, dx: place ? 5 : null}, words)));
    group.append(text);
  });
  into.append(group);
}
function drawEdge(edge, plan, into) {
  const from = plan.items.get(edge.from), to = plan.items.get(edge.to);
  const back = edge.k === "carried" || edge.k === "asked again" || from.y + from.height > to.y;
  let d, at;
  if (back) {
    const reach = Math.max(from.x + from.width, to.x + to.width) + 22;
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
    d = edge.from === edge.to
      ? `M${round(x1)},${round(y1 - 5)}C${round(x1 + 34)},${round(y1 - 16)} ${round(x1 + 34)},${round(y1 + 16)} ${round(x1 + 2)},${round(y1 + 6)}`
      : `M${round(x1)},${round(y1)}C${round(reach)},${round(y1)} ${round(reach)},${round(y2)} ${round(x2 + 2)},${round(y2)}`;
    at = [reach, (y1 + y2) / 2];
  } else {
    const within = (id, key) => {
      const corner = plan.corner.get(id);
      return (plan.bends.get(`${id} ${key}`) || []).flatMap(cell => {
        const x = cell.x + corner.x + cell.width / 2, y = cell.y + corner.y;
        return [[x, y], [x, y + cell.span]];
      });
    };
    const bends = [...edge.out.flatMap(id => within(id, `out ${edge.key}`)), ...within(edge.home, edge.ends.join(" ")),
      ...edge.into.flatMap(id => within(id, `in ${edge.key}`))];
    const points = [[from.x + from.width / 2, from.y + from.height], ...bends, [to.x + to.width / 2, to.y - 2]];
    d = `M${points[0].map(round)}`;
    for (let i = 1; i < points.length; i++) {
      const [x1, y1] = points[i - 1], [x2, y2] = points[i], half = (y2 - y1) / 2;
      d += `C${round(x1)},${round(y1 + half)} ${round(x2)},${round(y2 - half)} ${round(x2)},${round(y2)}`;
    }
    const [a, b] = [points[points.length - 2], points[points.length - 1]];
    at = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  }
  const path = make("path", {class: `edge ${edge.k.split(" ")[0]} side-${edge.side}`, d, "marker-end": `url(#tip-${edge.side === "both" ? edge.k.split(" ")[0] : edge.side})`});
  into.append(path);
  const words = edge.label || edge.grad;
  if (words) into.append(make("text", {class: `word ${edge.label ? edge.k : "flow"}`, x: round(at[0] + 4), y: round(at[1]), "text-anchor": "middle"}, words));
  return {edge, path};
}
function arrowheads() {
  const colors = {data: "--muted", carried: "--carried", predicate: "--decision-line", asked: "--decision-line",
    taken: "--arm-line", left: "--ghost-line", a: "--a", b: "--b"};
  for (const [kind, color] of Object.entries(colors)) {
    const marker = make("marker", {id: `tip-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto"});
    marker.append(make("path", {d: "M0,1L10,5L0,9z", fill: `var(${color})`}));
    $("heads").append(marker);
  }
}

// Selection
const spoken = node => [node.kind, node.name, node.rest, ...linesOf(node).map(([text]) => text)].filter(Boolean).join(", ");
function emphasise() {
  const near = new Set();
  for (const {edge, path} of drawnEdges) {
    const on = state.chosen !== null && (edge.from === state.chosen || edge.to === state.chosen);
    path.classList.toggle("on", on);
    if (on) near.add(edge.from === state.chosen ? edge.to : edge.from);
  }
  const words = state.query.toLowerCase();
  for (const group of document.querySelectorAll("#picture .node")) {
    const node = nodes.get(group.dataset.id);
    const now = node ? stepOf(node) : null;
    const sought = !words || (node ? `${spoken(node)} ${node.expr || ""} line ${node.line}`.toLowerCase().includes(words) : false);
    const onLine = state.line !== null && node && node.file === state.line.file && node.line === state.line.number;
    group.classList.toggle("chosen", group.dataset.id === state.chosen || Boolean(onLine));
    group.classList.toggle("near", near.has(group.dataset.id));
    group.classList.toggle("away", !sought || Boolean(now && now[1] === null));
  }
  const chosen = state.chosen ? nodes.get(state.chosen) : null;
  for (const line of document.querySelectorAll("#source li")) {
    const here = chosen && chosen.line && +line.dataset.file === chosen.file && +line.dataset.line >= chosen.line && +line.dataset.line <= chosen.endLine;
    const picked = state.line && +line.dataset.file === state.line.file && +line.dataset.line === state.line.number;
    line.classList.toggle("chosen", Boolean(here || picked));
    if (picked) line.setAttribute("aria-current", "true"); else line.removeAttribute("aria-current");
    writeLine(line, here && chosen.line === chosen.endLine ? chosen : null);
  }
}
function choose(id, {scroll = true} = {}) {
  state.chosen = id;
  state.line = null;
  const node = nodes.get(id) || (shown.get(id) || {}).node;
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
  if (!node) { about.append(html("span", {}, "Choose a node or a line. Keys: arrows move, Enter folds, / searches, [ ] step, + − 0 zoom, t theme.")); return; }
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
  const again = document.querySelector(`#canvas [data-id="${id}"]`);
  if (again) again.focus({preventScroll: true});
  $("said").textContent = folded.has(id) ? "folded" : "unfolded";
}
function walk(by) {
  const order = [...document.querySelectorAll("#canvas [data-id]")];
  const at = order.findIndex(element => element.dataset.id === state.chosen);
  const next = order[Math.max(0, Math.min(order.length - 1, at + by))];
  if (!next) return;
  next.focus({preventScroll: true});
  choose(next.dataset.id);
  const item = shown.get(next.dataset.id);
  if (item) centre(item, true);
}

// Pan and zoom
function move() { $("canvas").setAttribute("transform", `translate(${round(view.x)} ${round(view.y)}) scale(${view.scale})`); }
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
    view.x = Math.max(20, (room.width - size.width * view.scale) / 2);
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
  data.files.forEach((file, number) => {
    pane.append(html("h2", {}, file.name));
    const list = html("ol", {"aria-label": `source of ${file.name}`});
    file.lines.forEach(([text, mark], at) => {
      const linked = data.nodes.some(node => node.file === number && node.line === at + 1);
      const word = {ran: "ran", left: "not reached"}[mark] || "";
      const line = html("li", {class: `${mark} ${linked ? "linked" : ""}`.trim(), "data-file": number, "data-line": at + 1,
        tabindex: linked ? 0 : null, "aria-label": linked ? `line ${at + 1}, ${word}: ${text.trim()}` : null, title: word || null});
      line.append(html("span", {class: "number"}, String(at + 1)), html("span", {class: "mark"}), html("code", {}, text), html("span", {class: "value"}));
      list.append(line);
    });
    pane.append(list);
  });
  if (!data.files.length) pane.append(html("h2", {}, "The record holds no source."));
}
function writeLine(line, chosen) {
  const [file, number] = [+line.dataset.file, +line.dataset.line];
  const text = data.files[file].lines[number - 1][0], code = line.querySelector("code");
  if (chosen && chosen.endCol > chosen.col) {
    code.replaceChildren(text.slice(0, chosen.col), html("mark", {}, text.slice(chosen.col, chosen.endCol)), text.slice(chosen.endCol));
  } else if (code.childNodes.length !== 1 || code.firstChild.nodeType !== 3) code.textContent = text;
  const here = lineNodes.get(`${file} ${number}`) || [];
  const words = here.map(node => [node.expr, valueOn(node)]).filter(([, value]) => value);
  const value = line.querySelector(".value");
  value.textContent = words.length ? "→ " + words[words.length - 1][1] : "";
  value.title = words.map(([text, value]) => `${text} = ${value}`).join("\n");
}
const lineNodes = new Map();
const breadth = node => (node.kind === "decision" ? 1e6 : 0) + node.endCol - node.col;
for (const node of [...data.nodes].sort((a, b) => breadth(a) - breadth(b))) {
  if (node.line && (node.kind === "op" || node.kind === "decision")) {
    const key = `${node.file} ${node.line}`;
    lineNodes.set(key, [...(lineNodes.get(key) || []), node]);
  }
}
function valueOn(node) {
  const now = stepOf(node);
  if (now && now[1] !== null && now[1].includes("\n")) return now[1].split("\n").join("  |  ");
  if (now) return now[1] === null ? "" : node.kind === "decision" ? now[1] : now[1].split(" · ").slice(1).join(" · ") || now[1];
  if (!node.lines.length) return "";
  if (node.kind === "decision") return node.lines.map(([text]) => text).join(" · ").replace(/^line \d+ · /, "");
  return node.lines[0][0].split(" · ").slice(1).join(" · ") || node.lines[0][0];
}

// The stepper
const stepsOf = loop => [...new Set(data.nodes.filter(node => loopOf(node) === loop).flatMap(node => (node.steps || []).map(([step]) => step)))].sort((a, b) => a - b);
function setUpSteps() {
  const loops = data.boxes.filter(box => box.kind === "loop" && stepsOf(box.id).length > 1);
  if (!loops.length) { $("steps").classList.add("hidden"); return; }
  for (const box of loops) $("loop").append(html("option", {value: box.id}, `${box.name} ${box.rest}`.trim()));
  state.loop = loops[0].id;
  $("at").max = stepsOf(state.loop).length;
}
function step(to) {
  const steps = stepsOf(state.loop);
  const at = Math.max(0, Math.min(steps.length, to));
  state.step = at ? steps[at - 1] : null;
  $("at").max = steps.length;
  $("at").value = at;
  const words = at ? `iteration ${at} of ${steps.length}` : `all ${steps.length}`;
  $("count").textContent = words;
  $("at").setAttribute("aria-valuetext", words);
  draw();
  tell(nodes.get(state.chosen));
}

// Search
function search(again) {
  const words = state.query.toLowerCase();
  if (!words) { $("found").textContent = ""; emphasise(); return; }
  const hits = data.nodes.filter(node => `${spoken(node)} ${node.expr || ""} line ${node.line}`.toLowerCase().includes(words));
  $("found").textContent = hits.length ? `${hits.length} found` : "nothing found";
  if (hits.length && again) {
    const at = hits.findIndex(node => node.id === state.chosen);
    const next = hits[(at + 1) % hits.length];
    reveal(next.id);
    choose(next.id);
  }
  emphasise();
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").setAttribute("aria-pressed", String(name === "dark"));
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
}
function foldAll(all) {
  folded.clear();
  if (all) for (const box of boxes.values()) if (["loop", "call", "module"].includes(box.kind)) folded.add(box.id);
  draw();
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
  picture.addEventListener("focusin", event => { const hit = target(event); if (hit && nodes.has(hit.dataset.id) && state.chosen !== hit.dataset.id) choose(hit.dataset.id); });
  $("source").addEventListener("click", event => pickLine(event.target.closest("li.linked")));
  $("source").addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pickLine(event.target.closest("li.linked")); } });
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
}
function pickLine(line) {
  if (!line) return;
  state.chosen = null;
  state.line = {file: +line.dataset.file, number: +line.dataset.line};
  const here = data.nodes.filter(node => node.file === state.line.file && node.line === state.line.number);
  if (here.length) { reveal(here[0].id); tell(here[here.length - 1]); }
  emphasise();
}
function key(event) {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const inPicture = event.target.closest && event.target.closest("#picture") || event.target === document.body;
  const id = event.target.dataset ? event.target.dataset.id : null;
  const keys = {"/": () => $("search").focus(), "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
    "[": () => state.loop && step(+$("at").value - 1), "]": () => state.loop && step(+$("at").value + 1), "t": () => $("theme").click(),
    "Escape": () => { state.chosen = state.line = null; tell(null); emphasise(); }};
  if (inPicture) Object.assign(keys, {"ArrowDown": () => walk(1), "ArrowRight": () => walk(1), "ArrowUp": () => walk(-1), "ArrowLeft": () => walk(-1)});
  if (inPicture && id) Object.assign(keys, {"Enter": () => toggle(id), " ": () => toggle(id)});
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
}

theme(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
arrowheads();
writeSource();
setUpSteps();
listen();
draw();
start();
tell(null);
document.body.dataset.ready = "true";
