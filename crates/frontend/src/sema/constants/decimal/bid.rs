//! The binary integer decimal encoding (IEEE 754-2019 3.5.2, "binary encoding"): bits to sign,
//! coefficient and exponent and back.

use crate::tree::DecimalFormat;

/// Parameters of a format.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// Bits of the encoding.
    pub bits: u32,
    /// Digits of the coefficient.
    pub precision: u32,
    /// Exponents are stored with this added.
    pub bias: i32,
    /// Bits of the exponent field.
    pub exponent_bits: u32,
}

impl Parameters {
    /// The least exponent of the coefficient's last digit.
    pub fn least_exponent(self) -> i32 {
        -self.bias
    }

    /// The greatest exponent of the coefficient's last digit.
    pub fn greatest_exponent(self) -> i32 {
        3 * (1 << (self.exponent_bits - 2)) - 1 - self.bias
    }

    /// One more than the greatest coefficient.
    pub fn coefficient_limit(self) -> u128 {
        10u128.pow(self.precision)
    }

    /// Bits of a coefficient whose encoding holds all of them.
    fn coefficient_bits(self) -> u32 {
        self.bits - 1 - self.exponent_bits
    }

    /// Bits of a NaN's payload.
    fn payload_bits(self) -> u32 {
        self.coefficient_bits() - 3
    }

    /// One more than the greatest payload of a NaN.
    pub fn payload_limit(self) -> u128 {
        10u128.pow(self.precision - 1)
    }
}

/// The parameters of a format.
pub fn parameters(format: DecimalFormat) -> Parameters {
    let (bits, precision, bias, exponent_bits) = match format {
        DecimalFormat::D32 => (32, 7, 101, 8),
        DecimalFormat::D64 => (64, 16, 398, 10),
        DecimalFormat::D128 => (128, 34, 6176, 14),
    };
    Parameters { bits, precision, bias, exponent_bits }
}

/// What a decimal value is, the sign apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Magnitude {
    /// `coefficient * 10^exponent`
    Finite {
        /// Below 10 to the power of the precision.
        coefficient: u128,
        /// Of the last digit.
        exponent: i32,
    },
    /// Infinity.
    Infinity,
    /// Not a number.
    Nan {
        /// An operation on it raises the invalid exception.
        signaling: bool,
        /// Diagnostic information.
        payload: u128,
    },
}

/// A decimal value. Members of one cohort (`1.0` and `1.00`) are different values here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// The sign bit.
    pub negative: bool,
    /// All but the sign.
    pub magnitude: Magnitude,
}

/// The value of an encoding. Coefficients and payloads that are too large count as 0.
pub fn decode(bits: u128, format: DecimalFormat) -> Decimal {
    let p = parameters(format);
    let negative = bits >> (p.bits - 1) & 1 != 0;
    let magnitude = match bits >> (p.bits - 6) & 31 {
        30 => Magnitude::Infinity,
        31 => {
            let payload = bits & ((1 << p.payload_bits()) - 1);
            let payload = if payload < p.payload_limit() { payload } else { 0 };
            Magnitude::Nan { signaling: bits >> (p.bits - 7) & 1 != 0, payload }
        }
        combination => {
            // Two bits set: the exponent stands after them, and the coefficient begins with 0b100.
            let long = combination >> 3 == 3;
            let width = if long { p.coefficient_bits() - 2 } else { p.coefficient_bits() };
            let exponent = (bits >> width) as i32 & ((1 << p.exponent_bits) - 1);
            let low = bits & ((1 << width) - 1);
            let coefficient = if long { low | 1 << p.coefficient_bits() } else { low };
            let coefficient = if coefficient < p.coefficient_limit() { coefficient } else { 0 };
            Magnitude::Finite { coefficient, exponent: exponent - p.bias }
        }
    };
    Decimal { negative, magnitude }
}

/// The canonical encoding of a value that fits the format.
pub fn encode(value: Decimal, format: DecimalFormat) -> u128 {
    let p = parameters(format);
    let top = p.bits - 6;
    let magnitude = match value.magnitude {
        Magnitude::Infinity => 30 << top,
        Magnitude::Nan { signaling, payload } => 31 << top | u128::from(signaling) << (top - 1) | payload,
        Magnitude::Finite { coefficient, exponent } => {
            let field = (exponent + p.bias) as u128;
            let width = p.coefficient_bits();
            if coefficient >> width == 0 {
                field << width | coefficient
            } else {
                3 << (p.bits - 3) | field << (width - 2) | coefficient & ((1 << (width - 2)) - 1)
            }
        }
    };
    u128::from(value.negative) << (p.bits - 1) | magnitude
}
