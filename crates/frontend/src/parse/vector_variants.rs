//! The attribute `simd`: variants of a function for vectors, by the names and conventions of the
//! x86-64 vector function ABI (the document of libmvec; gcc 12, `omp-simd-clone.cc`).
//!
//! A variant takes vectors of arguments and gives the vector of results. It is written as C text
//! around the function, which is inlined there like anywhere else: a loop over arrays, which the
//! vectoriser takes where it can. Those for AVX-512 are called with registers that no code of ours
//! uses: a few instructions copy them to memory, and a function that takes places does the work.

use std::fmt::Write as _;

use base::Symbol;
use platform::options::Visibility;

use crate::sema::State;
use crate::tree::print::quoted_type;
use crate::tree::{
    AttrFlags, Attributes, Branches, DeclFlags, DeclId, DeclKind, Emission, FloatFormat, QualType, TypeKind,
};

/// A set of instructions that variants are made for.
struct Isa {
    /// Its letter in names.
    letter: char,
    /// For the attribute `target`.
    target: &'static str,
    /// Bits of a register of integers (and pointers), and of floats.
    bits: (u32, u32),
}

const ISAS: [Isa; 4] = [
    Isa { letter: 'b', target: "", bits: (128, 128) },
    Isa { letter: 'c', target: "avx", bits: (128, 256) },
    Isa { letter: 'd', target: "avx2", bits: (256, 256) },
    Isa { letter: 'e', target: "avx2", bits: (512, 512) },
];

/// Registers that pass vectors.
const REGISTERS: usize = 8;

/// What the lanes of a vector hold.
#[derive(Clone, Copy)]
struct Lane {
    /// A type name for arrays and vectors.
    name: &'static str,
    bits: u32,
    floating: bool,
    pointer: bool,
}

/// How a function's parameter is passed: `count` vectors of `lanes`.
#[derive(Clone, Copy)]
struct Passed {
    lane: Lane,
    lanes: u32,
    count: u32,
}

impl Passed {
    fn new(lane: Lane, isa: &Isa, all: u32) -> Passed {
        let bits = if lane.floating { isa.bits.1 } else { isa.bits.0 };
        let lanes = (bits / lane.bits).min(all);
        Passed { lane, lanes, count: all / lanes }
    }
    /// Bytes of one of the vectors.
    fn bytes(&self) -> u32 {
        self.lanes * self.lane.bits / 8
    }
    fn vector(&self) -> String {
        format!("{} __attribute__((vector_size({})))", self.lane.name, self.bytes())
    }
}

/// The function that variants are made of.
struct Origin<'t> {
    /// As C and as the linker name it.
    name: &'t str,
    symbol: &'t str,
    params: Vec<Lane>,
    /// `None` for `void`.
    result: Option<Lane>,
    /// Attributes that the variants share, each with a comma after it.
    attributes: String,
    target: &'t str,
    section: Option<&'t str>,
    weak: bool,
    visibility: Option<&'static str>,
    intel_syntax: bool,
    /// `-ffunction-sections`
    own_sections: bool,
}

/// The text of the variants of all functions of the unit that have the attribute and a body that
/// other units see.
pub fn text(state: &mut State<'_>) -> String {
    let mut out = String::new();
    if !state.options.codegen.features.has_sse() {
        return out;
    }
    let wanted = |a: &Attributes| a.simd.is_some() && !a.flags.has(AttrFlags::NOCLONE);
    let functions: Vec<DeclId> = state.unit.decls.keys().filter(|&id| is_defined(state, id, wanted)).collect();
    for id in functions {
        let Some(branches) = state.unit.attrs(id).and_then(|a| a.simd) else { continue };
        match origin(state, id) {
            Ok(origin) => variants(&origin, branches, &mut out),
            Err(message) => {
                let loc = state.unit.decls[id].loc;
                state.sess.warn_always(loc, message).emit();
            }
        }
    }
    out
}

fn is_defined(state: &State<'_>, id: DeclId, wanted: impl Fn(&Attributes) -> bool) -> bool {
    let decl = &state.unit.decls[id];
    decl.kind == DeclKind::Function
        && decl.flags.has(DeclFlags::DEFINED)
        && state.unit.attrs(id).is_some_and(wanted)
        && state.unit.emission(id) == Emission::External
}

/// What the text needs to know of a function; gcc's words for what vectors cannot hold.
fn origin<'t>(state: &'t State<'_>, id: DeclId) -> Result<Origin<'t>, String> {
    let unit = &state.unit;
    let decl = unit.decls[id];
    let Some(signature) = unit.types.signature_of(decl.ty.ty()) else { return Err("no function type".into()) };
    let lane = |ty: QualType, what: &str| {
        let name = || quoted_type(&unit.types, &state.sess.interner, ty);
        lane(state, ty).ok_or_else(|| format!("unsupported {what} type {} for simd", name()))
    };
    let returns = signature.ret;
    let result = match unit.types.qkind(returns) {
        TypeKind::Void => None,
        _ => Some(lane(returns, "return")?),
    };
    let params = match state.old_style_parameters.get(&id) {
        Some(declared) if !signature.prototype => declared.as_slice(),
        _ => &signature.params[..],
    };
    let params = params.iter().map(|&param| lane(param, "argument")).collect::<Result<Vec<_>, _>>()?;
    let str = |symbol: Symbol| state.sess.str(symbol);
    let Some(name) = decl.name.map(str) else { return Err("no name".into()) };
    let attrs = unit.attrs(id).cloned().unwrap_or_default();
    let section = attrs.section.map(str);
    let weak = attrs.flags.has(AttrFlags::WEAK);
    let visibility = attrs.visibility.map(|visibility| match visibility {
        Visibility::Default => "default",
        Visibility::Hidden => "hidden",
        Visibility::Internal => "internal",
        Visibility::Protected => "protected",
    });
    let mut attributes = String::new();
    if weak {
        attributes.push_str("weak, ");
    }
    if let Some(visibility) = visibility {
        let _ = write!(attributes, "visibility(\"{visibility}\"), ");
    }
    if let Some(section) = section {
        let _ = write!(attributes, "section(\"{}\"), ", section.escape_default());
    }
    Ok(Origin {
        name,
        symbol: decl.asm_name.map_or(name, str),
        params,
        result,
        attributes,
        target: attrs.target.map_or("", str),
        section,
        weak,
        visibility,
        intel_syntax: state.options.codegen.intel_syntax,
        own_sections: state.options.codegen.function_sections,
    })
}

fn lane(state: &State<'_>, ty: QualType) -> Option<Lane> {
    let types = &state.unit.types;
    let ty = types.strip_enum(ty.ty());
    let made = |name, bits, floating, pointer| Some(Lane { name, bits, floating, pointer });
    match types.kind(ty) {
        TypeKind::Bool => made("unsigned char", 8, false, false),
        TypeKind::Pointer(_) => made("unsigned long", 64, false, true),
        TypeKind::Int(_) => {
            let info = types.int_info(ty)?;
            let name = match (info.bits, info.signed) {
                (8, true) => "signed char",
                (8, false) => "unsigned char",
                (16, true) => "short",
                (16, false) => "unsigned short",
                (32, true) => "int",
                (32, false) => "unsigned",
                (64, true) => "long",
                (64, false) => "unsigned long",
                _ => return None,
            };
            made(name, info.bits, false, false)
        }
        TypeKind::Float(kind) => match kind.format() {
            FloatFormat::Single => made("float", 32, true, false),
            FloatFormat::Double => made("double", 64, true, false),
            _ => None,
        },
        _ => None,
    }
}

fn variants(origin: &Origin<'_>, branches: Branches, out: &mut String) {
    let base = origin.result.or(origin.params.first().copied());
    let base = base.unwrap_or(Lane { name: "int", bits: 32, floating: false, pointer: false });
    for isa in &ISAS {
        let lanes = (if base.floating { isa.bits.1 } else { isa.bits.0 }) / base.bits;
        for (letter, made) in [('N', branches != Branches::Inside), ('M', branches != Branches::Outside)] {
            if !made {
                continue;
            }
            let letters = "v".repeat(origin.params.len());
            let name = format!("_ZGV{}{letter}{lanes}{letters}_{}", isa.letter, origin.symbol);
            let variant = Variant { origin, isa, lanes, base, masked: letter == 'M' };
            match isa.letter {
                'e' => variant.in_memory(&name, out),
                _ => variant.in_vectors(&name, out),
            }
        }
    }
}

struct Variant<'o> {
    origin: &'o Origin<'o>,
    isa: &'o Isa,
    lanes: u32,
    /// What decides how many lanes there are, and what a mask is made of.
    base: Lane,
    masked: bool,
}

impl Variant<'_> {
    fn passed(&self, lane: Lane) -> Passed {
        Passed::new(lane, self.isa, self.lanes)
    }

    /// The attribute `target`, with the function's own.
    fn target(&self) -> String {
        match (self.origin.target, self.isa.target) {
            ("", "") => String::new(),
            (own, "") => format!("target(\"{own}\"), "),
            ("", isa) => format!("target(\"{isa}\"), "),
            (own, isa) => format!("target(\"{own},{isa}\"), "),
        }
    }

    /// A function of vectors.
    fn in_vectors(&self, name: &str, out: &mut String) {
        let mut params = Vec::new();
        let mut copies = String::new();
        let mut parameter = |passed: Passed, array: &str, lane: &str| {
            let _ = write!(copies, "{lane} {array}[{}];", self.lanes);
            for part in 0..passed.count {
                params.push(format!("{} {array}_{part}", passed.vector()));
                let bytes = passed.bytes();
                let place = part * bytes;
                let _ = write!(copies, "__builtin_memcpy((char *){array} + {place}, &{array}_{part}, {bytes});");
            }
        };
        for (number, &lane) in self.origin.params.iter().enumerate() {
            parameter(self.passed(lane), &format!("__a{number}"), lane.name);
        }
        if self.masked {
            parameter(self.passed(self.base), "__mask", mask_lane(self.base));
        }
        let result = self.origin.result.map(|lane| self.passed(lane));
        let returns = result.map_or("void".to_owned(), |passed| passed.vector());
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let attributes = format!("{}{}", self.origin.attributes, self.target());
        // Under a name of its own: the program may have declared the variant, with other lanes.
        let head = format!("__attribute__(({attributes})) {returns} __simd{name}({params})");
        let _ = write!(out, "{head} __asm__(\"{name}\");\n{head} {{ {copies}");
        self.result_array(out);
        self.lanes_in_turn("__mask[__i]", out);
        if result.is_some() {
            let _ = write!(out, "{returns} __v; __builtin_memcpy(&__v, __r, sizeof __v); return __v;");
        }
        out.push_str("}\n");
    }

    /// The array of results: lanes that are masked out are zero.
    fn result_array(&self, out: &mut String) {
        if let Some(lane) = self.origin.result {
            let zero = if self.masked { " = {0}" } else { "" };
            let _ = write!(out, "{} __r[{}]{zero};", lane.name, self.lanes);
        }
    }

    /// The loop around the function, over arrays.
    fn lanes_in_turn(&self, mask: &str, out: &mut String) {
        let _ = write!(out, "for (int __i = 0; __i < {}; __i++)", self.lanes);
        if self.masked {
            let _ = write!(out, " if ({mask})");
        }
        if let Some(result) = self.origin.result {
            let _ = write!(out, " __r[__i] = ({})", result.name);
        }
        let _ = write!(out, " {}(", self.origin.name);
        for (number, lane) in self.origin.params.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            let cast = if lane.pointer { "(void *)" } else { "" };
            let _ = write!(out, "{comma}{cast}__a{number}[__i]");
        }
        out.push_str(");");
    }

    /// A function of places, and the instructions that call it: registers, the arguments on the
    /// stack, the result, the mask.
    fn in_memory(&self, name: &str, out: &mut String) {
        let section = self.origin.section.map(|s| format!("section(\"{}\"), ", s.escape_default()));
        let attributes = format!("used, noclone, {}{}", section.unwrap_or_default(), self.target());
        let head = format!(
            "static __attribute__(({attributes})) void __simd{name}(const char *__registers, const char *__stack, \
             void *__result, unsigned long __mask)"
        );
        let _ = write!(out, "{head} __asm__(\"{name}.body\");\n{head} {{");
        let (mut register, mut stack) = (0, 0u32);
        for (number, &lane) in self.origin.params.iter().enumerate() {
            let passed = self.passed(lane);
            let _ = write!(out, "{} __a{number}[{}];", lane.name, self.lanes);
            for part in 0..passed.count {
                let bytes = passed.bytes();
                let from = if register < REGISTERS {
                    register += 1;
                    format!("__registers + {}", (register - 1) * 64)
                } else {
                    // An argument on the stack is aligned to its size, at least to 8 bytes.
                    let align = bytes.max(8);
                    let place = stack.next_multiple_of(align);
                    stack = place + align;
                    format!("__stack + {place}")
                };
                let place = part * bytes;
                let _ = write!(out, "__builtin_memcpy((char *)__a{number} + {place}, {from}, {bytes});");
            }
        }
        self.result_array(out);
        self.lanes_in_turn("__mask >> __i & 1", out);
        if self.origin.result.is_some() {
            out.push_str("__builtin_memcpy(__result, __r, sizeof __r);");
        }
        out.push_str("}\n");
        self.entry(name, register, out);
    }

    /// `asm` at file scope: the variant's symbol and its instructions.
    fn entry(&self, name: &str, registers: usize, out: &mut String) {
        let mut lines = Vec::new();
        if self.origin.intel_syntax {
            lines.push(".att_syntax prefix".to_owned());
        }
        let section = match self.origin.section {
            Some(section) => section.to_owned(),
            None if self.origin.own_sections => format!(".text.{name}"),
            None => ".text".to_owned(),
        };
        lines.push(format!(".pushsection {section}, \\\"ax\\\", @progbits"));
        lines.push(".p2align 4".into());
        lines.push(format!("{} {name}", if self.origin.weak { ".weak" } else { ".globl" }));
        if let Some(visibility) = self.origin.visibility.filter(|&v| v != "default") {
            lines.push(format!(".{visibility} {name}"));
        }
        lines.extend([format!(".type {name}, @function"), format!("{name}:")]);
        let begin = [
            ".cfi_startproc",
            "endbr64",
            "pushq %rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset %rbp, -16",
            "movq %rsp, %rbp",
            ".cfi_def_cfa_register %rbp",
            "andq $-64, %rsp",
        ];
        lines.extend(begin.map(str::to_owned));
        lines.push(format!("subq ${}, %rsp", 64 * (registers + 1)));
        lines.extend((0..registers).map(|n| format!("vmovups %zmm{n}, {}(%rsp)", 64 * (n + 1))));
        // The mask is the only argument in a general register.
        let rest = ["movq %rdi, %rcx", "leaq 64(%rsp), %rdi", "leaq 16(%rbp), %rsi", "movq %rsp, %rdx"];
        lines.extend(rest.map(str::to_owned));
        lines.push(format!("call {name}.body"));
        if self.origin.result.is_some() {
            lines.push("vmovups (%rsp), %zmm0".into());
        }
        lines.extend(["leave", ".cfi_def_cfa %rsp, 8", "ret", ".cfi_endproc"].map(str::to_owned));
        lines.extend([format!(".size {name}, . - {name}"), ".popsection".to_owned()]);
        if self.origin.intel_syntax {
            lines.push(".intel_syntax noprefix".into());
        }
        let _ = writeln!(out, "__asm__(\"{}\");", lines.join("\\n"));
    }
}

/// Lanes of a mask are looked at as integers, of the width of the lanes of data.
fn mask_lane(base: Lane) -> &'static str {
    match base.bits {
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned",
        _ => "unsigned long",
    }
}
