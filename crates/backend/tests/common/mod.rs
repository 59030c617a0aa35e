//! Textual IR to an object, linked by gcc with a C driver, and run.

use std::path::PathBuf;
use std::process::Command;

use platform::options::{OptLevel, Options};

/// A directory of its own for one test; removed when dropped.
pub struct Workspace(PathBuf);

impl Workspace {
    /// A fresh directory.
    pub fn new(name: &str) -> Workspace {
        let path = std::env::temp_dir().join(format!("tcc-rs-backend-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("temporary directory");
        Workspace(path)
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if std::env::var_os("KEEP_TEST_FILES").is_none() {
            // A directory left over is not worth failing for.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Emits textual IR as an object's bytes.
pub fn object(ir_text: &str, options: &Options) -> Vec<u8> {
    let module = match ir::text::parse_module(ir_text) {
        Ok(module) => module,
        Err(error) => panic!("{error:?}\n{}", numbered(ir_text)),
    };
    for func in module.functions.values() {
        if let Err(errors) = ir::verifier::verify_function(&module, func, ir::verifier::Strictness::Alloca) {
            panic!("{}: {}", module.symbols[func.symbol].name, errors.join("\n"));
        }
    }
    let emitted = std::panic::catch_unwind(|| backend::emit(&module, options)).unwrap_or_else(|payload| {
        match payload.downcast::<base::bug::Bug>() {
            Ok(bug) => panic!("{bug:?}\n{}", numbered(ir_text)),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    });
    let builder = emitted.unwrap_or_else(|errors| panic!("{errors:?}"));
    builder.write().expect("object can be written")
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(i, line)| format!("{:5} {line}\n", i + 1)).collect()
}

/// Runs the program of [`run_at`] by the quick path and by the optimising one; both
/// must print the same, which is given back.
pub fn run(name: &str, ir_text: &str, driver: &str, options: &Options, gcc_flags: &[&str]) -> Option<String> {
    let quick = run_at(name, ir_text, driver, options, gcc_flags)?;
    let mut optimizing = options.clone();
    optimizing.level = OptLevel::O2;
    optimizing.codegen.omit_frame_pointer = true;
    let full = run_at(&format!("{name}-full"), ir_text, driver, &optimizing, gcc_flags)?;
    assert_eq!(quick, full, "{name}: the two code generators disagree");
    Some(quick)
}

/// Links the object of `ir_text` with `driver` (C), runs the program, and gives what it printed.
/// Panics unless it exits with 0. `None` if there is no gcc.
pub fn run_at(name: &str, ir_text: &str, driver: &str, options: &Options, gcc_flags: &[&str]) -> Option<String> {
    if Command::new("gcc").arg("--version").output().is_err() {
        return None;
    }
    let work = Workspace::new(name);
    std::fs::write(work.file("test.tir"), ir_text).expect("write");
    std::fs::write(work.file("test.o"), object(ir_text, options)).expect("write");
    std::fs::write(work.file("driver.c"), driver).expect("write");
    let gcc = Command::new("gcc")
        .args(["-w", "-fno-builtin", "-std=gnu17", "-o"])
        .arg(work.file("program"))
        .arg(work.file("driver.c"))
        .arg(work.file("test.o"))
        .args(gcc_flags)
        .arg("-lm")
        .output()
        .expect("gcc runs");
    assert!(gcc.status.success(), "gcc: {}", String::from_utf8_lossy(&gcc.stderr));
    let program = Command::new(work.file("program")).output().expect("program runs");
    let out = String::from_utf8_lossy(&program.stdout).into_owned();
    assert!(
        program.status.success(),
        "{name}: {:?}\n{out}{}",
        program.status,
        String::from_utf8_lossy(&program.stderr)
    );
    Some(out)
}
