//! Reads what is said of the variables of `-g`: `debug 1 "x" [4..8] = v3` before an instruction
//! and, after the code, `described 1 "x" in v1` (`through v1` if the alloca holds the variable's
//! address), `arrives 1 "x" = v0` and `inlined 0 @f`.

use crate::debug::{DebugPart, DebugVariable, InlineSite, InlinedVariable, VariablePlace};
use crate::debug_linear::{Extend, Linear};
use crate::debug_values::{DebugValue, Fragment};
use crate::{Inst, Value};

use super::lexer::{ParseError, Result};
use super::parse_inst::{FunctionParser, ReadRecord};

/// Variables are numbered densely; text that names one beyond is not ours.
const MAX_VARIABLES: u32 = 1 << 20;

impl FunctionParser<'_> {
    /// What follows `debug`.
    pub(super) fn debug_value(&mut self) -> Result<()> {
        let line = self.parser.line();
        let (variable, fragment) = self.described_variable()?;
        self.parser.punct('=')?;
        let mut record = DebugValue::new(variable, fragment, None);
        let mut name = None;
        if !self.parser.eat_word("unknown") {
            self.unknown.clear();
            let value = self.operand(0)?;
            name = self.unknown.pop().map(|(_, name)| name);
            record.value = Some(value).filter(|_| name.is_none()).into();
            record.linear = self.linear()?;
        }
        self.debug_values.push(ReadRecord { record, name, line });
        Ok(())
    }

    /// ` zext 32 times 4 plus -8`, each of which may be missing.
    fn linear(&mut self) -> Result<Linear> {
        let mut linear = Linear::IDENTITY;
        for (word, extend) in [("zext", Extend::Zero as fn(u8) -> Extend), ("sext", Extend::Sign)] {
            if self.parser.eat_word(word) {
                let bits: u8 = self.parser.small()?;
                if !(1..=64).contains(&bits) {
                    return self.parser.error("a width from 1 to 64 expected");
                }
                linear.extend = extend(bits);
            }
        }
        if self.parser.eat_word("times") {
            linear.scale = self.parser.small()?;
        }
        if self.parser.eat_word("plus") {
            linear.offset = self.parser.small()?;
        }
        Ok(linear)
    }

    /// What follows `described`.
    pub(super) fn described(&mut self) -> Result<()> {
        let (variable, fragment) = self.described_variable()?;
        let by_address = self.parser.eat_word("through");
        if !by_address {
            self.parser.keyword("in")?;
        }
        let value = self.operand(0)?;
        let Some(alloca) = self.func.def_inst(value) else {
            return self.parser.error("a variable lives in an alloca");
        };
        let debug = self.func.debug.get_or_insert_default();
        debug.variables[variable as usize].by_address = by_address;
        match fragment {
            Some(fragment) => debug.parts.push(DebugPart { alloca, variable, fragment }),
            None => debug.variables[variable as usize].place = VariablePlace::Alloca(alloca),
        }
        Ok(())
    }

    /// What follows `arrives`.
    pub(super) fn arrives(&mut self) -> Result<()> {
        let (variable, fragment) = self.described_variable()?;
        self.parser.punct('=')?;
        let value = self.operand(0)?;
        if self.func.def_inst(value).is_some() {
            return self.parser.error("a parameter of the function or a constant expected");
        }
        self.func.add_debug_arrival(DebugValue::new(variable, fragment, Some(value)));
        Ok(())
    }

    /// What follows `inlined`: `1 @f at 0`.
    pub(super) fn inlined(&mut self) -> Result<()> {
        let number: usize = self.parser.small()?;
        let callee = self.parser.symbol()?;
        let parent = if self.parser.eat_word("at") { Some(self.parser.small()?) } else { None };
        let sites = &mut self.func.debug.get_or_insert_default().sites;
        if number != sites.len() || parent.is_some_and(|parent: u32| parent as usize >= number) {
            return self.parser.error("sites are numbered in order, after those around them");
        }
        sites.push(InlineSite { callee, call: base::Loc::NONE, parent });
        Ok(())
    }

    /// What follows `at` after an instruction.
    pub(super) fn instruction_site(&mut self, inst: Inst) -> Result<()> {
        let site = self.parser.small()?;
        let debug = self.func.debug.get_or_insert_default();
        self.func.inst_locs[inst] = debug.location(base::Loc::NONE, site);
        Ok(())
    }

    /// Sites that are named exist.
    pub(super) fn check_sites(&self) -> Result<()> {
        let Some(debug) = &self.func.debug else { return Ok(()) };
        let of_code = debug.inlined.iter().map(|inlined| inlined.1);
        let of_variables = debug.variables.iter().filter_map(|v| v.inlined).map(|inlined| inlined.site);
        match of_code.chain(of_variables).all(|site| (site as usize) < debug.sites.len()) {
            true => Ok(()),
            false => self.parser.error("'at' names a site that is not 'inlined'"),
        }
    }

    /// Number, name and bytes; the variable is made if it is new.
    fn described_variable(&mut self) -> Result<(u32, Option<Fragment>)> {
        let number: u32 = self.parser.small()?;
        let name = self.parser.text()?;
        if number >= MAX_VARIABLES {
            return self.parser.error("the number of a variable is too large");
        }
        let mut inlined = None;
        if self.parser.eat_word("at") {
            inlined = Some(InlinedVariable { site: self.parser.small()?, origin: self.parser.small()?, fixed: false });
        }
        let mut fragment = None;
        if self.parser.eat_punct('[') {
            // `4..8` is one word.
            let range = self.parser.word()?;
            let bounds =
                range.split_once("..").and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
            match bounds {
                Some((from, to)) if from < to => fragment = Some(Fragment { offset: from, size: to - from }),
                _ => return self.parser.error("a range of bytes expected"),
            }
            self.parser.punct(']')?;
        }
        let variables = &mut self.func.debug.get_or_insert_default().variables;
        if variables.len() <= number as usize {
            variables.resize(number as usize + 1, unnamed());
        }
        variables[number as usize].name = name.into();
        variables[number as usize].inlined = inlined;
        Ok((number, fragment))
    }

    /// Gives the function its records, now that all values are known.
    pub(super) fn place_debug_values(&mut self) -> Result<()> {
        let placed: Vec<(Inst, ReadRecord)> = std::mem::take(&mut self.placed_debug_values);
        for (inst, ReadRecord { mut record, name, line }) in placed {
            if let Some(name) = name {
                let found: Option<Value> = self.values.get(&name).copied();
                let missing = || ParseError { line, message: format!("value {name} is never defined") };
                record.value = Some(found.ok_or_else(missing)?).into();
            }
            self.func.add_debug_value(inst, record);
        }
        Ok(())
    }
}

fn unnamed() -> DebugVariable {
    DebugVariable {
        name: "".into(),
        ty: None,
        loc: base::Loc::NONE,
        scope: 0,
        parameter: false,
        place: VariablePlace::Elsewhere,
        inlined: None,
        by_address: false,
        bound: None,
    }
}
