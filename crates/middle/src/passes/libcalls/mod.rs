//! Calls of library functions whose result or effect is known, or that a cheaper function serves as
//! well.
//!
//! Rules live by subject: [`strings`] and [`memory`] (string functions on known text), [`output`]
//! (`printf` and its relatives), [`checked`] (the `__*_chk` functions of `_FORTIFY_SOURCE`, which
//! become the plain ones once nothing can overflow), [`numbers`]. What is known about strings and
//! objects is in [`facts`]. The choice of rules follows gcc's `gimple-fold.cc` and `builtins.cc`.
//!
//! A rule puts code before the call and names the value that the call's result equals; calls it
//! introduces are looked at again. Only calls marked `library` count (see [`crate::library`]), and
//! only functions that `-fno-builtin-NAME` leaves alone are called instead; inside a function
//! `puts` no call becomes one of `puts`. `object_size` intrinsics get their answer here too.
//!
//! Cost: linear in calls, times the bounded depth of the questions.
//!
//! ```text
//! call @printf(@"hi\n")   =>  call @puts(@"hi")
//! call @strcpy(v0, @"ab") =>  memcpy v0, @"ab", 3
//! ```

mod checked;
mod facts;
mod memory;
mod numbers;
mod output;
mod strings;

use ir::{Builder, FnAttrs, Function, Inst, InstView, IntCc, Intrinsic, Module, Opcode, SymbolId, Type, Value};

use crate::library::{self, Library};
use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::object_size::{Mode, object_size};

/// The pass.
pub const PASS: Pass = Pass { calls_library: true, ..Pass::new("libcalls", run) };

/// What a call's result equals; `None` if it has none, or none that is used.
type Answer = Option<Value>;

/// What rules see.
struct Calls<'a> {
    func: &'a mut Function,
    module: &'a Module,
    library: &'a Library,
    /// The dynamic linker may replace definitions of default visibility.
    interposable: bool,
    /// The program's characters have ASCII's codes: formats and digits can be read.
    ascii: bool,
    /// Size matters more than time.
    size: bool,
    /// The call looked at: new code goes before it.
    at: Inst,
    /// Calls to be looked at.
    work: Vec<Inst>,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut changed = settle_object_sizes(func, cx);
    let mut work: Vec<Inst> = library::library_calls(func).collect();
    work.extend(func.insts_with(|opcode| opcode == Opcode::MemMove));
    work.reverse();
    let Some(&at) = work.first() else { return Changed::code_if(changed) };
    let (interposable, ascii) = (cx.options.interposable(), !cx.options.language.charsets.no_ascii);
    let mut calls = Calls {
        func,
        module: cx.module,
        library: cx.library,
        interposable,
        ascii,
        size: cx.options.optimize_size,
        at,
        work,
    };
    let mut folded = 0;
    while let Some(call) = calls.work.pop() {
        calls.at = call;
        let Some(answer) = calls.visit() else { continue };
        if let Some(value) = answer {
            let result = calls.func.first_result(call);
            calls.func.replace_all_uses(result, value);
        }
        calls.func.remove_inst(call);
        folded += 1;
    }
    changed |= folded > 0;
    cx.statistics.add("library calls folded", folded);
    Changed::code_if(changed)
}

/// Answers the `object_size` intrinsics whose one object has a constant size. Where several objects
/// meet, some may still turn out not to, and sizes of variable length are computed: both wait for
/// `settle`.
fn settle_object_sizes(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let is_question = |&i: &Inst| {
        let data = func.insts[i];
        data.is_intrinsic(Intrinsic::ObjectSize)
    };
    let mut questions = func.insts_with(|opcode| opcode == Opcode::Intrinsic);
    questions.retain(is_question);
    let mut changed = false;
    for inst in questions {
        let mode = Mode::from_bits(func.const_bits(func.list(inst)[1]).unwrap_or(0) as u64);
        if let Some(size) = object_size(func, cx.module, func.list(inst)[0], mode, true) {
            let size = func.iconst(func.value_type(func.first_result(inst)), size as i64);
            func.replace_result(inst, size);
            changed = true;
        }
    }
    changed
}

impl Calls<'_> {
    fn visit(&mut self) -> Option<Answer> {
        if self.func.insts[self.at].opcode == Opcode::MemMove {
            return memory::from_constant(self);
        }
        let name = self.module.name_of_callee(self.func, self.at)?;
        if !library::has_expected_types(self.func, self.at, name) {
            return None;
        }
        let args = self.func.list(self.at)[1..].to_vec();
        let folded = strings::fold(self, name, &args).or_else(|| memory::fold(self, name, &args));
        if !self.ascii {
            return folded;
        }
        folded
            .or_else(|| output::fold(self, name, &args))
            .or_else(|| checked::fold(self, name, &args))
            .or_else(|| numbers::fold(self, name, &args))
    }

    // ---- what rules are written with

    fn b(&mut self) -> Builder<'_> {
        Builder::before(self.func, self.at)
    }

    /// The call's result is used.
    fn is_used(&self) -> bool {
        self.func.results(self.at).any(|r| self.func.has_uses(r))
    }

    /// All uses of the call's result ask whether it is zero.
    fn is_only_compared_with_zero(&self) -> bool {
        let equality = |user: Inst| {
            matches!(self.func.view(user), InstView::ICmp { cc: IntCc::Eq | IntCc::Ne, b, .. }
                if self.func.const_bits(b) == Some(0))
        };
        self.func.results(self.at).all(|result| self.func.uses(result).all(|(user, _)| equality(user)))
    }

    fn int(&self, value: Value) -> Option<u64> {
        self.func.const_bits(value).map(|b| b as u64)
    }

    fn i32(&mut self, value: i64) -> Answer {
        Some(self.func.iconst(Type::I32, value))
    }

    fn i64(&mut self, value: u64) -> Answer {
        Some(self.func.iconst(Type::I64, value as i64))
    }

    fn null(&mut self) -> Answer {
        Some(self.func.bits_const(Type::PTR, 0))
    }

    /// The byte at an address, extended.
    fn byte(&mut self, address: Value) -> Value {
        let mut b = self.b();
        let byte = b.load(Type::I8, address, 1, ir::AliasTags::any(), 0);
        b.unary(Opcode::ZExt, Type::I32, byte)
    }

    fn memcpy(&mut self, to: Value, from: Value, bytes: u64) {
        let bytes = self.func.iconst(Type::I64, bytes as i64);
        self.b().mem_op(Opcode::MemCpy, to, from, bytes, 1, false);
    }

    /// Whether `name` may be called instead.
    fn offers(&self, name: &str) -> bool {
        self.library.function(name).is_some() && self.module.source_name(self.func.symbol) != name
    }

    /// A call of another library function in place of this one; its result if it has one.
    /// [`Calls::offers`] it.
    fn call(&mut self, name: &str, args: &[Value]) -> Option<Answer> {
        if !self.offers(name) {
            return None;
        }
        let (symbol, sig) = self.library.function(name)?;
        Some(self.call_symbol(symbol, sig, args))
    }

    fn call_symbol(&mut self, symbol: SymbolId, sig: ir::SigId, args: &[Value]) -> Answer {
        let module = self.module;
        let mut attrs = FnAttrs(self.func.call_info(self.at).attrs.0 & (FnAttrs::LIBRARY | FnAttrs::NOTHROW));
        attrs.set(module.symbols[symbol].attrs.0 & (FnAttrs::PURE | FnAttrs::CONST));
        let call = self.b().call_symbol(symbol, sig, attrs, &module.signatures[sig].returns, args);
        self.work.push(call);
        self.func.result(call)
    }
}
