//! libwild, the linker in this process.
//!
//! It is used where it agrees with GNU ld; the options it does not have, or gives another meaning, go to the system's `ld`
//! ([`understands`]). A damaged object can make it panic or never end: panics are caught, and what comes from outside is linked
//! in a thread of its own, which is given up after a time.

use std::ffi::OsString;
use std::sync::mpsc;
use std::time::Duration;

/// A link that takes longer than this is handed to `ld`; the largest programs take libwild seconds.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Below this many bytes of input the link runs on one thread.
const SMALL: u64 = 4 << 20;

/// Options that only `ld` handles, compared with what stands before a `=`.
const FOR_LD: &[&str] = &[
    "-Map",
    "--Map",
    "-M",
    "--print-map",
    "--cref",
    "-y",
    "--trace-symbol",
    "-t",
    "--trace",
    "--emit-relocs",
    "-q",
    "-b",
    "--format",
    "--oformat",
    "--omagic",
    "-N",
    "-n",
    "--nmagic",
    "-d",
    "-i",
    "--image-base",
    "-init",
    "-fini",
    "--just-symbols",
    "-R",
    "--warn-common",
    "--print-memory-usage",
    "--orphan-handling",
    "-T",
    "--script",
    "--help",
    "--version",
    "-v",
    "-V",
    "--verbose",
    "--target-help",
    "--dump-file",
    "--print-gc-sections",
    "--stats",
    "--split-by-file",
    "--split-by-reloc",
    "--sort-section",
    "-Ttext",
    "-Tdata",
    "-Tbss",
    "--section-start",
    "-dT",
    "--default-script",
    "--print-sysroot",
    "-c",
    "--mri-script",
    "-A",
    "-dp",
    "--plugin",
    "-plugin",
    "-assert",
    "-EL",
    "-EB",
    "--wrap-all",
    "--no-define-common",
    "--retain-symbols-file",
    "-ur",
];

/// Whether the line may go to libwild.
pub fn understands(arguments: &[OsString]) -> bool {
    arguments.iter().all(|argument| match argument.to_str() {
        None => false,
        Some(text) => {
            let name = text.split('=').next().unwrap_or(text);
            !FOR_LD.contains(&name) && !text.starts_with("@")
        }
    })
}

/// How it went.
pub enum Outcome {
    /// The output is there.
    Done,
    /// What it said.
    Failed(String),
}

/// Link. Warnings are dropped: when something matters, `ld` is asked and says it in its own words. With `trusted`, all inputs
/// are this program's or the system's: nothing stands to be given up after a time.
pub fn link(arguments: &[OsString], trusted: bool) -> Outcome {
    let mut line: Vec<String> = vec!["ld".into()];
    line.extend(arguments.iter().map(|a| a.to_string_lossy().into_owned()));
    line.push("--no-fork".into());
    let guarded = move || std::panic::catch_unwind(move || run(&line));
    if trusted {
        return outcome(guarded());
    }
    let (sender, receiver) = mpsc::channel();
    // The receiver is gone when the time is up: the result no longer matters.
    let worker = move || drop(sender.send(guarded()));
    if std::thread::Builder::new().name("link".into()).stack_size(64 << 20).spawn(worker).is_err() {
        return Outcome::Failed("cannot create a thread".into());
    }
    match receiver.recv_timeout(TIME_LIMIT) {
        Ok(result) => outcome(result),
        Err(_) => Outcome::Failed("the linker does not come to an end".into()),
    }
}

fn outcome(result: std::thread::Result<Result<(), String>>) -> Outcome {
    match result {
        Ok(Ok(())) => Outcome::Done,
        Ok(Err(message)) => Outcome::Failed(message),
        Err(_) => Outcome::Failed("the linker failed on these files".into()),
    }
}

fn run(line: &[String]) -> Result<(), String> {
    let text = |e: libwild::error::Error| e.to_string();
    let mut args = libwild::Args::new(|| line.iter()).map_err(text)?;
    args.on_warning(Box::new(|_| {}));
    args.parse(|| line.iter()).map_err(text)?;
    let explicit = line.iter().any(|a| a.trim_start_matches('-').starts_with("threads"));
    if explicit || input_size(line) > SMALL {
        return libwild::run(args).map_err(text);
    }
    // Most links are of a few small objects: starting threads for them takes longer than they save, and so does taking the
    // linker's data apart before the process ends.
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() else {
        // A thread can be in one pool only, and this one has linked before.
        return libwild::run(args).map_err(text);
    };
    let job = move || {
        let (linker, args) = (Box::leak(Box::new(libwild::Linker::new())), Box::leak(Box::new(args)));
        linker.run(args).map(std::mem::forget)
    };
    let result = pool.install(job).map_err(text);
    std::mem::forget(pool);
    result
}

/// Bytes of the files the line names; libraries looked for by name do not count.
fn input_size(line: &[String]) -> u64 {
    let file = |a: &String| std::fs::metadata(a).map_or(0, |m| m.len());
    line.iter().filter(|a| !a.starts_with('-')).map(file).sum()
}
