//! Before and after the program: memory laid out and initialised, constructors, `main`.

use ir::{Module, RelocTarget, SymbolDef, SymbolId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Bits;
use crate::machine::{Library, Machine};
use crate::memory::Memory;
use crate::{Trap, libc};

impl<'m> Machine<'m> {
    pub(super) fn new(module: &'m Module, fuel: u64) -> Machine<'m> {
        Machine {
            module,
            memory: Memory::default(),
            output: Vec::new(),
            fuel,
            addresses: FxHashMap::default(),
            functions: FxHashMap::default(),
            labels: FxHashMap::default(),
            label_addresses: FxHashMap::default(),
            trampolines: FxHashMap::default(),
            frames: Vec::new(),
            slots: FxHashMap::default(),
            checked: false,
            subscript: None,
            floor: 0,
            frames_made: 0,
            jump_points: Vec::new(),
            registers: FxHashMap::default(),
            returned: Vec::new(),
            library: Library::default(),
        }
    }

    /// Initialises memory and runs `main`; the exit status.
    pub(super) fn whole_program(&mut self, args: &[&str]) -> Result<i32, Trap> {
        self.initialise()?;
        let status = match self.main(args) {
            Ok(status) => status,
            Err(Trap::Exit(status)) => status,
            Err(trap) => return Err(trap),
        };
        Ok(status & 0xff)
    }

    fn make_global(&mut self, symbol: SymbolId, size: u64) -> u64 {
        let data = &self.module.symbols[symbol];
        let name = match data.name.starts_with(".L") && data.loc == base::Loc::NONE {
            true => "a string literal".into(),
            false => format!("'{}'", self.module.source_name(symbol)).into(),
        };
        self.memory.make(name, size, true, crate::memory::Kind::Global, data.loc)
    }

    pub(super) fn initialise(&mut self) -> Result<(), Trap> {
        let side_by_side = self.lay_out_sections();
        let declared_again = if self.checked { self.declared_again() } else { Vec::new() };
        // Their addresses are known only when all objects have theirs.
        self.addresses.extend(declared_again.iter().map(|&(symbol, _)| (symbol, 0)));
        for (symbol, data) in self.module.symbols.iter() {
            if self.addresses.contains_key(&symbol) {
                continue;
            }
            let address = match data.def {
                SymbolDef::Data(id) => self.make_global(symbol, self.module.data[id].size),
                SymbolDef::Common { size, .. } => self.make_global(symbol, size),
                SymbolDef::Alias(_) => continue,
                // A global register variable.
                SymbolDef::Undefined if data.register.is_some() => self.make_global(symbol, 8),
                // Weak and defined nowhere.
                SymbolDef::Undefined if data.linkage == ir::Linkage::Weak => 0,
                SymbolDef::Undefined if !data.is_function => libc::object(self, &data.name),
                _ => {
                    let address = self.memory.allocate(&data.name, 0, false);
                    self.functions.insert(address, symbol);
                    address
                }
            };
            self.addresses.insert(symbol, address);
        }
        for (symbol, data) in self.module.symbols.iter() {
            if let SymbolDef::Alias(of) = data.def {
                let address =
                    self.addresses.get(&of).copied().ok_or_else(|| Trap::Unsupported("alias of an alias".into()))?;
                self.addresses.insert(symbol, address);
            }
        }
        for (symbol, definition) in declared_again {
            let address = self.addresses.get(&definition).copied().unwrap_or(0);
            self.addresses.insert(symbol, address);
        }
        for data in self.module.data.values() {
            if !self.module.symbols[data.symbol].is_defined() {
                continue;
            }
            let address = self.addresses[&data.symbol];
            self.memory.write(address, &data.bytes[..data.bytes.len().min(data.size as usize)])?;
            for reloc in &data.relocs {
                let value = match reloc.target {
                    RelocTarget::Symbol(symbol) => self.addresses[&symbol].wrapping_add_signed(reloc.addend),
                    RelocTarget::Label { function, label } => self.label_address(function, label),
                    RelocTarget::LabelDifference { function, plus, minus } => {
                        self.label_address(function, plus).wrapping_sub(self.label_address(function, minus))
                    }
                };
                self.memory.store(address + reloc.offset, reloc.size as u64, value as u128)?;
            }
            if data.read_only && !side_by_side.contains(&data.symbol) {
                self.memory.protect(address);
            }
        }
        Ok(())
    }

    /// Symbols that are not defined where another of that name is: an assembler name may be given
    /// to several declarations.
    fn declared_again(&self) -> Vec<(SymbolId, SymbolId)> {
        let module = self.module;
        let only_inline = |data: &ir::SymbolData| data.attrs.has(ir::FnAttrs::AVAILABLE_EXTERNALLY);
        let defined = module.symbols.iter().filter(|(_, data)| data.is_defined() && !only_inline(data));
        let defined: FxHashMap<&str, SymbolId> = defined.map(|(symbol, data)| (&*data.name, symbol)).collect();
        let undefined = module.symbols.iter().filter(|(_, data)| matches!(data.def, SymbolDef::Undefined));
        undefined.filter_map(|(symbol, data)| Some((symbol, *defined.get(&*data.name)?))).collect()
    }

    /// Objects of a section that the program knows the ends of (`__start_name`, `__stop_name`) lie
    /// side by side, in order. Returns them.
    fn lay_out_sections(&mut self) -> FxHashSet<SymbolId> {
        let mut all = FxHashSet::default();
        let module = self.module;
        let end_of = |name: &str| name.strip_prefix("__start_").or(name.strip_prefix("__stop_")).map(str::to_string);
        let undefined = module.symbols.values().filter(|s| matches!(s.def, SymbolDef::Undefined) && !s.is_function);
        let mut names: Vec<String> = undefined.filter_map(|s| end_of(&s.name)).collect();
        names.sort();
        names.dedup();
        for name in names {
            let mut size = 0;
            let mut places = Vec::new();
            for (symbol, data) in module.symbols.iter() {
                if let (SymbolDef::Data(id), Some(section)) = (&data.def, &data.section)
                    && **section == *name
                {
                    let object = &module.data[*id];
                    size = u64::next_multiple_of(size, object.align.max(1) as u64);
                    places.push((symbol, size));
                    size += object.size;
                }
            }
            let start = self.memory.allocate(&name, size, true);
            all.extend(places.iter().map(|place| place.0));
            self.addresses.extend(places.into_iter().map(|(symbol, offset)| (symbol, start + offset)));
            for (end, address) in [("__start_", start), ("__stop_", start + size)] {
                if let Some(symbol) = module.find_symbol(&format!("{end}{name}")) {
                    self.addresses.insert(symbol, address);
                }
            }
        }
        all
    }

    pub(super) fn label_address(&mut self, function: SymbolId, label: u32) -> u64 {
        let first = match self.label_addresses.get(&function) {
            Some(&first) => first,
            None => {
                let first = self.memory.allocate("label", 0, false);
                self.label_addresses.insert(function, first);
                first
            }
        };
        self.labels.insert(first + label as u64, (function, label));
        first + label as u64
    }

    fn main(&mut self, args: &[&str]) -> Result<i32, Trap> {
        let main = self.module.find_symbol("main").ok_or_else(|| Trap::Unsupported("a module without main".into()))?;
        let constructors: Vec<SymbolId> = self.module.init_fini.iter().filter(|f| f.0).map(|f| f.2).collect();
        for symbol in constructors {
            self.call(symbol, &[], Vec::new())?;
        }
        let mut pointers = Vec::new();
        for arg in args {
            let address = self.memory.allocate("argument", arg.len() as u64 + 1, true);
            self.memory.write(address, arg.as_bytes())?;
            pointers.push(address);
        }
        let argv = self.memory.allocate("argv", pointers.len() as u64 * 8 + 8, true);
        for (index, &pointer) in pointers.iter().enumerate() {
            self.memory.store(argv + index as u64 * 8, 8, pointer as u128)?;
        }
        let environment = self.memory.allocate("environment", 8, true);
        let all = [
            (Type::I32, Bits::Scalar(args.len() as u128)),
            (Type::PTR, Bits::Scalar(argv as u128)),
            (Type::PTR, Bits::Scalar(environment as u128)),
        ];
        let SymbolDef::Function(id) = self.module.symbols[main].def else {
            return Err(Trap::Unsupported("a module without main's body".into()));
        };
        let wanted = self.module.functions[id].params().len();
        let status = match self.call(main, &all[..wanted.min(3)], Vec::new()) {
            Ok(results) => results.first().map_or(0, |r| r.scalar() as u32 as i32),
            Err(Trap::Exit(status)) if !self.library.quick_exit => {
                // `exit` from within: what was running is over, what was registered still runs.
                self.frames.clear();
                self.floor = 0;
                status
            }
            Err(trap) => return Err(trap),
        };
        while let Some(function) = self.library.at_exit.pop() {
            self.call_address(function, &[])?;
        }
        let destructors: Vec<SymbolId> = self.module.init_fini.iter().filter(|f| !f.0).map(|f| f.2).collect();
        for symbol in destructors {
            self.call(symbol, &[], Vec::new())?;
        }
        Ok(status)
    }
}
