//! Version scripts and lists of exported symbols (GNU ld's manual, "VERSION Command" and
//! "--dynamic-list").

use crate::{Declined, Outcome};

const SCRIPT: Declined = Declined("a form of version script");

/// A name, or a shell pattern of names.
#[derive(Clone, Debug)]
pub enum Pattern {
    Exact(Vec<u8>),
    Glob(Vec<u8>),
}

/// One version: what belongs to it, and what is not exported.
#[derive(Clone, Default, Debug)]
pub struct Node {
    /// Empty for a script that only says what is exported.
    pub name: Vec<u8>,
    pub global: Vec<Pattern>,
    pub local: Vec<Pattern>,
    pub parent: Option<Vec<u8>>,
}

/// What a script says of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing.
    Unlisted,
    Local,
    /// Number of the node.
    Global(usize),
}

impl Pattern {
    /// A pattern as written; classes of characters are declined.
    pub fn new(text: &str) -> Outcome<Pattern> {
        if text.contains(['[', '\\']) {
            return Err(SCRIPT);
        }
        let bytes = text.as_bytes().to_vec();
        Ok(if text.contains(['*', '?']) { Pattern::Glob(bytes) } else { Pattern::Exact(bytes) })
    }

    /// Whether it matches.
    pub fn matches(&self, name: &[u8]) -> bool {
        match self {
            Pattern::Exact(text) => text == name,
            Pattern::Glob(pattern) => glob(pattern, name),
        }
    }

    /// Names come first, then patterns, then the pattern that matches everything.
    fn class(&self) -> usize {
        match self {
            Pattern::Exact(_) => 0,
            Pattern::Glob(pattern) if pattern == b"*" => 2,
            Pattern::Glob(_) => 1,
        }
    }
}

/// `*` and `?`, with one place to go back to: linear in the product of the lengths.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut back) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p, n));
                p += 1;
            }
            Some(&c) if c == b'?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// What the nodes say of `name`.
pub fn verdict(nodes: &[Node], name: &[u8]) -> Verdict {
    for class in 0..3 {
        let found = |patterns: &[Pattern]| patterns.iter().any(|p| p.class() == class && p.matches(name));
        if let Some(at) = nodes.iter().position(|node| found(&node.global)) {
            return Verdict::Global(at);
        }
        if nodes.iter().any(|node| found(&node.local)) {
            return Verdict::Local;
        }
    }
    Verdict::Unlisted
}

/// A version script.
pub fn script(text: &str) -> Outcome<Vec<Node>> {
    let words = words(text)?;
    let mut words = words.iter().map(String::as_str).peekable();
    let mut nodes = Vec::new();
    while let Some(word) = words.next() {
        let mut node = Node::default();
        if word != "{" {
            node.name = word.as_bytes().to_vec();
            if words.next() != Some("{") {
                return Err(SCRIPT);
            }
        }
        body(&mut words, &mut node, 0)?;
        match words.next() {
            Some(";") => {}
            Some(parent) => {
                node.parent = Some(parent.as_bytes().to_vec());
                if words.next() != Some(";") {
                    return Err(SCRIPT);
                }
            }
            None => return Err(SCRIPT),
        }
        nodes.push(node);
    }
    let is_mixed = nodes.len() > 1 && nodes.iter().any(|node| node.name.is_empty());
    let is_unknown = |parent: &Vec<u8>| !nodes.iter().any(|node| node.name == *parent);
    if nodes.is_empty() || is_mixed || nodes.iter().any(|node| node.parent.as_ref().is_some_and(is_unknown)) {
        return Err(SCRIPT);
    }
    Ok(nodes)
}

/// `{ name; ... };`
pub fn list(text: &str) -> Outcome<Vec<Pattern>> {
    let nodes = script(text)?;
    match &nodes[..] {
        [Node { name, global, local, parent: None }] if name.is_empty() && local.is_empty() => Ok(global.clone()),
        _ => Err(SCRIPT),
    }
}

/// What stands between braces, up to the closing one; `depth` counts the `extern` blocks around it.
fn body<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    node: &mut Node,
    depth: u32,
) -> Outcome<()> {
    let mut is_local = false;
    loop {
        let word = words.next().ok_or(SCRIPT)?;
        match word {
            "}" => return Ok(()),
            ";" => continue,
            "extern" => {
                if depth > 0 || words.next() != Some("\"C\"") || words.next() != Some("{") {
                    return Err(SCRIPT);
                }
                let mut inner = Node::default();
                body(words, &mut inner, depth + 1)?;
                let target = if is_local { &mut node.local } else { &mut node.global };
                target.append(&mut inner.global);
                continue;
            }
            _ => {}
        }
        if words.peek() == Some(&":") {
            words.next();
            is_local = match word {
                "global" => false,
                "local" => true,
                _ => return Err(SCRIPT),
            };
            continue;
        }
        let pattern = match word.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
            Some(name) => Pattern::Exact(name.as_bytes().to_vec()),
            None => Pattern::new(word)?,
        };
        if is_local {
            node.local.push(pattern)
        } else {
            node.global.push(pattern)
        }
        match words.peek() {
            Some(&";") => drop(words.next()),
            Some(&"}") => {}
            _ => return Err(SCRIPT),
        }
    }
}

fn words(text: &str) -> Outcome<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok(words) };
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = &comment[comment.find("*/").ok_or(SCRIPT)? + 2..];
        } else if first == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if "{};".contains(first) || first == ':' {
            words.push(first.to_string());
            rest = &rest[1..];
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or(SCRIPT)? + 2;
            words.push(rest[..end].to_string());
            rest = &rest[end..];
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || "{};:\"#".contains(c)).unwrap_or(rest.len());
            words.push(rest[..end].to_string());
            rest = &rest[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_patterns() {
        let text = "V1 { global: f; g*; local: *; }; /* later */ V2 { h?; extern \"C\" { \"i\"; j; }; } V1;";
        let nodes = script(text).unwrap();
        assert_eq!(nodes[1].parent.as_deref(), Some(b"V1".as_slice()));
        let of = |name: &str| verdict(&nodes, name.as_bytes());
        assert_eq!(of("f"), Verdict::Global(0));
        assert_eq!(of("gnu"), Verdict::Global(0));
        assert_eq!(of("h"), Verdict::Local);
        assert_eq!(of("hh"), Verdict::Global(1));
        assert_eq!(of("i"), Verdict::Global(1));
        assert_eq!(of("ff"), Verdict::Local);
    }

    #[test]
    fn damaged_scripts_are_declined() {
        for text in ["", "{", "{ a; }", "V { global: a b; };", "V { a; } W;", "{ extern \"C++\" { a; }; };", "/*"] {
            assert!(script(text).is_err(), "{text}");
        }
    }

    #[test]
    fn patterns() {
        assert!(glob(b"a*b*c", b"aXbXbc"));
        assert!(!glob(b"a*b*c", b"aXbXb"));
        assert!(glob(b"?", b"x") && !glob(b"?", b"") && glob(b"**", b""));
    }
}
