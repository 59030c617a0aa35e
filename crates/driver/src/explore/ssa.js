// How one variable leaves memory: its stores, the iterated dominance frontier, the phis that are
// live, and what promotion made of it. Computed here by the textbook (Cytron, Ferrante, Rosen,
// Wegman, Zadeck, 1991; pruned by liveness), beside what the compiler's pass really left.
function showSsa(view, f) {
  const at = f.steps.findIndex((s) => s.pass === "mem2reg");
  const note = (text) => view.append(element("section", { class: "pane" }, `<p class="note">${text}</p>`));
  if (at < 1) return note("No variable of this function was promoted.");
  const before = f.steps[at - 1].lines, after = f.steps[at].lines;
  const blocks = blocksOf(before), order = analyse(blocks);
  const names = new Map();
  for (const [text] of before) {
    const m = /^  described \d+ "([^"]*)".* in (v\d+)/.exec(text) || /^  variable (v\d+) "([^"]*)"/.exec(text);
    if (m) names.set(m[1].startsWith("v") && /^v\d+$/.test(m[1]) && m[2] && !/^v\d+$/.test(m[2]) ? m[1] : m[2], /^v\d+$/.test(m[2]) ? m[1] : m[2]);
  }
  const still = new Set(after.map(([t]) => /^  (v\d+): ptr = alloca/.exec(t)?.[1]).filter(Boolean));
  const slots = before.map(([t]) => /^  (v\d+): ptr = alloca/.exec(t)?.[1]).filter((v) => v && !still.has(v));
  if (!slots.length) return note("The first run of mem2reg promoted no variable of this function.");

  const list = element("section", { class: "pane", style: "flex: 0 0 330px" }, `<h2>Promoted variables</h2><div class="scroll"></div>`);
  const picture = element("section", { class: "pane" }, `<h2><span></span></h2><p class="note said"></p><div class="scroll"></div>`);
  view.append(list, picture);
  const stores = (slot, b) => b.lines.some(([t]) => new RegExp(`^  store (.*, )?${slot}\\b`).test(t));
  const loads = (slot, b) => {
    for (const [t] of b.lines) {
      if (new RegExp(`= load ${slot}\\b`).test(t)) return true;
      if (new RegExp(`^  store (.*, )?${slot}\\b`).test(t)) return false;
    }
    return false;
  };
  const phisAfter = new Map(blocksOf(after).map((b) => [b.name, b.lines.filter(([t]) => / = phi /.test(t)).length]));

  const facts = (slot) => {
    const defs = new Set(order.filter((b) => stores(slot, b)));
    const frontier = new Set(), work = [...defs];
    while (work.length) for (const d of work.pop().frontier) if (!frontier.has(d)) { frontier.add(d); work.push(d); }
    const live = new Set(), reads = order.filter((b) => loads(slot, b));
    const up = [...reads];
    while (up.length) {
      const b = up.pop();
      if (live.has(b)) continue;
      live.add(b);
      b.preds.filter((p) => p.idom && !defs.has(p)).forEach((p) => up.push(p));
    }
    return { defs, frontier, live, phis: new Set([...frontier].filter((b) => live.has(b))), reads: new Set(reads) };
  };
  const stages = [
    ["Stores", (x) => `${counted(x.defs.size, "block")} with stores of the variable; ${counted(x.reads.size, "block")} with a load before any store.`, (x, b) => (x.defs.has(b) ? "var(--store)" : "")],
    ["Frontier", (x) => `The iterated dominance frontier of the stores: ${counted(x.frontier.size, "block")} where two definitions may meet.`, (x, b) => (x.frontier.has(b) ? "var(--mark)" : x.defs.has(b) ? "var(--store)" : "")],
    ["Liveness", (x) => `Where the variable is live at the block's start: ${counted(x.live.size, "block")}. ${counted(x.frontier.size - x.phis.size, "block")} of the frontier without need of a phi.`, (x, b) => (x.live.has(b) ? "var(--live)" : "")],
    ["Phis", (x) => `${counted(x.phis.size, "phi")}: frontier and live.`, (x, b) => (x.phis.has(b) ? "var(--phi)" : x.defs.has(b) ? "var(--store)" : "")],
    ["Result", () => `The function after mem2reg: all variables together have ${[...phisAfter.values()].reduce((a, n) => a + n, 0)} phis.`, (x, b) => (phisAfter.get(b.name) ? "var(--phi)" : "")],
  ];
  let slot = slots[0], stage = 0;
  const chooser = element("ol", { class: "steps", role: "listbox", tabindex: "0" },
    slots.map((s) => `<li role="option" data-s="${s}" style="grid-template-columns: 6ch 1fr"><span class="num">${s}</span><span>${escape(names.get(s) ?? "(no name)")}</span></li>`).join(""));
  list.querySelector(".scroll").append(chooser);
  const head = picture.querySelector("h2");
  stages.forEach(([title], i) => head.append(element("button", { "data-stage": i }, `${i + 1}. ${title}`)));
  const trees = element("button", { "data-tree": "1" }, "Dominator tree");
  head.append(trees);
  const draw = () => {
    const x = facts(slot), [, words, colour] = stages[stage];
    chooser.querySelectorAll("li").forEach((li) => li.setAttribute("aria-selected", li.dataset.s === slot));
    head.querySelectorAll("[data-stage]").forEach((b) => b.setAttribute("aria-pressed", Number(b.dataset.stage) === stage));
    trees.setAttribute("aria-pressed", String(state.ssaTree));
    const result = stage === stages.length - 1;
    const shown = result ? analyse(blocksOf(after)) : order;
    const scroll = picture.querySelector(".scroll");
    picture.querySelector(".said").textContent = words(x);
    scroll.replaceChildren(drawing(shown, state.ssaTree ? "tree" : "flow", shown.length <= 60, (b) => colour(x, b)));
    // The first block that is marked, or the entry, in the middle.
    const first = shown.find((b) => colour(x, b)) ?? shown[0];
    scroll.scrollLeft = first.x + first.w / 2 - scroll.clientWidth / 2;
    scroll.scrollTop = first.y - scroll.clientHeight / 3;
  };
  state.ssaTree ??= true;
  chooser.onclick = (event) => { const li = event.target.closest("li"); if (li) { slot = li.dataset.s; stage = 0; draw(); } };
  head.onclick = (event) => {
    const { stage: s, tree } = event.target.dataset;
    if (s !== undefined) { stage = Number(s); draw(); }
    if (tree) { state.ssaTree = !state.ssaTree; draw(); }
  };
  // Left and right go through the stages, up and down through the variables.
  state.aside = (d) => { stage = Math.max(0, Math.min(stages.length - 1, stage + d)); draw(); };
  state.move = (d) => { slot = slots[Math.max(0, Math.min(slots.length - 1, slots.indexOf(slot) + d))]; draw(); };
  draw();
}
