//! `--gc-sections`: sections that nothing refers to are left out. Marks from what is always there,
//! as GNU ld does: the entry, what other modules see, the arrays of functions that the start code
//! runs, notes, and sections marked to be retained.

use crate::frames;
use crate::inputs::Inputs;
use crate::object::Section;
use crate::read::relocations;
use crate::symbols::{Own, Place};
use crate::{Declined, Outcome};
use elf_object::elf;
use rustc_hash::FxHashMap;

type Id = (u32, u32);

struct Marker<'a, 'b> {
    inputs: &'a Inputs<'b>,
    marked: Vec<Vec<bool>>,
    waiting: Vec<Id>,
    /// Sections by name, for `__start_NAME`.
    named: FxHashMap<&'static [u8], Vec<Id>>,
    /// What a section keeps besides what its relocations name: its group, its frames' tables and
    /// personality.
    with: FxHashMap<Id, Vec<Id>>,
}

/// Leave out what is not reached.
pub fn sweep(inputs: &mut Inputs) -> Outcome<()> {
    let marked = mark(inputs)?;
    for (object, marked) in inputs.objects.iter_mut().zip(marked) {
        let is_used = object.sections.iter().zip(&marked).any(|(s, marked)| *marked && s.is_loaded());
        for (section, marked) in object.sections.iter_mut().zip(marked) {
            let is_debug = section.name.starts_with(b".debug") || section.name.starts_with(b".zdebug");
            let stays = match section.is_loaded() {
                true => marked || section.name == frames::NAME,
                false => is_used || !is_debug,
            };
            if section.kept && !stays {
                (section.kept, section.dropped) = (false, true);
            }
        }
    }
    Ok(())
}

fn mark(inputs: &Inputs) -> Outcome<Vec<Vec<bool>>> {
    let marked = inputs.objects.iter().map(|object| vec![false; object.sections.len()]).collect();
    let mut marker =
        Marker { inputs, marked, waiting: Vec::new(), named: FxHashMap::default(), with: FxHashMap::default() };
    marker.collect()?;
    marker.roots();
    while let Some((object, section)) = marker.waiting.pop() {
        for id in marker.with.remove(&(object, section)).unwrap_or_default() {
            marker.section(id);
        }
        let this = &inputs.objects[object as usize];
        for relocation in relocations(this.sections[section as usize].relocations) {
            marker.symbol(object, relocation.symbol)?;
        }
    }
    Ok(marker.marked)
}

fn is_root(section: &Section) -> bool {
    const KEPT: [&[u8]; 7] =
        [b".init", b".fini", b".init_array", b".fini_array", b".preinit_array", b".ctors", b".dtors"];
    let is_named = KEPT
        .iter()
        .any(|name| section.name.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with(b".")));
    is_named || section.kind == elf::SHT_NOTE || section.flags & u64::from(elf::SHF_GNU_RETAIN) != 0
}

impl Marker<'_, '_> {
    /// Names, groups and frames.
    fn collect(&mut self) -> Outcome<()> {
        for (at, object) in self.inputs.objects.iter().enumerate() {
            let at = at as u32;
            for (index, section) in object.sections.iter().enumerate().filter(|(_, s)| s.is_loaded()) {
                self.named.entry(section.name).or_default().push((at, index as u32));
                if section.name == frames::NAME {
                    for (function, symbols) in frames::references(object, section)? {
                        let targets = symbols.into_iter().filter_map(|symbol| self.place(at, symbol));
                        let targets: Vec<Id> = targets.collect();
                        self.with.entry((at, function)).or_default().extend(targets);
                    }
                }
            }
            for (_, members) in &object.groups {
                // A ring: whichever is reached reaches the others.
                let is_loaded = |member: &&u32| object.sections[**member as usize].is_loaded();
                let members: Vec<u32> = members.iter().filter(is_loaded).copied().collect();
                for (i, &member) in members.iter().enumerate() {
                    self.with.entry((at, member)).or_default().push((at, members[(i + 1) % members.len()]));
                }
            }
        }
        Ok(())
    }

    fn roots(&mut self) {
        let inputs = self.inputs;
        for (at, object) in inputs.objects.iter().enumerate() {
            for (index, section) in object.sections.iter().enumerate() {
                if section.is_loaded() && is_root(section) {
                    self.section((at as u32, index as u32));
                }
            }
        }
        let options = &inputs.options;
        let entry = options.entry.or((!options.shared).then_some(b"_start"));
        let based = options.definitions.iter().filter_map(|definition| definition.base);
        for name in entry.into_iter().chain(options.undefined.iter().copied()).chain(based) {
            if let Some(index) = inputs.globals.find(name) {
                self.global(index);
            }
        }
        for index in 0..inputs.globals.list.len() {
            if inputs.globals.list[index].is_exported {
                self.global(index as u32);
            }
        }
    }

    fn section(&mut self, id: Id) {
        let section = &self.inputs.objects[id.0 as usize].sections[id.1 as usize];
        let marked = &mut self.marked[id.0 as usize][id.1 as usize];
        if section.is_loaded() && !*marked {
            *marked = true;
            self.waiting.push(id);
        }
    }

    fn global(&mut self, index: u32) {
        match self.inputs.globals.list[index as usize].place {
            Place::Object { object, symbol, .. } => {
                let section = self.inputs.objects[object as usize].symbols[symbol as usize].section;
                if section != elf::SHN_ABS {
                    self.section((object, u32::from(section)));
                }
            }
            Place::Own(Own::SectionStart(name) | Own::SectionEnd(name)) => {
                for id in self.named.remove(name).unwrap_or_default() {
                    self.section(id);
                }
            }
            _ => {}
        }
    }

    /// The section in which a symbol of an object is.
    fn place(&self, object: u32, symbol: u32) -> Option<Id> {
        let symbol = self.inputs.objects[object as usize].symbols.get(symbol as usize)?;
        let in_section = |object: u32, section: u16| {
            let count = self.inputs.objects[object as usize].sections.len();
            (section != elf::SHN_UNDEF && usize::from(section) < count).then_some((object, u32::from(section)))
        };
        match symbol.global {
            u32::MAX => in_section(object, symbol.section),
            global => match self.inputs.globals.list[global as usize].place {
                Place::Object { object, symbol, .. } => {
                    in_section(object, self.inputs.objects[object as usize].symbols[symbol as usize].section)
                }
                _ => None,
            },
        }
    }

    fn symbol(&mut self, object: u32, symbol: u32) -> Outcome<()> {
        let inputs = self.inputs;
        let entry = inputs.objects[object as usize].symbols.get(symbol as usize).ok_or(Declined("a damaged file"))?;
        if entry.global != u32::MAX {
            self.global(entry.global);
        } else if let Some(id) = self.place(object, symbol) {
            self.section(id);
        }
        Ok(())
    }
}
