//! What is known of unknown values along a way through a function: terms, hash-consed, and
//! conditions on them.

use ir::{FloatCc, IntCc, Intrinsic, Opcode, Type, Value, fold};
use rustc_hash::FxHashMap;

/// A term, an index into [`Terms`].
pub type TermId = u32;

/// What an operation is besides its opcode.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// Nothing.
    None,
    /// An integer comparison of this condition.
    Int(IntCc),
    /// A floating comparison of this condition.
    Float(FloatCc),
    /// This intrinsic.
    Intrinsic(Intrinsic),
    /// A shuffle by the mask of this index.
    Mask(u32),
}

/// A value as far as it is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Constant bits.
    Constant(Type, u128),
    /// A value of the function that is taken as it is: a parameter, an address, what an instruction
    /// gives that is not looked into.
    Opaque(Value),
    /// What an operation gives, with its type, immediate fields and operands. Two calls of one
    /// function with the same arguments count as one term, and two loads from one address: that the
    /// second may differ must not make a way look possible.
    Operation(Opcode, Type, Code, Vec<TermId>),
}

/// More operands than this below a term: what it depends on is not listed.
const MAX_LEAVES: usize = 24;

/// All terms of a search.
#[derive(Default)]
pub struct Terms {
    terms: Vec<Term>,
    ids: FxHashMap<Term, TermId>,
}

impl Terms {
    /// The number of a term.
    pub fn intern(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let id = self.terms.len() as TermId;
        self.terms.push(term.clone());
        self.ids.insert(term, id);
        id
    }

    fn constant(&self, id: TermId) -> Option<(Type, u128)> {
        match self.terms[id as usize] {
            Term::Constant(ty, bits) => Some((ty, bits)),
            _ => None,
        }
    }

    fn type_of(&self, id: TermId) -> Option<Type> {
        match self.terms[id as usize] {
            Term::Constant(ty, _) | Term::Operation(_, ty, ..) => Some(ty),
            Term::Opaque(_) => None,
        }
    }

    /// An operation, evaluated if its operands are constants. `from` is the type of the first
    /// operand.
    pub fn operation(&mut self, opcode: Opcode, ty: Type, from: Type, code: Code, operands: Vec<TermId>) -> TermId {
        let constants: Option<Vec<u128>> = operands.iter().map(|&o| self.constant(o).map(|c| c.1)).collect();
        let folded = match constants.as_deref() {
            Some(&[a]) => fold::unary(opcode, from, ty, a),
            Some(&[a, b]) => match code {
                Code::Int(cc) => fold::icmp(cc, from, a, b).map(u128::from),
                _ => fold::binary(opcode, from, a, b),
            },
            _ => None,
        };
        if let Some(bits) = folded {
            return self.intern(Term::Constant(ty, bits));
        }
        if opcode == Opcode::Select
            && let Some((_, bits)) = self.constant(operands[0])
        {
            return operands[if bits != 0 { 1 } else { 2 }];
        }
        self.intern(Term::Operation(opcode, ty, code, operands))
    }

    /// The terms that cannot be taken apart on which `id` depends; false if there are too many.
    fn leaves(&self, id: TermId, out: &mut Vec<TermId>) -> bool {
        let mut work = vec![id];
        let mut steps = 0;
        while let Some(id) = work.pop() {
            steps += 1;
            if steps > MAX_LEAVES {
                return false;
            }
            match &self.terms[id as usize] {
                Term::Constant(..) => {}
                Term::Operation(opcode, _, _, operands)
                    if !matches!(opcode, Opcode::Load | Opcode::Call | Opcode::Intrinsic) =>
                {
                    work.extend(operands);
                }
                _ => out.push(id),
            }
        }
        true
    }
}

/// What a new condition does to a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing else speaks of these values: the way may go on.
    Possible,
    /// It holds anyway.
    Known,
    /// It contradicts what went before, or may do so.
    Doubtful,
}

/// A condition: `term cc bits` with unsigned bits of its type.
#[derive(Clone, Copy, Debug)]
struct Fact {
    term: TermId,
    ty: Type,
    cc: IntCc,
    bits: u128,
}

/// The conditions of a way.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    list: Vec<Fact>,
    leaves: Vec<TermId>,
}

impl Facts {
    /// Notes that the truth value `condition` is `outcome`.
    pub fn assume(&mut self, terms: &mut Terms, condition: TermId, outcome: bool) -> Outcome {
        let (mut condition, mut outcome) = (condition, outcome);
        loop {
            if let Some((_, bits)) = terms.constant(condition) {
                return if (bits != 0) == outcome { Outcome::Known } else { Outcome::Doubtful };
            }
            let Term::Operation(opcode, ty, code, operands) = terms.terms[condition as usize].clone() else { break };
            match opcode {
                // A truth value that was widened, and tested again.
                Opcode::ZExt | Opcode::SExt if terms.type_of(operands[0]) == Some(Type::I1) => condition = operands[0],
                Opcode::Xor if ty == Type::I1 && terms.constant(operands[1]).is_some() => {
                    outcome ^= terms.constant(operands[1]).is_some_and(|c| c.1 != 0);
                    condition = operands[0];
                }
                Opcode::ICmp => {
                    let Code::Int(cc) = code else { break };
                    let cc = if outcome { cc } else { cc.inverse() };
                    let (a, b) = (operands[0], operands[1]);
                    if let Some((ty, bits)) = terms.constant(b) {
                        if bits == 0 && matches!(cc, IntCc::Eq | IntCc::Ne) && is_truth(terms, a) {
                            (condition, outcome) = (a, cc == IntCc::Ne);
                            continue;
                        }
                        return self.compare(terms, a, ty, cc, bits);
                    }
                    if let Some((ty, bits)) = terms.constant(a) {
                        return self.compare(terms, b, ty, cc.swapped(), bits);
                    }
                    break;
                }
                _ => break,
            }
        }
        self.compare(terms, condition, Type::I1, IntCc::Eq, u128::from(outcome))
    }

    /// Notes `term cc bits`.
    pub fn compare(&mut self, terms: &mut Terms, term: TermId, ty: Type, cc: IntCc, bits: u128) -> Outcome {
        if let Some((_, value)) = terms.constant(term) {
            return if cc.eval(value, bits, ty.bits()) { Outcome::Known } else { Outcome::Doubtful };
        }
        let (term, bits) = without_addend(terms, term, ty, cc, bits);
        let fact = Fact { term, ty, cc, bits };
        let same: Vec<Fact> = self.list.iter().copied().filter(|f| f.term == term).collect();
        if !same.is_empty() {
            if same.iter().any(|f| f.ty != ty) || !satisfiable(&same, fact) {
                return Outcome::Doubtful;
            }
            if !satisfiable(&same, Fact { cc: cc.inverse(), ..fact }) {
                return Outcome::Known;
            }
            self.list.push(fact);
            return Outcome::Possible;
        }
        let mut leaves = Vec::new();
        if !terms.leaves(term, &mut leaves) || leaves.iter().any(|leaf| self.leaves.contains(leaf)) {
            return Outcome::Doubtful;
        }
        self.leaves.extend(leaves);
        self.list.push(fact);
        Outcome::Possible
    }
}

/// Whether a term is a widened truth value, or one.
fn is_truth(terms: &Terms, id: TermId) -> bool {
    match &terms.terms[id as usize] {
        Term::Operation(Opcode::ZExt | Opcode::SExt, _, _, operands) => terms.type_of(operands[0]) == Some(Type::I1),
        Term::Operation(_, ty, ..) => *ty == Type::I1,
        _ => false,
    }
}

/// `x + c == d` as `x == d - c`.
fn without_addend(terms: &Terms, term: TermId, ty: Type, cc: IntCc, bits: u128) -> (TermId, u128) {
    if matches!(cc, IntCc::Eq | IntCc::Ne)
        && let Term::Operation(Opcode::Add, _, _, operands) = &terms.terms[term as usize]
        && let Some((_, addend)) = terms.constant(operands[1])
    {
        return (operands[0], bits.wrapping_sub(addend) & ty.mask());
    }
    (term, bits)
}

/// Whether some value fulfils all conditions. Each of them changes at its constant only, so the
/// values beside the constants and at the ends of the type stand for all.
fn satisfiable(facts: &[Fact], new: Fact) -> bool {
    let (ty, bits) = (new.ty, new.ty.bits());
    let ends = [0, ty.mask(), ty.mask() >> 1, (ty.mask() >> 1).wrapping_add(1)];
    let around = facts.iter().chain([&new]).flat_map(|f| [f.bits.wrapping_sub(1), f.bits, f.bits.wrapping_add(1)]);
    ends.into_iter().chain(around).any(|value| {
        let value = value & ty.mask();
        facts.iter().chain([&new]).all(|f| f.cc.eval(value, f.bits, bits))
    })
}
