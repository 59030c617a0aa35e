//! Prints modules and functions.

use std::fmt::Write as _;

use cranelift_entity::{EntityRef, SecondaryMap};

use platform::options::X86Features;

use crate::alias_tags::Shared;
use crate::asm::{AsmData, AsmPlace};
use crate::debug_linear::{Extend, Linear};
use crate::debug_values::{DebugValue, Fragment};
use crate::instructions::{Intrinsic, MemInfo, Opcode, RmwOp, flags};
use crate::module::{
    CodeAttributes, DataObject, FnAttrs, Linkage, ParamKind, RelocTarget, Signature, SymbolDef, TlsModel, Visibility,
};
use crate::{AliasTag, AliasTags, Block, Constant, Function, Inst, Module, SymbolId, Type, Value, ValueDef};

use super::flags::write_suffixes;

/// How values and blocks are named.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// By order of appearance: the canonical form that parses back to itself.
    Canonical,
    /// By entity number: stable from one dump to the next.
    Entities,
}

fn alias_tags(out: &mut String, tags: &AliasTags) {
    for (_, name, parent) in tags.scalars() {
        let _ = writeln!(out, "tag {} < {}", quoted(name), quoted(tags.name(parent)));
    }
    for (name, parts) in tags.records() {
        let _ = write!(out, "record {}", quoted(name));
        for (i, &part) in parts.iter().enumerate() {
            let _ = write!(out, "{} {}", if i == 0 { " with" } else { "," }, quoted(tags.record_name(part)));
        }
        out.push('\n');
    }
}

fn alias_tag(out: &mut String, tags: &AliasTags, tag: AliasTag) {
    let _ = write!(out, " tag {}", quoted(tags.name(tag)));
    let Some(path) = tags.path_of(tag) else { return };
    for step in &path.steps {
        let _ = write!(out, " in {} {}", quoted(tags.record_name(step.record)), step.start);
        if step.end != u64::MAX {
            let _ = write!(out, " to {}", step.end);
        }
    }
    out.push_str(match path.shared {
        Shared::No => "",
        Shared::Union => " union",
        Shared::Bytes => " bytes",
    });
}

/// The whole module in canonical form.
pub fn module_to_string(module: &Module) -> String {
    let mut out = String::new();
    alias_tags(&mut out, &module.alias_tags);
    for text in &module.file_asm {
        let _ = writeln!(out, "asm {}", quoted(text));
    }
    if !module.reserved_registers.is_empty() {
        out.push_str("reserved");
        for reg in module.reserved_registers.iter() {
            let _ = write!(out, " {}", quoted(reg.name(8)));
        }
        out.push('\n');
    }
    for text in &module.idents {
        let _ = writeln!(out, "ident {}", quoted(text));
    }
    for (id, _) in module.symbols.iter() {
        write_symbol(&mut out, module, id);
    }
    for &(constructor, priority, symbol) in &module.init_fini {
        let kind = if constructor { "constructor" } else { "destructor" };
        let _ = write!(out, "{kind} {}", symbol_name(module, symbol));
        if let Some(priority) = priority {
            let _ = write!(out, " {priority}");
        }
        out.push('\n');
    }
    for (id, data) in module.data.iter() {
        // A removed object's symbol is undefined.
        if module.symbols[data.symbol].def != crate::SymbolDef::Data(id) {
            continue;
        }
        write_data(&mut out, module, data);
    }
    // Removed functions leave an empty body.
    for func in module.functions.values().filter(|f| f.blocks().next().is_some()) {
        out.push('\n');
        print_function(&mut out, module, func, Names::Canonical);
    }
    out
}

/// One function in canonical form.
pub fn function_to_string(module: &Module, func: &Function) -> String {
    let mut out = String::new();
    print_function(&mut out, module, func, Names::Canonical);
    out
}

/// Writes one function.
pub fn print_function(out: &mut String, module: &Module, func: &Function, names: Names) {
    let mut printer =
        Printer { module, func, values: SecondaryMap::with_default(u32::MAX), blocks: SecondaryMap::new() };
    printer.assign_names(names);
    printer.write(out);
}

/// The lines that [`print_function`] writes, each with the instruction it shows, if it shows one.
pub fn function_lines(module: &Module, func: &Function, names: Names) -> Vec<(String, Option<Inst>)> {
    let mut text = String::new();
    print_function(&mut text, module, func, names);
    let mut out: Vec<(String, Option<Inst>)> = text.lines().map(|line| (line.to_string(), None)).collect();
    let mut at = 1;
    for block in func.blocks() {
        at += 1;
        for inst in func.block_insts(block) {
            at += func.debug_values(inst).len();
            out[at].1 = Some(inst);
            at += 1;
        }
    }
    out
}

/// ` zext 32 times 4 plus -8`: what a record does to its value, without what changes nothing.
fn linear_suffix(linear: Linear) -> String {
    let mut out = match linear.extend {
        Extend::Any => String::new(),
        Extend::Zero(bits) => format!(" zext {bits}"),
        Extend::Sign(bits) => format!(" sext {bits}"),
    };
    if linear.scale != 1 {
        let _ = write!(out, " times {}", linear.scale);
    }
    if linear.offset != 0 {
        let _ = write!(out, " plus {}", linear.offset);
    }
    out
}

/// ` weights 5 0 7` after the targets of a switch or computed goto that was counted.
fn write_weights(out: &mut String, weights: &[u32]) {
    if !weights.is_empty() {
        out.push_str(" weights");
        weights.iter().for_each(|weight| _ = write!(out, " {weight}"));
    }
}

/// A name as `@name`, quoted if it holds characters beyond those of identifiers.
fn symbol_name(module: &Module, symbol: SymbolId) -> String {
    let name = &module.symbols[symbol].name;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    if name.is_empty() {
        // Compound literals and the like; the text needs to tell them apart.
        return format!("@.anonymous.{}", symbol.as_u32());
    }
    let is_defined = |symbol: SymbolId| module.symbols[symbol].is_defined();
    if is_defined(symbol) && module.find_symbol(name).is_some_and(|first| first != symbol && is_defined(first)) {
        // Block-scope statics may share a name; a declaration means what is defined under its name.
        return format!("@{}", quoted(&format!("{name}#{}", symbol.as_u32())));
    }
    if name.chars().all(plain) { format!("@{name}") } else { format!("@{}", quoted(name)) }
}

/// A string literal: printable ASCII as is, the rest as `\xx`.
pub(super) fn quoted(text: &str) -> String {
    quoted_bytes(text.as_bytes())
}

fn quoted_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for &b in bytes {
        match b {
            b'"' | b'\\' => {
                let _ = write!(out, "\\{b:02x}");
            }
            0x20..=0x7e => out.push(b as char),
            _ => {
                let _ = write!(out, "\\{b:02x}");
            }
        }
    }
    out.push('"');
    out
}

/// Names of the attribute bits, in bit order.
pub(super) const ATTR_NAMES: &[(u32, &str)] = &[
    (FnAttrs::NORETURN, "noreturn"),
    (FnAttrs::CONST, "const"),
    (FnAttrs::PURE, "pure"),
    (FnAttrs::RETURNS_TWICE, "returns_twice"),
    (FnAttrs::MALLOC, "malloc"),
    (FnAttrs::ALWAYS_INLINE, "always_inline"),
    (FnAttrs::NOINLINE, "noinline"),
    (FnAttrs::INLINE_HINT, "inline_hint"),
    (FnAttrs::AVAILABLE_EXTERNALLY, "available_externally"),
    (FnAttrs::COLD, "cold"),
    (FnAttrs::HOT, "hot"),
    (FnAttrs::NAKED, "naked"),
    (FnAttrs::NOTHROW, "nothrow"),
    (FnAttrs::LABEL_ADDRESS_TAKEN, "label_address_taken"),
    (FnAttrs::OPTNONE, "optnone"),
    (FnAttrs::NOIPA, "noipa"),
    (FnAttrs::FLATTEN, "flatten"),
    (FnAttrs::NO_INSTRUMENT, "no_instrument"),
    (FnAttrs::NO_STACK_PROTECTOR, "no_stack_protector"),
    (FnAttrs::NOCF_CHECK, "nocf_check"),
    (FnAttrs::RETURNS_NONNULL, "returns_nonnull"),
    (FnAttrs::LIBRARY, "library"),
    (FnAttrs::INTERRUPT, "interrupt"),
    (FnAttrs::ERROR_CODE, "error_code"),
    (FnAttrs::KEEPS_REGISTERS, "keeps_registers"),
    (FnAttrs::REPORT, "report"),
    (FnAttrs::APART, "apart"),
    (FnAttrs::NO_SANITIZE_ACCESSES, "no_sanitize_accesses"),
    (FnAttrs::ZERO_REGISTERS, "zero_registers"),
    (FnAttrs::ZERO_USED, "zero_used"),
    (FnAttrs::ZERO_GENERAL, "zero_general"),
    (FnAttrs::ZERO_ARGUMENTS, "zero_arguments"),
];

fn write_attrs(out: &mut String, attrs: FnAttrs) {
    for &(bit, name) in ATTR_NAMES {
        if attrs.has(bit) {
            out.push(' ');
            out.push_str(name);
        }
    }
}

fn write_signature(out: &mut String, sig: &Signature) {
    out.push('(');
    for (index, param) in sig.params.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        let _ = write!(out, "{}", param.ty);
        match param.kind {
            ParamKind::Direct => {}
            ParamKind::ByVal { size, align } => {
                let _ = write!(out, " byval {size} {align}");
            }
            ParamKind::StructReturn => out.push_str(" sret"),
            ParamKind::StaticChain => out.push_str(" chain"),
        }
    }
    if sig.variadic {
        out.push_str(if sig.params.is_empty() { "..." } else { ", ..." });
    }
    out.push_str(") -> (");
    for (index, ty) in sig.returns.iter().enumerate() {
        let _ = write!(out, "{}{ty}", if index > 0 { ", " } else { "" });
    }
    out.push(')');
    if sig.ms_abi {
        out.push_str(" ms_abi");
    }
}

fn write_symbol(out: &mut String, module: &Module, id: SymbolId) {
    let data = &module.symbols[id];
    let _ = write!(out, "symbol {}", symbol_name(module, id));
    out.push_str(match data.linkage {
        Linkage::Local => " local",
        Linkage::Global => " global",
        Linkage::Weak => " weak",
    });
    out.push_str(match data.visibility {
        Visibility::Default => "",
        Visibility::Hidden => " hidden",
        Visibility::Protected => " protected",
        Visibility::Internal => " internal",
    });
    if data.is_function {
        out.push_str(" function");
    }
    match data.tls {
        None => {}
        Some(TlsModel::GlobalDynamic) => out.push_str(" tls_gd"),
        Some(TlsModel::LocalDynamic) => out.push_str(" tls_ld"),
        Some(TlsModel::InitialExec) => out.push_str(" tls_ie"),
        Some(TlsModel::LocalExec) => out.push_str(" tls_le"),
    }
    for (set, name) in [
        (data.used, " used"),
        (data.retain, " retain"),
        (data.large, " large"),
        (data.referenced, " referenced"),
        (data.no_plt, " noplt"),
    ] {
        if set {
            out.push_str(name);
        }
    }
    write_attrs(out, data.attrs);
    if data.align != 0 {
        let _ = write!(out, " align {}", data.align);
    }
    if let Some(section) = &data.section {
        let _ = write!(out, " section {}", quoted(section));
    }
    if let Some(symver) = &data.symver {
        let _ = write!(out, " symver {}", quoted(symver));
    }
    if let Some(code) = &data.code {
        write_code_attributes(out, code);
    }
    if let Some(reg) = data.register {
        let _ = write!(out, " register {}", quoted(reg.name(8)));
    }
    match &data.def {
        SymbolDef::Common { size, align } => {
            let _ = write!(out, " common {size} {align}");
        }
        SymbolDef::Alias(of) => {
            let _ = write!(out, " alias {}", symbol_name(module, *of));
        }
        SymbolDef::Ifunc(resolver) => {
            let _ = write!(out, " ifunc {}", symbol_name(module, *resolver));
        }
        SymbolDef::Undefined | SymbolDef::Function(_) | SymbolDef::StreamedFunction | SymbolDef::Data(_) => {}
    }
    if let Some(sig) = data.signature {
        out.push_str(" : ");
        write_signature(out, &module.signatures[sig]);
    }
    out.push('\n');
}

fn write_code_attributes(out: &mut String, code: &CodeAttributes) {
    let thunks = [("indirect_branch", code.indirect_branch), ("function_return", code.function_return)];
    for (word, thunk) in thunks {
        if let Some(thunk) = thunk {
            let _ = write!(out, " {word} {}", quoted(thunk.name()));
        }
    }
    if let Some((size, before)) = code.patchable {
        let _ = write!(out, " patchable {size} {before}");
    }
    for (word, text) in [("fentry_name", &code.fentry_name), ("fentry_section", &code.fentry_section)] {
        if let Some(text) = text {
            let _ = write!(out, " {word} {}", quoted(text));
        }
    }
    let words = [
        ("stack_protect", code.stack_protect),
        ("cf_check", code.cf_check),
        ("realigns_stack", code.realigns_stack),
        ("no_profile", code.no_profile),
        ("no_coverage", code.no_coverage),
        ("plain_loops", code.plain_loops),
        ("placed", code.placed == Some(true)),
        ("not_placed", code.placed == Some(false)),
    ];
    for (word, set) in words {
        if set {
            let _ = write!(out, " {word}");
        }
    }
}

fn write_data(out: &mut String, module: &Module, data: &DataObject) {
    let _ = write!(out, "data {} size {} align {}", symbol_name(module, data.symbol), data.size, data.align);
    if data.read_only || data.constant {
        out.push_str(if data.read_only { " const" } else { " constant" });
    }
    if data.unnamed_addr {
        out.push_str(" unnamed_addr");
    }
    if data.mergeable_string != 0 {
        let _ = write!(out, " string {}", data.mergeable_string);
    }
    if !data.bytes.is_empty() {
        let _ = write!(out, " = {}", quoted_bytes(&data.bytes));
    }
    for reloc in &data.relocs {
        let _ = write!(out, "\n  reloc {} {} ", reloc.offset, reloc.size);
        match &reloc.target {
            RelocTarget::Symbol(symbol) => out.push_str(&symbol_name(module, *symbol)),
            RelocTarget::Label { function, label } => {
                let _ = write!(out, "label {} {label}", symbol_name(module, *function));
            }
            RelocTarget::LabelDifference { function, plus, minus } => {
                let _ = write!(out, "label_difference {} {plus} {minus}", symbol_name(module, *function));
            }
        }
        let _ = write!(out, " {}", reloc.addend);
    }
    out.push('\n');
}

struct Printer<'a> {
    module: &'a Module,
    func: &'a Function,
    values: SecondaryMap<Value, u32>,
    blocks: SecondaryMap<Block, u32>,
}

impl Printer<'_> {
    fn assign_names(&mut self, names: Names) {
        if names == Names::Entities {
            (0..self.func.num_values()).for_each(|i| self.values[Value::new(i)] = i as u32);
            (0..self.func.num_blocks()).for_each(|i| self.blocks[Block::new(i)] = i as u32);
            return;
        }
        let mut next = 0;
        let mut name = |values: &mut SecondaryMap<Value, u32>, value: Value| {
            values[value] = next;
            next += 1;
        };
        self.func.params().iter().for_each(|&p| name(&mut self.values, p));
        for (index, block) in self.func.blocks().enumerate() {
            self.blocks[block] = index as u32;
            for inst in self.func.block_insts(block) {
                self.func.results(inst).for_each(|r| name(&mut self.values, r));
            }
        }
    }

    fn write(&self, out: &mut String) {
        let (module, func) = (self.module, self.func);
        let _ = write!(out, "func {}", symbol_name(module, func.symbol));
        if let Some(features) = func.features {
            let names = X86Features::TABLE.iter().filter(|row| features.0 & row.2 != 0).map(|row| row.0);
            let _ = write!(out, " target {}", quoted(&names.collect::<Vec<_>>().join(",")));
        }
        if let Some(counted) = func.counted {
            let _ = write!(out, " entered {} of {}", counted.entered, counted.highest);
        }
        for (index, &param) in func.params().iter().enumerate() {
            let _ = write!(out, "{}{}", if index == 0 { " " } else { ", " }, self.value_name(param));
            if func.restrict_params.contains(&(index as u32)) {
                out.push_str(" restrict");
            }
        }
        out.push_str(" : ");
        write_signature(out, &module.signatures[func.sig]);
        out.push_str(" {\n");
        for block in func.blocks() {
            let _ = write!(out, "{}", self.block_name(block));
            for (label, _) in func.labels.iter().enumerate().filter(|&(_, &b)| b == block) {
                let _ = write!(out, " label {label}");
            }
            out.push_str(":\n");
            for inst in func.block_insts(block) {
                func.debug_values(inst).iter().for_each(|record| self.write_debug_value(out, record));
                out.push_str("  ");
                self.write_inst(out, inst);
                if let (_, Some(site)) = func.position(func.inst_locs[inst]) {
                    let _ = write!(out, " at {site}");
                }
                out.push('\n');
            }
        }
        for variable in &func.variables {
            if func.inst_block(variable.alloca).is_some()
                && let Some(result) = func.result(variable.alloca)
            {
                let _ = writeln!(out, "  variable {} {}", self.value_name(result), quoted(&variable.name));
            }
        }
        for (number, site) in func.debug.iter().flat_map(|debug| &debug.sites).enumerate() {
            let _ = write!(out, "  inlined {number} {}", symbol_name(self.module, site.callee));
            let _ = site.parent.map(|parent| write!(out, " at {parent}"));
            out.push('\n');
        }
        let described = func.debug.iter().flat_map(|debug| debug.in_allocas());
        for (alloca, variable, fragment) in described.filter(|place| func.inst_block(place.0).is_some()) {
            let by_address = func.debug.as_ref().is_some_and(|debug| debug.variables[variable as usize].by_address);
            let _ = write!(out, "  described {}", self.variable_name(variable, fragment));
            let slot = func.result(alloca).map_or_else(String::new, |v| self.value_name(v));
            let _ = writeln!(out, " {} {slot}", if by_address { "through" } else { "in" });
        }
        for (record, value) in func.debug_arrivals() {
            let name = self.variable_name(record.variable, record.fragment);
            let _ = writeln!(out, "  arrives {name} = {}", self.operand(value));
        }
        out.push_str("}\n");
    }

    /// `debug 1 "x" [4..8] = v3`, or `= unknown`.
    fn write_debug_value(&self, out: &mut String, record: &DebugValue) {
        let value = self.func.known_debug_value(record).map_or_else(
            || "unknown".into(),
            |(value, linear)| format!("{}{}", self.operand(value), linear_suffix(linear)),
        );
        let _ = writeln!(out, "  debug {} = {value}", self.variable_name(record.variable, record.fragment));
    }

    /// Number and name of a variable of `-g`, its site and its number in the function inlined
    /// there, and the bytes meant.
    fn variable_name(&self, variable: u32, fragment: Option<Fragment>) -> String {
        let known = self.func.debug.as_ref().and_then(|debug| debug.variables.get(variable as usize));
        let mut name = quoted(known.map_or("", |v| &v.name));
        if let Some(inlined) = known.and_then(|v| v.inlined) {
            let _ = write!(name, " at {} {}", inlined.site, inlined.origin);
        }
        match fragment {
            Some(Fragment { offset, size }) => format!("{variable} {name} [{offset}..{}]", offset + size),
            None => format!("{variable} {name}"),
        }
    }

    fn value_name(&self, value: Value) -> String {
        match self.values[value] {
            u32::MAX => format!("<removed {value}>"),
            number => format!("v{number}"),
        }
    }

    fn block_name(&self, block: Block) -> String {
        if self.func.block_in_layout(block) { format!("b{}", self.blocks[block]) } else { format!("<removed {block}>") }
    }

    fn operand(&self, value: Value) -> String {
        let ValueDef::Const(_) = self.func.value_def(value) else {
            return self.value_name(value);
        };
        let ty = self.func.value_type(value);
        match self.func.constant(value).expect("is a constant") {
            Constant::Symbol(symbol, 0) => symbol_name(self.module, *symbol),
            Constant::Symbol(symbol, offset) => {
                format!(
                    "{}{}{}",
                    symbol_name(self.module, *symbol),
                    if *offset < 0 { "-" } else { "+" },
                    offset.unsigned_abs()
                )
            }
            Constant::Bits(0) if ty.is_ptr() => "null".into(),
            Constant::Bits(bits) if ty.is_int() && ty.bits() <= 64 => {
                let width = ty.bits();
                let signed = ((*bits << (128 - width)) as i128) >> (128 - width);
                if ty == Type::I1 { format!("i1 {bits}") } else { format!("{ty} {signed}") }
            }
            Constant::Bits(bits) => format!("{ty} 0x{bits:x}"),
            Constant::Vector(bytes) => {
                let mut out = format!("{ty} 0x");
                bytes.iter().for_each(|b| {
                    let _ = write!(out, "{b:02x}");
                });
                out
            }
        }
    }

    fn write_operands(&self, out: &mut String, values: impl Iterator<Item = Value>) {
        for (index, value) in values.enumerate() {
            let _ = write!(out, "{}{}", if index == 0 { " " } else { ", " }, self.operand(value));
        }
    }

    /// `v1: i32 = `
    fn write_results(&self, out: &mut String, inst: Inst) {
        let func = self.func;
        for (index, result) in func.results(inst).enumerate() {
            let _ = write!(
                out,
                "{}{}: {}",
                if index > 0 { ", " } else { "" },
                self.value_name(result),
                func.value_type(result)
            );
        }
        if func.result(inst).is_some() {
            out.push_str(" = ");
        }
    }

    fn write_inst(&self, out: &mut String, inst: Inst) {
        let func = self.func;
        let data = func.insts[inst];
        self.write_results(out, inst);
        out.push_str(data.opcode.name());
        write_suffixes(out, data.opcode, data.flags);
        match data.opcode {
            Opcode::Alloca => {
                let (size, align) = func.alloca_info(inst);
                let _ = write!(out, " {size} align {align}");
            }
            Opcode::DynAlloca => {
                let _ = write!(out, " {} align {}", self.operand(func.operand(inst, 0)), 1u64 << data.b);
            }
            Opcode::Load | Opcode::Store => {
                self.write_operands(out, func.operands(inst));
                let mem = MemInfo::unpack(data.c);
                let _ = write!(out, " align {}", mem.align());
                if mem.tag != AliasTags::any() {
                    alias_tag(out, &self.module.alias_tags, mem.tag);
                }
            }
            Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => {
                self.write_operands(out, func.operands(inst));
                let _ = write!(out, " align {}", 1u64 << flags::mem_align_log2(data.flags));
            }
            Opcode::AtomicRmw => {
                let _ = write!(out, " {}", RmwOp::from_index(data.c).name());
                self.write_operands(out, func.operands(inst));
            }
            Opcode::Fence => out.push_str(if data.c != 0 { " signal" } else { "" }),
            Opcode::Prefetch => {
                let _ = write!(out, " {} {} {}", self.operand(func.operand(inst, 0)), data.b, data.c);
            }
            Opcode::TlsAddr => {
                let _ = write!(out, " {}", symbol_name(self.module, SymbolId::from_u32(data.c)));
            }
            Opcode::BlockAddr => {
                let _ = write!(out, " {}", data.c);
            }
            Opcode::Shuffle => {
                self.write_operands(out, func.operands(inst));
                out.push_str(" mask");
                for &lane in &func.shuffle_masks[data.c as usize] {
                    if lane == u32::MAX {
                        out.push_str(" any");
                    } else {
                        let _ = write!(out, " {lane}");
                    }
                }
            }
            Opcode::Phi => {
                for (index, (value, block)) in func.phi_entries(inst).enumerate() {
                    let _ = write!(
                        out,
                        "{}[{}, {}]",
                        if index == 0 { " " } else { ", " },
                        self.operand(value),
                        self.block_name(block)
                    );
                }
            }
            Opcode::Call => self.write_call(out, inst),
            Opcode::Intrinsic => {
                let _ = write!(out, " {}", Intrinsic::from_index(data.c).name());
                self.write_operands(out, func.operands(inst));
            }
            Opcode::Asm | Opcode::AsmBr => {
                self.write_operands(out, func.operands(inst));
                self.write_asm(out, &func.asms[crate::AsmId::from_u32(data.c)]);
            }
            Opcode::Br => {
                let _ = write!(out, " {}", self.block_name(Block::from_u32(data.c)));
            }
            Opcode::CondBr => {
                let (then, otherwise) = (Block::from_u32(data.b), Block::from_u32(data.c));
                let cond = self.operand(func.operand(inst, 0));
                let _ = write!(out, " {cond}, {}, {}", self.block_name(then), self.block_name(otherwise));
            }
            Opcode::Switch => {
                let switch = &func.switches[crate::SwitchId::from_u32(data.c)];
                let _ =
                    write!(out, " {} default {}", self.operand(func.operand(inst, 0)), self.block_name(switch.default));
                for &(value, block) in &switch.cases {
                    let _ = write!(out, " [{value}, {}]", self.block_name(block));
                }
                write_weights(out, func.weights(inst));
            }
            Opcode::IndirectBr => {
                self.write_operands(out, func.operands(inst));
                for &block in &func.targets[crate::TargetsId::from_u32(data.c)] {
                    let _ = write!(out, ", {}", self.block_name(block));
                }
                write_weights(out, func.weights(inst));
            }
            _ => self.write_operands(out, func.operands(inst)),
        }
    }

    fn write_call(&self, out: &mut String, inst: Inst) {
        let list = self.func.list(inst);
        let info = self.func.call_info(inst);
        let _ = write!(out, " {}(", self.operand(list[0]));
        for (index, &arg) in list[1..].iter().enumerate() {
            let _ = write!(out, "{}{}", if index > 0 { ", " } else { "" }, self.operand(arg));
        }
        out.push_str(") : ");
        write_signature(out, &self.module.signatures[info.sig]);
        write_attrs(out, info.attrs);
        if let Some(note) = (info.note as usize).checked_sub(1).and_then(|i| self.module.call_notes.get(i)) {
            let kind = if note.is_error { "error" } else { "warning" };
            let _ = write!(out, " declared {kind} {} {}", quoted(&note.function), quoted(&note.message));
        }
    }

    fn write_asm(&self, out: &mut String, asm: &AsmData) {
        let _ = write!(out, " {}", quoted(&asm.template));
        if asm.basic {
            out.push_str(" basic");
        }
        for operand in &asm.operands {
            let _ = write!(out, " {}", if operand.is_output { "out" } else { "in" });
            match operand.place {
                AsmPlace::Gpr => out.push_str(" r"),
                AsmPlace::GprLegacy => out.push_str(" q"),
                AsmPlace::Xmm => out.push_str(" x"),
                AsmPlace::Fixed(reg) => {
                    let _ = write!(out, " fixed {}", reg.index());
                }
                AsmPlace::X87(depth) => {
                    let _ = write!(out, " st {depth}");
                }
                AsmPlace::Memory => out.push_str(" m"),
                AsmPlace::Immediate => out.push_str(" i"),
                AsmPlace::GprOrImmediate => out.push_str(" ri"),
                AsmPlace::Tied(to) => {
                    let _ = write!(out, " tied {to}");
                }
                AsmPlace::Flags(cc) => {
                    let _ = write!(out, " cc {cc}");
                }
            }
            let _ = write!(out, " {}", operand.ty);
            if operand.early_clobber {
                out.push_str(" early");
            }
            if let Some(name) = &operand.name {
                let _ = write!(out, " name {}", quoted(name));
            }
            if let Some(input) = operand.input {
                let _ = write!(out, " input {input}");
            }
            if let Some(result) = operand.result {
                let _ = write!(out, " result {result}");
            }
        }
        for reg in &asm.clobbers {
            let _ = write!(out, " clobber {}", reg.index());
        }
        for (set, name) in
            [(asm.clobbers_memory, " memory"), (asm.clobbers_flags, " flags"), (asm.clobbers_x87, " x87")]
        {
            if set {
                out.push_str(name);
            }
        }
        if let Some(block) = asm.fallthrough {
            let _ = write!(out, " to {}", self.block_name(block));
            for (index, &label) in asm.labels.iter().enumerate() {
                let name = asm.label_names.get(index).map_or("", |n| n);
                let _ = write!(out, " label {} {}", self.block_name(label), quoted(name));
            }
        }
    }
}
