"use strict";
// The script beside the picture: what ran, what each line gave, and its nodes.

function writeSource() {
  const pane = $("source");
  const drawn = new Set(data.nodes.map(node => `${node.file} ${node.line}`));
  data.files.forEach((file, number) => {
    pane.append(html("h2", {}, file.name));
    const list = html("ol", {role: "group", "aria-label": `source of ${file.name}`});
    file.lines.forEach(([text, mark], at) => {
      const linked = drawn.has(`${number} ${at + 1}`);
      const word = {ran: "ran", left: "not reached", raised: "raised"}[mark] || "";
      const line = html("li", {class: `${mark} ${linked ? "linked" : ""}`.trim(), "data-file": number, "data-line": at + 1,
        tabindex: linked ? -1 : null, role: linked ? "button" : null, title: word || null});
      line.append(html("span", {class: "number"}, String(at + 1)), html("span", {class: "mark"}), html("span", {class: "words"}));
      line.lastChild.append(html("code", {}, text), html("span", {class: "value"}));
      list.append(line);
    });
    pane.append(list);
  });
  rove(pane, pane.querySelector("li.linked"));
  if (!data.files.length) pane.append(html("h2", {}, "The record holds no source."));
}
function markExpression(line, chosen) {
  const [file, number] = [+line.dataset.file, +line.dataset.line];
  const text = data.files[file].lines[number - 1][0], code = line.querySelector("code");
  if (chosen && chosen.endCol > chosen.col) {
    code.replaceChildren(text.slice(0, chosen.col), html("mark", {}, text.slice(chosen.col, chosen.endCol)), text.slice(chosen.endCol));
  } else if (code.childNodes.length !== 1 || code.firstChild.nodeType !== 3) code.textContent = text;
}
// The value that each line has at the step the reader is at.
function writeValues() { for (const line of document.querySelectorAll("#source li")) writeValue(line); }
function writeValue(line) {
  const [file, number] = [+line.dataset.file, +line.dataset.line], text = data.files[file].lines[number - 1][0];
  const here = lineNodes.get(`${file} ${number}`) || [];
  const words = here.map(node => [node.expr, valueOn(node)]).filter(([, value]) => value);
  const value = line.querySelector(".value");
  value.textContent = words.length ? "→ " + words[words.length - 1][1] : "";
  value.title = some(words.map(([text, value]) => `${text} = ${value}`)).join("\n");
  if (line.hasAttribute("tabindex")) {
    line.setAttribute("aria-label", [`line ${number}, ${line.title}: ${text.trim()}`, ...some(words.map(([, value]) => value))].join(", "));
  }
}
const some = words => words.length <= 20 ? words : [...words.slice(0, 10), `${words.length - 20} more`, ...words.slice(-10)];
const lineNodes = new Map();
const breadth = node => (node.kind === "decision" ? 1e6 : 0) + node.endCol - node.col;
const onLines = data.nodes.filter(node => node.line && ["op", "parameter", "decision"].includes(node.kind));
for (const node of onLines.sort((a, b) => breadth(a) - breadth(b))) {
  const key = `${node.file} ${node.line}`;
  if (!lineNodes.has(key)) lineNodes.set(key, []);
  lineNodes.get(key).push(node);
}
function valueOn(node) {
  const now = stepOf(node);
  if (now && now[1] !== null && now[1].includes("\n")) return now[1].split("\n").join("  |  ");
  if (now) return now[1] === null ? "" : node.kind === "decision" ? now[1] : now[1].split(" · ").slice(1).join(" · ") || now[1];
  const texts = node.lines.map(([text]) => text);
  const said = own => node.kind === "decision" ? own.join(" · ").replace(/^(line \d+|[^·→]*:\d+)( · | → )?/, "")
    : own[0].split(" · ").slice(1).join(" · ") || own[0];
  const each = data.names.map(name => [name, texts.filter(text => text.startsWith(`${name}: `)).map(text => text.slice(name.length + 2))]);
  if (!texts.length || !each.some(([name]) => texts[0].startsWith(`${name}: `))) return texts.length ? said(texts) : "";
  return each.filter(([, own]) => own.length).map(([name, own]) => `${name}: ${said(own)}`).join("  |  ");
}
function markLines() {
  const chosen = state.chosen ? nodes.get(state.chosen) : null;
  for (const line of document.querySelectorAll("#source li")) {
    const here = chosen && chosen.line && +line.dataset.file === chosen.file && +line.dataset.line >= chosen.line && +line.dataset.line <= chosen.endLine;
    const picked = state.line && +line.dataset.file === state.line.file && +line.dataset.line === state.line.number;
    line.classList.toggle("chosen", Boolean(here || picked));
    if (line.hasAttribute("tabindex")) line.setAttribute("aria-pressed", String(Boolean(here || picked)));
    markExpression(line, here && chosen.line === chosen.endLine ? chosen : null);
  }
}
function pickLine(line) {
  if (!line) return;
  state.chosen = null;
  state.line = {file: +line.dataset.file, number: +line.dataset.line};
  const here = data.nodes.filter(node => node.file === state.line.file && node.line === state.line.number);
  if (here.length) {
    reveal(here[0].id);
    tell(here[here.length - 1]);
    rove($("canvas"), elementOf(here[0].id));
  }
  emphasise();
}
