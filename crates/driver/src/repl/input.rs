//! What was typed, before the compiler sees it: whether more lines must follow, and where each
//! declaration, statement and expression ends. Only brackets, keywords and semicolons are looked
//! at; names of types are the compiler's to know.

use std::ops::Range;

/// What a token is, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number, string or character constant.
    Literal,
    /// One character of punctuation.
    Mark,
    /// A preprocessing directive with all its lines.
    Directive,
}

/// A token and its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The tokens of an input.
pub struct Scanned<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token>,
    /// A comment, a continued line or a conditional is not finished.
    pub is_open: bool,
    /// For an opening bracket the token that closes it.
    partners: Vec<Option<usize>>,
    /// A bracket that nothing closes.
    has_open_bracket: bool,
}

/// What a part of an input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Directive,
    Declaration,
    /// A function with its body, the token that opens it.
    Function(usize),
    Statement,
    Expression,
    /// A declaration, if its first word names a type, else an expression.
    Either,
}

/// A part of an input: one declaration, statement, expression or directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub form: Form,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Nothing is missing at its end.
    pub is_ended: bool,
}

/// Keywords that begin a declaration.
const DECLARING: &str = "int char short long float double void signed unsigned _Bool bool struct union enum typedef \
    extern static inline register const volatile restrict _Noreturn _Atomic _Thread_local thread_local __thread auto \
    constexpr _Alignas alignas __attribute__ __attribute _Static_assert static_assert typeof __typeof__ __typeof \
    typeof_unqual __typeof_unqual__ __auto_type _Complex __complex__ __int128 _Float16 _Float32 _Float64 _Float128 \
    _Float32x _Float64x __float128 _BitInt _Decimal32 _Decimal64 _Decimal128 __const __const__ __inline __inline__ \
    __volatile__ __signed__ __restrict __restrict__ __extension__";
/// Those of them that say only how a thing is stored.
const STORAGE: &str = "extern static inline register _Noreturn _Thread_local thread_local __thread constexpr __inline \
    __inline__ typedef const volatile restrict __const __const__ __volatile__ __restrict __restrict__ __extension__";
const STATEMENTS: &str = "if for while do switch return goto break continue case default else asm __asm__ __asm";
/// Words that begin an expression although another word may follow.
const OPERATORS: &str = "sizeof _Alignof alignof __alignof__ __real__ __imag__ __real __imag _Lengthof _Countof";
/// Words with an argument in parentheses that belong to a declaration.
const WITH_ARGUMENT: &str = "__attribute__ __attribute _Alignas alignas typeof __typeof__ __typeof typeof_unqual \
    __typeof_unqual__ _BitInt _Atomic asm __asm__ __asm";

fn is_one(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Splits a text into tokens.
pub fn scan(text: &str) -> Scanned<'_> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line_start, mut is_open, mut conditionals) = (Vec::new(), 0, true, false, 0i32);
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                (line_start, at) = (true, at + 1);
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'\\' if matches!(&bytes[at + 1..], [] | [b'\n', ..]) => {
                is_open |= text[at + 1..].trim().is_empty();
                at = (at + 2).min(bytes.len());
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = end_of_line(bytes, at, &mut is_open);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                is_open |= end.is_none();
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            b'#' if line_start => {
                at = end_of_line(bytes, at, &mut is_open);
                match text[start + 1..at].trim_start() {
                    word if word.starts_with("if") => conditionals += 1,
                    word if word.starts_with("endif") => conditionals -= 1,
                    _ => {}
                }
                Kind::Directive
            }
            quote @ (b'"' | b'\'') => {
                at = end_of_quoted(bytes, at, quote, &mut is_open);
                Kind::Literal
            }
            byte if byte.is_ascii_digit()
                || byte == b'.' && bytes.get(at + 1).is_some_and(|next| next.is_ascii_digit()) =>
            {
                while at < bytes.len() && (is_word(bytes[at]) || bytes[at] == b'.' || is_exponent_sign(bytes, at)) {
                    at += 1;
                }
                Kind::Literal
            }
            byte if is_word(byte) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                Kind::Word
            }
            _ => {
                at += 1;
                Kind::Mark
            }
        };
        line_start = false;
        tokens.push(Token { kind, range: start..at });
    }
    let mut scanned =
        Scanned { text, tokens, is_open: is_open || conditionals > 0, partners: Vec::new(), has_open_bracket: false };
    scanned.match_brackets();
    scanned
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_exponent_sign(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
}

/// The end of a line with those that continue it; comments of several lines belong to it.
fn end_of_line(bytes: &[u8], mut at: usize, is_open: &mut bool) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        match &bytes[at..] {
            [b'\\', b'\n', ..] | [b'\\'] => {
                at = (at + 2).min(bytes.len());
                *is_open |= at == bytes.len();
            }
            [b'/', b'*', rest @ ..] => match rest.windows(2).position(|pair| pair == b"*/") {
                Some(end) => at += 2 + end + 2,
                None => {
                    *is_open = true;
                    at = bytes.len();
                }
            },
            _ => at += 1,
        }
    }
    at
}

/// The end of a string or character constant. One that its line does not finish is wrong, which the
/// compiler says; after a backslash it goes on in the next line.
fn end_of_quoted(bytes: &[u8], start: usize, quote: u8, is_open: &mut bool) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => {
                *is_open |= at + 1 == bytes.len() || bytes[at + 1] == b'\n' && at + 2 == bytes.len();
                at += 2;
            }
            byte => {
                at += 1;
                if byte == quote {
                    break;
                }
            }
        }
    }
    at.min(bytes.len())
}

impl Scanned<'_> {
    fn match_brackets(&mut self) {
        self.partners = vec![None; self.tokens.len()];
        let mut open = Vec::new();
        for index in 0..self.tokens.len() {
            match self.word(index) {
                "(" | "[" | "{" => open.push(index),
                ")" | "]" | "}" => {
                    if let Some(start) = open.pop() {
                        self.partners[start] = Some(index);
                    }
                }
                _ => {}
            }
        }
        self.has_open_bracket = !open.is_empty();
    }

    /// The text of a token, empty after the last one.
    pub fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &self.text[token.range.clone()])
    }

    fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The bytes of some tokens.
    pub fn range(&self, tokens: &Range<usize>) -> Range<usize> {
        match tokens.is_empty() {
            true => 0..0,
            false => self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end,
        }
    }

    /// The first token after a bracket and what it encloses, or after any other token.
    fn after(&self, index: usize) -> usize {
        match self.partners.get(index) {
            Some(Some(partner)) => partner + 1,
            _ if matches!(self.word(index), "(" | "[" | "{") => self.tokens.len(),
            _ => index + 1,
        }
    }

    /// Whether a bracket, a comment, a line or a conditional is open.
    pub fn is_unfinished(&self) -> bool {
        self.is_open || self.has_open_bracket
    }

    /// Whether more lines must follow before the input means something.
    pub fn wants_more(&self) -> bool {
        self.is_unfinished()
            || self
                .items()
                .last()
                .is_some_and(|item| !item.is_ended && item.form != Form::Expression && item.form != Form::Either)
    }

    /// Whether a conditional stands in it.
    pub fn has_conditional(&self) -> bool {
        self.tokens.iter().any(|token| {
            let word = self.text[token.range.clone()].trim_start_matches('#').trim_start();
            token.kind == Kind::Directive && word.starts_with("if")
        })
    }

    /// The parts, in order.
    pub fn items(&self) -> Vec<Item> {
        let (mut items, mut at) = (Vec::new(), 0);
        while at < self.tokens.len() {
            let form = self.form(at);
            let (end, is_ended, form) = match form {
                Form::Directive => (at + 1, true, form),
                Form::Statement => {
                    let end = self.statement_end(at);
                    (end.unwrap_or(self.tokens.len()), end.is_some(), form)
                }
                _ => self.declaration_end(at, form),
            };
            // A lone semicolon is a part, too.
            let end = end.max(at + 1);
            items.push(Item { form, tokens: at..end, is_ended });
            at = end;
        }
        items
    }

    fn form(&self, at: usize) -> Form {
        let (word, next) = (self.word(at), self.word(at + 1));
        match self.kind(at) {
            Some(Kind::Directive) => Form::Directive,
            Some(Kind::Word) if is_one(DECLARING, word) => Form::Declaration,
            Some(Kind::Word) if is_one(STATEMENTS, word) => Form::Statement,
            Some(Kind::Word) if is_one(OPERATORS, word) => Form::Expression,
            Some(Kind::Word) if next == ":" => Form::Statement,
            Some(Kind::Word) if self.kind(at + 1) == Some(Kind::Word) => Form::Declaration,
            Some(Kind::Word) if matches!(next, "*" | "(") => Form::Either,
            _ if matches!(word, "{" | ";") => Form::Statement,
            _ if word == "[" && next == "[" => Form::Declaration,
            _ => Form::Expression,
        }
    }

    /// The end of a declaration or an expression, whether it has one, and what it is.
    fn declaration_end(&self, start: usize, form: Form) -> (usize, bool, Form) {
        let (mut at, mut has_initializer, mut record) = (start, false, false);
        while at < self.tokens.len() && self.kind(at) != Some(Kind::Directive) {
            let word = self.word(at);
            match word {
                ";" => return (at + 1, true, form),
                "=" => has_initializer = true,
                "struct" | "union" | "enum" => record = true,
                "{" if form != Form::Expression && !has_initializer && !record => {
                    let closed = self.partners[at].is_some();
                    return (self.after(at), closed, Form::Function(at));
                }
                "{" => record = false,
                // The attributes and the tag of a record stand before its members.
                "(" if record && !is_one(WITH_ARGUMENT, self.word(at - 1)) => record = false,
                "*" => record = false,
                _ => {}
            }
            at = self.after(at);
        }
        (at, false, form)
    }

    /// The token after a statement; `None` if it does not end.
    fn statement_end(&self, start: usize) -> Option<usize> {
        /// A statement whose end depends on what follows.
        enum Head {
            If,
            Do,
        }
        let (mut heads, mut at) = (Vec::new(), start);
        loop {
            // Heads of statements, up to one that has no other inside.
            let mut end = match self.word(at) {
                "" => return None,
                "if" | "for" | "while" | "switch" => {
                    if self.word(at) == "if" {
                        heads.push(Head::If);
                    }
                    at = self.after(at + 1);
                    continue;
                }
                "do" => {
                    heads.push(Head::Do);
                    at += 1;
                    continue;
                }
                "else" => {
                    at += 1;
                    continue;
                }
                "{" => self.partners[at]? + 1,
                "case" | "default" => {
                    at = self.find(at, ":")? + 1;
                    continue;
                }
                _ if self.kind(at) == Some(Kind::Word) && self.word(at + 1) == ":" => {
                    at += 2;
                    continue;
                }
                _ => self.find(at, ";")? + 1,
            };
            // What ends with it.
            loop {
                match heads.pop() {
                    None => return Some(end),
                    Some(Head::If) if self.word(end) == "else" => {
                        at = end + 1;
                        break;
                    }
                    Some(Head::If) => {}
                    Some(Head::Do) => end = self.find(end, ";")? + 1,
                }
            }
        }
    }

    /// The next of a mark outside of brackets.
    fn find(&self, mut at: usize, mark: &str) -> Option<usize> {
        while at < self.tokens.len() {
            if self.word(at) == mark {
                return Some(at);
            }
            at = self.after(at);
        }
        None
    }
}

/// A declared name, with the tokens of its declarator and its initializer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarator {
    pub name: String,
    pub tokens: Range<usize>,
    pub initializer: Option<Range<usize>>,
    pub is_function: bool,
    /// The `[]` after the name whose length the initializer gives: token after which it stands.
    pub unknown_length: Option<usize>,
}

/// A declaration taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The tokens before the first declarator.
    pub specifiers: Range<usize>,
    /// Members or enumerators are among the specifiers.
    pub has_body: bool,
    pub declarators: Vec<Declarator>,
}

impl Scanned<'_> {
    /// Takes a declaration apart; the tokens of a function end before its body.
    pub fn declaration(&self, tokens: &Range<usize>) -> Declaration {
        let end = if self.word(tokens.end - 1) == ";" { tokens.end - 1 } else { tokens.end };
        let (mut at, mut has_type, mut has_body) = (tokens.start, false, false);
        while at < end {
            let word = self.word(at);
            match word {
                "struct" | "union" | "enum" => {
                    (at, has_type) = (self.skip_attributes(at + 1, end), true);
                    if self.kind(at) == Some(Kind::Word) {
                        at += 1;
                    }
                    if self.word(at) == "{" {
                        (at, has_body) = (self.after(at), true);
                    }
                    continue;
                }
                "[" if self.word(at + 1) == "[" => at = self.after(at),
                _ if is_one(WITH_ARGUMENT, word) && self.word(at + 1) == "(" => {
                    has_type |= !word.contains("attribute") && !word.to_ascii_lowercase().contains("alignas");
                    at = self.after(at + 1);
                }
                _ if is_one(DECLARING, word) => {
                    has_type |= !is_one(STORAGE, word);
                    at += 1;
                }
                _ if !has_type && self.kind(at) == Some(Kind::Word) => {
                    has_type = true;
                    at += 1;
                }
                _ => break,
            }
        }
        let at = at.min(end);
        Declaration { specifiers: tokens.start..at, has_body, declarators: self.declarators(at, end) }
    }

    fn skip_attributes(&self, mut at: usize, end: usize) -> usize {
        while at < end && (is_one(WITH_ARGUMENT, self.word(at)) || self.word(at) == "[") {
            at = if self.word(at) == "[" { self.after(at) } else { self.after(at + 1) };
        }
        at
    }

    fn declarators(&self, mut at: usize, end: usize) -> Vec<Declarator> {
        let mut all = Vec::new();
        while at < end {
            let start = at;
            let (mut equals, mut comma) = (None, end);
            while at < end {
                match self.word(at) {
                    "=" if equals.is_none() => equals = Some(at),
                    "," => {
                        comma = at;
                        break;
                    }
                    _ => {}
                }
                at = self.after(at);
            }
            let tokens = start..equals.unwrap_or(comma);
            if let Some(name) = self.declared_name(&tokens) {
                let is_unknown = self.word(name + 1) == "[" && self.word(name + 2) == "]";
                all.push(Declarator {
                    name: self.word(name).to_string(),
                    is_function: self.word(name + 1) == "(" && name + 1 < tokens.end,
                    unknown_length: is_unknown.then_some(name + 1),
                    tokens,
                    initializer: equals.map(|equals| equals + 1..comma),
                });
            }
            at = comma + 1;
        }
        all
    }

    /// The token that names what a declarator declares.
    fn declared_name(&self, tokens: &Range<usize>) -> Option<usize> {
        let mut at = tokens.start;
        while at < tokens.end {
            match self.word(at) {
                word if is_one(WITH_ARGUMENT, word) => at = self.after(at + 1),
                word if self.kind(at) == Some(Kind::Word) && !is_one(DECLARING, word) => return Some(at),
                _ => at += 1,
            }
        }
        None
    }

    /// The words of some tokens outside of brackets.
    pub fn has_word(&self, tokens: &Range<usize>, words: &[&str]) -> bool {
        let mut at = tokens.start;
        while at < tokens.end {
            if words.contains(&self.word(at)) {
                return true;
            }
            at = self.after(at);
        }
        false
    }

    /// The text of some tokens with words outside of brackets made blank.
    pub fn without_words(&self, tokens: &Range<usize>, words: &[&str]) -> String {
        let range = self.range(tokens);
        let mut text = self.text[range.clone()].to_string();
        let mut at = tokens.start;
        while at < tokens.end {
            if words.contains(&self.word(at)) {
                let place = &self.tokens[at].range;
                let blank = " ".repeat(place.len());
                text.replace_range(place.start - range.start..place.end - range.start, &blank);
            }
            at = self.after(at);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(&str, Form)> {
        let scanned = scan(text);
        let form = |form| if let Form::Function(_) = form { Form::Function(0) } else { form };
        scanned.items().into_iter().map(|item| (&text[scanned.range(&item.tokens)], form(item.form))).collect()
    }

    #[test]
    fn inputs_are_split() {
        assert_eq!(parts("int a = 1; a + 2"), [("int a = 1;", Form::Declaration), ("a + 2", Form::Expression)]);
        assert_eq!(
            parts("struct __attribute__((packed)) s { int a; } x; int f(int n) { return n; } f(3);"),
            [
                ("struct __attribute__((packed)) s { int a; } x;", Form::Declaration),
                ("int f(int n) { return n; }", Form::Function(0)),
                ("f(3);", Form::Either)
            ]
        );
        assert_eq!(
            parts("if (a) { b(); } else c(); do x(); while (y); p = (struct s){ 1 }; for (;;) { } z"),
            [
                ("if (a) { b(); } else c();", Form::Statement),
                ("do x(); while (y);", Form::Statement),
                ("p = (struct s){ 1 };", Form::Expression),
                ("for (;;) { }", Form::Statement),
                ("z", Form::Expression)
            ]
        );
        assert_eq!(
            parts("struct s f(void) { } struct s *g(void) { } T *h(int n) { }")
                .iter()
                .map(|part| part.1)
                .collect::<Vec<_>>(),
            [Form::Function(0); 3]
        );
        assert_eq!(parts("#define A 1 \\\n 2\nA"), [("#define A 1 \\\n 2", Form::Directive), ("A", Form::Expression)]);
    }

    #[test]
    fn more_lines_are_wanted() {
        for text in [
            "f(",
            "int x",
            "int f(void)",
            "if (a)",
            "/* c",
            "#if 1\nint x;",
            "\"a\\",
            "#define A \\",
            "#define A \\\n",
            "struct s {",
            "for (;;)",
        ] {
            assert!(scan(text).wants_more(), "{text}");
        }
        for text in ["f()", "int x;", "\"abc", "a + b", "#if 1\n#endif", "if (a) b;", "{ }", "int f(void) { }", ")"] {
            assert!(!scan(text).wants_more(), "{text}");
        }
    }

    #[test]
    fn declarations_are_taken_apart() {
        let text = "static const struct { int a; } *p = f(1, 2), q[] = { 1 }, (*g)(int a), h(void);";
        let scanned = scan(text);
        let taken = scanned.declaration(&(0..scanned.tokens.len()));
        let names: Vec<_> = taken.declarators.iter().map(|d| (&d.name[..], d.is_function)).collect();
        assert_eq!(names, [("p", false), ("q", false), ("g", false), ("h", true)]);
        assert!(taken.has_body && taken.declarators[1].unknown_length.is_some());
        assert_eq!(scanned.without_words(&taken.specifiers, &["static"]), "       const struct { int a; }");
        let initializer = taken.declarators[0].initializer.clone().unwrap();
        assert_eq!(&text[scanned.range(&initializer)], "f(1, 2)");
    }
}
