//! Reads modules back from text: declarations, data objects and the frame of functions.
//! `parse_inst` reads the instructions.

use platform::options::{Thunk, X86Features};
use rustc_hash::FxHashMap;

use crate::alias_tags::{Path, Shared, Step};
use crate::function::Counted;
use crate::module::{DataObject, DataReloc, Linkage, RelocTarget, SymbolData, SymbolDef, TlsModel, Visibility};
use crate::{AliasTag, AliasTags, Function, Module, RecordTag, SymbolId, Type};

use super::lexer::{ParseError, Result, Token, tokenize};
use super::parse_inst::FunctionParser;
use super::parser::Parser;

/// Reads a module.
///
/// # Errors
/// The first place where the text is not in the form that `print` writes.
pub fn parse_module(source: &str) -> Result<Module> {
    let tokens = tokenize(source)?;
    let mut parser = Parser { tokens, at: 0, module: Module::new(), pending: Vec::new(), merging: None };
    parser.items()?;
    Ok(parser.module)
}

impl Parser {
    /// The whole text.
    pub(super) fn items(&mut self) -> Result<()> {
        while *self.peek() != Token::End {
            self.item()?;
        }
        for (symbol, line, target, ifunc) in std::mem::take(&mut self.pending) {
            if self.is_superseded(symbol) {
                continue;
            }
            let Some(target) = self.find_symbol(&target) else {
                return Err(ParseError { line, message: format!("unknown symbol @{target}") });
            };
            if self.module.symbols[symbol].def != SymbolDef::Undefined {
                return Err(ParseError { line, message: "second definition of the symbol".to_string() });
            }
            self.module.symbols[symbol].def = if ifunc { SymbolDef::Ifunc(target) } else { SymbolDef::Alias(target) };
        }
        Ok(())
    }

    /// A record type that has been declared.
    fn record(&mut self) -> Result<RecordTag> {
        let name = self.text()?;
        match self.module.alias_tags.record_named(&name) {
            Some(record) => Ok(record),
            None => self.error(format!("unknown record \"{name}\"")),
        }
    }

    /// The tag of a load or store.
    pub(super) fn alias_tag(&mut self) -> Result<AliasTag> {
        let name = self.text()?;
        let scalar = self.module.alias_tags.intern(&name, AliasTags::any());
        let mut path = Path::default();
        while self.eat_word("in") {
            let record = self.record()?;
            let start = self.number()? as u64;
            let end = if self.eat_word("to") { self.number()? as u64 } else { u64::MAX };
            path.steps.push(Step { record, start, end });
        }
        if path.steps.is_empty() {
            return Ok(scalar);
        }
        if self.eat_word("union") {
            path.shared = Shared::Union;
        } else if self.eat_word("bytes") {
            path.shared = Shared::Bytes;
        }
        let path = self.module.alias_tags.path(path);
        Ok(self.module.alias_tags.member(scalar, path))
    }

    fn item(&mut self) -> Result<()> {
        let word = self.word()?;
        match word.as_str() {
            "tag" => {
                let name = self.text()?;
                self.punct('<')?;
                let parent_name = self.text()?;
                let parent = self.module.alias_tags.intern(&parent_name, AliasTags::any());
                self.module.alias_tags.intern(&name, parent);
            }
            "record" => {
                let name = self.text()?;
                let mut parts = Vec::new();
                let mut more = self.eat_word("with");
                while more {
                    parts.push(self.record()?);
                    more = self.eat_punct(',');
                }
                self.module.alias_tags.record(&name, &parts);
            }
            "asm" => {
                let text = self.text()?;
                self.module.file_asm.push(text.into());
            }
            "reserved" => {
                while matches!(self.peek(), Token::Str(_)) {
                    let reg = self.global_register()?;
                    self.module.reserved_registers.insert(reg);
                }
            }
            "ident" => {
                let text = self.text()?.into_boxed_str();
                if self.merging.is_none() || !self.module.idents.contains(&text) {
                    self.module.idents.push(text);
                }
            }
            "symbol" => self.symbol_item()?,
            "constructor" | "destructor" => {
                let symbol = self.symbol()?;
                let has_priority = self.peek_word().starts_with(|c: char| c.is_ascii_digit());
                let priority = if has_priority { Some(self.small()?) } else { None };
                self.module.init_fini.push((word == "constructor", priority, symbol));
            }
            "data" => self.data_item()?,
            "func" => self.function_item()?,
            other => return self.error(format!("'{other}' begins no item")),
        }
        Ok(())
    }

    fn symbol_item(&mut self) -> Result<()> {
        let Token::Symbol(name) = self.next() else {
            return self.error("symbol expected");
        };
        let (id, mut data) = self.declared(&name);
        loop {
            if self.eat_punct(':') {
                data.signature = Some(self.signature()?);
                break;
            }
            let attrs = self.attrs();
            let known = self.symbol_property(id, &mut data)?;
            data.attrs.set(attrs.0);
            if !known && attrs.0 == 0 {
                break;
            }
        }
        self.declare(id, data);
        Ok(())
    }

    /// The name of a register that the program may reserve.
    fn global_register(&mut self) -> Result<platform::registers::Reg> {
        let name = self.text()?;
        match platform::registers::Reg::from_name(&name) {
            Some(reg) if platform::registers::GLOBAL_VARIABLES.contains(reg) => Ok(reg),
            _ => self.error(format!("'{name}' cannot be reserved")),
        }
    }

    fn symbol_property(&mut self, id: SymbolId, data: &mut SymbolData) -> Result<bool> {
        let word = self.peek_word().to_string();
        let line = self.line();
        match word.as_str() {
            "local" => data.linkage = Linkage::Local,
            "global" => data.linkage = Linkage::Global,
            "weak" => data.linkage = Linkage::Weak,
            "hidden" => data.visibility = Visibility::Hidden,
            "protected" => data.visibility = Visibility::Protected,
            "internal" => data.visibility = Visibility::Internal,
            "function" => data.is_function = true,
            "tls_gd" => data.tls = Some(TlsModel::GlobalDynamic),
            "tls_ld" => data.tls = Some(TlsModel::LocalDynamic),
            "tls_ie" => data.tls = Some(TlsModel::InitialExec),
            "tls_le" => data.tls = Some(TlsModel::LocalExec),
            "used" => data.used = true,
            "retain" => data.retain = true,
            "large" => data.large = true,
            "referenced" => data.referenced = true,
            "noplt" => data.no_plt = true,
            "stack_protect" => data.code.get_or_insert_default().stack_protect = true,
            "realigns_stack" => data.code.get_or_insert_default().realigns_stack = true,
            "cf_check" => data.code.get_or_insert_default().cf_check = true,
            "no_coverage" => data.code.get_or_insert_default().no_coverage = true,
            "no_profile" => data.code.get_or_insert_default().no_profile = true,
            "plain_loops" => data.code.get_or_insert_default().plain_loops = true,
            "placed" | "not_placed" => data.code.get_or_insert_default().placed = Some(word == "placed"),
            "indirect_branch" | "function_return" | "patchable" | "fentry_name" | "fentry_section" => {
                self.next();
                return self.code_attribute(data, &word);
            }
            "align" | "section" | "symver" | "common" | "alias" | "ifunc" | "register" => {
                self.next();
                match word.as_str() {
                    "align" => data.align = self.align()?,
                    "section" => data.section = Some(self.text()?.into()),
                    "symver" => data.symver = Some(self.text()?.into()),
                    "register" => data.register = Some(self.global_register()?),
                    "common" => data.def = SymbolDef::Common { size: self.small()?, align: self.align()? },
                    _ => {
                        let Token::Symbol(name) = self.next() else {
                            return self.error("symbol expected");
                        };
                        self.pending.push((id, line, name, word == "ifunc"));
                    }
                }
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.next();
        Ok(true)
    }

    /// What follows the word of a code attribute with arguments.
    fn code_attribute(&mut self, data: &mut SymbolData, word: &str) -> Result<bool> {
        let mut code = data.code.take().unwrap_or_default();
        match word {
            "patchable" => code.patchable = Some((self.small()?, self.small()?)),
            "fentry_name" => code.fentry_name = Some(self.text()?.into()),
            "fentry_section" => code.fentry_section = Some(self.text()?.into()),
            _ => {
                let name = self.text()?;
                let Some(thunk) = Thunk::named(&name) else { return self.error("kind of thunk expected") };
                let place =
                    if word == "indirect_branch" { &mut code.indirect_branch } else { &mut code.function_return };
                *place = Some(thunk);
            }
        }
        data.code = Some(code);
        Ok(true)
    }

    /// The symbol of a definition, and whether it is the module's; nothing may be defined twice.
    fn defined_symbol(&mut self) -> Result<(SymbolId, bool)> {
        let symbol = self.symbol()?;
        if self.merging.is_some() {
            let counts = self.takes_definition(symbol);
            return Ok((symbol, counts));
        }
        if self.module.symbols[symbol].def == SymbolDef::Undefined {
            Ok((symbol, true))
        } else {
            self.error("second definition of the symbol")
        }
    }

    fn data_item(&mut self) -> Result<()> {
        let (symbol, counts) = self.defined_symbol()?;
        self.keyword("size")?;
        let size = self.small()?;
        self.keyword("align")?;
        let align = self.align()?;
        let read_only = self.eat_word("const");
        let constant = read_only || self.eat_word("constant");
        let unnamed_addr = self.eat_word("unnamed_addr");
        let mergeable_string = if self.eat_word("string") { self.small()? } else { 0 };
        let bytes = if self.eat_punct('=') { self.bytes()? } else { Vec::new() };
        let mut relocs = Vec::new();
        while self.eat_word("reloc") {
            let (offset, size) = (self.small()?, self.small()?);
            let target = if self.eat_word("label") {
                RelocTarget::Label { function: self.symbol()?, label: self.small()? }
            } else if self.eat_word("label_difference") {
                RelocTarget::LabelDifference { function: self.symbol()?, plus: self.small()?, minus: self.small()? }
            } else {
                RelocTarget::Symbol(self.symbol()?)
            };
            relocs.push(DataReloc { offset, size, target, addend: self.small()? });
        }
        if counts {
            let redzone = 0;
            self.module.define_data(DataObject {
                symbol,
                size,
                align,
                bytes,
                relocs,
                read_only,
                constant,
                mergeable_string,
                unnamed_addr,
                redzone,
            });
        }
        Ok(())
    }

    /// `target "sse,sse2,avx"`: the features of a function, if they are not the unit's.
    fn function_features(&mut self) -> Result<Option<X86Features>> {
        if !self.eat_word("target") {
            return Ok(None);
        }
        let mut bits = 0;
        for name in self.text()?.split(',') {
            match X86Features::TABLE.iter().find(|row| row.0 == name) {
                Some(row) => bits |= row.2,
                None => return self.error("no such instruction set"),
            }
        }
        Ok(Some(X86Features(bits)))
    }

    /// `entered 5 of 700`: what earlier runs counted.
    fn counted(&mut self) -> Result<Option<Counted>> {
        if !self.eat_word("entered") {
            return Ok(None);
        }
        let entered = self.small()?;
        self.keyword("of")?;
        Ok(Some(Counted { entered, highest: self.small()? }))
    }

    fn function_item(&mut self) -> Result<()> {
        let (symbol, counts) = self.defined_symbol()?;
        let features = self.function_features()?;
        let counted = self.counted()?;
        let mut names = Vec::new();
        let mut restrict_params = Vec::new();
        while self.peek_word().starts_with('v') {
            names.push(self.word()?);
            if self.eat_word("restrict") {
                restrict_params.push(names.len() as u32 - 1);
            }
            self.eat_punct(',');
        }
        self.punct(':')?;
        let sig = self.signature()?;
        let types: Vec<Type> = self.module.signatures[sig].params.iter().map(|p| p.ty).collect();
        if types.len() != names.len() {
            return self.error("as many parameter names as signature parameters expected");
        }
        self.punct('{')?;
        let mut func = Function::new(symbol, sig, types);
        func.restrict_params = restrict_params;
        func.features = features;
        func.counted = counted;
        let values: FxHashMap<String, crate::Value> = names.into_iter().zip(func.params().iter().copied()).collect();
        let mut body = FunctionParser::new(self, func, values);
        body.body()?;
        let func = body.finish()?;
        if counts {
            self.module.symbols[symbol].is_function = true;
            self.module.symbols[symbol].signature.get_or_insert(sig);
            self.module.define_function(func);
        }
        Ok(())
    }
}
