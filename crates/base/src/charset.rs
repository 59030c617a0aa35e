//! Conversion between character sets with the C library's `iconv`, which knows those that the
//! system has, as for gcc.

use std::ffi::CString;

/// What gcc says of text that cannot be converted.
pub const INVALID: &str = "Invalid or incomplete multibyte or wide character";

/// A conversion from one character set to another (POSIX `iconv_open`).
pub struct Converter {
    descriptor: libc::iconv_t,
}

impl Converter {
    /// The conversion of text in `from` to `to`, if the system has it.
    pub fn open(to: &str, from: &str) -> Option<Converter> {
        let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
        // SAFETY: both names end in a NUL.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor as isize != -1).then_some(Converter { descriptor })
    }

    /// Appends the whole of `text`, converted from the initial shift state on and back to it. `Err`
    /// is the offset of the first byte that has no counterpart, or the end of a text that stops
    /// inside a character; what comes before has been appended.
    pub fn convert(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), usize> {
        let (text_at, count) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut input = text.as_ptr().cast_mut().cast::<libc::c_char>();
        let mut left = text.len();
        let mut piece = [0u8; 1024];
        // SAFETY: with null pointers the descriptor returns to its initial state.
        unsafe { libc::iconv(self.descriptor, text_at, count, text_at, count) };
        let mut flushing = false;
        loop {
            let mut to = piece.as_mut_ptr().cast::<libc::c_char>();
            let mut room = piece.len();
            // SAFETY: `input` has `left` bytes, which are only read, and `to` has `room` bytes;
            // without input the state is flushed.
            let result = unsafe {
                match flushing {
                    false => libc::iconv(self.descriptor, &mut input, &mut left, &mut to, &mut room),
                    true => libc::iconv(self.descriptor, text_at, count, &mut to, &mut room),
                }
            };
            let error = std::io::Error::last_os_error().raw_os_error();
            out.extend_from_slice(&piece[..piece.len() - room]);
            match result {
                usize::MAX if error == Some(libc::E2BIG) => {}
                usize::MAX => return Err(text.len() - left),
                _ if flushing => return Ok(()),
                _ => flushing = true,
            }
        }
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open and not used again.
        unsafe { libc::iconv_close(self.descriptor) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions() {
        let mut out = Vec::new();
        let mut latin = Converter::open("ISO-8859-1", "UTF-8").unwrap();
        assert_eq!(latin.convert("aé".as_bytes(), &mut out), Ok(()));
        assert_eq!(out, [b'a', 0xe9]);
        assert_eq!(latin.convert("ab€".as_bytes(), &mut out), Err(2));
        assert_eq!(latin.convert(b"a\xc3", &mut out), Err(1));
        assert!(Converter::open("no such set", "UTF-8").is_none());
        let mut wide = Converter::open("UTF-16LE", "UTF-8").unwrap();
        out.clear();
        let text = "x".repeat(5000);
        assert_eq!(wide.convert(text.as_bytes(), &mut out), Ok(()));
        assert_eq!(out, b"x\0".repeat(5000));
    }
}
