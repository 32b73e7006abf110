"use strict";
// The page: what is unfolded, measured, laid out and drawn.  No text is read as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const $ = id => document.getElementById(id);
const nodes = new Map(data.nodes.map((node, order) => [node.id, Object.assign(node, {order})]));
// An arm that is drawn as its source stands in time right after its test.
for (const {s, t} of data.edges) if (["ghost", "done"].includes(nodes.get(t).kind)) nodes.get(t).order = nodes.get(s).order + 0.5;
const boxes = new Map(data.boxes.map(box => [box.id, box]));
const folded = new Set(data.boxes.filter(box => box.shut).map(box => box.id));
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
// What is asked of every node at every drawing is found once.
const found = new Map();
function once(key, find) {
  if (!found.has(key)) found.set(key, find());
  return found.get(key);
}
const NOTHING = [];
function chain(thing) {
  const id = parentOf(thing);
  return id ? once("above " + id, () => [id, ...chain(boxes.get(id))]) : NOTHING;
}
function loopOf(node) {
  const id = parentOf(node);
  return id ? once("loop " + id, () => chain(node).find(each => boxes.get(each).kind === "loop") || null) : null;
}
// The steps of which something is known, of a loop and of a kind of step of it.
const stepsWithin = (loop, kind = loop) => once("steps", () => {
  const all = new Map();
  for (const node of data.nodes) {
    if (!node.steps || !node.steps.length) continue;
    for (const id of chain(node)) {
      const key = `${loopOf(node)} ${id}`, seen = all.get(key) || new Set();
      for (const [step] of node.steps) seen.add(step);
      all.set(key, seen);
    }
  }
  return all;
}).get(`${loop} ${kind}`) || new Set();

// What a node says at the step the reader is at.
function stepOf(node) {
  if (state.step === null) return null;
  if (loopOf(node) !== state.loop) return apart(node) ? [state.step, null, ""] : null;
  if (!node.steps || !node.steps.length) return null;
  return node.steps.find(([step]) => step === state.step) || [state.step, null, ""];
}
// Whether a node stands in a loop inside a kind of step that this step is not.
function apart(node) {
  const above = chain(node), kind = above[above.indexOf(state.loop) - 1];
  if (!above.includes(state.loop) || !kind || boxes.get(kind).kind !== "kind") return false;
  const steps = stepsWithin(state.loop, kind);
  return steps.size > 0 && !steps.has(state.step);
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
  if (node.kind === "ghost" || node.kind === "done") return node.lines.map(([text, tone]) => [[text, "source", tone]]);
  const head = [], [first, ...more] = node.kind === "decision" ? wrapped(node.rest) : [node.rest];
  if (node.name) head.push([node.name, "name"]);
  if (first) head.push([first, "text"]);
  const lines = node.kind === "leaf" ? [] : linesOf(node).flatMap(inRows);
  return [head, ...more.map(text => [[text, "text"]]), ...lines.map(([text, tone]) => [[text, "small", tone]])];
}
// A line in several, dtype and shape and then the values, if it would make its node wide.
function inRows([text, tone]) {
  if (text.length <= 34) return [[text, tone]];
  const [head, ...values] = tone === "muted" ? text.split(" · ") : [];
  const rows = values.length ? [head, ...wrapped(values.join(" · "), 44, 4)] : wrapped(text, 44, 4);
  return rows.map(row => [row, tone]);
}
function measure(node) {
  const rows = rowsOf(node);
  const wide = row => row.reduce((sum, [text, font]) => sum + widthOf(text, font === "text" ? "text" : font), 0)
    + 5 * (row.length - 1);
  let width = Math.max(24, ...rows.map(wide)) + 24, height = rows.length * 15 + 12;
  if (node.kind === "leaf") { width -= 10; height -= 4; }
  if (node.kind === "decision") {
    // Each row keeps inside: the further from the middle, the less room there is.
    const middle = (rows.length * 15) / 2;
    height = height * 1.5 + 8;
    width = Math.max(...rows.map((row, at) => (wide(row) + 14) / (1 - 2 * (Math.abs(at * 15 + 7.5 - middle) + 4) / height)));
  }
  return {rows, width, height};
}

// The tree of what is visible: a folded box is one node.
function visible() {
  const inside = new Map([[null, []]]), stands = new Map(), items = new Map();
  for (const box of boxes.values()) inside.set(box.id, []);
  const hiddenBy = thing => chain(thing).reduce((by, id) => folded.has(id) ? id : by, null);
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
  if (box.shut) return {...box.shut, id: box.id, box: box.parent};
  const {ops, tests} = counts().get(box.id) || {ops: 0, tests: 0};
  const words = [`${ops} op${ops === 1 ? "" : "s"}`];
  if (tests) words.push(`${tests} decision${tests === 1 ? "" : "s"}`);
  return {id: box.id, kind: "fold", name: title(box), rest: box.rest, lines: [[words.join(" · "), "muted"]], box: box.parent};
}
const counts = () => once("counts", () => {
  const all = new Map();
  for (const node of data.nodes) {
    for (const id of chain(node)) {
      if (!all.has(id)) all.set(id, {ops: 0, tests: 0});
      all.get(id).ops += node.ops;
      all.get(id).tests += node.tests;
    }
  }
  return all;
});
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
  const ways = new Map([...inside.keys()].map(id => [id, {within: [], entries: [], exits: []}]));
  edges.forEach((edge, number) => { edge.key = String(number); });
  for (const edge of edges) {
    const a = [...path(edge.from), edge.from], b = [...path(edge.to), edge.to];
    let depth = 0;
    while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++;
    edge.home = depth ? a[depth - 1] : null;
    edge.ends = [a[depth], b[depth]];
    if (edge.k === "carried" || edge.k === "asked again") continue;
    const share = `${edge.from} ${edge.k} ${edge.side}`;
    ways.get(edge.home).within.push([edge.key, ...edge.ends, share]);
    edge.out = a.slice(depth, -1).reverse();
    edge.into = b.slice(depth, -1);
    edge.out.forEach((box, at) => ways.get(box).exits.push([edge.key, at ? edge.out[at - 1] : edge.from, share]));
    edge.into.forEach((box, at) => ways.get(box).entries.push([edge.key, at + 1 < edge.into.length ? edge.into[at + 1] : edge.to, share]));
  }
  // A test that no op feeds stands below what came before it.
  const fed = new Set(edges.filter(edge => edge.k !== "data" && edge.k !== "carried").map(edge => edge.to));
  const bends = new Map();
  const settle = (id, widest) => {
    const children = inside.get(id);
    for (const child of children) {
      if (!child.box || child.shut) continue;
      const inner = settle(child.id, Math.max(NARROWEST, widest - 2 * PAD));
      child.width = Math.max(inner.width, widthOf(`${title(child.box)} ${child.box.rest}`, "name") + 30) + 2 * PAD;
      child.inset = (child.width - inner.width) / 2;
      child.height = inner.height + HEAD + PAD;
    }
    const turns = inTurn(children, inside);
    let done = layOut(children, ways.get(id), Infinity, turns.filter(([, test]) => !fed.has(test) && !items.get(test).box));
    if (done.width > widest) done = layOut(children, ways.get(id), widest, turns);
    for (const [key, cells] of done.bends) bends.set(`${id} ${key}`, cells);
    return done;
  };
  const whole = settle(null, WIDEST);
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

// What came one after the other, to stand so where there is no room beside it: tests, and open boxes in which something ran.
function inTurn(children, inside) {
  const source = child => child.node && ["ghost", "done"].includes(child.node.kind);
  const ran = item => item.box && !item.shut && !inside.get(item.id).every(source);
  const items = children.filter(item => ran(item) || item.node && item.node.kind === "decision").sort((a, b) => a.order - b.order);
  return items.slice(1).map((item, at) => [items[at].id, item.id]);
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
  const drawn = id => id && canvas.querySelector(`[data-id="${id}"]`);
  rove(canvas, drawn(focus) || drawn(state.chosen) || canvas.querySelector("[data-id]"));
  if (drawn(focus)) drawn(focus).focus({preventScroll: true});
}
// One of many is reached by Tab, the others from there by the arrows.
function rove(group, one) {
  for (const other of group.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", -1);
  if (one) one.setAttribute("tabindex", 0);
}
function drawBox(item, under, over) {
  const {box} = item, kind = box.kind === "kind" ? "loop" : box.kind === "left" ? "ghost" : box.kind;
  const sided = box.side === "a" || box.side === "b" ? `var(--${box.side})` : null;
  const red = box.failed ? "var(--failed-line)" : null;
  const line = red || sided || `var(--${kind}-line)`, ink = red || sided || `var(--${kind}-text)`;
  under.append(make("rect", {x: round(item.x), y: round(item.y), width: round(item.width), height: round(item.height), rx: 9,
    fill: `var(--${kind})`, stroke: line, "stroke-dasharray": box.kind === "arm" || box.kind === "left" ? "6 4" : null}));
  const head = make("g", {class: "head", tabindex: -1, role: "button", "aria-expanded": "true", "data-id": box.id,
    "aria-label": `${box.kind} ${title(box)} ${box.rest}, fold`});
  head.append(make("rect", {x: round(item.x), y: round(item.y), width: round(item.width), height: HEAD - 4, rx: 9}));
  const text = make("text", {x: round(item.x + 10), y: round(item.y + 17)});
  text.append(make("tspan", {style: `fill:${ink}`}, "▾ "), make("tspan", {class: "name", style: `fill:${ink}`}, title(box)),
    make("tspan", {style: `fill:${ink}`}, box.rest ? ` ${box.rest}` : ""));
  head.append(text);
  over.append(head);
}
function drawNode(item, into) {
  const {node, x, y, width, height, rows} = item;
  const kind = node.kind === "leaf" ? "constant" : node.kind;
  const group = make("g", {class: `node ${node.kind}`, tabindex: -1, role: "button", "data-id": node.id,
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
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
    const beside = besides(edge, plan, Math.min(x1, x2), Math.min(y1, y2), Math.max(y1, y2));
    const reach = largest(beside.map(item => item.x + item.width), Math.max(x1, x2)) + 14;
    d = edge.from === edge.to
      ? `M${round(x1)},${round(y1 - 5)}C${round(x1 + 34)},${round(y1 - 16)} ${round(x1 + 34)},${round(y1 + 16)} ${round(x1 + 2)},${round(y1 + 6)}`
      : around(edge, plan, from, to, reach);
    at = [reach, (y1 + y2) / 2];
  } else {
    const within = (id, key) => {
      const corner = plan.corner.get(id);
      const way = plan.bends.get(`${id} ${key}`);
      return way ? corners(way).map(([x, y]) => [x + corner.x, y + corner.y]) : [];
    };
    const inside = edge.into.flatMap(id => within(id, `in ${edge.key}`));
    const end = [to.x + to.width / 2, to.y - 2];
    // An arrow to an arm ends at its frame: all of it ran, or none.
    const frame = (edge.k === "taken" || edge.k === "left") && edge.into.length ? plan.items.get(edge.into[0]) : null;
    const bends = [...edge.out.flatMap(id => within(id, `out ${edge.key}`)), ...within(edge.home, `at ${edge.key}`)];
    const points = [[from.x + from.width / 2, from.y + from.height], ...bends];
    points.push(...(frame ? [[(inside[0] || end)[0], frame.y - 2]] : [...inside, end]));
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
  if (words) {
    const [x, y] = free(words, [at[0] + 4, at[1]], plan);
    into.append(make("text", {class: `word ${edge.label ? edge.k : "flow"}`, x: round(x), y: round(y), "text-anchor": "middle"}, words));
  }
  return {edge, path};
}
// Where the words of an arrow stand: as near to their place as there are neither other words nor a node.
const NEAR = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5].flatMap(line => [0, -40, 40, -80, 80].map(side => [side, line * 13]));
function free(words, [x, y], plan) {
  const width = widthOf(words, "small") + 6;
  const rect = ([right, down]) => ({x: x + right - width / 2, y: y + down - 10, width, height: 13});
  const apart = (a, b) => a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;
  plan.words = plan.words || new Bands([...plan.items.values()].map(item => item.node || item.shut ? item : titleOf(item)));
  const chosen = NEAR.find(each => {
    const place = rect(each);
    return plan.words.between(place.y, place.y + place.height).every(other => apart(other, place));
  }) || [0, 0];
  plan.words.add(rect(chosen));
  return [x + chosen[0], y + chosen[1]];
}
function titleOf({box, x, y}) {
  return {x, y, width: widthOf(`${title(box)} ${box.rest}`, "name") + 24, height: HEAD - 4};
}
// What stands right of x between two heights, in the box that an arrow stays in.
function besides(edge, plan, x, top, bottom) {
  plan.standing = plan.standing || new Bands([...plan.items.values()].filter(item => item.node));
  return plan.standing.between(top, bottom).filter(item => item.id !== edge.from && item.id !== edge.to && item.x + item.width > x
    && item.y <= bottom && item.y + item.height >= top && (edge.home === null || chain(item.node).includes(edge.home)));
}
// The way of an arrow that leads back: right of what stands beside it, and below and above what would be in its way.
function around(edge, plan, from, to, reach) {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
  const after = besides(edge, plan, x1, y1, y1), before = besides(edge, plan, x2, y2, y2);
  const low = after.length ? Math.max(from.y + from.height, ...after.map(item => item.y + item.height)) + 8 : y1;
  const high = before.length ? Math.min(to.y, ...before.map(item => item.y)) - 8 : y2;
  const turn = low > high ? 8 : -8, path = (...points) => points.map(point => point.map(round).join(",")).join(" ");
  const start = after.length ? `M${path([x1 - 14, from.y + from.height], [x1 - 14, low])}` : `M${path([x1, y1])}`;
  const end = before.length ? `L${path([x2 - 14, high], [x2 - 14, to.y - 2])}` : `L${path([x2 + 2, y2])}`;
  return `${start}L${path([reach - 8, low])}Q${path([reach, low], [reach, low - turn])}`
    + `L${path([reach, high + turn])}Q${path([reach, high], [reach - 8, high])}${end}`;
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
