//! Branch relaxation: which branches of a function get a 32-bit displacement.
//!
//! All branches start short and are grown until every displacement fits. Without
//! alignment requests the result is the unique smallest layout. With them it
//! depends on the order of decisions (growing code may shrink padding), so the
//! passes follow GNU `as` (`relax_segment` and `relax_frag` in gas/write.c)
//! step by step: one sweep over the items in order, each moved by the growth
//! seen so far in the sweep, until a sweep changes nothing. Assembling the text
//! of `-S` therefore gives the same bytes.
//!
//! Cost: a sweep is linear in branches plus alignments; the number of sweeps is
//! small in practice and bounded by [`MAX_SWEEPS`], after which everything left
//! is grown (larger, never wrong). A function whose branches all fit, the usual
//! short one, pays one comparison per branch.

/// The condition value of an unconditional branch.
pub(crate) const ALWAYS: u8 = 0xff;

/// Sweeps before the remaining short branches are all grown, so that an
/// adversarial chain (each growth forcing the next) stays linear.
const MAX_SWEEPS: u32 = 100;

/// No-op sequences by length, as GNU `as` emits them for 64-bit code.
const NOPS: [&[u8]; 11] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// No-op sequences by length, as GNU `as` emits them for 16-bit code.
const NOPS_16: [&[u8]; 4] = [&[0x90], &[0x66, 0x90], &[0x8d, 0x74, 0x00], &[0x8d, 0xb4, 0x00, 0x00]];

/// Padding longer than this many of the longest no-ops is jumped over, as `as` does.
const MAX_NOPS_IN_A_ROW: usize = 7;
const MAX_NOPS_IN_A_ROW_16: usize = 2;

/// Length of a branch instruction to a label.
#[inline]
pub fn branch_len(condition: u8, long: bool) -> u32 {
    match (long, condition) {
        (false, _) => 2,
        (true, ALWAYS) => 5,
        (true, _) => 6,
    }
}

/// Length of the long form of a branch; `word` is for a displacement of 16 bits.
#[inline]
pub fn long_branch_len(condition: u8, word: bool) -> u32 {
    branch_len(condition, true) - 2 * u32::from(word)
}

/// Padding needed at `offset` for a multiple of `align`, 0 if more than `max_skip`.
pub fn padding(offset: u32, align: u32, max_skip: u32) -> u32 {
    let needed = offset.wrapping_neg() & (align - 1);
    if needed > max_skip { 0 } else { needed }
}

/// Fills padding with `fill`, or with no-ops.
pub(crate) fn fill(out: &mut [u8], fill: Option<u8>) {
    match fill {
        Some(byte) => out.fill(byte),
        None => fill_nops(out),
    }
}

/// Fills `out` with no-op instructions, longest first.
pub fn fill_nops(out: &mut [u8]) {
    fill_from(out, &NOPS, MAX_NOPS_IN_A_ROW, &[0xe9]);
}

/// The same for 16-bit code.
pub fn fill_nops_16(out: &mut [u8]) {
    fill_from(out, &NOPS_16, MAX_NOPS_IN_A_ROW_16, &[0x66, 0xe9]);
}

/// Fills with no-ops of a table; more than `limit` of the longest are jumped over, with `jump`
/// before a displacement of 32 bits where a short one does not reach.
fn fill_from(mut out: &mut [u8], nops: &[&[u8]], limit: usize, jump: &[u8]) {
    if out.len() / nops.len() > limit {
        let skip = if out.len() - 2 <= 127 {
            out[0] = 0xeb;
            out[1] = (out.len() - 2) as u8;
            2
        } else {
            let skip = jump.len() + 4;
            out[..jump.len()].copy_from_slice(jump);
            let distance = (out.len() - skip) as u32;
            out[jump.len()..skip].copy_from_slice(&distance.to_le_bytes());
            skip
        };
        out = &mut out[skip..];
    }
    while !out.is_empty() {
        let n = out.len().min(nops.len());
        let (now, rest) = out.split_at_mut(n);
        now.copy_from_slice(nops[n - 1]);
        out = rest;
    }
}

/// A branch or an alignment, in order of position, before and after layout.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub(crate) old_start: u32,
    pub(crate) old_len: u32,
    /// Offset after layout.
    pub start: u32,
    /// Length after layout.
    pub len: u32,
    /// Bytes between the previous item's end and this one's start.
    pub(crate) fixed: u32,
    /// Alignments before this item.
    pub(crate) region: u32,
    /// What it is.
    pub kind: Kind,
}

/// What an [`Item`] is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A branch that may grow.
    Branch {
        /// Condition code, or 0xff for an unconditional one.
        condition: u8,
        /// Has its long form.
        long: bool,
        /// The long form has 16 bits (code of 16-bit mode).
        word: bool,
        /// How many items precede the target.
        target_item: u32,
        /// Bytes from the end of the last of them to the target (may be negative for `label - 4`).
        target_rest: i64,
    },
    /// Padding.
    Align {
        /// Alignment in bytes.
        align: u32,
        /// Most bytes it may take.
        max_skip: u32,
        /// Byte to fill with, `None` for no-ops.
        fill: Option<u8>,
    },
    /// Something whose length is decided elsewhere.
    Opaque,
}

/// Working storage, kept from function to function.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) items: Vec<Item>,
    pub(crate) bytes: Vec<u8>,
}

impl Scratch {
    /// The item after which `old` lies, as (its index + 1, bytes after its end).
    pub(crate) fn locate(&self, old: u32) -> (usize, u32) {
        let after = self.items.partition_point(|item| item.is_before(old));
        let end = after.checked_sub(1).map_or(0, |i| self.items[i].old_start + self.items[i].old_len);
        (after, old - end)
    }

    fn end_of(&self, after: usize) -> u32 {
        after.checked_sub(1).map_or(0, |i| self.items[i].start + self.items[i].len)
    }

    /// The final place of provisional offset `old`.
    pub(crate) fn map(&self, old: u32) -> u32 {
        let (after, rest) = self.locate(old);
        self.end_of(after) + rest
    }

    /// A mapper for offsets asked in ascending order.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { scratch: self, after: 0 }
    }
}

impl Item {
    /// An item after `fixed_before` bytes of certain length in all, `gap` of them since the item
    /// before it.
    pub fn new(fixed_before: u32, gap: u32, len: u32, kind: Kind) -> Item {
        Item { old_start: fixed_before, old_len: 0, start: 0, len, fixed: gap, region: 0, kind }
    }

    /// The bytes of certain length before it, for items made by [`Item::new`].
    pub fn fixed_before(&self) -> u32 {
        self.old_start
    }

    /// Whether a mark at `old` comes after this item. A mark where an alignment
    /// had no padding counts as after it: labels of loop heads are placed there.
    #[inline]
    fn is_before(&self, old: u32) -> bool {
        self.old_start < old || (self.old_start == old && self.old_len == 0)
    }
}

/// See [`Scratch::cursor`].
pub(crate) struct Cursor<'a> {
    scratch: &'a Scratch,
    after: usize,
}

impl Cursor<'_> {
    /// The final place of `old`, which is not below the one asked for last.
    pub(crate) fn map(&mut self, old: u32) -> u32 {
        let items = &self.scratch.items;
        while self.after < items.len() && items[self.after].is_before(old) {
            self.after += 1;
        }
        let old_end = self.after.checked_sub(1).map_or(0, |i| items[i].old_start + items[i].old_len);
        match old.checked_sub(old_end) {
            Some(rest) => self.scratch.end_of(self.after) + rest,
            // Not in ascending order after all.
            None => self.scratch.map(old),
        }
    }
}

/// Gives items their first positions: every length as it is, padding as it falls.
pub fn place(items: &mut [Item]) {
    let (mut position, mut region) = (0, 0);
    for item in items {
        item.start = position + item.fixed;
        item.region = region;
        if let Kind::Align { align, max_skip, .. } = item.kind {
            item.len = padding(item.start, align, max_skip);
            region += 1;
        }
        position = item.start + item.len;
    }
}

/// Grows branches until every one reaches its target, from positions given by [`place`].
pub fn settle(items: &mut [Item]) {
    let mut sweeps = 0;
    while sweep(items) {
        sweeps += 1;
        if sweeps == MAX_SWEEPS {
            grow_all(items);
            place(items);
        }
    }
}

/// One pass in the manner of gas; returns whether anything changed size.
fn sweep(items: &mut [Item]) -> bool {
    let mut stretch = 0i64;
    let mut changed = false;
    for i in 0..items.len() {
        let start = begin_step(items, i, stretch);
        let new_len = wanted_len(items, i, start, stretch);
        changed |= end_step(items, i, new_len, &mut stretch);
    }
    changed
}

/// One item's part of a pass: moves it by the growth seen so far and returns its start.
#[inline]
pub fn begin_step(items: &mut [Item], i: usize, stretch: i64) -> u32 {
    let start = items[i].start.wrapping_add_signed(stretch as i32);
    items[i].start = start;
    start
}

/// The length that a branch or an alignment wants in the middle of a pass; others keep theirs.
#[inline]
pub fn wanted_len(items: &mut [Item], i: usize, start: u32, stretch: i64) -> u32 {
    let item = items[i];
    match item.kind {
        Kind::Align { align, max_skip, .. } => padding(start, align, max_skip),
        Kind::Branch { long: true, .. } | Kind::Opaque => item.len,
        Kind::Branch { condition, word, target_item, target_rest, .. } => {
            let target = target_address(items, i, stretch, target_item as usize, target_rest);
            if (-128..=127).contains(&(target - i64::from(start) - 2)) {
                item.len
            } else {
                items[i].kind = Kind::Branch { condition, long: true, word, target_item, target_rest };
                long_branch_len(condition, word)
            }
        }
    }
}

/// Gives the item its length; returns whether that changed.
#[inline]
pub fn end_step(items: &mut [Item], i: usize, new_len: u32, stretch: &mut i64) -> bool {
    let old = std::mem::replace(&mut items[i].len, new_len);
    *stretch += i64::from(new_len) - i64::from(old);
    new_len != old
}

/// Where the target of branch `i` is believed to be in the middle of a sweep.
fn target_address(items: &[Item], i: usize, stretch: i64, target_item: usize, rest: i64) -> i64 {
    let end_of = |after: usize| after.checked_sub(1).map_or(0, |k| i64::from(items[k].start) + i64::from(items[k].len));
    let target = end_of(target_item) + rest;
    // After the branch itself, whose position is the new one already.
    if target_item <= i + 1 || stretch == 0 {
        return target;
    }
    // The target has not been reached in this sweep. Assume it moves as far as
    // the branch did, unless an alignment between them may absorb the growth.
    if stretch < 0 || region_of(items, target_item) == items[i].region {
        target + stretch
    } else if target <= i64::from(items[i].start) {
        // Never let stale positions make a forward branch look backward.
        i64::from(items[i].start) + i64::from(items[i].len)
    } else {
        target
    }
}

/// Alignments before the bytes that precede item `index` (which may be one past the last).
fn region_of(items: &[Item], index: usize) -> u32 {
    match items.get(index) {
        Some(item) => item.region,
        None => {
            let last = items[items.len() - 1];
            last.region + u32::from(matches!(last.kind, Kind::Align { .. }))
        }
    }
}

fn grow_all(items: &mut [Item]) {
    for item in items {
        if let Kind::Branch { long, condition, word, .. } = &mut item.kind {
            *long = true;
            item.len = long_branch_len(*condition, *word);
        }
    }
}
