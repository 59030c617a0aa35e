//! Red zones after variables of static storage duration and string literals, and the constructor
//! that tells the address sanitizer's runtime of them: what gcc's `asan_protect_global` and
//! `asan_finish_file` do.
//!
//! Left alone is what gcc leaves alone: variables of threads, in sections of the program's choice
//! (which may be walked through as one array), COMMON ones, whose definition may be another unit's,
//! and those aligned to more than two red zones. A unit without any variable still initialises
//! the runtime and asks for its version (not a kernel's).
//!
//! Runs when the symbols that stay are known, before the late passes: those take variables with a
//! red zone for larger neither. Linear in the module's data.

use ir::caller::{self, Argument};
use ir::{DataId, DataObject, DataReloc, Linkage, Module, RelocTarget, SymbolData, SymbolDef, SymbolId};
use platform::options::{Options, Sanitizers};

/// A position in the source.
pub struct Place {
    /// Its file.
    pub file: Box<str>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// The least red zone, and the alignment of what is followed by one.
const REDZONE: u64 = 32;

/// Bytes of the runtime's `__asan_global`.
const DESCRIPTION: usize = 64;

/// Protects the module's data, if the options ask for the address sanitizer. `place` says where in
/// the source a location is.
pub fn protect(module: &mut Module, options: &Options, place: impl Fn(base::Loc) -> Option<Place>) {
    if !options.sanitize.checks(Sanitizers::ANY_ADDRESS) {
        return;
    }
    let kernel = options.sanitize.checks(Sanitizers::KERNEL_ADDRESS);
    // A kernel registers its variables like any constructor, and has no second definitions.
    let (priority, number) = if kernel { (None, 65535) } else { (Some(caller::FIRST), u32::from(caller::FIRST)) };
    let ids: Vec<DataId> = module.data.keys().filter(|_| options.sanitize.address.globals).collect();
    let chosen: Vec<DataId> = ids.into_iter().filter(|&id| is_protected(module, id)).collect();
    let unit = text(module, &options.input_name);
    let mut table = Table::default();
    for id in chosen {
        widen(&mut module.data[id]);
        describe(module, &mut table, id, unit, !kernel, &place);
    }
    let count = table.bytes.len() / DESCRIPTION;
    let table = (count > 0).then(|| {
        add(module, ".LASANGLOBALS", |symbol| DataObject {
            relocs: table.relocs,
            align: 32,
            ..object(symbol, table.bytes)
        })
    });
    let list = table.map(|table| [Argument::Address(table), Argument::Number(count as i64)]);
    if let Some(list) = &list {
        let call: (_, &[_]) = ("__asan_unregister_globals", list);
        let function = caller::define(module, &format!("_sub_D_{number:05}_0"), &[call]);
        module.init_fini.push((false, priority, function));
    }
    let mut calls: Vec<(&str, &[Argument])> = Vec::new();
    if !kernel {
        calls.extend([("__asan_init", &[][..]), ("__asan_version_mismatch_check_v8", &[])]);
    }
    calls.extend(list.iter().map(|list| ("__asan_register_globals", &list[..])));
    if !calls.is_empty() {
        let function = caller::define(module, &format!("_sub_I_{number:05}_1"), &calls);
        module.init_fini.push((true, priority, function));
    }
}

/// Whether an object gets a red zone.
fn is_protected(module: &Module, id: DataId) -> bool {
    let object = &module.data[id];
    let symbol = &module.symbols[object.symbol];
    let is_literal = object.mergeable_string > 0;
    symbol.def == SymbolDef::Data(id)
        && (is_literal || !symbol.name.starts_with(".L"))
        && symbol.tls.is_none()
        && symbol.section.is_none()
        && object.size > 0
        && u64::from(object.align) <= 2 * REDZONE
}

fn widen(object: &mut DataObject) {
    object.align = object.align.max(REDZONE as u32);
    object.redzone = object.size.next_multiple_of(REDZONE) + REDZONE - object.size;
    // What is merged has no place of its own.
    object.mergeable_string = 0;
    object.unnamed_addr = false;
}

/// The runtime's table: its bytes and the addresses in it.
#[derive(Default)]
struct Table {
    bytes: Vec<u8>,
    relocs: Vec<DataReloc>,
}

impl Table {
    fn number(&mut self, number: u64) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn address(&mut self, symbol: SymbolId) {
        let offset = self.bytes.len() as u64;
        self.relocs.push(DataReloc { offset, size: 8, target: RelocTarget::Symbol(symbol), addend: 0 });
        self.number(0);
    }
}

/// Adds an object to the table: address, sizes without and with red zone, name, unit, whether it is
/// initialised at run time (never in C), place, and a byte that is defined once in the program if
/// the object is.
fn describe(
    module: &mut Module,
    table: &mut Table,
    id: DataId,
    unit: SymbolId,
    indicates: bool,
    place: &impl Fn(base::Loc) -> Option<Place>,
) {
    let (symbol, size, redzone) = {
        let object = &module.data[id];
        (object.symbol, object.size, object.redzone)
    };
    let data = &module.symbols[symbol];
    let (linkage, loc) = (data.linkage, data.loc);
    let is_literal = data.name.starts_with(".L");
    let name = if is_literal { format!("*{}", data.name) } else { module.source_name(symbol).to_owned() };
    // The description is of this unit's object, whichever the name means in the end.
    let own = if linkage == Linkage::Local { symbol } else { local_name(module, symbol) };
    table.address(own);
    table.number(size);
    table.number(size + redzone);
    let text = text(module, &name);
    table.address(text);
    table.address(unit);
    table.number(0);
    match place(loc).filter(|_| !is_literal && !loc.is_none()) {
        Some(place) => {
            let place = source_place(module, &place);
            table.address(place);
        }
        None => table.number(0),
    }
    match linkage {
        Linkage::Global if indicates => {
            let indicator = indicator(module, symbol, &name);
            table.address(indicator);
        }
        _ => table.number(0),
    }
}

fn local_name(module: &mut Module, symbol: SymbolId) -> SymbolId {
    let mut data = SymbolData::undefined(&format!(".LASAN{}", symbol.as_u32()), false);
    data.linkage = Linkage::Local;
    data.def = SymbolDef::Alias(symbol);
    data.referenced = true;
    module.add_symbol(data)
}

/// File name, line and column.
fn source_place(module: &mut Module, place: &Place) -> SymbolId {
    let file = text(module, &place.file);
    let mut table = Table::default();
    table.address(file);
    table.bytes.extend(place.line.to_le_bytes());
    table.bytes.extend(place.column.to_le_bytes());
    module.add_private_data(|symbol| DataObject { relocs: table.relocs, ..object(symbol, table.bytes) })
}

/// The byte whose address tells two definitions of a name apart.
fn indicator(module: &mut Module, of: SymbolId, name: &str) -> SymbolId {
    let visibility = module.symbols[of].visibility;
    let symbol = add(module, &format!("__odr_asan.{name}"), |symbol| DataObject {
        size: 1,
        align: 1,
        ..object(symbol, Vec::new())
    });
    let data = &mut module.symbols[symbol];
    data.linkage = Linkage::Global;
    data.visibility = visibility;
    symbol
}

fn text(module: &mut Module, text: &str) -> SymbolId {
    let symbol = module.add_private_data(|symbol| DataObject::string(symbol, text.as_bytes()));
    module.symbols[symbol].referenced = true;
    symbol
}

fn object(symbol: SymbolId, bytes: Vec<u8>) -> DataObject {
    DataObject {
        symbol,
        size: bytes.len() as u64,
        align: 8,
        bytes,
        relocs: Vec::new(),
        read_only: false,
        constant: false,
        mergeable_string: 0,
        unnamed_addr: false,
        redzone: 0,
    }
}

fn add(module: &mut Module, name: &str, make: impl FnOnce(SymbolId) -> DataObject) -> SymbolId {
    let mut data = SymbolData::undefined(name, false);
    data.linkage = Linkage::Local;
    data.referenced = true;
    let symbol = module.add_symbol(data);
    module.define_data(make(symbol));
    symbol
}
