// Blocks as a drawing: control flow in layers, or the dominator tree. Loops are shaded by depth.
const CHAR = 6.7, LINE = 14;

function showGraph(view, f) {
  const pane = element("section", { class: "pane" }, `<h2><span>Control flow</span></h2><div class="scroll"></div>`);
  view.append(pane);
  const head = pane.querySelector("h2"), scroll = pane.querySelector(".scroll");
  const select = element("select", { "aria-label": "IR after" },
    f.steps.map((s, i) => `<option value="${i}">${i}: after ${escape(s.pass)}</option>`).join(""));
  select.value = state.step ?? f.steps.length - 1;
  const modes = { flow: "Control flow", tree: "Dominator tree" };
  head.append(select, ...Object.entries(modes).map(([mode, title]) => element("button", { "data-mode": mode }, title)),
    element("button", { "data-size": "1", "aria-pressed": String(!state.small) }, "Instructions"),
    element("span", { class: "legend" }, `<span><i style="background:var(--loop1)"></i>loop</span><span><i style="background:var(--loop2)"></i>nested</span>`));
  const draw = () => {
    state.step = Number(select.value);
    const blocks = blocksOf(f.steps[state.step].lines);
    const order = analyse(blocks);
    const full = !state.small && blocks.length <= 120;
    head.querySelector("span").textContent = `${modes[state.mode]}, ${blocks.length} blocks`;
    head.querySelectorAll("[data-mode]").forEach((b) => b.setAttribute("aria-pressed", b.dataset.mode === state.mode));
    scroll.replaceChildren(order.length ? drawing(order, state.mode, full) : element("p", { class: "note" }, "The function has no blocks at this step."));
    // Wide drawings begin at the entry.
    if (order.length) scroll.scrollLeft = order[0].x + order[0].w / 2 - scroll.clientWidth / 2;
  };
  state.mode ??= "flow";
  select.onchange = draw;
  head.onclick = (event) => {
    const { mode, size } = event.target.dataset;
    if (mode) { state.mode = mode; draw(); }
    if (size) { state.small = !state.small; event.target.setAttribute("aria-pressed", String(!state.small)); draw(); }
  };
  state.move = (d) => { select.value = Math.max(0, Math.min(f.steps.length - 1, state.step + d)); draw(); };
  draw();
}

// `colour(block)` overrides the shading; used by the SSA view.
function drawing(order, mode, full, colour) {
  const linesOf = (b) => {
    if (!full) return [];
    const shown = b.lines.filter(([t]) => !t.startsWith("  debug "));
    return shown.length > 14 ? [...shown.slice(0, 10), [`  ... ${shown.length - 13} more`], ...shown.slice(-3)] : shown;
  };
  for (const b of order) {
    b.shown = linesOf(b).map(([t]) => (t.length > 64 ? t.slice(0, 63) + "…" : t));
    b.title = `${b.name}${b.isHeader ? " ⟳" : ""}${full ? "" : ` (${b.lines.length})`}`;
    b.w = Math.max(44, b.title.length * 7.5 + 12, ...b.shown.map((t) => t.length * CHAR + 12));
    b.h = LINE * (b.shown.length + 1) + 8;
  }
  const size = mode === "tree" ? placeTree(order) : placeLayers(order);
  const parts = [];
  const edge = (from, to, back) => {
    const x1 = from.x + from.w / 2, y1 = from.y + from.h, x2 = to.x + to.w / 2, y2 = to.y;
    if (back) {
      // Along the right side of what lies between.
      const between = order.filter((b) => b.y + b.h >= y2 && b.y <= y1 && Math.abs(b.x + b.w / 2 - x2) < 600);
      const side = Math.max(...between.map((b) => b.x + b.w)) + 12 + 6 * (to.depth % 4);
      return `<path class="edge back" marker-end="url(#arrow)" d="M${x1},${y1} C${x1},${y1 + 22} ${side},${y1 + 22} ${side},${y1 - 8} L${side},${y2 + 8} C${side},${y2 - 22} ${x2},${y2 - 22} ${x2},${y2}"/>`;
    }
    const bend = Math.max(16, (y2 - y1) / 2);
    return `<path class="edge" marker-end="url(#arrow)" d="M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}"/>`;
  };
  for (const b of order) {
    if (mode === "tree") b.children.forEach((c) => parts.push(edge(b, c, false)));
    else b.succs.forEach((s) => parts.push(edge(b, s, s.order <= b.order)));
  }
  for (const b of order) {
    const fill = (colour && colour(b)) || (b.depth ? `var(--loop${Math.min(3, b.depth)})` : "");
    const texts = b.shown.map((t, i) => `<text x="${b.x + 6}" y="${b.y + LINE * (i + 2)}" xml:space="preserve">${escape(t)}</text>`).join("");
    parts.push(`<g class="block" data-b="${b.name}"><title>${b.name}: ${b.lines.length} lines, loop depth ${b.depth}, dominated by ${b.idom.name}</title>
      <rect class="box" x="${b.x}" y="${b.y}" width="${b.w}" height="${b.h}" rx="4" ${fill ? `style="fill:${fill}"` : ""}/>
      <text x="${b.x + 6}" y="${b.y + LINE}" style="font-weight:600">${b.title}</text>${texts}</g>`);
  }
  return element("div", {}, `<svg width="${size[0]}" height="${size[1]}" role="img" aria-label="Blocks">
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="var(--soft)"/></marker></defs>${parts.join("")}</svg>`);
}

// Layers by longest path without back edges, ordered by the mean of the predecessors, packed from
// the middle.
function placeLayers(order) {
  for (const b of order) b.layer = 0;
  for (const b of order) for (const s of b.succs) if (s.order > b.order) s.layer = Math.max(s.layer, b.layer + 1);
  const layers = [];
  for (const b of order) (layers[b.layer] ??= []).push(b);
  const gapX = 26, gapY = 42;
  const widest = Math.max(...layers.map((l) => l.reduce((w, b) => w + b.w + gapX, 0)));
  order.forEach((b) => (b.x = 0));
  let y = 24;
  for (const layer of layers) {
    const want = (b) => {
      const from = b.preds.filter((p) => p.order < b.order && p.layer < b.layer);
      return from.length ? from.reduce((s, p) => s + p.x + p.w / 2, 0) / from.length : widest / 2;
    };
    layer.forEach((b) => (b.want = want(b)));
    layer.sort((a, b) => a.want - b.want || a.order - b.order);
    let x = -Infinity;
    for (const b of layer) { b.x = Math.max(x, b.want - b.w / 2); x = b.x + b.w + gapX; b.y = y; }
    // What was pushed to the right pulls its layer back by half.
    const drift = layer.reduce((s, b) => s + b.x + b.w / 2 - b.want, 0) / layer.length;
    layer.forEach((b) => (b.x -= drift));
    y += Math.max(...layer.map((b) => b.h)) + gapY;
  }
  const left = Math.min(...order.map((b) => b.x)) - 24;
  order.forEach((b) => (b.x -= left));
  return [Math.max(...order.map((b) => b.x + b.w)) + 60, y];
}

function placeTree(order) {
  const gapX = 18, gapY = 38, rows = [];
  for (const b of order) { b.level = b.idom === b ? 0 : b.idom.level + 1; rows[b.level] = Math.max(rows[b.level] ?? 0, b.h); }
  const top = rows.map((_, i) => 20 + rows.slice(0, i).reduce((s, h) => s + h + gapY, 0));
  for (const b of [...order].reverse()) b.span = Math.max(b.w, b.children.reduce((s, c) => s + c.span + gapX, -gapX));
  order[0].left = 20;
  for (const b of order) {
    b.x = b.left + (b.span - b.w) / 2;
    b.y = top[b.level];
    let x = b.left + Math.max(0, (b.span - b.children.reduce((s, c) => s + c.span + gapX, -gapX)) / 2);
    for (const c of b.children) { c.left = x; x += c.span + gapX; }
  }
  return [order[0].span + 60, top[top.length - 1] + rows[rows.length - 1] + 30];
}
