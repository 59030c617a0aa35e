//! Branch relaxation against GNU `as`: random functions of branches, filler and
//! alignments must come out byte for byte the same.

use std::{fmt::Write as _, process::Command};

use object::{CodeBuffer, Cond, FunctionCode, SymbolRef, TextPlacement};

/// A small deterministic generator (xorshift64*), so that a failure names its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// One random function as machine code and as text.
fn random_function(seed: u64, aligns: bool, buffer: &mut CodeBuffer, text: &mut String) -> FunctionCode {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + random.below(120) as usize;
    let filler = 1 + random.below(30);
    buffer.begin(SymbolRef::module(0), 64, TextPlacement::Normal, false);
    let labels: Vec<_> = (0..count).map(|_| buffer.new_label()).collect();
    for (i, &label) in labels.iter().enumerate() {
        if aligns && random.below(5) == 0 {
            let align = 8 << random.below(3);
            let skip = if random.below(2) == 0 { align - 1 } else { random.below(align) };
            if skip > 0 {
                buffer.align(align as u32, skip as u32);
                writeln!(text, ".p2align {},,{skip}", align.trailing_zeros()).unwrap();
            }
        }
        buffer.bind(label);
        writeln!(text, ".L{seed}_{i}:").unwrap();
        for _ in 0..random.below(filler) {
            buffer.put_bytes(&[0xf8]);
            writeln!(text, "clc").unwrap();
        }
        // Mostly near targets, around the limit of a byte.
        let reach = 1 + random.below(40) as usize;
        let low = i.saturating_sub(reach);
        let target = (low + random.below(2 * reach as u64) as usize).min(count - 1);
        match random.below(4) {
            0 => {
                buffer.jmp(labels[target]);
                writeln!(text, "jmp .L{seed}_{target}").unwrap();
            }
            _ => {
                let cond = Cond::ALL[random.below(16) as usize];
                buffer.jcc(cond, labels[target]);
                writeln!(text, "j{} .L{seed}_{target}", cond.suffix()).unwrap();
            }
        }
    }
    buffer.take()
}

fn compare_with_as(aligns: bool) {
    let mut buffer = CodeBuffer::new();
    let mut text = String::new();
    let mut ours = Vec::new();
    let mut starts = Vec::new();
    // Sections keep the functions apart for `as`.
    for seed in 1..400 {
        writeln!(text, ".section .text.f{seed},\"ax\",@progbits\n.p2align 6").unwrap();
        let code = random_function(seed, aligns, &mut buffer, &mut text);
        starts.push(ours.len());
        ours.push(code.code);
    }
    let dir = std::env::temp_dir().join(format!("tcc-rs-relax-{aligns}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("t.s"), &text).unwrap();
    let status = Command::new("as").args(["t.s", "-o", "t.o"]).current_dir(&dir).status().unwrap();
    assert!(status.success());
    let file = std::fs::read(dir.join("t.o")).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    for (i, code) in ours.iter().enumerate() {
        let expected = section(&file, &format!(".text.f{}", i + 1));
        let same = expected.starts_with(code) && expected.len() - code.len() < 64;
        assert!(same, "seed {}: ours {} bytes, as {} bytes", i + 1, code.len(), expected.len());
    }
}

/// Contents of a section of an ELF64 file.
fn section<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
    let u16_at = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap()) as usize;
    let u32_at = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let u64_at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let headers = u64_at(40);
    let header = |i: usize| headers + i * 64;
    let names = u64_at(header(u16_at(62)) + 24);
    for i in 0..u16_at(60) {
        let at = names + u32_at(header(i));
        let end = at + file[at..].iter().position(|&b| b == 0).unwrap();
        if &file[at..end] == name.as_bytes() {
            let offset = u64_at(header(i) + 24);
            return &file[offset..offset + u64_at(header(i) + 32)];
        }
    }
    panic!("no section {name}");
}

#[test]
fn branches_as_gas_sizes_them() {
    compare_with_as(false);
}

#[test]
fn branches_and_alignments_as_gas_lays_them_out() {
    compare_with_as(true);
}

/// A chain in which every growth forces the next one still ends.
#[test]
fn long_chain_ends() {
    let mut buffer = CodeBuffer::new();
    buffer.begin(SymbolRef::module(0), 16, TextPlacement::Normal, false);
    let labels: Vec<_> = (0..20_000).map(|_| buffer.new_label()).collect();
    for i in 0..20_000usize {
        buffer.bind(labels[i]);
        // Just within reach if nothing between grows.
        buffer.jmp(labels[(i + 64).min(19_999)]);
    }
    let code = buffer.take();
    assert_eq!(code.branches.len(), 20_000);
    assert!(code.code.len() <= 5 * 20_000);
}

/// Code that is kept together crosses no border of its line wherever it comes to lie, and nothing
/// is padded that would not cross one. Code of a few lines does not reach into one more, unless it
/// nearly fills them, or leaves so much of them free that its alignment does.
#[test]
fn code_kept_together_lies_within_a_line() {
    let mut buffer = CodeBuffer::new();
    for before in 0..64usize {
        for size in [2usize, 20, 32, 33, 50, 64, 65, 80, 81, 96, 97, 124, 193] {
            buffer.begin(SymbolRef::module(0), 16, TextPlacement::Normal, false);
            buffer.put_bytes(&vec![0xf8; before]);
            let number = buffer.next_align();
            buffer.align(16, 10);
            buffer.align(8, 7);
            let top = buffer.label_here();
            buffer.put_bytes(&vec![0xf8; size - 2]);
            buffer.jcc(Cond::E, top);
            buffer.keep_together(number);
            let code = buffer.take();
            let padding = &code.paddings[0];
            let start = before + (padding.len + code.paddings[1].len) as usize;
            assert_eq!(code.labels[top.0 as usize] as usize, start);
            let line = if size <= 32 { 32 } else { 64 };
            if size > 64 && size <= 128 && (16..32).contains(&((size - 1) % 64)) {
                let lines = |from: usize| (from + size - 1) / 64 - from / 64 + 1;
                assert_eq!(lines(start), size.div_ceil(64), "{size} bytes behind {before}");
                assert_eq!(padding.len > 0, lines(before) > size.div_ceil(64));
                assert!(padding.len < 32);
            } else if size > 64 {
                assert_eq!((padding.align, padding.max_skip, code.align), (16, 10, 16));
                assert_eq!(start % 8, 0);
            } else {
                assert_eq!(start / line, (start + size - 1) / line, "{size} bytes behind {before}");
                assert_eq!(padding.len > 0, before / line != (before + size - 1) / line);
                assert_eq!(code.align as usize, line);
            }
        }
    }
}
