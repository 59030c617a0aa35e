//! What a section's name says of its contents (gcc's `default_section_type_flags` and
//! `x86_64_elf_section_type_flags`).

/// Zero-filled: no contents in the file.
const ZERO_FILLED: &[&str] = &[".bss", ".sbss", ".tbss", ".lbss"];
const ZERO_FILLED_ONCE: &[&str] = &[".gnu.linkonce.b.", ".gnu.linkonce.sb.", ".gnu.linkonce.tb.", ".gnu.linkonce.lb."];

fn is_or_below(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether objects in a section of this name have no contents in the file.
pub fn is_zero_filled(name: &str) -> bool {
    ZERO_FILLED.iter().any(|base| is_or_below(name, base))
        || ZERO_FILLED_ONCE.iter().any(|prefix| name.starts_with(prefix))
        || matches!(name, ".persistent.bss" | ".noinit")
}

/// Whether a section of this name is thread-local.
pub fn is_thread_local(name: &str) -> bool {
    is_or_below(name, ".tdata")
        || is_or_below(name, ".tbss")
        || name.starts_with(".gnu.linkonce.td.")
        || name.starts_with(".gnu.linkonce.tb.")
}

/// Whether a section of this name is for objects beyond 2 GiB (the medium code model).
pub fn is_large(name: &str) -> bool {
    [".ldata", ".lbss", ".lrodata"].iter().any(|base| is_or_below(name, base))
}
