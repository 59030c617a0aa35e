//! Declarations of a session. The rule for names that are defined again:
//!
//! - a function of the same type replaces the old one everywhere, also for code that calls it;
//! - a variable of the same type keeps its place and gets the new value, if there is one;
//! - with another type there is a new thing, and code from before keeps the old one;
//! - types and macros are C's: a type is defined once.

use super::input::{Declaration, Declarator, Form, Item, Scanned};
use super::session::{Refused, Session, show};
use super::types;
use super::units::{Declared, Kept, Piece, Place, Unit};
use crate::Program;
use base::debug_types::DebugType;
use std::ops::Range;

/// What keeps a name inside of its unit, or says how it gets out.
const HIDING: &[&str] = &["static", "inline", "__inline", "__inline__", "extern"];
/// What can be read only.
const CONSTANT: &[&str] = &["const", "__const", "__const__", "constexpr"];
const AUTOMATIC: &[&str] = &["auto", "__auto_type"];
const THREAD: &[&str] = &["_Thread_local", "thread_local", "__thread"];

/// What a declaration does.
enum Sort {
    /// Nothing that has an address.
    Text,
    Variables,
    Function,
}

impl Session {
    /// Accepts a declaration.
    pub fn declaration(&mut self, scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item) -> Result<(), Refused> {
        let taken = taken_apart(scanned, item);
        match sort(scanned, item, &taken) {
            _ if scanned.has_word(&taken.specifiers, THREAD) => {
                eprintln!("a session has no thread-local variables: its units share their variables by address");
                Err(Refused)
            }
            Sort::Text => self.declare(scanned, piece, item, &taken),
            Sort::Function => self.define_function(scanned, piece, item, &taken),
            Sort::Variables if taken.has_body || taken.declarators.len() == 1 => {
                self.define_variables(scanned, piece, &taken)
            }
            Sort::Variables => taken.declarators.iter().try_for_each(|declarator| {
                let one = Declaration { declarators: vec![declarator.clone()], ..taken.clone() };
                self.define_variables(scanned, piece, &one)
            }),
        }
    }

    /// Tries to accept several declarations as one unit, in which functions may call later ones.
    pub fn define_together(&mut self, scanned: &Scanned<'_>, piece: &Piece<'_>, items: &[Item]) -> bool {
        let mut unit = Unit::new(&self.kept);
        let (mut kept, mut texts) = (Vec::new(), Vec::new());
        for item in items {
            let taken = taken_apart(scanned, item);
            let sort = sort(scanned, item, &taken);
            let is_known = taken.declarators.iter().any(|d| self.is_own(&d.name));
            let is_special = scanned.has_word(&taken.specifiers, THREAD)
                || scanned.has_word(&taken.specifiers, AUTOMATIC)
                || taken.declarators.iter().any(|d| d.unknown_length.is_some());
            if is_special || is_known && !matches!(sort, Sort::Text) {
                return false;
            }
            self.add_definition(&mut unit, scanned, piece, item, &sort);
            match sort {
                Sort::Text => kept.push(text_of(scanned, piece, item)),
                _ => kept.push(names_of(scanned, piece, &taken)),
            }
            if let (Sort::Function, Some(declarator)) = (sort, taken.declarators.first()) {
                let range = scanned.range(&item.tokens);
                texts.push((declarator.name.clone(), piece.text[range].to_string()));
            }
        }
        let Ok(program) = self.prepare(&piece.place.file, unit.text(), &[]) else { return false };
        show(&program.diagnostics);
        let Ok(((), programs)) = self.attempt(vec![program], |_| ()) else { return true };
        programs.into_iter().for_each(|program| self.commit(program));
        self.kept.extend(kept);
        self.texts.extend(texts);
        true
    }

    fn add_definition(&self, unit: &mut Unit, scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item, sort: &Sort) {
        let range = scanned.range(&item.tokens);
        let end = if matches!(sort, Sort::Function) || item.is_ended { "" } else { ";" };
        match sort {
            Sort::Text => unit.typed(piece, range),
            _ => unit.changed(piece, range, &scanned.without_words(&item.tokens, HIDING)),
        }
        unit.own(end);
    }

    /// Types and declarations without definitions.
    fn declare(
        &mut self,
        scanned: &Scanned<'_>,
        piece: &Piece<'_>,
        item: &Item,
        taken: &Declaration,
    ) -> Result<(), Refused> {
        let mut unit = Unit::new(&self.kept);
        self.add_definition(&mut unit, scanned, piece, item, &Sort::Text);
        let source = self.compiler().source(&piece.place.file, unit.text());
        let (_, diagnostics) = source.module().map_err(|failure| self.refuse(&failure))?;
        show(&diagnostics);
        self.kept.push(text_of(scanned, piece, item));
        self.promised.extend(taken.declarators.iter().filter(|d| d.is_function).map(|d| d.name.clone()));
        Ok(())
    }

    fn is_own(&self, name: &str) -> bool {
        self.kept.iter().any(|kept| match kept {
            Kept::Names { names, .. } => names.iter().any(|known| known.name == name),
            Kept::Text { .. } => false,
        })
    }

    /// What is kept, without some names.
    fn kept_without(&self, taken: &Declaration) -> Vec<Kept> {
        let mut kept = self.kept.clone();
        for kept in &mut kept {
            if let Kept::Names { names, .. } = kept {
                names.retain(|known| taken.declarators.iter().all(|new| new.name != known.name));
            }
        }
        kept
    }

    fn define_function(
        &mut self,
        scanned: &Scanned<'_>,
        piece: &Piece<'_>,
        item: &Item,
        taken: &Declaration,
    ) -> Result<(), Refused> {
        let unit = |kept: &[Kept]| {
            let mut unit = Unit::new(kept);
            let text = scanned.without_words(&item.tokens, HIDING);
            unit.changed(piece, scanned.range(&item.tokens), &text);
            unit.text()
        };
        let Some(name) = taken.declarators.first().map(|declarator| declarator.name.clone()) else {
            return self.declare(scanned, piece, item, taken);
        };
        let others = self.kept_without(taken);
        let text = unit(&self.kept);
        let mut is_same = true;
        let mut prepared = self.prepare(&piece.place.file, text, &[]);
        if prepared.is_err() && self.is_own(&name) {
            is_same = false;
            prepared = self.prepare(&piece.place.file, unit(&others), &[]);
        }
        let program = prepared.map_err(|failure| self.refuse(&failure))?;
        show(&program.diagnostics);
        let ((), programs) = self.attempt(vec![program], |_| ())?;
        self.kept = others;
        if !is_same {
            self.symbols.remove(&name);
        }
        self.kept.push(names_of(scanned, piece, taken));
        self.texts.insert(name, piece.text[scanned.range(&item.tokens)].to_string());
        programs.into_iter().for_each(|program| self.commit(program));
        Ok(())
    }

    fn define_variables(
        &mut self,
        scanned: &Scanned<'_>,
        piece: &Piece<'_>,
        taken: &Declaration,
    ) -> Result<(), Refused> {
        if taken.declarators.iter().all(|declarator| self.is_own(&declarator.name))
            && let Some(result) = self.assign_again(scanned, piece, taken)
        {
            return result;
        }
        let others = self.kept_without(taken);
        let is_automatic = scanned.has_word(&taken.specifiers, AUTOMATIC);
        let is_typeless = is_automatic && !has_type(scanned, taken);
        let mut unit = Unit::new(&others);
        if !is_typeless {
            add_variables(&mut unit, scanned, piece, taken, HIDING, true);
            match self.prepare(&piece.place.file, unit.text(), &[]) {
                Ok(program) => {
                    show(&program.diagnostics);
                    let kept = self.measured(scanned, piece, taken, &others);
                    let ((), programs) = self.attempt(vec![program], |_| ())?;
                    self.accept(others, kept, programs);
                    return Ok(());
                }
                Err(failure)
                    if !failure.diagnostics.iter().any(|d| d.message.contains("initializer element is not")) =>
                {
                    return Err(self.refuse(&failure));
                }
                Err(_) => {}
            }
        }
        // The initializer is for the program to compute.
        let mut kept = names_of(scanned, piece, taken);
        let mut storage = Unit::new(&others);
        match is_typeless {
            true => {
                let Some(initializer) = taken.declarators[0].initializer.clone() else {
                    eprintln!("'{}' has no initializer to take its type from", taken.declarators[0].name);
                    return Err(Refused);
                };
                let typed = self.type_name(piece, scanned.range(&initializer))?;
                storage.own(&format!("{typed} {};", taken.declarators[0].name));
                if let Kept::Names { specifiers, .. } = &mut kept {
                    *specifiers = typed;
                }
            }
            false => {
                let words = [HIDING, CONSTANT].concat();
                add_variables(&mut storage, scanned, piece, taken, &words, false);
            }
        }
        let storage = storage.text();
        let storage = self.prepare(&piece.place.file, storage, &[]).map_err(|failure| self.refuse(&failure))?;
        let mut all = others.clone();
        all.push(kept.clone());
        let mut unit = Unit::new(&all);
        unit.assignments(piece, scanned, taken);
        let program = self.prepare(&piece.place.file, unit.text(), &[&storage]);
        let program = program.map_err(|failure| self.refuse(&failure))?;
        show(&program.diagnostics);
        let ((), programs) = self.attempt(vec![storage, program], super::expressions::run_last)?;
        self.accept(others, kept, programs);
        Ok(())
    }

    fn accept(&mut self, others: Vec<Kept>, kept: Kept, programs: Vec<Program>) {
        self.kept = others;
        self.kept.push(kept);
        programs.into_iter().for_each(|program| self.commit(program));
    }

    /// Gives variables that are there new values; `None` if their types are others.
    fn assign_again(
        &mut self,
        scanned: &Scanned<'_>,
        piece: &Piece<'_>,
        taken: &Declaration,
    ) -> Option<Result<(), Refused>> {
        if scanned.has_word(&taken.specifiers, AUTOMATIC) && !has_type(scanned, taken) {
            return None;
        }
        let mut unit = Unit::new(&self.kept);
        unit.own("extern ");
        add_variables(&mut unit, scanned, piece, taken, HIDING, false);
        unit.assignments(piece, scanned, taken);
        let program = self.prepare(&piece.place.file, unit.text(), &[]).ok()?;
        show(&program.diagnostics);
        if taken.declarators.iter().all(|declarator| declarator.initializer.is_none()) {
            return Some(Ok(()));
        }
        Some(self.attempt(vec![program], super::expressions::run_last).map(|((), programs)| {
            programs.into_iter().for_each(|program| self.commit(program));
        }))
    }

    /// The names with lengths of arrays that their initializers gave.
    fn measured(&self, scanned: &Scanned<'_>, piece: &Piece<'_>, taken: &Declaration, others: &[Kept]) -> Kept {
        let mut kept = names_of(scanned, piece, taken);
        if taken.declarators.iter().all(|declarator| declarator.unknown_length.is_none()) {
            return kept;
        }
        let mut unit = Unit::new(others);
        add_variables(&mut unit, scanned, piece, taken, HIDING, true);
        let Ok((module, _)) = self.compiler().arg("-w").source(&piece.place.file, unit.text()).module() else {
            return kept;
        };
        let Kept::Names { names, .. } = &mut kept else { return kept };
        for (declarator, declared) in taken.declarators.iter().zip(names) {
            let Some(bracket) = declarator.unknown_length else { continue };
            let global = module.debug.globals.iter().find(|global| *global.name == declarator.name);
            let plain = global.and_then(|global| types::plain(&module.debug.types, global.ty));
            if let Some(DebugType::Array { count: Some(count), .. }) = plain {
                let start = scanned.range(&declarator.tokens).start;
                let at = scanned.tokens[bracket].range.end - start;
                declared.text.insert_str(at, &count.to_string());
            }
        }
        kept
    }
}

fn taken_apart(scanned: &Scanned<'_>, item: &Item) -> Declaration {
    match item.form {
        Form::Function(body) => scanned.declaration(&(item.tokens.start..body)),
        _ => scanned.declaration(&item.tokens),
    }
}

fn sort(scanned: &Scanned<'_>, item: &Item, taken: &Declaration) -> Sort {
    let is_extern = scanned.has_word(&taken.specifiers, &["extern"]);
    match item.form {
        Form::Function(_) => Sort::Function,
        _ if taken.declarators.is_empty() || scanned.has_word(&taken.specifiers, &["typedef"]) => Sort::Text,
        _ if taken.declarators.iter().all(|d| d.is_function || is_extern && d.initializer.is_none()) => Sort::Text,
        _ if matches!(scanned.word(item.tokens.start), "_Static_assert" | "static_assert") => Sort::Text,
        _ => Sort::Variables,
    }
}

fn place_of(scanned: &Scanned<'_>, piece: &Piece<'_>, tokens: &Range<usize>) -> Place {
    let start = scanned.range(tokens).start;
    let line = piece.place.line + piece.text[..start].matches('\n').count();
    Place { file: piece.place.file.clone(), line }
}

fn text_of(scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item) -> Kept {
    let text = &piece.text[scanned.range(&item.tokens)];
    let end = if item.is_ended { "" } else { ";" };
    Kept::Text { place: place_of(scanned, piece, &item.tokens), text: format!("{text}{end}") }
}

fn names_of(scanned: &Scanned<'_>, piece: &Piece<'_>, taken: &Declaration) -> Kept {
    let names = taken.declarators.iter().map(|declarator| Declared {
        name: declarator.name.clone(),
        text: piece.text[scanned.range(&declarator.tokens)].to_string(),
    });
    Kept::Names {
        place: place_of(scanned, piece, &taken.specifiers),
        specifiers: scanned.without_words(&taken.specifiers, &[HIDING, &["constexpr", "register"]].concat()),
        has_body: taken.has_body,
        names: names.collect(),
    }
}

/// Whether the specifiers say a type, and `auto` is only a word before it.
fn has_type(scanned: &Scanned<'_>, taken: &Declaration) -> bool {
    let words = [HIDING, CONSTANT, AUTOMATIC, &["volatile", "register"]].concat();
    taken.specifiers.clone().any(|token| !words.contains(&scanned.word(token)))
}

/// Variables with or without their initializers.
fn add_variables(
    unit: &mut Unit,
    scanned: &Scanned<'_>,
    piece: &Piece<'_>,
    taken: &Declaration,
    blank: &[&str],
    with_initializers: bool,
) {
    let specifiers = scanned.without_words(&taken.specifiers, blank);
    unit.changed(piece, scanned.range(&taken.specifiers), &specifiers);
    let last = taken.declarators.len() - 1;
    for (index, declarator) in taken.declarators.iter().enumerate() {
        let Declarator { tokens, initializer, .. } = declarator;
        let end = match initializer {
            Some(initializer) if with_initializers => initializer.end,
            _ => tokens.end,
        };
        unit.typed(piece, scanned.range(&(tokens.start..end)));
        unit.own(if index == last { ";\n" } else { "," });
    }
}
