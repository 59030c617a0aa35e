// The pipeline as a list: what each pass did to the function, and the difference it made.
function showPasses(view, f) {
  const list = element("section", { class: "pane", style: "flex: 0 0 400px" }, `<h2>Passes that changed ${escape(f.name)}</h2><div class="scroll"></div>`);
  const detail = element("section", { class: "pane" }, `<h2></h2><div class="remarks"></div><div class="scroll"><div class="code"></div></div>`);
  view.append(list, detail);
  const timed = f.steps.some((s) => s.micros !== undefined);
  const steps = element("ol", { class: "steps", role: "listbox", tabindex: "0" });
  steps.append(element("li", { class: "head", role: "presentation" },
    `<span></span><span>pass</span><span class="num">insts</span><span class="num">memory</span><span class="num">${timed ? "µs" : "phis"}</span>`));
  const delta = (now, before) => {
    const d = now - before;
    return d === 0 ? `<span class="num">${now}</span>` : `<span class="num ${d < 0 ? "less" : "more"}">${d > 0 ? "+" : ""}${d}</span>`;
  };
  f.steps.forEach((step, i) => {
    const now = countsOf(step), before = i ? countsOf(f.steps[i - 1]) : now;
    const last = timed ? `<span class="num">${step.micros ?? ""}</span>` : delta(now.phis, before.phis);
    const said = step.remarks.length ? `<small>${step.remarks.map(escape).join("; ")}</small>` : "";
    steps.append(element("li", { role: "option", "data-i": i },
      `<span class="num">${i}</span><span>${escape(step.pass)}</span>${delta(now.insts, before.insts)}${delta(now.memory, before.memory)}${last}${said}`));
  });
  list.querySelector(".scroll").append(chart(f), steps);
  const choose = (i) => {
    state.step = Math.max(0, Math.min(f.steps.length - 1, i));
    steps.querySelectorAll("li").forEach((li) => li.setAttribute("aria-selected", li.dataset.i === String(state.step)));
    steps.querySelector("[aria-selected=true]").scrollIntoView({ block: "nearest" });
    showDifference(detail, f, state.step);
  };
  steps.onclick = (event) => { const li = event.target.closest("[data-i]"); if (li) choose(Number(li.dataset.i)); };
  state.move = (d) => choose(state.step + d);
  choose(state.step ?? 0);
}

// Instructions over the steps.
function chart(f) {
  const width = 380, height = 60, counts = f.steps.map((s) => countsOf(s).insts), most = Math.max(1, ...counts);
  const x = (i) => 10 + (i * (width - 20)) / Math.max(1, counts.length - 1), y = (n) => height - 6 - (n * (height - 22)) / most;
  const line = counts.map((n, i) => `${x(i).toFixed(1)},${y(n).toFixed(1)}`).join(" ");
  return element("div", {}, `<svg width="${width}" height="${height}" role="img" aria-label="Instructions after each pass">
    <text x="10" y="11">instructions: ${counts[0]} to ${counts[counts.length - 1]}, at most ${most}</text>
    <polyline points="${line}" fill="none" stroke="var(--accent)" stroke-width="1.5"/></svg>`);
}

function showDifference(detail, f, index) {
  const step = f.steps[index], before = index ? f.steps[index - 1].lines : [];
  const counters = step.counters.map(([name, n]) => `${escape(name)}: ${n}`).join(", ");
  detail.querySelector("h2").textContent = index ? `${step.pass}, against ${f.steps[index - 1].pass} before it` : `${step.pass}: as the front end made it`;
  detail.querySelector(".remarks").innerHTML =
    step.remarks.map((r) => `<p>${escape(r)}</p>`).join("") + (counters ? `<p class="legend">${counters}</p>` : "") || `<p class="legend">no remarks</p>`;
  const code = detail.querySelector(".code");
  const rows = index ? difference(before.map((l) => l[0]), step.lines.map((l) => l[0])) : step.lines.map((l) => [" ", l[0]]);
  // Long unchanged runs are folded.
  const out = [], context = 3;
  for (let i = 0; i < rows.length;) {
    let j = i;
    while (j < rows.length && rows[j][0] === " ") j++;
    if (index && j - i > 2 * context + 1) {
      const from = i === 0 ? 0 : i + context, to = j === rows.length ? j : j - context;
      rows.slice(i, from).forEach((r) => out.push(rowHtml(r)));
      out.push(`<div class="fold" tabindex="0" data-from="${from}" data-to="${to}">${to - from} lines unchanged</div>`);
      rows.slice(to, j).forEach((r) => out.push(rowHtml(r)));
    } else rows.slice(i, j).forEach((r) => out.push(rowHtml(r)));
    for (; j < rows.length && rows[j][0] !== " "; j++) out.push(rowHtml(rows[j]));
    i = j;
  }
  code.innerHTML = out.join("");
  code.onclick = (event) => {
    const fold = event.target.closest(".fold");
    if (fold) fold.outerHTML = rows.slice(Number(fold.dataset.from), Number(fold.dataset.to)).map(rowHtml).join("");
  };
}

function rowHtml([kind, text]) {
  return `<div class="${kind === "+" ? "add" : kind === "-" ? "del" : ""}">${kind} ${markIr(text)}</div>`;
}

// Myers, "An O(ND) Difference Algorithm and Its Variations", 1986; given up for very different texts.
function difference(a, b) {
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA--; endB--; }
  const x = a.slice(start, endA), y = b.slice(start, endB);
  const head = a.slice(0, start).map((t) => [" ", t]), tail = a.slice(endA).map((t) => [" ", t]);
  const limit = 1500, trail = [];
  let v = new Map([[1, 0]]), found = -1;
  for (let d = 0; d <= Math.min(limit, x.length + y.length); d++) {
    trail.push(new Map(v));
    for (let k = -d; k <= d; k += 2) {
      let i = k === -d || (k !== d && v.get(k - 1) < v.get(k + 1)) ? v.get(k + 1) : v.get(k - 1) + 1;
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i++;
      v.set(k, i);
      if (i >= x.length && i - k >= y.length) { found = d; break; }
    }
    if (found >= 0) break;
  }
  if (found < 0) return [...head, ...x.map((t) => ["-", t]), ...y.map((t) => ["+", t]), ...tail];
  const middle = [];
  let i = x.length, j = y.length;
  for (let d = found; d > 0; d--) {
    const w = trail[d], k = i - j;
    const previous = k === -d || (k !== d && w.get(k - 1) < w.get(k + 1)) ? k + 1 : k - 1;
    const pi = w.get(previous), pj = pi - previous;
    while (i > pi && j > pj) { middle.push([" ", x[--i]]); j--; }
    if (i > pi) middle.push(["-", x[--i]]); else if (j > pj) middle.push(["+", y[--j]]);
  }
  while (i > 0 && j > 0) { middle.push([" ", x[--i]]); j--; }
  return [...head, ...middle.reverse(), ...tail];
}
