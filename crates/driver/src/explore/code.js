// Source, IR and machine code side by side. Pointing at a line lights up what it came from and
// became; pointing at a value its definition and uses.
function showCode(view, f) {
  const panes = ["Source", "IR", "Machine code"].map((title) => {
    const pane = element("section", { class: "pane" }, `<h2><span>${title}</span></h2><div class="scroll"><div class="code"></div></div>`);
    view.append(pane);
    return pane;
  });
  const [source, ir, machine] = panes.map((p) => p.querySelector(".code"));
  const numbered = (text, line, n) => `<div data-l="${line}"><span class="n">${n}</span>${text}</div>`;
  source.innerHTML = trace.source.map((text, i) => numbered(escape(text) || " ", i + 1, i + 1)).join("");
  machine.innerHTML = f.assembly.map(([text, line]) =>
    `<div data-l="${line}">${/^\S.*:$/.test(text) ? `<span class="label">${escape(text)}</span>` : escape(text)}</div>`).join("");
  const select = element("select", { "aria-label": "IR after" },
    f.steps.map((s, i) => `<option value="${i}">${i}: after ${escape(s.pass)}</option>`).join(""));
  const debug = element("button", { title: "records of variables for the debugger, and what is said of the function" }, "Debug records");
  panes[1].querySelector("h2").append(select, debug);
  panes[2].querySelector("h2").append(element("span", { class: "legend" }, "point at a line or value; a click keeps the marks"));
  const showDebug = () => {
    ir.classList.toggle("brief", !state.debug);
    debug.setAttribute("aria-pressed", String(Boolean(state.debug)));
  };
  debug.onclick = (event) => { event.stopPropagation(); state.debug = !state.debug; showDebug(); };
  showDebug();
  const showIr = () => {
    state.step = Number(select.value);
    ir.innerHTML = f.steps[state.step].lines.map(([text, line]) =>
      `<div data-l="${line}"${text.startsWith("  debug ") || ASIDE.test(text) ? ' class="aside"' : ""}>${markIr(text)}</div>`).join("");
  };
  select.value = Math.min(state.step ?? f.steps.length - 1, f.steps.length - 1);
  select.onchange = showIr;
  showIr();

  const clear = () => view.querySelectorAll(".on").forEach((e) => e.classList.remove("on"));
  const lightLine = (line, from) => {
    clear();
    if (!(line > 0)) return;
    for (const pane of panes) {
      const lines = pane.querySelectorAll(`[data-l="${line}"]`);
      lines.forEach((e) => e.classList.add("on"));
      if (lines.length && pane !== from) bringIntoView(pane.querySelector(".scroll"), lines);
    }
  };
  view.onmouseover = (event) => {
    const value = event.target.closest(".v");
    const row = event.target.closest("[data-l]");
    if (!row || state.pinned) return;
    lightLine(row.dataset.l, row.closest(".pane"));
    if (value) ir.querySelectorAll(`.v[data-v="${value.dataset.v}"]`).forEach((e) => e.classList.add("on"));
  };
  // A click keeps the highlighting until the next click.
  view.onclick = (event) => {
    const row = event.target.closest("[data-l]");
    state.pinned = false;
    if (row) { lightLine(row.dataset.l, row.closest(".pane")); state.pinned = true; }
  };
  state.pinned = false;
  const firstLine = f.assembly.map((row) => row[1]).find((line) => line > 0);
  if (firstLine) bringIntoView(panes[0].querySelector(".scroll"), [source.children[firstLine - 1]]);
  // Up and down go through the source's lines.
  state.move = (delta) => {
    const at = Number(source.querySelector(".on")?.dataset.l ?? (firstLine ?? 1) - delta);
    const next = Math.max(1, Math.min(trace.source.length, at + delta));
    lightLine(next, null);
    bringIntoView(panes[0].querySelector(".scroll"), [source.children[next - 1]]);
  };
}

// Scrolls a pane so that the first of some lines can be seen, if none can.
function bringIntoView(scroll, lines) {
  const box = scroll.getBoundingClientRect();
  const visible = [...lines].some((e) => { const r = e.getBoundingClientRect(); return r.top >= box.top && r.bottom <= box.bottom; });
  if (!visible && lines[0]) scroll.scrollTop += lines[0].getBoundingClientRect().top - box.top - box.height / 3;
}
