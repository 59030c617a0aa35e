//! Inline assembly operands as text: what both code generators hand to the assembler crate.

use assembler::template::{Address, Place, SymbolText, TemplateContext, TemplateOperand, expand};
use assembler::{SYMBOL_PREFIX, Syntax, assemble_inline};
use base::Loc;
use ir::{AsmData, AsmId, Function, SymbolId};
use object::function_code::AsmStatement;
use object::{Anchor, CodeBuffer, Mem, SymbolRef};

use crate::context::{Context, text_section};

/// Bits of an asm statement's number inside its function; the rest tells functions apart (`%=`).
const STATEMENT_BITS: u32 = 14;

/// The name by which asm text refers to a module symbol.
pub fn symbol_text(cx: Context<'_>, symbol: SymbolId) -> String {
    let name = &cx.symbol(symbol).name;
    if cx.module.find_symbol(name) == Some(symbol) {
        name.to_string()
    } else {
        format!("{SYMBOL_PREFIX}{}", symbol.as_u32())
    }
}

/// A memory operand as an address in asm text. Anchors must be module symbols.
pub fn memory_place(cx: Context<'_>, mem: Mem) -> Place {
    let mut address = Address {
        segment: mem.segment,
        symbol: None,
        offset: mem.disp.into(),
        base: mem.base,
        index: mem.index,
        rip: false,
    };
    let anchor = match mem.anchor {
        Anchor::None => None,
        Anchor::Rip(symbol, kind) => {
            address.rip = true;
            Some((symbol, kind))
        }
        Anchor::Absolute(symbol, kind) => Some((symbol, kind)),
        Anchor::RipLabel(_) => base::bug!("a code label as an asm memory operand"),
    };
    if let Some((symbol, kind)) = anchor {
        let Some(index) = symbol.module_index() else { base::bug!("asm memory operand without module symbol") };
        let name = symbol_text(cx, SymbolId::from_u32(index));
        address.symbol = Some(SymbolText { name, modifier: kind.modifier() });
    }
    Place::Mem(address)
}

/// Expands the template of a statement and assembles it at the end of `buffer`.
///
/// `operands` are in template numbering, labels last.
///
/// # Errors
/// Messages about the template or the assembly text.
pub fn assemble(
    cx: Context<'_>,
    func: &Function,
    id: AsmId,
    loc: Loc,
    operands: &[TemplateOperand],
    buffer: &mut CodeBuffer,
) -> Result<(), Vec<String>> {
    let asm: &AsmData = &func.asms[id];
    let syntax = if cx.codegen().intel_syntax { Syntax::Intel { naked_registers: true } } else { Syntax::Att };
    let text = if asm.basic {
        asm.template.to_string()
    } else {
        let context = TemplateContext {
            operands,
            syntax,
            unique: func.symbol.as_u32() << STATEMENT_BITS | (id.as_u32() & ((1 << STATEMENT_BITS) - 1)),
            pic: cx.position_independent(),
        };
        expand(&asm.template, &context).map_err(|message| vec![message])?
    };
    let mut resolve = |name: &str| {
        let symbol = match name.strip_prefix(SYMBOL_PREFIX) {
            Some(number) => Some(SymbolId::from_u32(number.parse().ok()?)),
            None => cx.module.find_symbol(name),
        };
        symbol.map(|symbol| SymbolRef::module(symbol.as_u32()))
    };
    let section = text_section(cx, cx.symbol(func.symbol), buffer.placement());
    if cx.options.emit_text {
        // The text is printed as it is, even if it is not assembly at all.
        let (start, first_rule) = (buffer.label_here(), buffer.rule_count());
        let assembled = assemble_inline(&text, syntax, &section, buffer, &mut resolve).is_ok();
        let end = buffer.label_here();
        let (text, intel) = (text.into_boxed_str(), syntax != Syntax::Att);
        let (location, rules) = (loc.0, (first_rule, buffer.rule_count()));
        buffer.add_statement(AsmStatement { start, end, text, intel, location, rules, assembled });
        return Ok(());
    }
    assemble_inline(&text, syntax, &section, buffer, &mut resolve)
        .map_err(|errors| errors.into_iter().map(|error| format!("in asm text: {}", error.message)).collect())
}
