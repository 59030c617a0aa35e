//! What a function's asm statements put into other sections, and the symbols that they define.

use super::{Merge, ObjectBuilder};
use crate::{function_code::ExtraSymbol, relocations::SymbolRef, sections::SectionId, symbols::Place};

impl ObjectBuilder {
    /// Appends the pieces. Their relocations come later, because pieces may refer to each other.
    pub(super) fn place_pieces(&mut self, merge: &mut Merge<'_>) {
        for (index, piece) in merge.code.pieces.iter().enumerate() {
            if let Some(place) = piece.unless.and_then(|symbol| self.earlier_piece(merge, index, symbol)) {
                merge.pieces.push(place);
                merge.dropped.push(index);
                continue;
            }
            let section = self.section(&piece.section);
            let offset = if piece.bytes.is_empty() {
                self.sections[section.index()].size()
            } else {
                self.append(section, u64::from(piece.align), &piece.bytes)
            };
            merge.pieces.push((section, offset));
        }
    }

    /// Where an earlier piece begins with a symbol, of this function or of one before.
    fn earlier_piece(&mut self, merge: &mut Merge<'_>, index: usize, symbol: SymbolRef) -> Option<(SectionId, u64)> {
        let (wanted, _) = self.resolve(merge, symbol);
        if let Place::Section(section, at) = self.symbols[wanted.index()].place {
            return Some((section, at));
        }
        (0..index).find_map(|earlier| {
            let (symbol, _) = self.resolve(merge, merge.code.pieces[earlier].unless?);
            (symbol == wanted).then(|| merge.pieces[earlier])
        })
    }

    pub(super) fn relocate_pieces(&mut self, merge: &mut Merge<'_>) {
        for (index, piece) in merge.code.pieces.iter().enumerate() {
            if merge.dropped.contains(&index) {
                continue;
            }
            let (section, offset) = merge.pieces[index];
            for reloc in &piece.relocs {
                let (symbol, delta) = self.resolve(merge, reloc.symbol);
                let addend = reloc.addend + delta;
                self.add_relocation(section, offset + u64::from(reloc.offset), reloc.kind, symbol, addend);
            }
        }
    }

    pub(super) fn append_definitions(&mut self, merge: &mut Merge<'_>) {
        let is_dropped = |at: SymbolRef| match at.extra_index().map(|extra| &merge.code.extras[extra as usize]) {
            Some(ExtraSymbol::Piece { piece, .. }) => merge.dropped.contains(&(*piece as usize)),
            _ => false,
        };
        let definitions = merge.code.definitions.iter().filter(|definition| !definition.at.is_some_and(is_dropped));
        for definition in definitions.collect::<Vec<_>>() {
            let (symbol, _) = self.resolve(merge, definition.symbol);
            if let Some(at) = definition.at {
                let (section, at) = self.resolve_place(merge, at);
                self.define_once(symbol, section, at);
            }
            if let Some(binding) = definition.binding {
                self.bind(symbol, binding);
            }
            let entry = &mut self.symbols[symbol.index()];
            entry.visibility = definition.visibility.unwrap_or(entry.visibility);
            entry.kind = definition.kind.unwrap_or(entry.kind);
            entry.size = definition.size.unwrap_or(entry.size);
        }
    }
}
