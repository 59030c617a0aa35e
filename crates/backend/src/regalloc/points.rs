//! Program points: where live ranges begin and end.
//!
//! Every block gets a *header* position before its instructions, so that values that enter a block
//! exist somewhere before its first instruction even if that is a copy. Position `p` has two
//! points, `2p` (early) and `2p + 1` (late). The *gap* of position `p` lies between the points `2p
//! - 1` and `2p`: inserted moves run there, reading what is true at `2p - 1` and making true what
//! holds at `2p`. The gap of a header holds what is moved at the entry of its block.

use cranelift_entity::EntityRef;

use super::problem::{BlockIndex, InstIndex, Problem};

/// The numbering of a problem's positions.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// Header position of each block; one more entry ends the last block.
    header: Vec<u32>,
    /// The block of each position.
    block_of: Vec<u32>,
}

impl Points {
    /// Numbers the instructions and block headers.
    pub fn new(problem: &Problem) -> Points {
        let mut header = Vec::with_capacity(problem.blocks.len() + 1);
        let mut block_of = Vec::with_capacity(problem.blocks.len() + problem.insts.len());
        for (index, block) in problem.blocks.iter().enumerate() {
            header.push(block_of.len() as u32);
            block_of.resize(block_of.len() + 1 + (block.end - block.first) as usize, index as u32);
        }
        header.push(block_of.len() as u32);
        Points { header, block_of }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.block_of.len() * 2
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.block_of.len()
    }

    /// The block of a position.
    #[inline]
    pub fn block_of(&self, pos: u32) -> u32 {
        self.block_of[pos as usize]
    }

    /// The header position of a block.
    #[inline]
    pub fn header(&self, block: u32) -> u32 {
        self.header[block as usize]
    }

    /// The first point of a block.
    #[inline]
    pub fn block_start(&self, block: u32) -> u32 {
        self.header[block as usize] * 2
    }

    /// One past the last point of a block.
    #[inline]
    pub fn block_end(&self, block: u32) -> u32 {
        self.header[block as usize + 1] * 2
    }

    /// The position of a block's terminator.
    #[inline]
    pub fn terminator(&self, block: u32) -> u32 {
        self.header[block as usize + 1] - 1
    }

    /// Whether a point is the first of a block.
    #[inline]
    pub fn is_block_start(&self, point: u32) -> bool {
        point & 1 == 0 && {
            let pos = point / 2;
            (pos as usize) < self.block_of.len() && self.header(self.block_of(pos)) == pos
        }
    }

    /// The instruction before which the gap of a position lies; for a header the block's first
    /// instruction.
    pub fn gap_inst(&self, pos: u32) -> InstIndex {
        let block = self.block_of(pos);
        let inst = pos - block - 1;
        if self.header(block) == pos { InstIndex::new(inst as usize + 1) } else { InstIndex::new(inst as usize) }
    }

    /// Like [`Points::gap_inst`]; one past the last instruction for the end of the function.
    pub fn gap_inst_or_end(&self, pos: u32) -> InstIndex {
        if (pos as usize) < self.block_of.len() {
            return self.gap_inst(pos);
        }
        InstIndex::new(self.block_of.len() - self.header.len() + 1)
    }

    /// The position of instruction `inst` of `block`.
    #[inline]
    pub fn position(inst: u32, block: u32) -> u32 {
        inst + block + 1
    }
}

/// Where moves on an edge go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum EdgePlace {
    /// Before the predecessor's terminator, which has no operands.
    EndOfPred,
    /// At the header of the successor.
    StartOfSucc,
    /// On the edge itself.
    Critical,
}

/// Where moves on the edge `pred -> succ` go.
pub(super) fn edge_place(problem: &Problem, pred: BlockIndex, succ: BlockIndex) -> EdgePlace {
    let terminator = InstIndex::new(problem.blocks[pred.index()].end as usize - 1);
    let inert = problem.operand_range(terminator).is_empty() && problem.insts[terminator.index()].clobbers == 0;
    if inert && problem.blocks[pred.index()].succs.len() == 1 {
        EdgePlace::EndOfPred
    } else if problem.blocks[succ.index()].preds.len() == 1 && succ.index() != 0 {
        EdgePlace::StartOfSucc
    } else {
        EdgePlace::Critical
    }
}

/// The estimated number of executions of the edge `pred -> succ`.
pub(super) fn edge_frequency(problem: &Problem, pred: BlockIndex, succ: BlockIndex) -> f32 {
    let (from, to) = (&problem.blocks[pred.index()], &problem.blocks[succ.index()]);
    if from.succs.len() == 1 {
        from.frequency
    } else if to.preds.len() == 1 {
        to.frequency
    } else {
        // What does not go the other way, where that is known.
        let other = problem.succs(pred).iter().find(|&&other| other != succ).map(|o| &problem.blocks[o.index()]);
        let most = from.frequency.min(to.frequency);
        match other.filter(|other| from.succs.len() == 2 && other.preds.len() == 1) {
            Some(other) => (from.frequency - other.frequency).max(0.0).min(most) + problem.config.least_frequency,
            None => most * 0.5,
        }
    }
}
