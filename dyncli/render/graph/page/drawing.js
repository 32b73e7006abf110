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
      if (item.box && !item.shut) walk(item.id);
    }
  };
  walk(null);
  if (!many()) for (const edge of plan.edges) edge.way = wayOf(edge);
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
  const near = item => within(item, item.box && !item.shut ? HEAD : item.height) || kept.has(item.id);
  const edges = edgesWithin();
  keepIn(layers.frames, order.filter(item => item.box && !item.shut && within(item, item.height)), item => item.id, frameOf);
  keepIn(layers.arrows, edges, edge => edge.key, pathOf);
  keepIn(layers.words, edges.filter(edge => edge.way.spot), edge => edge.key, wordsOf);
  keepIn(layers.nodes, order.filter(near), item => item.id, item => item.box && !item.shut ? headOf(item) : groupOf(item));
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
  return group;
}
// The way of an arrow and where its words stand, found when it is first drawn.
function wayOf(edge) {
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
  const rows = rowsOn(edge);
  return {d, rows, spot: rows.length ? free(rows, [at[0] + 4, at[1]], plan) : null};
}
function pathOf(edge) {
  edge.way = edge.way || wayOf(edge);
  const kind = edge.k.split(" ")[0];
  return make("path", {class: `edge ${kind} side-${edge.side}`, d: edge.way.d, "marker-end": `url(#tip-${edge.side === "both" ? kind : edge.side})`});
}
function wordsOf(edge) {
  const {rows, spot: [x, y]} = edge.way;
  const text = make("text", {class: `word ${edge.label ? edge.k : "flow"}`, x: round(x), y: round(y), "text-anchor": "middle"});
  rows.forEach((row, at) => text.append(make("tspan", at ? {x: round(x), dy: 13} : {}, row)));
  return text;
}
// The words of an arrow, those of each run on a line of its own.
function rowsOn(edge) {
  const words = edge.label || edge.grad;
  const at = data.names.map(name => words.indexOf(`, ${name}: `)).filter(place => place > 0)[0];
  return at ? [words.slice(0, at), words.slice(at + 2)] : words ? [words] : [];
}
// Where the words of an arrow stand: as near to their place as there are neither other words nor a node.
const NEAR = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5].flatMap(line => [0, -40, 40, -80, 80].map(side => [side, line * 13]));
function free(rows, [x, y], plan) {
  const width = largest(rows.map(row => widthOf(row, "small"))) + 6;
  const rect = ([right, down]) => ({x: x + right - width / 2, y: y + down - 10, width, height: 13 * rows.length});
  const apart = (a, b) => a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;
  plan.words = plan.words || new Bands([...plan.items.values()].map(item => item.node || item.shut ? item : titleOf(item)));
  const chosen = NEAR.find(each => {
    const place = rect(each);
    return place.x > -10 && plan.words.between(place.y, place.y + place.height).every(other => apart(other, place));
  }) || [0, 0];
  plan.words.add(rect(chosen));
  if (!many()) size.width = Math.max(size.width, x + chosen[0] + width / 2);
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
