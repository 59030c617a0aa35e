//! One program at one level, in this process.

use crate::generate::{self, Recipe};
use std::process::Command;
use std::str::FromStr;

/// A way to compile and run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// These options; the code is called in memory.
    Native(Vec<String>),
    /// The IR of these options goes through its text to the interpreter.
    Interpreted(Vec<String>),
    /// The code of these options is the same with and without `-g`.
    SameCode(Vec<String>),
    /// Another compiler and its options; the program is a process of its own.
    Other(Vec<String>),
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Way::Native(words) | Way::Other(words) => f.write_str(&words.join(" ")),
            Way::Interpreted(options) => write!(f, "interpret {}", options.join(" ")),
            Way::SameCode(options) => write!(f, "same-code {}", options.join(" ")),
        }
    }
}

impl FromStr for Way {
    type Err = String;

    fn from_str(text: &str) -> Result<Way, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        match words.first().map(String::as_str) {
            Some("interpret") => Ok(Way::Interpreted(words[1..].to_vec())),
            Some("same-code") => Ok(Way::SameCode(words[1..].to_vec())),
            Some(word) if word.starts_with('-') => Ok(Way::Native(words)),
            Some(_) => Ok(Way::Other(words)),
            None => {
                Err("a way to run is options, after \"interpret\" or the name of a compiler if it is another"
                    .to_string())
            }
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The hash of everything computed.
    Hash(u64),
    /// The compiler says that the program is wrong, or has a fault of its own (the text says so).
    Refused(String),
    /// The interpreter says that there is undefined behaviour: the program is not as it should be.
    Undefined(String),
    /// There is nothing to compare: the interpreter does not model what the program does, or it
    /// runs too long there, or another compiler does not know it.
    NotModelled,
}

/// Bytes of stack of this process.
const STACK: u64 = 64 << 20;

/// Instructions that the interpreter may execute.
const FUEL: u64 = 40_000_000;

/// Compiles and runs a source text.
///
/// Code that is wrong may do anything to this process: it is one that may die.
pub fn run(source: &str, way: &Way) -> Answer {
    match way {
        Way::Native(options) => native(source, options),
        Way::Interpreted(options) => interpreted(source, options),
        Way::SameCode(options) => same_code(source, options),
        Way::Other(words) => other(source, words),
    }
}

/// Gives this process, and those that are forked from it, what programs need: a stack that is large
/// enough to compile on, and the library of mathematical functions where their code finds it.
pub fn prepare() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain calls with a structure of this function. Where the stack may not grow so far,
    // no program of a few lines needs it.
    unsafe {
        libc::getrlimit(libc::RLIMIT_STACK, &mut limit);
        limit.rlim_cur = limit.rlim_max.min(STACK);
        libc::setrlimit(libc::RLIMIT_STACK, &limit);
    }
    // SAFETY: the name is a string; the C library's own library does nothing when it is opened, and
    // stays. Where there is none, the programs that need it say so.
    unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
}

/// The text of a recipe's program.
pub fn source(recipe: Recipe) -> String {
    generate::program(recipe).to_string()
}

fn compiler(source: &str, options: &[String]) -> tcc_rs::Compiler {
    // Programs use no predefined macros; to define them takes half as long as to compile a small
    // function.
    tcc_rs::Compiler::new()
        .on_this_thread()
        .args(["-w", "-undef"])
        .args(options.iter().cloned())
        .source("program.c", source)
}

fn refused(failure: &tcc_rs::Failure) -> Answer {
    Answer::Refused(failure.internal.clone().unwrap_or_else(|| failure.to_string()))
}

fn native(source: &str, options: &[String]) -> Answer {
    let program = match compiler(source, options).load() {
        Ok(program) => program,
        Err(failure) => return refused(&failure),
    };
    let Some(test) = program.symbol("test") else { return Answer::Refused("no function test".to_string()) };
    // SAFETY: the generator gives the function this type; what the code does is the caller's risk.
    let test: extern "C" fn() -> u64 = unsafe { std::mem::transmute(test) };
    Answer::Hash(test())
}

fn same_code(source: &str, options: &[String]) -> Answer {
    let code = |more: &[&str]| match compiler(source, options).args(more).compile() {
        Ok(done) => executable_bytes(&done.objects[0].bytes).ok_or_else(|| Answer::Refused("no object".to_string())),
        Err(failure) => Err(refused(&failure)),
    };
    match (code(&[]), code(&["-g"])) {
        (Err(answer), _) | (_, Err(answer)) => answer,
        (Ok(without), Ok(with)) if without == with => Answer::NotModelled,
        _ => Answer::Refused("-g changes the code".to_string()),
    }
}

/// What is in the executable sections of an object.
fn executable_bytes(object: &[u8]) -> Option<Vec<u8>> {
    use elf_object::{Object, ObjectSection, SectionKind};
    let file = elf_object::File::parse(object).ok()?;
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    code.map(|section| section.data().ok()).collect::<Option<Vec<_>>>().map(|parts| parts.concat())
}

/// What makes a program of its own of the unit.
const MAIN: &str = "\nint main(void) { __builtin_printf(\"%lx\", test()); return 0; }\n";

fn other(source: &str, words: &[String]) -> Answer {
    let base = std::env::temp_dir().join(format!("tcc-rs-fuzzer-{}", std::process::id()));
    let (file, program) = (base.with_extension("c"), base.with_extension("out"));
    let made = std::fs::write(&file, format!("{source}{MAIN}")).and_then(|()| {
        let (name, options) = words.split_first().expect("a way has a first word");
        Command::new(name).args(options).arg("-w").arg(&file).arg("-o").arg(&program).arg("-lm").output()
    });
    let answer = match made {
        Ok(done) if done.status.success() => match Command::new(&program).output() {
            Ok(done) => hash(&done.stdout),
            Err(error) => Answer::Refused(error.to_string()),
        },
        // What the other compiler lacks is no fault of this one.
        _ => Answer::NotModelled,
    };
    for leftover in [file, program] {
        // It may never have been made.
        drop(std::fs::remove_file(leftover));
    }
    answer
}

/// What a program printed.
fn hash(output: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(output);
    u64::from_str_radix(&text, 16)
        .map_or_else(|_| Answer::Refused(format!("the program printed {text:?}")), Answer::Hash)
}

fn interpreted(source: &str, options: &[String]) -> Answer {
    let source = format!("{source}{MAIN}");
    let compiled = match compiler(&source, options).arg("--emit=ir").compile() {
        Ok(compiled) => compiled,
        Err(failure) => return refused(&failure),
    };
    let text = String::from_utf8_lossy(&compiled.objects[0].bytes).into_owned();
    let module = match ir::text::parse_module(&text) {
        Ok(module) => module,
        Err(error) => return Answer::Refused(format!("the IR's text cannot be read back: {error}")),
    };
    let (output, result) = interp::run_keeping_output(&module, &["program"], FUEL);
    match result {
        Ok(_) => hash(&output),
        Err(interp::Trap::Undefined(why)) => Answer::Undefined(why.to_string()),
        Err(_) => Answer::NotModelled,
    }
}

/// What the compiler says of a program beside errors, warnings switched off.
pub fn messages(source: &str, options: &[String]) -> Vec<String> {
    let done = compiler(source, options).compile();
    let diagnostics = done.map_or_else(|failure| failure.diagnostics, |done| done.diagnostics);
    diagnostics.iter().flat_map(|d| d.rendered.lines()).map(str::to_string).collect()
}

/// Counters of passes that a program moves at -O2 and -O3 together, by name.
pub fn counters(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    for level in ["-O2", "-O3"] {
        let options = [level.to_string(), "--stats=json".to_string()];
        let lines = messages(source, &options);
        all.extend(lines.iter().filter(|line| line.starts_with('{')).flat_map(|line| crate::steer::moved(line)));
    }
    all.sort();
    all.dedup();
    all
}
