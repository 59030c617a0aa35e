//! Sections that leave their object when it is complete: subsections other than 0 of inline asm,
//! which are appended to their sections, and those for a file of their own.
//!
//! Until then each is a section of its own ([`crate::SectionSpec::subsection`]), so that functions
//! can add to it at any time. As in GNU `as`, a section's subsections follow each other in the
//! order of their numbers.

use crate::{
    builder::ObjectBuilder,
    sections::{SectionData, SectionId, SectionSpec},
    symbols::Place,
};

impl ObjectBuilder {
    /// Moves every subsection into its section.
    pub(crate) fn fold_subsections(&mut self) {
        let mut parts: Vec<SectionId> =
            self.sections().filter(|(_, s)| s.spec.subsection != 0).map(|(id, _)| id).collect();
        if parts.is_empty() {
            return;
        }
        parts.sort_by_key(|&id| (self.section_data(id).spec.subsection, id));
        // Where each part goes: its section and the offset there.
        let mut moved = vec![None; self.sections.len()];
        for part in parts {
            let empty = SectionData::new(SectionSpec::text(""));
            let data = std::mem::replace(self.section_data_mut(part), empty);
            let whole = self.section(&SectionSpec { subsection: 0, ..data.spec.clone() });
            let at = if data.is_zero_filled() {
                self.append_zeros(whole, data.align, data.zeros)
            } else {
                self.append(whole, data.align, &data.bytes)
            };
            for mut reloc in data.relocs {
                reloc.offset += at;
                self.section_data_mut(whole).relocs.push(reloc);
            }
            moved[part.index()] = Some((whole, at));
        }
        self.renumber(&moved);
    }

    /// Takes out the sections for a file of its own (`-gsplit-dwarf`): those whose names end in
    /// `.dwo`, if there are any.
    pub fn take_split(&mut self) -> Option<ObjectBuilder> {
        let mut split = ObjectBuilder::new();
        split.compress_debug = self.compress_debug;
        let mut moved = vec![None; self.sections.len()];
        for (section, moved) in self.sections.iter_mut().zip(&mut moved) {
            if section.spec.name.ends_with(".dwo") && section.relocs.is_empty() {
                let bytes = std::mem::take(&mut section.bytes);
                let target = split.section(&section.spec);
                split.append(target, section.align, &bytes);
                // Nothing lies there that would have to follow.
                *moved = Some((SectionId(0), 0));
            }
        }
        if split.sections.is_empty() {
            return None;
        }
        self.renumber(&moved);
        Some(split)
    }

    /// Removes the sections that were moved. Places in them become places in their sections.
    fn renumber(&mut self, moved: &[Option<(SectionId, u64)>]) {
        let is_moved = |id: usize| moved.get(id).is_some_and(Option::is_some);
        let mut numbers = Vec::with_capacity(self.sections.len());
        let mut next = 0;
        for id in 0..self.sections.len() {
            numbers.push(SectionId(next));
            next += u32::from(!is_moved(id));
        }
        let place = |section: SectionId, at: u64| match moved.get(section.index()).copied().flatten() {
            Some((whole, start)) => (numbers[whole.index()], start + at),
            None => (numbers[section.index()], at),
        };
        for symbol in &mut self.symbols {
            if let Place::Section(section, at) = symbol.place {
                let (section, at) = place(section, at);
                symbol.place = Place::Section(section, at);
            }
        }
        for frame in self.frames.as_mut_slice() {
            (frame.section, frame.start) = place(frame.section, frame.start);
        }
        let mut id = 0;
        self.sections.retain(|_| {
            id += 1;
            !is_moved(id - 1)
        });
        self.forget_section_numbers();
    }
}
