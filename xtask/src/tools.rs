//! What every task needs: the root, the compiler under test, running things with a limit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The root of the workspace: where cargo runs this, or else where it was built.
pub fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask/ is in the root").to_path_buf()
}

/// The value after `name`, if it was given.
pub fn option(arguments: &[String], name: &str) -> Option<String> {
    arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1)).cloned()
}

/// Whether the flag was given.
pub fn flag(arguments: &[String], name: &str) -> bool {
    arguments.iter().any(|a| a == name)
}

/// Options of the tasks that take no value.
const WITHOUT_VALUE: &[&str] =
    &["--run", "--list", "--table", "--keep", "--only-paths", "--all", "--open", "--predictors"];

/// Arguments that are neither options nor their values.
pub fn names(arguments: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut i = 0;
    while i < arguments.len() {
        if WITHOUT_VALUE.contains(&arguments[i].as_str()) {
            i += 1;
        } else if arguments[i].starts_with("--") {
            i += 2;
        } else {
            names.push(arguments[i].clone());
            i += 1;
        }
    }
    names
}

/// Run cargo in the root; an error names what failed.
pub fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(arguments).envs(environment.iter().copied()).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {}: {status}", arguments.join(" "))),
        Err(e) => Err(format!("cargo: {e}")),
    }
}

/// Build the optimised compiler and give its path; `TCC_RS` names another one.
pub fn compiler() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("TCC_RS") {
        return Ok(PathBuf::from(path));
    }
    cargo(&["build", "--release", "-p", "tcc-rs"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/tcc-rs"))
}

/// Whether a program is in `PATH`.
pub fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|d| d.join(program).is_file())
}

/// What a process did.
pub struct Outcome {
    /// Exit status, 128 plus the signal, or `None` for one that was stopped at the limit.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Outcome {
    /// Ended with status 0.
    pub fn ok(&self) -> bool {
        self.status == Some(0)
    }
}

/// Run to the end or to a limit.
pub fn run(command: &mut Command, limit: Duration) -> Result<Outcome, String> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    let (mut stdout, mut stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let out = std::thread::spawn(move || slurp(&mut stdout));
    let err = std::thread::spawn(move || slurp(&mut stderr));
    let status = loop {
        use std::os::unix::process::ExitStatusExt;
        if let Some(s) = child.try_wait().map_err(|e| e.to_string())? {
            break s.code().or_else(|| s.signal().map(|n| 128 + n));
        }
        if start.elapsed() > limit {
            // If it leads a process group, what it has started ends too, and closes the pipes.
            drop(
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status(),
            );
            drop(child.kill());
            drop(child.wait());
            break None;
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    Ok(Outcome { status, stdout: out.join().unwrap_or_default(), stderr: err.join().unwrap_or_default() })
}

/// CPU time of processes, in user and in kernel mode.
pub struct CpuTime {
    /// In the program and its libraries.
    pub user: Duration,
    /// In the kernel on its behalf.
    pub system: Duration,
}

/// What all children that have ended and been waited for used, and theirs (POSIX `getrusage`,
/// `RUSAGE_CHILDREN`). The difference around `run` is that of one process as long as no other ends
/// meanwhile.
pub fn cpu_time_of_children() -> CpuTime {
    /// The beginning of `struct rusage` on 64-bit Linux, the rest unnamed.
    #[repr(C)]
    struct Usage {
        user: [i64; 2],
        system: [i64; 2],
        rest: [i64; 14],
    }
    const RUSAGE_CHILDREN: i32 = -1;
    unsafe extern "C" {
        fn getrusage(who: i32, usage: *mut Usage) -> i32;
    }
    let mut usage = Usage { user: [0; 2], system: [0; 2], rest: [0; 14] };
    // SAFETY: `usage` is a live object with the size and layout of the C library's `struct rusage`.
    let status = unsafe { getrusage(RUSAGE_CHILDREN, &raw mut usage) };
    assert_eq!(status, 0, "getrusage knows RUSAGE_CHILDREN");
    let duration = |[seconds, micros]: [i64; 2]| {
        Duration::from_secs(seconds.unsigned_abs()) + Duration::from_micros(micros.unsigned_abs())
    };
    CpuTime { user: duration(usage.user), system: duration(usage.system) }
}

fn slurp(from: &mut dyn Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    drop(from.read_to_end(&mut bytes));
    bytes
}

/// A directory for a task's files, under the target directory, emptied.
pub fn work_dir(name: &str) -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let dir = target.join("xtask").join(name);
    drop(std::fs::remove_dir_all(&dir));
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    Ok(dir)
}

/// `--sample N`: about every Nth of these files, chosen by name (FNV-1a), so that a new file leaves
/// the others in their places. All of them without it.
pub fn sampled(files: Vec<PathBuf>, arguments: &[String]) -> Vec<PathBuf> {
    let step = option(arguments, "--sample").and_then(|n| n.parse::<u64>().ok()).filter(|n| *n > 0).unwrap_or(1);
    let is_chosen = |f: &PathBuf| {
        let name = f.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (fnv1a(name.as_bytes()) >> 20).is_multiple_of(step)
    };
    files.into_iter().filter(is_chosen).collect()
}

/// FNV-1a of 64 bits, for names of what belongs to a text.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// All files below a directory with this extension, sorted.
pub fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}
