//! Relocation kinds of x86-64 ELF and the relocation records of code and data.
//!
//! Numbers and meanings are those of the psABI, table 4.9 ("Relocation Types").
//! Addends follow the ELF convention: a PC-relative field of an instruction
//! that ends `n` bytes after the field's start carries the addend `-n`.

/// An x86-64 ELF relocation type; the discriminant is the ELF number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RelocKind {
    /// `R_X86_64_NONE`
    None = 0,
    /// `R_X86_64_64`: S + A, 64 bits.
    Abs64 = 1,
    /// `R_X86_64_PC32`: S + A - P.
    Pc32 = 2,
    /// `R_X86_64_GOT32`: G + A.
    Got32 = 3,
    /// `R_X86_64_PLT32`: L + A - P.
    Plt32 = 4,
    /// `R_X86_64_GOTPCREL`: G + GOT + A - P.
    GotPcRel = 9,
    /// `R_X86_64_32`: S + A, zero-extended.
    Abs32 = 10,
    /// `R_X86_64_32S`: S + A, sign-extended.
    Abs32S = 11,
    /// `R_X86_64_16`
    Abs16 = 12,
    /// `R_X86_64_PC16`
    Pc16 = 13,
    /// `R_X86_64_8`
    Abs8 = 14,
    /// `R_X86_64_PC8`
    Pc8 = 15,
    /// `R_X86_64_DTPMOD64`
    DtpMod64 = 16,
    /// `R_X86_64_DTPOFF64`
    DtpOff64 = 17,
    /// `R_X86_64_TPOFF64`
    TpOff64 = 18,
    /// `R_X86_64_TLSGD`: PC-relative address of a general-dynamic GOT entry pair.
    TlsGd = 19,
    /// `R_X86_64_TLSLD`: PC-relative address of a local-dynamic GOT entry pair.
    TlsLd = 20,
    /// `R_X86_64_DTPOFF32`: offset in the module's TLS block.
    DtpOff32 = 21,
    /// `R_X86_64_GOTTPOFF`: PC-relative address of the GOT entry with the thread-pointer offset.
    GotTpOff = 22,
    /// `R_X86_64_TPOFF32`: offset from the thread pointer.
    TpOff32 = 23,
    /// `R_X86_64_PC64`: S + A - P, 64 bits.
    Pc64 = 24,
    /// `R_X86_64_GOTOFF64`: S + A - GOT.
    GotOff64 = 25,
    /// `R_X86_64_GOTPC32`: GOT + A - P.
    GotPc32 = 26,
    /// `R_X86_64_GOT64`
    Got64 = 27,
    /// `R_X86_64_GOTPCREL64`
    GotPcRel64 = 28,
    /// `R_X86_64_GOTPC64`
    GotPc64 = 29,
    /// `R_X86_64_GOTPLT64`
    GotPlt64 = 30,
    /// `R_X86_64_PLTOFF64`
    PltOff64 = 31,
    /// `R_X86_64_SIZE32`: Z + A.
    Size32 = 32,
    /// `R_X86_64_SIZE64`: Z + A.
    Size64 = 33,
    /// `R_X86_64_GOTPC32_TLSDESC`
    GotPc32TlsDesc = 34,
    /// `R_X86_64_TLSDESC_CALL`
    TlsDescCall = 35,
    /// `R_X86_64_GOTPCRELX`: GOTPCREL the linker may relax, no REX prefix.
    GotPcRelX = 41,
    /// `R_X86_64_REX_GOTPCRELX`: the same, with a REX prefix.
    RexGotPcRelX = 42,
}

impl RelocKind {
    /// The ELF `r_type`.
    #[inline]
    pub const fn elf(self) -> u32 {
        self as u32
    }

    /// The kind of that name (`.reloc`).
    pub fn from_name(name: &str) -> Option<RelocKind> {
        Some(match name {
            "R_X86_64_NONE" | "BFD_RELOC_NONE" => RelocKind::None,
            "R_X86_64_64" | "BFD_RELOC_64" => RelocKind::Abs64,
            "R_X86_64_PC32" => RelocKind::Pc32,
            "R_X86_64_GOT32" => RelocKind::Got32,
            "R_X86_64_PLT32" => RelocKind::Plt32,
            "R_X86_64_GOTPCREL" => RelocKind::GotPcRel,
            "R_X86_64_32" | "BFD_RELOC_32" => RelocKind::Abs32,
            "R_X86_64_32S" => RelocKind::Abs32S,
            "R_X86_64_16" | "BFD_RELOC_16" => RelocKind::Abs16,
            "R_X86_64_PC16" => RelocKind::Pc16,
            "R_X86_64_8" | "BFD_RELOC_8" => RelocKind::Abs8,
            "R_X86_64_PC8" => RelocKind::Pc8,
            "R_X86_64_DTPMOD64" => RelocKind::DtpMod64,
            "R_X86_64_DTPOFF64" => RelocKind::DtpOff64,
            "R_X86_64_TPOFF64" => RelocKind::TpOff64,
            "R_X86_64_TLSGD" => RelocKind::TlsGd,
            "R_X86_64_TLSLD" => RelocKind::TlsLd,
            "R_X86_64_DTPOFF32" => RelocKind::DtpOff32,
            "R_X86_64_GOTTPOFF" => RelocKind::GotTpOff,
            "R_X86_64_TPOFF32" => RelocKind::TpOff32,
            "R_X86_64_PC64" => RelocKind::Pc64,
            "R_X86_64_GOTOFF64" => RelocKind::GotOff64,
            "R_X86_64_GOTPC32" => RelocKind::GotPc32,
            "R_X86_64_GOT64" => RelocKind::Got64,
            "R_X86_64_GOTPCREL64" => RelocKind::GotPcRel64,
            "R_X86_64_GOTPC64" => RelocKind::GotPc64,
            "R_X86_64_GOTPLT64" => RelocKind::GotPlt64,
            "R_X86_64_PLTOFF64" => RelocKind::PltOff64,
            "R_X86_64_SIZE32" => RelocKind::Size32,
            "R_X86_64_SIZE64" => RelocKind::Size64,
            "R_X86_64_GOTPC32_TLSDESC" => RelocKind::GotPc32TlsDesc,
            "R_X86_64_TLSDESC_CALL" => RelocKind::TlsDescCall,
            "R_X86_64_GOTPCRELX" => RelocKind::GotPcRelX,
            "R_X86_64_REX_GOTPCRELX" => RelocKind::RexGotPcRelX,
            _ => return Option::None,
        })
    }

    /// Size in bytes of the field patched (0 for the two marker kinds).
    pub const fn size(self) -> u32 {
        use RelocKind::*;
        match self {
            None | TlsDescCall => 0,
            Abs8 | Pc8 => 1,
            Abs16 | Pc16 => 2,
            Abs64 | Pc64 | DtpMod64 | DtpOff64 | TpOff64 | GotOff64 | Got64 | GotPcRel64 | GotPc64 | GotPlt64
            | PltOff64 | Size64 => 8,
            _ => 4,
        }
    }

    /// Whether the field is relative to its own address.
    pub const fn is_pc_relative(self) -> bool {
        use RelocKind::*;
        matches!(
            self,
            Pc8 | Pc16
                | Pc32
                | Pc64
                | Plt32
                | GotPcRel
                | GotPcRelX
                | RexGotPcRelX
                | GotTpOff
                | TlsGd
                | TlsLd
                | GotPc32
                | GotPc64
                | GotPcRel64
                | GotPc32TlsDesc
        )
    }

    /// Whether the field goes through a table made per symbol (GOT, PLT offset,
    /// TLS, size): such a relocation must name the symbol itself and never a
    /// section plus an offset.
    pub const fn needs_symbol(self) -> bool {
        use RelocKind::*;
        !matches!(self, None | Abs8 | Abs16 | Abs32 | Abs32S | Abs64 | Pc8 | Pc16 | Pc32 | Pc64 | GotOff64 | Plt32)
    }

    /// Whether the symbol referred to must be a thread-local one.
    pub const fn is_tls(self) -> bool {
        use RelocKind::*;
        matches!(
            self,
            DtpMod64
                | DtpOff64
                | TpOff64
                | TlsGd
                | TlsLd
                | DtpOff32
                | GotTpOff
                | TpOff32
                | GotPc32TlsDesc
                | TlsDescCall
        )
    }

    /// The `@modifier` that GNU assembly text writes after the symbol, if any
    /// (the field's width and position tell the rest).
    pub const fn modifier(self) -> Option<&'static str> {
        use RelocKind::*;
        Some(match self {
            Got32 | Got64 => "GOT",
            Plt32 => "PLT",
            GotPcRel | GotPcRelX | RexGotPcRelX | GotPcRel64 => "GOTPCREL",
            DtpMod64 => "DTPMOD",
            DtpOff32 | DtpOff64 => "DTPOFF",
            TpOff32 | TpOff64 => "TPOFF",
            TlsGd => "TLSGD",
            TlsLd => "TLSLD",
            GotTpOff => "GOTTPOFF",
            GotOff64 => "GOTOFF",
            GotPlt64 => "GOTPLT",
            PltOff64 => "PLTOFF",
            Size32 | Size64 => "SIZE",
            GotPc32TlsDesc => "TLSDESC",
            TlsDescCall => "TLSCALL",
            _ => return Option::None,
        })
    }
}

/// A symbol as seen from inside a function.
///
/// Values below 2^31 are an index into the module's symbol table (the number of
/// the `ir` symbol entity). Values above name an entry of the function's own
/// [`crate::FunctionCode::extras`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SymbolRef(pub u32);

impl SymbolRef {
    const EXTRA: u32 = 1 << 31;

    /// Symbol number `index` of the module's symbol table.
    #[inline]
    pub const fn module(index: u32) -> SymbolRef {
        assert!(index < Self::EXTRA);
        SymbolRef(index)
    }

    /// Entry `index` of the function's [`crate::FunctionCode::extras`].
    #[inline]
    pub const fn extra(index: u32) -> SymbolRef {
        assert!(index < Self::EXTRA);
        SymbolRef(index | Self::EXTRA)
    }

    /// The module symbol's number, or `None` for an extra.
    #[inline]
    pub const fn module_index(self) -> Option<u32> {
        if self.0 & Self::EXTRA == 0 { Some(self.0) } else { None }
    }

    /// The index into [`crate::FunctionCode::extras`], or `None` for a module symbol.
    #[inline]
    pub const fn extra_index(self) -> Option<u32> {
        if self.0 & Self::EXTRA != 0 { Some(self.0 & !Self::EXTRA) } else { None }
    }
}

/// A relocation inside a [`crate::FunctionCode`] or a piece of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// Byte offset of the field in the code (or piece).
    pub offset: u32,
    /// What kind of field it is.
    pub kind: RelocKind,
    /// The symbol it refers to.
    pub symbol: SymbolRef,
    /// The addend (ELF convention, see the module's documentation).
    pub addend: i64,
}
