//! How long the code of each program is, beside `tests/sizes/LEVEL.txt`: what makes a pass or the
//! choice of instructions worse shows nowhere else. A change of the compiler that is meant to
//! change code blesses the file; what it costs or gains is in the commit then.

use crate::cases::flags;
use crate::process::{Scratch, compile, compiler, golden};
use crate::{files, trial};
use elf_object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use libtest_mimic::Trial;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Folders below the root, and the levels at which their programs are measured.
const MEASURED: [(&str, &[&str]); 2] = [("bench", &["O2", "O3", "Os", "v3"]), ("tests/run", &["O2"])];

/// A case for each level, and one for the compiler's own code.
pub fn trials(root: &Path) -> Vec<Trial> {
    let levels = ["O2", "O3", "Os", "v3"];
    let case = |level: &'static str| {
        let root = root.to_path_buf();
        trial(&root.join(format!("tests/sizes/{level}.txt")), "", move || Ok(check(&root, level)?))
    };
    let hot = trial(&root.join("crates/driver/hot.txt"), "", || Ok(check_hot_functions()?));
    levels.into_iter().map(case).chain([hot]).collect()
}

/// Bytes that the functions of `hot.txt` have at least, however the compiler was built.
const HOT_BYTES: u64 = 1 << 20;

/// The functions of the list stand together in the compiler: if names are mangled in another way
/// one day, the list must be made again.
fn check_hot_functions() -> Result<(), String> {
    if option_env!("HOT_FUNCTIONS").is_none() {
        return Ok(());
    }
    let bytes = std::fs::read(compiler()).map_err(|e| e.to_string())?;
    let file = elf_object::read::elf::ElfFile64::<elf_object::Endianness>::parse(&*bytes).map_err(|e| e.to_string())?;
    let size = file.section_by_name(".text.hot").map_or(0, |section| section.size());
    if size < HOT_BYTES { Err(format!("{size} bytes of functions of hot.txt: see cargo xtask hot")) } else { Ok(()) }
}

fn check(root: &Path, level: &str) -> Result<(), String> {
    let scratch = Scratch::new("sizes");
    let object = scratch.0.join("object.o");
    let folders = MEASURED.into_iter().filter(|(_, levels)| levels.contains(&level));
    let programs: Vec<(&str, PathBuf)> =
        folders.flat_map(|(folder, _)| files(&root.join(folder), "c").into_iter().map(move |f| (folder, f))).collect();
    let mut text = String::new();
    for (folder, file) in programs {
        let level: &[&str] = match level {
            "O2" => &["-O2"],
            "O3" => &["-O3"],
            "Os" => &["-Os"],
            _ => &["-O2", "-march=x86-64-v3"],
        };
        let mut options: Vec<String> = level.iter().chain(&["-w", "-c", "-o"]).map(ToString::to_string).collect();
        options.push(object.display().to_string());
        options.extend(flags(&file));
        options.push(file.display().to_string());
        compile(compiler(), options)?;
        let name = file.file_stem().unwrap_or_default().display();
        let _ = writeln!(text, "{folder}/{name} {}", code_size(&object)?);
    }
    golden(&root.join(format!("tests/sizes/{level}.txt")), &text)
}

/// Bytes of all functions, without what aligns them.
fn code_size(object: &Path) -> Result<u64, String> {
    let failed = |e: String| format!("{}: {e}", object.display());
    let bytes = std::fs::read(object).map_err(|e| failed(e.to_string()))?;
    let file = elf_object::File::parse(&*bytes).map_err(|e| failed(e.to_string()))?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    Ok(functions.map(|symbol| symbol.size()).sum())
}
