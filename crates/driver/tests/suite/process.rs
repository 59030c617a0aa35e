//! Running compilers and the programs they make, with a limit on time.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// No case needs longer, not even on a loaded machine with a debug build of the compiler.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// What a process did.
pub struct Outcome {
    /// Exit status, or 128 plus the signal, as a shell says it.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The compiler under test.
pub fn compiler() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tcc-rs"))
}

/// Run to the end or to the limit.
pub fn run(command: &mut Command) -> Result<Outcome, String> {
    let shown = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("LC_ALL", "C")
        // `run` keeps nothing, but where a case says so.
        .env("XDG_CACHE_HOME", "/dev/null")
        .spawn()
        .map_err(|e| format!("{shown}: {e}"))?;
    let mut stdout = child.stdout.take().expect("was asked for");
    let mut stderr = child.stderr.take().expect("was asked for");
    let out = std::thread::spawn(move || slurp(&mut stdout));
    let err = std::thread::spawn(move || slurp(&mut stderr));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if start.elapsed() > TIME_LIMIT {
            drop(child.kill());
            drop(child.wait());
            return Err(format!("{shown}: longer than {} s", TIME_LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    use std::os::unix::process::ExitStatusExt;
    let status = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(Outcome { status, stdout: out.join().unwrap_or_default(), stderr: err.join().unwrap_or_default() })
}

fn slurp(from: &mut dyn Read) -> String {
    let mut bytes = Vec::new();
    drop(from.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Run a compiler; its messages are the error.
pub fn compile<S: AsRef<OsStr>>(compiler: &Path, arguments: impl IntoIterator<Item = S>) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(arguments);
    let outcome = run(&mut command)?;
    if outcome.status == 0 {
        Ok(())
    } else {
        Err(format!("{command:?}: status {}\n{}", outcome.status, outcome.stderr))
    }
}

/// A directory for one case, removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Make one under cargo's directory for tests.
    pub fn new(name: &str) -> Scratch {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let unique = format!("{name}-{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(unique);
        std::fs::create_dir_all(&path).expect("cargo's directory for tests can be written");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Whether golden files are to be rewritten.
pub fn blessing() -> bool {
    std::env::var_os("TCC_RS_BLESS").is_some_and(|v| v != "0")
}

/// Compare with a golden file, or rewrite it.
pub fn golden(path: &Path, actual: &str) -> Result<(), String> {
    if blessing() {
        return std::fs::write(path, actual).map_err(|e| format!("{}: {e}", path.display()));
    }
    let expected = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if expected == actual { Ok(()) } else { Err(difference(&expected, actual)) }
}

/// The first line that differs, with a little around it.
pub fn difference(expected: &str, actual: &str) -> String {
    let (e, a): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let first = e.iter().zip(&a).take_while(|(x, y)| x == y).count();
    let show = |lines: &[&str]| lines.iter().skip(first).take(5).map(|l| format!("    {l}\n")).collect::<String>();
    format!("from line {}:\n  expected\n{}  got\n{}", first + 1, show(&e), show(&a))
}
