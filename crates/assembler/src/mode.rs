//! The code sizes: `.code16`, `.code16gcc`, `.code32`, `.code64`.

use iced_x86::Register;

/// What size of code is assembled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Mode {
    /// `.code16`
    Code16,
    /// `.code16gcc`: runs in 16-bit mode, but stack operations have 32 bits, as compilers of 32-bit
    /// code assume.
    Code16Gcc,
    /// `.code32`
    Code32,
    /// `.code64`
    #[default]
    Code64,
}

impl Mode {
    /// Bits of an address where nothing says otherwise.
    pub fn bits(self) -> u32 {
        match self {
            Mode::Code16 | Mode::Code16Gcc => 16,
            Mode::Code32 => 32,
            Mode::Code64 => 64,
        }
    }

    pub fn is_16(self) -> bool {
        self.bits() == 16
    }

    pub fn is_64(self) -> bool {
        self == Mode::Code64
    }

    /// Bytes of an operand where nothing says otherwise.
    pub fn operand_size(self) -> u32 {
        if self.is_16() { 2 } else { 4 }
    }

    /// Bytes of an operand after an operand-size prefix.
    pub fn prefixed_operand_size(self) -> u32 {
        if self.is_16() { 4 } else { 2 }
    }

    /// Bytes of an address, with and without an address-size prefix.
    pub fn address_size(self, prefixed: bool) -> u32 {
        match (self.bits(), prefixed) {
            (16, false) | (32, true) => 2,
            (16 | 32, _) | (_, true) => 4,
            _ => 8,
        }
    }

    /// Whether code of this size can name the register.
    pub fn has(self, register: Register) -> bool {
        if self.is_64() {
            return true;
        }
        let needs_rex = matches!(register, Register::SPL | Register::BPL | Register::SIL | Register::DIL);
        let number_below_8 = match register {
            _ if register.is_gpr() => register.number() < 8 && !register.is_gpr64(),
            _ if register.is_vector_register() || register.is_cr() || register.is_dr() => register.number() < 8,
            Register::RIP | Register::EIP => false,
            _ if register.is_tmm() => false,
            _ => true,
        };
        number_below_8 && !needs_rex
    }
}
