//! The stack slots of both functions: those that are the same get one key.

use ir::{Function, Inst, InstView, Module, Opcode, ParamKind};
use rustc_hash::FxHashMap;

/// A slot.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Bytes.
    pub size: u64,
    /// log2 of the alignment.
    pub align_log2: u32,
    /// It holds an aggregate argument.
    pub is_argument: bool,
}

/// The slots of both functions.
#[derive(Default)]
pub struct Slots {
    /// By key.
    pub list: Vec<Slot>,
    arguments: FxHashMap<u32, u32>,
    before: FxHashMap<Inst, u32>,
    after: FxHashMap<Inst, u32>,
}

fn allocas(func: &Function) -> Vec<(Inst, Slot)> {
    let of = |inst: Inst| match func.view(inst) {
        InstView::Alloca { align_log2, size } => Some((inst, Slot { size, align_log2, is_argument: false })),
        _ => None,
    };
    func.insts_with(|opcode| opcode == Opcode::Alloca).into_iter().filter_map(of).collect()
}

impl Slots {
    /// Those of a function before and after a pass.
    pub fn new(module: &Module, before: &Function, after: &Function) -> Slots {
        let mut slots = Slots::default();
        for (index, param) in module.signatures[before.sig].params.iter().enumerate() {
            if let ParamKind::ByVal { size, align } = param.kind {
                slots.arguments.insert(index as u32, slots.list.len() as u32);
                slots.list.push(Slot { size, align_log2: align.max(1).ilog2(), is_argument: true });
            }
        }
        for (inst, slot) in allocas(before) {
            slots.before.insert(inst, slots.list.len() as u32);
            slots.list.push(slot);
        }
        let mut rest = Vec::new();
        let mut taken = Vec::new();
        for (inst, slot) in allocas(after) {
            match slots.before.get(&inst) {
                Some(&key) if slots.list[key as usize].size == slot.size => {
                    slots.after.insert(inst, key);
                    taken.push(key);
                }
                _ => rest.push((inst, slot)),
            }
        }
        // Of those that have other numbers now, the next of the same size.
        for (inst, slot) in rest {
            let free = (0..slots.list.len() as u32).find(|key| {
                let known = slots.list[*key as usize];
                !taken.contains(key) && !known.is_argument && known.size == slot.size
            });
            let key = free.unwrap_or_else(|| {
                slots.list.push(slot);
                slots.list.len() as u32 - 1
            });
            taken.push(key);
            slots.after.insert(inst, key);
        }
        slots
    }

    /// The key of an `alloca`.
    pub fn key(&self, is_target: bool, inst: Inst) -> Option<u32> {
        if is_target { self.after.get(&inst) } else { self.before.get(&inst) }.copied()
    }

    /// The key of the slot that a parameter is the address of.
    pub fn argument(&self, param: u32) -> Option<u32> {
        self.arguments.get(&param).copied()
    }
}
