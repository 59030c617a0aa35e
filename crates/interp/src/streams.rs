//! An open stream of a program that is run with all checks: a file of the system, or one of the
//! interpreter's own standard streams.

use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom, Write};

use base::Loc;

/// How much is read at once, and how much is kept before it is written.
const BUFFER: usize = 1 << 16;

/// What is behind a stream.
pub(crate) enum Handle {
    File(File),
    Input,
    Output,
    Errors,
}

/// An open stream, or what is left of it after `fclose`.
pub(crate) struct Stream {
    pub(crate) handle: Option<Handle>,
    /// What was read from the file; the program has had the part before `at`.
    pub(crate) buffer: Vec<u8>,
    pub(crate) at: usize,
    /// What is still to be written.
    pending: Vec<u8>,
    readable: bool,
    writable: bool,
    pub(crate) append: bool,
    pub(crate) ended: bool,
    pub(crate) failed: bool,
    /// Where it was opened and closed.
    pub(crate) opened: Loc,
    pub(crate) closed: Loc,
}

impl Stream {
    /// A stream that nothing was done with.
    pub(crate) fn new(handle: Handle, readable: bool, writable: bool) -> Stream {
        Stream {
            handle: Some(handle),
            buffer: Vec::new(),
            at: 0,
            pending: Vec::new(),
            readable,
            writable,
            append: false,
            ended: false,
            failed: false,
            opened: Loc::NONE,
            closed: Loc::NONE,
        }
    }

    /// Reads more into the buffer; false at the end of the file.
    pub(crate) fn fill(&mut self) -> bool {
        if !self.readable {
            self.failed = true;
            return false;
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        self.flush();
        let before = self.buffer.len();
        let read = match &mut self.handle {
            Some(Handle::File(file)) => {
                let mut chunk = vec![0; BUFFER];
                file.read(&mut chunk).map(|count| self.buffer.extend_from_slice(&chunk[..count]))
            }
            Some(Handle::Input) => std::io::stdin().lock().read_until(b'\n', &mut self.buffer).map(drop),
            _ => Ok(()),
        };
        self.failed |= read.is_err();
        self.ended |= self.buffer.len() == before;
        self.buffer.len() > before
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        if self.at == self.buffer.len() && !self.fill() {
            return None;
        }
        self.at += 1;
        Some(self.buffer[self.at - 1])
    }

    /// `ungetc`
    pub(crate) fn put_back(&mut self, byte: u8) {
        self.ended = false;
        match self.at {
            0 => self.buffer.insert(0, byte),
            _ => {
                self.at -= 1;
                self.buffer[self.at] = byte;
            }
        }
    }

    /// Writes what is pending.
    pub(crate) fn flush(&mut self) -> bool {
        let pending = std::mem::take(&mut self.pending);
        let done = match &mut self.handle {
            _ if pending.is_empty() => Ok(()),
            Some(Handle::File(file)) => {
                let place = if self.append { file.seek(SeekFrom::End(0)).map(drop) } else { Ok(()) };
                place.and_then(|()| file.write_all(&pending))
            }
            Some(Handle::Errors) => std::io::stderr().write_all(&pending),
            _ => Ok(()),
        };
        self.failed |= done.is_err();
        done.is_ok()
    }

    /// Writes at the program's position; false if that is not possible.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> bool {
        if !self.writable {
            self.failed = true;
            return false;
        }
        let unread = self.buffer.len() - self.at;
        if unread > 0 {
            self.move_to(SeekFrom::Current(-(unread as i64)));
        }
        self.pending.extend_from_slice(bytes);
        match self.handle {
            Some(Handle::Errors) => self.flush(),
            _ => self.pending.len() < BUFFER || self.flush(),
        }
    }

    /// Moves the file's own position and forgets what was read.
    fn move_to(&mut self, place: SeekFrom) -> bool {
        let flushed = self.flush();
        (self.buffer, self.at) = (Vec::new(), 0);
        match &mut self.handle {
            Some(Handle::File(file)) => flushed && file.seek(place).is_ok(),
            _ => false,
        }
    }

    /// `fseek`
    pub(crate) fn seek(&mut self, offset: i64, origin: i32) -> bool {
        let unread = (self.buffer.len() - self.at) as i64;
        self.ended = false;
        match (origin, u64::try_from(offset)) {
            (0, Ok(offset)) => self.move_to(SeekFrom::Start(offset)),
            (1, _) => self.move_to(SeekFrom::Current(offset - unread)),
            (2, _) => self.move_to(SeekFrom::End(offset)),
            _ => false,
        }
    }

    /// `ftell`
    pub(crate) fn tell(&mut self) -> Option<u64> {
        let unread = (self.buffer.len() - self.at) as u64;
        self.flush();
        match &mut self.handle {
            Some(Handle::File(file)) => file.stream_position().ok()?.checked_sub(unread),
            _ => None,
        }
    }
}
