//! IR to x86-64 machine code: the quick path, selection, phi elimination, register allocation,
//! emission.
//!
//! [`emit`] turns a module, or the stream of functions that the front end hands on, into an
//! [`object::ObjectBuilder`]. [`ir::abi`] says where arguments travel and [`context`] how code
//! names symbols; both code generators use them. [`quick`] is the `-O0` code generator; [`full`] is
//! the other one, whose stages are the other modules.

/// Counts that can be added up.
macro_rules! counts {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$what:meta])* pub $count:ident: u32,)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
        pub struct $name { $($(#[$what])* pub $count: u32,)* }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                $(self.$count += other.$count;)*
            }
        }
    };
}

pub mod asm_operands;
mod branches;
mod callees;
mod changed_registers;
pub mod context;
mod debug_values;
pub mod eliminate_phis;
pub mod emit;
mod encode;
mod entry;
mod folded_addresses;
mod frame;
pub mod full;
mod function_properties;
mod guard;
mod layout;
mod loop_ends;
pub mod machine;
mod peephole;
mod profile;
pub mod quick;
pub mod regalloc;
mod reloads;
mod repeated_tests;
mod rewrite;
pub mod select;
mod shrink_wrap;
mod sink_increments;
mod split_conditions;
mod tail_merge;
mod variables;
mod widened_loads;
mod widths;
pub mod x86;
mod x87_stack;

pub use context::{AddressForm, BackendError, CallForm, Context};
pub use emit::{FunctionStack, ModuleEmitter, debug, emit, emit_with_source, is_emitted};
