//! What can be done about a relocation.

/// What is done about a relocation (S the symbol's address, A the addend, P the place).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Nothing,
    /// S + A in 8 or 4 bytes, the latter extended without or with sign.
    Absolute64,
    Absolute32,
    Absolute32Signed,
    /// S + A - P in 4 or 8 bytes.
    Relative32,
    Relative64,
    /// As `Relative32`, of the entry in the procedure linkage table.
    Call,
    /// As `Relative32`, of an entry in the global offset table.
    Table(SlotKind),
    /// As `Relative32`, of the global offset table itself; `TableOffset` is S + A from there, in 8
    /// bytes.
    TableStart,
    TableOffset,
    /// A load of the address from the table becomes `lea`, a call or jump through it a direct one.
    Lea,
    DirectCall,
    DirectJump,
    /// The offset from the thread pointer, in 4 or 8 bytes.
    ThreadOffset,
    ThreadOffset64,
    /// The offset in the module's block of thread-local storage.
    BlockOffset32,
    BlockOffset64,
    /// Code for thread-local storage in a simpler model.
    Thread(Change),
    /// S + A, moved with the program.
    Rebased,
    /// S + A by the dynamic linker.
    Symbolic,
    /// Debug information of what was left out: this number, in 4 or 8 bytes.
    Gone32(u8),
    Gone64(u8),
}

/// What an entry of the global offset table has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    /// An address.
    Address,
    /// An offset from the thread pointer.
    Thread,
    /// A module and an offset in its block, for `__tls_get_addr`: of a symbol, or of this module.
    General,
    Module,
    /// A function that finds an offset from the thread pointer, and its argument.
    Descriptor,
}

impl Action {
    /// Whether the next relocation is part of the same change.
    pub fn takes_next(self) -> bool {
        matches!(self, Action::Thread(change) if change.takes_next())
    }
}

/// A rewritten piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A call of `__tls_get_addr` for a symbol: the thread pointer and a constant, or an offset
    /// from the table.
    GeneralToExec,
    GeneralToInitial,
    /// A call for the module's block: the thread pointer. The call has 5 or 6 bytes.
    LocalToExec {
        is_long: bool,
    },
    /// An offset that was loaded or added from the table is a constant.
    InitialToExec,
    /// The address of a descriptor: the offset itself, or the entry that has it; and the call goes.
    DescriptorToExec,
    DescriptorToInitial,
    DescriptorCall,
}

impl Change {
    /// Whether the relocation of the call that follows goes, too.
    pub fn takes_next(self) -> bool {
        matches!(self, Change::GeneralToExec | Change::GeneralToInitial | Change::LocalToExec { .. })
    }

    /// Whether the offset comes from the global offset table.
    pub fn needs_slot(self) -> bool {
        matches!(self, Change::GeneralToInitial | Change::DescriptorToInitial)
    }
}
