//! Parameter passing of the x86-64 System V ABI (psABI section 3.2.3).
//!
//! [`classify`] works on an abstract description of a type: its size and the scalar [`Leaf`]s it
//! consists of. The caller flattens structures, unions and arrays into leaves (only aggregates of
//! at most [`MAX_CLASSIFIED`] bytes need that). [`ArgumentRegisters`] then hands out registers in
//! argument order, all eightbytes of a value or none.

/// Class of one eightbyte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Class {
    /// Padding and empty aggregates.
    #[default]
    NoClass,
    /// General-purpose register.
    Integer,
    /// Low eightbyte of a vector register.
    Sse,
    /// A further eightbyte of the vector register before it.
    SseUp,
    /// The 64-bit mantissa of an x87 value.
    X87,
    /// Exponent, sign and padding of the x87 value before it.
    X87Up,
    /// `long double _Complex`: returned in st(0) and st(1), passed in memory.
    ComplexX87,
    /// Passed on the stack, returned through a hidden pointer.
    Memory,
}

/// What a scalar inside a type is, for classification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LeafKind {
    /// `_Bool`, integers, enumerations, pointers; also bit-fields, whose leaf covers the bytes they
    /// touch.
    Integer,
    /// `_Float16`, `float`, `double`.
    Float,
    /// x87 extended, 16 bytes of storage.
    Float80,
    /// binary128.
    Float128,
    /// A vector (`__m64`, `__m128`, ...) of `Leaf::size` bytes.
    Vector,
    /// What no register holds: gcc's vectors of one float, of decimal and of extended ones.
    Memory,
}

/// A scalar at an offset within a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Leaf {
    /// Bytes from the start of the whole type.
    pub offset: u64,
    /// Bytes covered.
    pub size: u64,
    /// What it is.
    pub kind: LeafKind,
    /// Bit-fields may lie at any offset without forcing the type into memory.
    pub bit_field: bool,
}

/// Largest type (in bytes) that can be classified other than MEMORY: one 512-bit vector.
pub const MAX_CLASSIFIED: u64 = 64;

/// Classes of a value's eightbytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Classification {
    classes: [Class; 8],
    len: u8,
}

impl Classification {
    /// Passed in memory.
    pub const MEMORY: Classification = Classification { classes: [Class::Memory; 8], len: 1 };
    /// An integer or pointer of at most 8 bytes.
    pub const INTEGER: Classification = Classification { classes: [Class::Integer; 8], len: 1 };

    /// One class per eightbyte, in address order; a single [`Class::Memory`] for a value passed in
    /// memory; empty for an empty aggregate.
    pub fn classes(&self) -> &[Class] {
        &self.classes[..self.len as usize]
    }

    /// The value is passed on the stack and returned through a hidden pointer.
    pub fn is_memory(&self) -> bool {
        self.len > 0 && self.classes[0] == Class::Memory
    }

    /// Whether an argument of this class goes to the stack whatever registers are free: MEMORY, and
    /// the x87 classes.
    pub fn is_stack_argument(&self) -> bool {
        self.classes().iter().any(|c| matches!(c, Class::Memory | Class::X87 | Class::X87Up | Class::ComplexX87))
    }

    /// Number of general-purpose and of vector registers the value takes.
    pub fn register_demand(&self) -> (u8, u8) {
        let count = |class| self.classes().iter().filter(|&&c| c == class).count() as u8;
        (count(Class::Integer), count(Class::Sse))
    }
}

/// Merges the classes of two fields that share an eightbyte (psABI 3.2.3, classification step 4).
fn merge(a: Class, b: Class) -> Class {
    use Class::*;
    match (a, b) {
        _ if a == b => a,
        (NoClass, other) | (other, NoClass) => other,
        (Memory, _) | (_, Memory) => Memory,
        (Integer, _) | (_, Integer) => Integer,
        (X87 | X87Up | ComplexX87, _) | (_, X87 | X87Up | ComplexX87) => Memory,
        _ => Sse,
    }
}

/// Classifies an aggregate or a scalar of `size` bytes that consists of `leaves`.
///
/// `complex_float80` is set for `long double _Complex` itself (not for a structure that contains
/// one, which is larger than two eightbytes and therefore MEMORY).
pub fn classify(size: u64, leaves: &[Leaf], complex_float80: bool) -> Classification {
    if complex_float80 {
        let mut classes = [Class::NoClass; 8];
        classes[..4].fill(Class::ComplexX87);
        return Classification { classes, len: 4 };
    }
    if size > MAX_CLASSIFIED {
        return Classification::MEMORY;
    }
    let mut classes = [Class::NoClass; 8];
    let len = size.div_ceil(8) as usize;
    for leaf in leaves {
        if leaf.size == 0 {
            continue;
        }
        let natural =
            if leaf.kind == LeafKind::Vector { leaf.size.min(8) } else { leaf.size.next_power_of_two().min(16) };
        if !leaf.bit_field && leaf.offset % natural != 0 {
            return Classification::MEMORY;
        }
        let first = (leaf.offset / 8) as usize;
        let last = (((leaf.offset + leaf.size - 1) / 8) as usize).min(7);
        for (index, class) in classes[first..=last].iter_mut().enumerate() {
            let own = match (leaf.kind, index) {
                (LeafKind::Integer, _) => Class::Integer,
                (LeafKind::Float, _) | (LeafKind::Float128 | LeafKind::Vector, 0) => Class::Sse,
                (LeafKind::Float128 | LeafKind::Vector, _) => Class::SseUp,
                (LeafKind::Float80, 0) => Class::X87,
                (LeafKind::Float80, _) => Class::X87Up,
                (LeafKind::Memory, _) => Class::Memory,
            };
            *class = merge(*class, own);
        }
    }
    post_merge(Classification { classes, len: len as u8 })
}

/// The post-merger cleanup (psABI 3.2.3, classification step 5).
fn post_merge(mut c: Classification) -> Classification {
    let len = c.len as usize;
    let classes = &mut c.classes[..len];
    for i in 0..len {
        match classes[i] {
            Class::Memory => return Classification::MEMORY,
            Class::X87Up if i == 0 || classes[i - 1] != Class::X87 => return Classification::MEMORY,
            Class::SseUp if i == 0 || !matches!(classes[i - 1], Class::Sse | Class::SseUp) => classes[i] = Class::Sse,
            _ => {}
        }
    }
    if len > 2 && (classes[0] != Class::Sse || classes[1..].iter().any(|&k| k != Class::SseUp)) {
        return Classification::MEMORY;
    }
    c
}

/// Where an argument goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentPlace {
    /// In registers, one per INTEGER or SSE eightbyte; `first_integer` and `first_sse` are the
    /// indices of the first register taken of each file (rdi, rsi, rdx, rcx, r8, r9 and
    /// xmm0..xmm7).
    Registers {
        /// Index of the first general-purpose argument register.
        first_integer: u8,
        /// Index of the first vector register.
        first_sse: u8,
    },
    /// On the stack, in argument order.
    Stack,
    /// An empty aggregate: nothing is passed.
    Nothing,
}

/// General-purpose registers that carry arguments.
pub const INTEGER_ARGUMENT_REGISTERS: u8 = 6;
/// Vector registers that carry arguments.
pub const SSE_ARGUMENT_REGISTERS: u8 = 8;

/// Registers handed out so far while walking the arguments of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArgumentRegisters {
    /// General-purpose registers taken.
    pub integer: u8,
    /// Vector registers taken.
    pub sse: u8,
}

impl ArgumentRegisters {
    /// Places the next argument. A value whose eightbytes do not all fit goes to the stack whole
    /// and takes no register.
    pub fn place(&mut self, c: &Classification) -> ArgumentPlace {
        if c.classes().is_empty() {
            return ArgumentPlace::Nothing;
        }
        let (integer, sse) = c.register_demand();
        let fits = self.integer + integer <= INTEGER_ARGUMENT_REGISTERS && self.sse + sse <= SSE_ARGUMENT_REGISTERS;
        if c.is_stack_argument() || !fits {
            return ArgumentPlace::Stack;
        }
        let place = ArgumentPlace::Registers { first_integer: self.integer, first_sse: self.sse };
        self.integer += integer;
        self.sse += sse;
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(offset: u64, size: u64, kind: LeafKind) -> Leaf {
        Leaf { offset, size, kind, bit_field: false }
    }

    #[test]
    fn mixed_struct() {
        // struct { float x; int n; double d; }
        let c = classify(
            16,
            &[leaf(0, 4, LeafKind::Float), leaf(4, 4, LeafKind::Integer), leaf(8, 8, LeafKind::Float)],
            false,
        );
        assert_eq!(c.classes(), [Class::Integer, Class::Sse]);
    }

    #[test]
    fn one_integer() {
        for size in [1, 2, 4, 8] {
            let class = classify(size, &[leaf(0, size, LeafKind::Integer)], false);
            assert_eq!(class.classes(), Classification::INTEGER.classes());
        }
    }

    #[test]
    fn long_double_and_vectors() {
        assert_eq!(classify(16, &[leaf(0, 16, LeafKind::Float80)], false).classes(), [Class::X87, Class::X87Up]);
        assert_eq!(classify(16, &[leaf(0, 16, LeafKind::Vector)], false).classes(), [Class::Sse, Class::SseUp]);
        let two = [leaf(0, 16, LeafKind::Vector), leaf(16, 16, LeafKind::Vector)];
        assert!(classify(32, &two, false).is_memory());
        let union = [leaf(0, 16, LeafKind::Float80), leaf(0, 4, LeafKind::Integer)];
        assert_eq!(classify(16, &union, false), Classification::MEMORY);
    }

    #[test]
    fn unaligned_member_is_memory() {
        assert!(classify(9, &[leaf(0, 1, LeafKind::Integer), leaf(1, 8, LeafKind::Integer)], false).is_memory());
    }

    #[test]
    fn all_or_nothing() {
        let two = classify(16, &[leaf(0, 8, LeafKind::Integer), leaf(8, 8, LeafKind::Integer)], false);
        let one = classify(8, &[leaf(0, 8, LeafKind::Integer)], false);
        let mut registers = ArgumentRegisters { integer: 5, sse: 0 };
        assert_eq!(registers.place(&two), ArgumentPlace::Stack);
        assert_eq!(registers.place(&one), ArgumentPlace::Registers { first_integer: 5, first_sse: 0 });
    }
}
