//! The parser of textual IR: a cursor over tokens, and what all parts of the grammar are made of.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::VariableName;
use crate::module::{AbiParam, FnAttrs, ParamKind, Signature, SymbolData};
use crate::{Function, Module, SigId, SymbolId, Type};

use super::lexer::{ParseError, Result, Token};
use super::print::ATTR_NAMES;

/// What several texts that become one module say of their symbols; `merge` has the rules.
#[derive(Default)]
pub(super) struct Merging {
    /// Global symbols of the texts before.
    pub seen: FxHashSet<SymbolId>,
    /// How many local symbols of a name have got names of their own.
    pub numbers: FxHashMap<String, u32>,
    /// Local symbols of the text that is being read, by their names in it.
    pub locals: FxHashMap<String, SymbolId>,
    /// Its global symbols as it declares them.
    pub declared: FxHashMap<SymbolId, SymbolData>,
    /// The names that it defines and another object defines for the program.
    pub superseded: FxHashSet<String>,
}

/// The token cursor with the module under construction.
pub(super) struct Parser {
    pub tokens: Vec<(Token, u32)>,
    pub at: usize,
    /// What has been read.
    pub module: Module,
    /// Aliases and ifuncs whose target may come later.
    pub pending: Vec<(SymbolId, u32, String, bool)>,
    /// Set while the text is one of several that become one module.
    pub merging: Option<Merging>,
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
        Ok(self.symbol_named(&name))
    }

    /// The symbol that a name means in this text.
    pub fn symbol_named(&mut self, name: &str) -> SymbolId {
        match self.find_symbol(name) {
            Some(id) => id,
            None => self.module.add_symbol(SymbolData::undefined(name, false)),
        }
    }

    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        let local = self.merging.as_ref().and_then(|merging| merging.locals.get(name).copied());
        local.or_else(|| self.module.find_symbol(name))
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

    /// `variable vN "name"`, after the name's keyword.
    pub fn variable(&mut self, func: &Function, value: crate::Value) -> Result<VariableName> {
        let name = self.text()?.into();
        match func.def_inst(value) {
            Some(alloca) => Ok(VariableName { alloca, name, declared: base::Loc::NONE, line: 0, checked: true }),
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
