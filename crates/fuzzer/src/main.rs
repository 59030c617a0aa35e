//! See [`fuzzer`].
fn main() {
    let recipe: fuzzer::generate::Recipe = std::env::args().nth(1).unwrap().parse().unwrap();
    let s = fuzzer::execute::source(recipe);
    if std::env::args().nth(2).is_none() { println!("{s}"); }
    else { println!("{:?}", fuzzer::execute::run(&s, &std::env::args().nth(2).unwrap().parse().unwrap())); }
}
