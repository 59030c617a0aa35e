//! Shuffles of vectors: one or two instructions per register for the common patterns, through
//! memory otherwise.

use std::cmp::Ordering;

use ir::{Inst, InstData, Type, Value, shuffles::Lanes};
use object::{
    Size,
    encode::{Sse, Vex, sse::SseShift},
};

use super::{
    context::Ctx,
    memory::{load_value, push_xmm_rm, xmm_rm},
    vector_lanes::{spill, vector_slot},
};
use crate::machine::{MInst, VReg};

/// Bytes of a register.
const REGISTER: u32 = 16;

/// `shuffle`.
pub fn select_shuffle(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = data.ty;
    let source = cx.ty(a);
    let mask: Vec<u32> = cx.func.shuffle_masks[data.mask_index()].to_vec();
    if cx.whole {
        return select_whole(cx, inst, (a, b), Lanes::of(&mask).expect("checked"));
    }
    if let Some(half) = half_of(source, ty, &mask) {
        let part = cx.part_of(if half < 2 { a } else { b }, half % 2);
        let dst = cx.result(cx.func.first_result(inst));
        return cx.copy(dst, part);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    if shuffle_parts(cx, source, ty, &mask, dst, x, y) {
        return;
    }
    let bytes = ty.lane().store_size();
    let (from_a, from_b) = (spill(cx, source, x), spill(cx, source, y));
    let out = vector_slot(cx, ty);
    let size = Size::from_bytes(bytes.min(8));
    for (lane, &pick) in mask.iter().enumerate() {
        if pick == u32::MAX {
            continue;
        }
        let (slot, index) = if pick < source.lanes() { (from_a, pick) } else { (from_b, pick - source.lanes()) };
        let mut done = 0;
        while done < bytes {
            let reg = cx.in_gpr(|cx, dst| cx.load_gpr(size, dst, slot.offset((index * bytes + done) as i32)));
            cx.store_gpr(size, out.offset((lane as u32 * bytes + done) as i32), reg);
            done += size.bytes();
        }
    }
    load_value(cx, ty, dst, out, 16);
}

/// 32 bytes from `start` on of two whole registers: the halves in the middle are put together.
fn select_window(cx: &mut Ctx, inst: Inst, (a, b): (Value, Value), start: u32) {
    let (x, y, middle) = (cx.reg(a), cx.reg(b), cx.temp_xmm());
    let dst = cx.result(cx.func.first_result(inst));
    cx.vex(Vex::Vperm2i128, middle, x, y, 0x21);
    match start.cmp(&REGISTER) {
        Ordering::Less => cx.vex(Vex::Vpalignr, dst, middle, x, start as u8),
        Ordering::Equal => cx.copy(dst, middle),
        Ordering::Greater => cx.vex(Vex::Vpalignr, dst, y, middle, (start - REGISTER) as u8),
    }
}

/// A shuffle on whole registers: within 16 bytes, and then one that puts the parts in order.
fn select_whole(cx: &mut Ctx, inst: Inst, (a, b): (Value, Value), lanes: Lanes) {
    let bytes = cx.ty(a).lane().store_size();
    if let Lanes::Window(start) = lanes {
        return select_window(cx, inst, (a, b), start * bytes);
    }
    let (narrow, mixed) = (bytes == 4, cx.temp_wide());
    if lanes == Lanes::Reverse {
        let dst = cx.result(cx.func.first_result(inst));
        let from = xmm_rm(cx, a, 32);
        let (to, order) = if narrow { (mixed, 0x4e) } else { (dst, 0x1b) };
        push_xmm_rm(cx, MInst::vex(Vex::Vpermpd, Size::D).dst(to).imm(order), from, true);
        if narrow {
            cx.vex(Vex::Vshufps, dst, mixed, mixed, 0x1b);
        }
        return;
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    let (op, second, picks, order) = match lanes {
        Lanes::EverySecond(low, high) if narrow => (Vex::Vshufps, y, 0x88 + low * 5 + high * 0x50, 0xd8),
        Lanes::EverySecond(low, high) => (Vex::Vshufpd, y, (low + 2 * high) * 5, 0xd8),
        Lanes::Reverse | Lanes::Window(_) => base::bug!("selected before"),
        Lanes::InTurn { upper } => {
            let other = cx.temp_wide();
            cx.vex(if narrow { Vex::Vunpcklps } else { Vex::Vunpcklpd }, mixed, x, y, 0);
            cx.vex(if narrow { Vex::Vunpckhps } else { Vex::Vunpckhpd }, other, x, y, 0);
            return cx.vex(Vex::Vperm2f128, dst, mixed, other, if upper { 0x31 } else { 0x20 });
        }
    };
    cx.vex(op, mixed, x, second, picks);
    cx.vex(Vex::Vpermpd, dst, VReg::NONE, mixed, order);
}

/// Which half of two 32-byte vectors the result is, counted from the first's lower one.
fn half_of(source: Type, ty: Type, mask: &[u32]) -> Option<usize> {
    let lanes = mask.len() as u32;
    if source.store_size() != 32 || ty.store_size() != 16 {
        return None;
    }
    let (at, &pick) = mask.iter().enumerate().find(|pick| *pick.1 != u32::MAX)?;
    let start = pick.checked_sub(at as u32).filter(|start| start.is_multiple_of(lanes))?;
    let all = mask.iter().enumerate().all(|(at, &pick)| pick == u32::MAX || pick == start + at as u32);
    all.then_some((start / lanes) as usize)
}

/// One register of the result: from at most two registers of the sources, and the lanes picked from
/// those.
struct Part {
    first: VReg,
    second: VReg,
    picks: Vec<u32>,
}

/// Register by register, if each comes from two and has a pattern. Nothing is emitted otherwise.
fn shuffle_parts(cx: &mut Ctx, source: Type, ty: Type, mask: &[u32], dst: VReg, x: VReg, y: VReg) -> bool {
    let bytes = source.lane().store_size();
    if bytes > 8 {
        return false;
    }
    let (source_parts, parts) = (cx.parts(source), cx.parts(ty));
    let lanes = source.lanes().min(REGISTER / bytes);
    let register = source.lane().vector(lanes);
    let per_part = mask.len() / parts;
    let mut plan: Vec<Part> = Vec::new();
    for picks in mask.chunks(per_part) {
        let Some(part) = part(source_parts, lanes, picks, x, y) else { return false };
        if lanes < 2 || pattern(register, &part.picks).is_none() {
            return false;
        }
        plan.push(part);
    }
    // The result may share registers with a source: nothing is written before all is read.
    let done: Vec<VReg> = plan
        .iter()
        .map(|part| {
            let out = cx.temp_xmm();
            let pattern = pattern(register, &part.picks).expect("checked");
            emit(cx, pattern, out, part.first, part.second);
            out
        })
        .collect();
    for (index, out) in done.into_iter().enumerate() {
        cx.copy(dst.part(index), out);
    }
    true
}

fn part(source_parts: usize, lanes: u32, picks: &[u32], x: VReg, y: VReg) -> Option<Part> {
    let mut used: Vec<usize> = Vec::new();
    for &pick in picks.iter().filter(|&&p| p != u32::MAX) {
        let from = (pick / lanes) as usize;
        if !used.contains(&from) {
            used.push(from);
        }
    }
    used.sort_unstable();
    if used.len() > 2 {
        return None;
    }
    let register = |from: usize| if from < source_parts { x.part(from) } else { y.part(from - source_parts) };
    let first = used.first().copied().unwrap_or(0);
    let second = used.get(1).copied().unwrap_or(first);
    let mapped = picks.iter().map(|&pick| match pick {
        u32::MAX => u32::MAX,
        pick if (pick / lanes) as usize == first => pick % lanes,
        pick => pick % lanes + lanes,
    });
    Some(Part { first: register(first), second: register(second), picks: mapped.collect() })
}

/// An instruction that picks lanes of two registers; the flags say whether the second one takes a
/// place.
enum Pattern {
    /// The first, as it is.
    Copy,
    /// `punpck`.
    Interleave(Sse, bool, bool),
    /// `pshufd` of the first, where there is only one.
    Dwords(u8),
    /// `shufps` of two.
    Halves(bool, bool, u8),
    /// The lowest 4 or 8 bytes of one register, the others of the other, which is the second if the
    /// flag is set.
    Lowest(Sse, bool),
    /// Any 4-byte lanes: pairs that are of both registers are brought into one first.
    Pairs([u32; 4]),
    /// `pshuflw` and `pshufhw` of the first.
    Words(u8, u8),
    /// The first shifted down by bytes; what stays above does not matter.
    Down(u8),
}

fn emit(cx: &mut Ctx, pattern: Pattern, dst: VReg, x: VReg, y: VReg) {
    let pick = |second: bool| if second { y } else { x };
    match pattern {
        Pattern::Copy => cx.copy(dst, x),
        Pattern::Interleave(op, first, second) => cx.xmm(op, dst, pick(first), pick(second)),
        Pattern::Dwords(selector) => cx.xmm_un_imm(Sse::Pshufd, dst, x, selector),
        Pattern::Halves(low, high, selector) => cx.xmm_imm(Sse::Shufps, dst, pick(low), pick(high), selector),
        Pattern::Lowest(op, swapped) => cx.xmm(op, dst, pick(swapped), pick(!swapped)),
        Pattern::Pairs(picks) => pairs(cx, picks, dst, x, y),
        Pattern::Words(low, high) => {
            let half = if low == IN_ORDER { x } else { cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshuflw, dst, x, low)) };
            if high == IN_ORDER { cx.copy(dst, half) } else { cx.xmm_un_imm(Sse::Pshufhw, dst, half, high) }
        }
        Pattern::Down(bytes) => cx.xmm_shift(SseShift::Psrldq, dst, x, bytes),
    }
}

/// The selector that picks 0, 1, 2 and 3.
const IN_ORDER: u8 = 0xe4;

fn selector(picks: [u32; 4]) -> u8 {
    picks.iter().enumerate().fold(0, |s, (i, &p)| s | ((if p == u32::MAX { 0 } else { p & 3 }) as u8) << (2 * i))
}

/// Four lanes of two registers.
fn pairs(cx: &mut Ctx, picks: [u32; 4], dst: VReg, x: VReg, y: VReg) {
    let mut sources = [x, x];
    let mut chosen = picks;
    for (half, source) in sources.iter_mut().enumerate() {
        let (p, q) = (picks[2 * half], picks[2 * half + 1]);
        match (p < 4 || p == u32::MAX, q < 4 || q == u32::MAX) {
            (true, true) => {}
            (false, false) => *source = y,
            (first, _) => {
                // Lanes 0 and 1 of the register made are the first's, 2 and 3 the second's.
                let (of_x, of_y) = if first { (p, q) } else { (q, p) };
                *source = cx.in_xmm(|cx, dst| cx.xmm_imm(Sse::Shufps, dst, x, y, selector([of_x, of_x, of_y, of_y])));
                (chosen[2 * half], chosen[2 * half + 1]) = if first { (0, 2) } else { (2, 0) };
            }
        }
    }
    cx.xmm_imm(Sse::Shufps, dst, sources[0], sources[1], selector(chosen));
}

fn pattern(source: Type, mask: &[u32]) -> Option<Pattern> {
    let defined = || mask.iter().enumerate().filter(|p| *p.1 != u32::MAX);
    if defined().all(|(i, &p)| p == i as u32) {
        return Some(Pattern::Copy);
    }
    if let Some((op, first, second)) = interleave(source, mask) {
        return Some(Pattern::Interleave(op, first, second));
    }
    dword_pattern(source, mask).or_else(|| {
        let (at, &pick) = defined().next()?;
        let by = pick.checked_sub(at as u32)?;
        let down = defined().all(|(i, &p)| p == i as u32 + by && p < source.lanes());
        down.then(|| Pattern::Down((by * source.lane().store_size()) as u8))
    })
}

/// Lane picks of a 16-byte shuffle as 4-byte picks, if it moves whole groups of 4 bytes.
fn dword_mask(source: Type, mask: &[u32]) -> Option<[u32; 4]> {
    let bytes = source.lane().store_size();
    let source_dwords = source.store_size() / 4;
    let mut out = [u32::MAX; 4];
    match bytes {
        4 => {
            for (slot, &pick) in out.iter_mut().zip(mask) {
                *slot = pick;
            }
        }
        8 => {
            for (lane, &pick) in mask.iter().enumerate().take(2) {
                if pick != u32::MAX {
                    out[lane * 2] = pick * 2;
                    out[lane * 2 + 1] = pick * 2 + 1;
                }
            }
        }
        1 | 2 => {
            let group = (4 / bytes) as usize;
            for (slot, picks) in out.iter_mut().zip(mask.chunks(group)) {
                if picks.iter().all(|&p| p == u32::MAX) {
                    continue;
                }
                let first = picks[0];
                let aligned = first != u32::MAX && first % group as u32 == 0;
                let consecutive =
                    picks.iter().enumerate().all(|(i, &p)| p == u32::MAX || p == first.wrapping_add(i as u32));
                if !aligned || !consecutive {
                    return None;
                }
                *slot = first / group as u32;
            }
        }
        _ => return None,
    }
    // Numbering the second source from 4 on.
    if source_dwords < 4 {
        for pick in &mut out {
            if *pick != u32::MAX && *pick >= source_dwords {
                *pick = *pick - source_dwords + 4;
            }
        }
    }
    Some(out)
}

fn dword_pattern(source: Type, mask: &[u32]) -> Option<Pattern> {
    let Some(picks) = dword_mask(source, mask) else { return words(source, mask) };
    if picks.iter().all(|&p| p == u32::MAX || p < 4) {
        return Some(Pattern::Dwords(selector(picks)));
    }
    // Two lanes of one source, then two of the other.
    let half = |at: usize| -> Option<bool> {
        let (p, q) = (picks[at], picks[at + 1]);
        let side = |p: u32| (p != u32::MAX).then_some(p >= 4);
        match (side(p), side(q)) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(a.or(b).unwrap_or(false)),
        }
    };
    let lowest = |first: usize| {
        let swapped = picks[0] == 0;
        let of = |i: usize, second: bool| picks[i] == u32::MAX || picks[i] == i as u32 + 4 * u32::from(second);
        ((0..first).all(|i| of(i, !swapped)) && (first..4).all(|i| of(i, swapped))).then_some(swapped)
    };
    match (half(0), half(2)) {
        _ if let Some(swapped) = lowest(1) => Some(Pattern::Lowest(Sse::Movss, swapped)),
        _ if let Some(swapped) = lowest(2) => Some(Pattern::Lowest(Sse::Movsd, swapped)),
        (Some(low), Some(high)) => Some(Pattern::Halves(low, high, selector(picks))),
        _ => Some(Pattern::Pairs(picks)),
    }
}

/// Words that stay in their half of one register.
fn words(source: Type, mask: &[u32]) -> Option<Pattern> {
    if source.store_size() != 16 || source.lane().store_size() != 2 || mask.len() != 8 {
        return None;
    }
    let half = |from: usize| -> Option<u8> {
        let mut picks = [u32::MAX; 4];
        for (pick, &lane) in picks.iter_mut().zip(&mask[from..]).filter(|pair| *pair.1 != u32::MAX) {
            *pick = lane.checked_sub(from as u32).filter(|&lane| lane < 4)?;
        }
        let any = picks.iter().enumerate().all(|(i, &p)| p == u32::MAX || p == i as u32);
        Some(if any { IN_ORDER } else { selector(picks) })
    };
    Some(Pattern::Words(half(0)?, half(4)?))
}

/// `punpckl`/`punpckh` patterns: lanes of two sources alternate.
fn interleave(source: Type, mask: &[u32]) -> Option<(Sse, bool, bool)> {
    let lanes = source.lanes();
    if source.store_size() != 16 || mask.len() as u32 != lanes {
        return None;
    }
    for (first, second) in [(false, true), (true, false), (false, false), (true, true)] {
        for high in [false, true] {
            let start = if high { lanes / 2 } else { 0 };
            let matches = mask.iter().enumerate().all(|(i, &pick)| {
                let side = if i % 2 == 0 { first } else { second };
                pick == u32::MAX || pick == start + i as u32 / 2 + if side { lanes } else { 0 }
            });
            if matches {
                let op = match (source.lane().store_size(), high) {
                    (1, false) => Sse::Punpcklbw,
                    (1, true) => Sse::Punpckhbw,
                    (2, false) => Sse::Punpcklwd,
                    (2, true) => Sse::Punpckhwd,
                    (4, false) => Sse::Punpckldq,
                    (4, true) => Sse::Punpckhdq,
                    (8, false) => Sse::Punpcklqdq,
                    (8, true) => Sse::Punpckhqdq,
                    _ => return None,
                };
                return Some((op, first, second));
            }
        }
    }
    None
}
