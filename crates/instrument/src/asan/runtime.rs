//! The address sanitizer's runtime as the passes know it: gcc 12's libasan, which compiler-rt's
//! `asan` of LLVM 14 is.
//!
//! Passes run on functions while the module is shared, so all that they may call is declared
//! beforehand, and so is a name for the description of each frame.

use ir::{Builder, DataObject, FnAttrs, Inst, Linkage, Module, Opcode, SymbolData, SymbolDef, SymbolId, Type, Value};
use platform::options::Options;
use rustc_hash::FxHashMap;

use crate::callee::Callee;

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
    helpers: FxHashMap<Helper, Callee>,
    frames: FxHashMap<SymbolId, SymbolId>,
    /// Where the shadow of address 0 is; a byte of it stands for eight bytes of memory.
    pub shadow_start: i64,
    /// Whether the program goes on after a report.
    pub recovers: bool,
    /// `__asan_option_detect_stack_use_after_return`
    pub frames_apart: SymbolId,
}

impl AsanRuntime {
    /// Declares the runtime's functions, and a name for the description of the frame of each
    /// function with variables in memory.
    pub fn declare(module: &mut Module, options: &Options) -> AsanRuntime {
        let recovers = options.sanitize.recovers_from_wrong_addresses();
        let shadow_start = options.sanitize.address.shadow_start as i64;
        let mut helpers = FxHashMap::default();
        for helper in Helper::all() {
            let result = if matches!(helper, Helper::FrameMalloc(_)) { Type::PTR } else { Type::VOID };
            let mut callee = Callee::declare(module, &helper.name(recovers), helper.params(), result);
            match helper {
                Helper::Report { .. } if recovers => callee.attrs.set(FnAttrs::COLD | FnAttrs::REPORT),
                Helper::Report { .. } => callee.attrs.set(FnAttrs::COLD | FnAttrs::NORETURN),
                Helper::Check { .. } => callee.attrs.set(FnAttrs::REPORT),
                _ => {}
            }
            helpers.insert(helper, callee);
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
        AsanRuntime { helpers, frames, shadow_start, recovers, frames_apart }
    }

    /// Calls a function of the runtime.
    pub fn call(&self, b: &mut Builder<'_>, helper: Helper, args: &[Value]) -> Inst {
        self.helpers[&helper].call(b, args)
    }

    /// The name for the description of a function's frame.
    pub fn frame(&self, function: SymbolId) -> Option<SymbolId> {
        self.frames.get(&function).copied()
    }
}

/// Defines the description of a frame as a string.
pub fn define_text(module: &mut Module, symbol: SymbolId, text: &str) {
    if module.symbols[symbol].def != SymbolDef::Undefined {
        return;
    }
    let object = DataObject::string(symbol, text.as_bytes());
    module.define_data(object);
}
