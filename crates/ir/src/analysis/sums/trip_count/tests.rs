//! Tests of the module above.

use super::*;
use crate::text::parse_module;

/// Constant counts agree with running the loop, for every condition, direction and place of the
/// test.
#[test]
fn constant_counts_are_what_the_loop_does() {
    for (step, start, bound) in [(1, 0, 10), (1, 10, 10), (3, 0, 10), (-1, 10, 0), (-3, 10, -1), (2, 0, 10), (1, 5, 0)]
    {
        for cc in ["slt", "sle", "sgt", "sge", "ne", "ult"] {
            for tested in ["v3", "v2"] {
                let text = format!(
                    "symbol @f global function : () -> ()\n\nfunc @f : () -> () {{\nb0:\n  br b1\nb1:\n  \
                     v2: i32 = phi [i32 {start}, b0], [v3, b1]\n  v3: i32 = add.nsw v2, i32 {step}\n  \
                     v4: i1 = icmp.{cc} {tested}, i32 {bound}\n  cond_br v4, b1, b2\nb2:\n  ret\n}}\n"
                );
                let mut module = parse_module(&text).expect("parses");
                let func = &mut module.functions[crate::FuncId::from_u32(0)];
                func.build_uses();
                let cfg = crate::analysis::Cfg::compute(func);
                let dominators = crate::analysis::DominatorTree::compute(func, &cfg);
                let loops = crate::analysis::LoopTree::compute(func, &cfg, &dominators);
                let l = loops.loops().next().expect("a loop");
                let counted = super::super::induction::counted_loop(func, &cfg, loops.at(l)).expect("counted");
                let ran = counted.constant_trips(func, 1000);
                let Some(TripCount::Constant(trips)) = trip_count(func, &cfg, &counted) else { continue };
                assert_eq!(ran, Some(trips).filter(|&t| t <= 1000), "{text}");
            }
        }
    }
}
