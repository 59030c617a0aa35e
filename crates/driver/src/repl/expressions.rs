//! Statements and expressions: run, and the value printed.

use super::input::{Item, Scanned};
use super::session::{Refused, Session, show};
use super::types;
use super::units::{Declared, Kept, Piece, RUN, TYPE, Unit, What};
use super::value::{self, Shown};
use crate::Program;
use base::debug_types::{DebugType, TypeIndex, TypeTable};
use std::ffi::c_void;
use std::io::Write;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Largest value that is copied.
const LARGEST: u64 = 1 << 30;

/// The type of an expression.
pub struct Typed {
    pub table: TypeTable,
    pub ty: Option<TypeIndex>,
}

/// How long an input took.
pub struct Times {
    pub compiling: Duration,
    pub running: Duration,
}

/// Calls the function of the last program that runs what was typed, without a value.
pub fn run_last(programs: &[Program]) {
    run(programs, std::ptr::null_mut());
}

fn run(programs: &[Program], result: *mut c_void) {
    let Some(function) = programs.last().and_then(|program| program.symbol(RUN)) else { return };
    // SAFETY: units define it with this type.
    unsafe { std::mem::transmute::<*const (), extern "C" fn(*mut c_void)>(function)(result) };
}

impl Session {
    /// Runs a statement.
    pub fn statement(&mut self, piece: &Piece<'_>, range: Range<usize>) -> Result<(), Refused> {
        self.timed_statement(piece, range).map(drop)
    }

    pub fn timed_statement(&mut self, piece: &Piece<'_>, range: Range<usize>) -> Result<Times, Refused> {
        let start = Instant::now();
        let mut unit = Unit::new(&self.kept);
        unit.statement(piece, range);
        let program = self.prepare(&piece.place.file, unit.text(), &[]).map_err(|failure| self.refuse(&failure))?;
        show(&program.diagnostics);
        let compiling = start.elapsed();
        let (running, programs) = self.attempt(vec![program], |programs| {
            let start = Instant::now();
            run_last(programs);
            start.elapsed()
        })?;
        // Static variables of the statement may be pointed to.
        self.programs.extend(programs);
        Ok(Times { compiling, running })
    }

    /// Runs an expression, and prints its value unless a semicolon follows.
    pub fn expression(&mut self, scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item) -> Result<(), Refused> {
        match item.is_ended {
            true => self.statement(piece, scanned.range(&item.tokens)),
            false => self.print(piece, scanned.range(&item.tokens)).map(drop),
        }
    }

    /// The type of an expression, which has a value of its own or is to be promoted.
    pub fn type_of(&self, piece: &Piece<'_>, range: Range<usize>) -> Result<(Typed, What), Refused> {
        let typed = |what: What| {
            let mut unit = Unit::new(&self.kept);
            unit.type_of(piece, range.clone(), what);
            let source = self.compiler().source(&piece.place.file, unit.text());
            source.module().map(|(module, _)| {
                let ty = local_type(&module);
                let target = match ty.map(|ty| &module.debug.types.types[ty.0 as usize]) {
                    Some(DebugType::Pointer(target)) if what == What::Value => *target,
                    _ => ty,
                };
                (Typed { table: module.debug.types, ty: target }, what)
            })
        };
        let exact = typed(What::Value);
        let is_bit_field =
            |failure: &crate::Failure| failure.diagnostics.iter().any(|d| d.message.contains("bit-field"));
        let result = match &exact {
            Err(failure) if is_bit_field(failure) => typed(What::Promoted),
            _ => exact,
        };
        result.map_err(|failure| self.refuse(&failure))
    }

    /// A name for the type of an expression's value.
    pub fn type_name(&self, piece: &Piece<'_>, range: Range<usize>) -> Result<String, Refused> {
        let mut unit = Unit::new(&self.kept);
        unit.type_of(piece, range, What::Promoted);
        let source = self.compiler().source(&piece.place.file, unit.text());
        let (module, _) = source.module().map_err(|failure| self.refuse(&failure))?;
        let (name, is_nameable) = types::declaration(&module.debug.types, local_type(&module), "");
        if is_nameable {
            return Ok(format!("__typeof__({name})"));
        }
        eprintln!("the type {name} has no name");
        Err(Refused)
    }

    /// Runs an expression and prints its value.
    pub fn print(&mut self, piece: &Piece<'_>, range: Range<usize>) -> Result<Times, Refused> {
        let start = Instant::now();
        let (Typed { mut table, mut ty }, mut what) = self.type_of(piece, range.clone())?;
        match types::plain(&table, ty) {
            None => return self.timed_statement(piece, range),
            Some(DebugType::Function { .. }) => ty = Some(table.push(DebugType::Pointer(ty))),
            Some(DebugType::Array { vector: false, .. }) => what = What::Address,
            Some(_) => {}
        }
        let unit = |kept: &[Kept], what: What| {
            let mut unit = Unit::new(kept);
            unit.value(piece, range.clone(), what);
            unit.text()
        };
        let text = unit(&self.kept, what);
        let size = ty.and_then(|ty| table.size(ty)).filter(|size| *size <= LARGEST);
        let mut prepared = self.prepare(&piece.place.file, text, &[]);
        if what == What::Address && (prepared.is_err() || size.is_none()) {
            // An array without an address, or of a length that only the program knows.
            what = What::Promoted;
            if let Some(DebugType::Array { element, .. }) = types::plain(&table, ty) {
                ty = Some(table.push(DebugType::Pointer(*element)));
            }
            let text = unit(&self.kept, what);
            prepared = self.prepare(&piece.place.file, text, &[]);
        }
        let program = prepared.map_err(|failure| self.refuse(&failure))?;
        show(&program.diagnostics);
        let compiling = start.elapsed();
        let size = ty.and_then(|ty| table.size(ty)).unwrap_or(0) as usize;
        let number = self.values + 1;
        let this = &*self;
        let function = |address: usize| this.function_at(address);
        let shown = Shown { table: &table, function: &function };
        let attempt = |programs: &[Program]| {
            let memory = room(size.max(8));
            let start = Instant::now();
            run(programs, memory.cast());
            let running = start.elapsed();
            // SAFETY: the variable is this thread's.
            let errno = unsafe { *libc::__errno_location() };
            // SAFETY: the function has put the value, or the array's address, there.
            let bytes = unsafe {
                if what == What::Address {
                    let array = memory.cast::<*const u8>().read();
                    memory.copy_from(array, size);
                }
                libc::fflush(std::ptr::null_mut());
                std::slice::from_raw_parts(memory, size)
            };
            println!("${number} = {}", value::text(&shown, ty, bytes));
            drop(std::io::stdout().flush());
            (running, memory as usize, errno)
        };
        let ((running, memory, errno), _, programs) = self.attempt_shared(vec![program], attempt)?;
        self.errno = errno;
        self.programs.extend(programs);
        self.values = number;
        self.keep_value(piece, &table, ty, memory);
        Ok(Times { compiling, running })
    }

    /// Makes a value a variable of the session, if its type can be named.
    fn keep_value(&mut self, piece: &Piece<'_>, table: &TypeTable, ty: Option<TypeIndex>, memory: usize) {
        let name = format!("${}", self.values);
        let (text, is_nameable) = types::declaration(table, ty, &name);
        if !is_nameable {
            return;
        }
        let names = vec![Declared { name: name.clone(), text: String::new() }];
        self.kept.push(Kept::Names { place: piece.place.clone(), specifiers: text, has_body: false, names });
        // The type may have been a block's own.
        if self.compiler().source(&piece.place.file, Unit::new(&self.kept).text()).module().is_ok() {
            self.symbols.insert(name, memory);
        } else {
            self.kept.pop();
        }
    }
}

/// The type of the variable that units declare to ask for one.
fn local_type(module: &ir::Module) -> Option<TypeIndex> {
    let variables = module.functions.values().filter_map(|function| function.debug.as_ref());
    let mut variables = variables.flat_map(|debug| &debug.variables);
    variables.find(|variable| *variable.name == *TYPE).and_then(|variable| variable.ty)
}

/// Memory for a value, which stays.
fn room(size: usize) -> *mut u8 {
    let shape = std::alloc::Layout::from_size_align(size, 64).unwrap_or(std::alloc::Layout::new::<[u64; 8]>());
    // SAFETY: the size is not zero.
    let memory = unsafe { std::alloc::alloc_zeroed(shape) };
    if memory.is_null() {
        std::alloc::handle_alloc_error(shape);
    }
    memory
}
