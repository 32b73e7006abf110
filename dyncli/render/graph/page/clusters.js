"use strict";
// Layout of nested clusters: what is visible, the edges across their borders, and where everything stands.

// The tree of what is visible: a folded box is one node.
function visible() {
  const inside = new Map([[null, []]]), stands = new Map(), items = new Map();
  for (const box of boxes.values()) inside.set(box.id, []);
  const hiddenBy = thing => chain(thing).reduce((by, id) => folded.has(id) ? id : by, null);
  for (const box of boxes.values()) {
    if (hiddenBy(box)) continue;
    const isFolded = folded.has(box.id);
    const item = {id: box.id, box, folded: isFolded, order: Infinity};
    if (isFolded) Object.assign(item, measure(foldedNode(box)), {node: foldedNode(box)});
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
function foldedNode(box) {
  if (box.folded) return {...box.folded, id: box.id, box: box.parent};
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

// Returns the clusters, items and edges that are visible, each item with its place, and the bends of the edges.
function arrange() {
  const {inside, stands, items} = visible();
  const edges = visibleEdges(stands);
  const crossings = crossBorders(edges, items, inside.keys());
  const fed = new Set(edges.filter(edge => edge.k !== "data" && edge.k !== "carried").map(edge => edge.to));
  const bends = new Map(), corner = new Map([[null, {x: 0, y: 0}]]);
  size = layOutCluster(null, WIDEST, {inside, items, fed, crossings, bends});
  placeCluster(null, 0, 0, inside, corner);
  return {inside, items, edges, bends, corner};
}

// Returns the edges between what stands for their ends, those that then are the same as one.
function visibleEdges(stands) {
  const edges = new Map();
  for (const edge of data.edges) {
    const from = stands.get(edge.s), to = stands.get(edge.t);
    if (from === to && edge.s !== edge.t) continue;
    const key = `${from} ${to} ${edge.k} ${edge.side}`;
    if (!edges.has(key)) edges.set(key, {...edge, from, to, key: String(edges.size)});
  }
  return [...edges.values()];
}

// Cuts each edge at the borders of the clusters that it leaves and enters; returns for each cluster what `layOut` takes.
function crossBorders(edges, items, clusters) {
  const path = id => [...chain(items.get(id).node && !items.get(id).folded ? items.get(id).node : items.get(id).box)].reverse();
  const crossings = new Map([...clusters].map(id => [id, {within: [], entries: [], exits: []}]));
  for (const edge of edges) {
    const a = [...path(edge.from), edge.from], b = [...path(edge.to), edge.to];
    let depth = 0;
    while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++;
    edge.home = depth ? a[depth - 1] : null;
    edge.ends = [a[depth], b[depth]];
    if (leadsBack(edge)) continue;
    const share = `${edge.from} ${edge.k} ${edge.side}`;
    crossings.get(edge.home).within.push([edge.key, ...edge.ends, share]);
    edge.out = a.slice(depth, -1).reverse();
    edge.into = b.slice(depth, -1);
    edge.out.forEach((id, at) => crossings.get(id).exits.push([edge.key, at ? edge.out[at - 1] : edge.from, share]));
    edge.into.forEach((id, at) => crossings.get(id).entries.push([edge.key, at + 1 < edge.into.length ? edge.into[at + 1] : edge.to, share]));
  }
  return crossings;
}

// Lays out what stands in a cluster, inner clusters first; returns its width and height, adds the bends of its edges.
function layOutCluster(id, widest, drawing) {
  const {inside, items, fed, crossings, bends} = drawing, children = inside.get(id);
  for (const child of children) {
    if (!child.box || child.folded) continue;
    const inner = layOutCluster(child.id, Math.max(NARROWEST, widest - 2 * PAD), drawing);
    child.width = Math.max(inner.width, widthOf(`${title(child.box)} ${child.box.rest}`, "name") + 30) + 2 * PAD;
    child.inset = (child.width - inner.width) / 2;
    child.height = inner.height + HEAD + PAD;
  }
  const turns = inTurn(children, inside);
  // A test that no op feeds stands below what came before it.
  const unfed = turns.filter(([, test]) => !fed.has(test) && !items.get(test).box);
  let layout = layOut(children, crossings.get(id), Infinity, unfed);
  if (layout.width > widest) layout = layOut(children, crossings.get(id), widest, turns);
  for (const [key, cells] of layout.bends) bends.set(`${id} ${key}`, cells);
  return {width: layout.width, height: layout.height};
}

// Moves what stands in a cluster to where the cluster stands; notes the corner of each.
function placeCluster(id, x, y, inside, corner) {
  for (const child of inside.get(id)) {
    child.x += x;
    child.y += y;
    if (!child.box || child.folded) continue;
    corner.set(child.id, {x: child.x + child.inset, y: child.y + HEAD});
    placeCluster(child.id, child.x + child.inset, child.y + HEAD, inside, corner);
  }
}

// Returns pairs of children that ran one after the other, to stand below each other where there is no room: tests, and
// open clusters in which something ran.
function inTurn(children, inside) {
  const source = child => child.node && ["ghost", "done"].includes(child.node.kind);
  const ran = item => item.box && !item.folded && !inside.get(item.id).every(source);
  const items = children.filter(item => ran(item) || item.node && item.node.kind === "decision").sort((a, b) => a.order - b.order);
  return items.slice(1).map((item, at) => [items[at].id, item.id]);
}
