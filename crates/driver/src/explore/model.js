// The trace as objects; what can be computed from the text of the IR: blocks, edges, dominators,
// loops. The format of the trace is described in docs/explore.md.
const trace = JSON.parse(document.getElementById("trace").textContent);

// Each step's lines, as [text, source line] pairs; a step holds only what differs from the one before.
for (const f of trace.functions) {
  let rows = [];
  for (const step of f.steps) {
    rows = rows.slice(0, step.keep).concat(step.rows, rows.slice(step.keep + step.drop));
    step.lines = rows.map((r) => trace.rows[r]);
  }
}

// What is said of a function besides its code.
const ASIDE = /^  (variable|described|arrives|inlined) /;

// "1 block", "2 blocks".
const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// The blocks of a function's text: name, lines, successors.
function blocksOf(lines) {
  const blocks = [];
  let current = null;
  lines.forEach(([text, line], index) => {
    const start = /^(b\d+)\b.*:$/.exec(text);
    if (start) {
      current = { name: start[1], lines: [], succs: [], preds: [], at: index };
      blocks.push(current);
    } else if (current && text.startsWith("  ") && !ASIDE.test(text)) {
      current.lines.push([text, line, index]);
    }
  });
  const byName = new Map(blocks.map((b) => [b.name, b]));
  for (const b of blocks) {
    const last = b.lines[b.lines.length - 1];
    const names = last && !/ = phi /.test(last[0]) ? last[0].match(/\bb\d+\b/g) || [] : [];
    b.succs = [...new Set(names)].map((n) => byName.get(n)).filter(Boolean);
    b.succs.forEach((s) => s.preds.push(b));
  }
  return blocks;
}

function reversePostorder(entry) {
  const seen = new Set([entry]), out = [], stack = [[entry, 0]];
  while (stack.length) {
    const top = stack[stack.length - 1];
    if (top[1] < top[0].succs.length) {
      const next = top[0].succs[top[1]++];
      if (!seen.has(next)) { seen.add(next); stack.push([next, 0]); }
    } else { out.push(top[0]); stack.pop(); }
  }
  return out.reverse();
}

// Immediate dominators, frontiers and loop depths, as properties of the blocks. Cooper, Harvey,
// Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
function analyse(blocks) {
  if (!blocks.length) return [];
  const order = reversePostorder(blocks[0]);
  order.forEach((b, i) => { b.order = i; b.idom = null; b.frontier = new Set(); b.depth = 0; b.children = []; });
  order[0].idom = order[0];
  const meet = (a, b) => {
    while (a !== b) {
      while (a.order > b.order) a = a.idom;
      while (b.order > a.order) b = b.idom;
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const b of order.slice(1)) {
      const idom = b.preds.filter((p) => p.idom).reduce((a, p) => (a ? meet(a, p) : p), null);
      if (idom !== b.idom) { b.idom = idom; changed = true; }
    }
  }
  order.slice(1).forEach((b) => b.idom.children.push(b));
  for (const b of order) {
    if (b.preds.length < 2) continue;
    for (let p of b.preds.filter((p) => p.idom)) {
      for (; p !== b.idom; p = p.idom) { p.frontier.add(b); if (p === p.idom) break; }
    }
  }
  const dominates = (a, b) => { for (; ; b = b.idom) { if (a === b) return true; if (b === b.idom) return false; } };
  for (const header of order) {
    const latches = header.preds.filter((p) => p.idom && dominates(header, p));
    if (!latches.length) continue;
    const body = new Set([header]), work = [...latches];
    while (work.length) {
      const b = work.pop();
      if (!body.has(b)) { body.add(b); work.push(...b.preds.filter((p) => p.idom)); }
    }
    header.isHeader = true;
    body.forEach((b) => b.depth++);
  }
  return order;
}

// Instructions, loads and stores, phis and blocks of a step.
function countsOf(step) {
  if (!step.counts) {
    const c = { insts: 0, memory: 0, phis: 0, blocks: 0 };
    for (const [text] of step.lines) {
      if (/^b\d+\b.*:$/.test(text)) c.blocks++;
      else if (text.startsWith("  ") && !text.startsWith("  debug ") && !ASIDE.test(text)) {
        c.insts++;
        if (/(= load |^  store )/.test(text)) c.memory++;
        if (/ = phi /.test(text)) c.phis++;
      }
    }
    step.counts = c;
  }
  return step.counts;
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// A line of IR with its values and blocks as elements that can be pointed at.
function markIr(text) {
  const quiet = text.startsWith("  debug ") || ASIDE.test(text);
  const body = escape(text).replace(/\b([vb]\d+)\b/g, '<span class="v" data-v="$1">$1</span>');
  return quiet ? `<span class="quiet">${body}</span>` : /^b\d+\b.*:$/.test(text) ? `<span class="label">${body}</span>` : body;
}

function element(tag, attributes = {}, html = "") {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.innerHTML = html;
  return e;
}
