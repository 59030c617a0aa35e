//! Rewrite rules as data: `crates/middle/rules/*.rules` is read here, compiled to Rust when the
//! middle end is built, and turned into SMT-LIB by `cargo xtask prove`.
//!
//! ```text
//! ; Two constants are added up.
//! rule add_constants
//!   add(x@add(y, C), D)
//!   where one_use(x)
//!   => add(y, C + D)
//! ```
//!
//! The pattern is what stands in the function: lower-case names are values (the same name twice is
//! the same value), upper-case names constant bits, numbers themselves, `name@` gives an inner
//! operation a name, `op~(...)` takes its operands in either order, `.nsw` asks for a flag,
//! `icmp[cc]` binds or asks for a condition, `x: iN` names or asks for a type. Rules are tried in
//! the order of the files.
//!
//! The notation is close to that of Alive (Lopes, Menendez, Nagarakatte, Regehr, "Provably Correct
//! Peephole Optimizations with Alive", 2015); that decisions of many rules are made together is
//! from Cranelift's ISLE.

pub mod check;
pub mod markdown;
pub mod parse;
pub mod proofs;
pub mod rust;
pub mod smt;
pub mod syntax;
pub mod tir;
pub mod tree;
pub mod typed;

use std::path::Path;

/// The rules of a folder's `*.rules` files: by name of the file, then in the order written.
pub fn load(folder: &Path) -> Result<Vec<typed::Rule>, String> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "rules"))
        .collect();
    files.sort();
    let mut rules = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let place = |error: String| format!("{}:{error}", file.display());
        for entry in parse::parse(&text).map_err(place)? {
            let mut more = check::rules(&entry).map_err(place)?;
            let stem = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            more.iter_mut().for_each(|rule| rule.file.clone_from(&stem));
            if let Some(twice) = more.iter().find(|new| rules.iter().any(|old: &typed::Rule| old.name == new.name)) {
                return Err(format!("{}:{}: there are two rules {}", file.display(), entry.line, twice.name));
            }
            rules.extend(more);
        }
    }
    Ok(rules)
}
