//! The texts that are compiled: what the session has declared, then what is new. The new text
//! stands under its own name and line, its columns are those that were typed, and what surrounds
//! it is marked as a system header, about which nothing is said.

use super::input::{Declaration, Scanned};
use std::fmt::Write;
use std::ops::Range;

/// Name of the functions that hold what is run.
pub const RUN: &str = "__tcc_rs_run";
/// Names that units use beside it.
pub const TYPE: &str = "__tcc_rs_type";
const VALUE: &str = "__tcc_rs_value";

/// Where an input is: a name and the number of its first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: usize,
}

/// A declared name that the session keeps.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    /// Its declarator; empty if the specifiers have it.
    pub text: String,
}

/// What the session has accepted, as the units after it see it.
#[derive(Clone, Debug)]
pub enum Kept {
    /// A directive, a type, a declaration without a definition.
    Text { place: Place, text: String },
    /// Variables and functions.
    Names { place: Place, specifiers: String, has_body: bool, names: Vec<Declared> },
}

impl Kept {
    fn write(&self, out: &mut String) {
        let (Kept::Text { place, .. } | Kept::Names { place, .. }) = self;
        // Nothing is said about system headers.
        writeln!(out, "# {} \"{}\" 3", place.line, quoted(&place.file)).unwrap_or_default();
        match self {
            Kept::Text { text, .. } => writeln!(out, "{text}").unwrap_or_default(),
            Kept::Names { specifiers, has_body, names, .. } => {
                let texts: Vec<&str> = names.iter().map(|name| &name.text[..]).collect();
                match &texts[..] {
                    [] if *has_body => writeln!(out, "{specifiers};"),
                    [] => Ok(()),
                    texts => writeln!(out, "extern {specifiers} {};", texts.join(", ")),
                }
                .unwrap_or_default();
            }
        }
    }
}

fn quoted(file: &str) -> String {
    file.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Part of an input.
#[derive(Clone, Copy)]
pub struct Piece<'t> {
    pub place: &'t Place,
    /// The whole input.
    pub text: &'t str,
}

impl Piece<'_> {
    /// Some bytes with line marker and blanks, so that they stand where they were typed.
    fn write(&self, out: &mut String, range: Range<usize>) {
        self.write_changed(out, range.clone(), &self.text[range]);
    }

    /// The same with another text of the same shape.
    fn write_changed(&self, out: &mut String, range: Range<usize>, text: &str) {
        let before = &self.text[..range.start];
        let line = self.place.line + before.matches('\n').count();
        let column = range.start - before.rfind('\n').map_or(0, |newline| newline + 1);
        writeln!(out, "\n# {line} \"{}\"", quoted(&self.place.file)).unwrap_or_default();
        // Tabs keep their width.
        let blanks = before[before.len() - column..].chars().map(|c| if c == '\t' { '\t' } else { ' ' });
        out.extend(blanks);
        out.push_str(text);
    }
}

/// A unit in the making.
pub struct Unit {
    text: String,
}

const SYSTEM: &str = "\n# 1 \"<session>\" 3\n";

impl Unit {
    /// What is kept.
    pub fn new(kept: &[Kept]) -> Unit {
        let mut unit = Unit { text: String::new() };
        kept.iter().for_each(|kept| kept.write(&mut unit.text));
        unit
    }

    pub fn text(self) -> String {
        self.text
    }

    /// Tokens as they are, outside of functions.
    pub fn definition(&mut self, piece: &Piece<'_>, range: Range<usize>, end: &str) {
        piece.write(&mut self.text, range);
        self.text.push_str(end);
        self.text.push_str(SYSTEM);
    }

    /// Tokens with words made blank.
    pub fn changed(&mut self, piece: &Piece<'_>, range: Range<usize>, text: &str, end: &str) {
        piece.write_changed(&mut self.text, range, text);
        self.text.push_str(end);
        self.text.push_str(SYSTEM);
    }

    /// A part of a declaration, to be followed by more of it.
    pub fn typed(&mut self, piece: &Piece<'_>, range: Range<usize>, text: &str) {
        piece.write_changed(&mut self.text, range, text);
    }

    /// Text that nobody typed.
    pub fn own(&mut self, text: &str) {
        self.text.push_str(SYSTEM);
        self.text.push_str(text);
    }

    /// A statement in a function.
    pub fn statement(&mut self, piece: &Piece<'_>, range: Range<usize>) {
        self.own(&format!("void {RUN}(void *{VALUE}) {{"));
        piece.write(&mut self.text, range);
        self.own(";}\n");
    }

    /// A function that puts the value of an expression where its parameter says; of an array, the
    /// address.
    pub fn value(&mut self, piece: &Piece<'_>, range: Range<usize>, is_array: bool) {
        self.own(&format!("void {RUN}(void *{VALUE}) {{ __auto_type {TYPE} = {}(", if is_array { "&" } else { "" }));
        piece.write(&mut self.text, range);
        self.own(&format!("); __builtin_memcpy({VALUE}, &{TYPE}, sizeof {TYPE}); }}\n"));
    }

    /// A function with a variable that points to the type of an expression, or, without `is_exact`,
    /// has the type of its value.
    pub fn type_of(&mut self, piece: &Piece<'_>, range: Range<usize>, is_exact: bool) {
        let start = if is_exact { "__typeof__((" } else { "__auto_type " };
        self.own(&format!("void {RUN}(void) {{ {start}"));
        if !is_exact {
            self.own(&format!("{TYPE} = ("));
        }
        piece.write(&mut self.text, range);
        self.own(&if is_exact { format!(")) *{TYPE}; }}\n") } else { ");}\n".to_string() });
    }

    /// A function that returns the value of an expression.
    pub fn result(&mut self, piece: &Piece<'_>, range: Range<usize>) {
        self.own("__typeof__((");
        piece.write(&mut self.text, range.clone());
        self.own(&format!(")) {RUN}(void) {{ return "));
        piece.write(&mut self.text, range);
        self.own(";}\n");
    }

    /// A function that gives variables their new values.
    pub fn assignments(&mut self, piece: &Piece<'_>, scanned: &Scanned<'_>, declaration: &Declaration) {
        self.own(&format!("void {RUN}(void *{VALUE}) {{\n"));
        for declarator in &declaration.declarators {
            let Some(initializer) = &declarator.initializer else { continue };
            let name = &declarator.name;
            self.own(&format!("{{ __typeof__({name}) {TYPE} ="));
            piece.write(&mut self.text, scanned.range(initializer));
            self.own(&format!("; __builtin_memcpy((void *)&{name}, (void *)&{TYPE}, sizeof {name}); }}\n"));
        }
        self.own("}\n");
    }
}
