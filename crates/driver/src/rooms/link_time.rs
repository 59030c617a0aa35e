//! `-flto`: the section in which an object holds the IR that it was made of, beside its code. An
//! object is whole without it, so everything that reads objects may pass the section over.
//!
//! Two lines of text (who wrote it; the object's names, and the options that code depends on), then
//! the module's text, compressed.

use super::Job;
use elf_object::read::{Object, ObjectSection, ObjectSymbol};
use object::sections::{section_flags, section_type};
use object::{ObjectBuilder, SectionSpec};

/// Its name.
pub const SECTION: &str = ".tcc-rs.ir";

/// The first line; other versions write other IR.
const HEAD: &str = concat!("tcc-rs ", env!("CARGO_PKG_VERSION"), " IR 1\n");

/// What stands between two options in the second line.
const BETWEEN: char = '\x1f';

/// How hard the text is compressed: most of the gain for little time.
const EFFORT: u8 = 1;

/// The largest text that is read back.
const LARGEST: usize = 1 << 30;

/// The IR of an object, as its section holds it.
pub struct Held {
    /// The options of the compilation that its code depends on.
    pub options: Vec<String>,
    /// See [`summary`].
    pub names: String,
    /// The module.
    pub text: String,
}

/// The text of a module that `-flto` keeps; none for modules whose text would not say everything:
/// file-scope assembly, registers of their own, debug information, places in the source for
/// sanitizers.
pub fn text(job: &Job<'_>, module: &ir::Module) -> Option<String> {
    let options = job.options;
    options.link_time.as_ref()?;
    let is_whole = module.file_asm.is_empty()
        && module.reserved_registers.is_empty()
        && module.label_prefix.is_empty()
        && !module.needs_executable_stack
        && module.symbols.values().all(|symbol| symbol.symver.is_none() && !symbol.large)
        && options.codegen.debug_level == 0
        && options.sanitize.enabled.is_empty()
        && options.sanitize.coverage == platform::options::TraceCoverage::default()
        && options.optimizing();
    is_whole.then(|| ir::text::module_to_string(module))
}

/// Adds the section. The object's names are not known yet: [`seal`] writes them.
pub fn add(job: &Job<'_>, builder: &mut ObjectBuilder, text: &str) {
    let Some(options) = &job.options.link_time else { return };
    let names = summary(Vec::new());
    let mut bytes = format!("{HEAD}{names}{BETWEEN}{options}\n").into_bytes();
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), EFFORT));
    let section = builder.section(&SectionSpec::new(SECTION, section_type::PROGBITS, section_flags::EXCLUDE));
    builder.append(section, 1, &bytes);
}

/// Writes the summary of the names into the section of an object that has one.
pub fn seal(bytes: &mut [u8]) {
    let Ok(file) = elf_object::read::elf::ElfFile64::<elf_object::Endianness>::parse(&*bytes) else { return };
    let Some((offset, _)) = file.section_by_name(SECTION).and_then(|section| section.file_range()) else { return };
    let globals = file.symbols().filter(|symbol| symbol.is_global());
    let names = summary(globals.filter_map(|symbol| Some((symbol.name().ok()?, symbol.is_undefined()))).collect());
    let start = offset as usize + HEAD.len();
    bytes[start..start + names.len()].copy_from_slice(names.as_bytes());
}

/// Reads the section. The error says why it is of no use.
pub fn read(bytes: &[u8]) -> Result<Held, &'static str> {
    let rest = bytes.strip_prefix(HEAD.as_bytes()).ok_or("its IR is of another version of the compiler")?;
    const DAMAGED: &str = "its IR is damaged";
    let end = rest.iter().position(|&c| c == b'\n').ok_or(DAMAGED)?;
    let line = std::str::from_utf8(&rest[..end]).map_err(|_| DAMAGED)?;
    let (names, options) = line.split_once(BETWEEN).ok_or(DAMAGED)?;
    let text = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&rest[end + 1..], LARGEST);
    let text = text.ok().and_then(|text| String::from_utf8(text).ok()).ok_or(DAMAGED)?;
    let options = options.split(BETWEEN).filter(|option| !option.is_empty()).map(str::to_string).collect();
    Ok(Held { options, names: names.to_string(), text })
}

/// What [`platform::options::Options::link_time`] holds: the options that code depends on.
pub fn join<'a>(options: impl Iterator<Item = &'a str>) -> Box<str> {
    options.collect::<Vec<_>>().join(&BETWEEN.to_string()).into()
}

/// A number of a fixed width that stands for an object's global names, each with whether it is
/// undefined, to notice what was done to the object since (`ld -r`, `objcopy`): the IR does not
/// know of it. FNV-1a.
pub fn summary(mut names: Vec<(&str, bool)>) -> String {
    names.sort_unstable();
    let bytes = names.iter().flat_map(|&(name, is_undefined)| name.bytes().chain([0, u8::from(is_undefined)]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}
