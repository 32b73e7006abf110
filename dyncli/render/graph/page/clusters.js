"use strict";
// Layout of nested clusters: what is visible, the edges across their borders, and where everything stands.

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
