//! A growing function body: bytes, labels, branches that relax, relocations, and the marks beside
//! them.
//!
//! A [`CodeBuffer`] belongs to one worker and is reused from function to
//! function; the instruction methods on it live in [`crate::encode`]. Every
//! instruction is written into a fixed window of [`WINDOW`] bytes at the end, so
//! that one bounds check covers it and nothing is allocated per instruction.
//!
//! Branches to labels are written in their two-byte form and grown by
//! [`crate::relax`] when the function ends, as GNU `as` does; a backward branch
//! known to be too far is written long at once. Offsets given out while the
//! function is open ([`CodeBuffer::offset`]) are provisional: everything that is
//! recorded by offset (marks, relocations, labels) is moved along with the bytes.

mod finish;

use rustc_hash::FxHashMap;

use crate::{
    function_code::{
        AsmStatement, CfiEntry, CfiOp, Definition, ExtraSymbol, JumpTableForm, Label, LineEntry, SectionPiece,
        TextPlacement,
    },
    relax::{self, ALWAYS},
    relocations::{Reloc, RelocKind, SymbolRef},
};

/// Bytes that are writable past the end whenever an instruction starts: more than
/// the longest instruction (15) plus what is written in whole words beyond it.
pub(crate) const WINDOW: usize = 40;

/// Marks an unplaced label.
pub(crate) const UNPLACED: u32 = u32::MAX;

/// What a conditional branch grows by.
const LONG_GROWTH: u32 = 4;
/// Lines of the longest code that [`CodeBuffer::keep_together`] looks at.
const MAX_LINES: u32 = 3;

/// Bytes of padding that it puts before code longer than a line.
const MAX_PADDING: u32 = 31;

/// Lines that [`CodeBuffer::keep_together`] fits code into.
const LINES: [u32; 2] = [32, 64];

/// A branch to a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    /// Provisional offset of the instruction.
    pub offset: u32,
    pub target: Label,
    /// Condition code, or [`ALWAYS`].
    pub condition: u8,
    /// Written with a 32-bit displacement already.
    pub long: bool,
}

/// An alignment request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Align {
    /// Provisional offset of the padding, and how long it is there.
    pub offset: u32,
    pub len: u32,
    pub align: u32,
    pub max_skip: u32,
    /// The byte to fill with, or `None` for no-op instructions.
    pub fill: Option<u8>,
    /// How many branches precede it.
    pub branches_before: u32,
}

/// A 32-bit PC-relative field that refers to a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelFixup {
    pub offset: u32,
    pub target: Label,
    /// Added to target - field address.
    pub addend: i32,
}

struct OpenCallSite {
    start: u32,
    end: u32,
    landing_pad: Label,
}

/// The body of the function being emitted.
pub struct CodeBuffer {
    /// Written bytes, followed by at least [`WINDOW`] bytes of room.
    pub(crate) bytes: Vec<u8>,
    pub(crate) len: usize,
    pub(crate) labels: Vec<u32>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) aligns: Vec<Align>,
    pub(crate) fixups: Vec<LabelFixup>,
    relocs: Vec<Reloc>,
    extras: Vec<ExtraSymbol>,
    constants: FxHashMap<(u128, u32), SymbolRef>,
    names: FxHashMap<Box<str>, SymbolRef>,
    cfi: Vec<CfiEntry>,
    lines: Vec<LineEntry>,
    /// Locations without code of their own get a `nop`, where a debugger can stop.
    pub keep_rows: bool,
    call_sites: Vec<OpenCallSite>,
    pieces: Vec<SectionPiece>,
    definitions: Vec<Definition>,
    /// Numeric labels of asm statements so far, and the references to later ones.
    numbered: Vec<(u64, SymbolRef)>,
    awaited: Vec<(u64, SymbolRef)>,
    statements: Vec<AsmStatement>,
    exported_labels: Vec<(u32, Label)>,
    data_ranges: Vec<(u32, u32)>,
    relaxer: relax::Scratch,
    symbol: SymbolRef,
    entry: u32,
    patch_area: Option<u32>,
    align: u32,
    /// Requests changed after their padding was written.
    pub(crate) realigned: bool,
    placement: TextPlacement,
    has_unwind: bool,
}

impl Default for CodeBuffer {
    fn default() -> CodeBuffer {
        CodeBuffer::new()
    }
}

impl CodeBuffer {
    /// An empty buffer.
    pub fn new() -> CodeBuffer {
        CodeBuffer {
            bytes: vec![0; 4096],
            len: 0,
            labels: Vec::new(),
            branches: Vec::new(),
            aligns: Vec::new(),
            fixups: Vec::new(),
            relocs: Vec::new(),
            extras: Vec::new(),
            constants: FxHashMap::default(),
            names: FxHashMap::default(),
            cfi: Vec::new(),
            lines: Vec::new(),
            keep_rows: false,
            call_sites: Vec::new(),
            pieces: Vec::new(),
            definitions: Vec::new(),
            numbered: Vec::new(),
            awaited: Vec::new(),
            statements: Vec::new(),
            exported_labels: Vec::new(),
            data_ranges: Vec::new(),
            relaxer: relax::Scratch::default(),
            symbol: SymbolRef(0),
            entry: 0,
            patch_area: None,
            align: 1,
            realigned: false,
            placement: TextPlacement::Normal,
            has_unwind: false,
        }
    }

    /// Starts a function: what was there is dropped, allocations are kept.
    ///
    /// `align` is the alignment of its first byte in bytes (a power of two);
    /// `has_unwind` says whether it gets an `.eh_frame` entry, for which the
    /// initial rules (CFA = rsp + 8, return address at CFA - 8) are implied.
    pub fn begin(&mut self, symbol: SymbolRef, align: u32, placement: TextPlacement, has_unwind: bool) {
        debug_assert!(align.is_power_of_two());
        self.len = 0;
        self.labels.clear();
        self.branches.clear();
        self.aligns.clear();
        self.fixups.clear();
        self.relocs.clear();
        self.extras.clear();
        self.constants.clear();
        self.names.clear();
        self.cfi.clear();
        self.lines.clear();
        self.call_sites.clear();
        self.pieces.clear();
        self.definitions.clear();
        self.numbered.clear();
        self.awaited.clear();
        self.statements.clear();
        self.exported_labels.clear();
        self.data_ranges.clear();
        self.symbol = symbol;
        self.entry = 0;
        self.patch_area = None;
        self.align = align;
        self.realigned = false;
        self.placement = placement;
        self.has_unwind = has_unwind;
    }

    /// Provisional offset of the next byte.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.len as u32
    }

    /// The bytes written so far (branches and fixups to labels are not filled in yet).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    // ---- labels ----

    /// A label without a position.
    #[inline]
    pub fn new_label(&mut self) -> Label {
        let label = Label(self.labels.len() as u32);
        self.labels.push(UNPLACED);
        label
    }

    /// `count` labels without positions, numbered consecutively; the first one is returned.
    pub fn new_labels(&mut self, count: usize) -> Label {
        let label = Label(self.labels.len() as u32);
        self.labels.resize(self.labels.len() + count, UNPLACED);
        label
    }

    /// Places a label here. A label is placed once.
    #[inline]
    pub fn bind(&mut self, label: Label) {
        debug_assert_eq!(self.labels[label.0 as usize], UNPLACED, "label placed twice");
        self.labels[label.0 as usize] = self.len as u32;
    }

    /// Whether the label has a position already.
    #[inline]
    pub fn is_bound(&self, label: Label) -> bool {
        self.labels[label.0 as usize] != UNPLACED
    }

    /// A new label placed here.
    pub fn label_here(&mut self) -> Label {
        let label = Label(self.labels.len() as u32);
        self.labels.push(self.len as u32);
        label
    }

    // ---- symbols of the function's own ----

    /// A read-only constant of `bytes`, aligned to `align` bytes; constants of up to 16 bytes are
    /// shared.
    pub fn constant(&mut self, bytes: &[u8], align: u32) -> SymbolRef {
        debug_assert!(align.is_power_of_two());
        if bytes.len() > 16 {
            return self.add_extra(ExtraSymbol::Constant { bytes: bytes.into(), align });
        }
        let mut padded = [0; 16];
        padded[..bytes.len()].copy_from_slice(bytes);
        // Length and alignment share the key's second half: both are far below 2^16.
        let key = (u128::from_le_bytes(padded), (bytes.len() as u32) << 16 | align);
        if let Some(&symbol) = self.constants.get(&key) {
            return symbol;
        }
        let symbol = self.add_extra(ExtraSymbol::Constant { bytes: bytes.into(), align });
        self.constants.insert(key, symbol);
        symbol
    }

    /// A jump table with the given targets.
    pub fn jump_table(&mut self, targets: &[Label], form: JumpTableForm) -> SymbolRef {
        self.add_extra(ExtraSymbol::JumpTable { targets: targets.into(), form })
    }

    /// The symbol of that name, whether or not the module knows it (library routines, names in asm
    /// text).
    pub fn named_symbol(&mut self, name: &str) -> SymbolRef {
        if let Some(&symbol) = self.names.get(name) {
            return symbol;
        }
        let symbol = self.add_extra(ExtraSymbol::Name(name.into()));
        self.names.insert(name.into(), symbol);
        symbol
    }

    /// A position in the code as a symbol, for use in section pieces and definitions.
    pub fn code_symbol(&mut self, label: Label) -> SymbolRef {
        self.add_extra(ExtraSymbol::Code(label))
    }

    /// Adds a symbol that exists for this function only.
    pub fn add_extra(&mut self, extra: ExtraSymbol) -> SymbolRef {
        self.extras.push(extra);
        SymbolRef::extra(self.extras.len() as u32 - 1)
    }

    /// `count` one-byte no-ops of a patchable entry; the first ones note where they are. They
    /// precede every branch and padding.
    pub fn patchable_nops(&mut self, count: u16) {
        if count != 0 && self.patch_area.is_none() {
            self.patch_area = Some(self.len as u32);
        }
        for _ in 0..count {
            self.put_bytes(&[0x90]);
        }
    }

    /// The function's symbol is here, after what [`Self::patchable_nops`] has put before it.
    pub fn entry_here(&mut self) {
        self.entry = self.len as u32;
    }

    /// Adds bytes for another section; returns the piece's index for [`ExtraSymbol::Piece`].
    pub fn add_piece(&mut self, piece: SectionPiece) -> u32 {
        self.pieces.push(piece);
        self.pieces.len() as u32 - 1
    }

    /// Sets the relocations of a piece added before.
    pub fn set_piece_relocs(&mut self, piece: u32, relocs: Vec<Reloc>) {
        self.pieces[piece as usize].relocs = relocs;
    }

    /// Defines a further symbol in this function's code or pieces.
    pub fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    /// A numeric label of asm text that the statement itself does not define.
    pub fn numbered_label(&mut self, number: u64, forward: bool) -> SymbolRef {
        let list = if forward { &self.awaited } else { &self.numbered };
        if let Some(&(_, known)) = list.iter().rev().find(|(n, _)| *n == number) {
            return known;
        }
        let symbol = self.add_extra(ExtraSymbol::Numbered { number, forward });
        if forward {
            self.awaited.push((number, symbol));
        }
        symbol
    }

    /// Numeric label `number` of asm text is at `at` (a code label or a place in a piece).
    pub fn define_numbered(&mut self, number: u64, at: SymbolRef) {
        if let Some(index) = self.awaited.iter().position(|(n, _)| *n == number) {
            let (_, waiting) = self.awaited.remove(index);
            if let (Some(to), Some(from)) = (waiting.extra_index(), at.extra_index()) {
                self.extras[to as usize] = self.extras[from as usize].clone();
            }
        }
        self.numbered.push((number, at));
    }

    /// Keeps an asm statement for printing.
    pub fn add_statement(&mut self, statement: AsmStatement) {
        self.statements.push(statement);
    }

    /// Which part of the text the function goes to.
    pub fn placement(&self) -> TextPlacement {
        self.placement
    }

    /// Lets static data take the address of `label`, which is number `index` in the `ir` function's
    /// labels.
    pub fn export_label(&mut self, index: u32, label: Label) {
        self.exported_labels.push((index, label));
    }

    // ---- marks ----

    /// Code from here on belongs to source location `location` (its raw handle).
    #[inline]
    pub fn mark_line(&mut self, location: u32) {
        self.mark_line_of(location, None);
    }

    /// As [`Self::mark_line`], in the copy of a function inlined at a site.
    #[inline]
    pub fn mark_line_of(&mut self, location: u32, site: Option<u32>) {
        let inlined = site.map_or(0, |site| site + 1);
        if self.keep_rows && self.empty_row().is_some_and(|row| row.location != location) {
            self.put_bytes(&[0x90]);
        }
        let entry = LineEntry { offset: self.len as u32, location, inlined, is_stmt: true, prologue_end: false };
        match self.lines.last_mut() {
            // No code in between: the later one wins.
            Some(last) if last.offset == entry.offset && !(self.keep_rows && last.location != location) => {
                *last = LineEntry { prologue_end: last.prologue_end, ..entry };
            }
            Some(last) if (last.location, last.inlined) == (location, inlined) && last.is_stmt => {}
            _ => self.lines.push(entry),
        }
    }

    /// Other code comes here as well: what was marked since the last byte says nothing of what
    /// follows.
    pub fn end_marks(&mut self) {
        let here = self.len as u32;
        if self.keep_rows && self.empty_row().is_some() {
            self.put_bytes(&[0x90]);
        } else {
            self.lines.pop_if(|last| last.offset == here && !last.prologue_end);
        }
    }

    /// The row that was marked last, if no code has come since, and it is not the function's own.
    fn empty_row(&self) -> Option<&LineEntry> {
        self.lines.last().filter(|last| last.offset == self.len as u32 && self.lines.len() > 1)
    }

    /// An unwind rule that holds from here on.
    #[inline]
    pub fn cfi(&mut self, op: CfiOp) {
        if self.has_unwind {
            self.cfi.push(CfiEntry { offset: self.len as u32, op });
        }
    }

    /// How many unwind rules there are so far.
    pub fn rule_count(&self) -> u32 {
        self.cfi.len() as u32
    }

    /// The canonical frame address here as the unwind rules give it, register and offset; `None` if
    /// the function has no rules.
    pub fn canonical_frame_address(&self) -> Option<(u16, i64)> {
        let mut now = (7, 8);
        let mut remembered = Vec::new();
        for entry in &self.cfi {
            match entry.op {
                CfiOp::DefCfa(register, offset) => now = (register, offset.into()),
                CfiOp::DefCfaRegister(register) => now.0 = register,
                CfiOp::DefCfaOffset(offset) => now.1 = offset.into(),
                CfiOp::RememberState => remembered.push(now),
                CfiOp::RestoreState => now = remembered.pop().unwrap_or(now),
                _ => {}
            }
        }
        self.has_unwind.then_some(now)
    }

    /// Calls in the code from provisional offset `start` up to here unwind into `landing_pad`.
    pub fn call_site(&mut self, start: u32, landing_pad: Label) {
        self.call_sites.push(OpenCallSite { start, end: self.len as u32, landing_pad });
    }

    /// A relocation of the field at provisional offset `offset`. Fields of
    /// instructions are recorded by the instruction methods themselves.
    pub fn add_reloc(&mut self, offset: u32, kind: RelocKind, symbol: SymbolRef, addend: i64) {
        self.relocs.push(Reloc { offset, kind, symbol, addend });
    }

    /// A 32-bit field at provisional offset `offset` that is to hold target - field address +
    /// addend.
    pub fn add_label_fixup(&mut self, offset: u32, target: Label, addend: i32) {
        self.fixups.push(LabelFixup { offset, target, addend });
    }

    // ---- raw bytes ----

    /// Room for at least [`WINDOW`] more bytes.
    #[inline(always)]
    pub(crate) fn window(&mut self) -> &mut [u8; WINDOW] {
        if self.len + WINDOW > self.bytes.len() {
            self.grow(WINDOW);
        }
        // The slice has exactly WINDOW bytes.
        (&mut self.bytes[self.len..self.len + WINDOW]).try_into().expect("window size")
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let new_len = (self.bytes.len() * 2).max(self.len + more + WINDOW);
        self.bytes.resize(new_len, 0);
    }

    /// Appends bytes as they are (instructions encoded elsewhere).
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        if self.len + bytes.len() + WINDOW > self.bytes.len() {
            self.grow(bytes.len());
        }
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Overwrites bytes at provisional offset `offset`, which must lie before the function's first
    /// branch or alignment (a prologue whose frame size is known at the end).
    pub fn patch(&mut self, offset: u32, bytes: &[u8]) {
        self.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
    }

    /// Appends bytes that are data among the instructions.
    pub fn put_data(&mut self, bytes: &[u8]) {
        let start = self.len as u32;
        self.put_bytes(bytes);
        match self.data_ranges.last_mut() {
            Some(last) if last.1 == start => last.1 = self.len as u32,
            _ => self.data_ranges.push((start, self.len as u32)),
        }
    }

    /// Pads with no-op instructions to a multiple of `align` bytes, unless that takes more than
    /// `max_skip`.
    pub fn align(&mut self, align: u32, max_skip: u32) {
        self.align_with(align, max_skip, None);
    }

    /// As [`Self::align`], filling with `fill` if given.
    pub fn align_with(&mut self, align: u32, max_skip: u32, fill: Option<u8>) {
        debug_assert!(align.is_power_of_two());
        self.align = self.align.max(align);
        let offset = self.len as u32;
        let len = relax::padding(offset, align, max_skip);
        self.aligns.push(Align { offset, len, align, max_skip, fill, branches_before: self.branches.len() as u32 });
        if self.len + len as usize + WINDOW > self.bytes.len() {
            self.grow(len as usize);
        }
        relax::fill(&mut self.bytes[self.len..self.len + len as usize], fill);
        self.len += len as usize;
    }

    /// How many alignment requests there are: the number of the next one.
    pub fn next_align(&self) -> usize {
        self.aligns.len()
    }

    /// Turns alignment request `number`, and a second one at the same place, into one that keeps
    /// the code from there to here within a line of 32 or 64 bytes, the smallest it fits into:
    /// padding of at most its length less one is just what code that would cross a border needs.
    /// Code of two or three lines is kept from reaching into one more, where that takes at most
    /// [`MAX_PADDING`] bytes, and stays as it was aligned where it does not. Longer code, and a
    /// function where that makes no difference, is left alone.
    pub fn keep_together(&mut self, number: usize) {
        let first = self.aligns[number];
        let second = self.aligns.get(number + 1).filter(|a| a.offset == first.offset + first.len).copied();
        let Align { offset, len, branches_before, .. } = second.unwrap_or(first);
        let start = offset + len;
        // Branches to what is not placed yet may become long.
        let branches = &self.branches[branches_before as usize..];
        let open = branches.iter().filter(|b| !b.long && self.labels[b.target.0 as usize] == UNPLACED).count() as u32;
        let size = self.len as u32 - start + open * LONG_GROWTH;
        if size == 0 {
            return;
        }
        let longest = LINES[LINES.len() - 1];
        let line = LINES.into_iter().find(|&line| size <= line).unwrap_or(longest);
        let max_skip = (size - 1) % line;
        let aligned_does = max_skip < first.align;
        if size > longest * MAX_LINES || (size > longest && (aligned_does || max_skip > MAX_PADDING)) {
            return;
        }
        if second.is_some() {
            (self.aligns[number + 1].align, self.aligns[number + 1].max_skip) = (1, 0);
        }
        (self.aligns[number].align, self.aligns[number].max_skip) = (line, max_skip);
        self.align = self.align.max(line);
        self.realigned = true;
    }

    /// Writes a branch instruction to a label; `condition` is a condition code or [`ALWAYS`].
    #[inline]
    pub(crate) fn branch(&mut self, condition: u8, target: Label) {
        let offset = self.len as u32;
        let position = self.labels[target.0 as usize];
        // Too far back for a byte: write the long form now and spare the move.
        let long = position != UNPLACED && i64::from(position) - i64::from(offset) - 2 < -128;
        self.branches.push(Branch { offset, target, condition, long });
        let head: [u8; 2] = match (long, condition) {
            (false, ALWAYS) => [0xeb, 0],
            (false, cc) => [0x70 | cc, 0],
            (true, ALWAYS) => [0xe9, 0],
            (true, cc) => [0x0f, 0x80 | cc],
        };
        let window = self.window();
        window[..2].copy_from_slice(&head);
        self.len += relax::branch_len(condition, long) as usize;
    }
}
