//! Where inputs come from: an editor with history at a terminal; lines as they are from a pipe or
//! a file.
//!
//! A pipe is read byte by byte: what follows a line is left to the program that the line runs.

use super::input;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor};
use std::io::{IsTerminal, Read, Write};
use std::os::fd::FromRawFd;
use std::path::PathBuf;

const PROMPT: &str = "> ";
/// Inputs that are kept from one session to the next.
const REMEMBERED: usize = 1000;

/// What comes next.
pub enum Next {
    Input(String),
    /// The line was given up.
    Nothing,
    End,
}

/// The source of inputs.
pub enum Reader {
    Terminal(Box<Editor<Helper, MemHistory>>, Option<PathBuf>),
    Lines,
}

/// Whether somebody types.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

impl Reader {
    pub fn new() -> Reader {
        if !is_interactive() {
            return Reader::Lines;
        }
        let config = Config::builder().max_history_size(REMEMBERED).map(|c| c.auto_add_history(true).build());
        let editor = config.ok().and_then(|config| {
            let history = MemHistory::with_config(&config);
            Editor::with_history(config, history).ok()
        });
        let Some(mut editor) = editor else { return Reader::Lines };
        editor.set_helper(Some(Helper::default()));
        let file = history_file();
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(REMEMBERED)..] {
            drop(editor.add_history_entry(restored(line)));
        }
        Reader::Terminal(Box::new(editor), file)
    }

    /// The next input, all of its lines.
    pub fn next(&mut self, names: impl FnOnce() -> Vec<String>) -> Next {
        let (editor, file) = match self {
            Reader::Lines => return lines(),
            Reader::Terminal(editor, file) => (editor, file),
        };
        if let Some(helper) = editor.helper_mut() {
            helper.names = names();
        }
        match editor.readline(PROMPT) {
            Ok(text) => {
                if let Some(file) = file.as_ref().filter(|_| !text.trim().is_empty()) {
                    remember(file, &text);
                }
                Next::Input(text)
            }
            Err(ReadlineError::Interrupted) => Next::Nothing,
            Err(_) => Next::End,
        }
    }
}

/// Lines of standard input until they are complete; at its end what there is.
fn lines() -> Next {
    let mut text = String::new();
    loop {
        let Some(line) = line() else {
            return if text.is_empty() { Next::End } else { Next::Input(text) };
        };
        let is_blank = line.trim().is_empty();
        text.push_str(&line);
        if !wants_more(&text, is_blank) {
            return Next::Input(text);
        }
    }
}

fn line() -> Option<String> {
    // SAFETY: standard input stays open: the file is never dropped.
    let mut input = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(0) });
    let (mut bytes, mut byte) = (Vec::new(), [0]);
    while input.read(&mut byte).ok()? == 1 {
        bytes.push(byte[0]);
        if byte[0] == b'\n' {
            break;
        }
    }
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether an input goes on. An empty line ends one that could.
fn wants_more(text: &str, after_blank: bool) -> bool {
    if text.trim_start().starts_with(':') {
        return false;
    }
    let scanned = input::scan(text);
    scanned.is_unfinished() || scanned.wants_more() && !after_blank
}

/// What an editor asks about the line.
#[derive(Default)]
pub struct Helper {
    names: Vec<String>,
}

impl rustyline::Helper for Helper {}
impl Highlighter for Helper {}

impl Hinter for Helper {
    type Hint = String;
}

impl Validator for Helper {
    fn validate(&self, cx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = cx.input();
        let is_blank = text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty());
        Ok(match wants_more(text, is_blank) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Helper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ':');
        let start = line[..at]
            .rfind(|c| !is_part(c))
            .map_or(0, |before| before + line[before..].chars().next().map_or(1, char::len_utf8));
        let word = &line[start..at];
        let known = self.names.iter().filter(|name| !word.is_empty() && name.starts_with(word));
        Ok((start, known.cloned().collect()))
    }
}

fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("tcc-rs/history"))
}

/// Adds an input to the file, on one line. A file that cannot be written remembers nothing.
fn remember(file: &std::path::Path, text: &str) {
    let line = text.replace('\\', "\\\\").replace('\n', "\\n") + "\n";
    if let Some(folder) = file.parent() {
        drop(std::fs::create_dir_all(folder));
    }
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    drop(opened.and_then(|mut file| file.write_all(line.as_bytes())));
}

/// An input from its line of the file.
fn restored(line: &str) -> String {
    let mut text = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            (other, _) => text.push(other),
        }
    }
    text
}
