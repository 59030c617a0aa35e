//! The C library as the passes know it: the functions' signatures, and which of them may take
//! another's place.
//!
//! A call is a library call if it carries [`FnAttrs::LIBRARY`]: the front end says so unless
//! `-fno-builtin` or a declaration of another type forbids it. Passes run on functions while the
//! module is shared, so [`Library::declare`] makes beforehand whatever symbols, signatures and
//! string literals they could need.

use ir::{
    AbiParam, DataObject, FnAttrs, Function, Inst, Linkage, Module, Opcode, ParamKind, SigId, Signature, SymbolDef,
    SymbolId, Type,
};
use platform::options::Options;

use instrument::asan::runtime::AsanRuntime;
use instrument::tsan::runtime::TsanRuntime;
use rustc_hash::{FxHashMap, FxHashSet};

/// (name, result and parameters, functions that may take its place). `v` void, `i` i32, `l` i64,
/// `p` pointer, `f` f32, `d` f64, `e` f80, `.` variable arguments. ISO C (C23 7.12, 7.24, 7.26),
/// POSIX, and the Linux Standard Base for the checked variants.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("memcmp", "ippl", &[]), ("bcmp", "ippl", &[]), ("memchr", "ppil", &[]), ("bcopy", "vppl", &[]),
    ("strlen", "lp", &[]), ("strnlen", "lpl", &[]), ("strcmp", "ipp", &[]), ("strncmp", "ippl", &[]),
    ("strcpy", "ppp", &[]), ("stpcpy", "ppp", &["strcpy"]), ("strncpy", "pppl", &[]), ("stpncpy", "pppl", &["strncpy"]),
    ("strcat", "ppp", &["strlen"]), ("strncat", "pppl", &["strcat"]),
    ("strchr", "ppi", &["strlen"]), ("index", "ppi", &["strlen"]),
    ("strrchr", "ppi", &["strchr"]), ("rindex", "ppi", &["strchr"]),
    ("strstr", "ppp", &["strchr"]), ("strpbrk", "ppp", &["strchr"]), ("strspn", "lpp", &[]), ("strcspn", "lpp", &["strlen"]),
    ("__memcpy_chk", "pppll", &[]), ("__memmove_chk", "pppll", &[]), ("__memset_chk", "ppill", &[]),
    ("__mempcpy_chk", "pppll", &["__memcpy_chk"]),
    ("__strcpy_chk", "pppl", &["strcpy", "__memcpy_chk"]), ("__stpcpy_chk", "pppl", &["stpcpy", "__strcpy_chk"]),
    ("__strncpy_chk", "pppll", &["strncpy"]), ("__stpncpy_chk", "pppll", &["stpncpy", "__strncpy_chk"]),
    ("__strcat_chk", "pppl", &["strcat"]), ("__strncat_chk", "pppll", &["strncat", "__strcat_chk"]),
    ("__sprintf_chk", "ipilp.", &["sprintf"]), ("__snprintf_chk", "iplilp.", &["snprintf"]),
    ("__vsprintf_chk", "ipilpp", &["vsprintf"]), ("__vsnprintf_chk", "iplilpp", &["vsnprintf"]),
    ("printf", "ip.", &["puts", "putchar"]), ("vprintf", "ipp", &["puts", "putchar"]),
    ("__printf_chk", "iip.", &["puts", "putchar"]), ("__vprintf_chk", "iipp", &["puts", "putchar"]),
    ("fprintf", "ipp.", &["fputs", "fputc", "fwrite"]), ("vfprintf", "ippp", &["fputs", "fputc", "fwrite"]),
    ("__fprintf_chk", "ipip.", &["fputs", "fputc", "fwrite"]), ("__vfprintf_chk", "ipipp", &["fputs", "fputc", "fwrite"]),
    ("fputs", "ipp", &["fputc", "fwrite"]), ("fputs_unlocked", "ipp", &[]),
    ("printf_unlocked", "ip.", &[]), ("fprintf_unlocked", "ipp.", &[]),
    ("sprintf", "ipp.", &["strcpy"]), ("vsprintf", "ippp", &["strcpy"]),
    ("snprintf", "iplp.", &[]), ("vsnprintf", "iplpp", &[]),
    ("puts", "ip", &[]), ("putchar", "ii", &[]), ("fputc", "iip", &[]), ("fwrite", "lpllp", &[]),
    ("isdigit", "ii", &[]), ("isascii", "ii", &[]), ("toascii", "ii", &[]),
    ("floor", "dd", &["floorf"]), ("ceil", "dd", &["ceilf"]), ("trunc", "dd", &["truncf"]), ("round", "dd", &["roundf"]),
    ("rint", "dd", &["rintf"]), ("nearbyint", "dd", &["nearbyintf"]),
    ("floorf", "ff", &[]), ("ceilf", "ff", &[]), ("truncf", "ff", &[]), ("roundf", "ff", &[]), ("rintf", "ff", &[]),
    ("nearbyintf", "ff", &[]),
    ("sin", "dd", &["sincos"]), ("cos", "dd", &["sincos"]), ("sincos", "vdpp", &[]),
    ("sinf", "ff", &["sincosf"]), ("cosf", "ff", &["sincosf"]), ("sincosf", "vfpp", &[]),
    ("sinl", "ee", &["sincosl"]), ("cosl", "ee", &["sincosl"]), ("sincosl", "vepp", &[]),
];

/// Variadic functions without their checking parameters: (checked, positions dropped, plain).
const UNCHECKED: &[(&str, &[usize])] = &[("__sprintf_chk", &[1, 2]), ("__snprintf_chk", &[2, 3])];

/// Those among the replacements that only read.
const PURE: &[&str] = &["strlen", "strchr"];

/// Whether a pass or the code generator may make calls of a function by its name.
pub fn may_be_called(name: &str) -> bool {
    const COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];
    is_known(name) || COPIES.contains(&name) || name == "abort"
}

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

/// The calls in a function that the front end knows to be of library functions.
pub fn library_calls(func: &Function) -> impl Iterator<Item = Inst> + '_ {
    func.insts_with(|opcode| opcode == Opcode::Call).into_iter().filter(|&call| is_call(func, call))
}

/// Whether an instruction is a call that the front end knows to be of a library function.
pub fn is_call(func: &Function, inst: Inst) -> bool {
    func.insts[inst].opcode == Opcode::Call && func.call_info(inst).attrs.has(FnAttrs::LIBRARY)
}

/// Whether a call has the arguments and the result that the library function of this name takes and
/// gives.
pub fn has_expected_types(func: &Function, call: Inst, name: &str) -> bool {
    let Some(row) = find(name) else { return false };
    let (result, params) = row.1.split_at(1);
    let variadic = params.ends_with('.');
    let params = params.trim_end_matches('.');
    let args = &func.list(call)[1..];
    let count = if variadic { args.len() >= params.len() } else { args.len() == params.len() };
    let result = result.chars().map(letter).filter(|&t| t != Type::VOID);
    count
        && params.chars().map(letter).zip(args).all(|(ty, &arg)| func.value_type(arg) == ty)
        && func.results(call).map(|r| func.value_type(r)).eq(result)
}

/// Whether the function is one of those that the passes know, none of which frees memory.
pub fn is_known(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    FUNCTIONS.iter().find(|r| r.0 == name)
}

fn letter(c: char) -> Type {
    match c {
        'i' => Type::I32,
        'l' => Type::I64,
        'p' => Type::PTR,
        'f' => Type::F32,
        'd' => Type::F64,
        'e' => Type::F80,
        _ => Type::VOID,
    }
}
