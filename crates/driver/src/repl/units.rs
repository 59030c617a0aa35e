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

/// What is taken of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    Value,
    /// The address of an array.
    Address,
    /// The value after promotion: bit-fields have no type, and some arrays no address.
    Promoted,
}

impl What {
    /// What stands before and after the expression.
    fn around(self) -> (&'static str, &'static str) {
        match self {
            What::Value => ("(", ")"),
            What::Address => ("&(", ")"),
            What::Promoted => ("(", ") + 0"),
        }
    }
}

/// A unit in the making.
pub struct Unit {
    text: String,
    /// Whose line code belongs to that nobody typed: that of what was written last.
    place: Place,
}

impl Unit {
    /// What is kept.
    pub fn new(kept: &[Kept]) -> Unit {
        let mut unit = Unit { text: String::new(), place: Place { file: "<session>".into(), line: 1 } };
        kept.iter().for_each(|kept| kept.write(&mut unit.text));
        unit
    }

    pub fn text(self) -> String {
        self.text
    }

    /// What was typed, with line marker and blanks, so that it stands where it was typed.
    pub fn typed(&mut self, piece: &Piece<'_>, range: Range<usize>) {
        self.changed(piece, range.clone(), &piece.text[range]);
    }

    /// The same with another text of the same shape.
    pub fn changed(&mut self, piece: &Piece<'_>, range: Range<usize>, text: &str) {
        let before = &piece.text[..range.start];
        let line = piece.place.line + before.matches('\n').count();
        let column = range.start - before.rfind('\n').map_or(0, |newline| newline + 1);
        writeln!(self.text, "\n# {line} \"{}\"", quoted(&piece.place.file)).unwrap_or_default();
        // Tabs keep their width.
        let blanks = before[before.len() - column..].chars().map(|c| if c == '\t' { '\t' } else { ' ' });
        self.text.extend(blanks);
        self.text.push_str(text);
        self.place = Place { file: piece.place.file.clone(), line: line + text.matches('\n').count() };
    }

    /// What comes next belongs to a piece although it was not typed.
    fn begin(&mut self, piece: &Piece<'_>, range: &Range<usize>) {
        let line = piece.place.line + piece.text[..range.start].matches('\n').count();
        self.place = Place { file: piece.place.file.clone(), line };
    }

    /// Text that nobody typed.
    pub fn own(&mut self, text: &str) {
        let Place { file, line } = &self.place;
        writeln!(self.text, "\n# {line} \"{}\" 3", quoted(file)).unwrap_or_default();
        self.text.push_str(text);
    }

    /// A statement in a function.
    pub fn statement(&mut self, piece: &Piece<'_>, range: Range<usize>) {
        self.begin(piece, &range);
        self.own(&format!("void {RUN}(void *{VALUE}) {{"));
        self.typed(piece, range);
        self.own(";}\n");
    }

    /// A function that puts the value of an expression where its parameter says.
    pub fn value(&mut self, piece: &Piece<'_>, range: Range<usize>, what: What) {
        let (start, end) = what.around();
        self.begin(piece, &range);
        self.own(&format!("void {RUN}(void *{VALUE}) {{ __auto_type {TYPE} = {start}"));
        self.typed(piece, range);
        self.own(&format!("{end}; __builtin_memcpy({VALUE}, &{TYPE}, sizeof {TYPE}); }}\n"));
    }

    /// A function with a variable that points to the type of an expression or, unless that is the
    /// value itself, has the type of what is taken of it.
    pub fn type_of(&mut self, piece: &Piece<'_>, range: Range<usize>, what: What) {
        let (start, end) = match what {
            What::Value => ("__typeof__((".to_string(), format!(")) *{TYPE}; }}\n")),
            _ => (format!("__auto_type {TYPE} = {}", what.around().0), format!("{}; }}\n", what.around().1)),
        };
        self.own(&format!("void {RUN}(void) {{ {start}"));
        self.typed(piece, range);
        self.own(&end);
    }

    /// A function that returns the value of an expression.
    pub fn result(&mut self, piece: &Piece<'_>, range: Range<usize>) {
        self.own("__typeof__((");
        self.typed(piece, range.clone());
        self.own(&format!(")) {RUN}(void) {{ return "));
        self.typed(piece, range);
        self.own(";}\n");
    }

    /// A function that gives variables their new values.
    pub fn assignments(&mut self, piece: &Piece<'_>, scanned: &Scanned<'_>, declaration: &Declaration) {
        self.own(&format!("void {RUN}(void *{VALUE}) {{\n"));
        for declarator in &declaration.declarators {
            let Some(initializer) = &declarator.initializer else { continue };
            let name = &declarator.name;
            self.begin(piece, &scanned.range(&declarator.tokens));
            self.own(&format!("{{ __typeof__({name}) {TYPE} ="));
            self.typed(piece, scanned.range(initializer));
            self.own(&format!("; __builtin_memcpy((void *)&{name}, (void *)&{TYPE}, sizeof {name}); }}\n"));
        }
        self.own("}\n");
    }
}
