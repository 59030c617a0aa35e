//! Places of a Rust file that a mutant changes, and the text in which all of them can be switched
//! on.
//!
//! The file is parsed, so that only expressions, statements and bodies of functions are found that
//! are executed when the program runs: no patterns, constants, types, attributes, macros, `const`
//! functions and tests. Lines that only count, explain or check what the compiler does are left
//! alone.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Lit, Pat, ReturnType, Signature, Stmt, Type};

/// What a change does.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An operator becomes another one.
    Operator,
    /// A condition is negated.
    Condition,
    /// A constant is one more or less.
    Constant,
    /// A statement is gone.
    Statement,
    /// A function returns a constant at once.
    Return,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Operator, Kind::Condition, Kind::Constant, Kind::Statement, Kind::Return];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Operator => "operator",
            Kind::Condition => "condition",
            Kind::Constant => "constant",
            Kind::Statement => "statement",
            Kind::Return => "return",
        }
    }
}

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it does.
    pub kind: Kind,
    /// The bytes that are replaced: an expression, a statement, or the place behind the brace that
    /// begins a function.
    pub range: Range<usize>,
    /// What stands there then.
    pub instead: String,
}

impl Site {
    /// The line, counted from 1.
    pub fn line(&self, text: &str) -> usize {
        text[..self.range.start].matches('\n').count() + 1
    }

    /// What becomes of what, in one line.
    pub fn shown(&self, text: &str) -> String {
        let line = text[..self.range.start].rsplit('\n').next().unwrap_or_default();
        let original = if self.kind == Kind::Return { line } else { &text[self.range.clone()] };
        let short = |text: &str| {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if words.chars().count() > 100 { words.chars().take(100).chain("...".chars()).collect() } else { words }
        };
        format!("`{}` -> `{}`", short(original), short(&self.instead))
    }
}

/// The name of an operator, and what it becomes.
const OPERATORS: [(&str, &str); 20] = [
    ("==", "!="),
    ("!=", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("<<", ">>"),
    (">>", "<<"),
    ("&", "|"),
    ("|", "&"),
    ("^", "&"),
    ("|=", "&="),
    ("&=", "|="),
    ("+=", "-="),
];

/// Words whose lines are not changed: what they do is no part of the program's meaning.
const PASSED_OVER: [&str; 9] =
    ["assert", "bug!", "remark", "statistic", "trace", "expect(", "with_capacity", "stack", "debug"];

/// All places of a file; none if it is no Rust file.
pub fn sites(text: &str) -> Vec<Site> {
    let Ok(file) = syn::parse_file(text) else { return Vec::new() };
    let mut finder = Finder { text, found: Vec::new() };
    finder.visit_file(&file);
    let mut found = finder.found;
    found.sort_by_key(|site| (site.range.start, usize::MAX - site.range.end, site.kind, site.instead.clone()));
    found.dedup();
    found
}

struct Finder<'t> {
    text: &'t str,
    found: Vec<Site>,
}

impl Finder<'_> {
    fn add(&mut self, kind: Kind, range: Range<usize>, instead: String) {
        let begin = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at);
        if !PASSED_OVER.iter().any(|word| self.text[begin..end].contains(word)) {
            self.found.push(Site { kind, range, instead });
        }
    }

    fn source(&self, node: &impl Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    fn condition(&mut self, condition: &Expr) {
        if !has_let(condition) {
            let instead = format!("!({})", self.source(condition));
            self.add(Kind::Condition, condition.span().byte_range(), instead);
        }
    }

    fn function(&mut self, signature: &Signature, body: &Block, attributes: &[syn::Attribute]) {
        if signature.constness.is_some() || attributes.iter().any(|a| a.path().is_ident("cfg")) {
            return;
        }
        let name = match &signature.output {
            ReturnType::Type(_, ty) => match &**ty {
                Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
                _ => None,
            },
            ReturnType::Default => None,
        };
        let values: &[&str] = match name.as_deref() {
            Some("bool") => &["true", "false"],
            Some("u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" | "i128") => &["0", "1"],
            Some("Option") => &["None"],
            _ => &[],
        };
        let at = body.brace_token.span.open().byte_range().end;
        for value in values {
            self.add(Kind::Return, at..at, format!("return {value};"));
        }
        self.visit_block(body);
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Fn(function) => self.function(&function.sig, &function.block, &function.attrs),
            Item::Impl(block) => block.items.iter().for_each(|item| self.visit_impl_item(item)),
            Item::Trait(block) => block.items.iter().for_each(|item| self.visit_trait_item(item)),
            Item::Mod(module) if module.attrs.is_empty() => visit::visit_item_mod(self, module),
            _ => {}
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.function(&function.sig, &function.block, &function.attrs);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.function(&function.sig, body, &function.attrs);
        }
    }

    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_path(&mut self, _: &'a syn::Path) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    fn visit_macro(&mut self, _: &'a syn::Macro) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.condition(&guarded.guard);
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Expr(expression, Some(_)) = statement {
            let can_go = match expression {
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) | Expr::Continue(_) => true,
                Expr::Binary(binary) => self.source(&binary.op).ends_with('='),
                _ => false,
            };
            if can_go {
                self.add(Kind::Statement, statement.span().byte_range(), String::new());
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        let range = expression.span().byte_range();
        match expression {
            Expr::Binary(binary) if !has_let(expression) => {
                let operator = self.source(&binary.op);
                if let Some((_, instead)) = OPERATORS.iter().find(|(name, _)| *name == operator) {
                    let at = binary.op.span().byte_range();
                    let instead =
                        format!("{}{instead}{}", &self.text[range.start..at.start], &self.text[at.end..range.end]);
                    self.add(Kind::Operator, range, instead);
                }
            }
            Expr::Lit(literal) => {
                if let Lit::Int(int) = &literal.lit
                    && let Ok(value) = int.base10_digits().parse::<u64>()
                {
                    let changed = if value > 1 && value.is_multiple_of(2) { value - 1 } else { value.wrapping_add(1) };
                    let instead = format!("{changed}{}", int.suffix());
                    self.add(Kind::Constant, range, instead);
                }
            }
            Expr::If(branch) => self.condition(&branch.cond),
            Expr::While(repeated) => self.condition(&repeated.cond),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

/// Whether a condition declares something: its parts cannot stand in parentheses.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// A file in which mutants can be switched on, and where each of them stands in it.
#[derive(Default)]
pub struct Schema {
    /// The file.
    pub text: String,
    /// Bytes of it that belong to a mutant, by number.
    pub marks: Vec<(u32, Range<usize>)>,
}

/// Puts mutants with their numbers, in the order of [`sites`], into a file. The mutant is chosen
/// when the program runs, by the function [`SWITCH`].
pub fn schema(text: &str, chosen: &[(u32, &Site)]) -> Schema {
    let mut schema = Schema::default();
    schema.render(text, 0..text.len(), chosen);
    schema
}

impl Schema {
    fn render(&mut self, text: &str, range: Range<usize>, mut chosen: &[(u32, &Site)]) {
        let mut at = range.start;
        while let Some(((number, site), rest)) = chosen.split_first() {
            let within = rest.iter().take_while(|(_, other)| other.range.start < site.range.end).count();
            self.text.push_str(&text[at..site.range.start]);
            let begin = self.text.len();
            let inner = &rest[..within];
            let on = format!("::base::mutant::on({number})");
            match site.kind {
                Kind::Return => self.text.push_str(&format!(" if {on} {{ {} }}", site.instead)),
                Kind::Statement => self.wrap(&format!("if !{on} {{ "), text, site, inner, " }"),
                Kind::Condition => self.wrap(&format!("({on} != ("), text, site, inner, "))"),
                Kind::Operator | Kind::Constant => {
                    self.wrap(&format!("(if {on} {{ {} }} else {{ ", site.instead), text, site, inner, " })");
                }
            }
            self.marks.push((*number, begin..self.text.len()));
            at = site.range.end;
            chosen = &rest[within..];
        }
        self.text.push_str(&text[at..range.end]);
    }

    fn wrap(&mut self, before: &str, text: &str, site: &Site, inner: &[(u32, &Site)], after: &str) {
        self.text.push_str(before);
        self.render(text, site.range.clone(), inner);
        self.text.push_str(after);
    }

    /// The mutant that something at a place of the file belongs to: the least that is around it, or
    /// else the last one before it.
    pub fn at(&self, place: usize) -> Option<u32> {
        let around = self.marks.iter().filter(|(_, mark)| mark.contains(&place)).min_by_key(|(_, mark)| mark.len());
        let before = || self.marks.iter().filter(|(_, mark)| mark.end <= place).max_by_key(|(_, mark)| mark.end);
        around.or_else(before).or(self.marks.first()).map(|(number, _)| *number)
    }
}

/// The module `base::mutant` of the copy: which mutant is on. The variable `TCC_RS_MUTANT` is its
/// number; `TCC_RS_MUTANTS_REACHED` names a file whose byte of that number becomes 1 when the place
/// of a mutant is executed, by any process.
pub const SWITCH: &str = r#"//! Which mutant is on.
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering::SeqCst, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
const NOTED: u32 = u32::MAX - 1;
const LENGTH: usize = 1 << 16;
static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());

/// Whether this one is on.
#[inline]
pub fn on(number: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    if chosen < NOTED { chosen == number } else { slow(number) }
}

#[cold]
#[inline(never)]
fn slow(number: u32) -> bool {
    if CHOSEN.load(SeqCst) == UNREAD {
        let chosen = read();
        CHOSEN.store(chosen, SeqCst);
    }
    let chosen = CHOSEN.load(SeqCst);
    if chosen != NOTED {
        return chosen == number;
    }
    // SAFETY: the mapping is as long, and is never unmapped.
    unsafe { (*REACHED.load(SeqCst).add(number as usize % LENGTH)).store(1, Relaxed) };
    false
}

fn read() -> u32 {
    use std::os::fd::AsRawFd;
    if let Some(name) = std::env::var_os("TCC_RS_MUTANTS_REACHED") {
        let mut options = std::fs::OpenOptions::new();
        let Ok(file) = options.read(true).write(true).create(true).open(name) else { return 0 };
        if file.set_len(LENGTH as u64).is_err() {
            return 0;
        }
        // SAFETY: a new shared mapping of the whole file.
        let page = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), LENGTH, protection, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if page == libc::MAP_FAILED {
            return 0;
        }
        REACHED.store(page.cast(), SeqCst);
        return NOTED;
    }
    std::env::var("TCC_RS_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! A == b.\nconst N: u32 = 1 + 2;\nfn f(a: u32) -> bool {\n    // c < d\n    let x = \"1 + 2\";\n    g(x);\n    if a < 7 {\n        return a == 2;\n    }\n    if let Some(3) = h(a) && a > i {\n        a |= [a; 4][j];\n    }\n    matches!(a, 3)\n}\n#[cfg(test)]\nmod tests {\n    fn t() -> bool {\n        1 == 2\n    }\n}\n";

    #[test]
    fn what_is_executed_is_changed_and_nothing_else() {
        let found: Vec<String> =
            sites(TEXT).iter().map(|site| format!("{} {}", site.kind.name(), site.shown(TEXT))).collect();
        let expected = [
            "return `fn f(a: u32) -> bool {` -> `return false;`",
            "return `fn f(a: u32) -> bool {` -> `return true;`",
            "statement `g(x);` -> ``",
            "operator `a < 7` -> `a <= 7`",
            "condition `a < 7` -> `!(a < 7)`",
            "constant `7` -> `8`",
            "operator `a == 2` -> `a != 2`",
            "constant `2` -> `1`",
            "operator `a > i` -> `a >= i`",
            "statement `a |= [a; 4][j];` -> ``",
            "operator `a |= [a; 4][j]` -> `a &= [a; 4][j]`",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn mutants_are_switched_on_where_they_stand() {
        let all = sites(TEXT);
        let chosen: Vec<(u32, &Site)> = (1..).zip(&all).collect();
        let schema = schema(TEXT, &chosen);
        let place = |number: u32| format!("::base::mutant::on({number})");
        let expected = format!(
            "if (if {} {{ a <= 7 }} else {{ ({} != (a < (if {} {{ 8 }} else {{ 7 }}))) }}) {{",
            place(4),
            place(5),
            place(6)
        );
        assert!(schema.text.contains(&expected), "{}", schema.text);
        assert!(schema.text.contains(&format!("if !{} {{ g(x); }}", place(3))), "{}", schema.text);
        assert!(schema.text.contains(&format!("{{ if {} {{ return false; }}", place(1))), "{}", schema.text);
        assert!(syn::parse_file(&schema.text).is_ok());
        let at = |text: &str| schema.at(schema.text.find(text).unwrap());
        assert_eq!((at("a <= 7"), at("8 }"), at("matches"), at("const")), (Some(4), Some(6), Some(10), Some(1)));
        // Without mutants it is the file as it was.
        assert_eq!(super::schema(TEXT, &[]).text, TEXT);
    }
}
