//! The texts of files: read once, mapped when large, and where their lines are.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Files at least this long are mapped; below, reading is faster than the page faults of a mapping.
const MAP_THRESHOLD: u64 = 512 << 10;

/// The bytes of a source text, always ending in one NUL that is not part of it.
pub enum SourceText {
    /// Read or made in memory; the last byte is the terminator.
    Owned(Box<[u8]>),
    /// Built into the compiler; the last byte is the terminator.
    Static(&'static [u8]),
    /// Mapped from a file; the last byte is the zero fill after the end of the file.
    Mapped(memmap2::Mmap),
    /// Of a file that several translation units read.
    Shared(Arc<SourceText>),
}

impl SourceText {
    /// Lets go of the memory of some bytes; who looks at them again reads them from the file again.
    /// Only a mapped text can.
    pub(super) fn let_go(&self, range: std::ops::Range<usize>) {
        if let SourceText::Mapped(map) = self {
            // SAFETY: the mapping is read-only and private: its pages are the file's, and come back
            // unchanged.
            let done =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, range.start, range.len()) };
            // It is only advice.
            drop(done);
        }
    }

    /// A text from bytes without terminator.
    pub fn from_vec(mut bytes: Vec<u8>) -> SourceText {
        bytes.push(0);
        SourceText::Owned(bytes.into_boxed_slice())
    }

    /// Reads a file, or maps it when it is large. Pipes and devices are read to their end.
    pub fn read(path: &Path) -> io::Result<SourceText> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        SourceText::read_opened(file, &metadata)
    }

    /// The same for a file that is open, with its metadata: no more system calls than needed, as
    /// there are many headers.
    pub fn read_opened(mut file: File, metadata: &Metadata) -> io::Result<SourceText> {
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let length = metadata.len();
        if metadata.is_file() && length >= MAP_THRESHOLD && !length.is_multiple_of(PAGE) {
            // SAFETY: the mapping is private and read-only; as with every compiler, a file that is
            // truncated while it is being compiled is outside what we promise. The one byte after
            // the end lies in the last, zero-filled page.
            let map = unsafe { memmap2::MmapOptions::new().len(length as usize + 1).map(&file) };
            if let Ok(map) = map {
                return Ok(SourceText::Mapped(map));
            }
        }
        if metadata.is_file() && length > 0 {
            let mut bytes = vec![0; length as usize + 1];
            match file.read_exact(&mut bytes[..length as usize]) {
                Ok(()) => return Ok(SourceText::Owned(bytes.into_boxed_slice())),
                // It became shorter meanwhile: take what there is.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => file.rewind()?,
                Err(error) => return Err(error),
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(SourceText::from_vec(bytes))
    }

    /// The bytes including the terminating NUL.
    pub fn bytes(&self) -> &[u8] {
        match self {
            SourceText::Owned(bytes) => bytes,
            SourceText::Static(bytes) => bytes,
            SourceText::Mapped(map) => map,
            SourceText::Shared(text) => text.bytes(),
        }
    }
}

/// The smallest page size of the supported hosts.
pub(super) const PAGE: u64 = 4096;

/// Bytes of text whose newlines are counted together.
const LINE_BLOCK: usize = 512;

pub(super) struct Source {
    pub(super) text: SourceText,
    /// Number of newlines before each block of [`LINE_BLOCK`] bytes.
    pub(super) newlines: OnceLock<Vec<u32>>,
}

impl Source {
    /// The text without its terminator.
    pub(super) fn text(&self) -> &[u8] {
        let bytes = self.text.bytes();
        &bytes[..bytes.len() - 1]
    }

    /// 0-based line of an offset. The table is made when a line is first asked for: counting
    /// newlines a block at a time is much quicker than noting where each is, and few lines are ever
    /// asked for.
    pub(super) fn line_of(&self, offset: u32) -> usize {
        let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
        let newlines = self.newlines.get_or_init(|| {
            let mut before = 0;
            let blocks = self.text().chunks(LINE_BLOCK).map(|block| {
                before += count(block) as u32;
                before
            });
            std::iter::once(0).chain(blocks).collect()
        });
        let offset = (offset as usize).min(self.text().len());
        let block = offset / LINE_BLOCK;
        newlines[block] as usize + count(&self.text()[block * LINE_BLOCK..offset])
    }

    /// Offset of the first byte of the line that holds an offset.
    pub(super) fn line_start(&self, offset: u32) -> u32 {
        let before = &self.text()[..(offset as usize).min(self.text().len())];
        memchr::memrchr(b'\n', before).map_or(0, |at| at as u32 + 1)
    }
}
