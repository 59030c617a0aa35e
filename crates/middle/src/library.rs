//! What the passes need of the C library ([`ir::library`]). They run on functions while the module
//! is shared, so [`Library::declare`] makes beforehand whatever symbols, signatures and string
//! literals they could need.

use ir::library::{FUNCTIONS, find, letter};
pub use ir::library::{has_expected_types, is_call, is_known, library_calls, may_be_called};
use ir::{AbiParam, DataObject, FnAttrs, Linkage, Module, ParamKind, SigId, Signature, SymbolDef, SymbolId, Type};
use platform::options::Options;

use instrument::asan::runtime::AsanRuntime;
use instrument::tsan::runtime::TsanRuntime;
use rustc_hash::{FxHashMap, FxHashSet};

/// Variadic functions without their checking parameters: (checked, positions dropped, plain).
const UNCHECKED: &[(&str, &[usize])] = &[("__sprintf_chk", &[1, 2]), ("__snprintf_chk", &[2, 3])];

/// Those among the replacements that only read.
const PURE: &[&str] = &["strlen", "strchr"];

/// What a module's calls of library functions may need.
#[derive(Default)]
pub struct Library {
    functions: FxHashMap<&'static str, (SymbolId, SigId)>,
    unchecked: FxHashMap<SigId, SigId>,
    without_newline: FxHashMap<SymbolId, SymbolId>,
    /// What the address sanitizer needs, where accesses are checked.
    pub asan: Option<Asan>,
    /// The thread sanitizer's runtime, where it is told of accesses.
    pub tsan: Option<TsanRuntime>,
}

/// What the address sanitizer needs.
pub struct Asan {
    /// Its runtime.
    pub runtime: AsanRuntime,
    /// Functions of the module that free nothing.
    pub harmless: FxHashSet<SymbolId>,
}

impl Library {
    /// Looks at the library calls of a module and declares what they may become.
    pub fn declare(module: &mut Module, options: &Options) -> Library {
        let mut out = Library::default();
        let mut names: FxHashSet<&'static str> = FxHashSet::default();
        let (mut variadic, mut lines) = (Vec::new(), Vec::new());
        for func in module.functions.values() {
            for call in library_calls(func) {
                let Some(row) = module.name_of_callee(func, call).and_then(find) else { continue };
                names.insert(row.0);
                if let Some(&(_, dropped)) = UNCHECKED.iter().find(|r| r.0 == row.0) {
                    variadic.push((func.call_info(call).sig, dropped));
                }
                if row.2.contains(&"puts") {
                    lines.extend(func.list(call)[1..].iter().filter_map(|&a| func.const_symbol(a)).map(|s| s.0));
                }
            }
        }
        // In the order of the table, so that symbols are made in the same order every time.
        let mut wanted: Vec<&'static str> = Vec::new();
        for row in FUNCTIONS.iter().filter(|r| names.contains(r.0)) {
            let mut work = row.2.to_vec();
            while let Some(name) = work.pop() {
                if !wanted.contains(&name) && options.language.is_builtin_enabled(name) {
                    wanted.push(name);
                    work.extend(find(name).iter().flat_map(|r| r.2));
                }
            }
        }
        for name in wanted {
            out.declare_function(module, name);
        }
        for (sig, dropped) in variadic {
            out.declare_unchecked(module, sig, dropped);
        }
        if out.functions.contains_key("puts") {
            lines.into_iter().for_each(|symbol| out.declare_line(module, symbol));
        }
        out
    }

    fn declare_function(&mut self, module: &mut Module, name: &'static str) {
        let Some(row) = find(name) else { return };
        let mut types = row.1.chars().filter(|&c| c != '.').map(letter);
        let returns = types.next().filter(|&t| t != Type::VOID).into_iter().collect();
        let params = types.map(|ty| AbiParam { ty, kind: ParamKind::Direct }).collect();
        let sig = Signature { params, returns, variadic: row.1.ends_with('.'), ms_abi: false };
        let known = module.find_symbol(&module.assembler_name(name)).is_some();
        let symbol = module.external_function(name, sig.clone());
        let data = &mut module.symbols[symbol];
        if !known && PURE.contains(&name) {
            data.attrs.set(FnAttrs::PURE | FnAttrs::NOTHROW);
        }
        let usable = data.is_function && data.linkage != Linkage::Local && !matches!(data.def, SymbolDef::Data(_));
        if usable {
            let sig = module.signature(sig);
            self.functions.insert(name, (symbol, sig));
        }
    }

    fn declare_unchecked(&mut self, module: &mut Module, sig: SigId, dropped: &[usize]) {
        let mut plain = module.signatures[sig].clone();
        let mut index = 0;
        plain.params.retain(|_| {
            index += 1;
            !dropped.contains(&(index - 1))
        });
        let plain = module.signature(plain);
        self.unchecked.insert(sig, plain);
    }

    /// The literal `"text\n"` may be wanted as `"text"`, for `puts`.
    fn declare_line(&mut self, module: &mut Module, symbol: SymbolId) {
        let SymbolDef::Data(id) = module.symbols[symbol].def else { return };
        let object = &module.data[id];
        let Some(text) = object.bytes.strip_suffix(b"\n\0") else { return };
        let literal = object.mergeable_string == 1 && object.relocs.is_empty() && !text.contains(&b'%');
        if !literal || text.is_empty() || self.without_newline.contains_key(&symbol) {
            return;
        }
        let text = text.to_vec();
        let line = module.add_private_data(|symbol| DataObject::string(symbol, &text));
        module.symbols[line].referenced = true;
        self.without_newline.insert(symbol, line);
    }

    /// A function that may be called instead of another: its symbol and signature.
    pub fn function(&self, name: &str) -> Option<(SymbolId, SigId)> {
        self.functions.get(name).copied()
    }

    /// The signature of the plain function for a call of a checked variadic one.
    pub fn unchecked(&self, sig: SigId) -> Option<SigId> {
        self.unchecked.get(&sig).copied()
    }

    /// The literal without its final newline.
    pub fn without_newline(&self, module: &Module, symbol: SymbolId) -> Option<SymbolId> {
        let line = self.without_newline.get(&symbol).copied()?;
        matches!(module.symbols[line].def, SymbolDef::Data(_)).then_some(line)
    }
}
