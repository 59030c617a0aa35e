//! Whole assembly files against GNU `as`: compilers' output and hand-written
//! sources must give the same section contents and the same relocations.

mod common;

use assembler::{Options, assemble};
use common::{Dir, PROGRAM, contents, relocations, symbols};

fn compare(name: &str, source: &str) {
    let dir = Dir::new(name);
    std::fs::write(dir.0.join("t.s"), source).unwrap();
    dir.run("as", &["t.s", "-o", "theirs.o"]);
    let object = match assemble(source, &Options { file: "t.s".into(), ..Options::default() }) {
        Ok(object) => object,
        Err(errors) => panic!("{name}: {:#?}", &errors[..errors.len().min(10)]),
    };
    std::fs::write(dir.0.join("ours.o"), object.write().unwrap()).unwrap();
    let (ours, theirs) = (contents(&dir, "ours.o"), contents(&dir, "theirs.o"));
    for (section, bytes) in &theirs {
        let mine = ours.get(section).unwrap_or_else(|| panic!("{name}: no section {section}"));
        assert_eq!(mine, bytes, "{name}: section {section}");
    }
    for section in ours.keys() {
        assert!(theirs.contains_key(section), "{name}: extra section {section}");
    }
    assert_eq!(relocations(&dir, "ours.o"), relocations(&dir, "theirs.o"), "{name}: relocations");
    assert_eq!(symbols(&dir, "ours.o"), symbols(&dir, "theirs.o"), "{name}: symbols");
}

#[test]
fn compiler_output() {
    let dir = Dir::new("gcc");
    std::fs::write(dir.0.join("t.c"), PROGRAM).unwrap();
    for (i, flags) in [
        &["-O0"][..],
        &["-O2"],
        &["-O3", "-fno-pie", "-march=haswell"],
        &["-Os", "-ffunction-sections", "-fdata-sections"],
        &["-O2", "-fPIC", "-fno-plt"],
        &["-O1", "-mcmodel=large", "-fno-pie"],
    ]
    .iter()
    .enumerate()
    {
        let mut args = vec!["-S", "t.c", "-o", "t.s"];
        args.extend(*flags);
        dir.run("gcc", &args);
        let source = std::fs::read_to_string(dir.0.join("t.s")).unwrap();
        compare(&format!("gcc{i}"), &source);
    }
}

#[test]
fn intel_output() {
    let dir = Dir::new("intel");
    std::fs::write(dir.0.join("t.c"), PROGRAM).unwrap();
    for (i, level) in ["-O0", "-O2"].iter().enumerate() {
        dir.run("gcc", &["-S", "-masm=intel", level, "t.c", "-o", "t.s"]);
        let source = std::fs::read_to_string(dir.0.join("t.s")).unwrap();
        compare(&format!("intel{i}"), &source);
    }
}

#[test]
fn directives() {
    compare("directives", include_str!("directives.s"));
}
