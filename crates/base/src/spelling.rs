//! "did you mean": the known name that is closest to one that is not (the rules of gcc's
//! `spellcheck.cc`: an edit distance with transpositions, and how much of it is still near).

/// The candidate closest to `goal`, if one is near enough; the first of equals.
pub fn closest<'c>(goal: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let gap = goal.len().abs_diff(candidate.len());
        if gap > cutoff(goal.len(), candidate.len()) || best.is_some_and(|(least, _)| gap >= least) {
            continue;
        }
        let distance = distance(goal.as_bytes(), candidate.as_bytes());
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    let (distance, candidate) = best?;
    (distance > 0 && distance <= cutoff(goal.len(), candidate.len())).then_some(candidate)
}

/// The greatest distance of names that are near.
fn cutoff(goal: usize, candidate: usize) -> usize {
    let (longer, shorter) = (goal.max(candidate), goal.min(candidate));
    match longer {
        0 | 1 => 0,
        _ if longer - shorter <= 1 => (longer / 3).max(1),
        _ => longer.div_ceil(3),
    }
}

/// Insertions, deletions, changes and transpositions of neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_and_far() {
        let names = ["znver1", "znver3", "haswell"];
        assert_eq!(closest("haswel", names.into_iter()), Some("haswell"));
        assert_eq!(closest("zvner3", names.into_iter()), Some("znver3"));
        assert_eq!(closest("nonsense", names.into_iter()), None);
        assert_eq!(closest("haswell", names.into_iter()), None);
    }
}
