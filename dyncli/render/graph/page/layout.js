"use strict";
// Layered layout (Sugiyama) of nested boxes: ranks, then crossings, then coordinates.
// Each box is laid out on its own, then is one item of the box around it.

const GAP = 26, NARROW = 8, PAD = 14, HEAD = 26, WIDEST = 900, NARROWEST = 480;

// items: [{id, width, height, order}]; within: [key, from, to, share], edges between items; entries and exits:
// [key, id, share], edges that cross the border above or below; below: [upper, lower], to stand so without an edge.
// Edges that share what they carry share their bends.  Gives each item x and y; returns the bends of each edge by its key.
function layOut(items, {within = [], entries = [], exits = []}, widest, below = []) {
  const byId = new Map(items.map(item => [item.id, item]));
  const forward = within.filter(([, a, b]) => a !== b && byId.get(a).order < byId.get(b).order);
  const rank = splitWideRanks(items, ranks(items, [...forward.map(([, a, b]) => [a, b]), ...below]), widest);
  const {layers, bends} = layersOf(items, rank, forward, entries, exits);
  reduceCrossings(layers);
  assignX(layers, widest);
  return {...assignY(layers), bends};
}

// Puts each item into the layer of its rank, and a bend of each edge into every layer that it passes.
function layersOf(items, rank, forward, entries, exits) {
  const layers = [], cells = new Map(), trunks = new Map(), bends = new Map();
  const put = (cell, at) => (layers[at] = layers[at] || []).push(cell);
  for (const item of items) {
    const cell = {item, width: item.width, height: item.height, up: [], down: []};
    cells.set(item.id, cell);
    put(cell, rank.get(item.id));
  }
  // Edges of one share begin in one layer: each goes along as much of their trunk as it needs.
  const route = (share, from, to, above) => {
    if (!trunks.has(share)) trunks.set(share, []);
    const trunk = trunks.get(share);
    for (let at = from + trunk.length; at <= to; at++) {
      const bend = {item: null, width: 10, height: 0, up: [], down: []}, before = trunk[trunk.length - 1] || above;
      put(bend, at);
      if (before) join(before, bend);
      trunk.push(bend);
    }
    return {cells: trunk, length: Math.max(0, to - from + 1)};
  };
  const end = path => path.cells[path.length - 1], last = largest(rank.values());
  for (const [key, a, b, share] of forward) {
    const path = route(share, rank.get(a) + 1, rank.get(b) - 1, cells.get(a));
    join(end(path) || cells.get(a), cells.get(b));
    bends.set("at " + key, path);
  }
  for (const [key, id, share] of entries) {
    const path = route("in " + share, 0, rank.get(id) - 1, null);
    if (path.length) join(end(path), cells.get(id));
    bends.set("in " + key, path);
  }
  for (const [key, id, share] of exits) bends.set("out " + key, route(share, rank.get(id) + 1, last, cells.get(id)));
  for (let at = 0; at < layers.length; at++) layers[at] = layers[at] || [];
  return {layers, bends};
}

// Gives each cell y and each item its place, moved so that the leftmost is at 0; returns the size of all.
function assignY(layers) {
  let y = 0;
  for (const layer of layers) {
    const height = largest(layer.map(cell => cell.height));
    for (const cell of layer) {
      cell.y = cell.item ? y + (height - cell.height) / 2 : y;
      cell.span = height;
    }
    y += height + LAYER;
  }
  const all = layers.flat(), left = all.reduce((least, cell) => Math.min(least, cell.x), all.length ? Infinity : 0);
  for (const cell of all) {
    cell.x -= left;
    if (cell.item) { cell.item.x = cell.x; cell.item.y = cell.y; }
  }
  return {width: largest(all.map(cell => cell.x + cell.width)), height: Math.max(0, y - LAYER)};
}

// Of many: a call takes only so many arguments.
function largest(values, least = 0) {
  for (const value of values) if (value > least) least = value;
  return least;
}

// Returns the corners of the way along a trunk, of its straight parts only the ends.
function corners({cells, length}) {
  for (let at = cells.known || 0; at < length; at++) {
    const before = cells[at - 1];
    cells[at].run = before && Math.abs(cells[before.run].x - cells[at].x) < 0.5 ? before.run : at;
    cells.known = at + 1;
  }
  const points = [];
  for (let at = length - 1; at >= 0; at = cells[at].run - 1) {
    const [first, last] = [cells[cells[at].run], cells[at]];
    points.push([first.x + first.width / 2, last.y + last.span], [first.x + first.width / 2, first.y]);
  }
  return points.reverse();
}

// Returns the rank of each item when ranks that are too wide are split, what ran later further down.
function splitWideRanks(items, rank, widest) {
  const layers = [];
  for (const item of [...items].sort((a, b) => a.order - b.order)) (layers[rank.get(item.id)] = layers[rank.get(item.id)] || []).push(item);
  const placed = new Map();
  let at = -1;
  for (const layer of layers.filter(Boolean)) {
    let room = -1;
    for (const item of layer) {
      if (room < item.width) { at++; room = widest; }
      placed.set(item.id, at);
      room -= item.width + GAP;
    }
  }
  return placed;
}

function join(above, below) { above.down.push(below); below.up.push(above); }

// Returns the rank of each item: one more than that of the lowest item that leads to it.
function ranks(items, edges) {
  const into = new Map(items.map(item => [item.id, []])), out = new Map(items.map(item => [item.id, []]));
  for (const [a, b] of edges) { into.get(b).push(a); out.get(a).push(b); }
  const rank = new Map();
  const inOrder = [...items].sort((a, b) => a.order - b.order);
  for (const item of inOrder) rank.set(item.id, Math.max(0, ...into.get(item.id).map(a => rank.get(a) + 1)));
  for (const item of inOrder.reverse()) {
    // What nothing leads to is drawn just above what it leads to.
    const below = out.get(item.id).map(b => rank.get(b));
    if (!into.get(item.id).length && below.length) rank.set(item.id, Math.max(0, Math.min(...below) - 1));
  }
  const last = largest(rank.values());
  for (const item of items) if (item.node && item.node.kind === "output" && !into.get(item.id).length) rank.set(item.id, last);
  return rank;
}

// Orders each layer by the mean place of its neighbours (barycenter), downwards and upwards in turn.
function reduceCrossings(layers) {
  for (let sweep = 0; sweep < 12; sweep++) {
    const down = sweep % 2 === 0;
    const order = down ? layers : [...layers].reverse();
    for (const layer of layers) layer.forEach((cell, at) => { cell.at = at; });
    for (const layer of order) {
      layer.forEach((cell, at) => {
        const near = down ? cell.up : cell.down;
        cell.weight = near.length ? near.reduce((sum, other) => sum + other.at, 0) / near.length : at;
      });
      layer.sort((a, b) => a.weight - b.weight || a.at - b.at);
      layer.forEach((cell, at) => { cell.at = at; });
    }
  }
}

// Moves each cell towards the mean of its neighbours, as far as those beside it allow.
function assignX(layers, widest) {
  const gap = (left, right) => left.item && right.item ? GAP : NARROW;
  let room = widest;
  for (const layer of layers) {
    let x = 0;
    layer.forEach((cell, at) => { cell.x = cell.least = x; x += cell.width + (at + 1 < layer.length ? gap(cell, layer[at + 1]) : 0); });
    layer.forEach(cell => { cell.rest = x - cell.least; });
    room = Math.max(room, x);
  }
  const middle = cell => cell.x + cell.width / 2;
  for (let sweep = 0; sweep < 25; sweep++) {
    const order = sweep % 2 === 0 ? layers : [...layers].reverse();
    for (const layer of order) {
      const wish = layer.map(cell => {
        // At last each stands below what leads to it: a chain is straight.
        const near = sweep < 24 || !cell.up.length ? [...cell.up, ...cell.down] : cell.up;
        const x = near.length ? near.reduce((sum, other) => sum + middle(other), 0) / near.length - cell.width / 2 : cell.x;
        return widest < Infinity ? Math.max(cell.least, Math.min(room - cell.rest, x)) : x;
      });
      const fromLeft = [], fromRight = [];
      layer.forEach((cell, at) => {
        fromLeft[at] = at ? Math.max(wish[at], fromLeft[at - 1] + layer[at - 1].width + gap(layer[at - 1], cell)) : wish[at];
      });
      for (let at = layer.length - 1; at >= 0; at--) {
        const after = at + 1;
        fromRight[at] = after < layer.length ? Math.min(wish[at], fromRight[after] - layer[at].width - gap(layer[at], layer[after])) : wish[at];
      }
      layer.forEach((cell, at) => { cell.x = (fromLeft[at] + fromRight[at]) / 2; });
    }
  }
  // What no edge holds stands beside what stands left of it.
  for (const layer of layers) {
    layer.forEach((cell, at) => {
      if (at && !cell.up.length && !cell.down.length) cell.x = layer[at - 1].x + layer[at - 1].width + gap(layer[at - 1], cell);
    });
  }
}

// What has a place, by its height: who asks what is near one looks at little else.
class Bands {
  constructor(things) {
    this.bands = new Map();
    for (const thing of things) this.add(thing);
  }
  add(thing) {
    for (const at of this.over(thing.y, thing.y + thing.height)) if (this.bands.has(at)) this.bands.get(at).push(thing); else this.bands.set(at, [thing]);
  }
  between(top, bottom) { return [...new Set(this.over(top, bottom).flatMap(at => this.bands.get(at) || []))]; }
  over(top, bottom) {
    const first = Math.floor(top / 100);
    return Array.from({length: Math.floor(bottom / 100) - first + 1}, (_, at) => first + at);
  }
}
