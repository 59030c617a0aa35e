//! Typed 32-bit references into the tables of a [`crate::Function`] or [`crate::Module`].

use cranelift_entity::entity_impl;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

entity!(
    /// An SSA value: an instruction's result, a parameter or a constant.
    Value, "v"
);
entity!(
    /// An instruction.
    Inst, "inst"
);
entity!(
    /// A basic block.
    Block, "b"
);
entity!(
    /// An entry of the function's constant pool.
    ConstId, "const"
);
entity!(
    /// A symbol of the module: function, variable or external name.
    SymbolId, "sym"
);
entity!(
    /// An ABI-lowered signature of the module.
    SigId, "sig"
);
entity!(
    /// An initialised or zero data object of the module.
    DataId, "data"
);
entity!(
    /// A function body of the module.
    FuncId, "fn"
);
entity!(
    /// The cases of one `switch`.
    SwitchId, "switch"
);
entity!(
    /// One inline assembly statement.
    AsmId, "asm"
);
entity!(
    /// The list of targets of one indirect branch.
    TargetsId, "targets"
);
entity!(
    /// A type-based alias class; see [`crate::module::AliasTags`].
    AliasTag, "tag"
);
