//! Exports a module as LLVM assembly (LLVM 19), at any stage: `--emit=llvm`.
//!
//! The text is accepted by `opt`, `lli` and `clang`, so that LLVM can serve as an oracle: for our
//! lowering (run it), for our mem2reg (compare promotions and phis), for our back end (compile it).
//! Signatures are already lowered to the ABI and LLVM lowers the same way: several results are a
//! struct, `byval` parameters carry the attribute, variadic calls are typed `(...)`.
//!
//! Semantics differ in one direction only: what is undefined behaviour or unspecified here is
//! undefined, poison or undef there. Frozen undef is `freeze`. An alloca that is accessed with one
//! type only is declared with that type, because LLVM's mem2reg wants it so.

mod asm;
mod inst;
mod types;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::module::{DataObject, FnAttrs, Linkage, RelocTarget, SymbolDef, TlsModel, Visibility};
use crate::{Function, Module, SymbolData, SymbolId};

/// The module as LLVM assembly.
///
/// # Errors
/// Names the first construct that has no counterpart.
pub fn export(module: &Module) -> Result<String, String> {
    if !module.reserved_registers.is_empty() {
        return Err("reserved registers".to_string());
    }
    let mut out = String::from(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n",
    );
    out.push_str("target triple = \"x86_64-unknown-linux-gnu\"\n\n");
    for text in &module.file_asm {
        for line in text.lines() {
            let _ = writeln!(out, "module asm \"{}\"", escape(line.as_bytes()));
        }
    }
    for data in module.data.values() {
        if module.symbols[data.symbol].is_defined() {
            write_data(&mut out, module, data);
        }
    }
    // Several declarations may share an assembler name, which LLVM wants defined or declared once.
    let mut written: BTreeSet<&str> = module.symbols.values().filter(|s| s.is_defined()).map(|s| &*s.name).collect();
    for (id, data) in module.symbols.iter() {
        if data.is_defined() || data.name.is_empty() || written.insert(&data.name) {
            write_symbol(&mut out, module, id, data);
        }
    }
    write_constructors(&mut out, module);
    write_used(&mut out, module);
    let mut used = inst::Used::default();
    for func in module.functions.values().filter(|f| f.blocks().next().is_some()) {
        write_function(&mut out, module, func, &mut used)?;
    }
    used.write_declarations(&mut out);
    Ok(out)
}

/// `@name`, quoted.
fn global_name(module: &Module, symbol: SymbolId) -> String {
    let name = &module.symbols[symbol].name;
    // Compound literals and the like have none.
    if name.is_empty() { format!("@\".{symbol}\"") } else { format!("@\"{}\"", escape(name.as_bytes())) }
}

/// LLVM's string escapes.
fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &b in bytes {
        if (0x20..0x7f).contains(&b) && b != b'"' && b != b'\\' {
            out.push(b as char);
        } else {
            let _ = write!(out, "\\{b:02X}");
        }
    }
    out
}

fn linkage(data: &SymbolData) -> &'static str {
    match data.linkage {
        Linkage::Local => "internal ",
        Linkage::Global => "",
        Linkage::Weak if data.is_defined() => "weak ",
        Linkage::Weak => "extern_weak ",
    }
}

fn visibility(data: &SymbolData) -> &'static str {
    match data.visibility {
        Visibility::Default => "",
        Visibility::Hidden | Visibility::Internal => "hidden ",
        Visibility::Protected => "protected ",
    }
}

fn thread_local(data: &SymbolData) -> &'static str {
    match data.tls {
        None => "",
        Some(TlsModel::GlobalDynamic) => "thread_local ",
        Some(TlsModel::LocalDynamic) => "thread_local(localdynamic) ",
        Some(TlsModel::InitialExec) => "thread_local(initialexec) ",
        Some(TlsModel::LocalExec) => "thread_local(localexec) ",
    }
}

/// A data object as a packed struct of byte arrays and addresses.
fn write_data(out: &mut String, module: &Module, data: &DataObject) {
    let symbol = &module.symbols[data.symbol];
    let vis = if symbol.linkage == Linkage::Local { "" } else { visibility(symbol) };
    let _ = write!(out, "{} = {}{}{}", global_name(module, data.symbol), linkage(symbol), vis, thread_local(symbol));
    out.push_str(if data.read_only { "constant " } else { "global " });
    let (mut types, mut values) = (Vec::new(), Vec::new());
    let bytes_piece = |types: &mut Vec<String>, values: &mut Vec<String>, from: u64, to: u64| {
        if from >= to {
            return;
        }
        types.push(format!("[{} x i8]", to - from));
        let end = to.min(data.bytes.len() as u64);
        let has_content = from < end && data.bytes[from as usize..end as usize].iter().any(|&b| b != 0);
        if has_content {
            let mut piece = data.bytes[from as usize..end as usize].to_vec();
            piece.resize((to - from) as usize, 0);
            values.push(format!("c\"{}\"", escape(&piece)));
        } else {
            values.push("zeroinitializer".into());
        }
    };
    let mut at = 0;
    for reloc in &data.relocs {
        bytes_piece(&mut types, &mut values, at, reloc.offset);
        let address = reloc_address(module, &reloc.target, reloc.addend);
        let int = format!("i{}", reloc.size * 8);
        match (&reloc.target, reloc.size) {
            (RelocTarget::LabelDifference { .. }, _) => {
                types.push(int.clone());
                values.push(if reloc.size == 8 { address } else { format!("trunc (i64 {address} to {int})") });
            }
            (_, 8) => {
                types.push("ptr".into());
                values.push(address);
            }
            _ => {
                types.push(int.clone());
                values.push(format!("ptrtoint (ptr {address} to {int})"));
            }
        }
        at = reloc.offset + reloc.size as u64;
    }
    bytes_piece(&mut types, &mut values, at, data.size);
    let fields: Vec<String> = types.iter().zip(&values).map(|(t, v)| format!("{t} {v}")).collect();
    let _ = write!(out, "<{{ {} }}> <{{ {} }}>", types.join(", "), fields.join(", "));
    if let Some(section) = &symbol.section {
        let _ = write!(out, ", section \"{}\"", escape(section.as_bytes()));
    }
    let _ = writeln!(out, ", align {}", data.align.max(1));
}

fn reloc_address(module: &Module, target: &RelocTarget, addend: i64) -> String {
    match target {
        RelocTarget::Symbol(symbol) if addend == 0 => global_name(module, *symbol),
        RelocTarget::Symbol(symbol) => {
            format!("getelementptr (i8, ptr {}, i64 {addend})", global_name(module, *symbol))
        }
        RelocTarget::Label { function, label } => block_address(module, *function, *label),
        RelocTarget::LabelDifference { function, plus, minus } => {
            let (p, m) = (block_address(module, *function, *plus), block_address(module, *function, *minus));
            format!("sub (i64 ptrtoint (ptr {p} to i64), i64 ptrtoint (ptr {m} to i64))")
        }
    }
}

fn block_address(module: &Module, function: SymbolId, label: u32) -> String {
    let block = match module.symbols[function].def {
        SymbolDef::Function(id) => module.functions[id].labels[label as usize],
        _ => return "null".into(),
    };
    format!("blockaddress({}, %{block})", global_name(module, function))
}

/// Aliases, common symbols and what is defined elsewhere.
fn write_symbol(out: &mut String, module: &Module, id: SymbolId, data: &SymbolData) {
    let name = global_name(module, id);
    match &data.def {
        SymbolDef::Alias(of) | SymbolDef::Ifunc(of) => {
            let kind = if matches!(data.def, SymbolDef::Ifunc(_)) { "ifunc" } else { "alias" };
            let ty = if data.is_function { "void ()" } else { "i8" };
            let _ = writeln!(
                out,
                "{name} = {}{}{kind} {ty}, ptr {}",
                linkage(data),
                visibility(data),
                global_name(module, *of)
            );
        }
        SymbolDef::Common { size, align } => {
            let _ = writeln!(out, "{name} = common global [{size} x i8] zeroinitializer, align {align}");
        }
        SymbolDef::Undefined => {
            let weak = if data.linkage == Linkage::Weak { "extern_weak " } else { "" };
            if data.is_function {
                let attributes = attributes(data.attrs);
                let _ = writeln!(out, "declare {weak}{}void {name}(...){attributes}", visibility(data));
            } else {
                let external = if weak.is_empty() { "external " } else { weak };
                let _ = writeln!(out, "{name} = {external}{}{}global i8", visibility(data), thread_local(data));
            }
        }
        SymbolDef::Function(_) | SymbolDef::StreamedFunction | SymbolDef::Data(_) => {}
    }
}

/// Attributes of definitions that LLVM lacks, or has with another meaning: its functions that keep
/// registers do not keep those of their arguments.
const NO_COUNTERPART: &[(u32, &str)] = &[
    (FnAttrs::INTERRUPT, "interrupt functions"),
    (FnAttrs::KEEPS_REGISTERS, "functions that keep the registers of their arguments"),
];

/// LLVM's name of the registers that a function clears before it returns.
fn cleared_registers(attrs: FnAttrs) -> String {
    if !attrs.has(FnAttrs::ZERO_REGISTERS) {
        return String::new();
    }
    let part = |bit, name| if attrs.has(bit) { name } else { "" };
    format!(
        " \"zero-call-used-regs\"=\"{}{}{}\"",
        if attrs.has(FnAttrs::ZERO_USED) { "used" } else { "all" },
        part(FnAttrs::ZERO_GENERAL, "-gpr"),
        part(FnAttrs::ZERO_ARGUMENTS, "-arg")
    )
}

fn attributes(attrs: FnAttrs) -> String {
    const NAMES: &[(u32, &str)] = &[
        (FnAttrs::NORETURN, " noreturn"),
        (FnAttrs::RETURNS_TWICE, " returns_twice"),
        (FnAttrs::NOINLINE, " noinline"),
        (FnAttrs::ALWAYS_INLINE, " alwaysinline"),
        (FnAttrs::NAKED, " naked"),
        (FnAttrs::COLD, " cold"),
        (FnAttrs::NOTHROW, " nounwind"),
    ];
    NAMES.iter().filter(|(bit, _)| attrs.has(*bit)).map(|(_, name)| *name).collect()
}

fn write_constructors(out: &mut String, module: &Module) {
    for (constructor, list) in [(true, "llvm.global_ctors"), (false, "llvm.global_dtors")] {
        let entries: Vec<String> = module
            .init_fini
            .iter()
            .filter(|f| f.0 == constructor)
            .map(|&(_, priority, symbol)| {
                format!(
                    "{{ i32, ptr, ptr }} {{ i32 {}, ptr {}, ptr null }}",
                    priority.unwrap_or(65535),
                    global_name(module, symbol)
                )
            })
            .collect();
        if !entries.is_empty() {
            let _ = writeln!(
                out,
                "@{list} = appending global [{} x {{ i32, ptr, ptr }}] [{}]",
                entries.len(),
                entries.join(", ")
            );
        }
    }
}

/// What must stay although nothing refers to it.
fn write_used(out: &mut String, module: &Module) {
    let used: Vec<String> = module
        .symbols
        .iter()
        .filter(|(_, data)| data.used && data.is_defined())
        .map(|(id, _)| format!("ptr {}", global_name(module, id)))
        .collect();
    if !used.is_empty() {
        let (count, list) = (used.len(), used.join(", "));
        let _ = writeln!(out, "@llvm.used = appending global [{count} x ptr] [{list}], section \"llvm.metadata\"");
    }
}

fn write_function(out: &mut String, module: &Module, func: &Function, used: &mut inst::Used) -> Result<(), String> {
    let data = &module.symbols[func.symbol];
    for (attribute, name) in NO_COUNTERPART {
        if data.attrs.has(*attribute) {
            return Err(name.to_string());
        }
    }
    let sig = &module.signatures[func.sig];
    let mut params: Vec<String> =
        sig.params.iter().zip(func.params()).map(|(p, v)| format!("{} %{v}", types::param(p))).collect();
    if sig.variadic {
        params.push("...".into());
    }
    let available = data.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY);
    let linkage = if available { "available_externally " } else { linkage(data) };
    let visibility = if data.linkage == Linkage::Local { "" } else { visibility(data) };
    let _ = write!(
        out,
        "\ndefine {linkage}{visibility}{} {}({}){}",
        types::returns(sig),
        global_name(module, func.symbol),
        params.join(", "),
        attributes(data.attrs) + &cleared_registers(data.attrs)
    );
    if let Some(section) = &data.section {
        let _ = write!(out, " section \"{}\"", escape(section.as_bytes()));
    }
    if data.align > 1 {
        let _ = write!(out, " align {}", data.align);
    }
    out.push_str(" {\n");
    inst::write_body(out, module, func, used)?;
    out.push_str("}\n");
    Ok(())
}
