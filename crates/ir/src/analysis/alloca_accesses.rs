//! Finds the promotable allocas and lists their accesses.

use crate::{Block, Fragment, Function, Inst, Opcode, Type};

/// A variable, or some bytes of one, that lies in an alloca.
#[derive(Clone, Copy)]
pub struct Described {
    /// The variable's number.
    pub variable: u32,
    /// Which bytes of it, if not all.
    pub fragment: Option<Fragment>,
}

/// One promotable alloca.
pub struct AllocaAccesses {
    /// The alloca.
    pub alloca: Inst,
    /// The type of the SSA values that replace it: that of the first access in use order.
    pub ty: Type,
    /// Its loads.
    pub loads: Vec<Inst>,
    /// Its stores.
    pub stores: Vec<Inst>,
    /// Its lifetime markers.
    pub markers: Vec<Inst>,
    /// The variables in it that `-g` describes.
    pub described: Vec<Described>,
    /// The blocks where they may differ from way to way, if there are any.
    pub merges: Vec<Block>,
}

impl AllocaAccesses {
    /// Blocks with a store or a lifetime start (which begins an undef); some may come twice.
    pub fn defining_blocks(&self, func: &Function) -> impl Iterator<Item = Block> {
        self.definitions(func).map(|inst| func.inst_block(inst).expect("placed"))
    }

    /// What the value of the variable is read by and comes from.
    pub fn reads_and_definitions(&self, func: &Function) -> impl Iterator<Item = Inst> {
        self.loads.iter().copied().chain(self.definitions(func))
    }

    fn definitions(&self, func: &Function) -> impl Iterator<Item = Inst> {
        let starts = self.markers.iter().filter(|&&m| func.insts[m].opcode == Opcode::LifetimeStart);
        self.stores.iter().chain(starts).copied()
    }
}

/// The promotable allocas of a function in layout order: those of at most `max_size` bytes, and
/// those without uses.
pub fn collect(func: &Function, max_size: u64) -> Vec<AllocaAccesses> {
    let allocas = func.insts_with(|opcode| opcode == Opcode::Alloca).into_iter();
    allocas.filter_map(|alloca| classify(func, alloca, max_size)).collect()
}

/// The accesses of an alloca, or `None` if something else is done with its address.
fn classify(func: &Function, alloca: Inst, max_size: u64) -> Option<AllocaAccesses> {
    let (size, _) = func.alloca_info(alloca);
    let address = func.first_result(alloca);
    if size > max_size && func.uses(address).next().is_some() {
        return None;
    }
    let mut out = AllocaAccesses {
        alloca,
        ty: Type::VOID,
        loads: Vec::new(),
        stores: Vec::new(),
        markers: Vec::new(),
        described: Vec::new(),
        merges: Vec::new(),
    };
    for (user, index) in func.uses(address) {
        let data = func.insts[user];
        let ty = match data.opcode {
            Opcode::Load if !data.is_volatile() => {
                out.loads.push(user);
                data.ty
            }
            Opcode::Store if index == 0 && !data.is_volatile() && func.operand(user, 1) != address => {
                out.stores.push(user);
                func.value_type(func.operand(user, 1))
            }
            Opcode::LifetimeStart | Opcode::LifetimeEnd => {
                out.markers.push(user);
                continue;
            }
            _ => return None,
        };
        if out.ty.is_void() {
            out.ty = ty;
        }
        if !convertible(ty, out.ty) || ty.store_size() as u64 > size {
            return None;
        }
    }
    // Use lists run backwards; program order of same-block accesses is easier to read in dumps.
    out.loads.reverse();
    out.stores.reverse();
    Some(out)
}

/// Whether a value of one type can be read as the other by a bit conversion.
fn convertible(a: Type, b: Type) -> bool {
    a == b || (a.bits() == b.bits() && a != Type::F80 && b != Type::F80)
}
