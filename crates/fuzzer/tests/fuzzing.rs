//! The whole of fuzzing on programs of a few seeds, and on programs that are wrong on purpose.

use fuzzer::batch::{self, Plan};
use fuzzer::execute::Way;
use fuzzer::finding::{self, Fault, Finding};
use fuzzer::{bisect, reduce, tree};

fn native(options: &str) -> Way {
    Way::Native(options.split(' ').map(str::to_string).collect())
}

/// One test, since children are forked: nothing else runs in this process.
#[test]
fn fuzzing() {
    fuzzer::execute::prepare();
    // What is compiled in a child is on a copy of this stack.
    let all = || {
        levels_agree();
        faults_are_seen();
        a_difference_is_cut_down_and_traced();
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(all).unwrap().join().unwrap();
}

fn levels_agree() {
    let folder = std::env::temp_dir().join(format!("tcc-rs-fuzzer-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let plan = Plan { count: 60, seed: 1, jobs: 2, folder: folder.clone(), until: None, most: 5 };
    let outcome = batch::run(&plan, |_, _| {}).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(outcome.findings, []);
    assert_eq!(outcome.tried, 60);
    assert!(outcome.interpreted > 0, "the interpreter runs some");
    assert!(!outcome.steering.counters().0.is_empty(), "statistics come back");
}

fn faults_are_seen() {
    let finding = |suspect: &str, fault| Finding { reference: native("-O0"), suspect: native(suspect), fault };
    let source = "unsigned long test(void) {\n#ifdef CRASH\n__builtin_trap();\n#endif\n#ifdef OTHER\nreturn 2;\n#endif\n\
                  #ifdef ERROR\nreturn x;\n#endif\nreturn 1; }";
    let shows = |suspect: &str, fault| finding::shows(source, &finding(suspect, fault)).unwrap();
    assert!(shows("-O0 -DCRASH", Fault::Crash(libc::SIGILL)));
    assert!(shows("-O0 -DOTHER", Fault::Differs));
    assert!(!shows("-O0", Fault::Differs));
    assert!(!shows("-O0 -DCRASH", Fault::Differs));
    let error = "program.c::: error: '' undeclared (first use in this function)".to_string();
    assert!(shows("-O0 -DERROR", Fault::Refused(error)));
}

/// Accesses of another type than the object's: the program is wrong, and optimising shows it.
fn a_difference_is_cut_down_and_traced() {
    let wrong = tree::Node::statement("*p = 1;\n*q = 2;\nreturn *p;\n", vec![]);
    let other = tree::Node::statement("static int unused;\n", vec![]);
    let program = tree::Node::fixed(
        "@static __attribute__((noipa)) int f(int *p, short *q) {\n@}\nint object;\n\
         unsigned long test(void) { return f(&object, (short *)&object); }\n",
        vec![other, wrong],
    );
    let finding = Finding { reference: native("-O0"), suspect: native("-O2"), fault: Fault::Differs };
    let least = reduce::reduce(program, |p| finding::shows(&p.to_string(), &finding)).unwrap().to_string();
    assert!(least.contains("return *p") && !least.contains("unused"), "{least}");
    let culprit = bisect::culprit(&least, &finding).unwrap();
    assert!(culprit.is_some_and(|name| middle::pipeline::names().any(|pass| pass == name)));
}
