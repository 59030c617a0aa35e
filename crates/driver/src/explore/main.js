// The frame around the views: which function and view are shown, and the keyboard.
const state = { function: 0, view: "code", step: undefined };
const views = { code: showCode, passes: showPasses, ssa: showSsa, graph: showGraph, registers: showRegisters };

function show() {
  const view = document.getElementById("view");
  view.replaceChildren();
  view.onmouseover = view.onclick = null;
  state.move = state.aside = undefined;
  document.querySelectorAll("[data-view]").forEach((b) => b.setAttribute("aria-selected", b.dataset.view === state.view));
  const f = trace.functions[state.function];
  if (!f) return view.append(element("p", { class: "note" }, "The source defines no function."));
  views[state.view](view, f);
  history.replaceState(null, "", `#${encodeURIComponent(f.name)}/${state.view}`);
}

document.getElementById("title").textContent = `${trace.file.split("/").pop()} ${trace.level}`;
document.getElementById("title").title = trace.file;
const chooser = document.getElementById("function");
chooser.innerHTML = trace.functions.map((f, i) => `<option value="${i}">${escape(f.name)}</option>`).join("");
chooser.onchange = () => { state.function = Number(chooser.value); state.step = undefined; show(); };
document.querySelector("nav").onclick = (event) => {
  const button = event.target.closest("[data-view]");
  if (button) { state.view = button.dataset.view; show(); }
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const names = Object.keys(views), digit = Number(event.key) - 1;
  if (names[digit]) { state.view = names[digit]; show(); }
  else if (event.key === "ArrowDown" || event.key === "j") state.move?.(1);
  else if (event.key === "ArrowUp" || event.key === "k") state.move?.(-1);
  else if (event.key === "ArrowRight") state.aside?.(1);
  else if (event.key === "ArrowLeft") state.aside?.(-1);
  else if (event.key === "f") chooser.focus();
  else if (event.key === "Enter" && event.target.classList.contains("fold")) event.target.click();
  else return;
  if (event.key.startsWith("Arrow") && (state.move || state.aside)) event.preventDefault();
});
// A link names a function and a view.
const [wanted, wantedView] = location.hash.slice(1).split("/");
const known = trace.functions.findIndex((f) => f.name === decodeURIComponent(wanted));
if (known >= 0) { state.function = known; chooser.value = known; }
if (views[wantedView]) state.view = wantedView;
show();
