//! The statement loop: labels, assignments, conditionals, macros, and who handles the rest.

use std::rc::Rc;

use iced_x86::Register;

use crate::{
    context::{Assembler, Conditional, Input},
    debug_info, directives,
    expression::{self, Expr},
    instruction,
    macros::{self, Macro},
    state::Definition,
    text::{Cursor, Statement, split_statements},
};

/// Macro calls and repetitions may be nested this deep.
const MAX_EXPANSION_DEPTH: usize = 200;
/// Statements that expansions may produce in all, so that an endless recursion ends.
const MAX_EXPANDED_STATEMENTS: u64 = 20_000_000;

impl Assembler {
    /// Assembles source text.
    pub fn run(&mut self, source: &str, file: &str, first_line: u32) {
        let file: Rc<str> = file.into();
        let statements = split_statements(source, &file, first_line);
        self.push_input(statements, None);
        while !self.ended {
            let Some(statement) = self.next_statement() else { break };
            self.statement(&statement);
        }
        if !self.conditionals.is_empty() && !self.ended {
            self.state.error("end of file inside conditional");
        }
    }

    /// Reads further statements before the rest (`.include`).
    pub fn push_source(&mut self, source: &str, file: &str) {
        let file: Rc<str> = file.into();
        let statements = split_statements(source, &file, 1);
        self.push_input(statements, None);
    }

    fn push_input(&mut self, statements: Vec<Statement>, line: Option<(u32, Rc<str>)>) {
        if self.inputs.len() >= MAX_EXPANSION_DEPTH {
            self.state.error("macros nested too deeply");
            self.ended = true;
            return;
        }
        self.produced += statements.len() as u64;
        if self.produced > MAX_EXPANDED_STATEMENTS {
            self.state.error("macros expand to too many statements");
            self.ended = true;
            return;
        }
        self.inputs.push(Input { statements: statements.into(), next: 0, line });
    }

    fn next_statement(&mut self) -> Option<Statement> {
        loop {
            let input = self.inputs.last_mut()?;
            match input.statements.get(input.next) {
                Some(statement) => {
                    input.next += 1;
                    let mut statement = statement.clone();
                    if let Some((line, file)) = &input.line {
                        (statement.line, statement.file) = (*line, file.clone());
                    }
                    return Some(statement);
                }
                None => {
                    self.inputs.pop();
                }
            }
        }
    }

    /// Leaves the innermost macro expansion (`.exitm`).
    pub fn exit_macro(&mut self) {
        if self.inputs.len() > 1 {
            self.inputs.pop();
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.state.line = statement.line;
        self.state.file = statement.file.clone();
        self.state.statement_start = None;
        let mut cursor = Cursor::new(&statement.text);
        if !self.active() {
            self.skip_inactive(&mut cursor);
            return;
        }
        if let Err(message) = self.parse_statement(&mut cursor) {
            self.state.error(message);
        }
    }

    fn active(&self) -> bool {
        self.conditionals.last().is_none_or(|c| c.active)
    }

    /// Labels, then an assignment, a directive, a macro call or an instruction.
    fn parse_statement(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        loop {
            cursor.skip_space();
            if cursor.at_end() {
                return Ok(());
            }
            if !self.label(cursor)? {
                break;
            }
        }
        self.state.statement_start = None;
        if cursor.peek() == b'{' {
            return self.instruction(cursor.rest());
        }
        let start = cursor.at;
        let quoted = cursor.peek() == b'"';
        let Some(word) = cursor.name() else {
            return Err(format!("unexpected character at '{}'", cursor.rest()));
        };
        cursor.skip_space();
        if cursor.peek() == b'=' && (cursor.peek_at(1) != b'=' || cursor.peek_at(2) != b'=') {
            return self.assignment(word, cursor);
        }
        if quoted {
            return Err(format!("unexpected string '{word}'"));
        }
        if let Some(definition) = self.macro_named(word) {
            let definition = definition.clone();
            return self.call_macro(word, &definition, cursor.rest());
        }
        if word.starts_with('.') {
            let name = word.to_ascii_lowercase();
            return self.directive(&name, cursor);
        }
        self.instruction(&cursor.text[start..])
    }

    fn instruction(&mut self, text: &str) -> Result<(), String> {
        if self.state.in_bss() {
            return Err("attempt to put an instruction into a section without contents".into());
        }
        if self.state.marks_lines {
            debug_info::mark(&mut self.state);
        }
        instruction::assemble(&mut self.state, text.trim_end(), self.syntax)
    }

    /// Consumes `name:` or `1:`; returns whether there was one.
    fn label(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, String> {
        let mut ahead = cursor.clone();
        if ahead.peek().is_ascii_digit() {
            let start = ahead.at;
            while ahead.peek().is_ascii_digit() {
                ahead.at += 1;
            }
            let number = ahead.text[start..ahead.at].parse::<u64>();
            ahead.skip_space();
            if ahead.peek() != b':' {
                return Ok(false);
            }
            ahead.at += 1;
            self.state.define_local_label(number.map_err(|_| "bad local label".to_string())?);
            cursor.at = ahead.at;
            return Ok(true);
        }
        let Some(name) = ahead.name() else { return Ok(false) };
        ahead.skip_space();
        // `es: movl ...` is a prefix no one writes; `a::` neither.
        if ahead.peek() != b':' {
            return Ok(false);
        }
        ahead.at += 1;
        self.state.define_label(name);
        cursor.at = ahead.at;
        Ok(true)
    }

    /// `name = value`, `name == value`
    fn assignment(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
        cursor.at += 1;
        let once = cursor.peek() == b'=';
        if once {
            cursor.at += 1;
        }
        self.assign(name, cursor, once)
    }

    /// `.set name, value` and its relatives.
    pub fn assign(&mut self, name: &str, cursor: &mut Cursor<'_>, once: bool) -> Result<(), String> {
        if let Some(register) = instruction::whole_register(&self.state, cursor, self.syntax) {
            return self.name_register(name, register, once);
        }
        let value = expression::parse(&mut self.state, cursor)?;
        if !cursor.at_end() {
            return Err(format!("junk '{}' at end of assignment", cursor.rest()));
        }
        if !once {
            self.state.register_names.remove(name);
        }
        if name == "." {
            let fill = 0;
            self.state.emit_item(crate::state::ItemKind::Org { target: value, fill });
            return Ok(());
        }
        let symbol = self.state.symbol_of(name);
        match self.state.definition(symbol) {
            Definition::Undefined => {}
            Definition::Equate(_) if !once => {}
            _ => return Err(format!("symbol '{name}' is already defined")),
        }
        // A number known now stays what it is when symbols in it change.
        let value = match self.state.evaluate(&value) {
            Ok(known) => match known.as_number() {
                Some(number) => Expr::Number(number),
                None => value,
            },
            Err(_) => value,
        };
        self.state.symbol_mut(symbol).definition = Definition::Equate(Box::new(value));
        Ok(())
    }

    /// `name = %register`
    fn name_register(&mut self, name: &str, register: Register, once: bool) -> Result<(), String> {
        let symbol = self.state.symbol_of(name);
        let known = match self.state.definition(symbol) {
            Definition::Undefined => self.state.register_names.contains_key(name) && once,
            Definition::Equate(_) => once,
            _ => true,
        };
        if known {
            return Err(format!("symbol '{name}' is already defined"));
        }
        // Not a symbol any more: nothing of it is in the object.
        let data = self.state.symbol_mut(symbol);
        (data.definition, data.internal) = (Definition::Undefined, true);
        self.state.register_names.insert(name.into(), register);
        Ok(())
    }

    // ---- conditionals, macros, repetitions ----

    fn directive(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
        match name {
            ".macro" => self.define_macro(cursor),
            ".rept" | ".rep" => self.repeat(cursor),
            ".irp" | ".irep" => self.repeat_values(cursor, false),
            ".irpc" | ".irepc" => self.repeat_values(cursor, true),
            ".endm" | ".endmacro" | ".endr" => Err(format!("'{name}' without a beginning")),
            ".exitm" => {
                self.exit_macro();
                Ok(())
            }
            ".purgem" => {
                let name = cursor.until(b",").to_string();
                self.macros.remove(&*name.to_ascii_lowercase());
                Ok(())
            }
            ".altmacro" => {
                self.alternate = true;
                Ok(())
            }
            ".noaltmacro" => {
                self.alternate = false;
                Ok(())
            }
            ".else" | ".elseif" | ".elsif" | ".endif" | ".elseifdef" => self.conditional_branch(name, cursor),
            _ if name.starts_with(".if") => {
                let word = cursor.rest().trim().to_string();
                let active = self.condition(name, cursor)?;
                self.conditionals.push(Conditional { active, taken: active, dead: false, else_seen: false });
                if active && matches!(name, ".ifndef" | ".ifnotdef") && self.state.guard.is_none() {
                    self.state.guard = Some((self.conditionals.len(), word.into()));
                }
                Ok(())
            }
            _ => directives::handle(self, name, cursor),
        }
    }

    /// In an inactive branch only the conditionals themselves count.
    fn skip_inactive(&mut self, cursor: &mut Cursor<'_>) {
        let Some(word) = cursor.name() else { return };
        let name = word.to_ascii_lowercase();
        if name.starts_with(".if") {
            self.conditionals.push(Conditional { active: false, taken: true, dead: true, else_seen: false });
        } else if matches!(&*name, ".else" | ".elseif" | ".elsif" | ".endif")
            && let Err(message) = self.conditional_branch(&name, cursor)
        {
            self.state.error(message);
        }
    }

    fn conditional_branch(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let Some(current) = self.conditionals.last().copied() else {
            return Err(format!("'{name}' without a matching '.if'"));
        };
        if self.state.guard.as_ref().is_some_and(|(depth, _)| *depth == self.conditionals.len()) {
            self.state.guard = None;
            let section = self.state.current_chunk().section;
            self.state.end_guarded(section);
        }
        let mut next = current;
        match name {
            ".endif" => {
                self.conditionals.pop();
                return Ok(());
            }
            _ if current.else_seen => return Err(format!("'{name}' after '.else'")),
            ".else" => {
                next.active = !current.taken && !current.dead;
                next.else_seen = true;
            }
            _ => next.active = !current.taken && !current.dead && self.condition(".if", cursor)?,
        }
        next.taken |= next.active;
        *self.conditionals.last_mut().expect("looked at above") = next;
        Ok(())
    }

    fn condition(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<bool, String> {
        let mut number = |assembler: &mut Assembler| {
            let expr = expression::parse(&mut assembler.state, cursor)?;
            assembler.state.absolute(&expr)
        };
        Ok(match name {
            ".if" | ".ifne" => number(self)? != 0,
            ".ifeq" => number(self)? == 0,
            ".ifge" => number(self)? >= 0,
            ".ifgt" => number(self)? > 0,
            ".ifle" => number(self)? <= 0,
            ".iflt" => number(self)? < 0,
            ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let symbol = cursor.until(b",");
                let defined = match self.state.names.get(symbol) {
                    _ if self.state.register_names.contains_key(symbol) => true,
                    Some(&known) => *self.state.definition(known) != Definition::Undefined,
                    None => false,
                };
                defined == (name == ".ifdef")
            }
            ".ifb" => cursor.rest().trim().is_empty(),
            ".ifnb" => !cursor.rest().trim().is_empty(),
            ".ifc" | ".ifnc" => {
                let first = cursor.until(b",").to_string();
                cursor.eat(b',');
                let strip = |text: &str| {
                    let text = text.trim();
                    text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(text).to_string()
                };
                (strip(&first) == strip(cursor.rest())) == (name == ".ifc")
            }
            ".ifeqs" | ".ifnes" => {
                let first = cursor.string().ok_or("expected a string")?;
                cursor.eat(b',');
                let second = cursor.string().ok_or("expected a string")?;
                (first == second) == (name == ".ifeqs")
            }
            _ => return Err(format!("unknown conditional '{name}'")),
        })
    }

    /// The statements up to the matching end directive.
    fn body(&mut self, starts: &[&str], ends: &[&str]) -> Result<Vec<Statement>, String> {
        let mut depth = 0;
        let mut out = Vec::new();
        let (line, file) = (self.state.line, self.state.file.clone());
        while let Some(statement) = self.next_statement() {
            let mut cursor = Cursor::new(&statement.text);
            let word = cursor.name().unwrap_or_default().to_ascii_lowercase();
            if starts.contains(&&*word) {
                depth += 1;
            } else if ends.contains(&&*word) {
                if depth == 0 {
                    return Ok(out);
                }
                depth -= 1;
            }
            out.push(statement);
        }
        (self.state.line, self.state.file) = (line, file);
        Err(format!("no '{}' for this", ends[0]))
    }

    fn define_macro(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let name = cursor.name().ok_or("missing macro name")?.to_string();
        let parameters = macros::parse_parameters(cursor);
        let body = self.body(&[".macro"], &[".endm", ".endmacro"])?;
        self.macros.insert(name.to_ascii_lowercase().into(), Macro { parameters: parameters?, body: body.into() });
        Ok(())
    }

    /// The macro of that name, in which case does not count.
    fn macro_named(&self, name: &str) -> Option<&Macro> {
        if self.macros.is_empty() {
            return None;
        }
        match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => self.macros.get(&*name.to_ascii_lowercase()),
            false => self.macros.get(name),
        }
    }

    fn call_macro(&mut self, name: &str, definition: &Macro, arguments: &str) -> Result<(), String> {
        let arguments = if self.alternate { self.alternate_arguments(arguments)? } else { arguments.to_string() };
        let values = macros::bind_arguments(name, &definition.parameters, &arguments)?;
        let names: Vec<&str> = definition.parameters.iter().map(|p| &*p.name).collect();
        let expanded = self.expand(&definition.body, &[(names, values)]);
        // Repetitions are not counted.
        self.expansions += 1;
        expanded
    }

    /// Arguments in alternate mode: `%expression` is its value, `<text>` one argument, in which `!`
    /// takes the next character as it is.
    fn alternate_arguments(&mut self, arguments: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut cursor = Cursor::new(arguments);
        while !cursor.at_end() {
            match cursor.peek() {
                b'%' => {
                    cursor.at += 1;
                    let value = expression::parse(&mut self.state, &mut cursor)?;
                    out.push_str(&self.state.absolute(&value)?.to_string());
                }
                b'<' => {
                    cursor.at += 1;
                    let text = macros::bracketed(&mut cursor)?;
                    out.push_str(&format!("\"{}\"", text.replace('"', "\"\"")));
                }
                _ => out.push_str(cursor.until(b", \t")),
            }
            // White space separates arguments as commas do.
            let space = cursor.peek().is_ascii_whitespace();
            if cursor.eat(b',') {
                out.push(',');
            } else if space {
                out.push(' ');
            }
        }
        Ok(out)
    }

    /// Expands a body once for each binding.
    fn expand(&mut self, body: &[Statement], bindings: &[(Vec<&str>, Vec<String>)]) -> Result<(), String> {
        let mut statements = Vec::new();
        let file = self.state.file.clone();
        for (names, values) in bindings {
            let count = self.expansions;
            let mut names = names.clone();
            let mut values = values.clone();
            let mut rest = body;
            // `LOCAL a, b` at the start of a body in alternate mode.
            while self.alternate && !rest.is_empty() {
                let mut cursor = Cursor::new(&rest[0].text);
                if !cursor.name().is_some_and(|word| word.eq_ignore_ascii_case("local")) {
                    break;
                }
                while let Some(local) = cursor.name() {
                    names.push(local);
                    values.push(format!(".LL{:04x}.{local}", count));
                    cursor.eat(b',');
                }
                rest = &rest[1..];
            }
            for statement in rest {
                let text = macros::substitute(&statement.text, &names, &values, count, self.alternate);
                // An argument may hold separators.
                if text.contains([';', '\n']) {
                    statements.extend(split_statements(&text, &file, self.state.line));
                } else {
                    statements.push(Statement { text: text.into(), ..statement.clone() });
                }
            }
            if statements.len() as u64 + self.produced > MAX_EXPANDED_STATEMENTS {
                return Err("macros expand to too many statements".into());
            }
        }
        let line = Some((self.state.line, file));
        self.push_input(statements, line);
        Ok(())
    }

    fn repeat(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let count = expression::parse(&mut self.state, cursor).and_then(|e| self.state.absolute(&e));
        let body = self.body(&[".rept", ".rep", ".irp", ".irpc", ".irep", ".irepc"], &[".endr"])?;
        let count = count?.max(0) as u64;
        if count.saturating_mul(body.len() as u64) > MAX_EXPANDED_STATEMENTS {
            return Err(format!("repetition count {count} is too large"));
        }
        let bindings: Vec<_> = (0..count).map(|_| (Vec::new(), Vec::new())).collect();
        self.expand(&body, &bindings)
    }

    fn repeat_values(&mut self, cursor: &mut Cursor<'_>, characters: bool) -> Result<(), String> {
        let name = cursor.name().ok_or("missing parameter name")?.to_string();
        cursor.eat(b',');
        let mut values = if characters {
            let text = cursor.rest().trim();
            let text = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
            text.chars().filter(|c| !c.is_whitespace()).map(String::from).collect()
        } else {
            macros::split_values(cursor.rest())
        };
        let body = self.body(&[".rept", ".rep", ".irp", ".irpc", ".irep", ".irepc"], &[".endr"])?;
        if values.is_empty() {
            values.push(String::new());
        }
        let bindings: Vec<_> = values.into_iter().map(|value| (vec![&*name], vec![value])).collect();
        self.expand(&body, &bindings)
    }
}
