//! Renumbering: what passes remove leaves holes in the tables, and every later walk and every side
//! table pays for them.
//!
//! Promotion alone removes three of four instructions of the memory form, and what it leaves lies
//! far apart: of a function larger than the caches most of what is fetched is dead.
//! [`Function::compact`] gives what is left new numbers in the order of the layout. Blocks keep
//! theirs, and with them every analysis of the control flow holds.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::{Constant, Function, InstNode, Records, TAG_CONST, UseLists, ValueData};
use crate::debug::VariablePlace;
use crate::instructions::{Format, InstData, Opcode};
use crate::{Block, ConstId, Inst, Type, Value};

/// Fewer removed instructions than these fit the innermost cache.
const FEW: usize = 512;

/// New numbers of what stays.
#[derive(Default)]
struct Numbers {
    insts: SecondaryMap<Inst, PackedOption<Inst>>,
    values: SecondaryMap<Value, PackedOption<Value>>,
}

impl Numbers {
    fn value(&self, old: Value) -> Value {
        self.values[old].expect("operands are numbered")
    }
}

impl Function {
    /// Whether more instructions have been removed than are left, and so many that it matters.
    pub fn is_sparse(&self) -> bool {
        let removed = self.removed as usize;
        removed > FEW && removed > self.num_insts() / 2
    }

    /// Renumbers instructions and values in the order of the layout, without holes. Nobody may hold
    /// numbers of either.
    pub fn compact(&mut self) {
        self.name_newest_debug_values();
        let order: Vec<Inst> = self.blocks().flat_map(|block| self.block_insts(block)).collect();
        let numbers = self.renumber_values(&order);
        self.move_insts(&order, &numbers);
        self.move_names(&numbers);
        self.removed = 0;
        if self.uses.valid {
            self.build_uses();
        } else {
            self.uses = UseLists::default();
        }
    }

    /// New tables of values and constants: parameters, then in the order of the instructions their
    /// results and the constants they use.
    fn renumber_values(&mut self, order: &[Inst]) -> Numbers {
        let mut numbers = Numbers {
            insts: SecondaryMap::with_capacity(self.num_insts()),
            values: SecondaryMap::with_capacity(self.values.len()),
        };
        let mut values: PrimaryMap<Value, ValueData> = PrimaryMap::with_capacity(order.len());
        let mut constants: PrimaryMap<ConstId, Constant> = PrimaryMap::with_capacity(self.constants.len());
        for param in &mut self.params {
            let new = values.push(self.values[*param]);
            numbers.values[*param] = new.into();
            *param = new;
        }
        let mut number_constant = |values: &mut PrimaryMap<Value, ValueData>, numbers: &mut Numbers, old: Value| {
            let data = self.values[old];
            if data.tag == TAG_CONST && numbers.values[old].is_none() {
                let constant = constants.push(self.constants[ConstId::from_u32(data.payload)].clone());
                numbers.values[old] = values.push(ValueData { payload: constant.as_u32(), ..data }).into();
            }
        };
        for (index, &inst) in order.iter().enumerate() {
            self.operands(inst).for_each(|operand| number_constant(&mut values, &mut numbers, operand));
            let new = Inst::from_u32(index as u32);
            numbers.insts[inst] = new.into();
            for result in self.results(inst) {
                numbers.values[result] = values.push(ValueData { payload: new.as_u32(), ..self.values[result] }).into();
            }
        }
        for at in self.debug.iter().flat_map(|debug| debug.values.positions()) {
            let known = self.debug_values(at).iter().filter_map(|record| record.value.expand());
            known.for_each(|value| number_constant(&mut values, &mut numbers, value));
        }
        for (_, value) in self.debug_arrivals() {
            number_constant(&mut values, &mut numbers, value);
        }
        self.values = values;
        self.constants = constants;
        let renumber = |value: &mut Value| {
            let new = numbers.values[*value].expand();
            *value = new.unwrap_or(*value);
            new.is_some()
        };
        self.const_values.retain(|_, value| renumber(value));
        self.const_words.retain(|_, value| renumber(value));
        numbers
    }

    /// New tables of instructions and of their operands.
    fn move_insts(&mut self, order: &[Inst], numbers: &Numbers) {
        let mut insts: PrimaryMap<Inst, InstData> = PrimaryMap::with_capacity(order.len() + 1);
        let mut locs = PrimaryMap::with_capacity(order.len() + 1);
        let mut results = PrimaryMap::with_capacity(order.len() + 1);
        let mut nodes: PrimaryMap<Inst, InstNode> = PrimaryMap::with_capacity(order.len() + 1);
        let mut value_pool = Vec::new();
        let mut block_pool: Vec<Block> = Vec::new();
        for &inst in order {
            let mut data = self.insts[inst];
            match data.opcode.format() {
                Format::Nullary => {}
                Format::Unary => data.a = numbers.value(Value::from_u32(data.a)).as_u32(),
                Format::Binary => {
                    data.a = numbers.value(Value::from_u32(data.a)).as_u32();
                    data.b = numbers.value(Value::from_u32(data.b)).as_u32();
                }
                Format::Ternary => {
                    data.a = numbers.value(Value::from_u32(data.a)).as_u32();
                    data.b = numbers.value(Value::from_u32(data.b)).as_u32();
                    data.c = numbers.value(Value::from_u32(data.c)).as_u32();
                }
                Format::List => {
                    if data.opcode == Opcode::Phi {
                        let first = data.c as usize;
                        data.c = block_pool.len() as u32;
                        block_pool.extend_from_slice(&self.block_pool[first..first + data.b as usize]);
                    }
                    data.a = value_pool.len() as u32;
                    value_pool.extend(self.list(inst).iter().map(|&value| numbers.value(value)));
                }
            }
            let node = self.inst_nodes[inst];
            insts.push(data);
            locs.push(self.inst_locs[inst]);
            let (first, count) = self.results[inst];
            results.push((first.map(|value| numbers.value(value)).into(), count));
            let renumbered = |other: PackedOption<Inst>| other.expand().and_then(|i| numbers.insts[i].expand()).into();
            nodes.push(InstNode { prev: renumbered(node.prev), next: renumbered(node.next), block: node.block });
        }
        for node in self.block_nodes.values_mut() {
            let renumbered = |inst: PackedOption<Inst>| inst.expand().and_then(|i| numbers.insts[i].expand()).into();
            node.first = renumbered(node.first);
            node.last = renumbered(node.last);
        }
        self.insts = Records(insts);
        self.inst_locs = locs;
        self.results = results;
        self.inst_nodes = nodes;
        self.value_pool = value_pool;
        self.block_pool = block_pool;
    }

    /// What names instructions and values from outside of the code. Slots of `-g` that are gone are
    /// all one removed instruction.
    fn move_names(&mut self, numbers: &Numbers) {
        self.variables.retain_mut(|variable| {
            let new = numbers.insts[variable.alloca].expand();
            variable.alloca = new.unwrap_or(variable.alloca);
            new.is_some()
        });
        let Some(mut debug) = self.debug.take() else { return };
        let gone = self.make_inst(
            InstData { opcode: Opcode::Unreachable, flags: 0, ty: Type::VOID, a: 0, b: 0, c: 0 },
            base::Loc::NONE,
        );
        let renumbered = |inst: Inst| numbers.insts[inst].expand().unwrap_or(gone);
        for variable in &mut debug.variables {
            match &mut variable.place {
                VariablePlace::Alloca(inst) | VariablePlace::Within(inst, _) => *inst = renumbered(*inst),
                VariablePlace::Parameter(_) | VariablePlace::Elsewhere => {}
            }
        }
        debug.parts.iter_mut().for_each(|part| part.alloca = renumbered(part.alloca));
        debug.values.renumber(|inst| numbers.insts[inst].expand(), |value| numbers.values[value].expand());
        self.debug = Some(debug);
    }
}
