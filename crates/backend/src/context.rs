//! What both code generators know of the translation unit, and how code names a symbol: directly,
//! through the GOT, by an absolute address, or by one of the thread-local access models.
//!
//! The rules are gcc 12's for x86-64 ELF: in an executable (PIE or not) every definition of this
//! module binds here and data defined elsewhere is reached directly (the linker makes a copy
//! relocation); in a shared object what another module may preempt goes through the GOT and the
//! PLT; an undefined weak symbol goes through the GOT wherever code is position independent.

use base::Loc;
use ir::{FnAttrs, Function, Linkage, Module, SymbolData, SymbolDef, SymbolId, Visibility};
use object::{SectionSpec, TextPlacement};
use platform::options::{CodeModel, Codegen, Options, PicLevel, X86Features};
use platform::registers::RegSet;

use crate::callees::{EVERYTHING, Known};

/// Read-only surroundings of a function being emitted.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Symbols, signatures and data.
    pub module: &'a Module,
    /// What the command line asked for.
    pub options: &'a Options,
    /// What the functions compiled before change, if calls are to profit from it.
    pub(crate) known: Option<Known<'a>>,
}

/// An error in the program that only code generation can see (an impossible asm constraint, a call
/// that cannot be a tail call).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackendError {
    /// Where in the source.
    pub loc: Loc,
    /// What is wrong, in the style of a compiler's error message.
    pub message: String,
    /// Another place that the message speaks of, and what is there.
    pub note: Option<(Loc, String)>,
}

/// Where a global register variable has `rbp` (gcc's words).
pub const FRAME_POINTER_RESERVED: &str = "frame pointer required, but reserved";

/// How the address of a (not thread-local) symbol is formed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressForm {
    /// `symbol(%rip)`; the address by `lea`.
    Rip,
    /// Loaded from `symbol@GOTPCREL(%rip)`.
    Got,
    /// `symbol(%rip)` as a memory operand; the address as a zero-extended 32-bit immediate.
    Absolute32,
    /// As [`AddressForm::Absolute32`], sign-extended (kernel code model).
    Absolute32Signed,
    /// A 64-bit immediate (`movabs`), code model large without PIC.
    Absolute64,
    /// A 64-bit distance from the instruction, code model large with PIC.
    Far,
    /// The address of the GOT entry is a 64-bit distance away, code model large with PIC.
    FarGot,
}

/// How a function symbol is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallForm {
    /// `call symbol` (`symbol@PLT`; the linker drops the PLT where it is not needed).
    Direct,
    /// `call *symbol@GOTPCREL(%rip)`.
    Got,
    /// Through a register that holds the address.
    Register,
}

/// How the address of a thread-local symbol is formed.
pub use ir::TlsModel;

impl<'a> Context<'a> {
    /// Nothing is known of other functions.
    pub fn new(module: &'a Module, options: &'a Options) -> Context<'a> {
        Context { module, options, known: None }
    }

    /// The registers that a call of `symbol` changes: all, unless it is certain which function that
    /// is and that one is known.
    pub(crate) fn changed_by_call(&self, symbol: SymbolId) -> RegSet {
        let data = self.symbol(symbol);
        let looked_into = !data.attrs.has(FnAttrs::NOIPA) && !data.attrs.has(FnAttrs::NAKED);
        let certain = self.binds_locally(symbol) && data.linkage != Linkage::Weak;
        self.known.filter(|_| certain && looked_into).map_or(EVERYTHING, |known| known.changed(symbol))
    }

    /// The code generation options.
    pub fn codegen(&self) -> &'a Codegen {
        &self.options.codegen
    }

    /// The instruction-set extensions that a function's code may use.
    pub fn features(&self, func: &Function) -> X86Features {
        func.features.unwrap_or(self.codegen().features)
    }

    /// The alignment of the stack at calls (the address after the arguments): 8 or 16.
    pub fn call_align(&self) -> u64 {
        1 << self.codegen().stack_boundary.clamp(3, 4)
    }

    /// The alignment of the stack that the function finds: 8 where it comes from code that keeps
    /// less than the ABI asks for, an interrupt among them.
    pub fn incoming_align(&self, func: &Function) -> u64 {
        let symbol = self.symbol(func.symbol);
        let code = self.codegen();
        let anywhere = symbol.attrs.has(FnAttrs::INTERRUPT) || symbol.code.as_ref().is_some_and(|c| c.realigns_stack);
        let boundary = if anywhere { 3 } else { code.incoming_boundary.unwrap_or(code.stack_boundary) };
        1 << boundary.clamp(3, 4)
    }

    /// A symbol of the module.
    pub fn symbol(&self, symbol: SymbolId) -> &'a SymbolData {
        &self.module.symbols[symbol]
    }

    /// Whether the output may be loaded anywhere (PIE or PIC).
    pub fn position_independent(&self) -> bool {
        self.codegen().pic != PicLevel::None
    }

    /// Whether code and data may be more than 2 GiB apart.
    pub fn large_model(&self) -> bool {
        self.codegen().code_model == CodeModel::Large
    }

    /// Whether references to the symbol always reach this module's own definition.
    pub fn binds_locally(&self, symbol: SymbolId) -> bool {
        let data = self.symbol(symbol);
        if data.linkage == Linkage::Local {
            return true;
        }
        let hidden = matches!(data.visibility, Visibility::Hidden | Visibility::Internal);
        if !data.is_defined() {
            // An undefined weak symbol may be absent, and then its address is 0, out of reach of
            // `rip`.
            return hidden && data.linkage != Linkage::Weak;
        }
        match self.codegen().pic {
            PicLevel::None | PicLevel::Pie => true,
            PicLevel::Pic => hidden || (data.visibility == Visibility::Protected && data.is_function),
        }
    }

    /// How to form the address of `symbol`.
    pub fn address_form(&self, symbol: SymbolId) -> AddressForm {
        let data = self.symbol(symbol);
        let local = self.binds_locally(symbol) && !matches!(data.def, SymbolDef::Ifunc(_));
        let pic = self.codegen().pic;
        let needs_got = match pic {
            PicLevel::None => false,
            // Data defined elsewhere is copied into the executable; functions' addresses may be the
            // PLT's or the library's.
            PicLevel::Pie => !local && (data.is_function || data.linkage == Linkage::Weak || data.is_defined()),
            PicLevel::Pic => !local || (data.is_function && data.visibility == Visibility::Protected),
        };
        match (self.codegen().code_model, pic) {
            (CodeModel::Large, PicLevel::None) => AddressForm::Absolute64,
            (CodeModel::Medium, PicLevel::None) if data.large => AddressForm::Absolute64,
            (CodeModel::Medium, _) if data.large && local => AddressForm::Far,
            (CodeModel::Medium, _) if data.large => AddressForm::Got,
            (CodeModel::Large, _) if needs_got => AddressForm::FarGot,
            (CodeModel::Large, _) => AddressForm::Far,
            (_, _) if needs_got => AddressForm::Got,
            (CodeModel::Kernel, PicLevel::None) => AddressForm::Absolute32Signed,
            (_, PicLevel::None) => AddressForm::Absolute32,
            _ => AddressForm::Rip,
        }
    }

    /// How to call `symbol`.
    pub fn call_form(&self, symbol: SymbolId) -> CallForm {
        if self.large_model() {
            return CallForm::Register;
        }
        let data = self.symbol(symbol);
        let no_plt = data.no_plt || (!self.codegen().plt && self.position_independent());
        if no_plt && !self.binds_locally(symbol) { CallForm::Got } else { CallForm::Direct }
    }

    /// Whether the caller of a variadic function says how many vector registers hold arguments.
    pub fn counts_vector_arguments(&self, func: &Function) -> bool {
        !self.codegen().skip_rax_setup || self.features(func).has(X86Features::SSE)
    }

    /// How to call a library routine that the module may know nothing of.
    pub fn library_call_form(&self) -> CallForm {
        if self.large_model() {
            CallForm::Register
        } else if !self.codegen().plt && self.position_independent() {
            CallForm::Got
        } else {
            CallForm::Direct
        }
    }

    /// The cheapest correct model for a thread-local symbol: what its declaration says or better.
    pub fn tls_model(&self, symbol: SymbolId) -> TlsModel {
        let local = self.binds_locally(symbol);
        let known = match (self.codegen().pic, local) {
            (PicLevel::Pic, true) => TlsModel::LocalDynamic,
            (PicLevel::Pic, false) => TlsModel::GlobalDynamic,
            (_, true) => TlsModel::LocalExec,
            (_, false) => TlsModel::InitialExec,
        };
        let declared = match self.symbol(symbol).tls {
            // Local models of a symbol that is elsewhere would not link.
            Some(TlsModel::LocalDynamic) if !local => TlsModel::GlobalDynamic,
            Some(model) => model,
            None => TlsModel::GlobalDynamic,
        };
        known.max(declared)
    }
}

/// The section of a function. Where others share its name, what they need may be added to it.
pub fn text_section(cx: Context<'_>, symbol: &SymbolData, placement: TextPlacement) -> SectionSpec {
    use object::sections::{section_flags, section_type};
    let base = match placement {
        TextPlacement::Normal => ".text",
        TextPlacement::Unlikely => ".text.unlikely",
        TextPlacement::Hot => ".text.hot",
        TextPlacement::Startup => ".text.startup",
        TextPlacement::Exit => ".text.exit",
    };
    let mut spec = match &symbol.section {
        Some(name) => {
            let flags = section_flags::ALLOC | section_flags::EXECINSTR;
            let named = || SectionSpec::with_attributes(name, Some(section_type::PROGBITS), flags);
            SectionSpec::predefined(name).unwrap_or_else(named)
        }
        None if cx.codegen().function_sections || symbol.retain => {
            SectionSpec::text(&format!("{base}.{}", symbol.name))
        }
        None => SectionSpec::text(base),
    };
    if symbol.retain && SectionSpec::predefined(&spec.name).is_none() {
        spec.flags |= section_flags::GNU_RETAIN;
    }
    spec
}
