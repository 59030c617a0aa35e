//! Who is in which physical register when.
//!
//! For every program point one 64-bit word: the low half has a bit per register that holds a bundle
//! there, the high half a bit per register that a fixed operand or a clobber takes. Or-ing the
//! words of a range answers for all 32 registers at once which are free; ranges are mostly a few
//! points long, and for long ones a second level holds the or of 64 words each. Whose bit it is
//! matters only for eviction: per register and bucket of 128 points there is a list of the ranges
//! that touch it.

use super::live_ranges::NONE;
use base::range_set::Range;

const CHUNK_SHIFT: u32 = 6;
const BUCKET_SHIFT: u32 = 7;
const REGS: usize = 32;

#[derive(Copy, Clone, Debug)]
struct Node {
    from: u32,
    to: u32,
    bundle: u32,
    next: u32,
}

/// The registers taken over a stretch of points.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Taken(pub u64);

impl Taken {
    /// Registers that hold bundles.
    #[inline]
    pub fn bundles(self) -> u32 {
        self.0 as u32
    }

    /// Registers taken by fixed operands and clobbers.
    #[inline]
    pub fn fixed(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Both.
    #[inline]
    pub fn any(self) -> u32 {
        self.bundles() | self.fixed()
    }
}

/// The state of all physical registers over all points.
#[derive(Clone, Debug)]
pub(super) struct Occupancy {
    words: Vec<u64>,
    chunks: Vec<u64>,
    /// First node of each (bucket, register).
    heads: Vec<u32>,
    nodes: Vec<Node>,
    free_node: u32,
}

impl Occupancy {
    /// All registers free over `points` points.
    pub fn new(points: usize) -> Occupancy {
        Occupancy {
            words: vec![0; points + 1],
            chunks: vec![0; (points >> CHUNK_SHIFT) + 1],
            heads: vec![NONE; ((points >> BUCKET_SHIFT) + 1) * REGS],
            nodes: Vec::new(),
            free_node: NONE,
        }
    }

    /// Takes registers at a point for fixed operands or clobbers.
    pub fn reserve(&mut self, point: u32, mask: u32) {
        self.words[point as usize] |= (mask as u64) << 32;
        self.chunks[point as usize >> CHUNK_SHIFT] |= (mask as u64) << 32;
    }

    /// What is taken at one point.
    #[inline]
    pub fn at(&self, point: u32) -> Taken {
        Taken(self.words[point as usize])
    }

    /// What is taken anywhere in `from..to`.
    #[inline]
    pub fn taken(&self, from: u32, to: u32) -> Taken {
        let (from, to) = (from as usize, to as usize);
        let or = |words: &[u64]| words.iter().fold(0, |acc, w| acc | w);
        let (first, last) = ((from >> CHUNK_SHIFT) + 1, to >> CHUNK_SHIFT);
        if first >= last {
            return Taken(or(&self.words[from..to]));
        }
        let head = or(&self.words[from..first << CHUNK_SHIFT]);
        let tail = or(&self.words[last << CHUNK_SHIFT..to]);
        Taken(head | tail | or(&self.chunks[first..last]))
    }

    /// What is taken anywhere in the ranges; stops once no register of `candidates` is left.
    pub fn taken_over(&self, ranges: &[Range], candidates: u32) -> Taken {
        let mut all = 0;
        for range in ranges {
            all |= self.taken(range.from, range.to).0;
            if Taken(all).any() & candidates == candidates {
                break;
            }
        }
        Taken(all)
    }

    /// Puts a bundle into a register that is free over its ranges.
    pub fn assign(&mut self, ranges: &[Range], reg: u8, bundle: u32) {
        let bit = 1u64 << reg;
        for range in ranges {
            for word in &mut self.words[range.from as usize..range.to as usize] {
                debug_assert!(*word & bit == 0);
                *word |= bit;
            }
            for chunk in range.from >> CHUNK_SHIFT..=(range.to - 1) >> CHUNK_SHIFT {
                self.chunks[chunk as usize] |= bit;
            }
            for bucket in range.from >> BUCKET_SHIFT..=(range.to - 1) >> BUCKET_SHIFT {
                let head = bucket as usize * REGS + reg as usize;
                let node = Node { from: range.from, to: range.to, bundle, next: self.heads[head] };
                self.heads[head] = if self.free_node == NONE {
                    self.nodes.push(node);
                    self.nodes.len() as u32 - 1
                } else {
                    let at = self.free_node;
                    self.free_node = std::mem::replace(&mut self.nodes[at as usize], node).next;
                    at
                };
            }
        }
    }

    /// Takes a bundle out of its register.
    pub fn remove(&mut self, ranges: &[Range], reg: u8, bundle: u32) {
        let bit = 1u64 << reg;
        for range in ranges {
            self.words[range.from as usize..range.to as usize].iter_mut().for_each(|word| *word &= !bit);
            for chunk in range.from >> CHUNK_SHIFT..=(range.to - 1) >> CHUNK_SHIFT {
                let start = (chunk << CHUNK_SHIFT) as usize;
                let end = (start + (1 << CHUNK_SHIFT)).min(self.words.len());
                self.chunks[chunk as usize] = self.words[start..end].iter().fold(0, |acc, w| acc | w);
            }
            for bucket in range.from >> BUCKET_SHIFT..=(range.to - 1) >> BUCKET_SHIFT {
                self.unlink(bucket as usize * REGS + reg as usize, range.from, bundle);
            }
        }
    }

    fn unlink(&mut self, head: usize, from: u32, bundle: u32) {
        let (mut before, mut at) = (NONE, self.heads[head]);
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.bundle == bundle && node.from == from {
                if before == NONE {
                    self.heads[head] = node.next;
                } else {
                    self.nodes[before as usize].next = node.next;
                }
                self.nodes[at as usize].next = self.free_node;
                self.free_node = at;
                return;
            }
            before = at;
            at = node.next;
        }
        base::bug!("a bundle is not in the register that it was given");
    }

    /// Calls `visit` with every bundle in `reg` that overlaps `ranges` (perhaps repeatedly) until
    /// it says to stop. Gives whether it came to the end.
    pub fn conflicts(&self, ranges: &[Range], reg: u8, mut visit: impl FnMut(u32) -> bool) -> bool {
        let bit = 1u64 << reg;
        for range in ranges {
            for bucket in range.from >> BUCKET_SHIFT..=(range.to - 1) >> BUCKET_SHIFT {
                // Two chunks to a bucket: skip what the summary shows to be free.
                let chunk = (bucket << (BUCKET_SHIFT - CHUNK_SHIFT)) as usize;
                if (self.chunks[chunk] | self.chunks.get(chunk + 1).unwrap_or(&0)) & bit == 0 {
                    continue;
                }
                let mut at = self.heads[bucket as usize * REGS + reg as usize];
                while at != NONE {
                    let node = self.nodes[at as usize];
                    if node.from < range.to && range.from < node.to && !visit(node.bundle) {
                        return false;
                    }
                    at = node.next;
                }
            }
        }
        true
    }
}
