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
const folded = new Set(data.boxes.filter(box => box.folded).map(box => box.id));
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
