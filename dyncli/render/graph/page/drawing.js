"use strict";
// Draws what has its place: a picture of usual size whole, of a very large one what is near the window.

const MOST = 1000;  // nodes and frames: a browser takes 16 s to lay out and to paint 20,000
const ALL = {x: -1e12, y: -1e12, width: 2e12, height: 2e12, scale: 1};
const round = value => Math.round(value * 10) / 10;
let plan = null, order = [], part = null, layers = {}, drawnEdges = [];

function draw() {
  settle();
  drawPart();
}
// Gives everything its place; nothing of what was drawn stays.
function settle() {
  const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.id : null;
  plan = arrange();
  shown = plan.items;
  order = [];
  const walk = id => {
    for (const item of [...plan.inside.get(id)].sort((a, b) => a.order - b.order)) {
      order.push(item);
      if (item.box && !item.folded) walk(item.id);
    }
  };
  walk(null);
  if (!many()) for (const edge of plan.edges) edge.route = routeOf(edge);
  part = null;
  layers = {frames: layer(), arrows: layer(true), words: layer(true), nodes: layer()};
  $("canvas").replaceChildren(...Object.values(layers).map(({group}) => group));
  layers.focus = focus;
}
const layer = hidden => ({group: make("g", {"aria-hidden": hidden ? "true" : null}), drawn: new Map()});
const many = () => order.length > MOST;

// Draws what came into the part near the window, and drops what left it.
function drawPart() {
  const next = partNow();
  if (!next) return;
  part = next;
  const at = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.id : null;
  const stop = layers.nodes.group.querySelector('[tabindex="0"]');
  drawnEdges = fill(new Set([at, layers.focus, stop && stop.dataset.id]));
  if (!stop) rove($("canvas"), elementOf(layers.focus) || elementOf(state.chosen) || layers.nodes.group.firstChild);
  if (elementOf(layers.focus)) elementOf(layers.focus).focus({preventScroll: true});
  layers.focus = null;
  dress();
}
// Fills the layers with what stands in the part, and with what is to be kept; returns the arrows with their elements.
function fill(kept = new Set()) {
  const near = item => within(item, item.box && !item.folded ? HEAD : item.height) || kept.has(item.id);
  const edges = edgesWithin();
  keepIn(layers.frames, order.filter(item => item.box && !item.folded && within(item, item.height)), item => item.id, frameOf);
  keepIn(layers.arrows, edges, edge => edge.key, pathOf);
  keepIn(layers.words, edges.filter(edge => edge.route.spot), edge => edge.key, wordsOf);
  keepIn(layers.nodes, order.filter(near), item => item.id, item => item.box && !item.folded ? headOf(item) : groupOf(item));
  return edges.map(edge => ({edge, path: layers.arrows.drawn.get(edge.key)}));
}
const elementOf = id => layers.nodes.drawn.get(id) || null;
const within = ({x, y, width}, height) => x <= part.x + part.width && x + width >= part.x && y <= part.y + part.height && y + height >= part.y;
// The part to draw, half a window more on each side, or null if what is drawn will do.
function partNow() {
  if (!many()) return part === ALL ? null : ALL;
  const {width, height} = $("picture").getBoundingClientRect();
  const room = {x: -view.x / view.scale, y: -view.y / view.scale, width: width / view.scale, height: height / view.scale};
  if (part && part.scale < 2 * view.scale && part.scale > view.scale / 2 && part.x <= room.x && part.y <= room.y
    && part.x + part.width >= room.x + room.width && part.y + part.height >= room.y + room.height) return null;
  return {x: room.x - room.width / 2, y: room.y - room.height / 2, width: 2 * room.width, height: 2 * room.height, scale: view.scale};
}
// The arrows in the part: of those that leave it below along one trunk, the one that leads furthest.
function edgesWithin() {
  if (part === ALL) return plan.edges;
  const top = part.y, bottom = part.y + part.height, leaving = new Map(), found = [];
  for (const edge of plan.edges) {
    const from = plan.items.get(edge.from), to = plan.items.get(edge.to);
    const [above, below] = from.y < to.y ? [from, to] : [to, from];
    if (below.y + below.height < top || above.y > bottom) continue;
    if (to.y <= bottom) { found.push(edge); continue; }
    const trunk = `${edge.from} ${edge.k} ${edge.side} ${edge.home}`, other = leaving.get(trunk);
    if (!other || plan.items.get(other.to).y < to.y) leaving.set(trunk, edge);
  }
  return [...found, ...leaving.values()].sort((a, b) => a.key - b.key);
}
// Of the elements of a layer drops those of other things, and makes those that are missing, each in its turn.
function keepIn({group, drawn}, things, key, build) {
  const keys = new Set(things.map(key));
  for (const [id, element] of drawn) if (!keys.has(id)) { element.remove(); drawn.delete(id); }
  let next = group.firstChild;
  for (const thing of things) {
    const here = drawn.get(key(thing));
    if (here) { next = here.nextSibling; continue; }
    const element = build(thing);
    drawn.set(key(thing), element);
    group.insertBefore(element, next);
  }
}
// One of many is reached by Tab, the others from there by the arrows.
function rove(group, one) {
  for (const other of group.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", -1);
  if (one) one.setAttribute("tabindex", 0);
}
function inkOf(box) {
  const kind = box.kind === "kind" ? "loop" : box.kind === "left" ? "ghost" : box.kind;
  const sided = box.side === "a" || box.side === "b" ? `var(--${box.side})` : null;
  const red = box.failed ? "var(--failed-line)" : null;
  return {fill: `var(--${kind})`, stroke: red || sided || `var(--${kind}-line)`, ink: red || sided || `var(--${kind}-text)`};
}
function frameOf(item) {
  const {box, x, y, width, height} = item, {fill, stroke} = inkOf(box);
  return make("rect", {x: round(x), y: round(y), width: round(width), height: round(height), rx: 9, fill, stroke,
    "stroke-dasharray": box.kind === "arm" || box.kind === "left" ? "6 4" : null});
}
function headOf(item) {
  const {box} = item, {ink} = inkOf(box);
  const head = make("g", {class: "head", tabindex: -1, role: "button", "aria-expanded": "true", "data-id": box.id,
    "aria-label": `${[box.kind, title(box), box.rest].filter(Boolean).join(" ")}, fold`});
  head.append(make("rect", {x: round(item.x), y: round(item.y), width: round(item.width), height: HEAD - 4, rx: 9}));
  const text = make("text", {x: round(item.x + 10), y: round(item.y + 17)});
  text.append(make("tspan", {style: `fill:${ink}`}, "▾ "), make("tspan", {class: "name", style: `fill:${ink}`}, title(box)),
    make("tspan", {style: `fill:${ink}`}, box.rest ? ` ${box.rest}` : ""));
  head.append(text);
  return head;
}
function groupOf(item) {
  const {node, x, y, width, height, rows} = item;
  const kind = node.kind === "leaf" ? "constant" : node.kind;
  const group = make("g", {class: `node ${node.kind}`, tabindex: -1, role: "button", "data-id": node.id,
    "aria-label": spoken(node) + (item.folded ? ", folded" : ""), "aria-expanded": item.folded ? "false" : null});
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
  return group;
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
