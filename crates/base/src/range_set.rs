//! Sets of half-open ranges that grow by absorbing one another, for coalescing and for slot
//! colouring.
//!
//! A set is a short list of sorted runs in a shared arena, like the levels of a log-structured
//! merge tree: absorbing appends the other set's runs and then merges neighbouring runs of similar
//! length. Testing two sets for overlap looks each range of the smaller one up in the runs of the
//! larger one. Both cost O(n log^2 n) over any sequence of merges, however large the sets grow;
//! nothing is quadratic when a class of 100,000 members is built one member at a time.

#[cfg(test)]
mod tests;

use smallvec::{SmallVec, smallvec};

/// Points `from..to`, held by `tag` (a virtual register or a value number).
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Range {
    /// First point.
    pub from: u32,
    /// One past the last point.
    pub to: u32,
    /// Whose it is.
    pub tag: u32,
}

/// A run of sorted ranges: `start..end` in the arena. Ranges in one run may overlap only when they
/// have the same tag.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// First index.
    pub start: u32,
    /// One past the last index.
    pub end: u32,
}

impl Span {
    /// A span from `usize` bounds.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// How many elements.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The elements.
    pub fn of<T>(self, arena: &[T]) -> &[T] {
        &arena[self.start as usize..self.end as usize]
    }

    /// The indices.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A set of ranges in an arena.
#[derive(Clone, Debug, Default)]
pub struct RangeSet {
    runs: SmallVec<[Span; 2]>,
    len: u32,
}

impl RangeSet {
    /// The set of one sorted run.
    pub fn from_run(run: Span) -> RangeSet {
        if run.is_empty() {
            return RangeSet::default();
        }
        RangeSet { runs: smallvec![run], len: run.len() as u32 }
    }

    /// How many ranges.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a range of this set and one of `other` share a point. With `equal_tags` ranges of
    /// the same tag may.
    pub fn overlaps(&self, other: &RangeSet, arena: &[Range], equal_tags: bool) -> bool {
        let (small, large) = if self.len <= other.len { (self, other) } else { (other, self) };
        small.runs.iter().any(|s| {
            large.runs.iter().any(|l| {
                if s.len() * 8 < l.len() {
                    s.of(arena).iter().any(|&range| run_overlaps(l.of(arena), range, equal_tags))
                } else {
                    runs_overlap(s.of(arena), l.of(arena), equal_tags)
                }
            })
        })
    }

    /// Whether a range of `tag` contains `point`.
    pub fn holds(&self, arena: &[Range], point: u32, tag: u32) -> bool {
        self.runs.iter().any(|l| {
            let run = l.of(arena);
            let at = run.partition_point(|r| r.from <= point);
            // Ranges of one tag may nest: look back while they are of that tag.
            run[..at].iter().rev().take_while(|r| r.tag == tag).any(|r| r.to > point)
        })
    }

    /// Adds all ranges of `other`. New runs are written to the end of the arena.
    pub fn absorb(&mut self, other: RangeSet, arena: &mut Vec<Range>) {
        self.runs.extend(other.runs);
        self.len += other.len;
        self.runs.sort_unstable_by_key(|run| std::cmp::Reverse(run.len()));
        while let [.., longer, shorter] = self.runs[..] {
            if shorter.len() * 2 < longer.len() && self.runs.len() < 12 {
                break;
            }
            let merged = merge_runs(longer, shorter, arena);
            let count = self.runs.len();
            self.runs.truncate(count - 2);
            let at = self.runs.partition_point(|run| run.len() >= merged.len());
            self.runs.insert(at, merged);
        }
    }

    /// All ranges as one sorted run.
    pub fn to_run(&mut self, arena: &mut Vec<Range>) -> Span {
        while let [.., longer, shorter] = self.runs[..] {
            let merged = merge_runs(longer, shorter, arena);
            let count = self.runs.len();
            self.runs.truncate(count - 2);
            self.runs.push(merged);
        }
        self.runs.first().copied().unwrap_or_default()
    }
}

/// Whether a sorted run overlaps a range. Overlap within a run is only between equal tags, so `to`
/// ascends except there.
fn run_overlaps(run: &[Range], range: Range, equal_tags: bool) -> bool {
    let mut at = run.partition_point(|r| r.from < range.to);
    // Going back: ranges that start before `range` ends. Ranges of one tag may nest, so look on
    // while they could reach.
    while at > 0 {
        at -= 1;
        let r = run[at];
        if r.to > range.from {
            if !equal_tags || r.tag != range.tag {
                return true;
            }
        } else if !equal_tags || at == 0 || run[at - 1].tag != r.tag {
            return false;
        }
    }
    false
}

/// Whether two sorted runs overlap; with `equal_tags`, where their tags differ.
pub fn runs_overlap(a: &[Range], b: &[Range], equal_tags: bool) -> bool {
    if equal_tags {
        return a.iter().any(|&range| run_overlaps(b, range, true));
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].to <= b[j].from {
            i += 1;
        } else if b[j].to <= a[i].from {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

fn merge_runs(a: Span, b: Span, arena: &mut Vec<Range>) -> Span {
    let start = arena.len();
    arena.reserve(a.len() + b.len());
    let (mut i, mut j) = (a.start as usize, b.start as usize);
    while i < a.end as usize && j < b.end as usize {
        if arena[i] <= arena[j] {
            arena.push(arena[i]);
            i += 1;
        } else {
            arena.push(arena[j]);
            j += 1;
        }
    }
    arena.extend_from_within(i..a.end as usize);
    arena.extend_from_within(j..b.end as usize);
    Span::new(start, arena.len())
}
