//! Puts the files of `runtime/` into the program: two tables of (name, text), sorted by name.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    println!("cargo:rerun-if-changed={}", runtime.display());
    let mut text = String::new();
    for (table, directory, doc) in [
        ("HEADERS", "include", "The headers: (name as `#include` gives it, text ending in NUL)."),
        ("SUPPORT", "support", "The support routines' sources and their private headers: (name, text ending in NUL)."),
    ] {
        let root = runtime.join(directory);
        println!("cargo:rerun-if-changed={}", root.display());
        let mut files = Vec::new();
        collect(&root, "", &mut files);
        files.sort();
        writeln!(text, "/// {doc}\npub static {table}: &[(&str, &[u8])] = &[").unwrap();
        for name in files {
            let path = root.join(&name).canonicalize().unwrap();
            writeln!(text, "    ({name:?}, concat!(include_str!({path:?}), \"\\0\").as_bytes()),").unwrap();
        }
        text.push_str("];\n");
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("runtime_tables.rs"), text).unwrap();
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
