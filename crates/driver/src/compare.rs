//! `tcc-rs compare [options] prog.c [-- args]`: build with gcc and with this compiler at every
//! level, run, and table what differs: output and exit status, run time, text size, compile time.

use crate::report;
use elf_object::read::{Object, ObjectSection};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-O3", "-Os"];

/// A program that runs longer than this is stopped and reported as such.
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// What became of one compiler at one level.
struct Row {
    compiler: &'static str,
    level: &'static str,
    compile: Duration,
    text: u64,
    result: Result<Run, String>,
}

struct Run {
    output: Vec<u8>,
    status: String,
    time: Duration,
}

/// Run the comparison; status 1 when something differs from gcc -O0's behaviour.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let split = arguments.iter().position(|a| a == "--").unwrap_or(arguments.len());
    let (options, program_arguments) = (&arguments[..split], arguments.get(split + 1..).unwrap_or_default());
    if options.is_empty() {
        report::fatal(program, "no input files");
        return ExitCode::FAILURE;
    }
    let Ok(own) = std::env::current_exe() else { return ExitCode::FAILURE };
    let Ok(dir) = crate::output::TemporaryDirectory::new() else {
        report::fatal(program, "cannot create a temporary directory");
        return ExitCode::FAILURE;
    };
    let mut rows = Vec::new();
    for (compiler, path) in [("gcc", PathBuf::from("gcc")), ("tcc-rs", own)] {
        for level in LEVELS {
            rows.push(measure(compiler, &path, level, options, program_arguments, &dir.file("program")));
        }
    }
    print_table(&rows)
}

fn measure(
    compiler: &'static str,
    path: &Path,
    level: &'static str,
    options: &[OsString],
    arguments: &[OsString],
    executable: &Path,
) -> Row {
    let start = Instant::now();
    let built = Command::new(path).arg(level).args(options).arg("-o").arg(executable).stdin(Stdio::null()).output();
    let compile = start.elapsed();
    let mut row = Row { compiler, level, compile, text: 0, result: Err(String::new()) };
    row.result = match built {
        Err(e) => Err(format!("cannot run {compiler}: {e}")),
        Ok(b) if !b.status.success() => Err(String::from_utf8_lossy(&b.stderr)
            .lines()
            .find(|l| l.contains("error"))
            .unwrap_or("does not compile")
            .to_string()),
        Ok(_) => {
            row.text = text_size(executable);
            execute(executable, arguments)
        }
    };
    row
}

fn execute(executable: &Path, arguments: &[OsString]) -> Result<Run, String> {
    let start = Instant::now();
    let mut child = Command::new(executable)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("cannot run: {e}"))?;
    let mut pipe = child.stdout.take().expect("was asked for");
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        drop(std::io::Read::read_to_end(&mut pipe, &mut output));
        output
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() > RUN_LIMIT => {
                drop(child.kill());
                drop(child.wait());
                return Err(format!("runs longer than {} s", RUN_LIMIT.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_micros(200)),
            Err(e) => return Err(e.to_string()),
        }
    };
    let time = start.elapsed();
    Ok(Run { output: reader.join().unwrap_or_default(), status: status.to_string(), time })
}

fn text_size(path: &Path) -> u64 {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    let Ok(file) = elf_object::read::elf::ElfFile64::<elf_object::Endianness>::parse(&*bytes) else { return 0 };
    file.section_by_name(".text").map_or(0, |s| s.size())
}

fn print_table(rows: &[Row]) -> ExitCode {
    let reference = rows.iter().find_map(|r| r.result.as_ref().ok());
    let mut table =
        format!("{:<8} {:<6} {:>12} {:>12} {:>10}  behaviour\n", "", "level", "compile ms", "run ms", "text");
    let mut same = true;
    for row in rows {
        let ms = |d: Duration| format!("{:.1}", d.as_secs_f64() * 1e3);
        let (time, verdict) = match (&row.result, reference) {
            (Err(why), _) => {
                same = false;
                ("-".to_string(), why.clone())
            }
            (Ok(run), Some(first)) if run.output == first.output && run.status == first.status => {
                (ms(run.time), "same".to_string())
            }
            (Ok(run), _) => {
                same = false;
                let what =
                    if reference.is_some_and(|f| f.output != run.output) { "output differs" } else { "status differs" };
                (ms(run.time), format!("{what} ({})", run.status))
            }
        };
        table += &format!(
            "{:<8} {:<6} {:>12} {:>12} {:>10}  {verdict}\n",
            row.compiler,
            row.level,
            ms(row.compile),
            time,
            row.text
        );
    }
    drop(std::io::stdout().write_all(table.as_bytes()));
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
