//! Random C types, their declarations, and literals for what they are made of.

use std::fmt::Write;

/// Deterministic numbers (SplitMix64, Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// An element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What a member is when it is not made of others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// Signed or not, of this many bits: `char` to `__int128`.
    Integer(&'static str, u32, bool),
    /// `_BitInt(n)` or `unsigned _BitInt(n)`, of n bits.
    BitInt(&'static str, u32),
    Bool,
    Half,
    Float,
    Double,
    LongDouble,
    Quad,
    /// `_Decimal32`, `_Decimal64` or `_Decimal128`: of this many bits.
    Decimal(u32),
    Pointer,
}

/// Every scalar, with its spelling.
pub const SCALARS: &[Scalar] = &[
    Scalar::Integer("char", 8, true),
    Scalar::Integer("unsigned char", 8, false),
    Scalar::Integer("short", 16, true),
    Scalar::Integer("unsigned short", 16, false),
    Scalar::Integer("int", 32, true),
    Scalar::Integer("unsigned", 32, false),
    Scalar::Integer("long", 64, true),
    Scalar::Integer("unsigned long", 64, false),
    Scalar::Integer("enum color", 32, false),
    Scalar::Integer("__int128", 128, true),
    Scalar::Integer("unsigned __int128", 128, false),
    Scalar::Bool,
    Scalar::Half,
    Scalar::Float,
    Scalar::Float,
    Scalar::Double,
    Scalar::Double,
    Scalar::LongDouble,
    Scalar::Quad,
    Scalar::Decimal(32),
    Scalar::Decimal(64),
    Scalar::Decimal(128),
    Scalar::Pointer,
];

/// Those that clang has and gcc 12 has not.
pub const BIT_INTS: &[Scalar] = &[
    Scalar::BitInt("_BitInt(7)", 7),
    Scalar::BitInt("unsigned _BitInt(23)", 23),
    Scalar::BitInt("_BitInt(64)", 64),
    Scalar::BitInt("unsigned _BitInt(65)", 65),
    Scalar::BitInt("_BitInt(101)", 101),
    Scalar::BitInt("_BitInt(128)", 128),
    Scalar::BitInt("unsigned _BitInt(129)", 129),
    Scalar::BitInt("_BitInt(192)", 192),
    Scalar::BitInt("_BitInt(333)", 333),
];

const BIT_FIELDS: &[Scalar] = &[
    Scalar::Integer("signed char", 8, true),
    Scalar::Integer("unsigned short", 16, false),
    Scalar::Integer("int", 32, true),
    Scalar::Integer("unsigned", 32, false),
    Scalar::Integer("long", 64, true),
    Scalar::Integer("unsigned long", 64, false),
    Scalar::Bool,
];

/// Vector types of the header: name, element, elements.
const VECTORS: &[(&str, Scalar, usize)] = &[
    ("v2qi", Scalar::Integer("char", 8, true), 2),
    ("v4qi", Scalar::Integer("char", 8, true), 4),
    ("v2hi", Scalar::Integer("short", 16, true), 2),
    ("v1sf", Scalar::Float, 1),
    ("v1df", Scalar::Double, 1),
    ("v1di", Scalar::Integer("long", 64, true), 1),
    ("v2si", Scalar::Integer("int", 32, true), 2),
    ("v2sf", Scalar::Float, 2),
    ("v16qi", Scalar::Integer("char", 8, true), 16),
    ("v4si", Scalar::Integer("int", 32, true), 4),
    ("v2di", Scalar::Integer("long", 64, true), 2),
    ("v4sf", Scalar::Float, 4),
    ("v2df", Scalar::Double, 2),
];

impl Scalar {
    /// As in a declaration.
    pub fn spelling(self) -> &'static str {
        match self {
            Scalar::Integer(name, ..) | Scalar::BitInt(name, _) => name,
            Scalar::Bool => "_Bool",
            Scalar::Half => "_Float16",
            Scalar::Float => "float",
            Scalar::Double => "double",
            Scalar::LongDouble => "long double",
            Scalar::Quad => "__float128",
            Scalar::Decimal(32) => "_Decimal32",
            Scalar::Decimal(64) => "_Decimal64",
            Scalar::Decimal(_) => "_Decimal128",
            Scalar::Pointer => "char *",
        }
    }

    /// A constant expression of this type that fits into `bits` and uses most of them.
    fn literal(self, random: &mut Random, bits: u32) -> String {
        match self {
            Scalar::Integer(name, 128, _) => {
                format!("(({name})(((unsigned __int128){:#x}ul << 64) | {:#x}ul))", random.bits(), random.bits())
            }
            Scalar::Integer("enum color", ..) => random.pick(&["RED", "GREEN", "BLUE"]).to_string(),
            Scalar::Integer(_, _, true) => {
                let value = (random.bits() as i64) >> (64 - bits);
                // The least value has no literal.
                format!("({}l)", value.max(-i64::MAX))
            }
            Scalar::Integer(..) => format!("{}ul", random.bits() >> (64 - bits)),
            Scalar::BitInt(name, bits) => {
                // The upper digits come first, and the first has what is left of a multiple of 64.
                let upper = random.bits() >> (64 - (bits - 1) % 64 - 1);
                let lower: String = (0..(bits - 1) / 64).map(|_| format!("{:016x}", random.bits())).collect();
                format!("(({name})0x{upper:x}{lower}uwb)")
            }
            Scalar::Bool => random.below(2).to_string(),
            Scalar::Half => format!("((_Float16){} / 4)", random.below(4000) as i64 - 2000),
            Scalar::Float => format!("((float){} / 64)", random.below(1 << 24) as i64 - (1 << 23)),
            Scalar::Double => format!("((double){}l / 1024)", random.bits() as i64 >> 12),
            Scalar::LongDouble => format!("((long double){}l / 32)", (random.bits() as i64 >> 1) | 1),
            Scalar::Quad => {
                format!("(((__float128){}l * 4294967296.0 + {}) / 64)", random.bits() as i64 >> 2, random.bits() as u32)
            }
            Scalar::Decimal(32) => format!("{}.{}E{}DF", random.below(10), random.below(1_000_000), random.below(99)),
            Scalar::Decimal(64) => format!("{}.{:015}DD", random.below(10), random.bits() % 1_000_000_000_000_000),
            Scalar::Decimal(_) => format!("0.{:020}{:014}DL", random.bits(), random.bits() % 100_000_000_000_000),
            Scalar::Pointer => format!("((char *){:#x}ul)", random.bits()),
        }
    }
}

/// A type.
#[derive(Clone)]
pub enum Type {
    Scalar(Scalar),
    Complex(Scalar),
    /// Index in the table of vectors.
    Vector(usize),
    /// Index in the program's records.
    Record(usize),
    Array(Box<Type>, usize),
}

struct Member {
    name: String,
    ty: Type,
    bits: Option<u32>,
    /// `aligned(n)`.
    align: Option<u32>,
}

/// A `struct` or `union`.
struct Record {
    keyword: &'static str,
    attribute: String,
    members: Vec<Member>,
    /// The member of a union that is used.
    active: usize,
}

/// The records of a program.
#[derive(Default)]
pub struct Types {
    records: Vec<Record>,
    /// With [`BIT_INTS`], without decimal types and `__int128`.
    bit_ints: bool,
}

/// One scalar inside an object: the lvalue, and the value it is given.
pub struct Leaf {
    pub path: String,
    pub value: String,
}

impl Types {
    /// `count` records, each of which may contain earlier ones; `bit_ints` asks for what clang has,
    /// and not gcc 12.
    pub fn random(random: &mut Random, count: usize, bit_ints: bool) -> Types {
        let mut types = Types { bit_ints, ..Types::default() };
        for _ in 0..count {
            let record = types.record(random);
            types.records.push(record);
        }
        types
    }

    fn record(&self, random: &mut Random) -> Record {
        let keyword = if random.one_in(5) { "union" } else { "struct" };
        let attribute = match random.below(12) {
            0 | 1 => " __attribute__((packed))",
            2 => " __attribute__((aligned(16)))",
            3 if random.one_in(3) => " __attribute__((aligned(32)))",
            4 => " __attribute__((packed, aligned(4)))",
            _ => "",
        };
        // Small ones travel in registers.
        let most = if random.one_in(3) { 7 } else { 3 };
        let count = if random.one_in(25) { 0 } else { 1 + random.below(most) };
        let members: Vec<Member> = (0..count).map(|number| self.member(random, number, keyword == "union")).collect();
        let named: Vec<usize> = (0..members.len()).filter(|&i| !members[i].name.is_empty()).collect();
        let active = if named.is_empty() { 0 } else { *random.pick(&named) };
        Record { keyword, attribute: attribute.to_string(), members, active }
    }

    fn member(&self, random: &mut Random, number: usize, in_union: bool) -> Member {
        let name = format!("m{number}");
        if random.one_in(5) {
            let scalar = *random.pick(BIT_FIELDS);
            let most = match scalar {
                Scalar::Integer(_, bits, _) => bits,
                _ => 1,
            };
            let bits = 1 + random.below(most as usize) as u32;
            if !in_union && random.one_in(6) {
                let bits = if random.one_in(2) { 0 } else { bits };
                return Member { name: String::new(), ty: Type::Scalar(scalar), bits: Some(bits), align: None };
            }
            return Member { name, ty: Type::Scalar(scalar), bits: Some(bits), align: None };
        }
        let mut ty = self.any(random, 3);
        if random.one_in(6) {
            ty = Type::Array(Box::new(ty), 1 + random.below(3));
        }
        let align = random.one_in(20).then(|| *random.pick(&[2, 8, 16, 32]));
        Member { name, ty, bits: None, align }
    }

    /// A type that can be passed; a record once in `records`.
    pub fn any(&self, random: &mut Random, records: usize) -> Type {
        if !self.records.is_empty() && random.one_in(records) {
            return Type::Record(random.below(self.records.len()));
        }
        match random.below(12) {
            0 => Type::Vector(random.below(VECTORS.len())),
            1 => Type::Complex(*random.pick(&[Scalar::Float, Scalar::Double, Scalar::LongDouble])),
            2..=5 if self.bit_ints => Type::Scalar(*random.pick(BIT_INTS)),
            _ => loop {
                let scalar = *random.pick(SCALARS);
                // (clang 19 leaves the last register empty after an __int128 that would need two.)
                if !self.bit_ints || !matches!(scalar, Scalar::Decimal(_) | Scalar::Integer(_, 128, _)) {
                    break Type::Scalar(scalar);
                }
            },
        }
    }

    /// As in a declaration without declarator; arrays are only members.
    pub fn spelling(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar.spelling().to_string(),
            Type::Complex(scalar) => format!("_Complex {}", scalar.spelling()),
            Type::Vector(index) => VECTORS[*index].0.to_string(),
            Type::Record(index) => format!("{} t{index}", self.records[*index].keyword),
            Type::Array(element, _) => self.spelling(element),
        }
    }

    /// Whether an argument arrives as it is without a prototype.
    pub fn survives_promotion(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(Scalar::Integer(_, bits, _)) => *bits >= 32,
            Type::Scalar(scalar) => !matches!(scalar, Scalar::Bool | Scalar::Half | Scalar::Float),
            _ => true,
        }
    }

    /// The header's declarations.
    pub fn declarations(&self) -> String {
        let mut out = String::from("enum color { RED, GREEN = 77777, BLUE };\n");
        for &(name, element, count) in VECTORS {
            let bytes = count * element_bytes(element);
            writeln!(out, "typedef {} {name} __attribute__((vector_size({bytes})));", element.spelling())
                .expect("a string");
        }
        for (index, record) in self.records.iter().enumerate() {
            writeln!(out, "{} t{index} {{", record.keyword).expect("a string");
            for member in &record.members {
                let (mut ty, mut suffix) = (&member.ty, String::new());
                while let Type::Array(element, count) = ty {
                    write!(suffix, "[{count}]").expect("a string");
                    ty = element;
                }
                if let Some(bits) = member.bits {
                    write!(suffix, " : {bits}").expect("a string");
                }
                if let Some(align) = member.align {
                    write!(suffix, " __attribute__((aligned({align})))").expect("a string");
                }
                writeln!(out, "    {} {}{suffix};", self.spelling(ty), member.name).expect("a string");
            }
            writeln!(out, "}}{};", record.attribute).expect("a string");
        }
        out
    }

    /// Every scalar of an object, with a value for each.
    pub fn leaves(&self, random: &mut Random, ty: &Type, path: &str) -> Vec<Leaf> {
        let mut out = Vec::new();
        self.collect(random, ty, path, None, &mut out);
        out
    }

    fn collect(&self, random: &mut Random, ty: &Type, path: &str, bits: Option<u32>, out: &mut Vec<Leaf>) {
        match ty {
            Type::Scalar(scalar) => {
                let width = bits.unwrap_or(match scalar {
                    Scalar::Integer(_, bits, _) => *bits,
                    _ => 1,
                });
                out.push(Leaf { path: path.to_string(), value: scalar.literal(random, width) });
            }
            Type::Complex(scalar) => {
                for part in ["__real__", "__imag__"] {
                    out.push(Leaf { path: format!("{part} {path}"), value: scalar.literal(random, 0) });
                }
            }
            Type::Vector(index) => {
                let (_, element, count) = VECTORS[*index];
                for lane in 0..count {
                    self.collect(random, &Type::Scalar(element), &format!("{path}[{lane}]"), None, out);
                }
            }
            Type::Array(element, count) => {
                for index in 0..*count {
                    self.collect(random, element, &format!("{path}[{index}]"), None, out);
                }
            }
            Type::Record(index) => {
                let record = &self.records[*index];
                for (number, member) in record.members.iter().enumerate() {
                    let used = record.keyword == "struct" || number == record.active;
                    if used && !member.name.is_empty() {
                        let path = format!("{path}.{}", member.name);
                        self.collect(random, &member.ty, &path, member.bits, out);
                    }
                }
            }
        }
    }
}

fn element_bytes(element: Scalar) -> usize {
    match element {
        Scalar::Integer(_, bits, _) => bits as usize / 8,
        Scalar::Float => 4,
        _ => 8,
    }
}
