//! Layout: the length of every item, and so the offset of every position.
//!
//! Branches and alignments of each section are laid out by the same procedure as
//! those of compiled functions ([`object::relax`]); spaces, `.org` and LEB128
//! numbers, whose length depends on other lengths, are re-evaluated between runs
//! until nothing changes.

use object::relax::{self, Item as RelaxItem, Kind};

use crate::{
    expression::{Evaluate, Expr, Sym},
    state::{Definition, ItemKind, JumpMode, Layout, Position, State},
};

/// Passes before giving up on lengths that depend on each other in a cycle.
const MAX_PASSES: u32 = 1000;

/// The longest single space accepted, so that a slip of the pen does not exhaust memory.
const MAX_SPACE: i64 = 1 << 32;

/// Lays everything out and keeps the result in the state.
pub(crate) fn run(state: &mut State) {
    let mut layout = Layout { chunk_base: vec![(0, 0); state.chunks.len()], ..Layout::default() };
    for section in 0..state.sections.len() {
        let (mut items, mut fixed) = (0, 0);
        for &chunk in &state.sections[section].chunks {
            layout.chunk_base[chunk as usize] = (items, fixed);
            let data = &state.chunks[chunk as usize];
            items += data.items.len() as u32;
            fixed += data.bytes.len() as u32 + data.zeros as u32;
        }
        layout.sections.push(Vec::new());
        layout.section_fixed.push(fixed);
    }
    for section in 0..state.sections.len() {
        collect(state, &mut layout, section);
    }
    state.layout = Some(layout);
    let dependent: Vec<Vec<Dependent>> = (0..state.sections.len()).map(|s| dependent_items(state, s)).collect();
    let layout = state.layout.as_mut().expect("made above");
    for (section, _) in dependent.iter().enumerate().filter(|(_, items)| items.is_empty()) {
        relax::settle(&mut layout.sections[section]);
    }
    if dependent.iter().all(Vec::is_empty) {
        return;
    }
    let errors = state.errors.len();
    for pass in 0.. {
        let mut changed = false;
        for (section, items) in dependent.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            changed |= sweep(state, section, items);
        }
        if state.errors.len() > errors {
            return;
        }
        if !changed {
            break;
        }
        if pass == MAX_PASSES {
            return state.error("lengths depend on each other and do not settle");
        }
    }
}

/// One pass over a section with lengths that are expressions, in the order and with the
/// half-updated positions of gas (`relax_segment`). Returns whether anything changed size.
fn sweep(state: &mut State, section: usize, dependent: &[Dependent]) -> bool {
    let mut stretch = 0;
    let mut changed = false;
    let mut next = dependent.iter().peekable();
    let mut missed = Vec::new();
    let count = state.layout.as_ref().map_or(0, |layout| layout.sections[section].len());
    for i in 0..count {
        let items = &mut state.layout.as_mut().expect("laid out").sections[section];
        let start = relax::begin_step(items, i, stretch);
        let current = items[i].len;
        let len = match next.next_if(|dependent| dependent.index == i) {
            None => relax::wanted_len(items, i, start, stretch),
            Some(&Dependent { chunk, item, .. }) => match wanted_len(state, chunk, item, u64::from(start)) {
                // A LEB128 number never shrinks again, so that passes end.
                Ok(len) if matches!(state.chunks[chunk as usize].items[item].kind, ItemKind::Leb { .. }) => {
                    len.max(current)
                }
                Ok(len) => len,
                Err(message) => {
                    missed.push((chunk, item, message));
                    current
                }
            },
        };
        let items = &mut state.layout.as_mut().expect("laid out").sections[section];
        changed |= relax::end_step(items, i, len, &mut stretch);
    }
    // What is wrong in the middle may be right at the end.
    if !changed {
        for (chunk, item, message) in missed {
            state.line = state.chunks[chunk as usize].items[item].line;
            state.error(message);
        }
    }
    changed
}

/// The items of a section in the form of the relaxation procedure.
fn collect(state: &State, layout: &mut Layout, section: usize) {
    let mut out: Vec<RelaxItem> = Vec::new();
    let mut last_fixed = 0;
    for &chunk in &state.sections[section].chunks {
        let (_, fixed_base) = layout.chunk_base[chunk as usize];
        for item in &state.chunks[chunk as usize].items {
            let fixed = fixed_base + item.fixed;
            let kind = match &item.kind {
                ItemKind::Branch { condition, target, force_long, mode } => {
                    let word = *mode == JumpMode::Code16;
                    branch_kind(state, layout, section, *condition, target, *force_long, word)
                }
                ItemKind::Align { align, max_skip, fill: _ } => {
                    Kind::Align { align: *align, max_skip: *max_skip, fill: None }
                }
                _ => Kind::Opaque,
            };
            let len = match (&item.kind, &kind) {
                (ItemKind::Branch { condition, mode, .. }, Kind::Opaque) => {
                    relax::long_branch_len(*condition, *mode == JumpMode::Code16)
                }
                (ItemKind::Branch { .. }, _) => 2,
                (ItemKind::Leb { .. }, _) => 1,
                _ => 0,
            };
            out.push(RelaxItem::new(fixed, fixed - last_fixed, len, kind));
            last_fixed = fixed;
        }
    }
    relax::place(&mut out);
    layout.sections[section] = out;
}

/// A branch that layout may shorten, or [`Kind::Opaque`] for one that the linker resolves.
fn branch_kind(
    state: &State,
    layout: &Layout,
    section: usize,
    condition: u8,
    target: &Expr,
    force_long: bool,
    word: bool,
) -> Kind {
    let Some((symbol, position, number)) = local_target(state, target) else { return Kind::Opaque };
    let same = state.section_of(position) as usize == section && !state.keeps_jumps(symbol);
    if !same || force_long {
        return Kind::Opaque;
    }
    let (item_base, fixed_base) = layout.chunk_base[position.chunk as usize];
    let item = item_base + position.items;
    // Fixed bytes from the end of the item before the target to the target.
    let before = fixed_before(state, layout, section, item);
    let rest = i64::from(fixed_base + position.fixed) - i64::from(before) + number;
    Kind::Branch { condition, long: false, word, target_item: item, target_rest: rest }
}

/// Fixed bytes before item number `index - 1` of the section, 0 for the first.
fn fixed_before(state: &State, layout: &Layout, section: usize, index: u32) -> u32 {
    let Some(previous) = index.checked_sub(1) else { return 0 };
    for &chunk in state.sections[section].chunks.iter().rev() {
        let (item_base, fixed_base) = layout.chunk_base[chunk as usize];
        let items = &state.chunks[chunk as usize].items;
        if previous >= item_base && ((previous - item_base) as usize) < items.len() {
            return fixed_base + items[(previous - item_base) as usize].fixed;
        }
    }
    0
}

/// The position a branch goes to, if it is a label of this assembly plus a number.
pub(crate) fn local_target(state: &State, target: &Expr) -> Option<(Sym, Position, i64)> {
    let value = state.evaluate(target).ok()?;
    if value.sub.is_some() || value.modifier.is_some() {
        return None;
    }
    let symbol = value.add?;
    match *state.definition(symbol) {
        Definition::At(position) => Some((symbol, position, value.number)),
        _ => None,
    }
}

/// An item whose length is an expression.
struct Dependent {
    /// Its index among the section's items.
    index: usize,
    chunk: u32,
    /// Its index in the chunk.
    item: usize,
}

fn dependent_items(state: &State, section: usize) -> Vec<Dependent> {
    let layout = state.layout.as_ref().expect("laid out");
    let mut out = Vec::new();
    for &chunk in &state.sections[section].chunks {
        let (base, _) = layout.chunk_base[chunk as usize];
        for (item, data) in state.chunks[chunk as usize].items.iter().enumerate() {
            if matches!(data.kind, ItemKind::Space { .. } | ItemKind::Org { .. } | ItemKind::Leb { .. }) {
                out.push(Dependent { index: base as usize + item, chunk, item });
            }
        }
    }
    out
}

fn wanted_len(state: &State, chunk: u32, item: usize, start: u64) -> Result<u32, String> {
    let section = state.chunks[chunk as usize].section;
    match &state.chunks[chunk as usize].items[item].kind {
        ItemKind::Space { count, unit, .. } => {
            let count = state.absolute(count)?.max(0);
            match count.checked_mul(i64::from(*unit)) {
                Some(bytes) if bytes < MAX_SPACE => Ok(bytes as u32),
                _ => Err(format!("space of {count} units is too large")),
            }
        }
        ItemKind::Org { target, .. } => {
            let value = state.evaluate(target)?;
            let target = match (value.add, value.sub) {
                (None, None) => value.number,
                (Some(symbol), None) => match *state.definition(symbol) {
                    Definition::At(at) if state.section_of(at) == section => {
                        let layout = state.layout.as_ref().expect("laid out");
                        layout.offset(state, at) as i64 + value.number
                    }
                    _ => return Err("invalid segment for '.org'".into()),
                },
                _ => return Err("invalid '.org'".into()),
            };
            match target - start as i64 {
                bytes @ 0..MAX_SPACE => Ok(bytes as u32),
                _ => Err("attempt to move .org backwards".into()),
            }
        }
        ItemKind::Leb { value, signed } => {
            let mut bytes = Vec::new();
            encode_leb(&mut bytes, state.absolute(value)?, *signed);
            Ok(bytes.len() as u32)
        }
        ItemKind::Branch { .. } | ItemKind::Align { .. } => Ok(0),
    }
}

/// Appends a LEB128 number.
pub(crate) fn encode_leb(out: &mut Vec<u8>, value: i64, signed: bool) {
    if signed {
        object::frames::sleb(out, value);
    } else {
        object::frames::uleb(out, value as u64);
    }
}

/// The address difference that a relative field needs: offset of `symbol` in its section.
pub(crate) fn symbol_offset(state: &State, symbol: Sym) -> Option<(u32, u64)> {
    match *state.definition(symbol) {
        Definition::At(position) => {
            let layout = state.layout.as_ref()?;
            Some((state.section_of(position), layout.offset(state, position)))
        }
        Definition::Equate(_) => {
            let value = state.symbol_value(symbol, 0).ok()?;
            let (section, offset) = symbol_offset(state, value.add.filter(|&s| s != symbol)?)?;
            Some((section, offset.wrapping_add_signed(value.number)))
        }
        _ => None,
    }
}
