//! Rings of modules: files or folders side by side that reach each other by imports.
//!
//! Every file is parsed, and all paths that begin with `crate`, `super` or `self` count: in
//! use-trees (`use crate::{a, b::c}`) and in code. What `#[cfg(test)]` marks does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use super::DIRECTIONS;
use crate::tools::{files_below, root};

/// Folders whose modules may be in a ring, and why.
const ALLOWED: &[(&str, &str)] = &[
    ("frontend/src/parse", "C's grammar is recursive: statements in expressions in types in declarations"),
    ("frontend/src/lower", "the typed tree is recursive as the grammar is"),
    ("frontend/src/tree", "the typed tree is recursive as the grammar is"),
    (
        "frontend/src/sema",
        "types hold constant expressions, which hold types; the rules report to lints, which ask the rules",
    ),
    ("frontend/src/sema/constants", "constant expressions are recursive"),
    ("frontend/src/sema/expressions", "expressions are recursive"),
    ("frontend/src/sema/initializers", "initialisers are recursive"),
    (
        "frontend/src/preprocess",
        "the next token may be a directive's, whose operands are tokens with their macros expanded",
    ),
    ("frontend/src/preprocess/traditional", "macros are expanded while text is scanned, which finds macros"),
    ("backend/src/select", "operands are selected recursively"),
    ("backend/src/regalloc", "a split piece is assigned again"),
    ("middle/src/passes/loop_vectorize", "the inner loop of a nest is planned and emitted as the outer one is"),
];

/// Rings in every folder of every crate.
pub fn check(wrong: &mut Vec<String>) {
    for (name, _) in DIRECTIONS {
        let src = root().join("crates").join(name).join("src");
        let mut edges: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for file in files_below(&src, "rs") {
            let module = module_of(file.strip_prefix(&src).unwrap_or(&file));
            let Ok(parsed) = syn::parse_file(&super::read(&file)) else {
                wrong.push(format!("{}: cannot be parsed", super::relative(&file)));
                continue;
            };
            let mut paths = Paths { module: module.clone(), found: BTreeSet::new() };
            paths.visit_file(&parsed);
            for target in paths.found {
                // Two modules side by side: the first names in which the paths differ.
                let common = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
                if let (Some(from), Some(to)) = (module.get(common), target.get(common)) {
                    let folder = edges.entry(module[..common].to_vec()).or_default();
                    folder.entry(from.clone()).or_default().insert(to.clone());
                }
            }
        }
        for (folder, imports) in edges {
            let place = [&[format!("{name}/src")][..], &folder].concat().join("/");
            if ALLOWED.iter().any(|(allowed, _)| *allowed == place) {
                continue;
            }
            if let Some(ring) = find_ring(&imports) {
                wrong.push(format!("crates/{place}: modules import each other in a ring: {}", ring.join(" -> ")));
            }
        }
    }
}

/// The path of a file's module inside its crate.
fn module_of(file: &Path) -> Vec<String> {
    let names = file.with_extension("");
    let mut names: Vec<String> = names.iter().map(|n| n.to_string_lossy().into_owned()).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// Paths of a file that begin in its crate, in full.
struct Paths {
    module: Vec<String>,
    found: BTreeSet<Vec<String>>,
}

impl Paths {
    fn add(&mut self, names: &[String]) {
        let Some((first, mut rest)) = names.split_first() else { return };
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len().saturating_sub(1)].to_vec(),
            _ => return,
        };
        while let Some(("super", after)) = rest.split_first().map(|(name, after)| (name.as_str(), after)) {
            base.pop();
            rest = after;
        }
        base.extend_from_slice(rest);
        self.found.insert(base);
    }

    fn add_tree(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(before, &path.tree);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(before, tree)),
            UseTree::Name(name) => self.add(&[&before[..], &[name.ident.to_string()]].concat()),
            UseTree::Rename(name) => self.add(&[&before[..], &[name.ident.to_string()]].concat()),
            UseTree::Glob(_) => self.add(before),
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_cfg_test =
        |a: &Attribute| a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|i| i == "test");
    attributes.iter().any(is_cfg_test)
}

impl<'a> Visit<'a> for Paths {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Mod(inner) if is_test(&inner.attrs) => {}
            Item::Mod(inner) => {
                self.module.push(inner.ident.to_string());
                visit::visit_item(self, item);
                self.module.pop();
            }
            Item::Use(declaration) => self.add_tree(&mut Vec::new(), &declaration.tree),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.add(&names);
        }
        visit::visit_path(self, path);
    }
}

fn find_ring(imports: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    // Remove modules that import nothing left, again and again: what stays lies on rings or leads
    // to them.
    let mut left: BTreeMap<String, BTreeSet<String>> = imports.clone();
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        for (own, set) in &mut left {
            set.retain(|m| names.contains(m) && m != own);
        }
        let before = left.len();
        left.retain(|_, set| !set.is_empty());
        if left.len() == before {
            break;
        }
    }
    let mut current = left.keys().next()?.clone();
    let mut path = vec![current.clone()];
    loop {
        current = left[&current].iter().next()?.clone();
        if let Some(start) = path.iter().position(|m| *m == current) {
            path.push(current);
            return Some(path.split_off(start));
        }
        path.push(current.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_supers_are_seen() {
        let file = "use crate::{a, b::{c, d}};\nuse super::e as f;\nfn g() { super::super::h::i() }\n\
                    #[cfg(test)]\nmod tests { use crate::z; }\n";
        let mut paths = Paths { module: vec!["x".into(), "y".into()], found: BTreeSet::new() };
        paths.visit_file(&syn::parse_file(file).expect("parses"));
        let found: Vec<String> = paths.found.iter().map(|p| p.join("::")).collect();
        assert_eq!(found, ["a", "b::c", "b::d", "h::i", "x::e"]);
    }
}
