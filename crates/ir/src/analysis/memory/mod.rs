//! What is in memory at an address, and what may change or ask for it: the located accesses, known
//! contents, states and sets of writes that `gvn`, `load_pre`, `dse`, `predictive_commoning` and
//! `licm` share, with the limits on all of them.

mod calls;
mod contents;
mod states;
mod writes;

use crate::analysis::alias::{Located, locate};
use crate::effects::{Touched, read, written};
use crate::memory_effects::effects_of_call;
use crate::{Function, Inst, Module};

pub use calls::at_call;
pub use contents::{Content, Contents, key_of};
pub use states::MemoryStates;
pub use writes::{Writes, loop_writes};

/// How much is kept at a time: each bounds the cost of one more access.
pub mod limits {
    /// Known contents in `gvn`, which walks dominators: one list per level of the tree.
    pub const CONTENTS: usize = 48;
    /// Known contents in `load_pre`, which keeps and compares a list per block.
    pub const CONTENTS_PER_BLOCK: usize = 24;
    /// Writes of a loop that are told apart; one with more writes anything.
    pub const WRITES: usize = 64;
    /// Ranges that are certainly overwritten, in `dse`.
    pub const OVERWRITTEN: usize = 32;
    /// Locals that are read before the function returns, in `dse`.
    pub const READ_LOCALS: usize = 8;
    /// Blocks between a block and its dominator that `gvn` looks through for writes.
    pub const BLOCKS_BETWEEN: usize = 16;
    /// Writes in these blocks.
    pub const WRITES_BETWEEN: usize = 24;
    /// Accesses of a loop that `predictive_commoning` compares in pairs.
    pub const COMPARED: usize = 64;
}

/// What an instruction may write, as one place.
pub fn writes_of(func: &Function, module: &Module, inst: Inst) -> Touched<Located> {
    written(func, module, inst).map(|access| locate(func, access))
}

/// All that an instruction may write.
pub fn each_write(func: &Function, module: &Module, inst: Inst, mut tell: impl FnMut(Touched<Located>)) {
    match (writes_of(func, module, inst), effects_of_call(func, module, inst)) {
        (Touched::Visible, Some(effects)) => calls::each_place(func, inst, &effects.writes, tell),
        (touched, _) => tell(touched),
    }
}

/// All that an instruction may read. Aggregates that a call passes by value are not named.
pub fn each_read(func: &Function, module: &Module, inst: Inst, mut tell: impl FnMut(Touched<Located>)) {
    match (read(func, module, inst), effects_of_call(func, module, inst)) {
        (Touched::Visible, Some(effects)) => calls::each_place(func, inst, &effects.reads, tell),
        (touched, _) => tell(touched.map(|access| locate(func, access))),
    }
}
