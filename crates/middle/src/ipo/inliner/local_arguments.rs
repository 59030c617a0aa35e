//! Arguments that are addresses of the caller's variables.
//!
//! A body that only loads and stores through such a parameter keeps the variable in memory as long
//! as it is called; once it is inlined the variable is promoted, or its accesses meet those around
//! the call (LLVM's inline cost counts them as savings of scalar replacement, too).

use cranelift_entity::SecondaryMap;
use ir::{Function, Inst, InstView, Opcode, Value};
use smallvec::SmallVec;

/// By parameter: loads and stores through it.
pub type Accesses = SmallVec<[u32; 4]>;

/// Counts the loads and stores at constant distances from each parameter; none for a parameter that
/// is used for anything else. Cost: two looks at all instructions.
pub fn accesses(func: &Function) -> Accesses {
    let is_pointer = |param: &Value| func.value_type(*param).is_ptr();
    if !func.params().iter().any(is_pointer) {
        return Accesses::new();
    }
    // The parameter that a value is an address from.
    let mut pointers: SecondaryMap<Value, Option<u32>> = SecondaryMap::new();
    pointers.resize(func.num_values());
    for (index, &param) in func.params().iter().enumerate().filter(|(_, param)| is_pointer(param)) {
        pointers[param] = Some(index as u32);
    }
    let insts = || func.blocks().flat_map(move |b| func.block_insts(b));
    for inst in insts().filter(|&inst| is_at_distance(func, inst)) {
        if let Some(index) = pointers[func.operand(inst, 0)] {
            pointers[func.first_result(inst)] = Some(index);
        }
    }
    let mut counts: SmallVec<[Option<u32>; 4]> = SmallVec::from_elem(Some(0), func.params().len());
    for inst in insts() {
        let opcode = func.insts[inst].opcode;
        for (at, operand) in func.operands(inst).enumerate() {
            let Some(index) = pointers[operand] else { continue };
            let count = &mut counts[index as usize];
            match opcode {
                Opcode::Load => *count = count.map(|count| count + 1),
                Opcode::Store if at == 0 => *count = count.map(|count| count + 1),
                Opcode::PtrAdd if at == 0 && is_at_distance(func, inst) => {}
                _ => *count = None,
            }
        }
    }
    counts.into_iter().map(Option::unwrap_or_default).collect()
}

/// The accesses of a body that a call gives addresses of the caller's variables.
pub fn through_locals(func: &Function, call: Inst, accesses: &Accesses) -> u32 {
    let arguments = &func.list(call)[1..];
    arguments.iter().zip(accesses).filter(|&(&argument, _)| is_local(func, argument)).map(|(_, count)| count).sum()
}

fn is_local(func: &Function, address: Value) -> bool {
    let Some(inst) = func.def_inst(address) else { return false };
    let base = if is_at_distance(func, inst) { func.def_inst(func.operand(inst, 0)) } else { Some(inst) };
    base.is_some_and(|base| matches!(func.view(base), InstView::Alloca { .. }))
}

fn is_at_distance(func: &Function, inst: Inst) -> bool {
    func.insts[inst].opcode == Opcode::PtrAdd && func.constant(func.operand(inst, 1)).is_some()
}
