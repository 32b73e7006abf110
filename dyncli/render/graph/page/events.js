"use strict";
// Pointer, wheel and keyboard.

// The pointer's drag: its last place, and whether it moved; null while no button is down.
let drag = null;
const target = event => event.target.closest ? event.target.closest("[data-id]") : null;

function listen() {
  listenToPointer($("picture"));
  listenToChoice($("picture"));
  listenToHover($("picture"), $("tip"));
  listenToSource($("source"));
  listenToControls();
  document.addEventListener("keydown", key);
  window.addEventListener("resize", move);
  onPaper();
}

// Moves the picture with a pointer, and zooms it with two fingers or the wheel.
function listenToPointer(picture) {
  const fingers = new Map();
  picture.addEventListener("pointerdown", event => {
    drag = {x: event.clientX, y: event.clientY, moved: false};
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  window.addEventListener("pointermove", event => {
    if (!drag) return;
    if (fingers.size > 1) { pinch(fingers, event); drag.moved = true; return; }
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
    drag.moved = true;
    picture.classList.add("dragging");
    view.x += event.clientX - drag.x;
    view.y += event.clientY - drag.y;
    drag.x = event.clientX;
    drag.y = event.clientY;
    move();
  });
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, event => {
    fingers.delete(event.pointerId);
    picture.classList.remove("dragging");
    if (fingers.size) [[drag.x, drag.y]] = fingers.values(); else setTimeout(() => { drag = null; });
  });
  picture.addEventListener("wheel", event => {
    event.preventDefault();
    const room = picture.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey || !event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY)) {
      zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
    } else { view.x -= event.deltaX || event.deltaY; move(); }
  }, {passive: false});
}

// Chooses or unfolds what is clicked; shows what has the focus.
function listenToChoice(picture) {
  picture.addEventListener("click", event => {
    if (drag && drag.moved) return;
    const hit = target(event);
    if (!hit) { state.chosen = state.line = null; tell(null); emphasise(); return; }
    if (boxes.has(hit.dataset.id)) toggle(hit.dataset.id); else choose(hit.dataset.id);
  });
  picture.addEventListener("focusin", event => {
    const hit = target(event), id = hit && hit.dataset.id;
    if (!hit) return;
    rove($("canvas"), hit);
    if (drag) return;
    centre(shown.get(id), true);
    if (nodes.has(id) && state.chosen !== id) choose(id);
  });
}

// Shows all that a node holds beside the pointer.
function listenToHover(picture, tip) {
  picture.addEventListener("mousemove", event => {
    const hit = target(event), item = hit && shown.get(hit.dataset.id);
    if (!item || !item.node || drag && drag.moved) { tip.style.display = "none"; return; }
    const node = item.node;
    tip.textContent = [[node.name, node.rest].filter(Boolean).join(" "), ...linesOf(node).map(([text]) => text), node.expr || "",
      node.full || "", node.fullGrad ? "grad " + node.fullGrad : "", node.unrecorded ? "no_grad: not recorded for backward" : ""].filter(Boolean).join("\n");
    tip.style.display = tip.textContent ? "block" : "none";
    const room = $("graph").getBoundingClientRect();
    tip.style.left = `${Math.min(event.clientX - room.left + 14, Math.max(0, room.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.min(event.clientY - room.top + 14, Math.max(0, room.height - tip.offsetHeight - 8))}px`;
  });
  picture.addEventListener("mouseleave", () => { tip.style.display = "none"; });
}

function listenToSource(source) {
  source.addEventListener("click", event => pickLine(event.target.closest("li.linked")));
  source.addEventListener("focusin", event => rove(source, event.target.closest("li.linked")));
  source.addEventListener("keydown", event => {
    const lines = [...document.querySelectorAll("#source li.linked")], at = lines.indexOf(event.target.closest("li.linked"));
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (by && lines[at + by]) { event.preventDefault(); lines[at + by].focus(); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pickLine(lines[at]); }
  });
}

function listenToControls() {
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  $("fit").addEventListener("click", fit);
  $("fold").addEventListener("click", () => foldAll(true));
  $("unfold").addEventListener("click", () => foldAll(false));
  $("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("search").addEventListener("input", event => { state.query = event.target.value.trim(); search(0); });
  $("search").addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); search(event.shiftKey ? -1 : 1); } });
  $("loop").addEventListener("change", event => { state.loop = event.target.value; step(0); });
  $("at").addEventListener("input", event => step(+event.target.value));
  $("back").addEventListener("click", () => step(+$("at").value - 1));
  $("next").addEventListener("click", () => step(+$("at").value + 1));
}

// A browser empties a search field on Escape without a word to the page.
function leave(field) {
  if (field === $("search")) { field.value = state.query = ""; search(0); }
  field.blur();
}
function key(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "f" && many() && event.target !== $("search")) {
    event.preventDefault();
    $("search").select();
    $("search").focus();
    return;
  }
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") leave(event.target);
    return;
  }
  const inPicture = event.target.closest && event.target.closest("#picture") || event.target === document.body;
  const id = event.target.dataset ? event.target.dataset.id : null;
  const keys = {"/": () => $("search").focus(), "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
    "[": () => state.loop && step(+$("at").value - 1), "]": () => state.loop && step(+$("at").value + 1), "t": () => $("theme").click(),
    "Escape": () => { state.chosen = state.line = null; tell(null); emphasise(); }};
  if (inPicture) Object.assign(keys, {"ArrowDown": () => walk(1), "ArrowRight": () => walk(1), "ArrowUp": () => walk(-1), "ArrowLeft": () => walk(-1),
    "Home": () => walk(-Infinity), "End": () => walk(Infinity)});
  if (inPicture && id) Object.assign(keys, {"Enter": () => toggle(id), " ": () => toggle(id)});
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
}
