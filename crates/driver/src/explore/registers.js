// Which registers hold a value at each instruction: backward liveness over the machine code as it
// is printed. Calls read argument registers that were written before them and write what the
// calling convention lets them.
const FAMILY = new Map();
for (const [full, ...names] of [["rax", "eax", "ax", "al", "ah"], ["rbx", "ebx", "bx", "bl", "bh"], ["rcx", "ecx", "cx", "cl", "ch"], ["rdx", "edx", "dx", "dl", "dh"],
  ["rsi", "esi", "si", "sil"], ["rdi", "edi", "di", "dil"], ["rbp", "ebp", "bp", "bpl"], ["rsp", "esp", "sp", "spl"]])
  [full, ...names].forEach((n) => FAMILY.set(n, full));
for (let i = 8; i < 16; i++) ["", "d", "w", "b"].forEach((s) => FAMILY.set(`r${i}${s}`, `r${i}`));
for (let i = 0; i < 32; i++) ["xmm", "ymm", "zmm"].forEach((s) => FAMILY.set(s + i, `xmm${i}`));
const CLOBBERED = ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", ...Array.from({ length: 16 }, (_, i) => `xmm${i}`)];
const ARGUMENTS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"];
const SAVED = ["rbx", "rbp", "r12", "r13", "r14", "r15", "rsp"];

// Reads and writes of one instruction in AT&T syntax: the last operand is the destination.
function effectsOf(text) {
  const m = /^\t(\S+)\s*(.*)$/.exec(text);
  const out = { uses: new Set(), defs: new Set(), name: m ? m[1] : "", target: null };
  if (!m || m[1].startsWith(".")) return out;
  const name = m[1].replace(/^(rep|repz|repnz|lock|notrack)$/, ""), operands = splitOperands(m[2]);
  const registers = (s) => [...s.matchAll(/%([a-z0-9]+)/g)].map((r) => FAMILY.get(r[1])).filter(Boolean);
  operands.forEach((o, i) => {
    const last = i === operands.length - 1, plain = /^%[a-z0-9]+$/.test(o);
    if (!last || !plain) return registers(o).forEach((r) => out.uses.add(r));
    const [r] = registers(o);
    if (!r) return;
    const reads = /^(cmp|test|ucomis|comis|push|call|jmp|bt[lqw]?$|ptest|mul[bwlq]?$|div|idiv)/.test(name) || (operands.length === 1 && !/^(pop|set)/.test(name));
    const writesOnly = /^(mov|lea|set|pop|cvt|sqrt|bsf|bsr|lzcnt|tzcnt|popcnt|pshuf|v[a-z]|movz|movs|pextr|pmov)/.test(name) && !/^(movs[sd]$|movhlps|movlhps|vfm|vfn)/.test(name);
    if (!/^(cmp|test|ucomis|comis|push|call|jmp|ptest)/.test(name) && !(operands.length === 1 && /^(mul|div|idiv|imul)/.test(name))) out.defs.add(r);
    const zeroing = /^(xor|pxor|xorps|sub)/.test(name) && operands.length === 2 && operands[0] === o;
    if (zeroing) out.uses.delete(r);
    else if (reads || !writesOnly) out.uses.add(r);
  });
  if (/^(mul|div|idiv|imul)/.test(name) && operands.length === 1) { ["rax", "rdx"].forEach((r) => out.defs.add(r)); out.uses.add("rax"); if (name.includes("div")) out.uses.add("rdx"); }
  if (/^(cltd|cqto|cdq|cqo)/.test(name)) { out.uses.add("rax"); out.defs.add("rdx"); }
  if (/^(cltq|cwtl)/.test(name)) { out.uses.add("rax"); out.defs.add("rax"); }
  if (/^call/.test(name)) { out.call = true; CLOBBERED.forEach((r) => out.defs.add(r)); }
  if (/^ret/.test(name)) { out.uses.add("rax"); SAVED.forEach((r) => out.uses.add(r)); out.ends = true; }
  if (/^j/.test(name)) { out.target = operands[0]; out.ends = name === "jmp"; }
  return out;
}

function splitOperands(text) {
  const out = [];
  let depth = 0, from = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === "(") depth++;
    else if (c === ")") depth--;
    else if ((c === "," && depth === 0) || c === undefined) { if (text.slice(from, i).trim()) out.push(text.slice(from, i).trim()); from = i + 1; }
  }
  return out;
}

function livenessOf(rows) {
  const effects = rows.map(([t]) => effectsOf(t));
  const labels = new Map();
  rows.forEach(([t], i) => { const m = /^(\S+):$/.exec(t); if (m) labels.set(m[1], i); });
  // A call reads the argument registers up to the last one that was written since the last call or
  // label.
  let passed = 0;
  effects.forEach((e, i) => {
    if (e.call) { ARGUMENTS.slice(0, passed).forEach((r) => e.uses.add(r)); passed = 0; }
    else if (/^\S+:$/.test(rows[i][0])) passed = 0;
    else e.defs.forEach((r) => { passed = Math.max(passed, ARGUMENTS.indexOf(r) + 1); });
  });
  const live = rows.map(() => new Set());
  // A jump through a register goes to any label that is the target of no other, and to where code
  // begins that nothing else reaches: labels that only tables name are not printed.
  const targets = new Set(effects.map((e) => e.target));
  const isTarget = ([text], i) => (/^\S+:$/.test(text) ? !targets.has(text.slice(0, -1)) : effects[i - 1]?.ends);
  const indirect = rows.map((row, i) => (i > 0 && isTarget(row, i) ? i : 0)).filter((i) => i);
  for (let changed = true; changed;) {
    changed = false;
    for (let i = rows.length - 1; i >= 0; i--) {
      const e = effects[i], now = new Set(e.ends || i + 1 >= rows.length ? [] : live[i + 1]);
      if (e.target?.startsWith("*") && e.ends) indirect.forEach((at) => live[at].forEach((r) => now.add(r)));
      else if (e.target && labels.has(e.target)) live[labels.get(e.target)].forEach((r) => now.add(r));
      e.defs.forEach((r) => now.delete(r));
      e.uses.forEach((r) => now.add(r));
      if (now.size !== live[i].size) { live[i] = now; changed = true; }
    }
  }
  return { effects, live };
}

function showRegisters(view, f) {
  const pane = element("section", { class: "pane" }, `<h2><span>Registers by instruction</span><span class="legend">
    <span><i style="background:var(--define)"></i>written</span><span><i style="background:var(--use)"></i>read</span><span><i style="background:var(--live)"></i>holds a value that is read later</span></span></h2><div class="scroll"></div>`);
  view.append(pane);
  const rows = f.assembly.filter(([t]) => /^\t[^.]/.test(t) || /^\S+:$/.test(t));
  if (!rows.length) return pane.querySelector(".scroll").append(element("p", { class: "note" }, "No code was generated for this function: it was inlined everywhere, or nothing uses it."));
  const { effects, live } = livenessOf(rows);
  const used = [...new Set(FAMILY.values())].filter((r) => r !== "rsp" && effects.some((e) => !e.call && (e.uses.has(r) || e.defs.has(r)) && e.name !== "ret"));
  const slots = rows.filter(([t]) => /\(%rsp|%rsp\)|-?\d+\(%rbp\)/.test(t)).length;
  const table = element("table", { class: "regs" }, `<thead><tr><th style="text-align:left">${rows.length} lines, ${slots} touch the stack frame</th>${used.map((r) => `<th>${r}</th>`).join("")}</tr></thead>`);
  const body = element("tbody", {}, rows.map(([text, line], i) => {
    const e = effects[i], next = live[i + 1] ?? new Set();
    const cells = used.map((r) => {
      const def = e.defs.has(r) && !e.call, use = e.uses.has(r);
      const kind = def ? "def" : use ? "use" : live[i].has(r) ? "live" : "";
      return `<td class="r ${kind}">${def ? (use ? "↕" : "↓") : use ? "↑" : e.call && live[i].has(r) && !next.has(r) ? "×" : ""}</td>`;
    });
    return `<tr data-l="${line}"><td>${escape(text.replace(/^\t/, "    ").replace(/\t/g, " "))}</td>${cells.join("")}</tr>`;
  }).join(""));
  table.append(body);
  pane.querySelector(".scroll").append(table);
}
