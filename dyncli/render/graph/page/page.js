"use strict";
// The page: what is unfolded, measured, laid out and drawn.  No text is read as markup.

const data = JSON.parse(document.getElementById("data").textContent);
// Between layers there is more room where arrows have the words of two runs.
const LAYER = data.edges.some(({grad}) => data.names.some(name => grad.includes(`, ${name}: `))) ? 84 : 40;
const SVG = "http://www.w3.org/2000/svg";
const $ = id => document.getElementById(id);
const nodes = new Map(data.nodes.map((node, order) => [node.id, Object.assign(node, {order})]));
// An arm that is drawn as its source stands in time right after its test.
for (const {s, t} of data.edges) if (["ghost", "done"].includes(nodes.get(t).kind)) nodes.get(t).order = nodes.get(s).order + 0.5;
const boxes = new Map(data.boxes.map(box => [box.id, box]));
const folded = new Set(data.boxes.filter(box => box.shut).map(box => box.id));
const state = {chosen: null, loop: null, step: null, line: null, query: "", hits: [], lit: null};
let view = {x: 0, y: 0, scale: 1}, size = {width: 1, height: 1}, shown = new Map();

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
