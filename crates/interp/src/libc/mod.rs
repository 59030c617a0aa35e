//! The library functions that interpreted programs may call; the sub-modules list them by header.
//! Everything else is [`Trap::Unsupported`]. Threads run to their end when they are created, which
//! is one of the orders that the program allows unless it waits for another thread.

mod calendar;
mod checks;
mod complex;
mod environment;
mod format;
mod general;
mod math;
mod process;
mod scan;
mod stdio;
mod streams;
mod strings;

pub(crate) use process::CHILD;
pub(crate) use streams::finish;

use ir::Type;

use crate::Trap;
use crate::eval::Bits;
use crate::machine::Machine;

/// Arguments of a library call.
pub(crate) struct Args<'a>(&'a [(Type, Bits)]);

impl Args<'_> {
    /// The bits of a scalar; zero if there is none.
    fn bits(&self, index: usize) -> u128 {
        self.0.get(index).map_or(0, |a| a.1.scalar())
    }

    fn address(&self, index: usize) -> u64 {
        self.bits(index) as u64
    }

    fn int(&self, index: usize) -> i32 {
        self.bits(index) as u32 as i32
    }

    fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.bits(index) as u64)
    }

    fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.bits(index) as u32)
    }

    fn from(&self, index: usize) -> &[(Type, Bits)] {
        self.0.get(index..).unwrap_or_default()
    }
}

/// A function's result, or `None` if it has none.
pub(crate) type Returned = Result<Option<u128>, Trap>;

/// Calls the function of this name with arguments in order. Returns its results' bits: none, one
/// or, for what comes in two registers, two.
///
/// # Errors
/// Not in the list, undefined behaviour, or `exit`.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &[(Type, Bits)]) -> Result<Vec<u128>, Trap> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let args = Args(args);
    if machine.checked {
        checks::arguments(machine, name, &args)?;
        // A report that returns: the access that follows says which object it is.
        if name.starts_with("__ubsan_handle_") {
            return Ok(Vec::new());
        }
    }
    if matches!(name, "ldiv" | "lldiv" | "imaxdiv") {
        return general::divided(&args).map(|parts| parts.to_vec());
    }
    match complex::call(name, &args) {
        Some(results) => Ok(results),
        None => Ok(single(machine, name, &args)?.into_iter().collect()),
    }
}

fn single(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Returned {
    for part in [strings::call, streams::call, stdio::call, process::call, general::call, calendar::call] {
        if let Some(result) = part(machine, name, args) {
            return result;
        }
    }
    if let Some(result) = machine.library.floating.call(name, args) {
        return Ok(Some(result));
    }
    match math::call(name, args) {
        Some(bits) => {
            if let Some(error) = math::error(name, args) {
                process::set_errno(machine, error)?;
            }
            Ok(Some(bits))
        }
        None => Err(Trap::Unsupported(format!("library function {name}"))),
    }
}

/// The address of a library's object: `stdout` and its like hold their own address.
pub fn object(machine: &mut Machine<'_>, name: &str) -> u64 {
    // What processor this is: one that has nothing beyond the baseline, in the objects of libgcc.
    let size = if matches!(name, "__cpu_model" | "__cpu_features2") { 16 } else { 8 };
    let address = machine.memory.allocate(name, size, true);
    if matches!(name, "stdin" | "stdout" | "stderr") {
        // Fresh memory of the right size takes it.
        drop(machine.memory.store(address, 8, address as u128));
    }
    address
}

/// -1, 0 or 1 as an `int`.
fn order(ordering: std::cmp::Ordering) -> u128 {
    ordering as i32 as u32 as u128
}
