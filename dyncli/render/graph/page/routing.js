"use strict";
// Edge routing: the path of each edge, and the place of its label.

const leadsBack = edge => edge.k === "carried" || edge.k === "asked again";

// Returns the path of an edge, the rows of its label and the place of that; called when the edge is first drawn.
function routeOf(edge) {
  const from = plan.items.get(edge.from), to = plan.items.get(edge.to);
  const upwards = leadsBack(edge) || from.y + from.height > to.y;
  const {d, at} = upwards ? routeUp(edge, from, to) : routeDown(edge, from, to);
  const rows = rowsOn(edge);
  return {d, rows, spot: rows.length ? placeLabel(rows, [at[0] + 4, at[1]], plan) : null};
}

// Returns the path of an edge to an earlier node or to its own, and where its label should stand.
function routeUp(edge, from, to) {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
  const obstacles = obstaclesOf(edge, plan, Math.min(x1, x2), Math.min(y1, y2), Math.max(y1, y2));
  const reach = largest(obstacles.map(item => item.x + item.width), Math.max(x1, x2)) + 14;
  const loop = `M${round(x1)},${round(y1 - 5)}C${round(x1 + 34)},${round(y1 - 16)} ${round(x1 + 34)},${round(y1 + 16)} ${round(x1 + 2)},${round(y1 + 6)}`;
  return {d: edge.from === edge.to ? loop : routeAround(edge, plan, from, to, reach), at: [reach, (y1 + y2) / 2]};
}

// Returns the path of an edge through its bends, and where its label should stand: halfway along the last part.
function routeDown(edge, from, to) {
  const points = pointsOf(edge, from, to);
  let d = `M${points[0].map(round)}`;
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i - 1], [x2, y2] = points[i], half = (y2 - y1) / 2;
    d += `C${round(x1)},${round(y1 + half)} ${round(x2)},${round(y2 - half)} ${round(x2)},${round(y2)}`;
  }
  const [a, b] = points.slice(-2);
  return {d, at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]};
}

// Returns the points that an edge passes: out of the clusters around its source, into those around its target.
function pointsOf(edge, from, to) {
  const bendsIn = (id, key) => {
    const corner = plan.corner.get(id), trunk = plan.bends.get(`${id} ${key}`);
    return trunk ? corners(trunk).map(([x, y]) => [x + corner.x, y + corner.y]) : [];
  };
  const inside = edge.into.flatMap(id => bendsIn(id, `in ${edge.key}`));
  const end = [to.x + to.width / 2, to.y - 2];
  // An edge to an arm ends at its frame: all of it ran, or none.
  const frame = (edge.k === "taken" || edge.k === "left") && edge.into.length ? plan.items.get(edge.into[0]) : null;
  const bends = [...edge.out.flatMap(id => bendsIn(id, `out ${edge.key}`)), ...bendsIn(edge.home, `at ${edge.key}`)];
  const last = frame ? [[(inside[0] || end)[0], frame.y - 2]] : [...inside, end];
  return [[from.x + from.width / 2, from.y + from.height], ...bends, ...last];
}

function pathOf(edge) {
  edge.route = edge.route || routeOf(edge);
  const kind = edge.k.split(" ")[0];
  return make("path", {class: `edge ${kind} side-${edge.side}`, d: edge.route.d, "marker-end": `url(#tip-${edge.side === "both" ? kind : edge.side})`});
}
function wordsOf(edge) {
  const {rows, spot: [x, y]} = edge.route;
  const text = make("text", {class: `word ${edge.label ? edge.k : "flow"}`, x: round(x), y: round(y), "text-anchor": "middle"});
  rows.forEach((row, at) => text.append(make("tspan", at ? {x: round(x), dy: 13} : {}, row)));
  return text;
}
// Returns the rows of an edge's label, those of each run in a row of its own.
function rowsOn(edge) {
  const words = edge.label || edge.grad;
  const at = data.names.map(name => words.indexOf(`, ${name}: `)).filter(place => place > 0)[0];
  return at ? [words.slice(0, at), words.slice(at + 2)] : words ? [words] : [];
}
// Returns the free place for a label that is nearest to [x, y]: neither a node nor another label is there.
const NEAR = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5].flatMap(line => [0, -40, 40, -80, 80].map(side => [side, line * 13]));
function placeLabel(rows, [x, y], plan) {
  const width = largest(rows.map(row => widthOf(row, "small"))) + 6;
  const rect = ([right, down]) => ({x: x + right - width / 2, y: y + down - 10, width, height: 13 * rows.length});
  const apart = (a, b) => a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;
  plan.words = plan.words || new Bands([...plan.items.values()].map(item => item.node || item.folded ? item : titleOf(item)));
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
// Returns the nodes right of x between two heights, in the cluster that an edge stays in.
function obstaclesOf(edge, plan, x, top, bottom) {
  plan.standing = plan.standing || new Bands([...plan.items.values()].filter(item => item.node));
  return plan.standing.between(top, bottom).filter(item => item.id !== edge.from && item.id !== edge.to && item.x + item.width > x
    && item.y <= bottom && item.y + item.height >= top && (edge.home === null || chain(item.node).includes(edge.home)));
}
// Returns the path of an edge that leads back: right of the nodes beside it, below and above those in its way.
function routeAround(edge, plan, from, to, reach) {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2];
  const after = obstaclesOf(edge, plan, x1, y1, y1), before = obstaclesOf(edge, plan, x2, y2, y2);
  const low = after.length ? Math.max(from.y + from.height, ...after.map(item => item.y + item.height)) + 8 : y1;
  const high = before.length ? Math.min(to.y, ...before.map(item => item.y)) - 8 : y2;
  const turn = low > high ? 8 : -8, path = (...points) => points.map(point => point.map(round).join(",")).join(" ");
  const start = after.length ? `M${path([x1 - 14, from.y + from.height], [x1 - 14, low])}` : `M${path([x1, y1])}`;
  const end = before.length ? `L${path([x2 - 14, high], [x2 - 14, to.y - 2])}` : `L${path([x2 + 2, y2])}`;
  return `${start}L${path([reach - 8, low])}Q${path([reach, low], [reach, low - turn])}`
    + `L${path([reach, high + turn])}Q${path([reach, high], [reach - 8, high])}${end}`;
}
