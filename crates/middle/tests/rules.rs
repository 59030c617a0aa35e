//! The rules as they are compiled: every one of them is applied to functions made from its pattern,
//! with constants that its conditions allow, and the interpreter gives the same before and after.
//! (That the rules themselves are right is what `cargo xtask prove` shows.)
//!
//! Also here: what is proved is the rules of today, and `docs/rules.md` shows them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use interp::Trap;
use ir::text::{module_to_string, parse_module};
use platform::options::{OptLevel, Options, StatsForm};
use rules::proofs;
use rules::smt::{self, Case};
use rules::syntax::FLAGS;
use rules::tir::{self, Input, Model};
use rules::typed::{Kind, Rule};

/// Entries whose rules are not seen to be applied, and why.
const UNSEEN: &[(&str, &str)] = &[
    ("bitcast_itself", "the functions made here have no floats"),
    ("bitcast_back", "the functions made here have no floats"),
    ("bitcast_twice", "the functions made here have no floats"),
    ("convert_positive", "the functions made here have no floats"),
    ("bits_of_sexts", "what is extended has no other uses there"),
    ("rotate_of_cut_halves", "three constants have to fit"),
    ("rotate_of_low_half", "three constants have to fit"),
    ("rotate_of_low_half_cut", "three constants have to fit"),
    ("rotate_8_of_cut", "three constants have to fit"),
    ("rotate_8_of_masked", "three constants have to fit"),
    ("rotate_16_of_cut", "three constants have to fit"),
    ("rotate_16_of_masked", "three constants have to fit"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

fn rules() -> Vec<Rule> {
    rules::load(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A number of the kind that rules ask for.
    fn number(&mut self, bits: u32) -> u128 {
        let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        let shift = self.below(u64::from(bits)) as u32;
        let number = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (bits - 1),
            4 => mask >> 1,
            5 => u128::from(bits) - 1,
            6 => 1 << shift,
            7 => u128::from(self.below(u64::from(bits))),
            8 => mask >> shift,
            9 => (mask >> shift).wrapping_neg(),
            10 => u128::from(self.below(20)),
            _ => u128::from(self.next()) << 64 | u128::from(self.next()),
        };
        number & mask
    }
}

/// Numbers for the constants of the pattern, often the same or ones that add up to the width.
fn constants(rule: &Rule, case: &Case, random: &mut Random) -> Model {
    let mut model = Model::default();
    let mut last: Option<u128> = None;
    rule.pattern.each(&mut |node| {
        let bits = case.bits(rule, node.ty);
        let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        match &node.kind {
            Kind::Const => {
                let width = u128::from(bits);
                let number = match (last, random.below(8)) {
                    (Some(last), 0..2) => last,
                    (Some(last), 2) => width.wrapping_sub(last),
                    (Some(last), 3) if last < width => 1 << last,
                    (Some(last), 4) => !last,
                    _ if random.below(8) == 0 => width,
                    _ => random.number(bits),
                };
                last = Some(number & mask);
                let name: String = node.path.iter().map(|d| char::from(b'0' + d)).collect();
                model.inputs.insert(format!("v{name}"), number & mask);
            }
            Kind::Op { op, .. } => {
                let name: String = node.path.iter().map(|d| char::from(b'0' + d)).collect();
                for (index, (flag, _)) in FLAGS.iter().enumerate() {
                    if smt::applies(op, index) && random.below(3) == 0 {
                        model.flags.push(format!("f{name}_{flag}"));
                    }
                }
            }
            _ => {}
        }
    });
    model
}

/// What the values of the pattern are.
fn inputs(rule: &Rule, case: &Case, random: &mut Random) -> Vec<Input> {
    let mut inputs = Vec::new();
    rule.pattern.each(&mut |node| {
        if node.kind == Kind::Any {
            let bits = case.bits(rule, node.ty);
            inputs.push(match random.below(6) {
                0 => Input::Shifted(random.below(u64::from(bits)) as u32),
                1 => Input::Const(random.number(bits)),
                2 => Input::Multiple(random.below(u64::from(bits)) as u32),
                _ => Input::Param,
            });
        }
    });
    inputs
}

/// The function as it comes, and after `combine`, which says how often the rule was applied.
fn combined(text: &str, rule: &Rule) -> (String, u64) {
    let mut module = parse_module(text).unwrap_or_else(|e| panic!("rule {}: {e}\n{text}", rule.name));
    let options = Options {
        level: OptLevel::O2,
        pass_list: Some(vec!["combine".to_string()]),
        stats: Some(StatsForm::Table),
        verify: true,
        ..Options::default()
    };
    let report = middle::optimize(&mut module, &options);
    let name = middle::rule_names()
        .find(|name| name.strip_prefix("rule ") == Some(rule.name.as_str()))
        .expect("the compiler has the rule");
    (module_to_string(&module), report.statistics.get(name))
}

/// The result of `@f`, mixed to the 8 bits of a status; `None` if it is undefined.
fn result(text: &str, types: &[String], args: &[u128], to: &str) -> Option<i32> {
    let args: Vec<String> = types.iter().zip(args).map(|(ty, bits)| format!("{ty} {}", written(ty, *bits))).collect();
    let signature = format!("({}) -> ({to})", types.join(", "));
    let mut program =
        format!("{text}\nsymbol @main global function : () -> (i32)\n\nfunc @main : () -> (i32) {{\nb0:\n");
    let _ = writeln!(program, "  v0: {to} = call @f({}) : {signature}", args.join(", "));
    let (narrowed, last) = match to {
        "i32" => ("", "v0"),
        "i64" => ("  v1: i64 = lshr v0, i64 29\n  v2: i64 = xor v0, v1\n  v3: i32 = trunc v2\n", "v3"),
        _ => ("  v1: i32 = zext v0\n", "v1"),
    };
    let [product, status] = if to == "i32" { [1, 2] } else { [4, 5] };
    let _ = write!(
        program,
        "{narrowed}  v{product}: i32 = mul {last}, i32 -1640531535\n  v{status}: i32 = lshr v{product}, i32 24\n  ret v{status}\n}}\n"
    );
    // Symbols come first in the text.
    let (symbols, functions): (Vec<&str>, Vec<&str>) = program.lines().partition(|line| line.starts_with("symbol "));
    let program = format!("{}\n{}\n", symbols.join("\n"), functions.join("\n"));
    let module = parse_module(&program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    match interp::run(&module, &[], 10_000) {
        Ok(outcome) => Some(outcome.status),
        Err(Trap::Undefined(_)) => None,
        Err(trap) => panic!("{trap}\n{program}"),
    }
}

/// The number as the text has it: with its sign, but for truth values.
fn written(ty: &str, bits: u128) -> i128 {
    let width: u32 = ty[1..].parse().expect("an integer type");
    if width == 1 {
        return i128::from(bits != 0);
    }
    ((bits << (128 - width)) as i128) >> (128 - width)
}

/// Whether nothing may give just anything: undefined values, and shifts by other amounts than
/// numbers below the width.
fn is_specified(before: &str) -> bool {
    let within = |line: &str, op: &str| {
        let Some((head, operands)) = line.split_once(op) else { return true };
        let width = head.rsplit(": i").next().and_then(|ty| ty.trim().parse::<i128>().ok());
        let amount = operands.rsplit(' ').next().and_then(|number| number.parse::<i128>().ok());
        let is_number = operands.contains(", i");
        is_number && amount.zip(width).is_some_and(|(amount, width)| (0..width).contains(&amount))
    };
    before
        .lines()
        .all(|line| !line.contains("undef") && ["= shl", "= lshr", "= ashr"].iter().all(|op| within(line, op)))
}

#[test]
fn every_rule_is_applied_and_keeps_the_result() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut wrong = String::new();
    let (mut applied, mut compared) = (0, 0);
    for rule in rules().iter().filter(|rule| !rule.is_by_hand()) {
        let cases: Vec<Case> = smt::cases(rule).into_iter().filter(|case| case.widest() <= 64).collect();
        let mut seen = 0;
        for _ in 0..9000 {
            if seen == 3 {
                break;
            }
            let case = &cases[random.below(cases.len() as u64) as usize];
            let model = constants(rule, case, &mut random);
            let Some((before, types)) = tir::function(rule, case, &model, &inputs(rule, case, &mut random)) else {
                continue;
            };
            if !runs(&before) {
                break;
            }
            let (after, count) = combined(&before, rule);
            if count == 0 {
                continue;
            }
            seen += 1;
            let to = before.split("-> (").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
            if !is_specified(&before) || to == "ptr" || types.iter().any(|ty| ty == "ptr") {
                continue;
            }
            for _ in 0..12 {
                let args: Vec<u128> =
                    types.iter().map(|ty| random.number(ty[1..].parse().expect("an integer"))).collect();
                let Some(expected) = result(&before, &types, &args, to) else { continue };
                compared += 1;
                if result(&after, &types, &args, to) != Some(expected) {
                    let _ = writeln!(wrong, "rule {}: another result for {args:?}:\n{before}\n{after}", rule.name);
                    break;
                }
            }
        }
        if (seen == 0) != UNSEEN.iter().any(|unseen| unseen.0 == rule.entry) {
            let _ = writeln!(wrong, "rule {} was applied {seen} times: {}", rule.name, rule.text);
        }
        applied += u64::from(seen > 0);
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(applied > 200 && compared > 4_000, "{applied} rules applied, {compared} results compared");
}

/// Conversions to floats have no type that the functions here are made with.
fn runs(before: &str) -> bool {
    !before.contains("uitofp") && !before.contains("bitcast")
}

#[test]
fn what_is_proved_is_the_rules_of_today() {
    let text = std::fs::read_to_string(folder().join("proved.txt")).expect("proved.txt");
    let proved = proofs::parse(&text).unwrap_or_else(|error| panic!("proved.txt:{error}"));
    let mut wrong = String::new();
    for rule in rules().iter().filter(|rule| !rule.is_by_hand()) {
        match proved.get(&rule.name) {
            Some(proof) if proof.hash == proofs::hash(rule) => {}
            Some(_) => _ = writeln!(wrong, "rule {} has changed since it was proved", rule.name),
            None => _ = writeln!(wrong, "rule {} is not proved", rule.name),
        }
    }
    assert!(wrong.is_empty(), "{wrong}`cargo xtask prove` proves them");
}

#[test]
fn the_page_shows_the_rules() {
    let text = std::fs::read_to_string(folder().join("proved.txt")).unwrap_or_default();
    let proved: BTreeMap<_, _> = proofs::parse(&text).unwrap_or_else(|error| panic!("proved.txt:{error}"));
    let page = rules::markdown::page(&rules(), &proved);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, page).expect("docs/rules.md is writable");
    } else {
        let is_current = std::fs::read_to_string(&file).is_ok_and(|old| old == page);
        assert!(
            is_current,
            "docs/rules.md is not what the rules are: BLESS=1 cargo test -p tcc-rs-middle --test rules"
        );
    }
}
