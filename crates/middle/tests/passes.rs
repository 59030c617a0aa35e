//! `tests/passes/<pass>/*.tir`: each module goes through the pass its folder names (after
//! `mem2reg+dce`-style folders: several, joined by `+`; `inline` stands for the whole `-O2`
//! pipeline); the result must equal the `.out` file beside it. `BLESS=1` writes the `.out` files
//! anew. A file that begins with `; level: O3` or `; level: Os` is compiled at that level,
//! one with `; level: O3, AVX2` for processors with AVX2.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ir::text::{module_to_string, parse_module};
use platform::options::{OptLevel, Options, X86Features};
use platform::remarks::Remark;

#[test]
fn passes_give_the_expected_ir() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes");
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    let mut cases = 0;
    for folder in sorted(&root) {
        let passes: Vec<String> =
            folder.file_name().expect("named").to_string_lossy().split('+').map(str::to_string).collect();
        let whole_pipeline = passes == ["inline"];
        for pass in passes.iter().filter(|_| !whole_pipeline) {
            assert!(middle::pipeline::find(pass).is_some(), "tests/passes names an unknown pass {pass}");
        }
        let pass_list = (!whole_pipeline).then_some(passes);
        let mut options = Options { level: OptLevel::O2, pass_list, verify: true, ..Options::default() };
        options.codegen.strict_aliasing = true;
        options.codegen.sibling_calls = !whole_pipeline;
        for path in sorted(&folder).into_iter().filter(|p| p.extension().is_some_and(|e| e == "tir")) {
            cases += 1;
            let source = fs::read_to_string(&path).expect("readable");
            let mut module = parse_module(&source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let level = if source.starts_with("; level: O3") { OptLevel::O3 } else { OptLevel::O2 };
            let optimize_size = source.starts_with("; level: Os");
            let mut options = Options { level, optimize_size, ..options.clone() };
            if source.starts_with("; level: O3, AVX2") {
                options.codegen.features.insert(X86Features::AVX2);
            }
            let report = middle::optimize(&mut module, &options);
            let mut output = module_to_string(&module);
            for (name, value) in report.statistics.sorted() {
                let _ = writeln!(output, "; {name}: {value}");
            }
            for Remark { function, pass, text, .. } in &report.remarks {
                let _ = writeln!(output, "; remark: {function}: {pass}: {text}");
            }
            let golden = path.with_extension("out");
            if bless {
                fs::write(&golden, &output).expect("writable");
            } else if fs::read_to_string(&golden).unwrap_or_default() != output {
                let _ = writeln!(failures, "{} differs:\n{output}", golden.display());
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(cases > 0, "no case found");
}

fn sorted(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(directory).expect("directory exists").map(|e| e.expect("entry is readable").path()).collect();
    entries.sort();
    entries
}
