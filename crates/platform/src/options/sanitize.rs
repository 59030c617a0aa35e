//! Sanitizers: which checks are on, and what happens when one fails.
//!
//! Names, groups and defaults are those of gcc 12 (`sanitizer_opts` in its `opts.cc`, "Program
//! Instrumentation Options" in its manual).

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Sanitizers(pub u32);

impl Sanitizers {
    /// No check.
    pub const NONE: Sanitizers = Sanitizers(0);
    /// `address`
    pub const ADDRESS: Sanitizers = Sanitizers(1);
    /// `kernel-address`
    pub const KERNEL_ADDRESS: Sanitizers = Sanitizers(1 << 1);
    /// `thread`
    pub const THREAD: Sanitizers = Sanitizers(1 << 2);
    /// `leak`
    pub const LEAK: Sanitizers = Sanitizers(1 << 3);
    /// `shift-base`
    pub const SHIFT_BASE: Sanitizers = Sanitizers(1 << 4);
    /// `shift-exponent`
    pub const SHIFT_EXPONENT: Sanitizers = Sanitizers(1 << 5);
    /// `integer-divide-by-zero`
    pub const DIVIDE: Sanitizers = Sanitizers(1 << 6);
    /// `unreachable`
    pub const UNREACHABLE: Sanitizers = Sanitizers(1 << 7);
    /// `vla-bound`
    pub const VLA_BOUND: Sanitizers = Sanitizers(1 << 8);
    /// `null`
    pub const NULL: Sanitizers = Sanitizers(1 << 9);
    /// `return`: for C++ only.
    pub const RETURN: Sanitizers = Sanitizers(1 << 10);
    /// `signed-integer-overflow`
    pub const OVERFLOW: Sanitizers = Sanitizers(1 << 11);
    /// `bool`
    pub const BOOL: Sanitizers = Sanitizers(1 << 12);
    /// `enum`: C's enumerations have the values of their integer types.
    pub const ENUM: Sanitizers = Sanitizers(1 << 13);
    /// `float-divide-by-zero`
    pub const FLOAT_DIVIDE: Sanitizers = Sanitizers(1 << 14);
    /// `float-cast-overflow`
    pub const FLOAT_CAST: Sanitizers = Sanitizers(1 << 15);
    /// `bounds`
    pub const BOUNDS: Sanitizers = Sanitizers(1 << 16);
    /// What `bounds-strict` adds to `bounds`: arrays at the end of structures.
    pub const BOUNDS_STRICT: Sanitizers = Sanitizers(1 << 17);
    /// `alignment`
    pub const ALIGNMENT: Sanitizers = Sanitizers(1 << 18);
    /// `nonnull-attribute`
    pub const NONNULL: Sanitizers = Sanitizers(1 << 19);
    /// `returns-nonnull-attribute`
    pub const RETURNS_NONNULL: Sanitizers = Sanitizers(1 << 20);
    /// `object-size`
    pub const OBJECT_SIZE: Sanitizers = Sanitizers(1 << 21);
    /// `vptr`: for C++ only.
    pub const VPTR: Sanitizers = Sanitizers(1 << 22);
    /// `pointer-overflow`
    pub const POINTER_OVERFLOW: Sanitizers = Sanitizers(1 << 23);
    /// `builtin`
    pub const BUILTIN: Sanitizers = Sanitizers(1 << 24);
    /// `pointer-compare`
    pub const POINTER_COMPARE: Sanitizers = Sanitizers(1 << 25);
    /// `pointer-subtract`
    pub const POINTER_SUBTRACT: Sanitizers = Sanitizers(1 << 26);
    /// `hwaddress`
    pub const HWADDRESS: Sanitizers = Sanitizers(1 << 27);
    /// `kernel-hwaddress`
    pub const KERNEL_HWADDRESS: Sanitizers = Sanitizers(1 << 28);
    /// `shadow-call-stack`
    pub const SHADOW_CALL_STACK: Sanitizers = Sanitizers(1 << 29);

    /// `shift`
    pub const SHIFT: Sanitizers = Sanitizers::SHIFT_BASE.with(Sanitizers::SHIFT_EXPONENT);
    /// `undefined`
    pub const UNDEFINED: Sanitizers = Sanitizers::SHIFT
        .with(Sanitizers::DIVIDE)
        .with(Sanitizers::UNREACHABLE)
        .with(Sanitizers::VLA_BOUND)
        .with(Sanitizers::NULL)
        .with(Sanitizers::RETURN)
        .with(Sanitizers::OVERFLOW)
        .with(Sanitizers::BOOL)
        .with(Sanitizers::ENUM)
        .with(Sanitizers::BOUNDS)
        .with(Sanitizers::ALIGNMENT)
        .with(Sanitizers::NONNULL)
        .with(Sanitizers::RETURNS_NONNULL)
        .with(Sanitizers::OBJECT_SIZE)
        .with(Sanitizers::VPTR)
        .with(Sanitizers::POINTER_OVERFLOW)
        .with(Sanitizers::BUILTIN);
    /// What `undefined` leaves out and the same runtime reports.
    pub const BEYOND_UNDEFINED: Sanitizers =
        Sanitizers::FLOAT_DIVIDE.with(Sanitizers::FLOAT_CAST).with(Sanitizers::BOUNDS_STRICT);
    /// What the runtime of the undefined behaviour sanitizer reports.
    pub const OF_UBSAN: Sanitizers = Sanitizers::UNDEFINED.with(Sanitizers::BEYOND_UNDEFINED);
    /// What can only end the program.
    pub const FATAL: Sanitizers = Sanitizers::UNREACHABLE.with(Sanitizers::RETURN);
    /// Checks that rely on null pointers being told from others.
    pub const OF_NULL_POINTERS: Sanitizers =
        Sanitizers::NULL.with(Sanitizers::NONNULL).with(Sanitizers::RETURNS_NONNULL);
    /// Memory errors, with whichever runtime.
    pub const ANY_ADDRESS: Sanitizers = Sanitizers::ADDRESS.with(Sanitizers::KERNEL_ADDRESS);
    /// What looks at every access; no two of them go together.
    pub const OF_ACCESSES: Sanitizers = Sanitizers::ANY_ADDRESS.with(Sanitizers::THREAD);
    /// `all`
    pub const ALL: Sanitizers = Sanitizers(u32::MAX);

    /// gcc's names in its order, the checks, and whether `-fsanitize-recover=` may name them.
    pub const NAMES: &'static [(&'static str, Sanitizers, bool)] = &[
        ("address", Sanitizers::ADDRESS, true),
        ("hwaddress", Sanitizers::HWADDRESS, true),
        ("kernel-address", Sanitizers::KERNEL_ADDRESS, true),
        ("kernel-hwaddress", Sanitizers::KERNEL_HWADDRESS, true),
        ("pointer-compare", Sanitizers::POINTER_COMPARE, true),
        ("pointer-subtract", Sanitizers::POINTER_SUBTRACT, true),
        ("thread", Sanitizers::THREAD, false),
        ("leak", Sanitizers::LEAK, false),
        ("shift", Sanitizers::SHIFT, true),
        ("shift-base", Sanitizers::SHIFT_BASE, true),
        ("shift-exponent", Sanitizers::SHIFT_EXPONENT, true),
        ("integer-divide-by-zero", Sanitizers::DIVIDE, true),
        ("undefined", Sanitizers::UNDEFINED, true),
        ("unreachable", Sanitizers::UNREACHABLE, false),
        ("vla-bound", Sanitizers::VLA_BOUND, true),
        ("return", Sanitizers::RETURN, false),
        ("null", Sanitizers::NULL, true),
        ("signed-integer-overflow", Sanitizers::OVERFLOW, true),
        ("bool", Sanitizers::BOOL, true),
        ("enum", Sanitizers::ENUM, true),
        ("float-divide-by-zero", Sanitizers::FLOAT_DIVIDE, true),
        ("float-cast-overflow", Sanitizers::FLOAT_CAST, true),
        ("bounds", Sanitizers::BOUNDS, true),
        ("bounds-strict", Sanitizers::BOUNDS.with(Sanitizers::BOUNDS_STRICT), true),
        ("alignment", Sanitizers::ALIGNMENT, true),
        ("nonnull-attribute", Sanitizers::NONNULL, true),
        ("returns-nonnull-attribute", Sanitizers::RETURNS_NONNULL, true),
        ("object-size", Sanitizers::OBJECT_SIZE, true),
        ("vptr", Sanitizers::VPTR, true),
        ("pointer-overflow", Sanitizers::POINTER_OVERFLOW, true),
        ("builtin", Sanitizers::BUILTIN, true),
        ("shadow-call-stack", Sanitizers::SHADOW_CALL_STACK, false),
        ("all", Sanitizers::ALL, true),
    ];

    /// The checks of this name.
    pub fn named(name: &str) -> Option<Sanitizers> {
        Sanitizers::NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// Union.
    pub const fn with(self, other: Sanitizers) -> Sanitizers {
        Sanitizers(self.0 | other.0)
    }

    /// Those of `self` that are not in `other`.
    pub const fn without(self, other: Sanitizers) -> Sanitizers {
        Sanitizers(self.0 & !other.0)
    }

    /// Whether any of `other` is in the set.
    pub const fn any(self, other: Sanitizers) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether nothing is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// `-fsanitize=` and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanitize {
    /// What is checked.
    pub enabled: Sanitizers,
    /// What lets the program go on after a report (`-fsanitize-recover=`).
    pub recover: Sanitizers,
    /// `-fsanitize-undefined-trap-on-error`: `ud2` instead of reports.
    pub trap: bool,
    /// `-fsanitize-minimal-runtime`: reports without values, by functions of `runtime/support`.
    pub minimal: bool,
    /// `-fsanitize-address-use-after-scope`, which `address` turns on.
    pub use_after_scope: Option<bool>,
    /// What `--param asan-...` leaves out of `address`.
    pub address: AddressChecks,
    /// `-fsanitize-coverage=`
    pub coverage: TraceCoverage,
}

/// What a fuzzer is told (`-fsanitize-coverage=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceCoverage {
    /// `trace-pc`: every block, by the address of the call.
    pub places: bool,
    /// `trace-cmp`: comparisons and switches, with their operands.
    pub comparisons: bool,
    /// `trace-pc-guard` of LLVM: every block, by the address of a number of its own.
    pub guards: bool,
}

/// The parts of `-fsanitize=address` (`--param asan-...`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressChecks {
    /// `asan-stack`: red zones around variables of functions.
    pub stack: bool,
    /// `asan-instrument-allocas`: the same around `alloca` and arrays of variable length.
    pub allocas: bool,
    /// `asan-globals`: red zones after variables of static storage duration.
    pub globals: bool,
    /// `asan-instrument-reads`
    pub reads: bool,
    /// `asan-instrument-writes`
    pub writes: bool,
    /// `asan-use-after-return`: frames may lie where they stay poisoned after the return.
    pub use_after_return: bool,
    /// `asan-instrumentation-with-call-threshold`: functions with more accesses than this are
    /// checked by calls.
    pub call_threshold: u32,
    /// `-fasan-shadow-offset=`: where the shadow of address 0 is.
    pub shadow_start: u64,
}

impl AddressChecks {
    /// What `kernel-address` begins with: a kernel is told of accesses alone, by calls.
    pub fn of_kernels() -> AddressChecks {
        AddressChecks {
            stack: false,
            allocas: false,
            globals: false,
            use_after_return: false,
            call_threshold: 0,
            ..AddressChecks::default()
        }
    }
}

impl Default for AddressChecks {
    fn default() -> AddressChecks {
        AddressChecks {
            stack: true,
            allocas: true,
            globals: true,
            reads: true,
            writes: true,
            use_after_return: true,
            call_threshold: 7000,
            shadow_start: 0x7fff_8000,
        }
    }
}

impl Default for Sanitize {
    fn default() -> Sanitize {
        let recover = Sanitizers::OF_UBSAN
            .with(Sanitizers::KERNEL_ADDRESS)
            .with(Sanitizers::KERNEL_HWADDRESS)
            .without(Sanitizers::FATAL);
        Sanitize {
            enabled: Sanitizers::NONE,
            recover,
            trap: false,
            minimal: false,
            use_after_scope: None,
            address: AddressChecks::default(),
            coverage: TraceCoverage::default(),
        }
    }
}

impl Sanitize {
    /// Whether one of these checks is on.
    pub fn checks(&self, any: Sanitizers) -> bool {
        self.enabled.any(any)
    }

    /// Whether variables are poisoned where their scope ends.
    pub fn poisons_scopes(&self) -> bool {
        let asked_for = self.use_after_scope.unwrap_or(self.checks(Sanitizers::ADDRESS));
        asked_for && self.address.stack && self.checks(Sanitizers::ANY_ADDRESS)
    }

    /// Whether the program goes on after a wrong access.
    pub fn recovers_from_wrong_addresses(&self) -> bool {
        let kernel = self.checks(Sanitizers::KERNEL_ADDRESS);
        self.recover.any(if kernel { Sanitizers::KERNEL_ADDRESS } else { Sanitizers::ADDRESS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_leaves_floats_and_strict_bounds_out() {
        assert!(!Sanitizers::UNDEFINED.any(Sanitizers::BEYOND_UNDEFINED));
        assert!(Sanitizers::UNDEFINED.any(Sanitizers::named("shift").unwrap_or_default()));
        assert_eq!(Sanitizers::named("nothing"), None);
    }
}
