//! What a pointer points to, as far as the function says it in so many words: an address, plus
//! constants, through variables that are set once.

use cranelift_entity::SecondaryMap;
use ir::{Function, Inst, IntCc, Module, Opcode, SymbolDef, SymbolId, Value, fold};

/// Steps from one value to what it is made of.
pub const MAX_STEPS: usize = 16;

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A variable of the function: its alloca.
    Local(Inst),
    /// A variable, function or literal with static storage duration.
    Static(SymbolId),
    /// What this call of an allocation function gave.
    Allocated(Inst),
}

/// A place in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub base: Base,
    /// Bytes from its beginning, if known.
    pub offset: Option<i64>,
    /// The address went through a variable.
    pub by_variable: bool,
}

#[derive(Clone, Copy, Default)]
struct Variable {
    alloca: bool,
    /// Something else is done with its address than to load and store all of it.
    given_away: bool,
    stores: u32,
    value: Option<Value>,
}

/// Looks up what values of one function stand for.
pub struct Objects<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function.
    pub func: &'a Function,
    variables: SecondaryMap<Value, Variable>,
}

impl<'a> Objects<'a> {
    /// Looks at all uses of the function's variables.
    pub fn new(module: &'a Module, func: &'a Function) -> Objects<'a> {
        let mut variables: SecondaryMap<Value, Variable> = SecondaryMap::new();
        let all = || func.all_insts();
        for inst in all().filter(|&inst| func.insts[inst].opcode == Opcode::Alloca) {
            variables[func.first_result(inst)].alloca = true;
        }
        for inst in all() {
            let data = func.insts[inst];
            for (at, value) in func.operands(inst).enumerate() {
                if !variables[value].alloca {
                    continue;
                }
                let plain = !data.is_volatile();
                match data.opcode {
                    Opcode::Load if plain => {}
                    Opcode::Store if at == 0 && plain => {
                        variables[value].stores += 1;
                        variables[value].value = Some(func.operand(inst, 1));
                    }
                    Opcode::LifetimeStart | Opcode::LifetimeEnd => {}
                    _ => variables[value].given_away = true,
                }
            }
        }
        Objects { module, func, variables }
    }

    /// The variable that a load reads as a whole, if nothing but loads and stores knows its
    /// address.
    pub fn private_variable(&self, load: Inst) -> Option<Value> {
        let address = (self.func.insts[load].opcode == Opcode::Load).then(|| self.func.operand(load, 0))?;
        let variable = self.variables[address];
        (variable.alloca && !variable.given_away).then_some(address)
    }

    /// The one value that a private variable is ever set to.
    pub fn only_value(&self, load: Inst) -> Option<Value> {
        let variable = self.variables[self.private_variable(load)?];
        let value = variable.value.filter(|_| variable.stores == 1)?;
        (self.func.value_type(value) == self.func.insts[load].ty).then_some(value)
    }

    /// Where a pointer points to.
    pub fn place(&self, pointer: Value) -> Option<Place> {
        let (mut value, mut offset, mut by_variable) = (pointer, Some(0i64), false);
        for _ in 0..MAX_STEPS {
            if let Some((symbol, at)) = self.func.const_symbol(value) {
                let offset = offset.and_then(|offset| offset.checked_add(at));
                return Some(Place { base: Base::Static(symbol), offset, by_variable });
            }
            let inst = self.func.def_inst(value)?;
            match self.func.insts[inst].opcode {
                Opcode::Alloca => return Some(Place { base: Base::Local(inst), offset, by_variable }),
                Opcode::PtrAdd => {
                    let more = self.integer(self.func.operand(inst, 1));
                    offset = offset.zip(more).and_then(|(offset, more)| offset.checked_add(more));
                    value = self.func.operand(inst, 0);
                }
                Opcode::Load => {
                    value = self.only_value(inst)?;
                    by_variable = true;
                }
                Opcode::Call if self.allocated_size(inst).is_some() => {
                    return Some(Place { base: Base::Allocated(inst), offset, by_variable });
                }
                _ => return None,
            }
        }
        None
    }

    /// An integer that is constant.
    pub fn integer(&self, value: Value) -> Option<i64> {
        let mut value = value;
        for _ in 0..MAX_STEPS {
            if let Some(number) = self.func.const_i64(value) {
                return Some(number);
            }
            let inst = self.func.def_inst(value)?;
            let data = self.func.insts[inst];
            match data.opcode {
                Opcode::Load => value = self.only_value(inst)?,
                Opcode::ZExt | Opcode::SExt => {
                    let operand = self.func.operand(inst, 0);
                    let inner = match self.func.const_bits(operand) {
                        Some(bits) => bits,
                        None => {
                            let load = self.func.def_inst(operand)?;
                            self.func.const_bits(self.only_value(load)?)?
                        }
                    };
                    let bits = fold::unary(data.opcode, self.func.value_type(operand), data.ty, inner)?;
                    return i64::try_from(bits as i128).ok().or(Some(bits as u64 as i64));
                }
                _ => return None,
            }
        }
        None
    }

    /// A condition whose outcome is known.
    pub fn condition(&self, value: Value) -> Option<bool> {
        if let Some(bits) = self.func.const_bits(value) {
            return Some(bits != 0);
        }
        let inst = self.func.def_with(value, Opcode::ICmp)?;
        let (a, b) = (self.func.operand(inst, 0), self.func.operand(inst, 1));
        let cc = self.func.insts[inst].int_cc();
        let ty = self.func.value_type(a);
        if let (Some(x), Some(y)) = (self.integer(a), self.integer(b)) {
            return fold::icmp(cc, ty, x as u64 as u128 & ty.mask(), y as u64 as u128 & ty.mask());
        }
        let (p, q) = (self.place(a), self.place(b));
        let same = match (p, q) {
            (Some(p), Some(q)) if p.base == q.base => p.offset? == q.offset?,
            (Some(Place { base: Base::Local(_), .. }), None) if self.func.const_bits(b) == Some(0) => false,
            _ => return None,
        };
        match cc {
            IntCc::Eq => Some(same),
            IntCc::Ne => Some(!same),
            _ => None,
        }
    }

    /// Bytes that a call of an allocation function is asked for.
    pub fn allocated_size(&self, call: Inst) -> Option<Option<i64>> {
        let name = self.library_call(call)?;
        let arguments = &self.func.list(call)[1..];
        match (name, arguments) {
            ("malloc" | "alloca", &[size]) | ("realloc", &[_, size]) => Some(self.integer(size)),
            ("calloc", &[count, size]) => {
                let both = self.integer(count).zip(self.integer(size));
                Some(both.and_then(|(count, size)| count.checked_mul(size)))
            }
            ("strdup" | "strndup" | "aligned_alloc", _) => Some(None),
            _ => None,
        }
    }

    /// The name of the library function that an instruction calls as the library has it.
    pub fn library_call(&self, call: Inst) -> Option<&'a str> {
        let info = (self.func.insts[call].opcode == Opcode::Call).then(|| self.func.call_info(call))?;
        info.attrs.has(ir::FnAttrs::LIBRARY).then(|| self.module.name_of_callee(self.func, call))?
    }

    /// Bytes of an object, if the program fixes them.
    pub fn size(&self, base: Base) -> Option<i64> {
        match base {
            Base::Local(alloca) => i64::try_from(self.func.alloca_info(alloca).0).ok(),
            Base::Static(symbol) => {
                let data = &self.module.symbols[symbol];
                match data.def {
                    SymbolDef::Data(id) if data.linkage != ir::Linkage::Weak => {
                        i64::try_from(self.module.data[id].size).ok()
                    }
                    _ => None,
                }
            }
            Base::Allocated(call) => self.allocated_size(call).flatten(),
        }
    }

    /// Characters before the null of the literal, or of the constant text, at a place.
    pub fn text_length(&self, place: Place) -> Option<i64> {
        let Base::Static(symbol) = place.base else { return None };
        let SymbolDef::Data(id) = self.module.symbols[symbol].def else { return None };
        let data = &self.module.data[id];
        let start = usize::try_from(place.offset?).ok()?;
        if !data.read_only || !data.relocs.is_empty() || start as u64 >= data.size {
            return None;
        }
        let rest = data.bytes.get(start..).unwrap_or(&[]);
        match rest.iter().position(|&byte| byte == 0) {
            Some(length) => i64::try_from(length).ok(),
            None => (data.size > data.bytes.len() as u64).then_some(i64::try_from(rest.len()).ok()?),
        }
    }
}
