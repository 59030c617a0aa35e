//! Tests of `parallel_copy`.

use super::*;

fn apply(sequence: &[(Place<u32>, Place<u32>)], places: u32) -> Vec<u32> {
    let mut state: Vec<u32> = (0..places).collect();
    let mut temporary = u32::MAX;
    for &(dst, src) in sequence {
        let value = match src {
            Place::Of(p) => state[p as usize],
            Place::Temporary => temporary,
        };
        match dst {
            Place::Of(p) => state[p as usize] = value,
            Place::Temporary => temporary = value,
        }
    }
    state
}

#[test]
fn every_copy_of_four_places() {
    // Each place gets one of five: itself (no copy) or a copy of any place, exhaustively.
    for code in 0..4u32.pow(4) {
        let source = |place: u32| code / 4u32.pow(place) % 4;
        let pairs: Vec<(u32, u32)> = (0..4).map(|p| (p, source(p))).collect();
        let (sequence, temporaries) = sequentialize(&pairs);
        assert_eq!(apply(&sequence, 4), (0..4).map(source).collect::<Vec<_>>());
        let moves = pairs.iter().filter(|p| p.0 != p.1).count();
        assert!(sequence.len() <= moves + temporaries as usize && temporaries <= 2);
    }
}

#[test]
fn a_swap_takes_one_temporary_and_a_copied_value_none() {
    assert_eq!(sequentialize(&[(1, 2), (2, 1)]).1, 1);
    assert_eq!(sequentialize(&[(1, 2), (2, 1), (3, 1)]).1, 0);
}
