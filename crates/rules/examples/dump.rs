//! Prints the Rust code that rules become: `cargo run -p tcc-rs-rules --example dump --
//! crates/middle/rules`.

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "crates/middle/rules".to_string());
    match rules::load(folder.as_ref()).and_then(|rules| rules::rust::generate(&rules)) {
        Ok(code) => print!("{code}"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
