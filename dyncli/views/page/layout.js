"use strict";
// Lays out nested boxes: each box on its own, in layers from top to bottom, then as one item of the box around it.

const GAP = 26, NARROW = 8, LAYER = 40, PAD = 14, HEAD = 26, WIDEST = 900, NARROWEST = 480;

function layOut(items, {within = [], entries = [], exits = []}, widest, below = []) {
  // items: [{id, width, height, order}]; within: [key, from, to, share], edges between items; entries and exits:
  // [key, id, share], edges that cross the border above or below; below: [upper, lower], to stand so without an edge.
  // Edges that share what they carry share their bends.  Gives each item x and y; returns the bends of each edge by its key.
  const byId = new Map(items.map(item => [item.id, item]));
  const forward = within.filter(([, a, b]) => a !== b && byId.get(a).order < byId.get(b).order);
  const rank = cut(items, ranks(items, [...forward.map(([, a, b]) => [a, b]), ...below]), widest);
  const layers = [];
  const put = (cell, at) => (layers[at] = layers[at] || []).push(cell);
  const cells = new Map();
  for (const item of items) {
    const cell = {item, width: item.width, height: item.height, up: [], down: []};
    cells.set(item.id, cell);
    put(cell, rank.get(item.id));
  }
  const trunks = new Map();
  const route = (share, from, to, above) => {
    const path = [];
    for (let at = from; at <= to; at++) {
      const key = `${share} ${at}`;
      if (!trunks.has(key)) {
        const bend = {item: null, width: 10, height: 0, up: [], down: []};
        trunks.set(key, bend);
        put(bend, at);
        if (above) join(above, bend);
      }
      above = trunks.get(key);
      path.push(above);
    }
    return path;
  };
  const bends = new Map(), last = Math.max(0, ...rank.values());
  for (const [key, a, b, share] of forward) {
    const path = route(share, rank.get(a) + 1, rank.get(b) - 1, cells.get(a));
    join(path[path.length - 1] || cells.get(a), cells.get(b));
    bends.set("at " + key, path);
  }
  for (const [key, id, share] of entries) {
    const path = route("in " + share, 0, rank.get(id) - 1, null);
    if (path.length) join(path[path.length - 1], cells.get(id));
    bends.set("in " + key, path);
  }
  for (const [key, id, share] of exits) bends.set("out " + key, route(share, rank.get(id) + 1, last, cells.get(id)));
  for (let at = 0; at < layers.length; at++) layers[at] = layers[at] || [];
  untangle(layers);
  place(layers, widest);
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(0, ...layer.map(cell => cell.height));
    for (const cell of layer) {
      cell.y = cell.item ? y + (height - cell.height) / 2 : y;
      cell.span = height;
    }
    y += height + LAYER;
  }
  const left = layers.length ? Math.min(...layers.flat().map(cell => cell.x)) : 0;
  for (const cell of layers.flat()) {
    cell.x -= left;
    if (cell.item) { cell.item.x = cell.x; cell.item.y = cell.y; }
  }
  const width = Math.max(0, ...layers.flat().map(cell => cell.x + cell.width));
  return {width, height: Math.max(0, y - LAYER), bends};
}

// Returns the layer of each item when those that are too wide are cut into several, what ran later further down.
function cut(items, rank, widest) {
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
  const last = Math.max(0, ...rank.values());
  for (const item of items) if (item.node && item.node.kind === "output" && !into.get(item.id).length) rank.set(item.id, last);
  return rank;
}

function untangle(layers) {
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

function place(layers, widest) {
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
