//! The passes of each optimisation level, in order: the whole list on one screen.

use target::options::{OptLevel, Options};

use crate::pass::Pass;
use crate::passes::{dce, fold, mem2reg, simplify_cfg, sroa};

/// Every pass, for `--passes=` and the `-f<pass>` flags.
pub const ALL: &[Pass] = &[simplify_cfg::PASS, sroa::PASS, mem2reg::PASS, fold::PASS, dce::PASS];

/// `-O1`: SSA form, folding, clean-up.
const O1: &[Pass] = &[
    simplify_cfg::PASS, // unreachable blocks go first: the passes below insist on it
    sroa::PASS,
    mem2reg::PASS,
    fold::PASS,
    simplify_cfg::PASS,
    dce::PASS,
];

/// The passes that run on a function.
pub fn passes(options: &Options) -> Vec<Pass> {
    if let Some(names) = &options.pass_list {
        return names.iter().filter_map(|name| find(name)).collect();
    }
    let list = match options.level {
        OptLevel::O0 => &[][..],
        OptLevel::O1 | OptLevel::O2 | OptLevel::O3 => O1,
    };
    let disabled = |pass: &Pass| options.passes.iter().rev().find(|p| p.0 == pass.name).is_some_and(|p| !p.1);
    list.iter().filter(|p| !disabled(p)).copied().collect()
}

/// The pass of this name.
pub fn find(name: &str) -> Option<Pass> {
    ALL.iter().copied().find(|p| p.name == name)
}
