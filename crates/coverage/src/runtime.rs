//! What `libgcov` is given: `struct gcov_info` and `struct gcov_fn_info` of gcc 12's `libgcov.h`,
//! and the functions that hand it over when the program starts and ends.

use ir::{DataObject, DataReloc, Module, RelocTarget, Signature, SymbolId};

use crate::{Covered, VERSION, checksum, instrument};

/// Kinds of counters that gcc 12 knows; arcs are the first.
const KINDS: usize = 8;

/// gcc's priority: before all constructors of the program's, after all its destructors.
const PRIORITY: u16 = 100;

/// The bytes of a table and the addresses in it.
#[derive(Default)]
struct Table {
    bytes: Vec<u8>,
    relocs: Vec<DataReloc>,
}

impl Table {
    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }

    fn address(&mut self, symbol: Option<SymbolId>) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let offset = self.bytes.len() as u64;
        let target = symbol.map(RelocTarget::Symbol);
        self.relocs.extend(target.map(|target| DataReloc { offset, size: 8, target, addend: 0 }));
        self.bytes.extend([0; 8]);
    }

    fn define(self, module: &mut Module, symbol: SymbolId) {
        let (size, bytes, relocs) = (self.bytes.len() as u64, self.bytes, self.relocs);
        module.define_data(DataObject { size, bytes, relocs, ..instrument::zeros(symbol) });
    }
}

/// Hands the counters to the library. `counters` are indices in `functions` and arrays.
pub fn register(module: &mut Module, functions: &[Covered], counters: &[(usize, SymbolId)], file: &str, stamp: u32) {
    if counters.is_empty() {
        return;
    }
    let info = instrument::local(module, ".LPBX0");
    let mut list = Table::default();
    let mut sum = 0;
    for &(at, array) in counters {
        let covered = &functions[at];
        let mut table = Table::default();
        table.address(Some(info));
        for word in [covered.ident, covered.lines_checksum, covered.graph_checksum] {
            table.word(word);
            sum = checksum::number(sum, word);
        }
        table.word(0);
        table.word(covered.graph.counters().count() as u32);
        table.address(Some(array));
        let symbol = instrument::local(module, &format!("__gcov_.{}", covered.name));
        table.define(module, symbol);
        list.address(Some(symbol));
    }
    let functions = instrument::local(module, ".LPBX1");
    list.define(module, functions);
    let name = module.add_private_data(|symbol| DataObject::string(symbol, file.as_bytes()));
    module.symbols[name].referenced = true;
    let merge = external(module, "__gcov_merge_add");
    let mut table = Table::default();
    table.word(VERSION);
    table.address(None);
    table.word(stamp);
    table.word(sum);
    table.address(Some(name));
    (0..KINDS).for_each(|kind| table.address((kind == 0).then_some(merge)));
    table.word(counters.len() as u32);
    table.address(Some(functions));
    table.define(module, info);
    let start = function(module, "_sub_I_00100_0", "__gcov_init", Some(info));
    module.init_fini.push((true, Some(PRIORITY), start));
    let end = function(module, "_sub_D_00100_1", "__gcov_exit", None);
    module.init_fini.push((false, Some(PRIORITY), end));
}

fn external(module: &mut Module, name: &str) -> SymbolId {
    let symbol = module.external_function(name, Signature::default());
    module.symbols[symbol].referenced = true;
    symbol
}

/// A local function that makes one call, with an address or nothing as its argument.
fn function(module: &mut Module, name: &str, callee: &str, argument: Option<SymbolId>) -> SymbolId {
    let argument = argument.map(ir::caller::Argument::Address);
    ir::caller::define(module, name, &[(callee, argument.as_slice())])
}
