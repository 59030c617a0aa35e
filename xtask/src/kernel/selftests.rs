//! `cargo xtask kernel --selftests`: programs of the kernel's own tests (kselftest) built by gcc and
//! by this compiler, run one after the other in the kernel that was built. What each says of its
//! parts, and its status, must be the same; what depends on the moment is given two more boots.

use super::{BOOT_LIMIT, INIT_DIRECTORIES, Kernel, pack, start};
use crate::report::Report;
use crate::tools::{compiler, run as run_process};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What the tests ask of a kernel, beside what boots.
pub const OPTIONS: [&str; 53] = [
    "SMP",
    "MULTIUSER",
    "SLUB",
    "POSIX_TIMERS",
    "HIGH_RES_TIMERS",
    "EPOLL",
    "SIGNALFD",
    "TIMERFD",
    "EVENTFD",
    "AIO",
    "ADVISE_SYSCALLS",
    "MEMBARRIER",
    "CHECKPOINT_RESTORE",
    "KCMP",
    "RSEQ",
    "SHMEM",
    "TMPFS",
    "SYSVIPC",
    "POSIX_MQUEUE",
    "NAMESPACES",
    "UTS_NS",
    "IPC_NS",
    "USER_NS",
    "PID_NS",
    "TIME_NS",
    "NET",
    "UNIX",
    "INET",
    "NET_NS",
    "SECCOMP",
    "SECCOMP_FILTER",
    "FHANDLE",
    "FILE_LOCKING",
    "INOTIFY_USER",
    "MEMFD_CREATE",
    "HUGETLBFS",
    "SYSCTL",
    "PROC_SYSCTL",
    "PROC_PAGE_MONITOR",
    "PROC_CHILDREN",
    "COREDUMP",
    "PERF_EVENTS",
    "MODIFY_LDT_SYSCALL",
    "X86_IOPL_IOPERM",
    "X86_VSYSCALL_EMULATION",
    "USERFAULTFD",
    "CROSS_MEMORY_ATTACH",
    "SWAP",
    "BUG",
    "KALLSYMS",
    "FUTEX_PI",
    "SECURITY",
    "UNIX98_PTYS",
];

/// Folders of the tests whose makefiles leave the source tree as it is, and that need nothing but a
/// processor and a C library (those that want libcap or libfuse are passed over without them).
const FOLDERS: [&str; 35] = [
    "breakpoints",
    "capabilities",
    "clone3",
    "core",
    "exec",
    "filesystems",
    "filesystems/epoll",
    "futex/functional",
    "ipc",
    "kcmp",
    "landlock",
    "membarrier",
    "memfd",
    "mincore",
    "mqueue",
    "nsfs",
    "openat2",
    "perf_events",
    "pid_namespace",
    "pidfd",
    "proc",
    "ptrace",
    "rlimits",
    "rseq",
    "sched",
    "seccomp",
    "sigaltstack",
    "size",
    "syscall_user_dispatch",
    "timens",
    "timers",
    "tmpfs",
    "vDSO",
    "x86",
    "sync",
];

/// Programs that measure for longer than a test may run.
const MEASURES: [&str; 3] =
    ["mqueue/mq_perf_tests", "seccomp/seccomp_benchmark", "syscall_user_dispatch/sud_benchmark"];

const OWN: &str = "tcc-rs";
const OTHER: &str = "gcc";

/// Seconds for the programs of one folder to be built, and for one of them to run.
const FOLDER_LIMIT: u64 = 600;
const TEST_LIMIT: u64 = 20;
/// The status of a program that ran longer.
const STOPPED: i32 = 137;
/// The status of a test that lacks something.
const SKIPPED: i32 = 4;

/// Without SMAP: far returns of programs read their stack as the kernel would in qemu 7.
const CPU: &str = "max,-smap";

/// Boots in which a test may be as with gcc.
const BOOTS: usize = 3;

/// Runs the tests of `/list` and prints what they say of their parts.
const INIT: &str = "#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm /dev/mqueue /dev/hugepages
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t mqueue mqueue /dev/mqueue
mount -t tmpfs tmpfs /tmp
dmesg -n 1
ifconfig lo up
while read compiler test; do
  cd /tests/$compiler/${test%/*}
  echo \"@ $compiler $test\"
  rm -f /tmp/said
  setsid timeout -s KILL LIMIT ./${test##*/} </dev/null >/tmp/said 2>&1 &
  wait $!
  echo \"@ status $?\"
  kill -KILL -$! 2>/dev/null
  grep -aE '^(not )?ok |^\\[(OK|FAIL|SKIP|PASS)\\]' /tmp/said
done </list
dmesg | grep -E 'BUG:|Oops|Call Trace' && echo COMPLAINTS
echo USERLAND DONE
reboot -f
";

/// A run of one program: its status, and its lines without numbers.
type Outcome = (i32, Vec<String>);

/// Builds the programs with both compilers, runs them and compares: those of all folders, or of
/// `only`, which are separated by commas.
pub fn run(kernel: &Kernel, only: Option<&str>) -> Result<Report, String> {
    let dir = kernel.dir.join("selftests");
    let wanted = |folder: &&str| only.is_none_or(|only| only.split(',').any(|name| name == *folder));
    let folders: Vec<&str> = FOLDERS.into_iter().filter(wanted).collect();
    let tests = build(kernel, &dir, &folders)?;
    if tests.is_empty() {
        return Err(format!("no tests; there are {}", FOLDERS.join(" ")));
    }
    let root = fill(&tests, &dir)?;
    let mut open: BTreeSet<String> = tests.iter().cloned().collect();
    let mut seen: BTreeMap<String, [BTreeSet<Outcome>; 2]> = BTreeMap::new();
    for round in 0..BOOTS {
        let list: String = open.iter().flat_map(|t| [format!("{OTHER} {t}\n"), format!("{OWN} {t}\n")]).collect();
        std::fs::write(root.join("list"), list).map_err(|e| e.to_string())?;
        let archive = dir.join("initramfs.gz");
        pack(&root, &archive)?;
        let limit = BOOT_LIMIT + 2 * TEST_LIMIT * open.len() as u64;
        let text = start(kernel, &archive, CPU, &format!("selftests-{round}.log"), limit)?;
        for (compiler, test, outcome) in outcomes(&text) {
            seen.entry(test).or_default()[usize::from(compiler == OWN)].insert(outcome);
        }
        open.retain(|test| seen.get(test).is_none_or(|[other, own]| own.is_disjoint(other)));
        if open.is_empty() {
            break;
        }
    }
    Ok(report(&tests, &open, &seen))
}

/// The programs that gcc builds, as `FOLDER/NAME`; those that this compiler does not are an error.
fn build(kernel: &Kernel, dir: &Path, folders: &[&str]) -> Result<Vec<String>, String> {
    let headers = dir.join("headers");
    std::fs::create_dir_all(&headers).map_err(|e| format!("{}: {e}", headers.display()))?;
    let mut make = Command::new("make");
    make.arg("-s").arg("-C").arg(&kernel.source).arg(format!("O={}", headers.display()));
    if !run_process(make.args(["HOSTCC=gcc", "headers"]), Duration::from_secs(FOLDER_LIMIT))?.ok() {
        return Err("make headers failed".to_string());
    }
    let mut tests = Vec::new();
    let mut lacking = Vec::new();
    for folder in folders {
        let mut built = Vec::new();
        for (name, compiler) in [(OTHER, OTHER.to_string()), (OWN, compiler()?.display().to_string())] {
            // What another state of the compiler built would stay.
            let output = dir.join(name).join(folder);
            drop(std::fs::remove_dir_all(&output));
            std::fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
            let goal = |goal: &str| {
                let mut make = Command::new("make");
                make.args(["-s", "-k", "-C"]).arg(kernel.source.join("tools/testing/selftests").join(folder));
                make.arg(format!("CC={compiler}")).arg(format!("OUTPUT={}", output.display())).arg("CAN_BUILD_I386=0");
                make.arg(format!("KHDR_INCLUDES=-isystem {}", headers.join("usr/include").display()));
                run_process(make.args(["LC_ALL=C", "COLLECTION=test", goal]), Duration::from_secs(FOLDER_LIMIT))
            };
            let said = goal("all")?;
            drop(std::fs::write(output.join("build.log"), [said.stdout, said.stderr].concat()));
            let names = String::from_utf8_lossy(&goal("emit_tests")?.stdout).into_owned();
            let programs = names.lines().filter_map(|line| line.strip_prefix("test:").map(str::to_string));
            built.push(programs.filter(|p| is_program(&output.join(p))).collect::<BTreeSet<String>>());
        }
        lacking.extend(built[0].difference(&built[1]).map(|program| format!("{folder}/{program}")));
        tests.extend(built[0].intersection(&built[1]).map(|program| format!("{folder}/{program}")));
    }
    tests.retain(|test| !MEASURES.contains(&test.as_str()));
    if lacking.is_empty() { Ok(tests) } else { Err(format!("{OWN} does not build {}", lacking.join(", "))) }
}

/// Whether a file is a 64-bit program; scripts and 32-bit code are not what is compared.
fn is_program(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF\x02"))
}

/// The tree of the first file system: busybox, the tests with what stands beside them, their shared
/// libraries where they are here.
fn fill(tests: &[String], dir: &Path) -> Result<PathBuf, String> {
    let root = dir.join("root");
    let message = |e: std::io::Error| format!("{}: {e}", root.display());
    if root.exists() {
        std::fs::remove_dir_all(&root).map_err(message)?;
    }
    std::fs::create_dir_all(root.join("tests")).map_err(message)?;
    std::fs::write(dir.join("init.sh"), INIT.replace("LIMIT", &TEST_LIMIT.to_string())).map_err(message)?;
    let mut script = format!(
        "set -e; cd {0}; mkdir -p {1} etc tmp; cp \"$(command -v busybox)\" bin/busybox; ln -s busybox bin/sh; \
         cp ../init.sh init; chmod 755 init; echo 'root:x:0:0:root:/:/bin/sh' >etc/passwd; \
         cp -a ../{OTHER} ../{OWN} tests/; ",
        root.display(),
        INIT_DIRECTORIES
    );
    script += "find tests -name build.log -delete; for library in $(ldd";
    for name in [OTHER, OWN] {
        tests.iter().for_each(|test| script += &format!(" tests/{name}/{test}"));
    }
    script += " 2>/dev/null | grep -o '/[^ ]*\\.so[^ ]*' | sort -u); do \
               mkdir -p .\"$(dirname $library)\"; cp -L $library .$library; done";
    let done = run_process(Command::new("sh").args(["-c", &script]), Duration::from_secs(120))?;
    if done.ok() { Ok(root) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

/// Compiler, test and outcome of each run in the text of a boot.
fn outcomes(text: &str) -> Vec<(String, String, Outcome)> {
    let mut all: Vec<(String, String, Outcome)> = Vec::new();
    let mut current = None;
    for line in text.lines().map(str::trim_end) {
        let words: Vec<&str> = line.split(' ').collect();
        match (&words[..], all.last_mut()) {
            (["@", "status", status], _) => {
                if let (Some((compiler, test)), Ok(status)) = (current.take(), status.parse()) {
                    all.push((compiler, test, (status, Vec::new())));
                }
            }
            (["@", compiler, test], _) => current = Some((compiler.to_string(), test.to_string())),
            // What a program that is stopped has come to is a matter of speed.
            (_, Some((_, _, (status, lines)))) if current.is_none() && *status != STOPPED => {
                if ["ok ", "not ok ", "["].iter().any(|start| line.starts_with(start)) {
                    lines.push(without_numbers(line));
                }
            }
            _ => {}
        }
    }
    all
}

/// A line with `#` in the place of each number: addresses, times and processes differ.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    let mut in_number = false;
    for c in line.chars() {
        let begins = c.is_ascii_digit() && !in_number;
        in_number = begins || in_number && (c.is_ascii_hexdigit() || c == 'x');
        match (begins, in_number) {
            (true, _) => out.push('#'),
            (false, false) => out.push(c),
            (false, true) => {}
        }
    }
    out
}

fn report(tests: &[String], open: &BTreeSet<String>, seen: &BTreeMap<String, [BTreeSet<Outcome>; 2]>) -> Report {
    let with = |wanted: &dyn Fn(i32) -> bool| {
        let same =
            |test: &&String| seen.get(*test).is_some_and(|[other, own]| other.intersection(own).any(|o| wanted(o.0)));
        tests.iter().filter(same).count()
    };
    let lines: usize = seen.values().filter_map(|[_, own]| own.iter().map(|(_, lines)| lines.len()).max()).sum();
    println!(
        "selftests: {} programs, {} as with gcc ({} pass, {} lack something, {} stopped after {TEST_LIMIT} s), {lines} parts",
        tests.len(),
        tests.len() - open.len(),
        with(&|status| status == 0),
        with(&|status| status == SKIPPED),
        with(&|status| status == STOPPED),
    );
    for test in open {
        println!("  {test}:");
        for (name, all) in [OTHER, OWN].iter().zip(seen.get(test).cloned().unwrap_or_default()) {
            for (status, lines) in all {
                let bad: Vec<&String> =
                    lines.iter().filter(|l| !l.starts_with("ok ") && !l.starts_with("[OK]")).collect();
                println!("    {name}: status {status}, {} lines, {bad:?}", lines.len());
            }
        }
    }
    let mut report = Report::default();
    report.more("programs as with gcc", (tests.len() - open.len()) as f64);
    report.less("programs that differ", open.len() as f64);
    report.with_error((!open.is_empty()).then(|| format!("{} programs differ", open.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_a_boot() {
        let text =
            "@ gcc a/b\r\n@ status 0\r\nok 1 took 0x1f ns\r\nnoise\r\n@ tcc-rs a/b\r\n@ status 137\r\nok 1 x\r\n";
        let expected = vec![
            ("gcc".to_string(), "a/b".to_string(), (0, vec!["ok # took # ns".to_string()])),
            ("tcc-rs".to_string(), "a/b".to_string(), (137, Vec::new())),
        ];
        assert_eq!(outcomes(text), expected);
    }
}
