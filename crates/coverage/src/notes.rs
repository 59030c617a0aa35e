//! The `.gcno` file: graph and lines of each function (gcc 12, `gcov-io.h`).

use crate::graph::Graph;
use crate::{Covered, VERSION, checksum};

const MAGIC: u32 = u32::from_be_bytes(*b"gcno");

const FUNCTION: u32 = 0x0100_0000;
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;

const ON_TREE: u32 = 1;
const FAKE: u32 = 2;
const FALLTHROUGH: u32 = 4;

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Its length with the zero at its end, then the text. No text has no length.
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return self.word(0);
        }
        self.word(text.len() as u32 + 1);
        self.bytes.extend(text.bytes().chain([0]));
    }

    /// A record: tag, length in bytes, contents.
    fn record(&mut self, tag: u32, contents: impl FnOnce(&mut Writer)) {
        self.word(tag);
        let at = self.bytes.len();
        self.word(0);
        contents(self);
        let length = (self.bytes.len() - at - 4) as u32;
        self.bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// The file's bytes, and its stamp. The stamp tells notes and data of different compilations apart;
/// it depends on the notes alone, so that the same source gives the same object.
pub fn write(functions: &[Covered], directory: &str) -> (Vec<u8>, u32) {
    let mut out = Writer::default();
    functions.iter().for_each(|covered| function(&mut out, covered));
    let stamp = out.bytes.iter().fold(0, |sum, &byte| checksum::byte(sum, byte));
    let mut file = Writer::default();
    file.word(MAGIC);
    file.word(VERSION);
    file.word(stamp);
    // A checksum that nothing looks at.
    file.word(0);
    file.text(directory);
    // Blocks that are never executed are marked.
    file.word(1);
    file.bytes.extend(out.bytes);
    (file.bytes, stamp)
}

fn function(out: &mut Writer, covered: &Covered) {
    out.record(FUNCTION, |out| {
        out.word(covered.ident);
        out.word(covered.lines_checksum);
        out.word(covered.graph_checksum);
        out.text(&covered.name);
        out.word(u32::from(covered.artificial));
        out.text(&covered.start.file);
        out.word(covered.start.line);
        out.word(covered.start.column);
        out.word(covered.end.line);
        out.word(covered.end.column);
    });
    let graph = &covered.graph;
    out.record(BLOCKS, |out| out.word(graph.blocks.len() as u32));
    for (at, block) in graph.blocks.iter().enumerate() {
        let arcs: Vec<_> = block.arcs.iter().filter(|arc| !arc.is_ignored()).collect();
        if at == Graph::EXIT || arcs.is_empty() {
            continue;
        }
        out.record(ARCS, |out| {
            out.word(at as u32);
            for arc in arcs {
                out.word(arc.to as u32);
                let flags = [(arc.on_tree, ON_TREE), (arc.is_fake, FAKE), (arc.falls_through, FALLTHROUGH)];
                out.word(flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum());
            }
        });
    }
    for (at, block) in graph.blocks.iter().enumerate().filter(|(_, block)| !block.lines.is_empty()) {
        out.record(LINES, |out| {
            out.word(at as u32);
            let mut known = "";
            for (file, line) in &block.lines {
                if known != &**file {
                    out.word(0);
                    out.text(file);
                    known = file;
                }
                out.word(*line);
            }
            out.word(0);
            out.word(0);
        });
    }
}
