//! Tests of the module above.

use super::*;
use crate::text::parse_module;

/// About one value and constants the answers are true and complete: every pair of comparisons
/// of an i8 with samples, against trying all values.
#[test]
fn answers_about_constants_are_complete() {
    let samples = [0u8, 1, 2, 100, 127, 128, 129, 254, 255];
    let module = parse_module("symbol @f global function : (i8) -> ()\n\nfunc @f v0 : (i8) -> () {\nb0:\n  ret\n}\n");
    let mut module = module.expect("parses");
    let func = &mut module.functions.values_mut().next().expect("a function").clone();
    let (value, end) = (func.params()[0], func.terminator(func.entry()));
    let mut compares = Vec::new();
    for (&cc, c) in IntCc::ALL.iter().flat_map(|cc| samples.iter().map(move |&c| (cc, c))) {
        let constant = func.bits_const(Type::I8, u128::from(c));
        let cond = crate::Builder::before(func, end).icmp(cc, value, constant);
        compares.push((cc, u128::from(c), constant, cond));
    }
    func.build_uses();
    let mut facts = Facts::new(&module, &Options::default());
    for &(known, c, _, cond) in &compares {
        facts.assume(func, cond, true);
        for &(asked, d, constant, query) in &compares {
            let mut holds = (0..256u128).filter(|&x| known.eval(x, c, 8)).map(|x| asked.eval(x, d, 8));
            let Some(first) = holds.next() else { continue };
            let expected = holds.all(|h| h == first).then_some(first);
            let inst = func.def_inst(query).expect("a comparison");
            assert_eq!(facts.outcome(func, inst, value, constant), expected, "{known:?} {c} {asked:?} {d}");
        }
        facts.undo_to(0);
    }
}
