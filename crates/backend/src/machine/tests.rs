//! What tests of machine passes are made of.

use super::{MBlock, MInst, MachineFunction};

impl MachineFunction {
    /// A function of blocks in order, for tests: instructions, frequencies and loop depths.
    pub fn of_blocks<'a>(blocks: impl IntoIterator<Item = (&'a [MInst], f32, u16)>) -> MachineFunction {
        let mut mf = MachineFunction::default();
        for (insts, frequency, loop_depth) in blocks {
            let start = mf.insts.len() as u32;
            mf.insts.extend_from_slice(insts);
            mf.order.push(mf.blocks.len() as u32);
            let end = mf.insts.len() as u32;
            mf.blocks.push(MBlock { start, end, frequency, loop_depth, ..MBlock::default() });
        }
        mf.locs.resize(mf.insts.len(), base::Loc::NONE);
        mf
    }
}
