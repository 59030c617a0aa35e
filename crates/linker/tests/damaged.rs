//! Damaged inputs: whatever is cut off or changed in an object, an archive or a shared library, a
//! link comes to an end without a panic. The damage is the same in every run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const OBJECT: &str = "
    __attribute__((weak)) int weak(void);
    _Thread_local int per_thread = 1;
    extern int variable;
    int library(int);
    static int chosen(void) { return 1; }
    static void *choose(void) { return chosen; }
    int indirect(void) __attribute__((ifunc(\"choose\")));
    __attribute__((constructor(200))) static void first(void) { per_thread++; }
    int *where[2] = {&variable};
    int from_archive(void);
    void _start(void) { library(variable + indirect() + from_archive() + per_thread + (weak ? 1 : 0)); }
";
const LIBRARY: &str =
    "int variable = 3; int library(int x) { return x; } int again(void) { return library(variable); }";
const MEMBER: &str = "__thread int other; int from_archive(void) { return other; }";

/// A link may take so long on a busy machine; it takes about a millisecond.
const LIMIT: Duration = Duration::from_secs(20);

static PANICS: AtomicUsize = AtomicUsize::new(0);

fn run(folder: &Path, line: &[&str]) {
    let status = Command::new(line[0]).args(&line[1..]).current_dir(folder).status();
    assert!(status.is_ok_and(|status| status.success()), "{line:?}");
}

/// The inputs of a link that has a bit of everything.
fn build() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tcc-rs-linker-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    for (name, text) in [("object.c", OBJECT), ("library.c", LIBRARY), ("member.c", MEMBER)] {
        std::fs::write(folder.join(name), text).expect("a temporary file");
    }
    run(&folder, &["gcc", "-g", "-O1", "-fPIC", "-ffunction-sections", "-c", "object.c", "member.c"]);
    run(&folder, &["gcc", "-fPIC", "-shared", "-nostdlib", "library.c", "-o", "library.so"]);
    run(&folder, &["ar", "rcs", "archive.a", "member.o"]);
    folder
}

fn link(folder: &Path, options: &[&str], damaged: &str, bytes: Vec<u8>) -> Result<Vec<u8>, linker::Declined> {
    let mut line: Vec<OsString> = options.iter().map(OsString::from).collect();
    for name in ["object.o", "archive.a", "library.so"] {
        line.push(folder.join(name).into());
    }
    let bytes: std::sync::Arc<[u8]> = bytes.into();
    let damaged = folder.join(damaged);
    let start = Instant::now();
    let result = linker::link(&line, &|path| (path == damaged).then(|| bytes.clone()));
    assert!(start.elapsed() < LIMIT, "a link without an end");
    result
}

const PROGRAM: &[&str] = &["-pie", "-dynamic-linker", "/lib64/ld-linux-x86-64.so.2", "--eh-frame-hdr", "--gc-sections"];
const SHARED: &[&str] = &["-shared", "-s"];

#[test]
fn a_link_of_damaged_files_ends() {
    let folder = build();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_linker = info.location().is_some_and(|place| !place.file().contains("tests/damaged.rs"));
        // The first ones say where to look.
        if !is_linker || PANICS.fetch_add(1, Ordering::Relaxed) < 3 {
            hook(info);
        }
    }));
    let (mut done, mut declined) = (0, 0);
    for options in [PROGRAM, SHARED] {
        for name in ["object.o", "archive.a", "library.so"] {
            let whole = std::fs::read(folder.join(name)).expect("it was built");
            let undamaged = link(&folder, options, name, whole.clone());
            assert!(undamaged.is_ok(), "{options:?}: {undamaged:?}");
            let mut count = |bytes: Vec<u8>| {
                done += 1;
                declined += usize::from(link(&folder, options, name, bytes).is_err());
            };
            for length in (0..whole.len()).step_by(97) {
                count(whole[..length].to_vec());
            }
            // A small generator (Numerical Recipes' constants): all bits of the headers, many of
            // the rest.
            let mut state = 1u32;
            for i in 0..2500 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let mut bytes = whole.clone();
                let at = if i < 1024 { i / 8 } else { (state >> 8) as usize % whole.len() };
                match i % 3 {
                    0 => bytes[at] = 0xff,
                    1 => bytes[at] = 0,
                    _ => bytes[at] ^= 1 << (state % 8),
                }
                count(bytes);
            }
            for i in 0..512 {
                let mut bytes = whole.clone();
                bytes[i / 8 % whole.len()] ^= 1 << (i % 8);
                count(bytes);
            }
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    assert!(declined > done / 20 && declined < done, "{declined} of {done} were declined");
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "links that panicked");
}
