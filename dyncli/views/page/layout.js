"use strict";
// Lays out nested boxes: each box on its own, in layers from top to bottom, then as one item of the box around it.

const GAP = 26, NARROW = 8, LAYER = 40, PAD = 14, HEAD = 26, WIDEST = 900;

function layOut(items, edges, entries = [], exits = [], below = []) {
  // items: [{id, width, height, order}], edges: [[from, to]] between items; entries and exits: [key, id], edges that cross
  // the border above or below; below: [upper, lower], to stand so without an edge.
  // Gives each item x and y; returns the bends of each edge, by its ends or its key.
  const byId = new Map(items.map(item => [item.id, item]));
  const forward = edges.filter(([a, b]) => a !== b && byId.get(a).order < byId.get(b).order);
  const rank = ranks(items, [...forward, ...below]);
  const layers = [];
  const put = (cell, at) => (layers[at] = layers[at] || []).push(cell);
  const cells = new Map();
  for (const item of items) {
    const cell = {item, width: item.width, height: item.height, up: [], down: []};
    cells.set(item.id, cell);
    put(cell, rank.get(item.id));
  }
  const bends = new Map();
  for (const [a, b] of forward) {
    let above = cells.get(a);
    const path = [];
    for (let at = rank.get(a) + 1; at < rank.get(b); at++) {
      const bend = {item: null, width: 10, height: 0, up: [], down: []};
      put(bend, at);
      join(above, bend);
      path.push(bend);
      above = bend;
    }
    join(above, cells.get(b));
    bends.set(a + " " + b, path);
  }
  const bendsAt = (from, to) => {
    const path = [];
    for (let at = from; at <= to; at++) {
      const bend = {item: null, width: 10, height: 0, up: [], down: []};
      put(bend, at);
      if (path.length) join(path[path.length - 1], bend);
      path.push(bend);
    }
    return path;
  };
  const last = Math.max(0, ...rank.values());
  for (const [key, id] of entries) {
    const path = bendsAt(0, rank.get(id) - 1);
    if (path.length) join(path[path.length - 1], cells.get(id));
    bends.set("in " + key, path);
  }
  for (const [key, id] of exits) {
    const path = bendsAt(rank.get(id) + 1, last);
    if (path.length) join(cells.get(id), path[0]);
    bends.set("out " + key, path);
  }
  for (let at = 0; at < layers.length; at++) layers[at] = layers[at] || [];
  untangle(layers);
  place(layers);
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

function place(layers) {
  const gap = (left, right) => left.item && right.item ? GAP : NARROW;
  for (const layer of layers) {
    let x = 0;
    layer.forEach((cell, at) => { cell.x = x; x += cell.width + (at + 1 < layer.length ? gap(cell, layer[at + 1]) : 0); });
  }
  const middle = cell => cell.x + cell.width / 2;
  for (let sweep = 0; sweep < 25; sweep++) {
    const order = sweep % 2 === 0 ? layers : [...layers].reverse();
    for (const layer of order) {
      const wish = layer.map(cell => {
        // At last each stands below what leads to it: a chain is straight.
        const near = sweep < 24 || !cell.up.length ? [...cell.up, ...cell.down] : cell.up;
        return near.length ? near.reduce((sum, other) => sum + middle(other), 0) / near.length - cell.width / 2 : cell.x;
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
}
