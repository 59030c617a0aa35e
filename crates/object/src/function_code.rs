//! The finished machine code of one function: the contract between backends and the object file.
//!
//! Functions are independent of each other (they may be emitted by different
//! threads), so everything a function adds to the object (constants, jump
//! tables, names of library routines, pieces of other sections written by
//! inline asm) is kept here and merged later, in source order, by
//! [`crate::ObjectBuilder::append_function`]. All offsets are bytes from the
//! start of the function and final: branches are relaxed already.

use platform::debug_steps::Step;
use smallvec::SmallVec;

use crate::{
    relocations::{Reloc, SymbolRef},
    sections::{SectionId, SectionSpec},
    symbols::{Binding, SymbolId, SymbolKind, Visibility},
};

/// A position in the function's code, made by [`crate::CodeBuffer::new_label`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Something a function refers to that is not in the module's symbol table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtraSymbol {
    /// Read-only bytes, merged with equal ones when the size is 4, 8, 16 or 32
    /// and no larger than the alignment asks for.
    Constant {
        /// The contents.
        bytes: Box<[u8]>,
        /// Alignment in bytes, a power of two.
        align: u32,
    },
    /// A table of code positions in read-only data.
    JumpTable {
        /// The targets in order.
        targets: Box<[Label]>,
        /// How an entry is written.
        form: JumpTableForm,
    },
    /// A symbol known by name only: a library routine (`__udivti3`, `memcpy`), a
    /// linker-made symbol (`_GLOBAL_OFFSET_TABLE_`), or a name used in inline asm.
    /// It is the module's or assembly's symbol of that name if there is one, else undefined.
    Name(Box<str>),
    /// A numeric label of asm text that no statement of this function defines: the last definition
    /// before the function, or the first one after it.
    Numbered {
        /// The label's number.
        number: u64,
        /// `1f`, not `1b`.
        forward: bool,
    },
    /// A position in this function's code.
    Code(Label),
    /// An offset in one of the function's [`FunctionCode::pieces`].
    Piece {
        /// Index of the piece.
        piece: u32,
        /// Byte offset in it.
        offset: u32,
    },
}

/// The form of a jump table's entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JumpTableForm {
    /// 32-bit distances from the table's start (position independent).
    Relative32,
    /// 64-bit absolute addresses.
    Absolute64,
}

/// Which part of the text a function belongs to (decides the section's name
/// unless the symbol has a section of its own).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextPlacement {
    /// `.text`
    #[default]
    Normal,
    /// `.text.unlikely`: `__attribute__((cold))`
    Unlikely,
    /// `.text.hot`: `__attribute__((hot))`
    Hot,
    /// `.text.startup`: `main` and constructors
    Startup,
    /// `.text.exit`: destructors
    Exit,
}

/// One unwind rule change, in the terms of DWARF 5 section 6.4.2. Registers are
/// DWARF numbers ([`platform::registers::Reg::dwarf`]); offsets are bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CfiOp {
    /// CFA = register + offset.
    DefCfa(u16, i32),
    /// CFA keeps its offset and uses this register.
    DefCfaRegister(u16),
    /// CFA keeps its register and uses this offset.
    DefCfaOffset(i32),
    /// The register is saved at CFA + offset.
    Offset(u16, i32),
    /// The register's previous value is CFA + offset.
    ValOffset(u16, i32),
    /// The register has its caller's value again.
    Restore(u16),
    /// The register's previous value is lost.
    Undefined(u16),
    /// The register is unchanged.
    SameValue(u16),
    /// The first register's previous value is in the second.
    Register(u16, u16),
    /// Push the rules.
    RememberState,
    /// Pop the rules.
    RestoreState,
    /// Argument bytes pushed (`DW_CFA_GNU_args_size`).
    ArgsSize(u32),
    /// Raw bytes of further call frame instructions (`.cfi_escape`).
    Escape(Box<[u8]>),
}

/// A [`CfiOp`] that takes effect at `offset`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CfiEntry {
    /// Byte offset in the code after which the rule holds.
    pub offset: u32,
    /// The change.
    pub op: CfiOp,
}

/// A row of the line table: code from `offset` on belongs to `location`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineEntry {
    /// Byte offset in the code.
    pub offset: u32,
    /// Raw handle of the location (what `base`'s location type wraps); 0 is "no line".
    pub location: u32,
    /// The copy of an inlined function that the code is part of: index of its site plus one; 0 for
    /// the function's own code.
    pub inlined: u32,
    /// Whether a debugger may put a breakpoint here (`is_stmt`).
    pub is_stmt: bool,
    /// Whether the prologue ends here (`prologue_end`).
    pub prologue_end: bool,
}

/// Where a variable lies while its function runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableLocation {
    /// What `offset` counts from: a register's DWARF number, or the canonical frame address.
    pub register: Option<u16>,
    /// Bytes.
    pub offset: i32,
    /// The variable is not there; its address is.
    pub indirect: bool,
}

impl VariableLocation {
    /// At an offset from the canonical frame address.
    pub fn frame(offset: i32) -> VariableLocation {
        VariableLocation { register: None, offset, indirect: false }
    }

    /// This many bytes after this place.
    pub fn after(self, bytes: u32) -> VariableLocation {
        VariableLocation { offset: self.offset.wrapping_add_unsigned(bytes), ..self }
    }

    /// The place that the pointer at this one names.
    pub fn behind(self) -> VariableLocation {
        VariableLocation { indirect: true, ..self }
    }
}

/// Where a value is that is not, as a whole, in memory for all of its function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValuePlace {
    /// In a register, by DWARF number; its low bytes.
    Register(u16),
    /// In the frame.
    Memory(VariableLocation),
    /// What this register, by DWARF number, held when the function was entered.
    Entry(u16),
    /// It is this number, as many low bytes of it as there are.
    Integer(i64),
    /// It is these bytes.
    Bytes(Box<[u8]>),
    /// It is the address of a module symbol plus an offset.
    Address(u32, i64),
    /// It is the canonical frame address plus an offset.
    FrameAddress(i64),
    /// It is a function of what is there.
    Linear(Box<LinearPlace>),
    /// It is computed by these steps.
    Computed(Box<[Step<ValuePlace>]>),
}

/// `scale * widened(x) + offset`, modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearPlace {
    /// Where `x` is.
    pub of: ValuePlace,
    /// Its size: 1 to 8.
    pub bytes: u8,
    /// How it becomes 64 bits.
    pub widening: Widening,
    /// The factor.
    pub scale: i64,
    /// What is added.
    pub offset: i64,
}

/// What comes above the low bits of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    /// It does not matter.
    None,
    /// This many bits count, then come zeros.
    Zero(u8),
    /// This many bits count, then come copies of the last.
    Sign(u8),
}

/// Where some bytes of a variable are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuePiece {
    /// Offset and size; `None` for the whole variable.
    pub fragment: Option<(u32, u32)>,
    /// Where.
    pub place: ValuePlace,
}

/// Where a variable is while one stretch of code runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueRange {
    /// First byte of the code.
    pub begin: u32,
    /// One past the last.
    pub end: u32,
    /// The whole, or parts by ascending offset that do not overlap.
    pub pieces: SmallVec<[ValuePiece; 1]>,
}

/// Where a variable is, by code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableValues {
    /// Its number in the order of debug information.
    pub variable: u32,
    /// Ascending, without overlaps.
    pub ranges: Vec<ValueRange>,
}

/// What an argument register holds at a call, by what the caller's frame tells while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgumentValue {
    /// A number.
    Integer(i64),
    /// The address of a module symbol plus an offset.
    Address(u32, i64),
    /// A register, by DWARF number, plus an offset.
    Sum(u16, i32),
    /// The low 32 bits of that, then zeros.
    Low(u16, i32),
    /// What is in memory at a register plus an offset.
    Deref(u16, i32),
    /// What this register held when the caller was entered.
    Entry(u16),
}

/// A call as debug information describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedCall {
    /// Where it returns to.
    pub after: u32,
    /// It is made in place of a return.
    pub tail: bool,
    /// The module symbol called, if it is named.
    pub callee: Option<u32>,
    /// The address that is called, if it is not named and known.
    pub target: Option<ArgumentValue>,
    /// Argument registers, by DWARF number, with what they hold.
    pub arguments: Vec<(u16, ArgumentValue)>,
}

/// A range of code whose calls unwind into a landing pad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// First byte of the range.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Where cleanup code begins.
    pub landing_pad: Label,
}

/// An inline asm statement as it is kept for printing the object as text.
#[derive(Clone, PartialEq, Debug)]
pub struct AsmStatement {
    /// Its first byte.
    pub start: Label,
    /// One past its last byte.
    pub end: Label,
    /// The text, operands substituted.
    pub text: Box<str>,
    /// The text is in Intel syntax.
    pub intel: bool,
    /// Raw handle of its location.
    pub location: u32,
    /// The unwind rules that the text gives, by their numbers.
    pub rules: (u32, u32),
    /// Whether the text is assembly that could be assembled. Otherwise it has no bytes.
    pub assembled: bool,
}

/// Bytes that the function's inline asm wrote to another section (`.pushsection`).
#[derive(Clone, PartialEq, Debug)]
pub struct SectionPiece {
    /// The section to append to.
    pub section: SectionSpec,
    /// Alignment of the piece's start, a power of two.
    pub align: u32,
    /// The contents.
    pub bytes: Vec<u8>,
    /// Fields to relocate; offsets are inside `bytes`.
    pub relocs: Vec<Reloc>,
    /// The symbol that the piece begins with and that is asked for before (`.ifndef`): where asm
    /// text has defined it, that piece stands for this one.
    pub unless: Option<SymbolRef>,
}

/// A symbol that this function's code defines besides the function itself: a
/// label written in inline asm; also what asm text says of any symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Which symbol: a module symbol, or an [`ExtraSymbol::Name`].
    pub symbol: SymbolRef,
    /// Its position: [`ExtraSymbol::Code`] or [`ExtraSymbol::Piece`] as an extra; `None` if the
    /// text only says something about a symbol defined elsewhere.
    pub at: Option<SymbolRef>,
    /// Its binding, if the asm text says (`.globl`, `.weak`).
    pub binding: Option<Binding>,
    /// Its visibility, if the asm text says (`.hidden`).
    pub visibility: Option<Visibility>,
    /// Its type, if the asm text says (`.type`).
    pub kind: Option<SymbolKind>,
    /// Its size in bytes, if the asm text says (`.size`).
    pub size: Option<u64>,
}

/// What a function takes from the stack, for `-fstack-usage` and the warnings about it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StackUse {
    /// Bytes of variables and spill slots, padding included.
    pub locals: u64,
    /// All bytes, from the return address on, but for blocks of variable size.
    pub total: u64,
    /// What `total` leaves out.
    pub kind: StackKind,
}

/// Whether [`StackUse::total`] is all there is (gcc's `-fstack-usage` names these so).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StackKind {
    /// All is known.
    #[default]
    Static,
    /// The stack pointer moves, `total` is the most.
    Bounded,
    /// There are blocks whose size is found at run time.
    Dynamic,
}

/// Everything one function contributes to the object file.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCode {
    /// The function's own symbol (a module symbol).
    pub symbol: SymbolRef,
    /// Alignment of the first byte, a power of two.
    pub align: u32,
    /// Which text section it goes to.
    pub placement: TextPlacement,
    /// The machine code.
    pub code: Vec<u8>,
    /// Offset of the function's symbol in `code`: no-ops of a patchable entry may precede it.
    pub entry: u32,
    /// Offset of the no-ops of a patchable entry, whose address goes to
    /// `__patchable_function_entries`.
    pub patch_area: Option<u32>,
    /// Relocations, by ascending offset.
    pub relocs: Vec<Reloc>,
    /// Offset of each [`Label`] in `code`; `u32::MAX` for a label never placed.
    pub labels: Vec<u32>,
    /// Symbols that exist only for this function.
    pub extras: Vec<ExtraSymbol>,
    /// Unwind rules, by ascending offset; empty and `has_unwind` false: no FDE.
    pub cfi: Vec<CfiEntry>,
    /// Whether the function gets an entry in `.eh_frame`.
    pub has_unwind: bool,
    /// Line table rows, by ascending offset.
    pub lines: Vec<LineEntry>,
    /// Places of the variables that debug information describes, in its order.
    pub variables: Vec<Option<VariableLocation>>,
    /// Those that are elsewhere, by number of the variable.
    pub values: Vec<VariableValues>,
    /// Calls, for debug information.
    pub calls: Vec<DescribedCall>,
    /// What the function takes from the stack.
    pub stack: StackUse,
    /// Ranges with cleanups; not empty: the function gets a language-specific data area.
    pub call_sites: Vec<CallSite>,
    /// Bytes for other sections.
    pub pieces: Vec<SectionPiece>,
    /// Further symbols defined in the code.
    pub definitions: Vec<Definition>,
    /// Numeric labels of asm text, in the order of their definitions: number and position.
    pub numbered: Vec<(u64, SymbolRef)>,
    /// The asm statements, if the object is to be printed.
    pub statements: Vec<AsmStatement>,
    /// Labels whose addresses static data may hold, by their number in the `ir` function.
    pub exported_labels: Vec<(u32, Label)>,
    /// Branch instructions to labels, by ascending offset of the instruction (for the listing).
    pub branches: Vec<u32>,
    /// Ranges of `code` that hold data, not instructions (for the listing).
    pub data_ranges: Vec<(u32, u32)>,
    /// Padding inserted by alignment requests, as (offset of padding, its length,
    /// alignment asked for, most bytes allowed), by ascending offset (for the listing).
    pub paddings: Vec<Padding>,
}

/// An alignment request inside a function after layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padding {
    /// Where the padding starts.
    pub offset: u32,
    /// How many bytes were needed (0 is possible).
    pub len: u32,
    /// The alignment in bytes.
    pub align: u32,
    /// The request was dropped if more bytes than this were needed.
    pub max_skip: u32,
}

impl Default for FunctionCode {
    fn default() -> FunctionCode {
        FunctionCode {
            symbol: SymbolRef(0),
            align: 1,
            placement: TextPlacement::Normal,
            code: Vec::new(),
            entry: 0,
            patch_area: None,
            relocs: Vec::new(),
            labels: Vec::new(),
            extras: Vec::new(),
            cfi: Vec::new(),
            has_unwind: false,
            lines: Vec::new(),
            variables: Vec::new(),
            values: Vec::new(),
            calls: Vec::new(),
            stack: StackUse::default(),
            call_sites: Vec::new(),
            pieces: Vec::new(),
            definitions: Vec::new(),
            numbered: Vec::new(),
            statements: Vec::new(),
            exported_labels: Vec::new(),
            branches: Vec::new(),
            data_ranges: Vec::new(),
            paddings: Vec::new(),
        }
    }
}

impl FunctionCode {
    /// Whether the function branches through tables.
    pub fn has_jump_tables(&self) -> bool {
        self.extras.iter().any(|extra| matches!(extra, ExtraSymbol::JumpTable { .. }))
    }

    /// Empties everything and keeps the allocations, so that a streaming backend can reuse one
    /// value.
    pub fn clear(&mut self) {
        self.symbol = SymbolRef(0);
        self.align = 1;
        self.placement = TextPlacement::Normal;
        self.code.clear();
        self.entry = 0;
        self.patch_area = None;
        self.relocs.clear();
        self.labels.clear();
        self.extras.clear();
        self.cfi.clear();
        self.has_unwind = false;
        self.lines.clear();
        self.variables.clear();
        self.values.clear();
        self.calls.clear();
        self.stack = StackUse::default();
        self.call_sites.clear();
        self.pieces.clear();
        self.definitions.clear();
        self.numbered.clear();
        self.statements.clear();
        self.exported_labels.clear();
        self.branches.clear();
        self.data_ranges.clear();
        self.paddings.clear();
    }

    /// The offset of a label in the code.
    ///
    /// # Panics
    /// If the label was never placed.
    pub fn label_offset(&self, label: Label) -> u32 {
        let offset = self.labels[label.0 as usize];
        assert!(offset != u32::MAX, "label {} has no position", label.0);
        offset
    }
}

/// The line rows of one function, kept until the unit is written.
#[derive(Clone, Debug)]
pub(crate) struct FunctionLines {
    pub symbol: SymbolId,
    pub section: SectionId,
    pub offset: u64,
    pub length: u64,
    pub rows: Vec<LineEntry>,
}
