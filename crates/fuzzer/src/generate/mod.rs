//! Random programs. Every expression of an integer type is made together with the range of its
//! values, every variable keeps a range that all assignments respect: operations on signed numbers
//! stand where they cannot overflow (or are done on unsigned numbers), shift amounts and indices
//! lie within bounds, divisors are not zero. Floating numbers may be anything; a NaN is hashed
//! alike whatever its bits, and converted to an integer only behind a comparison.

mod data;
mod floats;
mod functions;
mod integers;
mod jumps;
mod loops;
mod statements;
mod vectors;

use crate::random::Random;
use crate::tree::{Node, Sort};
use crate::types::{Int, Range};
use data::Record;
use functions::Function;

/// Constructs that a program may have or not: few at a time go together more deeply (Groce and
/// others: Swarm Testing, 2012).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Feature {
    Huge,
    BitInts,
    Floats,
    LongDouble,
    Complex,
    Vectors,
    BitFields,
    Unions,
    Structures,
    Pointers,
    VariableArrays,
    Volatile,
    Atomics,
    Switches,
    Jumps,
    ComputedJumps,
    SetJump,
    VariadicCalls,
    Recursion,
    StatementExpressions,
    NestedFunctions,
    Cleanup,
    Assembly,
    Loops,
    Reductions,
    Strides,
    EarlyExits,
    MemoryFunctions,
    Builtins,
    Overflow,
    Division,
    FunctionPointers,
}

impl Feature {
    /// How many there are.
    pub const COUNT: u32 = Feature::FunctionPointers as u32 + 1;
}

/// A program: a seed and the set of its features, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Recipe {
    /// The seed of all choices.
    pub seed: u64,
    /// Bits of [`Feature`]s.
    pub features: u32,
}

impl std::fmt::Display for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:08x}", self.seed, self.features)
    }
}

impl std::str::FromStr for Recipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Recipe, String> {
        let error = || format!("{text}: a program is SEED:FEATURES, as findings give it");
        let (seed, features) = text.split_once(':').ok_or_else(error)?;
        let seed = seed.parse().map_err(|_| error())?;
        Ok(Recipe { seed, features: u32::from_str_radix(features, 16).map_err(|_| error())? })
    }
}

/// An object of an integer type.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    ty: Int,
    range: Range,
    writable: bool,
    global: bool,
    /// Reads are converted to the type, since they have one of their own (a wide bit-field's).
    cast: bool,
}

/// An array of integers, or a pointer into one.
#[derive(Clone, Debug)]
struct Array {
    text: String,
    ty: Int,
    /// Elements of each dimension: one or two numbers.
    dimensions: Vec<usize>,
    writable: bool,
    global: bool,
    /// A member of a union or structure: other types or an odd alignment forbid pointers to it.
    member: bool,
}

/// An object of a floating type.
#[derive(Clone, Debug)]
struct FloatPlace {
    text: String,
    ty: floats::Float,
    writable: bool,
    global: bool,
}

/// An object of a structure.
#[derive(Clone, Debug)]
struct RecordPlace {
    text: String,
    record: usize,
    writable: bool,
    global: bool,
}

/// A vector.
#[derive(Clone, Debug)]
struct VectorPlace {
    text: String,
    ty: usize,
    writable: bool,
    global: bool,
}

/// What can be named at a point of the program.
#[derive(Clone, Default, Debug)]
struct Scope {
    places: Vec<Place>,
    arrays: Vec<Array>,
    floats: Vec<FloatPlace>,
    float_arrays: Vec<(String, floats::Float, usize)>,
    records: Vec<RecordPlace>,
    vectors: Vec<VectorPlace>,
    /// Counters of the loops around, innermost last: indices of arrays are made of them.
    counters: Vec<Place>,
    /// Functions nested in this one: name and number of `int` arguments.
    nested: Vec<String>,
}

/// Most executions of statements that a program may come to, about.
const COST: u64 = 20_000;

/// Makes one program.
struct Generator {
    random: Random,
    features: u32,
    names: usize,
    records: Vec<Record>,
    functions: Vec<Function>,
    globals: Scope,
    scope: Scope,
    /// How often the statement being made runs when its function is called once.
    weight: u64,
    /// Estimate of the statements that this function runs.
    cost: u64,
    /// Whether the function being made may only write to its own variables.
    pure: bool,
    /// Whether only globals may be written: a `longjmp` may come (C17 7.13.2.1).
    frozen: bool,
    /// Whether nothing may be called: another name of the parameters' memory could be used.
    alone: bool,
    /// The label behind the outermost loop around.
    exit: Option<String>,
    /// Functions that make structures: name, number of the structure, number of arguments.
    makers: Vec<(String, usize, usize)>,
    /// Nesting of statements.
    depth: usize,
    /// Expressions that the statement being made may still have.
    room: usize,
    /// Statements that the function being made may still have.
    length: usize,
}

/// The program of a recipe: a translation unit with `unsigned long test(void)`, whose answer
/// depends on everything that was computed.
pub fn program(recipe: Recipe) -> Node {
    let mut generator = Generator {
        random: Random::new(recipe.seed),
        features: recipe.features,
        names: 0,
        records: Vec::new(),
        functions: Vec::new(),
        globals: Scope::default(),
        scope: Scope::default(),
        weight: 1,
        cost: 0,
        pure: false,
        frozen: false,
        alone: false,
        exit: None,
        makers: Vec::new(),
        depth: 0,
        room: 0,
        length: 0,
    };
    generator.unit()
}

/// What every program begins with.
const PRELUDE: &str = "static unsigned long hash;
static void mix(unsigned long v) { hash = (hash ^ v) * 0x100000001b3UL; hash ^= hash >> 29; }
static void mixd(double v) { unsigned long b = 1; if (v == v) __builtin_memcpy(&b, &v, 8); mix(b); }
static void clean(unsigned *p) { mix(*p); }
static void *jump[64];
int _setjmp(void *) __attribute__((returns_twice));
void longjmp(void *, int) __attribute__((noreturn));
";

impl Generator {
    fn has(&self, feature: Feature) -> bool {
        self.features >> feature as u32 & 1 != 0
    }

    /// Whether to use a feature here, in so many of a hundred cases.
    fn use_of(&mut self, feature: Feature, percent: usize) -> bool {
        self.has(feature) && self.random.chance(percent)
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn unit(&mut self) -> Node {
        let mut items = vec![Node::text(Sort::Fixed, PRELUDE)];
        items.extend(self.data());
        self.scope = self.globals.clone();
        let count = *self.random.pick(&[1, 1, 1, 2, 2, 3]);
        for _ in 0..count {
            if self.has(Feature::Structures) && !self.records.is_empty() && self.random.chance(25) {
                items.push(self.maker());
            }
            items.push(self.function());
        }
        items.push(self.test());
        Node::sequence(items)
    }

    /// The function that everything is called from.
    fn test(&mut self) -> Node {
        self.begin_function(false);
        let mut statements = vec![Node::text(Sort::Fixed, "hash = 17;\n")];
        for index in 0..self.functions.len() {
            for _ in 0..1 + self.random.below(2) {
                self.room = 10;
                if self.cost + self.functions[index].cost <= COST {
                    statements.push(self.call_statement(index));
                }
            }
        }
        statements.extend(self.statements(1, 3));
        statements.extend(self.hashing());
        let tail = Node::text(Sort::Fixed, "return hash;\n");
        statements.push(tail);
        let head = "unsigned long test(void) {\n@}\n";
        Node::fixed(head, vec![Node::sequence(statements)])
    }

    /// Starts a function of its own: only globals are visible.
    fn begin_function(&mut self, pure: bool) {
        self.scope = self.globals.clone();
        (self.weight, self.cost, self.depth) = (1, 0, 0);
        self.exit = None;
        self.length = 1 + self.random.below(8);
        self.room = 10;
        (self.pure, self.frozen, self.alone) = (pure, false, false);
    }

    /// Makes a part whose declarations end with it.
    fn scoped<R>(&mut self, part: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.scope.clone();
        let made = part(self);
        self.scope = outer;
        made
    }

    /// Whether the statement being made may have another expression inside another.
    fn take_room(&mut self) -> bool {
        let some = self.room > 0;
        self.room = self.room.saturating_sub(1);
        some
    }

    /// Whether an object may be written here.
    fn may_write(&self, writable: bool, global: bool) -> bool {
        writable && !(self.pure && global) && (!self.frozen || global)
    }
}
