//! `tcc-rs run [options] prog.c args...`: link a PIE into memory and execute it, so that
//! thread-local storage, constructors and unwinding work as in any program.

use crate::invocation::{Input, LinkKind, Stop};
use crate::jobs;
use crate::report;
use std::ffi::{CString, OsString};
use std::io::Write;
use std::os::fd::{FromRawFd, IntoRawFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Options up to the first file that is not an object or archive are the compiler's, the rest is
/// the program's.
pub fn main(program: &str, arguments: &[OsString], nesting: u32) -> ExitCode {
    let split = first_source(arguments);
    let Some(split) = split else {
        report::fatal(program, "no input files");
        return ExitCode::FAILURE;
    };
    let Ok(mut inv) = crate::parse(program, arguments[..=split].to_vec(), nesting) else { return ExitCode::FAILURE };
    if inv.stop != Stop::Link
        || !matches!(inv.link.kind(), LinkKind::Pie | LinkKind::NoPie | LinkKind::Static | LinkKind::StaticPie)
    {
        report::error(program, "run needs an executable: -c, -S, -E, -shared and -r do not go with it");
        return ExitCode::FAILURE;
    }
    let executable = crate::output::temporary_root().join(format!("tcc-rs-run-{}", std::process::id()));
    inv.output = Some(executable.clone());
    let name = inv.inputs.iter().rev().find_map(|i| match i {
        Input::File { path, .. } => Some(path.clone().into_os_string()),
        _ => None,
    });
    source_first(&mut inv.inputs);
    let status = jobs::run(inv);
    if status != ExitCode::SUCCESS {
        return status;
    }
    let bytes = std::fs::read(&executable);
    drop(std::fs::remove_file(&executable));
    let error = match bytes.and_then(|b| in_memory(&b)) {
        Ok(fd) => {
            let mut command = Command::new(format!("/proc/self/fd/{fd}"));
            command.args(&arguments[split + 1..]);
            command.arg0(name.unwrap_or_default());
            command.exec()
        }
        Err(e) => e,
    };
    report::fatal(program, &format!("cannot run the program: {error}"));
    ExitCode::FAILURE
}

/// Puts the source, the last input, before the objects, archives and `-l` it follows. They can
/// stand nowhere else, since what comes after the source is the program's, but a linker looks into
/// a library only for what it has missed so far, and with gcc's default of `--as-needed` drops a
/// shared one that nothing before it needs.
fn source_first(inputs: &mut [Input]) {
    if let Some(source) = inputs.iter().rposition(|i| matches!(i, Input::File { .. })) {
        inputs[..=source].rotate_right(1);
    }
}

/// Index of the program's source: the first argument that is neither an option, nor an option's
/// separate argument, nor an object, archive or shared library.
pub fn first_source(arguments: &[OsString]) -> Option<usize> {
    const SEPARATE: &[&str] = &[
        "-o",
        "-x",
        "-I",
        "-D",
        "-U",
        "-L",
        "-l",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-MF",
        "-MT",
        "-MQ",
        "-Xlinker",
        "-B",
        "-T",
        "-u",
        "-e",
        "-z",
        "--sysroot",
        "--param",
    ];
    let mut i = 0;
    while i < arguments.len() {
        let text = arguments[i].to_string_lossy();
        if SEPARATE.contains(&&*text) {
            i += 2;
            continue;
        }
        let library = text.ends_with(".o") || text.ends_with(".a") || text.ends_with(".so");
        if text == "-" || !(text.starts_with('-') || text.starts_with('@') || library) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// The bytes as an executable file without a name; the descriptor closes itself when the program
/// starts.
fn in_memory(bytes: &[u8]) -> std::io::Result<i32> {
    let name = CString::new("tcc-rs-run").expect("no zero byte");
    // SAFETY: `name` is a valid string for the duration of the call.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made and belongs to nobody else.
    let mut file = unsafe { std::fs::File::from_raw_fd(fd) };
    file.write_all(bytes)?;
    Ok(file.into_raw_fd())
}
