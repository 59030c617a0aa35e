//! Cutting a program down to what still shows a finding. Only cuts are tried that leave a program
//! without undefined behaviour ([`crate::tree::Sort`]); what no longer compiles is no cut.

use crate::tree::{Node, Part, Sort};
use crate::types::Int;

/// The smallest program found for which `shows` holds; it holds for `program`.
///
/// # Errors
/// Those of `shows`.
pub fn reduce(program: Node, mut shows: impl FnMut(&Node) -> Result<bool, String>) -> Result<Node, String> {
    let mut best = program;
    loop {
        let before = best.to_string().len();
        cut_runs(&mut best, &mut shows)?;
        let mut index = 0;
        while index < best.size() {
            if !try_cuts(&mut best, index, &mut shows)? {
                index += 1;
            }
        }
        if best.to_string().len() == before {
            return Ok(best);
        }
    }
}

/// Takes out runs of statements, half of a list first.
fn cut_runs(best: &mut Node, shows: &mut impl FnMut(&Node) -> Result<bool, String>) -> Result<(), String> {
    let mut index = 0;
    while index < best.size() {
        let length = best.at(index).map_or(0, |node| node.parts.len());
        let mut run = length / 2;
        while run >= 2 {
            let mut start = 0;
            while start < length {
                let mut candidate = best.clone();
                let node = candidate.at(index).expect("the tree has this node");
                let mut cut = 0;
                for part in node.parts.iter_mut().skip(start).take(run) {
                    if let Part::Node(child) = part
                        && child.sort == Sort::Removable
                        && !child.parts.is_empty()
                    {
                        child.parts.clear();
                        cut += 1;
                    }
                }
                if cut > 0 && shows(&candidate)? {
                    *best = candidate;
                }
                start += run;
            }
            run /= 2;
        }
        index += 1;
    }
    Ok(())
}

/// Tries all that may stand in the place of one node; whether something did.
fn try_cuts(
    best: &mut Node,
    index: usize,
    shows: &mut impl FnMut(&Node) -> Result<bool, String>,
) -> Result<bool, String> {
    let Some(node) = best.at(index) else { return Ok(false) };
    let old = node.to_string().len();
    for replacement in replacements(node) {
        if replacement.to_string().len() >= old {
            continue;
        }
        let mut candidate = best.clone();
        *candidate.at(index).expect("the tree has this node") = replacement;
        if shows(&candidate)? {
            *best = candidate;
            return Ok(true);
        }
    }
    Ok(false)
}

/// What may take a node's place, the smallest first.
fn replacements(node: &Node) -> Vec<Node> {
    match &node.sort {
        Sort::Fixed => Vec::new(),
        Sort::Removable if node.parts.is_empty() => Vec::new(),
        Sort::Removable => {
            let mut list = vec![Node { sort: Sort::Removable, parts: Vec::new() }];
            // The blocks inside it, all or one: an `if` gives way to what it guards.
            let blocks: Vec<&Node> = node.children().filter(|child| child.sort == Sort::Fixed).collect();
            let block = |inner: &Node| {
                let braced = Node::fixed("{\n@}\n", vec![inner.clone()]);
                Node { sort: Sort::Removable, parts: vec![Part::Node(braced)] }
            };
            list.extend(blocks.iter().filter(|b| is_block(b)).map(|b| block(b)));
            list.extend(node.children().filter(|child| child.sort == Sort::Removable).cloned());
            list
        }
        Sort::Integer(ty, range) => {
            let mut list: Vec<Node> = [0, 1, range.low, range.high]
                .into_iter()
                .filter(|&value| range.has(value))
                .map(|value| Node::text(node.sort.clone(), ty.literal(value)))
                .collect();
            list.dedup_by_key(|constant| constant.to_string());
            let mut inside = Vec::new();
            collect(node, &mut inside, &|other| match &other.sort {
                Sort::Integer(t, r) => same_type(*t, *ty) && r.within(*range),
                _ => false,
            });
            list.extend(inside);
            list
        }
        Sort::Value(name) => {
            let mut list = Vec::new();
            if matches!(*name, "float" | "double" | "long double") {
                list.push(Node::text(node.sort.clone(), "1.0"));
            }
            let mut inside = Vec::new();
            collect(node, &mut inside, &|other| other.sort == node.sort);
            list.extend(inside);
            list
        }
    }
}

fn same_type(a: Int, b: Int) -> bool {
    a == b
}

/// A list of statements: each of its parts is one.
fn is_block(node: &Node) -> bool {
    node.parts
        .iter()
        .all(|part| matches!(part, Part::Node(child) if matches!(child.sort, Sort::Removable | Sort::Fixed)))
        && !node.parts.is_empty()
}

/// Nodes inside another that something holds for, the outermost last.
fn collect(node: &Node, into: &mut Vec<Node>, holds: &dyn Fn(&Node) -> bool) {
    for child in node.children() {
        collect(child, into, holds);
        if holds(child) {
            into.push(child.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{INT, Range};

    #[test]
    fn what_a_finding_needs_is_left() {
        let one = || Node::text(Sort::Integer(INT, Range::new(1, 1)), "1");
        let sum = Node::integer(INT, Range::new(0, 9), "(@ + f(@))", vec![one(), one()]);
        let statement = |name: &str| Node::statement(&format!("{name} = @;\n"), vec![sum.clone()]);
        let block = Node::sequence(vec![statement("a"), statement("b"), statement("c")]);
        let guarded = Node::statement("if (@) {\n@}\n", vec![sum.clone(), block]);
        let program = Node::sequence(vec![statement("x"), guarded, statement("y")]);
        let least = reduce(program, |p| Ok(p.to_string().contains("b ="))).unwrap();
        assert_eq!(least.to_string().replace(['{', '}', '\n'], ""), "b = 0;");
    }
}
