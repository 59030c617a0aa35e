//! Loads of two floats as one `f64`, as structures of floats are passed and copied, of which only
//! the floats are read become loads of these: they are operands of the instructions that read them,
//! and need not be taken out of the pair.

use ir::{Builder, Function, Inst, MemInfo, Opcode, Position, Type, Value, flags};
use smallvec::SmallVec;

/// Readers of one pair that are looked at.
const MAX_READERS: usize = 16;

/// The floats that are taken out of a pair: the instructions that give the low one, and those that
/// give the high one.
type Readers = [SmallVec<[Inst; 4]>; 2];

/// Splits the load whose only user is `cast`, a `bitcast` to `i64`. Gives whether it did.
pub fn split(func: &mut Function, cast: Inst) -> bool {
    let pair = func.operand(cast, 0);
    let Some(load) = func.def_inst(pair) else { return false };
    let data = func.insts[load];
    if data.opcode != Opcode::Load || data.is_volatile() || !func.has_one_use(pair) {
        return false;
    }
    let mut readers = Readers::default();
    if !find_readers(func, func.first_result(cast), 0, &mut readers) {
        return false;
    }
    let MemInfo { tag, .. } = func.mem_info(load);
    let (address, align, loc) = (func.operand(load, 0), func.mem_info(load).align(), func.inst_locs[load]);
    for (index, readers) in readers.iter().enumerate().filter(|(_, readers)| !readers.is_empty()) {
        let mut builder = Builder::new(func, Position::Before(load));
        builder.loc = loc;
        let (at, align) = if index == 0 {
            (address, align)
        } else {
            let four = builder.iconst(Type::I64, 4);
            (builder.ptradd(address, four, flags::INBOUNDS), align.min(4))
        };
        let float = builder.load(Type::F32, at, align, tag, 0);
        readers.iter().for_each(|&reader| func.replace_all_uses(func.first_result(reader), float));
    }
    true
}

/// Collects what reads the floats of `bits`, which have been shifted to the right by `half` floats.
/// False if it is read in another way.
fn find_readers(func: &Function, bits: Value, half: usize, readers: &mut Readers) -> bool {
    func.uses(bits).all(|(user, _)| {
        let data = func.insts[user];
        match data.opcode {
            Opcode::LShr if half == 0 && func.const_bits(func.operand(user, 1)) == Some(32) => {
                find_readers(func, func.first_result(user), 1, readers)
            }
            Opcode::Trunc if data.ty == Type::I32 => func.uses(func.first_result(user)).all(|(cast, _)| {
                let is_float = func.insts[cast].opcode == Opcode::Bitcast && func.insts[cast].ty == Type::F32;
                readers[half].push(cast);
                is_float && readers[half].len() <= MAX_READERS
            }),
            _ => false,
        }
    })
}
