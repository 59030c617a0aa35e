//! Tests of `range_set`.

use super::*;

fn set(arena: &mut Vec<Range>, ranges: &[(u32, u32, u32)]) -> RangeSet {
    let start = arena.len();
    arena.extend(ranges.iter().map(|&(from, to, tag)| Range { from, to, tag }));
    RangeSet::from_run(Span::new(start, arena.len()))
}

#[test]
fn overlap_and_absorb_agree_with_a_bitmap() {
    let mut state = 12345u64;
    let mut next = |n: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32 % n
    };
    let mut arena = Vec::new();
    let mut sets: Vec<(RangeSet, Vec<bool>)> = Vec::new();
    for tag in 0..400 {
        let (mut at, mut ranges, mut bits) = (0, Vec::new(), vec![false; 4000]);
        for _ in 0..1 + next(3) {
            let from = at + next(1000);
            let to = from + 1 + next(20);
            (from..to).for_each(|i| bits[i as usize] = true);
            ranges.push((from, to, tag));
            at = to + 1;
        }
        sets.push((set(&mut arena, &ranges), bits));
    }
    let (mut big, mut big_bits) = (RangeSet::default(), vec![false; 4000]);
    let mut absorbed = 0;
    for (small, bits) in sets {
        let expected = bits.iter().zip(&big_bits).any(|(a, b)| *a && *b);
        assert_eq!(big.overlaps(&small, &arena, false), expected);
        if !expected {
            big_bits.iter_mut().zip(&bits).for_each(|(a, b)| *a |= b);
            big.absorb(small, &mut arena);
            absorbed += 1;
        }
    }
    assert!(absorbed > 10);
    let run = big.to_run(&mut arena);
    assert!(run.of(&arena).windows(2).all(|w| w[0].to <= w[1].from));
}

#[test]
fn equal_tags_may_overlap() {
    let mut arena = Vec::new();
    let mut a = set(&mut arena, &[(0, 10, 1), (20, 30, 2)]);
    let b = set(&mut arena, &[(5, 15, 1)]);
    assert!(a.overlaps(&b, &arena, false));
    assert!(!a.overlaps(&b, &arena, true));
    a.absorb(b, &mut arena);
    for (range, expected) in [((12, 13, 2), true), ((12, 20, 1), false), ((15, 20, 2), false)] {
        let one = set(&mut arena, &[range]);
        assert_eq!(a.overlaps(&one, &arena, true), expected);
    }
}
