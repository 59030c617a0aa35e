//! A translation unit: symbols, signatures, data objects and functions.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use platform::options::Thunk;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::memory_effects::MemoryEffects;
use crate::{AliasTags, DataId, FuncId, Function, SigId, SymbolId, Type};

/// How a parameter travels, after the ABI has been applied.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ParamKind {
    /// A scalar or vector in the next register of its class, or on the stack when they have run out
    /// (8 bytes; 16 bytes aligned to 16 for f80, f128 and 128-bit vectors).
    Direct,
    /// The argument is a pointer; the callee gets a copy of `size` bytes in its stack argument
    /// area, aligned to `align` (at least 8). The callee's parameter value is the address of that
    /// copy.
    ByVal {
        /// Bytes copied.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
    /// Address of the caller's result object: the first integer register. The callee also returns
    /// it.
    StructReturn,
    /// The static chain of a nested function (r10).
    StaticChain,
}

/// One parameter of a [`Signature`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct AbiParam {
    /// Type of the value passed. Integers narrower than 32 bits are extended to i32 by the caller;
    /// i128 is passed as two i64.
    pub ty: Type,
    /// How it travels.
    pub kind: ParamKind,
}

/// An ABI-lowered signature (System V x86-64, section 3.2.3).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Parameters in order.
    pub params: SmallVec<[AbiParam; 6]>,
    /// Results: integers and pointers in rax, rdx; floats and vectors in xmm0, xmm1; f80 in st0,
    /// st1.
    pub returns: SmallVec<[Type; 2]>,
    /// Whether it takes variable arguments (the caller sets `al`).
    pub variadic: bool,
    /// The Microsoft x64 convention instead: by position in rcx, rdx, r8, r9 or xmm0 to xmm3, 8
    /// bytes each; 32 bytes of the caller's stack above the return address belong to the callee,
    /// which keeps rdi, rsi and xmm6 to xmm15.
    pub ms_abi: bool,
}

/// Who sees a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// `static`.
    Local,
    /// Ordinary external definition or reference.
    Global,
    /// Weak definition or reference.
    Weak,
}

/// ELF visibility.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// STV_DEFAULT
    Default,
    /// STV_HIDDEN
    Hidden,
    /// STV_PROTECTED
    Protected,
    /// STV_INTERNAL
    Internal,
}

/// TLS access models, from most to least general.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum TlsModel {
    /// `__tls_get_addr` per variable.
    GlobalDynamic,
    /// `__tls_get_addr` per module.
    LocalDynamic,
    /// Offset loaded from the GOT.
    InitialExec,
    /// Offset known at link time.
    LocalExec,
}

/// What a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolDef {
    /// Defined elsewhere.
    Undefined,
    /// A function body of this module.
    Function(FuncId),
    /// A function body handed on by the streaming path (no longer in the module).
    StreamedFunction,
    /// A data object.
    Data(DataId),
    /// A COMMON symbol.
    Common {
        /// Bytes.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
    /// Another name for a symbol defined in this module.
    Alias(SymbolId),
    /// An indirect function: the address is what the resolver (a symbol of this module) returns.
    Ifunc(SymbolId),
}

/// Attributes of a function that its callers and the passes use, as a bit set.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct FnAttrs(pub u32);

impl FnAttrs {
    /// Does not return.
    pub const NORETURN: u32 = 1;
    /// Result depends on the arguments only; no memory access.
    pub const CONST: u32 = 1 << 1;
    /// Result depends on arguments and memory; no side effects.
    pub const PURE: u32 = 1 << 2;
    /// May return more than once (setjmp, vfork).
    pub const RETURNS_TWICE: u32 = 1 << 3;
    /// Result aliases nothing (malloc).
    pub const MALLOC: u32 = 1 << 4;
    /// `always_inline`.
    pub const ALWAYS_INLINE: u32 = 1 << 5;
    /// `noinline`.
    pub const NOINLINE: u32 = 1 << 6;
    /// Declared `inline`.
    pub const INLINE_HINT: u32 = 1 << 7;
    /// Body is for inlining only; not emitted (C99 `inline` without `extern`, `gnu_inline`).
    pub const AVAILABLE_EXTERNALLY: u32 = 1 << 8;
    /// `cold`.
    pub const COLD: u32 = 1 << 9;
    /// `hot`.
    pub const HOT: u32 = 1 << 10;
    /// `naked`: no prologue or epilogue.
    pub const NAKED: u32 = 1 << 11;
    /// Does not unwind (nothrow, leaf).
    pub const NOTHROW: u32 = 1 << 12;
    /// Never inlined into or cloned because a label's address is taken.
    pub const LABEL_ADDRESS_TAKEN: u32 = 1 << 13;
    /// `optimize("O0")`, `optnone`.
    pub const OPTNONE: u32 = 1 << 14;
    /// `noipa`, `noclone`.
    pub const NOIPA: u32 = 1 << 15;
    /// `flatten`.
    pub const FLATTEN: u32 = 1 << 16;
    /// `no_instrument_function`.
    pub const NO_INSTRUMENT: u32 = 1 << 17;
    /// `no_stack_protector`.
    pub const NO_STACK_PROTECTOR: u32 = 1 << 18;
    /// `nocf_check`.
    pub const NOCF_CHECK: u32 = 1 << 19;
    /// Results are never null.
    pub const RETURNS_NONNULL: u32 = 1 << 20;
    /// At a call: the callee is the C library's function of the symbol's name, with its prototype.
    pub const LIBRARY: u32 = 1 << 21;
    /// `interrupt`: entered by the processor; keeps all registers, returns with `iret`.
    pub const INTERRUPT: u32 = 1 << 22;
    /// With `INTERRUPT`: the processor pushes an error code, which the return removes.
    pub const ERROR_CODE: u32 = 1 << 23;
    /// Definitions: call-used registers are cleared before it returns, narrowed by the next three.
    pub const ZERO_REGISTERS: u32 = 1 << 25;
    /// Only those that the function uses.
    pub const ZERO_USED: u32 = 1 << 26;
    /// Only general ones.
    pub const ZERO_GENERAL: u32 = 1 << 27;
    /// Only those that pass arguments.
    pub const ZERO_ARGUMENTS: u32 = 1 << 28;
    /// `no_caller_saved_registers`: keeps all general registers but those of its result.
    pub const KEEPS_REGISTERS: u32 = 1 << 29;
    /// A sanitizer's report that returns: it writes no memory that the program sees.
    pub const REPORT: u32 = 1 << 30;
    /// `no_sanitize_address`, or `no_sanitize_thread` under that sanitizer: accesses of its code
    /// are not checked.
    pub const NO_SANITIZE_ACCESSES: u32 = 1 << 31;
    /// On calls: not of the body that goes by this name, but of the function that another
    /// declaration of the name means.
    pub const APART: u32 = 1 << 24;

    /// Whether all bits of `mask` are set.
    pub fn has(self, mask: u32) -> bool {
        self.0 & mask == mask
    }

    /// Sets the bits of `mask`.
    pub fn set(&mut self, mask: u32) {
        self.0 |= mask;
    }
}

/// What a function's attributes say of its code where the command line speaks for all functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeAttributes {
    /// `indirect_branch("...")`
    pub indirect_branch: Option<Thunk>,
    /// `function_return("...")`
    pub function_return: Option<Thunk>,
    /// `patchable_function_entry(N, M)`
    pub patchable: Option<(u16, u16)>,
    /// `fentry_name("...")`
    pub fentry_name: Option<Box<str>>,
    /// `fentry_section("...")`
    pub fentry_section: Option<Box<str>>,
    /// `stack_protect`: guarded under every `-fstack-protector` option.
    pub stack_protect: bool,
    /// `cf_check`: begins with `endbr64` under `-mmanual-endbr`.
    pub cf_check: bool,
    /// `force_align_arg_pointer`: aligns the stack on entry.
    pub realigns_stack: bool,
    /// `no_profile_instrument_function`: nothing is counted in it.
    pub no_profile: bool,
    /// `no_sanitize_coverage`: it is not traced.
    pub no_coverage: bool,
    /// `optimize("reorder-functions")` and its opposite: whether its section follows from what it
    /// is.
    pub placed: Option<bool>,
    /// `optimize("no-tree-loop-distribute-patterns")`: its loops are not made calls of `memset` and
    /// its like, which it may be itself.
    pub plain_loops: bool,
}

/// What is said of calls that are still there when code is generated: gcc's function attributes
/// `error` and `warning`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallNote {
    /// `error`, not `warning`.
    pub is_error: bool,
    /// The function's name in the source.
    pub function: Box<str>,
    /// The attribute's text.
    pub message: Box<str>,
}

/// A named entity of the object file.
#[derive(Clone, Debug)]
pub struct SymbolData {
    /// The assembler name. Names that begin with `.L` are not written to the symbol table.
    pub name: Box<str>,
    /// Who sees it.
    pub linkage: Linkage,
    /// ELF visibility.
    pub visibility: Visibility,
    /// What it stands for.
    pub def: SymbolDef,
    /// Whether it names code (affects PLT use and the symbol's type).
    pub is_function: bool,
    /// The model for thread-local variables; `None` for all others.
    pub tls: Option<TlsModel>,
    /// Section named by the program.
    pub section: Option<Box<str>>,
    /// Where it is declared.
    pub loc: base::Loc,
    /// Attribute `used` or otherwise kept although unreferenced.
    pub used: bool,
    /// Attribute `retain`: the linker's garbage collection keeps its section.
    pub retain: bool,
    /// An object that may lie beyond 2 GiB (`-mcmodel=medium`).
    pub large: bool,
    /// Referenced at least once from code, data or asm that is emitted: undefined symbols without
    /// it are not written.
    pub referenced: bool,
    /// The signature, for functions that were declared with one.
    pub signature: Option<SigId>,
    /// Function attributes.
    pub attrs: FnAttrs,
    /// Minimum alignment in bytes that the program asked for a function or variable (0: none). A
    /// reference may rely on it.
    pub align: u32,
    /// `noplt`: calls go through the GOT.
    pub no_plt: bool,
    /// Version text of `.symver`, if any.
    pub symver: Option<Box<str>>,
    /// Attributes of the function's code, if it has any.
    pub code: Option<Box<CodeAttributes>>,
    /// The register that a global register variable is, one of [`Module::reserved_registers`]. The
    /// symbol only stands for it as the address of volatile loads and stores of all of it; they are
    /// no more than reads and writes of the register (see [`crate::effects::register_variable`]).
    pub register: Option<platform::registers::Reg>,
}

impl SymbolData {
    /// An undefined global symbol.
    pub fn undefined(name: &str, is_function: bool) -> SymbolData {
        SymbolData {
            name: name.into(),
            linkage: Linkage::Global,
            visibility: Visibility::Default,
            def: SymbolDef::Undefined,
            is_function,
            tls: None,
            section: None,
            loc: base::Loc::NONE,
            used: false,
            retain: false,
            large: false,
            referenced: false,
            signature: None,
            attrs: FnAttrs::default(),
            align: 0,
            no_plt: false,
            symver: None,
            code: None,
            register: None,
        }
    }

    /// Whether this module defines it.
    pub fn is_defined(&self) -> bool {
        self.def != SymbolDef::Undefined
    }
}

/// What a relocated field of a data object refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RelocTarget {
    /// A symbol.
    Symbol(SymbolId),
    /// Label number `label` (see `Function::labels`) of the function `function`.
    Label {
        /// The function that holds the label.
        function: SymbolId,
        /// Index in its `labels`.
        label: u32,
    },
    /// Difference of two labels of one function (`&&a - &&b`).
    LabelDifference {
        /// The function that holds both labels.
        function: SymbolId,
        /// Minuend.
        plus: u32,
        /// Subtrahend.
        minus: u32,
    },
}

/// A field of a data object to be filled with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataReloc {
    /// Byte offset in the object.
    pub offset: u64,
    /// Field width in bytes: 8, 4, 2 or 1.
    pub size: u8,
    /// What it refers to.
    pub target: RelocTarget,
    /// Added to the address.
    pub addend: i64,
}

/// A variable or constant with static storage duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataObject {
    /// The symbol that names it.
    pub symbol: SymbolId,
    /// Size in bytes (a flexible array member's initialiser included).
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Leading bytes; the rest up to `size` is zero. Empty for zero-initialised objects.
    pub bytes: Vec<u8>,
    /// Relocated fields, by ascending offset.
    pub relocs: Vec<DataReloc>,
    /// Never written by the program (`.rodata`, or `.data.rel.ro` with relocations in PIC).
    pub read_only: bool,
    /// Declared `const`, and so never in `.bss`: also what is volatile and therefore not read-only
    /// (gcc's `bss_initializer_p`).
    pub constant: bool,
    /// A string literal that the linker may merge: element size 1, 2 or 4; 0 if not.
    pub mergeable_string: u8,
    /// The address is never compared: may share its place with equal contents.
    pub unnamed_addr: bool,
    /// Bytes after it that no access may touch (`-fsanitize=address`).
    pub redzone: u64,
}

impl DataObject {
    /// The text and a zero byte, which the linker may merge with equal strings.
    pub fn string(symbol: SymbolId, text: &[u8]) -> DataObject {
        let bytes = [text, &[0]].concat();
        DataObject {
            symbol,
            size: bytes.len() as u64,
            align: 1,
            bytes,
            relocs: Vec::new(),
            read_only: true,
            constant: true,
            mergeable_string: 1,
            unnamed_addr: true,
            redzone: 0,
        }
    }
}

/// A translation unit.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// Symbols.
    pub symbols: PrimaryMap<SymbolId, SymbolData>,
    /// Signatures, hash-consed by [`Module::signature`].
    pub signatures: PrimaryMap<SigId, Signature>,
    /// Data objects in source order.
    pub data: PrimaryMap<DataId, DataObject>,
    /// Function bodies in source order (empty on the streaming path).
    pub functions: PrimaryMap<FuncId, Function>,
    /// Alias classes.
    pub alias_tags: AliasTags,
    /// Assembly at file scope, in source order.
    pub file_asm: Vec<Box<str>>,
    /// Constructors and destructors: (is constructor, priority or `None`, function).
    pub init_fini: Vec<(bool, Option<u16>, SymbolId)>,
    /// Contents of `#ident`, for `.comment`.
    pub idents: Vec<Box<str>>,
    /// What `-g` says of it.
    pub debug: crate::debug::ModuleDebug,
    /// Registers that belong to the program: global register variables and `-ffixed-`. No function
    /// uses, saves or restores them, but for asm that names them.
    pub reserved_registers: platform::registers::RegSet,
    /// What calls may have to be diagnosed with, each once; see [`crate::CallInfo::note`].
    pub call_notes: Vec<CallNote>,
    /// Of functions whose bodies were looked at, what calls touch; others may touch anything.
    pub memory_effects: SecondaryMap<SymbolId, Option<Box<MemoryEffects>>>,
    /// Variables that only accesses by name touch: no pointer points to them.
    pub unaliased: FxHashSet<SymbolId>,
    /// Trampolines are written to the stack: the object must ask for an executable one.
    pub needs_executable_stack: bool,
    /// `-fleading-underscore`: what the names of symbols begin with that the program has not
    /// written as they are (`asm("name")`).
    pub label_prefix: &'static str,
    symbol_by_name: FxHashMap<Box<str>, SymbolId>,
    sig_ids: FxHashMap<Signature, SigId>,
    next_private: u32,
}

impl Module {
    /// An empty module.
    pub fn new() -> Module {
        Module::default()
    }

    /// The number for [`crate::CallInfo::note`] that stands for `note`.
    pub fn call_note(&mut self, note: CallNote) -> u32 {
        let index = self.call_notes.iter().position(|known| *known == note);
        index.unwrap_or_else(|| {
            self.call_notes.push(note);
            self.call_notes.len() - 1
        }) as u32
            + 1
    }

    /// The calls in `func` that are to be diagnosed, in order.
    pub fn noted_calls<'a>(
        &'a self,
        func: &'a crate::Function,
    ) -> impl Iterator<Item = (crate::Inst, &'a CallNote)> + 'a {
        // Most modules have none: then no function is searched.
        let blocks = (!self.call_notes.is_empty()).then(|| func.blocks()).into_iter().flatten();
        blocks.flat_map(|block| func.block_insts(block)).filter_map(|inst| {
            let note = (func.insts[inst].opcode == crate::Opcode::Call).then(|| func.call_info(inst).note)?;
            Some((inst, self.call_notes.get((note as usize).checked_sub(1)?)?))
        })
    }

    /// The symbol of this name, if it has been declared.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbol_by_name.get(name).copied()
    }

    /// The symbol's name of a function or object of C.
    pub fn assembler_name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        if self.label_prefix.is_empty() { Cow::Borrowed(name) } else { Cow::Owned([self.label_prefix, name].concat()) }
    }

    /// A symbol's name in C.
    pub fn source_name(&self, symbol: SymbolId) -> &str {
        let name = &*self.symbols[symbol].name;
        name.strip_prefix(self.label_prefix).unwrap_or(name)
    }

    /// The name in C of the function that a call calls directly.
    pub fn name_of_callee(&self, func: &Function, call: crate::Inst) -> Option<&str> {
        match func.const_symbol(func.list(call)[0]) {
            Some((symbol, 0)) => Some(self.source_name(symbol)),
            _ => None,
        }
    }

    /// Adds a symbol. Block-scope statics may share a name with others: the first of a name is the
    /// one found by name.
    pub fn add_symbol(&mut self, data: SymbolData) -> SymbolId {
        let name = data.name.clone();
        let id = self.symbols.push(data);
        self.symbol_by_name.entry(name).or_insert(id);
        id
    }

    /// The external function `name` (a library helper, say), declared on first use.
    pub fn external_function(&mut self, name: &str, sig: Signature) -> SymbolId {
        let name = &*self.assembler_name(name);
        if let Some(id) = self.find_symbol(name) {
            return id;
        }
        let sig = self.signature(sig);
        let mut data = SymbolData::undefined(name, true);
        data.signature = Some(sig);
        self.add_symbol(data)
    }

    /// The symbol of a data object that is defined elsewhere.
    pub fn external_object(&mut self, name: &str) -> SymbolId {
        let name = &*self.assembler_name(name);
        match self.find_symbol(name) {
            Some(id) => id,
            None => self.add_symbol(SymbolData::undefined(name, false)),
        }
    }

    /// The id of a signature; equal ones share it.
    pub fn signature(&mut self, sig: Signature) -> SigId {
        match self.sig_ids.entry(sig) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.signatures.push(new.key().clone());
                *new.insert(id)
            }
        }
    }

    /// Adds an unnamed read-only or writable object; its symbol is local and gets a `.L` name.
    pub fn add_private_data(&mut self, make: impl FnOnce(SymbolId) -> DataObject) -> SymbolId {
        let name = format!(".LC{}", self.next_private);
        self.next_private += 1;
        let mut data = SymbolData::undefined(&name, false);
        data.linkage = Linkage::Local;
        let symbol = self.add_symbol(data);
        let object = make(symbol);
        let id = self.data.push(object);
        self.symbols[symbol].def = SymbolDef::Data(id);
        symbol
    }

    /// Defines `symbol` as `object`.
    pub fn define_data(&mut self, object: DataObject) -> DataId {
        let symbol = object.symbol;
        let id = self.data.push(object);
        self.symbols[symbol].def = SymbolDef::Data(id);
        id
    }

    /// Adds a function body and defines its symbol as it.
    pub fn define_function(&mut self, function: Function) -> FuncId {
        let symbol = function.symbol;
        let id = FuncId::new(self.functions.len());
        self.functions.push(function);
        self.symbols[symbol].def = SymbolDef::Function(id);
        id
    }

    /// Moves a function out of the module, leaving an empty one of the same name and signature.
    pub fn take_function(&mut self, id: FuncId) -> Function {
        let (symbol, sig) = (self.functions[id].symbol, self.functions[id].sig);
        std::mem::replace(&mut self.functions[id], Function::new(symbol, sig, []))
    }
}
