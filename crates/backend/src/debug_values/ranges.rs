//! Ranges of code in which variables are found, from the changes of their places and the offsets of
//! the labels that emission put there.

use ir::{Constant, Extend, Fragment, Function, Linear, Opcode, Value};
use object::function_code::{
    Label, LinearPlace, ValuePiece, ValuePlace, ValueRange, VariableLocation, VariableValues, Widening,
};
use platform::debug_steps::Step;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::flow::Places;
use super::state::{Found, Spot};
use crate::frame::Frame;
use crate::machine::{Base, Computed, MachineFunction, Source};

/// The DWARF number after those of general registers.
const LAST_INTEGER: u16 = 16;

/// Where emission put the code.
#[derive(Default)]
pub struct Emitted {
    /// Blocks in the order of their code, with the label of each.
    pub blocks: Vec<(u32, Label)>,
    /// The label before each instruction at which something changes, ascending by instruction.
    pub marks: Vec<(u32, Label)>,
    /// Calls by block and instruction, with the label after each.
    pub calls: Vec<(u32, u32, Label)>,
    /// After the last block.
    pub end: Option<Label>,
}

/// The instructions that need a label, ascending.
pub fn positions(places: &Places) -> Vec<u32> {
    let mut all: Vec<u32> = places.changes.iter().flatten().map(|change| change.at).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A stretch of code in which one key is in one place.
struct Stretch {
    key: usize,
    begin: u32,
    end: u32,
    found: Found,
}

/// The ranges of every variable, by number. `memory` lists parts of variables that stay in memory.
pub fn ranges(
    (func, mf): (&Function, &MachineFunction),
    frame: &Frame,
    places: &Places,
    emitted: &Emitted,
    offset: impl Fn(Label) -> u32,
    memory: &[(u32, Fragment, VariableLocation)],
) -> Vec<VariableValues> {
    let Some(end) = emitted.end else { return Vec::new() };
    let end = offset(end);
    let mut pieces: Vec<(u32, u32, u32, ValuePiece)> = Vec::new();
    let (parts, all): (Vec<Stretch>, Vec<Stretch>) =
        stretches(places, emitted, &offset, end).into_iter().partition(|s| places.keys[s.key].0 >= first_part(func));
    let mut by_part: FxHashMap<u32, Vec<Stretch>> = FxHashMap::default();
    for part in parts {
        by_part.entry(places.keys[part.key].0).or_default().push(part);
    }
    let computer = Computer { func, mf, frame, parts: by_part };
    for stretch in all {
        let (variable, fragment) = places.keys[stretch.key];
        let fragment = fragment.map(|f| (f.offset, f.size));
        let mut add = |begin, end, place| pieces.push((variable, begin, end, ValuePiece { fragment, place }));
        if let Spot::Computed(index) = stretch.found.spot {
            computer.each(&stretch, &mf.computed[index as usize], add);
        } else if let Some(place) = found_place((func, mf), frame, stretch.found) {
            add(stretch.begin, stretch.end, place);
        }
    }
    for &(variable, fragment, location) in memory {
        let piece =
            ValuePiece { fragment: Some((fragment.offset, fragment.size)), place: ValuePlace::Memory(location) };
        pieces.push((variable, 0, end, piece));
    }
    pieces.sort_by_key(|p| (p.0, p.3.fragment, p.1));
    pieces.chunk_by(|a, b| a.0 == b.0).map(|of| VariableValues { variable: of[0].0, ranges: joined(of) }).collect()
}

fn first_part(func: &Function) -> u32 {
    func.debug.as_ref().map_or(u32::MAX, |debug| debug.variables.len() as u32)
}

/// Finds what variables are computed from.
struct Computer<'a> {
    func: &'a Function,
    mf: &'a MachineFunction,
    frame: &'a Frame,
    /// By number.
    parts: FxHashMap<u32, Vec<Stretch>>,
}

impl Computer<'_> {
    /// The stretches in which all that a variable is computed from is somewhere.
    fn each(&self, of: &Stretch, computed: &Computed, mut add: impl FnMut(u32, u32, ValuePlace)) {
        let sources = computed.steps.iter().filter_map(|step| match step {
            Step::Place(Source::Part(part), _) => self.parts.get(part),
            _ => None,
        });
        let mut borders: Vec<u32> = sources.flatten().flat_map(|s| [s.begin, s.end]).collect();
        borders.extend([of.begin, of.end]);
        borders.retain(|&at| of.begin <= at && at <= of.end);
        borders.sort_unstable();
        borders.dedup();
        for range in borders.windows(2) {
            let steps = computed.steps.iter().map(|step| step.placed(|source| self.place(*source, range[0])));
            if let Some(steps) = steps.collect::<Option<Vec<_>>>() {
                add(range[0], range[1], ValuePlace::Computed(steps.into()));
            }
        }
    }

    fn place(&self, source: Source, at: u32) -> Option<ValuePlace> {
        let place = match source {
            Source::Constant(value) => constant((self.func, self.mf), self.frame, value),
            Source::Part(part) => {
                let found = self.parts.get(&part)?.iter().find(|s| s.begin <= at && at < s.end)?.found;
                found_place((self.func, self.mf), self.frame, found)
            }
        };
        place.filter(|place| !matches!(place, ValuePlace::Bytes(_) | ValuePlace::Register(LAST_INTEGER..)))
    }
}

fn stretches(places: &Places, emitted: &Emitted, offset: impl Fn(Label) -> u32, end: u32) -> Vec<Stretch> {
    if places.keys.is_empty() {
        return Vec::new();
    }
    let mut open = Open { current: vec![(0, Found::NOWHERE); places.keys.len()], out: Vec::new() };
    // The variables that are anywhere, some of them no more.
    let mut listed: Vec<u32> = Vec::new();
    for &(block, label) in &emitted.blocks {
        // The prologue changes nothing that holds a variable.
        let at = if block == 0 { 0 } else { offset(label) };
        let starts = &places.starts[block as usize];
        for &key in &listed {
            if starts.binary_search_by_key(&key, |start| start.0).is_err() {
                open.change(key, at, Found::NOWHERE);
            }
        }
        listed.clear();
        for &(key, found) in starts {
            open.change(key, at, found);
            listed.push(key);
        }
        for c in &places.changes[block as usize] {
            let found = emitted.marks.binary_search_by_key(&c.at, |m| m.0);
            let at = found.map_or(end, |found| offset(emitted.marks[found].1));
            // The return address is where a debugger looks for the state during the call.
            open.change(c.key, at - u32::from(c.by_call), c.found);
            listed.push(c.key);
        }
        listed.sort_unstable();
        listed.dedup();
    }
    for key in listed {
        open.change(key, end, Found::NOWHERE);
    }
    open.out
}

/// Stretches that have begun, and those that have ended.
struct Open {
    current: Vec<(u32, Found)>,
    out: Vec<Stretch>,
}

impl Open {
    fn change(&mut self, key: u32, at: u32, found: Found) {
        let current = &mut self.current[key as usize];
        if current.1 == found {
            return;
        }
        let (begin, before) = std::mem::replace(current, (at, found));
        if before != Found::NOWHERE && begin < at {
            self.out.push(Stretch { key: key as usize, begin, end: at, found: before });
        }
    }
}

/// The code that places are in, before and after selection.
type Code<'a> = (&'a Function, &'a MachineFunction);

fn found_place(code: Code<'_>, frame: &Frame, found: Found) -> Option<ValuePlace> {
    let of = value_place(code, frame, found.spot)?;
    let Linear { extend, scale, offset } = found.linear;
    match of {
        of if found.linear.is_identity() => Some(of),
        ValuePlace::Integer(number) => Some(ValuePlace::Integer(found.linear.of(number))),
        ValuePlace::Address(symbol, base) if extend == Extend::Any && scale == 1 => {
            Some(ValuePlace::Address(symbol, base.wrapping_add(offset)))
        }
        ValuePlace::FrameAddress(base) if extend == Extend::Any && scale == 1 => {
            Some(ValuePlace::FrameAddress(base.wrapping_add(offset)))
        }
        ValuePlace::Linear(at) if extend == Extend::Any && scale == 1 => {
            Some(ValuePlace::Linear(Box::new(LinearPlace { offset: at.offset.wrapping_add(offset), ..*at })))
        }
        of @ (ValuePlace::Register(_) | ValuePlace::Memory(_) | ValuePlace::Entry(_)) => {
            let widening = match extend {
                Extend::Any => Widening::None,
                Extend::Zero(bits) => Widening::Zero(bits),
                Extend::Sign(bits) => Widening::Sign(bits),
            };
            let bytes = found.bytes;
            Some(ValuePlace::Linear(Box::new(LinearPlace { of, bytes, widening, scale, offset })))
        }
        _ => None,
    }
}

fn value_place(code: Code<'_>, frame: &Frame, spot: Spot) -> Option<ValuePlace> {
    match spot {
        Spot::Nowhere | Spot::Computed(_) => None,
        Spot::Register(reg) => Some(ValuePlace::Register(reg.dwarf())),
        Spot::Slot(slot) => {
            let (register, offset) = frame.resolve(Base::Spill(slot));
            let offset = i32::try_from(offset).ok()?;
            Some(ValuePlace::Memory(VariableLocation { register: Some(register.dwarf()), offset, indirect: false }))
        }
        Spot::Constant(value) => constant(code, frame, value),
        Spot::Incoming(offset) => Some(ValuePlace::Memory(VariableLocation::frame(offset))),
        Spot::Entry(reg) => Some(ValuePlace::Entry(reg.dwarf())),
    }
}

fn constant((func, mf): Code<'_>, frame: &Frame, value: Value) -> Option<ValuePlace> {
    if let Some(inst) = func.def_inst(value) {
        // The address of an object in the frame, or of the arguments above it.
        if func.insts[inst].opcode != Opcode::Alloca {
            return Some(ValuePlace::FrameAddress(0));
        }
        let (register, offset) = frame.resolve(mf.slot_of(inst)?);
        let of = ValuePlace::Register(register.dwarf());
        return Some(ValuePlace::Linear(Box::new(LinearPlace {
            of,
            bytes: 8,
            widening: Widening::None,
            scale: 1,
            offset,
        })));
    }
    let ty = func.value_type(value);
    match func.constant(value)? {
        Constant::Symbol(symbol, offset) => Some(ValuePlace::Address(symbol.as_u32(), *offset)),
        Constant::Vector(bytes) => Some(ValuePlace::Bytes(bytes.clone())),
        Constant::Bits(_) if (ty.is_int() || ty.is_ptr()) && ty.bits() <= 64 => {
            Some(ValuePlace::Integer(func.const_i64(value)?))
        }
        Constant::Bits(bits) => {
            let size = ty.store_size() as usize;
            Some(ValuePlace::Bytes(bits.to_le_bytes().get(..size)?.into()))
        }
    }
}

/// The pieces of one variable, which may overlap in the code, as ranges that do not.
fn joined(pieces: &[(u32, u32, u32, ValuePiece)]) -> Vec<ValueRange> {
    let mut borders: Vec<u32> = pieces.iter().flat_map(|p| [p.1, p.2]).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut out: Vec<ValueRange> =
        borders.windows(2).map(|w| ValueRange { begin: w[0], end: w[1], pieces: SmallVec::new() }).collect();
    for (_, begin, end, piece) in pieces {
        let first = borders.partition_point(|b| b < begin);
        for range in out[first..].iter_mut().take_while(|r| r.begin < *end) {
            range.pieces.push(piece.clone());
        }
    }
    out.retain(|r| !r.pieces.is_empty());
    out.dedup_by(|next, range| {
        let same = range.end == next.begin && range.pieces == next.pieces;
        if same {
            range.end = next.end;
        }
        same
    });
    out.shrink_to_fit();
    out
}
