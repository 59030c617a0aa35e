//! `--version`, `-dumpmachine`, `-print-*`: answers on standard output, in the form build systems
//! parse.

use crate::invocation::{Invocation, Query};
use crate::toolchain::{self, Toolchain};
use std::fmt::Write;
use std::path::PathBuf;

/// The gcc release whose language, macros and messages are followed.
pub const GCC_VERSION: &str = "12.2.0";

/// Answer one question. The text ends with a newline.
pub fn answer(inv: &Invocation, query: &Query) -> String {
    let tools = || Toolchain::discover(inv);
    let path = |p: PathBuf| p.display().to_string();
    let text = match query {
        Query::Help => return HELP.replace("%PROGRAM%", &inv.program),
        Query::HelpOf(classes) => return crate::help::text(inv, classes, &answer(inv, &Query::Help)),
        Query::Version => return version(inv),
        Query::DumpVersion => "12".to_string(),
        Query::DumpFullVersion => GCC_VERSION.to_string(),
        Query::DumpMachine => toolchain::MACHINE.to_string(),
        Query::DumpSpecs => return crate::cli::own_specs(tools().dynamic_linker(), GCC_VERSION),
        Query::Completion(prefix) => return crate::cli::offers(prefix),
        Query::ProgName(name) => program_name(inv, name),
        Query::FileName(name) if name == "include" => toolchain::BUILTIN_INCLUDE_DIR.to_string(),
        Query::FileName(name) => tools().find_file(inv, name).map_or(name.clone(), path),
        Query::LibgccFileName => tools().find_file(inv, "libgcc.a").map_or("libgcc.a".to_string(), path),
        Query::SearchDirs => return search_dirs(inv),
        Query::Sysroot => inv.sysroot.clone().map_or(String::new(), path),
        Query::MultiOsDirectory => "../lib".to_string(),
        Query::MultiDirectory => ".".to_string(),
        Query::MultiLib => ".;".to_string(),
        Query::Multiarch => toolchain::MACHINE.to_string(),
    };
    // gcc prints nothing at all, not even a line, for an empty sysroot.
    if *query == Query::Sysroot && text.is_empty() { text } else { text + "\n" }
}

/// The first line names what this really is; the words after it are what build systems look for to
/// recognise a compiler that takes gcc's command line.
fn version(inv: &Invocation) -> String {
    format!(
        "{} (tcc-rs-{},gcc-compatible) {GCC_VERSION}\n\
         This is not gcc: its language, command line and ABI follow GCC {GCC_VERSION} of the\n\
         Free Software Foundation, Inc., from which no part is taken.\n\
         This is free software; see the source for copying conditions.  There is NO\n\
         warranty; not even for MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.\n\n",
        inv.program,
        env!("CARGO_PKG_VERSION"),
    )
}

/// What `-v` prints before anything else, on standard error.
pub fn verbose_banner(inv: &Invocation) -> String {
    format!(
        "Using built-in specs.\nCOLLECT_GCC={}\nTarget: {}\nThread model: posix\ngcc version {GCC_VERSION} (tcc-rs {}) \n",
        inv.program,
        toolchain::MACHINE,
        env!("CARGO_PKG_VERSION"),
    )
}

/// `-v` on a compilation: the header directories in GNU's words.
pub fn include_search_list(inv: &Invocation, missing: &[PathBuf]) -> String {
    let pp = &inv.preprocess;
    let mut text = String::new();
    for dir in missing {
        writeln!(text, "ignoring nonexistent directory \"{}\"", dir.display()).ok();
    }
    text.push_str("#include \"...\" search starts here:\n");
    for dir in &pp.quote_dirs {
        writeln!(text, " {}", dir.display()).ok();
    }
    text.push_str("#include <...> search starts here:\n");
    let ours = (!pp.builtin_headers.is_empty()).then(|| PathBuf::from(toolchain::BUILTIN_INCLUDE_DIR));
    for dir in pp.user_dirs.iter().chain(&pp.system_dirs).chain(&ours).chain(&pp.standard_dirs).chain(&pp.after_dirs) {
        writeln!(text, " {}", dir.display()).ok();
    }
    text.push_str("End of search list.\n");
    text
}

/// The binutils whose assembler is followed.
const BINUTILS_VERSION: &str = "2.40";

/// What `as --version` prints. Build systems read the first line: the words "GNU assembler", and
/// the version at its end.
pub const ASSEMBLER_VERSION: &str = concat!(
    "GNU assembler (tcc-rs ",
    env!("CARGO_PKG_VERSION"),
    ", compatible with GNU Binutils) 2.40\n",
    "This is not the GNU assembler: it follows that of the Free Software Foundation, Inc.,\n",
    "from which no part is taken.\n",
    "This assembler was configured for a target of `x86_64-linux-gnu'.\n",
);

/// What `as -v` prints on standard error.
pub fn assembler_banner() -> String {
    format!(
        "GNU assembler version {BINUTILS_VERSION} ({}) using tcc-rs {}\n",
        toolchain::MACHINE,
        env!("CARGO_PKG_VERSION")
    )
}

/// `cc1` and `collect2` are this program, and so is an `as` beside it; others are looked up in `-B`
/// directories and `PATH`; gcc prints the bare name when nothing is found.
fn program_name(inv: &Invocation, name: &str) -> String {
    if let Ok(path) = std::env::current_exe() {
        // Under the name `as` it has the command line of an assembler.
        let beside = path.with_file_name(name);
        match name {
            "cc1" | "collect2" => return path.display().to_string(),
            "as" if beside.is_file() => return beside.display().to_string(),
            _ => {}
        }
    }
    inv.link
        .prefixes
        .iter()
        .map(|p| p.join(name))
        .find(|p| p.is_file())
        .map_or(name.to_string(), |p| p.display().to_string())
}

fn search_dirs(inv: &Invocation) -> String {
    let tools = Toolchain::discover(inv);
    let join = |dirs: &[PathBuf]| {
        dirs.iter().map(|d| format!("{}/", d.display().to_string().trim_end_matches('/'))).collect::<Vec<_>>().join(":")
    };
    let install = PathBuf::from(toolchain::BUILTIN_INCLUDE_DIR).parent().map(PathBuf::from).unwrap_or_default();
    let programs: Vec<PathBuf> = inv.link.prefixes.iter().cloned().chain([PathBuf::from("/usr/bin")]).collect();
    format!(
        "install: {}/\nprograms: ={}\nlibraries: ={}\n",
        install.display(),
        join(&programs),
        join(&tools.search_dirs(inv))
    )
}

const HELP: &str = "\
Usage: %PROGRAM% [options] file...
       %PROGRAM% run [options] file.c [arguments...]
       %PROGRAM% repl [options] [file.c...]
       %PROGRAM% explore [options] file.c [-o report.html]
       %PROGRAM% compare [options] file... [-- arguments...]
       %PROGRAM% compare [options] -- build command...

%PROGRAM% is a C compiler that takes gcc's command line.

Commands:
  run                      Link into memory and execute; options come before the file, those after // tcc-rs: in it
                           before them. First of all --watch (again on changes), --no-cache (keep nothing).
  repl                     Read declarations, statements and expressions one after another, run them and print
                           values; :help lists the commands.
  interpret                Run one C file in the interpreter and report the first undefined behaviour or leak. With -O2,
                           --passes= and the like, or a .tir file: the IR of that stage, which must do the same.
                           Status 124: undefined behaviour, 125: not modelled.
  compare                  Build with gcc, clang, tcc and this compiler at every level and compare behaviour, speed,
                           size and memory; --help says more.
  explore                  One page with source, IR, passes, graphs and machine code.
  explain                  What a warning (-Wname) or a message is about, with an example.

Stages and output:
  -E -S -c                 Stop after preprocessing, compiling, assembling.
  -fsyntax-only            Check only.
  -o <file>                Place the output into <file>; - is standard output.
  -x <language>            c, cpp-output, assembler, assembler-with-cpp, none.
  -save-temps[=obj]        Keep intermediate files.
  -v, -###                 Show what is done; -### does nothing else.
  @<file>                  Read options from <file>.

Language and diagnostics:
  -std=<standard>          c89 c99 c11 c17 c23, gnu89 ... gnu23 (default gnu17).
  -ffreestanding -fno-builtin -fwrapv -fno-strict-aliasing -funsigned-char ...
  -Wall -Wextra -Werror[=<name>] -W[no-]<name> -pedantic[-errors] -w
  -fdiagnostics-format=text|json[-file]|sarif-stderr|sarif-file  -fdiagnostics-color=auto|always|never

Preprocessor:
  -D -U -I -iquote -isystem -idirafter -include -imacros -nostdinc
  -M -MM -MD -MMD -MF -MT -MQ -MP -MG  -P -C -CC -dM -dD -H

Code:
  -O0 -O1 -O2 -O3 -Os -Og -Ofast   -g -gdwarf-<n>
  -fPIC -fPIE -fno-pic -fvisibility= -ffunction-sections -fdata-sections
  -march= -mtune= -m<instruction set> -mcmodel=small|kernel|large -mno-red-zone -mgeneral-regs-only

Linking:
  -l -L -static -static-pie -shared -pie -no-pie -r -nostdlib -nostartfiles
  -Wl,<arg> -Xlinker <arg> -T -u -z -s -rdynamic -pthread -fuse-ld=<linker>

Looking inside:
  --emit=ir|ir0|asm|obj    Print the IR after (before) the passes, assembly, an object.
  --emit=llvm|dot|dot-dominators|svg|svg-dominators
                           The IR as LLVM assembly, its graphs for Graphviz, as pictures.
  --emit=trace             Each function after each pass, and its code, as JSON.
  --stop-after=<pass>      Run the pipeline up to this pass.
  --stats[=json]           Counters of the passes.   -Rpass=<pass>  What a pass did where.
  -Rpass-missed=<pass>     What it could not do, and why (loop_vectorize).
  --passes=<a,b>           Run exactly these passes.   -f[no-]<pass>
  --print-after=<pass>     Dump the IR after a pass (all: after each).
  --opt-bisect-limit=<n>   Stop transforming after n executions of passes and applications of rules.
  --max-promote-size=<n> --max-phi-copies=<n> --no-byval-mem2reg
                           What mem2reg leaves in memory.
  --validate[=<pass>]      Ask z3 after each pass whether the function still means the same.
  --validate-timeout=<s>   Seconds for one query of that (5).
  --validate-sample=<n>    Ask about one of n changes only (a seed may follow: n:seed).
  --verify, --verify-each  Check the IR and the register allocation after each step.
  --reproduce[=<file>]     On an internal error, pack preprocessed source and command line.

Questions:
  --help --version -dumpversion -dumpmachine -print-search-dirs
  -print-file-name=<file> -print-prog-name=<program> -print-libgcc-file-name
";
