//! The linker's line: GNU ld's options, with its meaning. What is not here is declined.

use crate::kept;
use crate::version::{self, Node, Pattern};
use crate::{Declined, Outcome};
use elf_object::elf;
use std::collections::HashSet;
use std::path::PathBuf;

/// What is left out of the symbol table and the debug sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Strip {
    #[default]
    Nothing,
    Debug,
    All,
}

/// What holds for a file from its position on the line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    /// A shared library is recorded only if something refers to it.
    pub as_needed: bool,
    /// All members of an archive are taken.
    pub whole_archive: bool,
    /// `-lNAME` looks for archives only.
    pub archives_only: bool,
}

/// What takes part, in order.
#[derive(Clone, Debug)]
pub enum Item {
    File(String, State),
    Library(String, State),
    GroupStart,
    GroupEnd,
}

/// `--defsym=NAME=VALUE`: a number, or the address of a symbol and a number.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: &'static [u8],
    pub base: Option<&'static [u8]>,
    pub addend: u64,
}

/// Everything the line says.
#[derive(Clone, Debug)]
pub struct Options {
    pub shared: bool,
    pub pie: bool,
    /// Without shared libraries and without the dynamic linker.
    pub fixed: bool,
    pub interpreter: Vec<u8>,
    pub output: String,
    pub soname: Option<String>,
    pub run_path: Vec<String>,
    /// `DT_RPATH` in place of `DT_RUNPATH`.
    pub old_tags: bool,
    pub link_path: Vec<PathBuf>,
    pub entry: Option<&'static [u8]>,
    pub undefined: Vec<&'static [u8]>,
    pub strip: Strip,
    pub discard_locals: bool,
    pub build_id: bool,
    pub frame_table: bool,
    /// All calls are resolved when the program starts.
    pub now: bool,
    pub relro: bool,
    pub exec_stack: bool,
    pub stack_size: u64,
    /// References to own definitions are final: all of them, or those to functions.
    pub symbolic: bool,
    pub symbolic_functions: bool,
    pub export_dynamic: bool,
    pub exported: Vec<Pattern>,
    pub versions: Vec<Node>,
    pub gc_sections: bool,
    /// Undefined symbols of a shared library are errors.
    pub no_undefined: bool,
    pub shared_undefined: bool,
    pub wrapped: HashSet<&'static [u8]>,
    pub definitions: Vec<Definition>,
    /// Archives whose symbols are not exported; `ALL` is all of them.
    pub excluded: Vec<String>,
    /// `DF_*` and `DF_1_*`.
    pub flags: u32,
    pub flags_1: u32,
    pub search: Vec<PathBuf>,
    pub items: Vec<Item>,
}

const OPTION: Declined = Declined("an option");

fn text(value: &str) -> &'static [u8] {
    kept::keep(value.as_bytes().to_vec())
}

impl Default for Options {
    fn default() -> Options {
        Options {
            shared: false,
            pie: false,
            fixed: false,
            interpreter: Vec::new(),
            output: "a.out".into(),
            soname: None,
            run_path: Vec::new(),
            old_tags: false,
            link_path: Vec::new(),
            entry: None,
            undefined: Vec::new(),
            strip: Strip::Nothing,
            discard_locals: false,
            build_id: false,
            frame_table: false,
            now: false,
            relro: true,
            exec_stack: false,
            stack_size: 0,
            symbolic: false,
            symbolic_functions: false,
            export_dynamic: false,
            exported: Vec::new(),
            versions: Vec::new(),
            gc_sections: false,
            no_undefined: false,
            shared_undefined: false,
            wrapped: HashSet::new(),
            definitions: Vec::new(),
            excluded: Vec::new(),
            flags: 0,
            flags_1: 0,
            search: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl Options {
    /// Whether the output may be anywhere in memory.
    pub fn is_pic(&self) -> bool {
        self.pie || self.shared
    }

    /// Whether the dynamic linker has tables to read.
    pub fn is_dynamic(&self) -> bool {
        !self.fixed || self.pie
    }

    /// Whether calls are resolved at their first execution.
    pub fn is_lazy(&self) -> bool {
        self.shared && !self.now
    }
}

/// Read the line.
pub fn parse(words: &[&str]) -> Outcome<Options> {
    let mut parser =
        Parser { options: Options::default(), state: State::default(), saved: Vec::new(), is_static: false };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        parser.word(word, &mut words)?;
    }
    let Parser { mut options, is_static, .. } = parser;
    options.fixed = is_static && !options.shared && options.interpreter.is_empty();
    if options.interpreter.is_empty() && !options.shared && !options.fixed {
        return Err(Declined("no dynamic program"));
    }
    if options.shared && (options.pie || !options.exported.is_empty()) {
        return Err(OPTION);
    }
    Ok(options)
}

struct Parser {
    options: Options,
    state: State,
    saved: Vec<State>,
    is_static: bool,
}

impl Parser {
    fn word<'a>(&mut self, word: &'a str, words: &mut impl Iterator<Item = &'a str>) -> Outcome<()> {
        if word == "-(" || word == "-)" {
            self.options.items.push(if word == "-(" { Item::GroupStart } else { Item::GroupEnd });
            return Ok(());
        }
        let Some(name) = word.strip_prefix('-').filter(|name| !name.is_empty()) else {
            if word.is_empty() || word.starts_with('@') {
                return Err(OPTION);
            }
            self.options.items.push(Item::File(word.into(), self.state));
            return Ok(());
        };
        let name = name.strip_prefix('-').unwrap_or(name);
        if self.switch(name)? {
            return Ok(());
        }
        let (name, inline) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        if takes_value(name) {
            let value = inline.or_else(|| words.next()).ok_or(Declined("an option without its value"))?;
            return self.long(name, value);
        }
        // One letter, its value in the same word or the next one.
        if word.starts_with("--") {
            return Err(OPTION);
        }
        let mut rest = word[1..].chars();
        let letter = rest.next().ok_or(OPTION)?;
        match (letter, rest.as_str()) {
            ('O', _) => Ok(()),
            // Long options may have one dash, too.
            ('h' | 'e' | 'u' | 'I' | 'R', value) if value.contains(['-', '=']) || value == "elp" => Err(OPTION),
            ('l' | 'L' | 'o' | 'm' | 'z' | 'h' | 'e' | 'u' | 'I' | 'R', "") => {
                let value = words.next().ok_or(Declined("an option without its value"))?;
                self.short(letter, value)
            }
            (_, value) => self.short(letter, value),
        }
    }

    /// Options without a value; whether it was one.
    fn switch(&mut self, name: &str) -> Outcome<bool> {
        let (options, state) = (&mut self.options, &mut self.state);
        match name {
            "build-id" | "build-id=sha1" => options.build_id = true,
            "build-id=none" => options.build_id = false,
            "eh-frame-hdr" => options.frame_table = true,
            "no-eh-frame-hdr" => options.frame_table = false,
            "hash-style=gnu" => {}
            "push-state" => self.saved.push(*state),
            "pop-state" => *state = self.saved.pop().ok_or(OPTION)?,
            "as-needed" => state.as_needed = true,
            "no-as-needed" => state.as_needed = false,
            "whole-archive" => state.whole_archive = true,
            "no-whole-archive" => state.whole_archive = false,
            "start-group" => options.items.push(Item::GroupStart),
            "end-group" => options.items.push(Item::GroupEnd),
            "static" => (self.is_static, state.archives_only) = (true, true),
            "Bstatic" | "dn" | "non_shared" => state.archives_only = true,
            "Bdynamic" | "dy" | "call_shared" => state.archives_only = false,
            "shared" | "Bshareable" => options.shared = true,
            "pie" | "pic-executable" => options.pie = true,
            "no-pie" | "no-pic-executable" => options.pie = false,
            "no-dynamic-linker" => options.interpreter.clear(),
            "s" | "strip-all" => options.strip = Strip::All,
            "S" | "strip-debug" => options.strip = options.strip.max(Strip::Debug),
            "x" | "discard-all" => options.discard_locals = true,
            // Names that start with `.L` are never kept.
            "X" | "discard-locals" => {}
            "E" | "export-dynamic" => options.export_dynamic = true,
            "no-export-dynamic" => options.export_dynamic = false,
            "Bsymbolic" => options.symbolic = true,
            "Bsymbolic-functions" => options.symbolic_functions = true,
            "gc-sections" => options.gc_sections = true,
            "no-gc-sections" => options.gc_sections = false,
            "no-undefined" => options.no_undefined = true,
            "allow-shlib-undefined" => options.shared_undefined = true,
            "no-allow-shlib-undefined" => options.shared_undefined = false,
            "enable-new-dtags" => options.old_tags = false,
            "disable-new-dtags" => options.old_tags = true,
            // What changes nothing here: no such messages, tables that are written in one way only.
            "fatal-warnings"
            | "no-fatal-warnings"
            | "no-copy-dt-needed-entries"
            | "no-add-needed"
            | "relax"
            | "no-keep-memory"
            | "reduce-memory-overheads"
            | "no-warn-execstack"
            | "no-warn-rwx-segments"
            | "no-warn-mismatch"
            | "sort-common"
            | "sort-common=descending"
            | "no-ld-generated-unwind-info"
            | "warn-once"
            | "demangle"
            | "no-demangle"
            | "nostdlib" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn long(&mut self, name: &str, value: &str) -> Outcome<()> {
        let options = &mut self.options;
        match name {
            "soname" => options.soname = Some(value.into()),
            "rpath" => add_run_path(options, value),
            "rpath-link" => options.link_path.extend(value.split(':').map(PathBuf::from)),
            "dynamic-linker" => options.interpreter = value.as_bytes().to_vec(),
            "output" => options.output = value.into(),
            "entry" => options.entry = Some(text(value)),
            "undefined" => options.undefined.push(text(value)),
            "library" => options.items.push(Item::Library(value.into(), self.state)),
            "library-path" => options.search.push(value.into()),
            "wrap" => drop(options.wrapped.insert(text(value))),
            "defsym" => options.definitions.push(definition(value)?),
            "exclude-libs" => options.excluded.extend(value.split([',', ':']).map(String::from)),
            "version-script" => {
                if !options.versions.is_empty() {
                    return Err(OPTION);
                }
                options.versions = version::script(&read_script(value)?)?;
            }
            "dynamic-list" => options.exported.extend(version::list(&read_script(value)?)?),
            "export-dynamic-symbol" => options.exported.push(Pattern::new(value)?),
            _ => return Err(OPTION),
        }
        Ok(())
    }

    fn short(&mut self, letter: char, value: &str) -> Outcome<()> {
        match letter {
            'l' => self.options.items.push(Item::Library(value.into(), self.state)),
            'L' => self.options.search.push(value.into()),
            'o' => self.options.output = value.into(),
            'm' if value == "elf_x86_64" => {}
            'z' => return self.keyword(value),
            'h' => self.options.soname = Some(value.into()),
            'e' => self.options.entry = Some(text(value)),
            'u' => self.options.undefined.push(text(value)),
            'I' => self.options.interpreter = value.as_bytes().to_vec(),
            'R' if std::path::Path::new(value).is_dir() => add_run_path(&mut self.options, value),
            _ => return Err(OPTION),
        }
        Ok(())
    }

    /// `-z KEYWORD`.
    fn keyword(&mut self, word: &str) -> Outcome<()> {
        let options = &mut self.options;
        match word {
            "now" => options.now = true,
            "lazy" => options.now = false,
            "relro" => options.relro = true,
            "norelro" => options.relro = false,
            "execstack" => options.exec_stack = true,
            "noexecstack" => options.exec_stack = false,
            "defs" => options.no_undefined = true,
            "undefs" => options.no_undefined = false,
            "nodelete" => options.flags_1 |= elf::DF_1_NODELETE,
            "nodlopen" => options.flags_1 |= elf::DF_1_NOOPEN,
            "nodump" => options.flags_1 |= elf::DF_1_NODUMP,
            "initfirst" => options.flags_1 |= elf::DF_1_INITFIRST,
            "interpose" => options.flags_1 |= elf::DF_1_INTERPOSE,
            "global" => options.flags_1 |= elf::DF_1_GLOBAL,
            "origin" => {
                options.flags |= elf::DF_ORIGIN;
                options.flags_1 |= elf::DF_1_ORIGIN;
            }
            // How it is done here in any case: relocations of sections that are only read are
            // declined.
            "text" | "separate-code" | "combreloc" => {}
            "max-page-size=4096" | "max-page-size=0x1000" | "common-page-size=4096" | "common-page-size=0x1000" => {}
            _ => match word.strip_prefix("stack-size=").and_then(number) {
                Some(size) => options.stack_size = size,
                None => return Err(OPTION),
            },
        }
        Ok(())
    }
}

fn takes_value(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "soname",
        "rpath",
        "rpath-link",
        "dynamic-linker",
        "output",
        "entry",
        "undefined",
        "library",
        "library-path",
        "wrap",
        "defsym",
        "exclude-libs",
        "version-script",
        "dynamic-list",
        "export-dynamic-symbol",
    ];
    NAMES.contains(&name)
}

fn add_run_path(options: &mut Options, value: &str) {
    // A folder is listed once, as ld does.
    for folder in value.split(':') {
        if !options.run_path.iter().any(|known| known == folder) {
            options.run_path.push(folder.into());
        }
    }
}

fn read_script(path: &str) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|_| Declined("a file that is not there"))
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(&text[1..], 8).ok(),
        None => text.parse().ok(),
    }
}

fn definition(value: &str) -> Outcome<Definition> {
    const FORM: Declined = Declined("an expression");
    let (name, value) = value.split_once('=').ok_or(FORM)?;
    let is_name = |text: &str| {
        !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c))
    };
    if !is_name(name) {
        return Err(FORM);
    }
    if let Some(addend) = number(value) {
        return Ok(Definition { name: text(name), base: None, addend });
    }
    let (base, addend) = match value.split_once('+') {
        Some((base, addend)) => (base, number(addend).ok_or(FORM)?),
        None => (value, 0),
    };
    if !is_name(base) || base == "." {
        return Err(FORM);
    }
    Ok(Definition { name: text(name), base: Some(text(base)), addend })
}
