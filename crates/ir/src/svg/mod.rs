//! Functions as SVG: control-flow graphs with their instructions, and dominator trees, laid out
//! here ([`layout`]), so that nothing else is needed to look at them.
//!
//! Loop headers have a double border. Edges: green where the condition holds, red where it does
//! not, blue and dashed back to a loop's header.

mod layout;

use std::fmt::Write as _;

use crate::analysis::{Cfg, DominatorTree, LoopTree};
use crate::dot::{block_texts, shortened};
use crate::{Block, Function, Module, Opcode};
use layout::{Graph, Layout};

const FONT_SIZE: f32 = 11.0;
/// Width of a character and height of a line in the font.
const CHARACTER: f32 = 6.65;
const LINE: f32 = 13.5;
/// Around a block's text, and around the drawing.
const PADDING: f32 = 6.0;
const MARGIN: f32 = 24.0;
/// Characters of a line; longer ones are cut.
const MAX_COLUMNS: usize = 64;

const STYLE: &str = "\
<style>text{font-family:monospace;font-size:11px;white-space:pre}.n{font-weight:bold}.f{font-size:16px;font-weight:bold}\
rect{fill:#fcfcf8;stroke:#333}.h{fill:none}path{fill:none;stroke:#444;stroke-width:1.2}\
.t{stroke:#1a7f37}.e{stroke:#c4312b}.b{stroke:#2457c5;stroke-dasharray:5 3}</style>
<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<polygon points=\"0,0.5 8,4 0,7.5\" fill=\"#333\"/></marker></defs>
";

/// One function's graph with what is written in it.
struct Picture {
    title: String,
    /// Lines of each node, and whether it heads a loop.
    nodes: Vec<(Vec<String>, bool)>,
    /// From, to, class for the style, label.
    edges: Vec<(usize, usize, &'static str, &'static str)>,
}

/// The control-flow graph of every function.
pub fn control_flow(module: &Module) -> String {
    draw(module, |func, texts, cfg, dominators| {
        let loops = LoopTree::compute(func, cfg, dominators);
        let nodes = texts.iter().map(|(block, lines)| {
            let heads_loop = loops.innermost(*block).is_some_and(|l| loops.header(l) == *block);
            (shortened(lines), heads_loop)
        });
        (nodes.collect(), cfg_edges(func, cfg))
    })
}

/// The dominator tree of every function.
pub fn dominators(module: &Module) -> String {
    draw(module, |_, texts, cfg, dominators| {
        let nodes = texts.iter().map(|(_, lines)| (lines[..1].to_vec(), false)).collect();
        let edges = cfg.reverse_postorder().filter_map(|block| {
            let above = dominators.idom(block)?;
            Some((number(cfg, above), number(cfg, block), "", ""))
        });
        (nodes, edges.collect())
    })
}

type Nodes = Vec<(Vec<String>, bool)>;
type Edges = Vec<(usize, usize, &'static str, &'static str)>;

/// Draws all functions, one below the other. `picture` gets blocks with their texts in reverse
/// postorder and gives nodes in that order.
fn draw(
    module: &Module,
    picture: impl Fn(&Function, &[(Block, Vec<String>)], &Cfg, &DominatorTree) -> (Nodes, Edges),
) -> String {
    let (mut body, mut width, mut height) = (String::new(), 0f32, MARGIN);
    for func in module.functions.values().filter(|f| f.blocks().next().is_some()) {
        let cfg = Cfg::compute(func);
        let tree = DominatorTree::compute(func, &cfg);
        let mut texts = block_texts(module, func);
        texts.retain(|t| cfg.is_reachable(t.0));
        texts.sort_by_key(|t| cfg.rpo_number(t.0));
        let (nodes, edges) = picture(func, &texts, &cfg, &tree);
        let picture = Picture { title: module.symbols[func.symbol].name.to_string(), nodes, edges };
        let size = write_picture(&mut body, &picture, height);
        width = width.max(size.0);
        height += size.1 + MARGIN;
    }
    let (width, height) = (width + 2.0 * MARGIN, height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         {STYLE}<rect x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" style=\"fill:white;stroke:none\"/>\n{body}</svg>\n"
    )
}

fn cfg_edges(func: &Function, cfg: &Cfg) -> Edges {
    let mut edges = Vec::new();
    for block in cfg.reverse_postorder() {
        let from = number(cfg, block);
        let data = func.insts[func.terminator(block)];
        for &succ in cfg.succs(block) {
            let to = number(cfg, succ);
            let label = match data.opcode {
                Opcode::CondBr if data.b == data.c => "",
                Opcode::CondBr if Block::from_u32(data.b) == succ => "T",
                Opcode::CondBr => "F",
                _ => "",
            };
            let class = match label {
                _ if to <= from => "b",
                "T" => "t",
                "F" => "e",
                _ => "",
            };
            edges.push((from, to, class, label));
        }
    }
    edges
}

/// The place of a block in drawing order.
fn number(cfg: &Cfg, block: Block) -> usize {
    cfg.rpo_number(block).map_or(0, |n| n as usize)
}

/// Width and height.
fn node_size(lines: &[String]) -> (f32, f32) {
    let columns = lines.iter().map(|l| l.chars().count().min(MAX_COLUMNS)).max().unwrap_or(0);
    (columns as f32 * CHARACTER + 2.0 * PADDING, lines.len() as f32 * LINE + 2.0 * PADDING)
}

/// Appends one function's drawing, its top at `top`; its width and height.
fn write_picture(out: &mut String, picture: &Picture, top: f32) -> (f32, f32) {
    let sizes: Vec<(f32, f32)> = picture.nodes.iter().map(|n| node_size(&n.0)).collect();
    let graph = Graph { sizes, edges: picture.edges.iter().map(|e| (e.0, e.1)).collect() };
    let Layout { nodes, edges, size } = layout::layout(&graph);
    let _ = writeln!(out, "<g transform=\"translate({MARGIN:.0},{top:.0})\">");
    let _ = writeln!(out, "<text class=\"f\" x=\"0\" y=\"16\">{}</text>", escape(&picture.title));
    for (&(.., class, label), points) in picture.edges.iter().zip(&edges) {
        write_edge(out, class, label, points);
    }
    for ((lines, heads_loop), (&(x, y), &(width, height))) in picture.nodes.iter().zip(nodes.iter().zip(&graph.sizes)) {
        let _ = writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
        if *heads_loop {
            let (x, y, width, height) = (x - 3.0, y - 3.0, width + 6.0, height + 6.0);
            let _ = writeln!(
                out,
                "<rect class=\"h\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            );
        }
        for (number, line) in lines.iter().enumerate() {
            let at = y + PADDING + FONT_SIZE + number as f32 * LINE - 1.0;
            let class = if number == 0 { " class=\"n\"" } else { "" };
            let _ = writeln!(out, "<text{class} x=\"{:.1}\" y=\"{at:.1}\">{}</text>", x + PADDING, escape(&cut(line)));
        }
    }
    out.push_str("</g>\n");
    (size.0.max(picture.title.len() as f32 * 10.0), size.1)
}

/// A curve through the points: vertical at each, straight through layers.
fn write_edge(out: &mut String, class: &str, label: &str, points: &[(f32, f32)]) {
    let (Some(&first), back) = (points.first(), class == "b") else { return };
    let _ = write!(out, "<path class=\"{class}\" marker-end=\"url(#a)\" d=\"M{:.1} {:.1}", first.0, first.1);
    for (number, pair) in points.windows(2).enumerate() {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        // Between the two points of a bend the line is straight; a back edge turns around at its
        // ends.
        if number % 2 == 1 {
            let _ = write!(out, " L{x1:.1} {y1:.1}");
        } else if back && (number == 0 || number + 2 == points.len()) {
            const TURN: f32 = 26.0;
            let (a, b) = if number == 0 {
                (y0.max(y1) + TURN, y0.max(y1) + TURN)
            } else {
                (y0.min(y1) - TURN, y0.min(y1) - TURN)
            };
            let _ = write!(out, " C{x0:.1} {a:.1} {x1:.1} {b:.1} {x1:.1} {y1:.1}");
        } else {
            let middle = (y0 + y1) / 2.0;
            let _ = write!(out, " C{x0:.1} {middle:.1} {x1:.1} {middle:.1} {x1:.1} {y1:.1}");
        }
    }
    out.push_str("\"/>\n");
    if !label.is_empty() {
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>", first.0 + 3.0, first.1 + FONT_SIZE);
    }
}

fn cut(line: &str) -> String {
    if line.chars().count() <= MAX_COLUMNS {
        return line.to_string();
    }
    line.chars().take(MAX_COLUMNS - 1).chain(std::iter::once('…')).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
