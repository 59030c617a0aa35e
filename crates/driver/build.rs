//! Puts the files of `runtime/` into the program (two tables of (name, text), sorted by name) and
//! tells the linker which functions to keep together.

use std::fmt::Write;
use std::path::Path;

fn main() {
    // The program is started for every file of a build: at a fixed address there is nothing to
    // relocate before it runs.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    // Asked when the script runs: the script may have been compiled for another checkout.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let runtime = Path::new(&manifest).join("../../runtime");
    println!("cargo:rerun-if-changed={}", runtime.display());
    let mut text = String::new();
    let headers = read(&runtime, "include");
    let support = read(&runtime, "support");
    let both: Vec<_> = headers.iter().chain(&support).cloned().collect();
    for (table, doc, rows) in [
        ("HEADERS", "The headers: (name as `#include` gives it, text ending in NUL).", headers),
        ("SUPPORT", "The support routines' sources: (name, text ending in NUL).", support),
        ("SUPPORT_HEADERS", "What the support routines may include.", both),
    ] {
        writeln!(text, "/// {doc}\npub static {table}: &[(&str, &[u8])] = &[").unwrap();
        for (name, path) in rows {
            writeln!(text, "    ({name:?}, concat!(include_str!({path:?}), \"\\0\").as_bytes()),").unwrap();
        }
        text.push_str("];\n");
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("runtime_tables.rs"), text).unwrap();
    put_hot_functions_together(Path::new(&manifest), Path::new(&out));
}

/// Gives the linker a section of the functions of `hot.txt`, in that order; cold ones among them
/// have a prefix in the names of their sections. It only makes the program faster: mold, which does
/// not read such scripts, goes without.
fn put_hot_functions_together(manifest: &Path, out: &Path) {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if !linux || flags.contains("mold") {
        return;
    }
    let list = manifest.join("hot.txt");
    println!("cargo:rerun-if-changed={}", list.display());
    let names = std::fs::read_to_string(list).unwrap();
    let mut script = "SECTIONS {\n  .text.hot : {\n".to_string();
    for name in names.lines().filter(|line| !line.starts_with('#')) {
        writeln!(script, "    *(.text.{name} .text.unlikely.{name})").unwrap();
    }
    script.push_str("  }\n}\nINSERT BEFORE .text;\n");
    let path = out.join("hot.ld");
    std::fs::write(&path, script).unwrap();
    println!("cargo:rustc-link-arg-bins=-Wl,-T,{}", path.display());
    println!("cargo:rustc-env=HOT_FUNCTIONS=together");
}

/// The files of a folder of `runtime/`: (relative name, path), sorted.
fn read(runtime: &Path, directory: &str) -> Vec<(String, std::path::PathBuf)> {
    let root = runtime.join(directory);
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, "", &mut files);
    files.sort();
    files.into_iter().map(|name| (name.clone(), root.join(&name).canonicalize().unwrap())).collect()
}

fn collect(root: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(prefix)).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().expect("runtime file names are ASCII");
        let relative = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        if entry.path().is_dir() {
            collect(root, &relative, files);
        } else {
            files.push(relative);
        }
    }
}
