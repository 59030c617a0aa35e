//! Whole assembly files against GNU `as`: compilers' output and hand-written
//! sources must give the same section contents and the same relocations.

mod common;

use assembler::{Debug, Options, assemble};
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

/// The line table is laid out differently than by `as`, everything else is the same; gdb's view of
/// it counts.
#[test]
fn debug_output() {
    let dir = Dir::new("debug");
    std::fs::write(dir.0.join("t.c"), PROGRAM).unwrap();
    for level in ["-O0", "-O2"] {
        dir.run("gcc", &["-S", "-g", level, "t.c", "-o", "t.s"]);
        let source = std::fs::read_to_string(dir.0.join("t.s")).unwrap();
        dir.run("as", &["--gdwarf-5", "t.s", "-o", "theirs.o"]);
        let object = assemble(&source, &Options { file: "t.s".into(), ..Options::default() }).unwrap();
        std::fs::write(dir.0.join("ours.o"), object.write().unwrap()).unwrap();
        let rows = |file: &str| -> Vec<String> {
            let text = dir.run("objdump", &["--dwarf=decodedline", file]);
            let rows = text.lines().filter(|l| l.contains(" 0x") || l.split_whitespace().nth(2) == Some("0"));
            // File, line, address; views and ends of sequences are up to the writer.
            rows.map(|l| l.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
                .filter(|l| !l.contains(" - "))
                .collect()
        };
        assert_eq!(rows("ours.o"), rows("theirs.o"), "{level}");
        let (ours, theirs) = (contents(&dir, "ours.o"), contents(&dir, "theirs.o"));
        for section in [".text", ".debug_info", ".debug_abbrev", ".debug_loclists", ".debug_str"] {
            assert_eq!(ours.get(section), theirs.get(section), "{level} {section}");
        }
    }
}

/// `-g` of a source without lines of its own: the same rows, ranges and functions as those of `as`.
#[test]
fn lines_of_instructions() {
    let one_section = "f:\tnop\n\tmov %eax, %ebx\n\t.macro two\n\tnop\n\tret\n\t.endm\n\ttwo; hlt\n\
        \t.globl f\n\t.type f, @function\n\t.size f, .-f\n\t.data\n\t.long 1\n";
    let two_sections = format!(
        "{one_section}\t.section .text.other, \"ax\"\n# 7 \"dir/in\\\"cluded.h\"\n\t.type g, @function\n\
        g:\tjmp f\n\t.p2align 4\n\tret\n\t.size g, .-g\n"
    );
    let own_lines = format!("{one_section}\t.file 1 \"own.c\"\n\t.text\n\t.loc 1 3\n\tnop\n");
    for (name, source) in [("one", one_section), ("two", &two_sections), ("own", &own_lines)] {
        let dir = Dir::new(&format!("lines-{name}"));
        std::fs::write(dir.0.join("t.s"), source).unwrap();
        dir.run("as", &["-g", "--gdwarf-5", "t.s", "-o", "theirs.o"]);
        let debug = Some(Debug { directory: "/somewhere".into(), producer: "p\"1\"".into() });
        let object = assemble(source, &Options { file: "t.s".into(), debug, ..Options::default() }).unwrap();
        std::fs::write(dir.0.join("ours.o"), object.write().unwrap()).unwrap();
        let rows = |file: &str| -> Vec<String> {
            let text = dir.run("objdump", &["--dwarf=decodedline", file]);
            let words = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>());
            let rows = words.filter(|w| w.len() > 2 && w[1].parse::<u32>().is_ok());
            rows.map(|w| format!("{} {} {}", w[0].rsplit('/').next().unwrap_or(""), w[1], w[2])).collect()
        };
        assert_eq!(rows("ours.o"), rows("theirs.o"), "{name}");
        assert!(!rows("ours.o").is_empty());
        // Functions, and the ranges of the unit.
        let entries = |file: &str| -> Vec<String> {
            let text = dir.run("readelf", &["--debug-dump=info,aranges", file]);
            let wanted = ["DW_TAG_subprogram", "DW_AT_external", "DW_AT_high_pc", "00000000000"];
            let lines = text.lines().filter(|l| wanted.iter().any(|w| l.contains(w)));
            let last = |l: &str| l.rsplit([' ', '\t']).next().unwrap_or("").trim_start_matches("0x").to_string();
            let value = |l: &str| u64::from_str_radix(&last(l), 16).map_or_else(|_| last(l), |n| n.to_string());
            lines.map(|l| if l.contains("high_pc") { "size".into() } else { value(l) }).collect()
        };
        if name != "own" {
            assert_eq!(entries("ours.o"), entries("theirs.o"), "{name}");
        }
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

#[test]
fn rare_directives() {
    compare("rare_directives", include_str!("rare_directives.s"));
}

#[test]
fn code_sizes() {
    compare("code_sizes", include_str!("code_sizes.s"));
    // The size at the end of the source chooses the no-ops.
    compare("code_size_at_end", ".code16\nnop\n.p2align 5\nnop\n.p2align 8\nret\n.p2align 2\n");
}

/// Padding of every length around the one from which it is jumped over.
#[test]
fn paddings() {
    let mut source = String::new();
    for length in (1..12).chain(70..100).chain(200..204) {
        source += &format!(".p2align 8\n.fill {}, 1, 0xcc\n.p2align 8\nret\n", 256 - length);
    }
    compare("paddings", &source);
}

/// Branches across alignments, near the limit of the short form: which of them grow depends on the
/// order of decisions.
#[test]
fn branches_and_alignments() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for program in 0..40 {
        let mut source = String::new();
        let labels = 60 + 10 * program;
        for label in 0..labels {
            source += &format!(".L{label}:\n.fill {}, 1, 0x90\n", random(10 + program));
            // Some jump over padding alone, after much code without branches and many that grow.
            let over = random(8) == 0;
            if over {
                source += ".fill 400, 1, 0x90\n";
            }
            if random(3) == 0 {
                source += &format!(".p2align {}\n", 4 + random(3));
            }
            let distance = if over { 1 } else { random(25) as i64 - 12 };
            let target = (label as i64 + distance).clamp(0, labels as i64 - 1);
            source += &format!("{} .L{target}\n", ["jmp", "je", "jb"][random(3) as usize]);
            if over {
                source += ".p2align 5\n";
            }
        }
        compare(&format!("branches{program}"), &source);
    }
}

/// Spellings that have more than one encoding, in both syntaxes.
#[test]
fn rare_spellings() {
    compare("rare", include_str!("spellings.s"));
}

/// All `.s` files of the directory named by `TCC_RS_ASM_DIR`, for runs over larger collections.
#[test]
fn directory_of_sources() {
    let Some(dir) = std::env::var_os("TCC_RS_ASM_DIR") else { return };
    let mut failed = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "s") {
            count += 1;
            let source = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if let Err(panic) = std::panic::catch_unwind(|| compare(&name, &source)) {
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                failed.push(format!("{name}: {}", text.lines().take(3).collect::<Vec<_>>().join(" | ")));
            }
        }
    }
    println!("{} of {count} files differ", failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
