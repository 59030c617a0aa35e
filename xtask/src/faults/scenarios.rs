//! What is compiled, linked and run while something fails.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::UNIX_EPOCH;

/// A command line and the files that it needs.
pub struct Scenario {
    /// Its name on the command line and in findings.
    pub name: &'static str,
    /// Arguments of the compiler.
    arguments: &'static str,
    /// Commands that make what it needs, before, without faults: `tcc-rs` and programs in `PATH`.
    before: &'static [&'static str],
    /// How else the result may be made when something fails: more arguments.
    pub otherwise: &'static [&'static str],
    /// Whether it has several results, of which some may be there when others fail.
    pub has_parts: bool,
}

const fn scenario(name: &'static str, arguments: &'static str, before: &'static [&'static str]) -> Scenario {
    Scenario { name, arguments, before, otherwise: &[], has_parts: false }
}

/// A link by our own linker, for which `ld` may stand in.
const fn link(name: &'static str, arguments: &'static str, before: &'static [&'static str]) -> Scenario {
    Scenario { otherwise: &["-fuse-ld=bfd"], ..scenario(name, arguments, before) }
}

const fn parts(name: &'static str, arguments: &'static str) -> Scenario {
    Scenario { has_parts: true, ..scenario(name, arguments, &[]) }
}

/// What all scenarios may use: name, text.
const FILES: &[(&str, &str)] = &[
    (
        "part.h",
        "#ifndef STEPS\n#define STEPS 4\nstruct item { int key; double weight; };\nint total(const struct item *items, int n);\n#endif\n",
    ),
    (
        "unit.c",
        "#include \"part.h\"\n\
         static const char *names[] = { \"one\", \"two\" };\n\
         int total(const struct item *items, int n)\n\
         {\n    int sum = names[n & 1][0];\n    for (int i = 0; i < n * STEPS; i++)\n        sum += items[i].key;\n    return sum;\n}\n",
    ),
    (
        "main.c",
        "#include <stdio.h>\n#include \"part.h\"\n\
         int main(void)\n{\n    struct item items[STEPS] = { { 1, 2 }, { 3, 4 } };\n    return total(items, 1) + items[0].key != 121;\n}\n",
    ),
    ("sum.S", "#define NAME sum\n    .text\n    .globl NAME\nNAME:\n    leal (%rdi,%rsi), %eax\n    ret\n"),
    ("options.txt", "-O1 -g\n"),
    ("whole.c", "#include \"main.c\"\n#include \"unit.c\"\n"),
];

/// All scenarios.
pub const SCENARIOS: &[Scenario] = &[
    scenario("compile", "-O2 -c unit.c -o unit.o", &[]),
    parts("debug", "@options.txt -MD -c unit.c -o unit.o"),
    scenario("preprocess", "-E main.c -o main.i", &[]),
    scenario("assembly", "-O1 -S unit.c -o unit.s", &[]),
    scenario("assemble", "-c sum.S -o sum.o", &[]),
    parts("several", "-c unit.c main.c sum.S"),
    link("build", "-O2 main.c unit.c -o program", &[]),
    link("archive", "main.o libunit.a -o program", &["tcc-rs -c main.c unit.c", "ar rcD libunit.a unit.o"]),
    link("static", "-static main.o unit.o -o program", &["tcc-rs -c main.c unit.c"]),
    link("library", "-shared -fPIC -O1 unit.c -o libunit.so", &[]),
    Scenario {
        // Every object has the code without optimisation of the whole program, too.
        otherwise: &["-fuse-ld=bfd", "-fno-lto", "-fno-lto -fuse-ld=bfd"],
        ..scenario("lto", "-flto -O2 main.o unit.o -o program", &["tcc-rs -flto -O2 -c main.c unit.c"])
    },
    scenario("linker", "-r main.o unit.o -o both.o", &["tcc-rs -c main.c unit.c"]),
    scenario("header", "-x c-header part.h -o part.h.gch", &[]),
    scenario("precompiled", "-c unit.c -o unit.o", &["tcc-rs -x c-header part.h -o part.h.gch"]),
    scenario("run", "run whole.c", &[]),
    scenario("interpret", "interpret whole.c", &[]),
    scenario("explore", "explore unit.c -o unit.html", &[]),
];

impl Scenario {
    /// The arguments as words.
    pub fn arguments(&self) -> Vec<&str> {
        self.arguments.split_whitespace().collect()
    }

    /// Makes a folder with what the scenario needs, and an empty one for temporary files in it.
    ///
    /// # Errors
    /// What cannot be written or made.
    pub fn prepare(&self, folder: &Path, compiler: &Path) -> Result<(), String> {
        let temporary = folder.join("tmp");
        std::fs::create_dir_all(&temporary).map_err(|e| format!("{}: {e}", temporary.display()))?;
        for (name, text) in FILES {
            let path = folder.join(name);
            // Precompiled headers know the times of what they were made from.
            let written = std::fs::write(&path, text).and_then(|()| File::open(&path)?.set_modified(UNIX_EPOCH));
            written.map_err(|e| format!("{}: {e}", path.display()))?;
        }
        for line in self.before {
            let mut words = line.split_whitespace();
            let program = words.next().unwrap_or("");
            let program = if program == "tcc-rs" { compiler } else { Path::new(program) };
            let done = Command::new(program).args(words).current_dir(folder).output();
            let done = done.map_err(|e| format!("{}: {e}", program.display()))?;
            if !done.status.success() {
                return Err(format!("{line}: {}", String::from_utf8_lossy(&done.stderr)));
            }
        }
        Ok(())
    }
}
