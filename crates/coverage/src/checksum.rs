//! Checksums that tell functions and their versions apart: CRC-32 with the polynomial 0x04c11db7,
//! most significant bit first, as gcc computes it.

/// `sum` continued by a byte.
pub fn byte(sum: u32, byte: u8) -> u32 {
    (0..8).fold(sum ^ u32::from(byte) << 24, |sum, _| {
        let shifted = sum << 1;
        if sum >> 31 == 1 { shifted ^ 0x04c1_1db7 } else { shifted }
    })
}

/// `sum` continued by a number, its high byte first.
pub fn number(sum: u32, number: u32) -> u32 {
    number.to_be_bytes().into_iter().fold(sum, byte)
}

/// `sum` continued by a text and a zero byte.
pub fn text(sum: u32, text: &str) -> u32 {
    text.bytes().chain([0]).fold(sum, byte)
}
