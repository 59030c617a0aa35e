//! Tests of `moves`.

use super::*;

/// Runs random parallel groups and checks the result by simulation.
#[test]
fn sequences_do_what_the_parallel_group_says() {
    let mut seed = 99u64;
    let mut next = |n: u32| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as u32 % n
    };
    let vregs = vec![
        VRegData { class: RegClass::Gpr, spill_bytes: 8, move_bytes: 8, remat: 7 },
        VRegData { class: RegClass::Xmm, spill_bytes: 16, move_bytes: 16, remat: u32::MAX },
    ];
    for round in 0..20_000 {
        let class = next(2);
        let place = |n: u32| match n {
            0..6 => Allocation::reg(Reg(class as u8 * 16 + n as u8)),
            _ => Allocation::slot(n - 6),
        };
        let count = 1 + next(if round % 10 == 0 { 10 } else { 4 });
        let mut group: Vec<Move> = Vec::new();
        for _ in 0..count {
            let to = place(next(10));
            if group.iter().all(|m| m.to != to) {
                let from = if class == 0 && next(8) == 0 { Allocation::NONE } else { place(next(10)) };
                group.push(Move { to, from, vreg: VReg::from_u32(class), bytes: vregs[class as usize].move_bytes });
            }
        }
        let original = group.clone();
        let busy = group.iter().fold(0, |b, m| b | mask(m.from) | mask(m.to));
        let free = !busy & if next(2) == 0 { 0 } else { 0x0007_0007 };
        let mut slots = vec![SlotData { bytes: 16 }; 4];
        let mut stats = Stats::default();
        let mut state: FxHashMap<Allocation, u64> = (0..10).map(|n| (place(n), 100 + n as u64)).collect();
        for reg in 0..32 {
            state.entry(Allocation::reg(Reg(reg))).or_insert(200 + reg as u64);
        }
        let before = state.clone();
        let mut ops = Vec::new();
        Resolver::new(&vregs, 0x003f_003f, &mut slots, &mut stats).resolve(&mut group, free, &mut |op| ops.push(op));
        for op in &ops {
            match *op {
                MoveOp::Move { from, to, .. } => {
                    assert!(from.as_slot().is_none() || to.as_slot().is_none());
                    let value = state[&from];
                    state.insert(to, value);
                }
                MoveOp::Swap { a, b } => {
                    let (a, b) = (Allocation::reg(a), Allocation::reg(b));
                    let (x, y) = (state[&a], state[&b]);
                    state.insert(a, y);
                    state.insert(b, x);
                }
                MoveOp::Rematerialize { to, .. } => {
                    state.insert(Allocation::reg(to), 7);
                }
            }
        }
        for m in &original {
            let expected = if m.from.is_none() { 7 } else { before[&m.from] };
            assert_eq!(state[&m.to], expected, "{original:?} -> {ops:?}");
        }
        for (place, value) in &before {
            let written = original.iter().any(|m| m.to == *place);
            let scratch = place.as_reg().is_some_and(|r| free >> r.0 & 1 != 0);
            assert!(written || scratch || state[place] == *value, "{place:?} lost: {original:?} -> {ops:?}");
        }
    }
}
