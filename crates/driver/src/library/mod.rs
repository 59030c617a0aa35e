//! The compiler for programs that have one inside: nothing is read from the environment, nothing
//! global is changed, messages are values. Several compilers may work in several threads.

mod program;

pub use program::{MEMORY_OPTIONS, Program};

use crate::invocation::{Input, Invocation, Language, Stop};
use crate::link::{self, LinkItem};
use crate::report::{self, Stopped};
use crate::rooms::Produced;
use crate::{Diagnostic, cli, compile, output, toolchain};
use base::diagnostics::Severity;
use base::source_map::SourceText;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the compiler in messages that belong to no place.
const PROGRAM: &str = "tcc-rs";

/// Stack of the thread that compiles: nesting is limited by it.
const STACK: usize = 32 << 20;

/// A compilation: options and sources. Cheap to clone; it holds no result.
///
/// ```
/// use tcc_rs::Compiler;
///
/// let source = "int twice(int n) { return n * 2; }";
/// let program = Compiler::new().arg("-O2").source("twice.c", source).load()?;
/// // SAFETY: that is the function's type.
/// let twice: extern "C" fn(i32) -> i32 = unsafe {
/// std::mem::transmute(program.symbol("twice").unwrap()) };
/// assert_eq!(twice(21), 42);
/// # Ok::<(), tcc_rs::Failure>(())
/// ```
#[derive(Clone, Default)]
pub struct Compiler {
    arguments: Vec<OsString>,
    sources: Vec<(PathBuf, Arc<SourceText>)>,
    objects: Vec<Object>,
    symbols: Vec<(String, usize)>,
    replaceable: bool,
    on_this_thread: bool,
}

/// What one source became.
#[derive(Clone, Debug)]
pub struct Object {
    /// The source's name.
    pub name: PathBuf,
    /// An ELF relocatable; with `-S` or `-E` among the arguments, text.
    pub bytes: Vec<u8>,
}

/// The result of [`Compiler::compile`].
#[derive(Clone, Debug)]
pub struct Compilation {
    /// One for each source, in order: files among the arguments, then texts.
    pub objects: Vec<Object>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub struct Failure {
    /// All that was said, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// A fault of the compiler itself, not of the program: a text for a bug report.
    pub internal: Option<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostics.iter().try_for_each(|diagnostic| f.write_str(&diagnostic.rendered))
    }
}

impl std::error::Error for Failure {}

impl Compiler {
    /// No options and no sources.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// Adds an argument of the command line: an option, or a file to compile or link.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Compiler {
        self.arguments.push(argument.into());
        self
    }

    /// Adds several arguments.
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Compiler {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds a C source in memory. `name` is what messages and debug information call it; includes
    /// between quotation marks are looked for beside it. A name that ends in `.s`, `.S`, `.i` or
    /// `.tir` says that it is something else than C.
    pub fn source(mut self, name: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Compiler {
        self.sources.push((name.into(), Arc::new(SourceText::from_vec(text.into()))));
        self
    }

    /// Adds an object in memory, for [`Compiler::load`] and [`Compiler::link`].
    pub fn object(mut self, name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Compiler {
        self.objects.push(Object { name: name.into(), bytes: bytes.into() });
        self
    }

    /// Defines a symbol for [`Compiler::load`]: a function or variable of this program.
    pub fn symbol(mut self, name: impl Into<String>, address: *const ()) -> Compiler {
        self.symbols.push((name.into(), address as usize));
        self
    }

    /// Code that [`Compiler::load`] makes calls global functions through a table, so that
    /// [`Program::replace`] can put others in their place.
    pub fn replaceable(mut self) -> Compiler {
        self.replaceable = true;
        self
    }

    /// Compiles on the thread that asks, not on one of its own: its stack must have 32 MB, and be
    /// mapped as it grows. That saves a small program's compilation a tenth of its time.
    pub fn on_this_thread(mut self) -> Compiler {
        self.on_this_thread = true;
        self
    }

    /// Compiles every source to an object; nothing is written.
    ///
    /// # Errors
    /// What is wrong with the arguments or the sources, or with the compiler.
    pub fn compile(&self) -> Result<Compilation, Failure> {
        self.on_own_thread(|| self.objects(&[]).map(|(objects, _)| objects))
            .map(|(objects, diagnostics)| Compilation { objects, diagnostics })
    }

    /// Whether the arguments are options of the compiler, with values that they take.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), Failure> {
        // No source is read that could be nested deeply: that needs no thread.
        Self::finished(report::collecting(|| Self::guarded(|| self.invocation(&[]).map(drop)))).map(|((), _)| ())
    }

    /// Compiles and links to a program, or what else the arguments say (`-shared`, `-r`), in a
    /// file.
    ///
    /// # Errors
    /// As [`Compiler::compile`], and what the linker says.
    pub fn link(&self, output: impl AsRef<Path>) -> Result<Vec<Diagnostic>, Failure> {
        let output = output.as_ref();
        let job = || {
            let (compiled, inv) = self.objects(&[])?;
            let temporaries = output::Temporaries::default();
            let mut items: Vec<LinkItem> = inv.inputs.iter().filter_map(LinkItem::of).collect();
            let objects = compiled.into_iter().chain(self.objects.iter().cloned());
            drop(items.splice(
                0..0,
                objects.map(|Object { name, bytes }| {
                    let stem = name.file_stem().unwrap_or_default().to_string_lossy().replace(['<', '>'], "");
                    LinkItem::Object(temporaries.hold(&format!("{stem}.o"), bytes))
                }),
            ));
            link::link(&inv, &items, output, &temporaries)
        };
        self.on_own_thread(job).map(|((), diagnostics)| diagnostics)
    }

    /// What the front end makes of the last source, for those who want to know its types.
    pub(crate) fn module(&self) -> Result<(ir::Module, Vec<Diagnostic>), Failure> {
        self.on_own_thread(|| {
            let mut inv = self.invocation(&[])?;
            toolchain::fill_include_paths(&mut inv);
            match self.sources.last() {
                Some((path, text)) => compile::module(&inv, path, text),
                None => Err(report::error(PROGRAM, "no source").into()),
            }
        })
    }

    /// Does a job on a thread of its own, whose messages are collected and whose faults are
    /// failures.
    fn on_own_thread<R: Send>(
        &self,
        job: impl FnOnce() -> Result<R, Stopped> + Send,
    ) -> Result<(R, Vec<Diagnostic>), Failure> {
        if self.on_this_thread {
            return Self::finished(report::collecting(|| Self::guarded(job)));
        }
        let collected = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("tcc-rs".into()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, move || report::collecting(|| Self::guarded(job)));
            thread.ok().and_then(|thread| thread.join().ok())
        });
        Self::finished(collected.unwrap_or_else(|| {
            let message = "cannot create a thread";
            let text = format!("{PROGRAM}: fatal error: {message}\n");
            (Err(Stopped::Failed), vec![report::placeless(Severity::Fatal, message, text)])
        }))
    }

    /// Does a job; a fault is a failure.
    fn guarded<R>(job: impl FnOnce() -> Result<R, Stopped>) -> Result<R, Stopped> {
        let caught = base::bug::in_job(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)));
        caught.unwrap_or_else(|payload| {
            let bug = base::bug::from_panic(payload);
            report::bug(PROGRAM, &bug);
            Err(Stopped::Bug(bug.to_string()))
        })
    }

    /// What a job came to, with its messages.
    fn finished<R>(
        (result, diagnostics): (Result<R, Stopped>, Vec<Diagnostic>),
    ) -> Result<(R, Vec<Diagnostic>), Failure> {
        match result {
            Ok(result) => Ok((result, diagnostics)),
            Err(Stopped::Failed) => Err(Failure { diagnostics, internal: None }),
            Err(Stopped::Bug(text)) => Err(Failure { diagnostics, internal: Some(text) }),
        }
    }

    /// The arguments as the driver reads them, after `defaults`.
    fn invocation(&self, defaults: &[&str]) -> Result<Invocation, Stopped> {
        // One thread: the embedding program decides what runs beside each other.
        let arguments =
            ["-fthreads=1"].iter().chain(defaults).map(OsString::from).chain(self.arguments.iter().cloned());
        let mut inv = cli::parse_without_environment(PROGRAM, arguments.collect()).map_err(|errors| {
            for message in &errors.0 {
                report::error(PROGRAM, message);
            }
            Stopped::Failed
        })?;
        let depth = &mut inv.options.language.bracket_depth;
        *depth = (*depth).min((STACK / crate::STACK_PER_NESTING_LEVEL) as u32);
        inv.diagnostics.look.colour = base::diagnostics::ColourChoice::Never;
        if let Some(query) = inv.queries.first() {
            let message = format!("{query:?} is a question for the program, not for the library");
            return Err(report::error(PROGRAM, &message).into());
        }
        if inv.stop == Stop::Link {
            inv.stop = Stop::Object;
        }
        Ok(inv)
    }

    /// Objects of all sources, and the command line they were compiled under.
    fn objects(&self, defaults: &[&str]) -> Result<(Vec<Object>, Invocation), Stopped> {
        let mut inv = self.invocation(defaults)?;
        let files = inv.inputs.iter().filter_map(|input| match input {
            Input::File { path, language } if *language != Language::LinkerInput => {
                Some((path.clone(), None, *language))
            }
            _ => None,
        });
        let texts = self.sources.iter().map(|(path, text)| {
            let language = match cli::language_of_suffix(path.as_os_str()) {
                Language::LinkerInput => Language::C,
                known => known,
            };
            (path.clone(), Some(text.clone()), language)
        });
        let inputs: Vec<_> = files.chain(texts).collect();
        if !inputs.is_empty() {
            toolchain::fill_include_paths(&mut inv);
        }
        if inputs.len() > 1 {
            inv.preprocess.shared_files = Some(Default::default());
        }
        let (mut objects, mut worst) = (Vec::new(), None);
        for (path, text, language) in inputs {
            match one(&inv, &path, text, language) {
                Ok(bytes) => objects.push(Object { name: path, bytes }),
                Err(stopped) => worst = worst.max(Some(stopped)),
            }
        }
        worst.map_or(Ok((objects, inv)), Err)
    }
}

fn one(inv: &Invocation, path: &Path, text: Option<Arc<SourceText>>, language: Language) -> Result<Vec<u8>, Stopped> {
    let produced = match text {
        Some(text) => compile::text(inv, path, text, language)?,
        None => compile::source(inv, path, language)?,
    };
    Ok(match produced {
        Produced::Nothing => Vec::new(),
        Produced::Text(bytes) | Produced::Object(bytes) => bytes,
    })
}
