//! Names of files that match one of a list of POSIX extended regular expressions, with the C
//! library's matcher, as in gcc.

use std::ffi::CString;
use std::mem::MaybeUninit;

/// A compiled expression; its place in memory is the library's.
pub struct Pattern(Box<libc::regex_t>);

impl Pattern {
    /// `None` for what is no expression.
    pub fn new(text: &str) -> Option<Pattern> {
        let text = CString::new(text).ok()?;
        let mut compiled = Box::new(MaybeUninit::<libc::regex_t>::zeroed());
        let flags = libc::REG_EXTENDED | libc::REG_NOSUB;
        // SAFETY: the text ends in a NUL and the destination is of the right type.
        let status = unsafe { libc::regcomp(compiled.as_mut_ptr(), text.as_ptr(), flags) };
        // SAFETY: `regcomp` has filled the object where it says so.
        (status == 0).then(|| Pattern(unsafe { compiled.assume_init() }))
    }

    /// Whether the expression is found anywhere in the name.
    pub fn matches(&self, name: &str) -> bool {
        let Ok(name) = CString::new(name) else { return false };
        // SAFETY: the expression was compiled, the name ends in a NUL, no places are asked for.
        unsafe { libc::regexec(&*self.0, name.as_ptr(), 0, std::ptr::null_mut(), 0) == 0 }
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: compiled, and not used again.
        unsafe { libc::regfree(&mut *self.0) };
    }
}

/// The patterns of a list; those that are none have been reported before.
pub fn compile(list: &[String]) -> Vec<Pattern> {
    list.iter().filter_map(|text| Pattern::new(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Pattern, compile};

    #[test]
    fn found_anywhere() {
        let pattern = Pattern::new("src/.*[.]c$").expect("an expression");
        assert!(pattern.matches("/x/src/a.c"));
        assert!(!pattern.matches("/x/src/a.h"));
        assert!(Pattern::new("a(").is_none());
        assert_eq!(compile(&["a".into(), "(".into()]).len(), 1);
    }
}
