//! C programs that embed the library: `examples/x.c` prints `examples/x.expected`, with the shared
//! library and with the archive.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use tcc_rs::Compiler;

/// The folder with this build's libraries: beside the test's own program.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().to_path_buf();
    assert!(folder.join("libtccrs.so").is_file(), "no libtccrs.so in {}", folder.display());
    folder
}

/// A process that another test starts would hold a program open that is being written, and it could
/// not be run (ETXTBSY).
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn run(name: &str, linked: &[String]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = root.join("examples").join(name).with_extension("c");
    let unique = format!("tcc-rs-capi-{}-{name}-{}", std::process::id(), linked.len());
    let program = std::env::temp_dir().join(unique);
    let one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let compiler = Compiler::new().arg(format!("-I{}", root.join("include").display())).arg(&source);
    compiler.args(linked.iter().cloned()).link(&program).unwrap_or_else(|e| panic!("{e}"));
    let output = Command::new(&program).output().unwrap();
    drop(one);
    std::fs::remove_file(&program).unwrap();
    let expected = std::fs::read_to_string(source.with_extension("expected")).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{said}");
    assert!(output.status.success(), "{:?}: {said}", output.status);
}

fn shared() -> Vec<String> {
    let folder = libraries().display().to_string();
    vec![format!("-L{folder}"), "-ltccrs".into(), format!("-Wl,-rpath,{folder}"), "-pthread".into()]
}

fn archive() -> Vec<String> {
    let mut linked = vec![libraries().join("libtccrs.a").display().to_string()];
    linked.extend(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"].map(String::from));
    linked
}

#[test]
fn a_program_embeds_the_library() {
    run("embed", &shared());
    run("embed", &archive());
}

#[test]
fn faults_come_back() {
    run("crash", &shared());
}

#[test]
fn states_in_threads_share_nothing() {
    run("threads", &shared());
}

/// Everything that the header declares is in the library, under its name.
#[test]
fn the_header_is_complete() {
    let header = include_str!("../include/libtcc.h");
    let library = std::fs::read(libraries().join("libtccrs.so")).unwrap();
    let mut count = 0;
    for line in header.lines().filter(|line| line.starts_with("LIBTCCAPI")) {
        let before = line.split('(').next().unwrap();
        let name = before.rsplit([' ', '*']).next().unwrap();
        let bytes = [b"\0", name.as_bytes(), b"\0"].concat();
        assert!(library.windows(bytes.len()).any(|window| window == bytes), "{name}");
        count += 1;
    }
    assert!(count >= 26, "{count}");
}
