//! The address sanitizer's runtime as the passes know it: gcc 12's libasan, which compiler-rt's
//! `asan` of LLVM 14 is.
//!
//! Passes run on functions while the module is shared, so all that they may call is declared
//! beforehand, and so is a name for the description of each frame.

use ir::{
    AbiParam, DataObject, FnAttrs, Function, Inst, InstView, Intrinsic, Linkage, Module, Opcode, ParamKind, SigId,
    Signature, SymbolData, SymbolDef, SymbolId, Traits, Type,
};
use platform::options::{Options, Sanitizers};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::copying::exact_definition;
use crate::library;

/// Where the shadow of address 0 is; a byte of it stands for eight bytes of memory.
pub const SHADOW_OFFSET: i64 = 0x7fff_8000;

/// Sizes of accesses with a report of their own.
pub const SIZES: [u64; 5] = [1, 2, 4, 8, 16];

/// Classes of frames that the runtime keeps apart from the stack: class `n` has 2^(6 + n) bytes.
pub const FRAME_CLASSES: u32 = 11;

/// A function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// `__asan_report_load4`: says that an access of one of [`SIZES`] is wrong.
    Report {
        /// A store.
        write: bool,
        /// Bytes.
        size: u64,
    },
    /// `__asan_load4`, `__asan_loadN` (`size` 0): checks an access, of so many bytes or of as many
    /// as the second argument says.
    Check {
        /// A store.
        write: bool,
        /// Bytes.
        size: u64,
    },
    /// `__asan_handle_no_return`: the stack may be left without returns.
    HandleNoReturn,
    /// `__asan_alloca_poison`: red zones around a dynamic block.
    AllocaPoison,
    /// `__asan_allocas_unpoison`: frees the dynamic blocks between two addresses.
    AllocasUnpoison,
    /// `__asan_poison_stack_memory`
    PoisonStack,
    /// `__asan_unpoison_stack_memory`
    UnpoisonStack,
    /// `__asan_set_shadow_00`: zeros in shadow memory.
    ClearShadow,
    /// `__asan_stack_malloc_N`: a frame apart from the stack, or null.
    FrameMalloc(u32),
    /// `__asan_stack_free_N`
    FrameFree(u32),
}

impl Helper {
    fn name(self, recover: bool) -> String {
        let way = |write: bool| if write { "store" } else { "load" };
        let end = if recover { "_noabort" } else { "" };
        match self {
            Helper::Report { write, size } => format!("__asan_report_{}{size}{end}", way(write)),
            Helper::Check { write, size: 0 } => format!("__asan_{}N{end}", way(write)),
            Helper::Check { write, size } => format!("__asan_{}{size}{end}", way(write)),
            Helper::HandleNoReturn => "__asan_handle_no_return".into(),
            Helper::AllocaPoison => "__asan_alloca_poison".into(),
            Helper::AllocasUnpoison => "__asan_allocas_unpoison".into(),
            Helper::PoisonStack => "__asan_poison_stack_memory".into(),
            Helper::UnpoisonStack => "__asan_unpoison_stack_memory".into(),
            Helper::ClearShadow => "__asan_set_shadow_00".into(),
            Helper::FrameMalloc(class) => format!("__asan_stack_malloc_{class}"),
            Helper::FrameFree(class) => format!("__asan_stack_free_{class}"),
        }
    }

    fn params(self) -> &'static [Type] {
        match self {
            Helper::HandleNoReturn => &[],
            Helper::Report { .. } | Helper::Check { size: 1.., .. } => &[Type::PTR],
            Helper::AllocasUnpoison => &[Type::PTR, Type::PTR],
            Helper::FrameMalloc(_) => &[Type::I64],
            _ => &[Type::PTR, Type::I64],
        }
    }

    fn all() -> impl Iterator<Item = Helper> {
        let of_ways = |write| {
            let reports = SIZES.into_iter().map(move |size| Helper::Report { write, size });
            reports.chain([0].into_iter().chain(SIZES).map(move |size| Helper::Check { write, size }))
        };
        let frames = (0..FRAME_CLASSES).flat_map(|n| [Helper::FrameMalloc(n), Helper::FrameFree(n)]);
        let others = [
            Helper::HandleNoReturn,
            Helper::AllocaPoison,
            Helper::AllocasUnpoison,
            Helper::PoisonStack,
            Helper::UnpoisonStack,
            Helper::ClearShadow,
        ];
        of_ways(false).chain(of_ways(true)).chain(others).chain(frames)
    }
}

/// What the passes may call.
pub struct AsanRuntime {
    helpers: FxHashMap<Helper, (SymbolId, SigId)>,
    frames: FxHashMap<SymbolId, SymbolId>,
    /// Functions of the module that free nothing.
    harmless: FxHashSet<SymbolId>,
    /// Whether the program goes on after a report.
    pub recovers: bool,
    /// `__asan_option_detect_stack_use_after_return`
    pub frames_apart: SymbolId,
}

impl AsanRuntime {
    /// Declares the runtime's functions, and a name for the description of the frame of each
    /// function with variables in memory.
    pub fn declare(module: &mut Module, options: &Options) -> AsanRuntime {
        let recovers = options.sanitize.recover.any(Sanitizers::ADDRESS);
        let mut helpers = FxHashMap::default();
        for helper in Helper::all() {
            let params = helper.params().iter().map(|&ty| AbiParam { ty, kind: ParamKind::Direct }).collect();
            let returns = matches!(helper, Helper::FrameMalloc(_)).then_some(Type::PTR).into_iter().collect();
            let sig = Signature { params, returns, ..Signature::default() };
            let symbol = module.external_function(&helper.name(recovers), sig.clone());
            helpers.insert(helper, (symbol, module.signature(sig)));
        }
        let frames_apart = module.external_object("__asan_option_detect_stack_use_after_return");
        let described = module.functions.values().filter(|func| !func.insts_with(|op| op == Opcode::Alloca).is_empty());
        let functions: Vec<SymbolId> = described.map(|func| func.symbol).collect();
        let frames = functions.into_iter().enumerate().map(|(index, function)| {
            let mut data = SymbolData::undefined(&format!(".LASANFRAME{index}"), false);
            data.linkage = Linkage::Local;
            (function, module.add_symbol(data))
        });
        let frames = frames.collect();
        AsanRuntime { helpers, frames, harmless: harmless(module, options), recovers, frames_apart }
    }

    /// The symbol, the signature and the attributes of calls of a function.
    pub fn call(&self, helper: Helper) -> (SymbolId, SigId, FnAttrs) {
        let (symbol, sig) = self.helpers[&helper];
        let mut attrs = FnAttrs::default();
        attrs.set(FnAttrs::NOTHROW);
        match helper {
            Helper::Report { .. } if self.recovers => attrs.set(FnAttrs::COLD | FnAttrs::REPORT),
            Helper::Report { .. } => attrs.set(FnAttrs::COLD | FnAttrs::NORETURN),
            Helper::Check { .. } => attrs.set(FnAttrs::REPORT),
            _ => {}
        }
        (symbol, sig, attrs)
    }

    /// Whether memory that may be accessed before an instruction may be freed or poisoned by it.
    pub fn may_free(&self, func: &Function, module: &Module, inst: Inst) -> bool {
        may_free(func, module, inst, |symbol| self.harmless.contains(&symbol))
    }

    /// The name for the description of a function's frame.
    pub fn frame(&self, function: SymbolId) -> Option<SymbolId> {
        self.frames.get(&function).copied()
    }
}

/// The functions that others cannot replace and that call nothing but each other, what is known of
/// the C library, and what has no effect: gcc's `nonfreeing_fn`.
fn harmless(module: &Module, options: &Options) -> FxHashSet<SymbolId> {
    let interposable = options.interposable();
    let own = |func: &Function| exact_definition(module, func.symbol, interposable).is_some();
    let mut out: FxHashSet<SymbolId> = module.functions.values().filter(|f| own(f)).map(|f| f.symbol).collect();
    let mut callers: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    let mut work = Vec::new();
    for func in module.functions.values().filter(|func| out.contains(&func.symbol)) {
        let mut frees = false;
        // Its own variables are nobody else's when it returns.
        let of_variables = |inst: Inst| match func.view(inst) {
            InstView::Intrinsic { intrinsic, .. } => matches!(intrinsic, Intrinsic::ScopeBegin | Intrinsic::ScopeEnd),
            _ => !matches!(func.insts[inst].opcode, Opcode::Call | Opcode::Asm | Opcode::AsmBr | Opcode::Fence),
        };
        for inst in func.blocks().flat_map(|block| func.block_insts(block)).filter(|&inst| !of_variables(inst)) {
            frees |= may_free(func, module, inst, |callee| {
                let known = out.contains(&callee);
                if known {
                    callers.entry(callee).or_default().push(func.symbol);
                }
                known
            });
        }
        if frees {
            work.push(func.symbol);
        }
    }
    while let Some(symbol) = work.pop() {
        if out.remove(&symbol) {
            work.extend(callers.remove(&symbol).into_iter().flatten());
        }
    }
    out
}

/// Whether memory may be out of bounds after an instruction that was not before; `is_harmless` says
/// it of functions of the module.
fn may_free(func: &Function, module: &Module, inst: Inst, is_harmless: impl FnOnce(SymbolId) -> bool) -> bool {
    match func.view(inst) {
        InstView::Call { .. } => {
            let attrs = ir::effects::call_attrs(func, module, inst);
            let pure = attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE) || attrs.has(FnAttrs::REPORT);
            let library =
                library::is_call(func, inst) && library::name(module, func, inst).is_some_and(library::is_known);
            let direct = func.const_symbol(func.list(inst)[0]).filter(|callee| callee.1 == 0);
            !pure && !library && !direct.is_some_and(|(callee, _)| is_harmless(callee))
        }
        InstView::Intrinsic { intrinsic, .. } => intrinsic.traits().has(Traits::WRITES),
        InstView::Asm { .. } => ir::effects::may_write_memory(func, module, inst),
        _ => matches!(
            func.insts[inst].opcode,
            Opcode::StackRestore | Opcode::LifetimeStart | Opcode::LifetimeEnd | Opcode::Fence
        ),
    }
}

/// Defines the description of a frame as a string.
pub fn define_text(module: &mut Module, symbol: SymbolId, text: &str) {
    if module.symbols[symbol].def != SymbolDef::Undefined {
        return;
    }
    let object = string(symbol, text);
    module.define_data(object);
}

/// A string that the linker may merge with equal ones.
pub fn string(symbol: SymbolId, text: &str) -> DataObject {
    let bytes = [text.as_bytes(), &[0]].concat();
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
