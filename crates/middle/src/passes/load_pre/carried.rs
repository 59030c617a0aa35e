//! Loads in the header of a loop of what the iteration before has loaded or stored.

use ir::analysis::alias::place_of;
use ir::analysis::sums::induction::preheader_and_latch;
use ir::analysis::sums::linear;
use ir::analysis::sums::translation::{Edge, is_computable_on_edge};
use ir::analysis::{Cfg, LoopTree};
use ir::effects::{is_pure, may_write_memory};
use ir::{Block, Inst, Opcode};
use smallvec::{SmallVec, smallvec};

use super::{Known, MAX_WRITES, Walk};

/// Loads of a loop that are carried: each takes a register.
const MAX_CARRIED: usize = 2;

impl Walk<'_, '_> {
    /// Carries the loads of all headers.
    pub(super) fn carry_loads(&mut self, cfg: &Cfg, loops: &LoopTree) {
        for l in loops.loops() {
            if let Some((entry, latch)) = preheader_and_latch(self.func, cfg, loops.at(l))
                && !self.at_end[latch].is_empty()
            {
                self.carry_into(loops.header(l), entry, latch);
            }
        }
    }

    /// Carries loads of a header that run whenever it is entered, before it writes what they read.
    fn carry_into(&mut self, header: Block, entry: Block, latch: Block) {
        let mut writes: SmallVec<[Inst; MAX_WRITES]> = SmallVec::new();
        let mut carried = 0;
        let insts: SmallVec<[Inst; 16]> =
            self.func.block_insts(header).filter(|&i| self.func.insts[i].opcode != Opcode::Phi).collect();
        for inst in insts {
            let data = self.func.insts[inst];
            if data.opcode == Opcode::Load && !data.is_volatile() {
                let written = self.is_written(&writes, inst);
                carried += usize::from(!written && self.carry(inst, header, entry, latch));
            } else if may_write_memory(self.func, self.cx.module, inst) {
                writes.push(inst);
            }
            let goes_on = is_pure(self.func, inst) || matches!(data.opcode, Opcode::Load | Opcode::Store);
            if carried == MAX_CARRIED || writes.len() > MAX_WRITES || !goes_on || data.is_volatile() {
                break;
            }
        }
    }

    fn carry(&mut self, load: Inst, header: Block, entry: Block, latch: Block) -> bool {
        let pointer = self.func.operand(load, 0);
        let (base, offset) = place_of(self.func, pointer);
        let phi = self.func.def_with(base, Opcode::Phi).filter(|&phi| self.func.inst_block(phi) == Some(header));
        let Some(next) = phi.and_then(|phi| self.func.phi_value(phi, latch)) else { return false };
        if !is_computable_on_edge(self.func, pointer, header) {
            return false;
        }
        let mut place = linear(self.func, next);
        place.constant = place.constant.wrapping_add(offset);
        let Some((known, _)) = self.known_at_end(latch, load, &place) else { return false };
        let first = self.load_on_edge(load, Edge { to: header, from: entry });
        let ty = self.func.insts[load].ty;
        let carried = self.new_merge(header, ty, smallvec![(latch, known), (entry, Known::Value(first))]);
        let value = self.materialise(carried);
        self.replaced.insert(self.func.first_result(load), value);
        self.func.replace_result(load, value);
        self.moved += 1;
        true
    }
}
