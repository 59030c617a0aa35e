//! Functions as Graphviz text: control-flow graphs with their instructions, and dominator trees.
//!
//! Blocks are boxes with left-aligned lines, loop headers are drawn double, back edges dashed,
//! edges of conditional branches say T and F. A block of more than [`MAX_LINES`] instructions shows
//! its first and last ones, so that a drawing of 60 blocks stays legible.

use std::fmt::Write as _;

use crate::analysis::{Cfg, DominatorTree, LoopTree};
use crate::text::{Names, print_function};
use crate::{Block, Function, Module, Opcode};

/// Lines of one box.
const MAX_LINES: usize = 14;

/// The control-flow graph of every function.
pub fn control_flow(module: &Module) -> String {
    every_function(module, |out, func, texts| {
        let cfg = Cfg::compute(func);
        let dominators = DominatorTree::compute(func, &cfg);
        let loops = LoopTree::compute(func, &cfg, &dominators);
        for (block, text) in texts {
            let is_header = loops.innermost(*block).is_some_and(|l| loops.header(l) == *block);
            let peripheries = if is_header { ", peripheries=2" } else { "" };
            let _ = writeln!(out, "  {block} [label=\"{}\"{peripheries}];", label(text));
        }
        for block in func.blocks() {
            write_edges(out, func, &cfg, &dominators, block);
        }
    })
}

/// The dominator tree of every function.
pub fn dominators(module: &Module) -> String {
    every_function(module, |out, func, texts| {
        let cfg = Cfg::compute(func);
        let tree = DominatorTree::compute(func, &cfg);
        for (block, text) in texts {
            let _ = writeln!(out, "  {block} [label=\"{}\"];", escape(text.first().map_or("", String::as_str)));
        }
        for block in func.blocks() {
            for child in tree.children(block) {
                let _ = writeln!(out, "  {block} -> {child};");
            }
        }
    })
}

/// A block with its lines in the textual form, its name first.
pub(crate) type BlockText = (Block, Vec<String>);

fn every_function(module: &Module, draw: impl Fn(&mut String, &Function, &[BlockText])) -> String {
    let mut out = String::new();
    for func in module.functions.values().filter(|f| f.blocks().next().is_some()) {
        let name = escape(&module.symbols[func.symbol].name);
        let _ = writeln!(out, "digraph \"{name}\" {{");
        let _ = writeln!(out, "  label=\"{name}\"; labelloc=t; node [shape=box, fontname=monospace, fontsize=9];");
        draw(&mut out, func, &block_texts(module, func));
        out.push_str("}\n");
    }
    out
}

/// The function's text, cut at its blocks: they are printed in layout order, names at the start of
/// a line.
pub(crate) fn block_texts(module: &Module, func: &Function) -> Vec<BlockText> {
    let mut text = String::new();
    print_function(&mut text, module, func, Names::Canonical);
    let mut out: Vec<BlockText> = Vec::new();
    let mut blocks = func.blocks();
    for line in text.lines().skip(1) {
        match line.strip_prefix("  ") {
            Some(inst) => {
                if let Some(last) = out.last_mut() {
                    last.1.push(inst.to_string());
                }
            }
            None => {
                if let Some(block) = blocks.next() {
                    out.push((block, vec![line.to_string()]));
                }
            }
        }
    }
    out
}

fn label(lines: &[String]) -> String {
    shortened(lines).iter().map(|line| escape(line) + "\\l").collect()
}

/// At most [`MAX_LINES`] lines of a block, the first and the last ones.
pub(crate) fn shortened(lines: &[String]) -> Vec<String> {
    if lines.len() <= MAX_LINES {
        return lines.to_vec();
    }
    let half = MAX_LINES / 2;
    let mut out = lines[..half].to_vec();
    out.push(format!("... {} more", lines.len() - 2 * half));
    out.extend_from_slice(&lines[lines.len() - half..]);
    out
}

fn write_edges(out: &mut String, func: &Function, cfg: &Cfg, dominators: &DominatorTree, block: Block) {
    let data = func.insts[func.terminator(block)];
    for &succ in cfg.succs(block) {
        let mut attributes: Vec<&str> = Vec::new();
        if data.opcode == Opcode::CondBr && data.b != data.c {
            attributes.push(if Block::from_u32(data.b) == succ { "label=T" } else { "label=F" });
        }
        if dominators.dominates(succ, block) {
            attributes.push("style=dashed");
        }
        let list = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        let _ = writeln!(out, "  {block} -> {succ}{list};");
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
