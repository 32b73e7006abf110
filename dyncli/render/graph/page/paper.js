"use strict";
// The picture on paper: on white, from its top to its end, on as many sheets as it takes to be read.

const NARROW_SHEET = 700, TALL = 1.3, CLOSER = 1.4;

function onPaper() {
  let before = null;
  window.addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    theme("light");
    const screen = [part, layers];
    $("paper").replaceChildren(...sheets().map(sheetOf));
    [part, layers] = screen;
  });
  window.addEventListener("afterprint", () => {
    $("paper").replaceChildren();
    theme(before);
  });
}
// The parts of the picture, each as high as a sheet is for its width, or less: between two of them no node is cut.
function sheets() {
  // What is a little too high for one sheet is drawn smaller.
  const width = size.width + 20, most = Math.max(width, NARROW_SHEET) * TALL, all = [];
  const solid = order.map(item => [item.y, item.y + (item.box && !item.folded ? HEAD : item.height)]);
  for (let y = -10; y < size.height + 10;) {
    const rest = size.height + 10 - y;
    const near = rest <= most * CLOSER ? [] : solid.filter(([top, end]) => end > y + 0.6 * most && top < y + most);
    const gaps = near.map(([top]) => top - 4).filter(at => at <= y + most && !near.some(([top, end]) => top < at && at < end));
    const height = rest <= most * CLOSER ? rest : largest(gaps.map(at => at - y)) || most;
    all.push({x: -10, y, width, height, scale: 1});
    y += height;
  }
  return all;
}
function sheetOf(sheet) {
  part = sheet;
  layers = {frames: layer(), arrows: layer(), words: layer(), nodes: layer()};
  fill();
  const svg = make("svg", {class: "picture", viewBox: `${sheet.x} ${round(sheet.y)} ${round(sheet.width)} ${round(sheet.height)}`});
  svg.append(...Object.values(layers).map(({group}) => group));
  return svg;
}
