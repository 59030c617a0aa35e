//! Which files take part. As `ld` does it: objects always, members of an archive that define what
//! is missing at that point of the line, shared libraries that have something that is missing
//! (`--as-needed`) or all of them.

use crate::kept;
use crate::library::{self, Library};
use crate::object::{self, Archive, Member, Object, Source};
use crate::options::{self, Item, Options, State};
use crate::read::{Bytes, u16_at};
use crate::symbols::{Globals, Own, Place, THREAD_FUNCTION, base_name};
use crate::version::{Pattern, Verdict, verdict};
use crate::{Declined, Outcome};
use elf_object::elf;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

const UNREADABLE: Declined = Declined("a file that cannot be read");

/// What takes part.
pub struct Inputs<'a> {
    pub options: Options,
    pub objects: Vec<Object>,
    pub libraries: Vec<Library>,
    pub globals: Globals,
    /// Groups that some object has.
    groups: FxHashSet<Bytes>,
    /// The libraries that `-l` named, and how many objects there were when each had been read.
    read: FxHashMap<(String, State), usize>,
    /// Files that exist only in this process.
    held: &'a dyn Fn(&Path) -> Option<Bytes>,
}

/// A file of at least this size is mapped rather than read.
const MAPPED: u64 = 32 << 10;
/// Linker scripts may name each other.
const DEPTH: u32 = 8;
const MISSING: Declined = Declined("a file that is not there");

/// Read the line and every file that takes part. `held` knows the files that exist only in this
/// process.
pub fn read<'a>(arguments: &[OsString], held: &'a dyn Fn(&Path) -> Option<Bytes>) -> Outcome<Inputs<'a>> {
    let mut words: Vec<&str> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        words.push(argument.to_str().ok_or(Declined("a name that is not UTF-8"))?);
    }
    let mut options = options::parse(&words)?;
    let items = std::mem::take(&mut options.items);
    let mut inputs = Inputs {
        options,
        objects: Vec::new(),
        libraries: Vec::new(),
        globals: Globals::default(),
        groups: FxHashSet::default(),
        read: FxHashMap::default(),
        held,
    };
    inputs.enter_options();
    inputs.items(&items)?;
    if inputs.objects.iter().all(|object| object.has_properties) {
        return Err(Declined("properties that all objects share"));
    }
    inputs.finish()?;
    Ok(inputs)
}

impl Inputs<'_> {
    /// Names of the line.
    fn enter_options(&mut self) {
        for &name in self.options.undefined.iter().chain(&self.options.entry) {
            let index = self.globals.enter(name);
            self.globals.list[index as usize].is_wanted = true;
        }
        for (at, definition) in self.options.definitions.iter().enumerate() {
            let index = self.globals.enter(definition.name);
            self.globals.list[index as usize].place = Place::Own(Own::Defined(at as u32));
            if let Some(base) = definition.base {
                let index = self.globals.enter(base);
                self.globals.list[index as usize].is_wanted = true;
            }
        }
    }

    fn items(&mut self, items: &[Item]) -> Outcome<()> {
        let (mut at, mut group, mut again) = (0, None, false);
        while at < items.len() {
            match &items[at] {
                Item::File(name, state) => {
                    let path = Path::new(name);
                    let data = match (self.held)(path) {
                        Some(data) => data,
                        None => self.open(path)?.ok_or(MISSING)?,
                    };
                    self.file(path, data, *state, again, 0)?;
                }
                Item::Library(name, state) => self.library(name, *state, again)?,
                Item::GroupStart if group.is_some() => return Err(Declined("a group in a group")),
                Item::GroupStart => group = Some((at, self.objects.len())),
                Item::GroupEnd => {
                    // A group is searched again as long as an archive in it gave something.
                    let (start, before) = group.ok_or(Declined("a group without its start"))?;
                    again = self.objects.len() > before;
                    group = if again { Some((start, self.objects.len())) } else { None };
                    if again {
                        at = start;
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Leaves debug information out.
    pub fn strip(&mut self) {
        for section in self.objects.iter_mut().flat_map(|object| &mut object.sections) {
            let is_debug = section.name.starts_with(b".debug") || section.name.starts_with(b".gdb_index");
            if section.kept && !section.is_loaded() && is_debug {
                (section.kept, section.dropped) = (false, true);
            }
        }
    }

    fn open(&mut self, path: &Path) -> Outcome<Option<Bytes>> {
        // What is absent may be elsewhere; `ld` says what is wrong with what cannot be read.
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(_) => return Err(UNREADABLE),
        };
        let metadata = file.metadata().map_err(|_| UNREADABLE)?;
        let size = if metadata.is_file() { metadata.len() } else { 0 };
        if size >= MAPPED {
            // SAFETY: the file is only read; that nobody truncates it meanwhile is what every
            // reader of mapped sources and libraries relies on.
            let map = unsafe { memmap2::Mmap::map(&file) };
            return map.map(|map| Some(kept::map(map))).map_err(|_| UNREADABLE);
        }
        let mut data = Vec::with_capacity(size as usize);
        match file.read_to_end(&mut data) {
            Ok(_) => Ok(Some(kept::keep(data))),
            Err(error) if error.kind() == ErrorKind::IsADirectory => Ok(None),
            Err(_) => Err(UNREADABLE),
        }
    }

    /// `-lNAME`, `-l:FILE`.
    fn library(&mut self, name: &str, state: State, again: bool) -> Outcome<()> {
        // What is missing comes with objects: without a new one a library has nothing to give that
        // it has not given.
        let key = (name.to_string(), state);
        if self.read.get(&key) == Some(&self.objects.len()) {
            return Ok(());
        }
        let files = match name.strip_prefix(':') {
            Some(file) => vec![file.to_string()],
            None if state.archives_only => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        // Where nothing is missing a library that is not needed for itself only has to be there.
        let is_spare = state.as_needed && !state.whole_archive && !self.globals.are_open();
        for at in 0..self.options.search.len() {
            for file in &files {
                let path = self.options.search[at].join(file);
                if is_spare && path.is_file() {
                    self.read.insert(key, self.objects.len());
                    return Ok(());
                }
                if let Some(data) = self.open(&path)? {
                    // A library without a name of its own goes by that of its file, without the
                    // folder it was found in.
                    let is_shared = data.starts_with(b"\x7fELF") && u16_at(data, 16)? == elf::ET_DYN;
                    let shown = if is_shared { Path::new(path.file_name().unwrap_or_default()) } else { &path };
                    self.file(shown, data, state, again, 0)?;
                    self.read.insert(key, self.objects.len());
                    return Ok(());
                }
            }
        }
        Err(Declined("a library that is not there"))
    }

    /// A file named on the line, by a library's name, or in a linker script. `again` is set when
    /// its group was read before.
    fn file(&mut self, path: &Path, data: Bytes, state: State, again: bool, depth: u32) -> Outcome<()> {
        if let Some(archive) = Archive::parse(data) {
            return match (state.whole_archive, again) {
                (true, true) => Ok(()),
                (true, false) => self.whole_archive(path, archive),
                (false, _) => self.archive(path, archive),
            };
        }
        if data.starts_with(b"\x7fELF") {
            return match u16_at(data, 16)? {
                elf::ET_REL if again => Ok(()),
                elf::ET_REL => self.object(data, Source::Named(path.to_path_buf())),
                elf::ET_DYN if !self.options.fixed => self.shared(path, data, state),
                _ => Err(Declined("a kind of file")),
            };
        }
        match std::str::from_utf8(data) {
            Ok(text) if depth < DEPTH => self.script(path, text, state, again, depth),
            _ => Err(Declined("a kind of file")),
        }
    }

    fn object(&mut self, data: Bytes, source: Source) -> Outcome<()> {
        let mut object = object::parse(data)?;
        object.source = source;
        for (name, members) in &object.groups {
            // The first group of a name is the program's.
            if !self.groups.insert(name) {
                for &member in members {
                    let section = &mut object.sections[member as usize];
                    (section.kept, section.dropped) = (false, true);
                }
            }
        }
        self.globals.add_object(&mut object, &self.objects, &self.options)?;
        self.objects.push(object);
        Ok(())
    }

    fn member(&mut self, archive: &Archive, at: u64, path: &Path, source: Source) -> Outcome<()> {
        let data = match archive.member(at, path)? {
            Member::Inside(data) => data,
            Member::Beside(path) => self.open(&path)?.ok_or(MISSING)?,
        };
        self.object(data, source)
    }

    /// Takes the members that define what is missing.
    fn archive(&mut self, path: &Path, mut archive: Archive) -> Outcome<()> {
        let index = archive.index()?;
        if index.iter().any(|&(name, _)| self.globals.is_common(name)) {
            return Err(Declined("a common symbol that an archive defines"));
        }
        let (mut taken, first) = (FxHashSet::default(), self.objects.len());
        loop {
            let before = taken.len();
            for &(name, member) in &index {
                if self.globals.is_missing(name) && taken.insert(member) {
                    self.member(&archive, member, path, Source::Member)?;
                }
            }
            if taken.len() == before {
                self.exclude(path, first);
                return Ok(());
            }
        }
    }

    fn whole_archive(&mut self, path: &Path, mut archive: Archive) -> Outcome<()> {
        let first = self.objects.len();
        for member in archive.members()? {
            self.member(&archive, member, path, Source::Whole)?;
        }
        self.exclude(path, first);
        Ok(())
    }

    /// `--exclude-libs`: what the objects from `first` on define is not exported.
    fn exclude(&mut self, path: &Path, first: usize) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !self.options.excluded.iter().any(|excluded| excluded == "ALL" || *excluded == name) {
            return;
        }
        for global in &mut self.globals.list {
            if matches!(global.place, Place::Object { object, .. } if object as usize >= first) {
                global.is_hidden = true;
            }
        }
    }

    fn shared(&mut self, path: &Path, data: Bytes, state: State) -> Outcome<()> {
        let library = Library::parse(data, &path.to_string_lossy())?;
        let known = self.libraries.iter().position(|known| known.soname == library.soname);
        let at = known.unwrap_or_else(|| {
            self.libraries.push(library);
            self.libraries.len() - 1
        });
        self.libraries[at].needed |= !state.as_needed;
        self.look_up(at)
    }

    /// Resolves what is missing from a library. Weak references are no reason to need it, but it
    /// serves them if it is.
    fn look_up(&mut self, at: usize) -> Outcome<()> {
        for weak in [false, true] {
            if weak && !self.libraries[at].needed {
                break;
            }
            for global in &mut self.globals.list {
                let is_open = global.place == Place::Undefined && global.visibility == elf::STV_DEFAULT;
                if !is_open || global.is_wanted == weak {
                    continue;
                }
                if let Some(symbol) = self.libraries[at].find_versioned(global.name)? {
                    global.place = Place::Library { library: at as u32, symbol };
                    self.libraries[at].needed = true;
                }
            }
        }
        Ok(())
    }

    /// `GROUP`, `INPUT` and `AS_NEEDED`, all that the scripts in place of libraries consist of.
    fn script(&mut self, path: &Path, text: &str, state: State, again: bool, depth: u32) -> Outcome<()> {
        const FORM: Declined = Declined("a linker script");
        let mut text = text.to_string();
        while let Some(start) = text.find("/*") {
            let end = text[start..].find("*/").ok_or(FORM)?;
            text.replace_range(start..start + end + 2, " ");
        }
        let text = text.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if words.next() != Some("(") {
                return Err(FORM);
            }
            let (mut open, mut as_needed) = (1, false);
            let mut inside = Vec::new();
            while open > 0 {
                match words.next() {
                    Some("(") => open += 1,
                    Some(")") => (open, as_needed) = (open - 1, false),
                    Some("AS_NEEDED") => as_needed = true,
                    Some(name) => {
                        inside.push((name, State { as_needed: as_needed || state.as_needed, ..state }));
                    }
                    None => return Err(FORM),
                }
            }
            match word {
                "OUTPUT_FORMAT" if matches!(inside[..], [("elf64-x86-64", _)]) => {}
                "INPUT" | "GROUP" => self.group(path, &inside, again, depth)?,
                _ => return Err(FORM),
            }
        }
        Ok(())
    }

    /// The files of a group are searched again as long as an archive among them gave something.
    fn group(&mut self, script: &Path, names: &[(&str, State)], again: bool, depth: u32) -> Outcome<()> {
        let mut again = again;
        loop {
            let before = self.objects.len();
            for &(name, state) in names {
                if state.as_needed && !self.globals.are_missing() {
                    continue;
                }
                if let Some(name) = name.strip_prefix("-l") {
                    self.library(name, state, again)?;
                    continue;
                }
                let beside = script.parent().map(|folder| folder.join(name)).into_iter();
                let candidates: Vec<PathBuf> = match name.starts_with('/') {
                    true => vec![PathBuf::from(name)],
                    false => beside.chain(self.options.search.iter().map(|d| d.join(name))).collect(),
                };
                let mut found = None;
                for path in candidates {
                    if let Some(data) = self.open(&path)? {
                        found = Some((path, data));
                        break;
                    }
                }
                let (path, data) = found.ok_or(MISSING)?;
                self.file(&path, data, state, again, depth + 1)?;
            }
            if self.objects.len() == before {
                return Ok(());
            }
            again = true;
        }
    }

    /// What members of archives asked for after the library was read, what the linker defines, and
    /// what nobody does.
    fn finish(&mut self) -> Outcome<()> {
        for at in 0..self.libraries.len() {
            if self.libraries[at].needed {
                self.look_up(at)?;
            }
        }
        self.decide_exports()?;
        if !self.options.fixed && !self.options.shared {
            self.check_closure()?;
        }
        let objects = &self.objects;
        self.globals.define_own(&self.options, |name| {
            objects.iter().flat_map(|o| &o.sections).any(|s| s.is_loaded() && s.name == name)
        });
        let may_miss = self.options.shared && !self.options.no_undefined;
        for global in &self.globals.list {
            let is_default = global.visibility == elf::STV_DEFAULT;
            match global.place {
                // In a program its calls are rewritten.
                Place::Undefined if !self.options.shared && global.name == THREAD_FUNCTION => {}
                Place::Undefined if global.is_wanted && !(may_miss && is_default) => {
                    return Err(Declined("a symbol nobody defines"));
                }
                Place::Library { .. } if !is_default => {
                    return Err(Declined("a hidden symbol that is not defined"));
                }
                _ => {}
            }
        }
        for name in self.objects.iter().flat_map(|object| &object.warnings) {
            if self.globals.find(name).is_some_and(|index| self.globals.list[index as usize].is_wanted) {
                return Err(Declined("a symbol whose use is worth a warning"));
            }
        }
        Ok(())
    }

    /// What other modules see, as the kind of output, the script of versions and the lists say.
    fn decide_exports(&mut self) -> Outcome<()> {
        let options = &self.options;
        for global in &mut self.globals.list {
            let is_defined = matches!(global.place, Place::Object { .. } | Place::Common { .. });
            let is_visible = matches!(global.visibility, elf::STV_DEFAULT | elf::STV_PROTECTED);
            if !is_defined || !is_visible || global.is_hidden {
                continue;
            }
            let name = base_name(global.name);
            if let Some((version, _)) = global.version {
                let at = options.versions.iter().position(|node| node.name == version);
                let at = at.ok_or(Declined("a version that no script defines"))?;
                let node = &options.versions[at];
                let listed = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(name));
                // `local: *` of its own node holds for it, too.
                if !listed(&node.global) && listed(&node.local) {
                    global.is_hidden = true;
                    continue;
                }
                global.node = Some(at as u16);
                global.is_exported = true;
                continue;
            }
            match verdict(&options.versions, name) {
                Verdict::Local => {
                    global.is_hidden = true;
                    continue;
                }
                Verdict::Global(at) if !options.versions[at].name.is_empty() => global.node = Some(at as u16),
                _ => {}
            }
            let is_listed = || options.exported.iter().any(|pattern| pattern.matches(name));
            global.is_exported = options.shared || !options.fixed && (options.export_dynamic || is_listed());
        }
        Ok(())
    }

    /// A library that others need.
    fn needed_library(&mut self, name: Bytes) -> Outcome<usize> {
        const CLOSED: Declined = Declined("a library that needs others");
        let name = std::str::from_utf8(name).map_err(|_| CLOSED)?;
        let Options { link_path, run_path, search, .. } = &self.options;
        let folders = link_path.iter().cloned().chain(run_path.iter().map(PathBuf::from)).chain(search.iter().cloned());
        let candidates: Vec<PathBuf> = folders.map(|folder| folder.join(name)).collect();
        for path in candidates {
            if let Some(data) = self.open(&path)? {
                self.libraries.push(Library::parse(data, name)?);
                return Ok(self.libraries.len() - 1);
            }
        }
        Err(CLOSED)
    }

    /// What the libraries need themselves must have been seen, too: the program may have to export
    /// something to it, and what they leave undefined must be somewhere.
    fn check_closure(&mut self) -> Outcome<()> {
        const LOADER: &[u8] = b"ld-linux-x86-64.so.2";
        let mut done = 0;
        let mut waiting: Vec<usize> = (0..self.libraries.len()).filter(|&at| self.libraries[at].needed).collect();
        while done < waiting.len() {
            let needs = self.libraries[waiting[done]].needs.clone();
            done += 1;
            for name in needs {
                let at = match self.libraries.iter().position(|l| l.soname == name) {
                    // It is always there.
                    None if name == LOADER => continue,
                    Some(at) => at,
                    None => self.needed_library(name)?,
                };
                if !waiting.contains(&at) {
                    waiting.push(at);
                }
            }
        }
        for &at in &waiting {
            self.globals.export_to(&self.libraries[at])?;
        }
        if self.options.shared_undefined {
            return Ok(());
        }
        for &at in &waiting {
            // The C library's own parts fit together.
            if self.libraries[at].needs.contains(&LOADER) || self.libraries[at].soname == LOADER {
                continue;
            }
            for name in self.libraries[at].wanted()? {
                let is_here = self.globals.find(name).is_some_and(|index| {
                    let global = &self.globals.list[index as usize];
                    !matches!(global.place, Place::Undefined)
                });
                let hash = library::hash(name);
                let mut found = is_here || name == THREAD_FUNCTION;
                for &other in waiting.iter().filter(|_| !is_here) {
                    found = found || self.libraries[other].find_any(name, hash)?;
                }
                if !found {
                    return Err(Declined("a symbol nobody defines"));
                }
            }
        }
        Ok(())
    }
}
