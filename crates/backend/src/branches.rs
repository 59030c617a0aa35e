//! Indirect branches and returns, with what guards them against speculation: `-mindirect-branch=`,
//! `-mfunction-return=`, `-mharden-sls=` and the attributes of the first two.
//!
//! A thunk branches to the address in its register by a `ret` whose predicted target is an endless
//! loop (Intel, "Retpoline: A Branch Target Injection Mitigation"). Its instructions and its names
//! are gcc 12's (`output_indirect_thunk`).

use ir::{FnAttrs, Function, SymbolData};
use object::{CodeBuffer, Mem, RelocKind, Size, SymbolRef};
use platform::options::{CodeModel, Speculation, Thunk};
use platform::registers::{R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, Reg};

use crate::context::{BackendError, Context};

/// Prefix of an indirect branch whose target needs no `endbr64`.
const NOTRACK: u8 = 0x3e;
/// Prefix that makes a branch to a thunk one byte longer.
const CS_PREFIX: u8 = 0x2e;
/// The thunk of returns.
const RETURN_THUNK: &str = "__x86_return_thunk";
/// Names of the thunks of branches begin with this; the register follows.
const BRANCH_THUNK: &str = "__x86_indirect_thunk_";

/// gcc's order of the registers' thunks.
const THUNK_ORDER: [Reg; 15] = [R8, R9, R10, R11, R12, R13, R14, R15, RAX, RDX, RCX, RBX, RSI, RDI, RBP];

/// What holds in a function: the command line, unless its attributes say otherwise.
pub fn speculation(cx: Context<'_>, symbol: &SymbolData) -> Speculation {
    let options = cx.codegen().speculation;
    match &symbol.code {
        None => options,
        Some(code) => Speculation {
            indirect_branch: code.indirect_branch.unwrap_or(options.indirect_branch),
            function_return: code.function_return.unwrap_or(options.function_return),
            ..options
        },
    }
}

fn of(cx: Context<'_>, func: &Function) -> Speculation {
    speculation(cx, cx.symbol(func.symbol))
}

/// Whether targets of indirect branches are in registers, never in memory.
pub fn in_register(cx: Context<'_>, func: &Function) -> bool {
    let speculation = of(cx, func);
    speculation.register || speculation.indirect_branch != Thunk::Keep
}

/// Whether indirect branches push an address below the stack pointer.
pub fn uses_thunks(cx: Context<'_>, func: &Function) -> bool {
    of(cx, func).indirect_branch != Thunk::Keep
}

/// Whether a switch may become a jump through a table.
pub fn jump_tables(cx: Context<'_>, func: &Function) -> bool {
    cx.codegen().jump_tables && !uses_thunks(cx, func)
}

/// Whether what indirect branches reach begins with `endbr64`.
pub fn tracked(cx: Context<'_>) -> bool {
    cx.codegen().cf_protection & 1 != 0
}

/// Whether the targets of jump tables begin with `endbr64`.
pub fn tracked_tables(cx: Context<'_>) -> bool {
    tracked(cx) && cx.codegen().cet_switch
}

/// Whether the function begins with `endbr64`.
pub fn tracked_entry(cx: Context<'_>, func: &Function) -> bool {
    let symbol = cx.symbol(func.symbol);
    let asked = !cx.codegen().manual_endbr || symbol.code.as_ref().is_some_and(|code| code.cf_check);
    tracked(cx) && asked && !symbol.attrs.has(FnAttrs::NOCF_CHECK)
}

/// An indirect call.
pub fn call_r(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, reg: Reg) {
    let speculation = of(cx, func);
    match speculation.indirect_branch {
        Thunk::Keep => buf.call_r(reg),
        Thunk::Inline => {
            // The thunk's own call pushes the return address.
            let (thunk, call) = (buf.new_label(), buf.new_label());
            buf.jmp(call);
            buf.bind(thunk);
            inline_thunk(buf, Some(reg), speculation);
            buf.bind(call);
            buf.call_label(thunk);
        }
        Thunk::Thunk | Thunk::Extern => {
            let thunk = branch_thunk(buf, reg, speculation);
            buf.call_symbol(thunk);
        }
    }
}

/// An indirect jump. `table`: it goes through a jump table.
pub fn jmp_r(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, reg: Reg, table: bool) {
    let speculation = of(cx, func);
    match speculation.indirect_branch {
        Thunk::Keep => {
            notrack(cx, buf, table);
            buf.jmp_r(reg);
        }
        Thunk::Inline => return inline_thunk(buf, Some(reg), speculation),
        Thunk::Thunk | Thunk::Extern => {
            let thunk = branch_thunk(buf, reg, speculation);
            buf.jmp_symbol(thunk);
        }
    }
    if speculation.after_jump {
        buf.int3();
    }
}

/// An indirect jump to an address in memory, where [`in_register`] allows it.
pub fn jmp_m(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, mem: Mem, table: bool) {
    notrack(cx, buf, table);
    buf.jmp_m(mem);
    if of(cx, func).after_jump {
        buf.int3();
    }
}

fn notrack(cx: Context<'_>, buf: &mut CodeBuffer, table: bool) {
    if table && tracked(cx) && !cx.codegen().cet_switch {
        buf.put_bytes(&[NOTRACK]);
    }
}

/// Before an indirect call or jump whose target need not begin with `endbr64` (`nocf_check`).
pub fn untracked(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    if tracked(cx) && !uses_thunks(cx, func) {
        buf.put_bytes(&[NOTRACK]);
    }
}

/// A call through the GOT; `r11` is free.
pub fn call_got(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, symbol: SymbolRef) {
    if !in_register(cx, func) {
        return buf.call_got(symbol);
    }
    buf.mov_rm(Size::Q, R11, Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel));
    call_r(cx, func, buf, R11);
}

/// A jump through the GOT; `r11` is free.
pub fn jmp_got(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer, symbol: SymbolRef) {
    if !in_register(cx, func) {
        return jmp_m(cx, func, buf, Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel), false);
    }
    buf.mov_rm(Size::Q, R11, Mem::rip_symbol(symbol, 0, RelocKind::GotPcRel));
    jmp_r(cx, func, buf, R11, false);
}

/// `ret`
pub fn ret(cx: Context<'_>, func: &Function, buf: &mut CodeBuffer) {
    crate::profile::at_return(cx, func, buf);
    let speculation = of(cx, func);
    match speculation.function_return {
        Thunk::Keep => {
            buf.ret();
            if speculation.after_return {
                buf.int3();
            }
        }
        Thunk::Inline => inline_thunk(buf, None, speculation),
        Thunk::Thunk | Thunk::Extern => {
            let thunk = buf.named_symbol(RETURN_THUNK);
            buf.jmp_symbol(thunk);
        }
    }
}

fn branch_thunk(buf: &mut CodeBuffer, reg: Reg, speculation: Speculation) -> SymbolRef {
    let symbol = buf.named_symbol(&format!("{BRANCH_THUNK}{}", reg.name(8)));
    if speculation.cs_prefix && reg.0 >= 8 {
        buf.put_bytes(&[CS_PREFIX]);
    }
    symbol
}

/// The instructions of a thunk: of a branch to `target`, or of a return.
fn inline_thunk(buf: &mut CodeBuffer, target: Option<Reg>, speculation: Speculation) {
    let (trap, out) = (buf.new_label(), buf.new_label());
    buf.call_label(out);
    buf.bind(trap);
    buf.pause();
    buf.lfence();
    buf.jmp(trap);
    buf.bind(out);
    match target {
        Some(reg) => buf.mov_mr(Size::Q, Mem::base(RSP, 0), reg),
        None => buf.lea(Size::Q, RSP, Mem::base(RSP, 8)),
    }
    buf.ret();
    if speculation.after_return {
        buf.int3();
    }
}

/// What is wrong with the function under these options, in gcc's words.
pub fn check(cx: Context<'_>, func: &Function, errors: &mut Vec<BackendError>) {
    let speculation = of(cx, func);
    let kinds =
        [("-mindirect-branch", speculation.indirect_branch), ("-mfunction-return", speculation.function_return)];
    for (option, kind) in kinds {
        if kind == Thunk::Keep {
            continue;
        }
        let mut refuse = |message: String| errors.push(BackendError { loc: func.loc, message, note: None });
        if cx.codegen().cf_protection & 2 != 0 && kind != Thunk::Extern {
            refuse(format!("'{option}' and '-fcf-protection' are not compatible"));
        }
        if cx.codegen().code_model == CodeModel::Large && kind != Thunk::Inline {
            refuse(format!("'{option}={}' and '-mcmodel=large' are not compatible", kind.name()));
        }
    }
}

/// The thunks that the code of a unit needs and has to define itself.
#[derive(Default)]
pub struct Thunks {
    returns: bool,
    /// Bit `n`: the one of register number `n`.
    branches: u16,
}

impl Thunks {
    /// Notes what a function's code refers to.
    pub fn note(&mut self, speculation: Speculation, names: impl Iterator<Item = impl AsRef<str>>) {
        if speculation.indirect_branch != Thunk::Thunk && speculation.function_return != Thunk::Thunk {
            return;
        }
        for name in names {
            let name = name.as_ref();
            if speculation.function_return == Thunk::Thunk && name == RETURN_THUNK {
                self.returns = true;
            }
            let register = name.strip_prefix(BRANCH_THUNK).and_then(Reg::from_name).filter(|reg| reg.is_gpr());
            if let Some(reg) = register.filter(|_| speculation.indirect_branch == Thunk::Thunk) {
                self.branches |= 1 << reg.0;
            }
        }
    }

    /// Their definitions as assembly text, in gcc's order.
    pub fn text(&self, speculation: Speculation, unwind: bool) -> String {
        let mut out = String::new();
        if self.returns {
            thunk_text(&mut out, RETURN_THUNK, "lea\t8(%rsp), %rsp", speculation, unwind);
        }
        for reg in THUNK_ORDER.into_iter().filter(|reg| self.branches & 1 << reg.0 != 0) {
            let name = reg.name(8);
            let exit = format!("mov\t%{name}, (%rsp)");
            thunk_text(&mut out, &format!("{BRANCH_THUNK}{name}"), &exit, speculation, unwind);
        }
        out
    }
}

fn thunk_text(out: &mut String, name: &str, exit: &str, speculation: Speculation, unwind: bool) {
    let [start, adjust, end] =
        if unwind { ["\t.cfi_startproc\n", "\t.cfi_def_cfa_offset 16\n", "\t.cfi_endproc\n"] } else { ["", "", ""] };
    let int3 = if speculation.after_return { "\tint3\n" } else { "" };
    out.push_str(&format!(
        "\t.section\t.text.{name},\"axG\",@progbits,{name},comdat\n\
         \t.globl\t{name}\n\t.hidden\t{name}\n\t.type\t{name}, @function\n\
         {name}:\n{start}\tcall\t1f\n0:\n\tpause\n\tlfence\n\tjmp\t0b\n1:\n{adjust}\t{exit}\n\tret\n{int3}{end}"
    ));
}
