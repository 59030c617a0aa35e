//! Random functions over random types: one file that calls them, one that defines them, each
//! checking what the other sent.

use super::types::{Leaf, Random, Type, Types};
use std::fmt::Write;

/// The files of a program.
pub struct Program {
    pub types: String,
    pub caller: String,
    pub callee: String,
}

/// One argument or result: its name, type and contents.
struct Item {
    name: String,
    spelling: String,
    leaves: Vec<Leaf>,
}

struct Function {
    name: String,
    result: Option<Item>,
    parameters: Vec<Item>,
    /// Arguments of the ellipsis; none without it.
    anonymous: Option<Vec<Item>>,
    /// The caller sees no prototype.
    unprototyped: bool,
    /// The caller calls through a pointer.
    indirect: bool,
}

const PRELUDE: &str = "\
#include \"types.h\"
#define CHECK(who, lvalue, value) ((lvalue) == (value) ? (void)0 : complain(who, #lvalue))
extern void complain(const char *who, const char *what);
extern void scribble(void *object, unsigned long size);
";

/// The program of a seed, for what gcc has or, with `bit_ints`, for what clang has.
pub fn generate(seed: u64, count: usize, bit_ints: bool) -> Program {
    let mut random = Random(seed);
    let records = 3 + random.below(6);
    let types = Types::random(&mut random, records, bit_ints);
    let functions: Vec<Function> = (0..count).map(|number| function(&mut random, &types, number)).collect();
    Program { types: types.declarations(), caller: caller(&functions), callee: callee(&functions) }
}

fn function(random: &mut Random, types: &Types, number: usize) -> Function {
    let item = |random: &mut Random, name: String, ty: &Type| {
        let leaves = types.leaves(random, ty, &name);
        Item { spelling: types.spelling(ty), leaves, name }
    };
    let result_type = (!random.one_in(8)).then(|| types.any(random, 2));
    let result = result_type.map(|ty| item(random, "result".to_string(), &ty));
    let mut all_survive = true;
    let mut parameters = Vec::new();
    let most = if random.one_in(3) { 14 } else { 6 };
    for index in 0..random.below(most) {
        let ty = types.any(random, 3);
        all_survive &= types.survives_promotion(&ty);
        parameters.push(item(random, format!("a{index}"), &ty));
    }
    let mut anonymous = None;
    if !parameters.is_empty() && random.one_in(3) {
        let mut list = Vec::new();
        while list.len() < 10 && !random.one_in(5) {
            let ty = types.any(random, 3);
            if types.survives_promotion(&ty) {
                let index = list.len();
                list.push(item(random, format!("v{index}"), &ty));
            }
        }
        anonymous = Some(list);
    }
    let unprototyped = all_survive && anonymous.is_none() && random.one_in(3);
    Function { name: format!("f{number}"), result, parameters, anonymous, unprototyped, indirect: random.one_in(4) }
}

fn result_spelling(f: &Function) -> &str {
    f.result.as_ref().map_or("void", |r| &r.spelling)
}

/// The parameters as in a definition.
fn parameter_list(f: &Function) -> String {
    let mut list: Vec<String> = f.parameters.iter().map(|p| format!("{} {}", p.spelling, p.name)).collect();
    if f.anonymous.is_some() {
        list.push("...".to_string());
    }
    if list.is_empty() { "void".to_string() } else { list.join(", ") }
}

fn fill(out: &mut String, item: &Item) {
    writeln!(out, "    {} {};", item.spelling, item.name).expect("a string");
    writeln!(out, "    scribble(&{0}, sizeof {0});", item.name).expect("a string");
    for leaf in &item.leaves {
        writeln!(out, "    {} = {};", leaf.path, leaf.value).expect("a string");
    }
}

fn check(out: &mut String, who: &str, item: &Item) {
    for leaf in &item.leaves {
        writeln!(out, "    CHECK(\"{who}\", {}, {});", leaf.path, leaf.value).expect("a string");
    }
}

fn caller(functions: &[Function]) -> String {
    let mut out = String::from(PRELUDE);
    for f in functions {
        let list = if f.unprototyped { String::new() } else { parameter_list(f) };
        writeln!(out, "extern {} {}({list});", result_spelling(f), f.name).expect("a string");
        writeln!(out, "static void call_{}(void)\n{{", f.name).expect("a string");
        let arguments: Vec<&Item> = f.parameters.iter().chain(f.anonymous.iter().flatten()).collect();
        arguments.iter().for_each(|a| fill(&mut out, a));
        let names: Vec<&str> = arguments.iter().map(|a| &*a.name).collect();
        let target = if f.indirect { "pointer" } else { &f.name };
        if f.indirect {
            writeln!(out, "    {} (*volatile pointer)({list}) = {};", result_spelling(f), f.name).expect("a string");
        }
        let assigned = f.result.as_ref().map(|r| format!("{} result = ", r.spelling)).unwrap_or_default();
        writeln!(out, "    {assigned}{target}({});", names.join(", ")).expect("a string");
        f.result.iter().for_each(|r| check(&mut out, &format!("{} returned", f.name), r));
        arguments.iter().for_each(|a| check(&mut out, &format!("{} afterwards", f.name), a));
        out.push_str("}\n");
    }
    out.push_str("extern int failures;\nint main(void)\n{\n");
    for f in functions {
        writeln!(out, "    call_{}();", f.name).expect("a string");
    }
    out.push_str("    return failures != 0;\n}\n");
    out
}

fn callee(functions: &[Function]) -> String {
    let mut out = String::from(PRELUDE);
    out.push_str(
        "\
extern int printf(const char *, ...);
int failures;
void complain(const char *who, const char *what)
{
    failures++;
    printf(\"%s: %s\\n\", who, what);
}
__attribute__((noipa)) void scribble(void *object, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((unsigned char *)object)[i] = 0x5a ^ i;
}
",
    );
    for f in functions {
        writeln!(out, "{} {}({})\n{{", result_spelling(f), f.name, parameter_list(f)).expect("a string");
        f.parameters.iter().for_each(|p| check(&mut out, &f.name, p));
        if let (Some(list), Some(last)) = (&f.anonymous, f.parameters.last()) {
            writeln!(out, "    __builtin_va_list list;\n    __builtin_va_start(list, {});", last.name)
                .expect("a string");
            for item in list {
                writeln!(out, "    {0} {1} = __builtin_va_arg(list, {0});", item.spelling, item.name)
                    .expect("a string");
                check(&mut out, &f.name, item);
            }
            out.push_str("    __builtin_va_end(list);\n");
        }
        // The parameters are the callee's.
        for p in &f.parameters {
            writeln!(out, "    scribble(&{0}, sizeof {0});", p.name).expect("a string");
        }
        if let Some(result) = &f.result {
            fill(&mut out, result);
            out.push_str("    return result;\n");
        }
        out.push_str("}\n");
    }
    out
}
