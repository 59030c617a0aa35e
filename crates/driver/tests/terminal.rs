//! `tcc-rs repl` at a terminal: a script types into a pseudo-terminal and reads what it shows.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No answer takes longer, not even on a loaded machine with a debug build of the compiler.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session, and the other end of its terminal.
struct Terminal {
    child: Child,
    end: File,
    /// What was shown since the last match.
    shown: String,
}

fn pseudo_terminal() -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (0, 0);
    let size = libc::winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the descriptors are there to be filled, and nobody else has them.
    unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(libc::openpty(&mut ours, &mut theirs, null, std::ptr::null(), &size), 0);
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}

impl Terminal {
    fn start(state: &PathBuf) -> Terminal {
        let (ours, theirs) = pseudo_terminal();
        let end = || Stdio::from(theirs.try_clone().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_tcc-rs"));
        command.arg("repl").stdin(end()).stdout(end()).stderr(end());
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8").env("XDG_STATE_HOME", state);
        // SAFETY: both calls may be made between `fork` and `exec`.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        Terminal { child, end: File::from(ours), shown: String::new() }
    }

    fn types(&mut self, keys: &str) {
        self.end.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text is shown.
    fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            if let Some(at) = self.shown.find(text) {
                self.shown.drain(..at + text.len());
                return;
            }
            assert!(start.elapsed() < PATIENCE, "no {text:?} in {:?}", self.shown);
            let mut asked = libc::pollfd { fd: self.end.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one structure, which is there.
            if unsafe { libc::poll(&mut asked, 1, 1000) } > 0 {
                let mut bytes = [0; 4096];
                let count = self.end.read(&mut bytes).unwrap_or(0);
                assert!(count > 0, "the session ended before {text:?}: {:?}", self.shown);
                self.shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_session_at_a_terminal() {
    let state = std::env::temp_dir().join(format!("tcc-rs-terminal-{}", std::process::id()));
    std::fs::create_dir_all(&state).unwrap();
    let mut terminal = Terminal::start(&state);
    terminal.expect("> ");
    terminal.types("1 + 2\r");
    terminal.expect("$1 = 3\r\n");
    terminal.expect("> ");
    // Several lines are one input.
    terminal.types("int twice(int n)\r{\rreturn 2 * n;\r}\r");
    terminal.expect("> ");
    terminal.types("twice(21)\r");
    terminal.expect("$2 = 42");
    terminal.expect("> ");
    // The key for the input before.
    terminal.types("\x1b[A\r");
    terminal.expect("$3 = 42");
    terminal.expect("> ");
    // A loop is stopped by Ctrl-C, a crash by itself; the session goes on.
    terminal.types("int x = 5; x = 6; for (;;) ;\r");
    std::thread::sleep(Duration::from_millis(500));
    terminal.types("\x03");
    terminal.expect("interrupted; the session is as before");
    terminal.expect("> ");
    terminal.types("*(int *)8\r");
    terminal.expect("segmentation fault at address 0x8");
    terminal.expect("> ");
    terminal.types("x\r");
    terminal.expect("$4 = 6");
    terminal.expect("> ");
    // Names are completed, a line is given up.
    terminal.types("twi\t(4)\r");
    terminal.expect("$5 = 8");
    terminal.expect("> ");
    terminal.types("nonsense\x03");
    terminal.expect("> ");
    terminal.types("\x04");
    let status = terminal.child.wait().unwrap();
    assert!(status.success(), "{status}");
    let history = std::fs::read_to_string(state.join("tcc-rs/history")).unwrap();
    assert!(history.starts_with("1 + 2\nint twice(int n)\\n{\\nreturn 2 * n;\\n}\ntwice(21)\n"), "{history}");
    std::fs::remove_dir_all(&state).unwrap();
}
