//! Reads function bodies. Values may be used before their definition (phis, loops): a first pass
//! over the body's tokens is avoided by giving such uses a placeholder parameter-less value that is
//! patched when the body is complete.

use platform::registers::Reg;
use rustc_hash::FxHashMap;

use crate::asm::{AsmData, AsmOperand, AsmPlace};
use crate::debug_values::DebugValue;
use crate::function::{CallInfo, SwitchData};
use crate::instructions::{Format, InstData, Intrinsic, MemInfo, Opcode, RmwOp, flags};
use crate::{AliasTags, Block, Constant, Function, Inst, Type, Value};

use super::flags::parse_suffixes;
use super::lexer::{ParseError, Result, Token};
use super::parser::{Parser, scalar_type};

/// A record as read.
pub(super) struct ReadRecord {
    pub(super) record: DebugValue,
    /// The name of the value, if it is not defined yet.
    pub(super) name: Option<String>,
    pub(super) line: u32,
}

/// Reads one function body.
pub(super) struct FunctionParser<'p> {
    pub(super) parser: &'p mut Parser,
    pub(super) func: Function,
    pub(super) values: FxHashMap<String, Value>,
    blocks: FxHashMap<String, Block>,
    block_lines: Vec<(String, Block, u32)>,
    /// Uses of names not defined yet: instruction, operand, name, line.
    forward: Vec<(Inst, usize, String, u32)>,
    /// Operand names of the instruction being read that are not defined yet.
    pub(super) unknown: Vec<(usize, String)>,
    current: Option<Block>,
    /// Records that wait for the instruction they precede.
    pub(super) debug_values: Vec<ReadRecord>,
    /// All others, until every value has its name.
    pub(super) placed_debug_values: Vec<(Inst, ReadRecord)>,
}

impl<'p> FunctionParser<'p> {
    pub fn new(parser: &'p mut Parser, func: Function, values: FxHashMap<String, Value>) -> FunctionParser<'p> {
        FunctionParser {
            parser,
            func,
            values,
            blocks: FxHashMap::default(),
            block_lines: Vec::new(),
            forward: Vec::new(),
            unknown: Vec::new(),
            current: None,
            debug_values: Vec::new(),
            placed_debug_values: Vec::new(),
        }
    }

    /// Reads up to the closing brace.
    pub fn body(&mut self) -> Result<()> {
        while !self.parser.eat_punct('}') {
            if self.parser.eat_word("variable") {
                let value = self.operand(0)?;
                let variable = self.parser.variable(&self.func, value)?;
                self.func.variables.push(variable);
            } else if self.parser.eat_word("described") {
                self.described()?;
            } else if self.parser.eat_word("arrives") {
                self.arrives()?;
            } else if self.parser.eat_word("inlined") {
                self.inlined()?;
            } else if self.parser.eat_word("debug") {
                self.debug_value()?;
            } else if self.at_block_header() {
                self.block_header()?;
            } else {
                let before = self.func.num_insts();
                self.instruction()?;
                let first = Inst::from_u32(before as u32);
                if self.parser.eat_word("at") {
                    self.instruction_site(first)?;
                }
                self.placed_debug_values.extend(self.debug_values.drain(..).map(|record| (first, record)));
            }
        }
        if !self.debug_values.is_empty() {
            return self.parser.error("an instruction expected behind 'debug'");
        }
        Ok(())
    }

    /// Resolves forward uses.
    pub fn finish(mut self) -> Result<Function> {
        for (inst, index, name, line) in std::mem::take(&mut self.forward) {
            match self.values.get(&name) {
                Some(&value) => self.func.set_operand(inst, index, value),
                None => return Err(ParseError { line, message: format!("value {name} is never defined") }),
            }
        }
        for (name, block, line) in &self.block_lines {
            if !self.func.block_in_layout(*block) {
                return Err(ParseError { line: *line, message: format!("block {name} is never defined") });
            }
        }
        self.place_debug_values()?;
        self.check_sites()?;
        Ok(self.func)
    }

    fn at_block_header(&self) -> bool {
        let is_name = self
            .parser
            .peek_word()
            .strip_prefix('b')
            .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty());
        is_name
            && match self.parser.peek_second() {
                Token::Punct(':') => true,
                Token::Word(word) => word == "label",
                _ => false,
            }
    }

    fn block_header(&mut self) -> Result<()> {
        let block = self.block()?;
        if self.func.block_in_layout(block) {
            return self.parser.error("block is defined twice");
        }
        self.func.append_block(block);
        while self.parser.eat_word("label") {
            let label = self.parser.index()? as usize;
            if self.func.labels.len() <= label {
                self.func.labels.resize(label + 1, block);
            }
            self.func.labels[label] = block;
        }
        self.current = Some(block);
        self.parser.punct(':')
    }

    fn block(&mut self) -> Result<Block> {
        let line = self.parser.line();
        let name = self.parser.word()?;
        if let Some(&block) = self.blocks.get(&name) {
            return Ok(block);
        }
        let block = self.func.make_block();
        self.blocks.insert(name.clone(), block);
        self.block_lines.push((name, block, line));
        Ok(block)
    }

    /// A value operand; `index` is where it will stand in the instruction, for forward uses.
    pub(super) fn operand(&mut self, index: usize) -> Result<Value> {
        if let Token::Symbol(_) = self.parser.peek() {
            let symbol = self.parser.symbol()?;
            let offset = match self.parser.peek() {
                Token::Punct('+') => {
                    self.parser.next();
                    self.parser.small()?
                }
                Token::Punct('-') => self.parser.small()?,
                _ => 0,
            };
            return Ok(self.func.symbol_const(symbol, offset));
        }
        if self.parser.eat_word("null") {
            return Ok(self.func.iconst(Type::PTR, 0));
        }
        if *self.parser.peek() == Token::Punct('<') || scalar_type(self.parser.peek_word()).is_some() {
            return self.typed_constant();
        }
        let name = self.parser.word()?;
        if !name.starts_with('v') {
            return self.parser.error(format!("operand expected, found '{name}'"));
        }
        if let Some(&value) = self.values.get(&name) {
            return Ok(value);
        }
        self.unknown.push((index, name));
        Ok(self.func.iconst(Type::I1, 0))
    }

    fn typed_constant(&mut self) -> Result<Value> {
        let ty = self.parser.ty()?;
        if ty.is_vector() {
            let word = self.parser.word()?;
            let bytes: Option<Box<[u8]>> = word.strip_prefix("0x").and_then(|hex| {
                let pairs = hex.as_bytes().chunks(2);
                pairs.map(|p| u8::from_str_radix(std::str::from_utf8(p).ok()?, 16).ok()).collect()
            });
            return match bytes {
                Some(bytes) if bytes.len() as u32 == ty.store_size() => {
                    Ok(self.func.make_const(ty, Constant::Vector(bytes)))
                }
                _ => self.parser.error("the bytes of the vector expected"),
            };
        }
        let bits = self.parser.number()? as u128;
        Ok(self.func.bits_const(ty, bits))
    }

    fn operands_until_end(&mut self, list: &mut Vec<Value>) -> Result<()> {
        loop {
            let value = self.operand(list.len())?;
            list.push(value);
            if !self.parser.eat_punct(',') {
                return Ok(());
            }
        }
    }

    /// Whether the next token can begin an operand.
    fn at_operand(&self) -> bool {
        match self.parser.peek() {
            Token::Symbol(_) => true,
            Token::Punct('<') => true,
            Token::Word(word) => {
                let value_name =
                    word.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
                // `vN: ty` and `vN,` begin the next instruction's results, not an operand.
                (value_name && !matches!(self.parser.peek_second(), Token::Punct(':')))
                    || word == "null"
                    || scalar_type(word).is_some()
            }
            _ => false,
        }
    }

    fn instruction(&mut self) -> Result<()> {
        let line = self.parser.line();
        let Some(block) = self.current else {
            return self.parser.error("block header expected");
        };
        let mut results: Vec<(String, Type)> = Vec::new();
        while *self.parser.peek_second() == Token::Punct(':') {
            let name = self.parser.word()?;
            self.parser.punct(':')?;
            results.push((name, self.parser.ty()?));
            self.parser.eat_punct(',');
        }
        if !results.is_empty() {
            self.parser.punct('=')?;
        }
        let word = self.parser.word()?;
        let mut parts = word.split('.');
        let name = parts.next().unwrap_or_default();
        let Some(&opcode) = Opcode::ALL.iter().find(|o| o.name() == name) else {
            return self.parser.error(format!("'{name}' is no instruction"));
        };
        let suffixes: Vec<&str> = parts.collect();
        let bits = parse_suffixes(opcode, &suffixes).or_else(|m| self.parser.error(m))?;
        let ty = results.first().map_or(Type::VOID, |r| r.1);
        let mut data = InstData { opcode, flags: bits, ty, a: 0, b: 0, c: 0 };
        self.unknown.clear();
        self.fields(&mut data)?;
        let types: Vec<Type> = results.iter().map(|r| r.1).collect();
        let inst = self.func.make_inst_multi(data, &types, base::Loc::NONE);
        self.func.append_inst(block, inst);
        if opcode == Opcode::DynAlloca {
            self.func.has_dynamic_alloca = true;
        }
        self.func.has_character_array |= opcode == Opcode::Alloca;
        for (index, name) in std::mem::take(&mut self.unknown) {
            self.forward.push((inst, index, name, line));
        }
        let values: Vec<Value> = self.func.results(inst).collect();
        for ((name, _), value) in results.into_iter().zip(values) {
            if self.values.insert(name.clone(), value).is_some() {
                return Err(ParseError { line, message: format!("value {name} is defined twice") });
            }
        }
        Ok(())
    }

    /// Reads what follows the opcode into the fields of `data`.
    fn fields(&mut self, data: &mut InstData) -> Result<()> {
        match data.opcode {
            Opcode::Alloca => {
                let size: u64 = self.parser.small()?;
                self.parser.keyword("align")?;
                data.a = self.parser.align()?.trailing_zeros();
                (data.b, data.c) = (size as u32, (size >> 32) as u32);
            }
            Opcode::DynAlloca => {
                data.a = self.operand(0)?.as_u32();
                self.parser.keyword("align")?;
                data.b = self.parser.align()?.trailing_zeros();
            }
            Opcode::Load | Opcode::Store => {
                self.fixed_operands(data)?;
                self.parser.keyword("align")?;
                let align_log2 = self.parser.align()?.trailing_zeros() as u8;
                let mut tag = AliasTags::any();
                if self.parser.eat_word("tag") {
                    tag = self.parser.alias_tag()?;
                }
                data.c = MemInfo { align_log2, tag }.pack();
            }
            Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => {
                self.fixed_operands(data)?;
                self.parser.keyword("align")?;
                data.flags = data.flags & !flags::BLOCK_ALIGN_MASK | self.parser.align()?.trailing_zeros() as u8;
            }
            Opcode::AtomicRmw => {
                let word = self.parser.word()?;
                let Some(op) = RmwOp::from_name(&word) else {
                    return self.parser.error("atomic operation expected");
                };
                self.fixed_operands(data)?;
                data.c = op as u32;
            }
            Opcode::Fence => data.c = self.parser.eat_word("signal") as u32,
            Opcode::Prefetch => {
                data.a = self.operand(0)?.as_u32();
                (data.b, data.c) = (self.parser.small()?, self.parser.small()?);
            }
            Opcode::TlsAddr => data.c = self.parser.symbol()?.as_u32(),
            Opcode::BlockAddr => data.c = self.parser.small()?,
            Opcode::Shuffle => self.shuffle(data)?,
            Opcode::Phi => self.phi(data)?,
            Opcode::Call => self.call(data)?,
            Opcode::Intrinsic => {
                let word = self.parser.word()?;
                let Some(intrinsic) = Intrinsic::from_name(&word) else {
                    return self.parser.error(format!("'{word}' is no intrinsic"));
                };
                self.list_operands(data)?;
                self.func.calls_setjmp |= intrinsic == Intrinsic::SetJmp;
                data.c = intrinsic as u32;
            }
            Opcode::Asm | Opcode::AsmBr => {
                self.list_operands(data)?;
                let asm = self.asm(data.flags & flags::VOLATILE != 0)?;
                data.c = self.func.asms.push(asm).as_u32();
            }
            Opcode::Ret => self.list_operands(data)?,
            Opcode::Br => data.c = self.block()?.as_u32(),
            Opcode::CondBr => {
                data.a = self.operand(0)?.as_u32();
                self.parser.punct(',')?;
                data.b = self.block()?.as_u32();
                self.parser.punct(',')?;
                data.c = self.block()?.as_u32();
            }
            Opcode::Switch => self.switch(data)?,
            Opcode::IndirectBr => {
                data.a = self.operand(0)?.as_u32();
                let mut targets = Vec::new();
                while self.parser.eat_punct(',') {
                    targets.push(self.block()?);
                }
                let weights = self.weights(targets.len())?;
                data.c = self.func.push_targets(targets, weights).as_u32();
            }
            _ => self.fixed_operands(data)?,
        }
        Ok(())
    }

    /// As many operands as the format has.
    fn fixed_operands(&mut self, data: &mut InstData) -> Result<()> {
        let count = match data.opcode.format() {
            Format::Nullary | Format::List => 0,
            Format::Unary => 1,
            Format::Binary => 2,
            Format::Ternary => 3,
        };
        for index in 0..count {
            if index > 0 {
                self.parser.punct(',')?;
            }
            let value = self.operand(index)?.as_u32();
            *[&mut data.a, &mut data.b, &mut data.c][index] = value;
        }
        Ok(())
    }

    fn list_operands(&mut self, data: &mut InstData) -> Result<()> {
        let mut list = Vec::new();
        if self.at_operand() {
            self.operands_until_end(&mut list)?;
        }
        data.a = self.func.push_list(&list);
        data.b = list.len() as u32;
        Ok(())
    }

    fn shuffle(&mut self, data: &mut InstData) -> Result<()> {
        self.fixed_operands(data)?;
        self.parser.keyword("mask")?;
        let mut mask = Vec::new();
        for _ in 0..data.ty.lanes() {
            mask.push(if self.parser.eat_word("any") { u32::MAX } else { self.parser.small()? });
        }
        data.c = self.func.shuffle_masks.len() as u32;
        self.func.shuffle_masks.push(mask.into());
        Ok(())
    }

    fn phi(&mut self, data: &mut InstData) -> Result<()> {
        let (mut values, mut blocks) = (Vec::new(), Vec::new());
        while self.parser.eat_punct('[') {
            values.push(self.operand(values.len())?);
            self.parser.punct(',')?;
            blocks.push(self.block()?);
            self.parser.punct(']')?;
            self.parser.eat_punct(',');
        }
        data.a = self.func.push_list(&values);
        data.b = values.len() as u32;
        data.c = self.func.push_block_list(&blocks);
        Ok(())
    }

    fn call(&mut self, data: &mut InstData) -> Result<()> {
        let mut list = vec![self.operand(0)?];
        self.parser.punct('(')?;
        while !self.parser.eat_punct(')') {
            let value = self.operand(list.len())?;
            list.push(value);
            self.parser.eat_punct(',');
        }
        self.parser.punct(':')?;
        let sig = self.parser.signature()?;
        let attrs = self.parser.attrs();
        if attrs.has(crate::FnAttrs::RETURNS_TWICE) {
            self.func.calls_setjmp = true;
        }
        data.a = self.func.push_list(&list);
        data.b = list.len() as u32;
        data.c = self.func.calls.len() as u32;
        let note = if self.parser.peek_word() == "declared" { self.call_note()? } else { 0 };
        self.func.calls.push(CallInfo { sig, attrs, note });
        Ok(())
    }

    /// `declared error "function" "message"`.
    fn call_note(&mut self) -> Result<u32> {
        self.parser.keyword("declared")?;
        let kind = self.parser.word()?;
        if !matches!(kind.as_str(), "error" | "warning") {
            return self.parser.error("'error' or 'warning' expected");
        }
        let (function, message) = (self.parser.text()?.into(), self.parser.text()?.into());
        let note = crate::module::CallNote { is_error: kind == "error", function, message };
        Ok(self.parser.module.call_note(note))
    }

    fn switch(&mut self, data: &mut InstData) -> Result<()> {
        data.a = self.operand(0)?.as_u32();
        self.parser.keyword("default")?;
        let default = self.block()?;
        let mut cases: Vec<(u64, Block)> = Vec::new();
        while self.parser.eat_punct('[') {
            let value = self.parser.small()?;
            self.parser.punct(',')?;
            cases.push((value, self.block()?));
            self.parser.punct(']')?;
        }
        if !cases.is_sorted_by(|a, b| a.0 < b.0) {
            return self.parser.error("cases must ascend without duplicates");
        }
        let weights = self.weights(cases.len() + 1)?;
        data.c = self.func.switches.push(SwitchData { cases, default, weights }).as_u32();
        Ok(())
    }

    /// `weights 5 0 7`, one a target, or nothing.
    fn weights(&mut self, targets: usize) -> Result<Vec<u32>> {
        if !self.parser.eat_word("weights") {
            return Ok(Vec::new());
        }
        (0..targets).map(|_| self.parser.small()).collect()
    }

    fn asm(&mut self, volatile: bool) -> Result<AsmData> {
        let mut asm = AsmData { template: self.parser.text()?.into(), volatile, ..AsmData::default() };
        loop {
            let word = self.parser.peek_word().to_string();
            match word.as_str() {
                "basic" => asm.basic = true,
                "memory" => asm.clobbers_memory = true,
                "flags" => asm.clobbers_flags = true,
                "x87" => asm.clobbers_x87 = true,
                "out" | "in" | "clobber" | "to" | "label" => {
                    self.parser.next();
                    match word.as_str() {
                        "clobber" => asm.clobbers.push(Reg(self.parser.small()?)),
                        "to" => asm.fallthrough = Some(self.block()?),
                        "label" => {
                            asm.labels.push(self.block()?);
                            asm.label_names.push(self.parser.text()?.into());
                        }
                        _ => {
                            let operand = self.asm_operand(word == "out")?;
                            asm.operands.push(operand);
                        }
                    }
                    continue;
                }
                _ => return Ok(asm),
            }
            self.parser.next();
        }
    }

    fn asm_operand(&mut self, is_output: bool) -> Result<AsmOperand> {
        let word = self.parser.word()?;
        let place = match word.as_str() {
            "r" => AsmPlace::Gpr,
            "q" => AsmPlace::GprLegacy,
            "x" => AsmPlace::Xmm,
            "fixed" => AsmPlace::Fixed(Reg(self.parser.small()?)),
            "st" => AsmPlace::X87(self.parser.small()?),
            "m" => AsmPlace::Memory,
            "i" => AsmPlace::Immediate,
            "ri" => AsmPlace::GprOrImmediate,
            "tied" => AsmPlace::Tied(self.parser.small()?),
            "cc" => AsmPlace::Flags(self.parser.small()?),
            other => return self.parser.error(format!("'{other}' is no place of an operand")),
        };
        let ty = self.parser.ty()?;
        let early_clobber = self.parser.eat_word("early");
        let name = if self.parser.eat_word("name") { Some(self.parser.text()?.into()) } else { None };
        let input = if self.parser.eat_word("input") { Some(self.parser.small()?) } else { None };
        let result = if self.parser.eat_word("result") { Some(self.parser.small()?) } else { None };
        Ok(AsmOperand { is_output, early_clobber, place, ty, name, input, result })
    }
}
