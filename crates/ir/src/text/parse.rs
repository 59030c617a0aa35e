//! Reads modules back from text: declarations, data objects and the frame of functions.
//! `parse_inst` reads the instructions.

use std::fmt;

use rustc_hash::FxHashMap;
use target::options::{Thunk, X86Features};

use crate::function::VariableName;
use crate::module::{
    AbiParam, DataObject, DataReloc, FnAttrs, Linkage, ParamKind, RelocTarget, Signature, SymbolData, SymbolDef,
    TlsModel, Visibility,
};
use crate::{AliasTags, Function, Module, SigId, SymbolId, Type};

use super::lexer::{Token, tokenize};
use super::parse_inst::FunctionParser;
use super::print::ATTR_NAMES;

/// Why a text is no module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a module.
///
/// # Errors
/// The first place where the text is not in the form that `print` writes.
pub fn parse_module(source: &str) -> Result<Module> {
    let mut parser = Parser { tokens: tokenize(source)?, at: 0, module: Module::new(), pending: Vec::new() };
    while *parser.peek() != Token::End {
        parser.item()?;
    }
    for (symbol, line, target, ifunc) in std::mem::take(&mut parser.pending) {
        let Some(target) = parser.module.find_symbol(&target) else {
            return Err(ParseError { line, message: format!("unknown symbol @{target}") });
        };
        if parser.module.symbols[symbol].def != SymbolDef::Undefined {
            return Err(ParseError { line, message: "second definition of the symbol".to_string() });
        }
        parser.module.symbols[symbol].def = if ifunc { SymbolDef::Ifunc(target) } else { SymbolDef::Alias(target) };
    }
    Ok(parser.module)
}

/// The token cursor with the module under construction.
pub(super) struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
    /// What has been read.
    pub module: Module,
    /// Aliases and ifuncs whose target may come later.
    pending: Vec<(SymbolId, u32, String, bool)>,
}

impl Parser {
    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub fn line(&self) -> u32 {
        self.tokens[self.at].1
    }

    pub fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// An error at the token taken last.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let line = self.tokens[self.at.saturating_sub(1)].1;
        Err(ParseError { line, message: message.into() })
    }

    pub fn punct(&mut self, c: char) -> Result<()> {
        if self.eat_punct(c) { Ok(()) } else { self.error(format!("'{c}' expected")) }
    }

    pub fn eat_punct(&mut self, c: char) -> bool {
        let found = *self.peek() == Token::Punct(c);
        if found {
            self.next();
        }
        found
    }

    /// The text of the next token if it is a word, without taking it.
    pub fn peek_word(&self) -> &str {
        match self.peek() {
            Token::Word(word) => word,
            _ => "",
        }
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.next();
        }
        found
    }

    pub fn keyword(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("'{word}' expected")) }
    }

    pub fn word(&mut self) -> Result<String> {
        match self.peek() {
            Token::Word(_) => match self.next() {
                Token::Word(word) => Ok(word),
                _ => unreachable!("just peeked"),
            },
            _ => self.error("name expected"),
        }
    }

    /// A decimal or 0x number, possibly negative.
    pub fn number(&mut self) -> Result<i128> {
        let negative = self.eat_punct('-');
        let word = self.word()?;
        let value = match word.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok().map(|v| v as i128),
            None => word.parse::<i128>().ok(),
        };
        match value {
            Some(value) => Ok(if negative { value.wrapping_neg() } else { value }),
            None => self.error(format!("number expected, found '{word}'")),
        }
    }

    pub fn small<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let value = self.number()?;
        T::try_from(value).or_else(|_| self.error(format!("{value} is out of range")))
    }

    /// An index into a table that is as long as its largest index: not far beyond what the text
    /// could name.
    pub fn index(&mut self) -> Result<u32> {
        let index: u32 = self.small()?;
        if index as usize <= self.tokens.len() + (1 << 16) {
            Ok(index)
        } else {
            self.error(format!("index {index} is larger than any that this text can need"))
        }
    }

    pub fn align(&mut self) -> Result<u32> {
        let align: u32 = self.small()?;
        if align.is_power_of_two() { Ok(align) } else { self.error("alignment must be a power of two") }
    }

    pub fn bytes(&mut self) -> Result<Vec<u8>> {
        match self.next() {
            Token::Str(bytes) => Ok(bytes),
            _ => self.error("string expected"),
        }
    }

    pub fn text(&mut self) -> Result<String> {
        String::from_utf8(self.bytes()?).or_else(|_| self.error("string is not UTF-8"))
    }

    /// A symbol, declared as an undefined global if it is new.
    pub fn symbol(&mut self) -> Result<SymbolId> {
        let Token::Symbol(name) = self.next() else {
            return self.error("symbol expected");
        };
        Ok(match self.module.find_symbol(&name) {
            Some(id) => id,
            None => self.module.add_symbol(SymbolData::undefined(&name, false)),
        })
    }

    /// A type: a word or `<N x word>`.
    pub fn ty(&mut self) -> Result<Type> {
        if self.eat_punct('<') {
            let lanes: u32 = self.small()?;
            self.keyword("x")?;
            let lane = self.ty()?;
            self.punct('>')?;
            if !lanes.is_power_of_two() || !lane.is_scalar() {
                return self.error("vectors have a power of two of scalar lanes");
            }
            return Ok(lane.vector(lanes));
        }
        let word = self.word()?;
        match scalar_type(&word) {
            Some(ty) => Ok(ty),
            None => self.error(format!("type expected, found '{word}'")),
        }
    }

    pub fn attrs(&mut self) -> FnAttrs {
        let mut attrs = FnAttrs::default();
        while let Some(&(bit, _)) = ATTR_NAMES.iter().find(|(_, name)| *name == self.peek_word()) {
            attrs.set(bit);
            self.next();
        }
        attrs
    }

    pub fn signature(&mut self) -> Result<SigId> {
        let mut sig = Signature::default();
        self.punct('(')?;
        while !self.eat_punct(')') {
            if self.eat_word("...") {
                sig.variadic = true;
            } else {
                let ty = self.ty()?;
                let kind = if self.eat_word("byval") {
                    ParamKind::ByVal { size: self.small()?, align: self.align()? }
                } else if self.eat_word("sret") {
                    ParamKind::StructReturn
                } else if self.eat_word("chain") {
                    ParamKind::StaticChain
                } else {
                    ParamKind::Direct
                };
                sig.params.push(AbiParam { ty, kind });
            }
            self.eat_punct(',');
        }
        self.punct('>')?;
        self.punct('(')?;
        while !self.eat_punct(')') {
            let ty = self.ty()?;
            sig.returns.push(ty);
            self.eat_punct(',');
        }
        sig.ms_abi = self.eat_word("ms_abi");
        Ok(self.module.signature(sig))
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
            "asm" => {
                let text = self.text()?;
                self.module.file_asm.push(text.into());
            }
            "reserved" => {
                while matches!(self.peek(), Token::Str(_)) {
                    let name = self.text()?;
                    match target::registers::Reg::from_name(&name) {
                        Some(reg) if target::registers::GLOBAL_VARIABLES.contains(reg) => {
                            self.module.reserved_registers.insert(reg);
                        }
                        _ => return self.error(format!("'{name}' cannot be reserved")),
                    }
                }
            }
            "ident" => {
                let text = self.text()?;
                self.module.idents.push(text.into());
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
        let id = self.symbol()?;
        loop {
            if *self.peek() == Token::Punct(':') {
                self.next();
                let sig = self.signature()?;
                self.module.symbols[id].signature = Some(sig);
                return Ok(());
            }
            let attrs = self.attrs();
            let known = self.symbol_property(id)?;
            let data = &mut self.module.symbols[id];
            data.attrs.set(attrs.0);
            if !known && attrs.0 == 0 {
                return Ok(());
            }
        }
    }

    fn symbol_property(&mut self, id: SymbolId) -> Result<bool> {
        let word = self.peek_word().to_string();
        let line = self.line();
        let data = &mut self.module.symbols[id];
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
            "indirect_branch" | "function_return" | "patchable" | "fentry_name" | "fentry_section" => {
                self.next();
                return self.code_attribute(id, &word);
            }
            "align" | "section" | "symver" | "common" | "alias" | "ifunc" => {
                self.next();
                match word.as_str() {
                    "align" => self.module.symbols[id].align = self.align()?,
                    "section" => self.module.symbols[id].section = Some(self.text()?.into()),
                    "symver" => self.module.symbols[id].symver = Some(self.text()?.into()),
                    "common" => {
                        self.module.symbols[id].def = SymbolDef::Common { size: self.small()?, align: self.align()? };
                    }
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
    fn code_attribute(&mut self, id: SymbolId, word: &str) -> Result<bool> {
        let mut code = self.module.symbols[id].code.take().unwrap_or_default();
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
        self.module.symbols[id].code = Some(code);
        Ok(true)
    }

    /// The symbol of a definition; nothing may be defined twice.
    fn defined_symbol(&mut self) -> Result<SymbolId> {
        let symbol = self.symbol()?;
        if self.module.symbols[symbol].def == SymbolDef::Undefined {
            Ok(symbol)
        } else {
            self.error("second definition of the symbol")
        }
    }

    fn data_item(&mut self) -> Result<()> {
        let symbol = self.defined_symbol()?;
        self.keyword("size")?;
        let size = self.small()?;
        self.keyword("align")?;
        let align = self.align()?;
        let read_only = self.eat_word("const");
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
        self.module.define_data(DataObject {
            symbol,
            size,
            align,
            bytes,
            relocs,
            read_only,
            mergeable_string,
            unnamed_addr,
        });
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

    fn function_item(&mut self) -> Result<()> {
        let symbol = self.defined_symbol()?;
        let features = self.function_features()?;
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
        let values: FxHashMap<String, crate::Value> = names.into_iter().zip(func.params().iter().copied()).collect();
        let mut body = FunctionParser::new(self, func, values);
        body.body()?;
        let func = body.finish()?;
        self.module.symbols[symbol].is_function = true;
        self.module.symbols[symbol].signature.get_or_insert(sig);
        self.module.define_function(func);
        Ok(())
    }

    /// `variable vN "name"`, after the name's keyword.
    pub fn variable(&mut self, func: &Function, value: crate::Value) -> Result<VariableName> {
        let name = self.text()?.into();
        match func.def_inst(value) {
            Some(alloca) => Ok(VariableName { alloca, name, declared: base::Loc::NONE, checked: true }),
            None => self.error("a variable lives in an alloca"),
        }
    }
}

/// The scalar type of this name.
pub(super) fn scalar_type(word: &str) -> Option<Type> {
    const ALL: [Type; 13] = [
        Type::VOID,
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F16,
        Type::F32,
        Type::F64,
        Type::F80,
        Type::F128,
        Type::PTR,
    ];
    ALL.into_iter().find(|ty| ty.to_string() == word)
}
