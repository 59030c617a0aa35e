//! What a run keeps: memory, frames, and the state of the library.

use std::cell::Cell;

use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Inst, Module, SymbolId, Value};
use rustc_hash::FxHashMap;

use crate::eval::Bits;
use crate::memory::Memory;

/// The slots of a function: value, size, name and place of the declaration.
pub(crate) type Slots = std::rc::Rc<[(Value, u64, std::sync::Arc<str>, base::Loc)]>;

/// The undefined bits of a value, and the address that it was read from.
pub(crate) type Shadow = (Bits, u64);

/// The state of a run.
pub struct Machine<'m> {
    pub(crate) module: &'m Module,
    /// Simulated memory.
    pub memory: Memory<'m>,
    /// Standard output so far.
    pub output: Vec<u8>,
    pub(crate) fuel: u64,
    pub(crate) addresses: FxHashMap<SymbolId, u64>,
    pub(crate) functions: FxHashMap<u64, SymbolId>,
    pub(crate) labels: FxHashMap<u64, (SymbolId, u32)>,
    /// By function: the address of label 0; the others follow it byte by byte, so that their
    /// differences are small.
    pub(crate) label_addresses: FxHashMap<SymbolId, u64>,
    pub(crate) trampolines: FxHashMap<u64, (SymbolId, Bits)>,
    pub(crate) frames: Vec<Frame<'m>>,
    /// By function: its slots.
    pub(crate) slots: FxHashMap<SymbolId, Slots>,
    /// Undefined behaviour is looked for, not only noticed.
    pub(crate) checked: bool,
    /// A subscript beyond its array, until its address is computed.
    pub(crate) subscript: Option<String>,
    /// Frames below belong to an outer [`Machine::run_until`].
    pub(crate) floor: usize,
    pub(crate) frames_made: u64,
    pub(crate) jump_points: Vec<JumpPoint>,
    /// Registers that `asm` statements without text have set.
    pub(crate) registers: FxHashMap<u8, Bits>,
    /// Undefined bits of the results of the call that ends.
    pub(crate) returned: Vec<Option<Shadow>>,
    /// What the library functions keep.
    pub library: Library,
}

/// Where a `setjmp` returns again.
pub(crate) struct JumpPoint {
    /// How many frames there were, and which was the last.
    pub(crate) depth: usize,
    pub(crate) frame: u64,
    pub(crate) block: Block,
    pub(crate) call: Inst,
}

pub(crate) struct Frame<'m> {
    pub(crate) func: &'m Function,
    pub(crate) values: SecondaryMap<Value, Option<Bits>>,
    pub(crate) block: Block,
    pub(crate) inst: Option<Inst>,
    /// Values with undefined bits.
    pub(crate) undefined: FxHashMap<Value, Shadow>,
    /// Addresses that come from a subscript beyond its array, with what is said of it: the access
    /// decides whether it is beyond the object, too.
    pub(crate) beyond: FxHashMap<Value, String>,
    pub(crate) allocas: Vec<u64>,
    pub(crate) dynamic: Vec<u64>,
    pub(crate) variadic: Vec<Variadic>,
    /// Counts frames over the whole run.
    pub(crate) number: u64,
}

/// An anonymous argument as it lies in memory, and its alignment.
pub(crate) type Variadic = (Vec<u8>, u64);

/// What the library keeps between calls.
#[derive(Default)]
pub struct Library {
    /// Functions given to `atexit`, by address.
    pub at_exit: Vec<u64>,
    /// The program ended in a way that runs none of them.
    pub quick_exit: bool,
    /// Address of `errno`.
    pub(crate) errno: Option<u64>,
    /// Addresses of the tables of `isalpha` and its like.
    pub(crate) character_tables: FxHashMap<&'static str, u64>,
    /// Handlers by signal number.
    pub(crate) handlers: FxHashMap<u32, u64>,
    /// Results of threads.
    pub(crate) threads: Vec<u128>,
    /// `setenv`: addresses of the values.
    pub(crate) environment: FxHashMap<Vec<u8>, u64>,
    /// Where `strtok` goes on.
    pub(crate) text: u64,
    /// Where the parent of the running child goes on.
    pub(crate) parent: Option<u64>,
    /// The exit status of the last child.
    pub(crate) child_status: i32,
    /// Streams by the address that stands for them.
    pub(crate) streams: FxHashMap<u64, crate::streams::Stream>,
    /// The address of `stdin` in a program that does not name it.
    pub(crate) standard_input: Option<u64>,
    /// The state of `rand`.
    pub(crate) random: Option<crate::random::Random>,
    /// Where `gmtime` and its like put their result.
    pub(crate) calendar: Option<u64>,
    /// When the program first asked how long it runs.
    pub(crate) began: Option<std::time::Duration>,
    /// Rounding mode and exceptions.
    pub(crate) floating: Floating,
}

/// The floating-point environment.
#[derive(Default)]
pub struct Floating {
    /// `FE_TONEAREST` and its like, as the bits of the x87 control word.
    pub(crate) mode: u32,
    /// Exceptions raised: only division by zero is noticed.
    pub(crate) exceptions: Cell<u32>,
}
