//! The end of a function: its branches get their final sizes, its label fields are filled in, and
//! everything that was recorded by provisional offset moves along.

use super::{CodeBuffer, UNPLACED, WINDOW};
use crate::{
    function_code::{CallSite, FunctionCode, Padding},
    relax::{ALWAYS, Item, Kind, Scratch, branch_len, fill, place, settle},
};

impl CodeBuffer {
    /// Ends the function: relaxes branches, fills in label fields, and moves the result to `out`
    /// (whose allocations are reused).
    ///
    /// # Panics
    /// If a label that is used was never placed (a fault of the caller).
    pub fn finish(&mut self, out: &mut FunctionCode) {
        out.clear();
        let moves = relax(self);
        out.symbol = self.symbol;
        out.entry = self.entry;
        out.patch_area = self.patch_area;
        out.align = self.align;
        out.placement = self.placement;
        out.has_unwind = self.has_unwind;
        out.relocs.append(&mut self.relocs);
        out.extras.append(&mut self.extras);
        out.cfi.append(&mut self.cfi);
        out.lines.append(&mut self.lines);
        out.pieces.append(&mut self.pieces);
        out.definitions.append(&mut self.definitions);
        out.numbered.append(&mut self.numbered);
        out.statements.append(&mut self.statements);
        out.exported_labels.append(&mut self.exported_labels);
        out.data_ranges.append(&mut self.data_ranges);
        out.call_sites.extend(self.call_sites.iter().map(|site| CallSite {
            start: site.start,
            end: site.end,
            landing_pad: site.landing_pad,
        }));
        if moves {
            self.move_marks(out);
        }
        out.code.extend_from_slice(&self.bytes[..self.len]);
        out.labels.extend_from_slice(&self.labels);
        patch(self, &mut out.code);
        out.branches.extend(self.branches.iter().map(|b| b.offset));
        out.paddings.extend(self.aligns.iter().map(|a| Padding {
            offset: a.offset,
            len: a.len,
            align: a.align,
            max_skip: a.max_skip,
        }));
    }

    /// As [`Self::finish`], into a new value.
    pub fn take(&mut self) -> FunctionCode {
        let mut out = FunctionCode::default();
        self.finish(&mut out);
        out
    }

    /// Moves everything that was recorded by provisional offset to its final place.
    fn move_marks(&mut self, out: &mut FunctionCode) {
        let relaxer = &self.relaxer;
        let mut cursor = relaxer.cursor();
        out.relocs.sort_by_key(|r| r.offset);
        for reloc in &mut out.relocs {
            reloc.offset = cursor.map(reloc.offset);
        }
        let mut cursor = relaxer.cursor();
        for entry in &mut out.cfi {
            entry.offset = cursor.map(entry.offset);
        }
        let mut cursor = relaxer.cursor();
        for entry in &mut out.lines {
            entry.offset = cursor.map(entry.offset);
        }
        let mut cursor = relaxer.cursor();
        for range in &mut out.data_ranges {
            *range = (cursor.map(range.0), cursor.map(range.1));
        }
        for site in &mut out.call_sites {
            site.start = relaxer.map(site.start);
            site.end = relaxer.map(site.end);
        }
    }
}

/// Lays the function out. Returns whether anything moved; the buffer's bytes,
/// labels, branches, alignments and fixups are in their final places then, and
/// its scratch maps old offsets to new ones.
fn relax(buffer: &mut CodeBuffer) -> bool {
    if fits_as_is(buffer) {
        return false;
    }
    let mut scratch = std::mem::take(&mut buffer.relaxer);
    collect_items(buffer, &mut scratch);
    settle(&mut scratch.items);
    apply(buffer, &mut scratch);
    buffer.relaxer = scratch;
    true
}

/// Whether the provisional layout is final: every short branch reaches its
/// target. With alignments, a branch written long early means that the first
/// layout `as` would look at is another one; that needs the full procedure.
fn fits_as_is(buffer: &CodeBuffer) -> bool {
    let has_aligns = !buffer.aligns.is_empty();
    !buffer.realigned
        && buffer.branches.iter().all(|branch| {
            if branch.long {
                return !has_aligns;
            }
            let target = buffer.labels[branch.target.0 as usize];
            assert!(target != UNPLACED, "branch to label {} which has no position", branch.target.0);
            (-128..=127).contains(&(i64::from(target) - i64::from(branch.offset) - 2))
        })
}

fn collect_items(buffer: &CodeBuffer, scratch: &mut Scratch) {
    scratch.items.clear();
    let mut aligns = buffer.aligns.iter().peekable();
    let mut previous_end = 0;
    let mut push = |old_start: u32, old_len: u32, len: u32, kind: Kind| {
        let fixed = old_start - previous_end;
        previous_end = old_start + old_len;
        scratch.items.push(Item { old_start, old_len, start: 0, len, fixed, region: 0, kind });
    };
    for index in 0..=buffer.branches.len() {
        while let Some(align) = aligns.next_if(|a| a.branches_before as usize == index) {
            let kind = Kind::Align { align: align.align, max_skip: align.max_skip, fill: align.fill };
            push(align.offset, align.len, 0, kind);
        }
        if let Some(branch) = buffer.branches.get(index) {
            let kind =
                Kind::Branch { condition: branch.condition, long: false, word: false, target_item: 0, target_rest: 0 };
            push(branch.offset, branch_len(branch.condition, branch.long), 2, kind);
        }
    }
    locate_targets(buffer, scratch);
    place(&mut scratch.items);
}

fn locate_targets(buffer: &CodeBuffer, scratch: &mut Scratch) {
    let mut branches = buffer.branches.iter();
    for i in 0..scratch.items.len() {
        let Kind::Branch { condition, long, .. } = scratch.items[i].kind else { continue };
        let branch = branches.next().expect("one item per branch");
        let target = buffer.labels[branch.target.0 as usize];
        assert!(target != UNPLACED, "branch to label {} which has no position", branch.target.0);
        let (after, rest) = scratch.locate(target);
        scratch.items[i].kind =
            Kind::Branch { condition, long, word: false, target_item: after as u32, target_rest: i64::from(rest) };
    }
}

/// Copies the bytes to their final places and updates everything kept by offset.
fn apply(buffer: &mut CodeBuffer, scratch: &mut Scratch) {
    let mut bytes = std::mem::take(&mut scratch.bytes);
    bytes.clear();
    let mut old = 0;
    let (mut branch, mut align) = (0, 0);
    for item in &scratch.items {
        bytes.extend_from_slice(&buffer.bytes[old as usize..item.old_start as usize]);
        old = item.old_start + item.old_len;
        let start = bytes.len();
        debug_assert_eq!(start, item.start as usize);
        bytes.resize(start + item.len as usize, 0);
        match item.kind {
            Kind::Align { fill: byte, .. } => {
                fill(&mut bytes[start..], byte);
                let entry = &mut buffer.aligns[align];
                (entry.offset, entry.len) = (item.start, item.len);
                align += 1;
            }
            Kind::Branch { condition, long, .. } => {
                write_branch_opcode(&mut bytes[start..], condition, long);
                let entry = &mut buffer.branches[branch];
                (entry.offset, entry.long) = (item.start, long);
                branch += 1;
            }
            Kind::Opaque => {}
        }
    }
    bytes.extend_from_slice(&buffer.bytes[old as usize..buffer.len]);
    buffer.len = bytes.len();
    bytes.resize(buffer.len + WINDOW, 0);
    std::mem::swap(&mut bytes, &mut buffer.bytes);
    scratch.bytes = bytes;
    let mut cursor = scratch.cursor();
    for fixup in &mut buffer.fixups {
        fixup.offset = cursor.map(fixup.offset);
    }
    let mut cursor = scratch.cursor();
    for label in &mut buffer.labels {
        if *label != UNPLACED {
            *label = cursor.map(*label);
        }
    }
}

fn write_branch_opcode(out: &mut [u8], condition: u8, long: bool) {
    match (long, condition) {
        (false, ALWAYS) => out[0] = 0xeb,
        (false, cc) => out[0] = 0x70 | cc,
        (true, ALWAYS) => out[0] = 0xe9,
        (true, cc) => {
            out[0] = 0x0f;
            out[1] = 0x80 | cc;
        }
    }
}

/// Fills in displacements of branches and label fields.
fn patch(buffer: &CodeBuffer, code: &mut [u8]) {
    for branch in &buffer.branches {
        let target = buffer.labels[branch.target.0 as usize];
        assert!(target != UNPLACED, "branch to label {} which has no position", branch.target.0);
        let end = branch.offset + branch_len(branch.condition, branch.long);
        let distance = target.wrapping_sub(end);
        if branch.long {
            code[end as usize - 4..end as usize].copy_from_slice(&distance.to_le_bytes());
        } else {
            code[end as usize - 1] = distance as u8;
        }
    }
    for fixup in &buffer.fixups {
        let target = buffer.labels[fixup.target.0 as usize];
        assert!(target != UNPLACED, "reference to label {} which has no position", fixup.target.0);
        let value = target.wrapping_sub(fixup.offset).wrapping_add_signed(fixup.addend);
        let at = fixup.offset as usize;
        code[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}
