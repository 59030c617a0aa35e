//! Every reader of files that are not sources, given files that are broken: objects, archives and
//! shared objects by the linker and by `run`, linker and version scripts, response files,
//! precompiled headers, profiles and spec files.
//!
//! The good files are made by the compiler when a case begins; each is broken in one to eight
//! places at random (bits, fields of sizes and offsets, missing, repeated and moved parts) and
//! read. Whatever is wrong with a file, the answer is a message or success within a time: no
//! internal error, no signal, no gigabytes of memory. `TCC_RS_READERS=SECONDS` gives each reader so
//! long with random seeds (else a few dozen of files, always the same ones), and keeps findings in
//! the target folder.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, UNIX_EPOCH};

use libtest_mimic::{Failed, Trial};

use crate::process::{self, Scratch, compiler};

/// Files that each reader gets in the suite.
const FILES: u32 = 40;

/// Kilobytes of memory in use that no small file is a reason for.
const MEMORY: &str = "1500000";

/// No small file needs longer, on a busy machine with a debug build.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What is read: name, the file that is broken, arguments of the compiler.
struct Reader {
    name: &'static str,
    file: &'static str,
    arguments: &'static str,
}

const fn reader(name: &'static str, file: &'static str, arguments: &'static str) -> Reader {
    Reader { name, file, arguments }
}

const STATIC: &str = "-nostdlib -static -fuse-ld=plain -Wl,--gc-sections start.o unit.o -o out";
const READERS: &[Reader] = &[
    reader("object", "unit.o", STATIC),
    reader("position_independent", "pic.o", "-nostdlib -shared -fuse-ld=plain pic.o -o out"),
    reader("lto", "lto.o", "-nostdlib -static -flto -fuse-ld=plain start.o lto.o -o out"),
    reader("archive", "libunit.a", "-nostdlib -static -fuse-ld=plain start.o libunit.a -o out"),
    reader("shared", "libunit.so", "-nostdlib -fuse-ld=plain start.o libunit.so -o out"),
    reader("linker_script", "in.ld", "-nostdlib -fuse-ld=plain start.o in.ld -o out"),
    reader(
        "version_script",
        "names.map",
        "-nostdlib -shared -fuse-ld=plain pic.o -Wl,--version-script=names.map -o out",
    ),
    reader("response", "options.txt", "@options.txt"),
    reader("precompiled", "part.h.gch", "-c unit.c -o out.o"),
    reader("profile", "unit.gcda", "-O2 -fprofile-use=unit.gcda -c unit.c -o out.o"),
    reader("specs", "own.specs", "-specs=own.specs -c unit.c -o out.o"),
    reader("run", "unit.o", "run unit.o main.c"),
];

/// What all of them need.
const SOURCES: &[(&str, &str)] = &[
    (
        "part.h",
        "#define STEPS 4\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct item { int key; double weight; };\n\
         typedef enum { FIRST, LAST = 5 } kind;\nint total(const struct item *items, int n);\n\
         static inline int twice(int x) { return 2 * x; }\n",
    ),
    (
        "unit.c",
        "#include \"part.h\"\nstatic const char *names[] = { \"one\", \"two\" };\nint shared = LAST, zero[4];\n\
         __thread int own = 1;\n__attribute__((weak)) int soft(void) { return 1; }\n\
         static void __attribute__((constructor)) begin(void) { shared++; }\n\
         int total(const struct item *items, int n)\n{\n    int sum = names[n & 1][0];\n\
         for (int i = 0; i < n * STEPS; i++) sum += MAX(items[i].key, own) + twice(i);\n\
         switch (n) { case 1: return sum; case 2: return 7; case 3: return soft(); case 4: return 9; }\n\
         return sum;\n}\n",
    ),
    (
        "start.c",
        "extern int total(void *, int), shared, soft(void);\nint items[8];\n\
         void _start(void) { shared = total(items, 1) + soft(); for (;;); }\n",
    ),
    ("main.c", "int total(void *, int);\nint main(void) { long items[8] = { 1 }; return total(items, 2) != 7; }\n"),
    ("in.ld", "/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( libunit.a AS_NEEDED ( libunit.so ) )\n"),
    ("names.map", "FIRST_1 {\n  global: total; sh*;\n  local: *;\n};\nSECOND_2 { global: soft; } FIRST_1;\n"),
    ("options.txt", "-O2 -DX=\"a b\" '-DY=1' -c \\unit.c\n-I. -o out.o\n"),
    ("own.specs", "*cc1:\n+ %{O2:-DX} %{!g:-DY}\n\n*self_spec:\n+ %{m32:-DZ;:-DV}\n\n%rename cc1 old\n*cc1:\n%(old)\n"),
];

/// How the good files are made.
const COMMANDS: &[&str] = &[
    "-g -O1 -c unit.c start.c",
    "-flto -O2 -c unit.c -o lto.o",
    "-fPIC -O1 -c unit.c -o pic.o",
    "-shared -fPIC unit.c -o libunit.so",
    "-O1 --coverage unit.c main.c -o counted",
    "-x c-header part.h -o part.h.gch",
];

/// A case for each reader.
pub fn trials() -> Vec<Trial> {
    let case = |reader: &'static Reader| {
        Trial::test(format!("readers::{}", reader.name), move || run(reader).map_err(Failed::from))
    };
    READERS.iter().map(case).collect()
}

fn run(reader: &Reader) -> Result<(), String> {
    let scratch = Scratch::new("readers");
    let folder = &scratch.0;
    prepare(folder)?;
    let path = folder.join(reader.file);
    let good = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    read(reader, folder).and_then(|status| if status == 0 { Ok(()) } else { Err(format!("status {status}")) })?;
    let seconds = std::env::var("TCC_RS_READERS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let now = UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
    let mut random = Random(if seconds.is_some() { now } else { 1 });
    let is_text = good.is_ascii();
    let (start, mut count) = (Instant::now(), 0);
    let mut findings: Vec<String> = Vec::new();
    while seconds.map_or(count < FILES, |limit| start.elapsed() < limit) {
        count += 1;
        let bad = if is_text { random.broken_text(&good) } else { random.broken(&good) };
        std::fs::write(&path, &bad).map_err(|e| format!("{}: {e}", path.display()))?;
        if let Err(finding) = read(reader, folder)
            && !findings.contains(&finding)
        {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", reader.name, findings.len()));
            std::fs::write(&kept, &bad).map_err(|e| format!("{}: {e}", kept.display()))?;
            eprintln!("{}: {finding}", kept.display());
            findings.push(finding);
        }
    }
    if seconds.is_some() {
        eprintln!("{}: {count} files, {} findings", reader.name, findings.len());
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

fn prepare(folder: &Path) -> Result<(), String> {
    for (name, text) in SOURCES {
        std::fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))?;
    }
    for command in COMMANDS {
        let mut compile = Command::new(compiler());
        let done = process::run(compile.args(command.split(' ')).current_dir(folder))?;
        if done.status != 0 {
            return Err(format!("{command}: {}", done.stderr));
        }
    }
    drop(process::run(Command::new(folder.join("counted")).current_dir(folder))?);
    let counts = std::fs::rename(folder.join("counted-unit.gcda"), folder.join("unit.gcda"));
    counts.map_err(|e| format!("the profile: {e}"))?;
    let members: Result<Vec<_>, _> = ["unit.o", "pic.o"]
        .map(|name| std::fs::read(folder.join(name)).map(|bytes| (name, bytes)))
        .into_iter()
        .collect();
    std::fs::write(folder.join("libunit.a"), archive(&members.map_err(|e| e.to_string())?)).map_err(|e| e.to_string())
}

/// An archive with an index of one name.
fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    let mut member = |name: &str, bytes: &[u8]| {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len());
        out.extend(header.bytes().chain(bytes.iter().copied()));
        out.resize(out.len().next_multiple_of(2), b'\n');
    };
    let index: Vec<u8> = [1u32, 82].iter().flat_map(|n| n.to_be_bytes()).chain(*b"total\0").collect();
    member("/", &index);
    members.iter().for_each(|(name, bytes)| member(&format!("{name}/"), bytes));
    out
}

/// Its status; what it did that it must not is the error.
fn read(reader: &Reader, folder: &Path) -> Result<i32, String> {
    let mut command = Command::new("sh");
    // What is in use is limited, not what is reserved.
    let script = format!("ulimit -c 0; ulimit -d {MEMORY} 2>/dev/null; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(compiler()).args(reader.arguments.split(' ')).current_dir(folder);
    let start = Instant::now();
    let done = process::run(&mut command)?;
    let fault = done.stderr.lines().find(|line| {
        ["panicked", "internal compiler error", "overflowed its stack", "memory allocation"]
            .iter()
            .any(|text| line.contains(text))
    });
    if let Some(line) = fault {
        return Err(line.to_string());
    }
    // The broken program itself may crash.
    if done.status >= 128 && reader.name != "run" {
        return Err(format!("status {}", done.status));
    }
    if start.elapsed() > TIME_LIMIT { Err("too long".to_string()) } else { Ok(done.status) }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn places(&mut self) -> usize {
        self.one_of(&[1, 1, 1, 2, 2, 4, 8])
    }

    /// A part of the bytes.
    fn part(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len());
        start..(start + self.one_of(&[1, 2, 4, 8, 16, 24, 64, 200])).min(bytes.len())
    }

    /// A number that sizes, offsets and indices may be wrong by.
    fn number(&mut self, length: usize) -> u64 {
        let length = length as u64;
        let small = self.next() % 64;
        let inside = self.next() % length.max(1);
        self.one_of(&[
            0,
            1,
            small,
            inside,
            length,
            length.saturating_sub(1),
            3 * length,
            0x7fff_ffff,
            1 << 31,
            u64::from(u32::MAX),
        ])
        .wrapping_mul(self.one_of(&[1, 1, 1, u64::MAX, 1 << 32]))
    }

    fn broken(&mut self, good: &[u8]) -> Vec<u8> {
        let mut bytes = good.to_vec();
        for _ in 0..self.places() {
            let at = self.below(bytes.len());
            match self.below(8) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = self.one_of(&[0, 1, 0x7f, 0x80, 0xff]),
                kind @ 2..=4 => {
                    let size = self.one_of(&[2, 4, 8, 8]);
                    // Headers of sections stand at the end.
                    let from = if kind == 4 { bytes.len().saturating_sub(3000) } else { 0 };
                    let at = (from + self.below(bytes.len() - from)) / size * size;
                    let number = self.number(bytes.len()).to_le_bytes();
                    bytes.iter_mut().skip(at).zip(&number[..size]).for_each(|(byte, new)| *byte = *new);
                }
                5 => {
                    let part = if self.below(4) == 0 { at..bytes.len() } else { self.part(&bytes) };
                    drop(bytes.drain(part));
                }
                6 => {
                    let part = bytes[self.part(&bytes)].to_vec();
                    drop(bytes.splice(at..at, part));
                }
                _ => {
                    let part = bytes[self.part(&bytes)].to_vec();
                    let end = (at + part.len()).min(bytes.len());
                    drop(bytes.splice(at..end, part));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        bytes
    }

    fn broken_text(&mut self, good: &[u8]) -> Vec<u8> {
        let mut words: Vec<Vec<u8>> = good.split(|&b| b == b' ').map(<[u8]>::to_vec).collect();
        for _ in 0..self.places() {
            let at = self.below(words.len());
            match self.below(6) {
                0 => words[at] = self.broken(&[&words[at][..], b" "].concat()),
                1 => drop(words.remove(at)),
                2 => words.extend(vec![words[at].clone(); self.one_of(&[1, 2, 40])]),
                3 => {
                    let half = words[at].len() / 2;
                    words[at].truncate(half);
                }
                4 => words.insert(at, words[self.below(words.len())].clone()),
                _ => {
                    let odd: &[&[u8]] = &[b"(", b")", b"{", b"}", b"\"", b"'", b"\\", b"/*", b"%{", b"%(", b"*", b"\n"];
                    words[at].extend(self.one_of(odd));
                }
            }
            if words.is_empty() {
                break;
            }
        }
        words.join(&b' ')
    }
}
