//! Names of the sections that are made here.

pub const INTERPRETER: &[u8] = b".interp";
pub const BUILD_ID: &[u8] = b".note.gnu.build-id";
pub const HASH: &[u8] = b".gnu.hash";
pub const SYMBOLS: &[u8] = b".dynsym";
pub const STRINGS: &[u8] = b".dynstr";
pub const VERSIONS: &[u8] = b".gnu.version";
pub const NEEDED_VERSIONS: &[u8] = b".gnu.version_r";
pub const DEFINED_VERSIONS: &[u8] = b".gnu.version_d";
pub const RELOCATIONS: &[u8] = b".rela.dyn";
pub const CALL_RELOCATIONS: &[u8] = b".rela.plt";
pub const FRAME_TABLE: &[u8] = b".eh_frame_hdr";
pub const CALLS: &[u8] = b".plt";
pub const DYNAMIC: &[u8] = b".dynamic";
pub const TABLE: &[u8] = b".got";
pub const CALL_TABLE: &[u8] = b".got.plt";
pub const ZEROS: &[u8] = b".bss";
