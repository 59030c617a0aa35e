//! Compiles the rewrite rules of `rules/` into the decisions of `combine`.

use std::path::Path;

fn main() {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let folder = Path::new(&manifest).join("rules");
    println!("cargo:rerun-if-changed={}", folder.display());
    let code = rules::load(&folder).and_then(|rules| rules::rust::generate(&rules));
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    match code {
        Ok(code) => std::fs::write(Path::new(&out).join("combine_rules.rs"), code).expect("OUT_DIR can be written"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
