//! Whatever the text, the answer is an object or errors: mutated sources must not panic or hang.

use assembler::{Options, Syntax, assemble, assemble_inline};
use object::{CodeBuffer, SymbolRef, TextPlacement};

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// Removes, doubles, exchanges and inserts pieces of the text.
fn mutate(source: &str, random: &mut Random) -> String {
    const PIECES: [&str; 24] = [
        "(",
        ")",
        "%",
        "$",
        ",",
        ":",
        "\"",
        "-",
        "+",
        "*",
        "@PLT",
        ".rept 3\n",
        ".endr\n",
        ".macro x\n",
        ".endm\n",
        "\\",
        "0x",
        "{",
        "}",
        ";",
        "99999999999999999999",
        "%st(9)",
        "-1",
        ".L1",
    ];
    let mut text: Vec<char> = source.chars().collect();
    for _ in 0..1 + random.below(8) {
        let at = random.below(text.len().max(1));
        match random.below(4) {
            0 => {
                let end = (at + 1 + random.below(10)).min(text.len());
                text.drain(at.min(end)..end);
            }
            1 => {
                let end = (at + random.below(40)).min(text.len());
                let copy: Vec<char> = text[at.min(end)..end].to_vec();
                let to = random.below(text.len().max(1));
                text.splice(to..to, copy);
            }
            2 => {
                let other = random.below(text.len().max(1));
                if !text.is_empty() {
                    text.swap(at, other);
                }
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.chars());
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn mutated_sources() {
    let source = include_str!("directives.s");
    let rounds = std::env::var("TCC_RS_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(200u32);
    for seed in 1..=u64::from(rounds) {
        let mut random = Random(seed);
        let text = mutate(source, &mut random);
        // `.incbin` and `.include` are not in the source; what is mutated into one finds no file.
        if let Ok(object) = assemble(&text, &Options::default()) {
            let _ = object.write();
        }
    }
}

#[test]
fn mutated_inline_asm() {
    const TEXTS: [&str; 6] = [
        "movl %eax, %ebx\n\taddq $8, %rsp\n1: jnz 1b",
        ".pushsection .x,\"a\"\n.quad 1f - .\n.popsection\n1: nop; lock; cmpxchgq %rcx, (%rdi,%rsi,8)",
        "661: nop\n662: .skip -(662b-661b), 0x90; .byte 662b-661b",
        "vaddps {rn-sae}, %zmm1, %zmm2, %zmm3{%k1}{z}; vmovups (%rax){1to16}, %zmm3",
        "fldt 8(%rsp); fsubrp %st, %st(3); rep movsb; cmpeqps %xmm1, %xmm2",
        "call foo@PLT; movq foo@GOTPCREL(%rip), %rax; lea .L.code.0(%rip), %rax; jmp .L.code.0",
    ];
    let rounds = std::env::var("TCC_RS_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(200u32);
    for seed in 1..=u64::from(rounds) {
        let mut random = Random(seed.wrapping_mul(77));
        let text = TEXTS[random.below(TEXTS.len())];
        let text = mutate(text, &mut random);
        for syntax in [Syntax::Att, Syntax::Intel { naked_registers: true }] {
            let mut buffer = CodeBuffer::new();
            buffer.begin(SymbolRef::module(0), 16, TextPlacement::Normal, false);
            let label = buffer.new_label();
            buffer.bind(label);
            if assemble_inline(&text, syntax, &object::SectionSpec::text(".text"), &mut buffer, &mut |_| None).is_ok() {
                let _ = buffer.take();
            }
        }
    }
}
