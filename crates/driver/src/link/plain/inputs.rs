//! The linker's line read: which files take part. As `ld` does it: objects always, members of an archive that define what is
//! missing at that point of the line, shared libraries that have something that is missing (`--as-needed`).

use super::library::{self, Library};
use super::object::{self, Object};
use super::read::{Bytes, u16_at};
use super::symbols::{Globals, Place};
use super::{Declined, Outcome};
use elf_object::elf;
use rustc_hash::FxHashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What the line says.
#[derive(Default, Debug)]
pub struct Inputs {
    pub pie: bool,
    pub strip: bool,
    pub interpreter: Vec<u8>,
    pub objects: Vec<Object>,
    pub libraries: Vec<Library>,
    pub globals: Globals,
    search: Vec<PathBuf>,
    bytes: u64,
    /// The libraries that `-l` named, and how many objects there were when each had been read.
    read: FxHashMap<String, usize>,
}

/// More input than this is work for several threads.
const MOST: u64 = 16 << 20;
/// A file of at least this size is mapped rather than read.
const MAPPED: u64 = 32 << 10;
/// Linker scripts may name each other.
const DEPTH: u32 = 8;

/// Read the line and every file that takes part. `held` knows the files that exist only in this process.
pub fn read(arguments: &[OsString], held: &dyn Fn(&Path) -> Option<Bytes>) -> Outcome<Inputs> {
    let mut inputs = Inputs::default();
    let mut words: Vec<&str> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        words.push(argument.to_str().ok_or(Declined("a name that is not UTF-8"))?);
    }
    inputs.search =
        words.iter().filter_map(|w| w.strip_prefix("-L").filter(|d| !d.is_empty())).map(Into::into).collect();
    let mut as_needed = false;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(Declined("an option without its value"));
        match word {
            "--build-id" | "--eh-frame-hdr" | "--hash-style=gnu" | "--push-state" | "--pop-state" => {}
            "--as-needed" => as_needed = true,
            "-pie" => inputs.pie = true,
            "-s" => inputs.strip = true,
            "-o" => drop(value()?),
            "-m" if value()? == "elf_x86_64" => {}
            "-dynamic-linker" => inputs.interpreter = value()?.as_bytes().to_vec(),
            _ if word.starts_with("-l") && as_needed => inputs.library(&word[2..], held)?,
            _ if word.starts_with("-L") && word.len() > 2 => {}
            _ if word.starts_with('-') || word.starts_with('@') || !as_needed => return Err(Declined("an option")),
            path => {
                let path = Path::new(path);
                let data = match held(path) {
                    Some(data) => data,
                    None => inputs.open(path)?.ok_or(Declined("a file that is not there"))?,
                };
                inputs.file(path, data, held, 0)?;
            }
        }
    }
    if inputs.interpreter.is_empty() {
        return Err(Declined("no dynamic program"));
    }
    if inputs.objects.iter().all(|object| object.has_properties) {
        return Err(Declined("properties that all objects share"));
    }
    inputs.finish()?;
    Ok(inputs)
}

impl Inputs {
    fn open(&mut self, path: &Path) -> Outcome<Option<Bytes>> {
        let Ok(mut file) = File::open(path) else { return Ok(None) };
        let size = file.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
        if size >= MAPPED {
            // SAFETY: the file is only read; that nobody truncates it meanwhile is what every reader of mapped sources and
            // libraries relies on.
            let map = unsafe { memmap2::Mmap::map(&file) };
            return Ok(map.ok().map(|map| &**Box::leak(Box::new(map))));
        }
        let mut data = Vec::with_capacity(size as usize);
        Ok(file.read_to_end(&mut data).is_ok().then(|| &*data.leak()))
    }

    /// `-lNAME`.
    fn library(&mut self, name: &str, held: &dyn Fn(&Path) -> Option<Bytes>) -> Outcome<()> {
        if name.starts_with(':') {
            return Err(Declined("a library by its file name"));
        }
        // What is missing comes with objects: without a new one a library has nothing to give that it has not given.
        if self.read.get(name) == Some(&self.objects.len()) {
            return Ok(());
        }
        for at in 0..self.search.len() {
            for file in [format!("lib{name}.so"), format!("lib{name}.a")] {
                let path = self.search[at].join(file);
                if let Some(data) = self.open(&path)? {
                    // A library without a name of its own goes by that of its file, without the directory it was found in.
                    let is_shared = data.starts_with(b"\x7fELF") && u16_at(data, 16)? == elf::ET_DYN;
                    let shown = if is_shared { Path::new(path.file_name().unwrap_or_default()) } else { &path };
                    self.file(shown, data, held, 0)?;
                    self.read.insert(name.to_string(), self.objects.len());
                    return Ok(());
                }
            }
        }
        Err(Declined("a library that is not there"))
    }

    /// A file named on the line, by a library's name, or in a linker script.
    fn file(&mut self, path: &Path, data: Bytes, held: &dyn Fn(&Path) -> Option<Bytes>, depth: u32) -> Outcome<()> {
        if data.starts_with(b"!<arch>\n") {
            self.archive(data)?;
            return Ok(());
        }
        if data.starts_with(b"\x7fELF") {
            match u16_at(data, 16)? {
                elf::ET_REL => self.object(data)?,
                elf::ET_DYN => self.shared(path, data)?,
                _ => return Err(Declined("a kind of file")),
            }
            return Ok(());
        }
        match std::str::from_utf8(data) {
            Ok(text) if depth < DEPTH => self.script(path, text, held, depth),
            _ => Err(Declined("a kind of file")),
        }
    }

    fn object(&mut self, data: Bytes) -> Outcome<()> {
        self.bytes += data.len() as u64;
        if self.bytes > MOST {
            return Err(Declined("a large link"));
        }
        let mut object = object::parse(data)?;
        self.globals.add_object(&mut object, &self.objects)?;
        self.objects.push(object);
        Ok(())
    }

    /// Takes the members that define what is missing; whether there were any.
    fn archive(&mut self, data: Bytes) -> Outcome<bool> {
        let index = object::archive_index(data)?;
        if index.iter().any(|&(name, _)| self.globals.is_common(name)) {
            return Err(Declined("a common symbol that an archive defines"));
        }
        let mut taken = Vec::new();
        loop {
            let before = taken.len();
            for &(name, member) in &index {
                if !self.globals.is_missing(name) || taken.contains(&member) {
                    continue;
                }
                taken.push(member);
                self.object(object::member(data, member)?.1)?;
            }
            if taken.len() == before {
                return Ok(before > 0);
            }
        }
    }

    fn shared(&mut self, path: &Path, data: Bytes) -> Outcome<()> {
        let library = Library::parse(data, &path.to_string_lossy())?;
        let known = self.libraries.iter().position(|known| known.soname == library.soname);
        let at = known.unwrap_or_else(|| {
            self.libraries.push(library);
            self.libraries.len() - 1
        });
        self.look_up(at)
    }

    /// Resolves what is missing from a library. Weak references are no reason to need it, but it serves them if it is.
    fn look_up(&mut self, at: usize) -> Outcome<()> {
        for weak in [false, true] {
            if weak && !self.libraries[at].needed {
                break;
            }
            for global in &mut self.globals.list {
                if !matches!(global.place, Place::Undefined) || global.is_wanted == weak {
                    continue;
                }
                if let Some(symbol) = self.libraries[at].find(global.name, library::hash(global.name))? {
                    global.place = Place::Library { library: at as u32, symbol };
                    self.libraries[at].needed = true;
                }
            }
        }
        Ok(())
    }

    /// `GROUP`, `INPUT` and `AS_NEEDED`, all that the scripts in place of libraries consist of.
    fn script(&mut self, path: &Path, text: &str, held: &dyn Fn(&Path) -> Option<Bytes>, depth: u32) -> Outcome<()> {
        let mut text = text.to_string();
        while let Some(start) = text.find("/*") {
            let end = text[start..].find("*/").ok_or(Declined("a linker script"))?;
            text.replace_range(start..start + end + 2, " ");
        }
        let text = text.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if words.next() != Some("(") {
                return Err(Declined("a linker script"));
            }
            let mut open = 1;
            let mut inside = Vec::new();
            while open > 0 {
                match words.next() {
                    Some("(") => open += 1,
                    Some(")") => open -= 1,
                    Some("AS_NEEDED") => {}
                    Some(name) => inside.push(name),
                    None => return Err(Declined("a linker script")),
                }
            }
            match word {
                "OUTPUT_FORMAT" if inside == ["elf64-x86-64"] => {}
                "INPUT" | "GROUP" => self.group(path, &inside, held, depth)?,
                _ => return Err(Declined("a linker script")),
            }
        }
        Ok(())
    }

    /// The files of a group are searched again as long as an archive among them gave something.
    fn group(
        &mut self,
        script: &Path,
        names: &[&str],
        held: &dyn Fn(&Path) -> Option<Bytes>,
        depth: u32,
    ) -> Outcome<()> {
        loop {
            let before = self.objects.len();
            for name in names {
                if !self.globals.are_missing() {
                    break;
                }
                if let Some(name) = name.strip_prefix("-l") {
                    self.library(name, held)?;
                    continue;
                }
                let beside = script.parent().map(|directory| directory.join(name)).into_iter();
                let candidates: Vec<PathBuf> = match name.starts_with('/') {
                    true => vec![PathBuf::from(name)],
                    false => beside.chain(self.search.iter().map(|d| d.join(name))).collect(),
                };
                let mut found = None;
                for path in candidates {
                    if let Some(data) = self.open(&path)? {
                        found = Some((path, data));
                        break;
                    }
                }
                let (path, data) = found.ok_or(Declined("a file that is not there"))?;
                self.file(&path, data, held, depth + 1)?;
            }
            if self.objects.len() == before {
                return Ok(());
            }
        }
    }

    /// What members of archives asked for after the library was read, what the linker defines, and what nobody does.
    fn finish(&mut self) -> Outcome<()> {
        for at in 0..self.libraries.len() {
            if self.libraries[at].needed {
                self.look_up(at)?;
            }
        }
        self.check_closure()?;
        let objects = &self.objects;
        self.globals
            .define_own(|name| objects.iter().flat_map(|o| &o.sections).any(|s| s.is_loaded() && s.name == name));
        for global in &self.globals.list {
            match global.place {
                Place::Undefined if global.is_wanted => return Err(Declined("a symbol nobody defines")),
                Place::Library { .. } | Place::Undefined if global.visibility != elf::STV_DEFAULT => {
                    return Err(Declined("a hidden symbol that is not defined"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the libraries need themselves must have been seen too: the program may have to export something to it.
    fn check_closure(&mut self) -> Outcome<()> {
        const ALWAYS: &[&[u8]] = &[b"ld-linux-x86-64.so.2"];
        let mut done = 0;
        let mut waiting: Vec<usize> = (0..self.libraries.len()).filter(|&at| self.libraries[at].needed).collect();
        while done < waiting.len() {
            let needs = self.libraries[waiting[done]].needs.clone();
            done += 1;
            for name in needs.into_iter().filter(|name| !ALWAYS.contains(name)) {
                match self.libraries.iter().position(|l| l.soname == name) {
                    Some(at) if waiting.contains(&at) => {}
                    Some(at) => waiting.push(at),
                    None => return Err(Declined("a library that needs others")),
                }
            }
        }
        for at in waiting {
            self.globals.export_to(&self.libraries[at])?;
        }
        Ok(())
    }
}
