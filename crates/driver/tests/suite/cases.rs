//! Programs, diagnostics, ABI.

use crate::buggy;
use crate::process::{self, Scratch, blessing, compile, compiler, golden};
use crate::trial;
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The comments at the top of a case.
#[derive(Default)]
pub struct Header {
    pub flags: Vec<String>,
    exit: i32,
    pub args: Vec<String>,
    skip: Option<String>,
    /// Why the interpreter cannot run it.
    pub interpreter: Option<String>,
    /// What `tcc-rs interpret` reports: a class, a comma, and what the program does.
    pub checked: Option<String>,
    /// What the interpreter needs in addition: `-fwrapv` for a program whose sums overflow, where
    /// it would stop.
    pub interpreter_flags: Vec<String>,
    /// Why there is nothing to say about a case of `diagnostics`.
    silent: Option<String>,
}

/// The comments at the top of a case.
pub fn header(path: &Path) -> Header {
    let mut h = Header::default();
    let words = |text: &str| text.split_ascii_whitespace().map(String::from).collect();
    for line in std::fs::read_to_string(path).unwrap_or_default().lines() {
        let Some(comment) = line.strip_prefix("// ") else { break };
        match comment.split_once(": ") {
            Some(("flags", v)) => h.flags = words(v),
            Some(("exit", v)) => h.exit = v.trim().parse().expect("an exit status"),
            Some(("args", v)) => h.args = words(v),
            Some(("skip", v)) => h.skip = Some(v.to_string()),
            Some(("interpreter flags", v)) => h.interpreter_flags = words(v),
            Some(("interpreter", v)) => h.interpreter = Some(v.to_string()),
            Some(("silent", v)) => h.silent = Some(v.to_string()),
            Some(("checked", v)) => h.checked = Some(v.to_string()),
            _ => {}
        }
    }
    h
}

/// The `// flags:` of a case.
pub fn flags(path: &Path) -> Vec<String> {
    header(path).flags
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A program at every level, in memory, in the interpreter with all its checks, and as optimised IR
/// there (`cargo xtask interpret-stages` looks at other stages, too).
pub fn run(path: PathBuf) -> Vec<Trial> {
    let header = header(&path);
    let skip = header.skip.is_some();
    if blessing() {
        return vec![trial(&path.clone(), "bless", move || Ok(bless_with_gcc(&path)?))];
    }
    ["-O0", "-O1", "-O2", "run", "interpret", "checked"]
        .into_iter()
        .filter(|&variant| variant != "interpret" || header.interpreter.is_none())
        .filter(|&variant| variant != "checked" || buggy::can_be_checked(&header))
        .map(|variant| {
            let case = path.clone();
            trial(&path, variant, move || Ok(run_variant(&case, variant)?)).with_ignored_flag(skip)
        })
        .collect()
}

fn run_variant(path: &Path, variant: &str) -> Result<(), String> {
    if variant == "checked" {
        return buggy::checked_run(path);
    }
    let header = header(path);
    let scratch = Scratch::new(&stem(path));
    let outcome = if matches!(variant, "run" | "interpret") {
        let mut command = Command::new(compiler());
        command
            .arg(variant)
            .args(["-w", if variant == "run" { "-O0" } else { "-O2" }])
            .args(if variant == "run" { &[] } else { &header.interpreter_flags[..] })
            .args(&header.flags)
            .arg(path)
            .args(&header.args);
        process::run(command.current_dir(&scratch.0))?
    } else {
        let program = scratch.0.join("program");
        let file = [path.as_os_str().to_os_string(), "-o".into(), program.clone().into()];
        let flags = [variant, "-w"].into_iter().map(Into::into).chain(file).chain(header.flags.iter().map(Into::into));
        compile(compiler(), flags)?;
        process::run(Command::new(&program).args(&header.args).current_dir(&scratch.0))?
    };
    check_run(path, &header, &outcome)
}

/// Compares what a program did with what is expected.
pub fn check_run(path: &Path, header: &Header, outcome: &process::Outcome) -> Result<(), String> {
    golden(&path.with_extension("expected"), &outcome.stdout)
        .map_err(|e| format!("{e}(status {}) {}", outcome.status, outcome.stderr))?;
    if outcome.status != header.exit {
        return Err(format!("status {}, not {}\n{}", outcome.status, header.exit, outcome.stderr));
    }
    Ok(())
}

fn bless_with_gcc(path: &Path) -> Result<(), String> {
    let header = header(path);
    let scratch = Scratch::new(&stem(path));
    let program = scratch.0.join("program");
    let file = [path.as_os_str().to_os_string(), "-o".into(), program.clone().into(), "-w".into()];
    compile(Path::new("gcc"), file.into_iter().chain(header.flags.iter().map(Into::into)))?;
    check_run(path, &header, &process::run(Command::new(&program).args(&header.args))?)
}

/// What the compiler says about a file.
pub fn diagnostics(path: PathBuf) -> Trial {
    let skip = header(&path).skip.is_some();
    trial(&path.clone(), "", move || {
        let header = header(&path);
        let mut command = Command::new(compiler());
        // What only later stages see is asked for by `-c` among the flags.
        let to_the_end = header.flags.iter().any(|flag| flag == "-c");
        command.args(if to_the_end { &["-o", "/dev/null"][..] } else { &["-fsyntax-only"] });
        command.arg("-fdiagnostics-color=never").args(&header.flags);
        command.arg(path.file_name().unwrap_or_default()).current_dir(path.parent().unwrap_or(Path::new(".")));
        let outcome = process::run(&mut command)?;
        if outcome.stderr.is_empty() != header.silent.is_some() {
            return Err("to say nothing is right just where `// silent:` says why (later stages need `-c`)".into());
        }
        golden(&path.with_extension("stderr"), &outcome.stderr)?;
        let expected = i32::from(
            outcome.stderr.contains(": error: ")
                || outcome.stderr.contains(": fatal error: ")
                || outcome.stderr.contains("\"kind\": \"error\""),
        );
        if outcome.status == expected { Ok(()) } else { Err(Failed::from(format!("status {}", outcome.status))) }
    })
    .with_ignored_flag(skip)
}

/// Calls between objects of this compiler and of gcc, in both directions.
pub fn abi(path: PathBuf) -> Vec<Trial> {
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    if blessing() {
        return vec![trial(&path.clone(), "bless", move || Ok(abi_variant(&path, "gcc", "gcc", "-O1")?))];
    }
    let mut trials = Vec::new();
    for level in ["-O0", "-O2"] {
        for (caller, callee) in [("tcc-rs", "gcc"), ("gcc", "tcc-rs"), ("tcc-rs", "tcc-rs")] {
            let case = path.clone();
            let variant = format!("{caller}-calls-{callee}{level}");
            let t = trial(&path, &variant, move || Ok(abi_variant(&case, caller, callee, level)?));
            trials.push(t.with_ignored_flag(!has_gcc));
        }
    }
    trials
}

fn abi_variant(path: &Path, caller: &str, callee: &str, level: &str) -> Result<(), String> {
    let header = header(path);
    let scratch = Scratch::new(&stem(path));
    let tool = |name: &str| if name == "gcc" { PathBuf::from("gcc") } else { compiler().to_path_buf() };
    let mut objects = Vec::new();
    for (side, name) in [("CALLER", caller), ("CALLEE", callee)] {
        let object = scratch.0.join(format!("{side}.o"));
        let define = format!("-D{side}");
        let fixed = [level, "-w", "-c", &define, "-o"].map(std::ffi::OsString::from);
        let files = [object.clone().into_os_string(), path.as_os_str().to_os_string()];
        compile(&tool(name), fixed.into_iter().chain(files).chain(header.flags.iter().map(Into::into)))?;
        objects.push(object);
    }
    let program = scratch.0.join("program");
    let mut link = vec!["-o".into(), program.clone().into_os_string()];
    link.extend(objects.into_iter().map(PathBuf::into_os_string));
    link.push("-lm".into());
    compile(&tool(if caller == "gcc" && callee == "gcc" { "gcc" } else { "tcc-rs" }), link)?;
    check_run(path, &header, &process::run(&mut Command::new(&program))?)
}
