//! Dependency output for make: `-M`, `-MM`, `-MD`, `-MMD` with `-MT`, `-MQ`, `-MP`, `-MG`.
//!
//! Quoting and line breaks are those of gcc's mkdeps: `$` is doubled, blanks and `#` get a
//! backslash, and a line is broken before it would pass 72 columns.

use super::options::DependencyOptions;

/// Column at which gcc breaks lines.
const COLUMNS: usize = 72;

/// The files a translation unit was made of, in order of first use.
#[derive(Default)]
pub(super) struct Dependencies {
    main: String,
    files: Vec<(String, bool)>,
    seen: rustc_hash::FxHashSet<String>,
}

impl Dependencies {
    pub(super) fn main(&mut self, name: &str) {
        self.main = name.to_owned();
    }

    /// A header was used.
    pub(super) fn file(&mut self, path: &str, system: bool) {
        if self.seen.insert(path.to_owned()) {
            self.files.push((path.to_owned(), system));
        }
    }

    /// The headers used so far, and whether they are the system's.
    pub(super) fn files(&self) -> &[(String, bool)] {
        &self.files
    }

    /// The rule, and the phony rules of `-MP`.
    pub(super) fn text(&self, options: &DependencyOptions) -> String {
        let mut out = String::new();
        let mut column = 0;
        let default = [(default_target(&self.main), true)];
        let targets = if options.targets.is_empty() { &default[..] } else { &options.targets };
        for (target, quoted) in targets {
            let text = if *quoted { quote(target) } else { target.clone() };
            write(&mut out, &mut column, &text);
        }
        out.push(':');
        column += 1;
        let main = std::iter::once(self.main.as_str()).filter(|name| *name != "<stdin>");
        let wanted = |(_, system): &&(String, bool)| !(options.user_only && *system);
        let headers: Vec<&str> = self.files.iter().filter(wanted).map(|(path, _)| path.as_str()).collect();
        for name in main.chain(headers.iter().copied()) {
            write(&mut out, &mut column, &quote(name));
        }
        out.push('\n');
        if options.phony_targets {
            for name in &headers {
                out.push_str(&format!("{}:\n", quote(name)));
            }
        }
        out
    }
}

fn write(out: &mut String, column: &mut usize, text: &str) {
    if *column > 0 {
        if *column + text.len() > COLUMNS {
            out.push_str(" \\\n");
            *column = 0;
        }
        out.push(' ');
        *column += 1;
    }
    out.push_str(text);
    *column += text.len();
}

/// `x.o` for `dir/x.c`, `-` for standard input.
fn default_target(main: &str) -> String {
    if main == "<stdin>" {
        return "-".to_owned();
    }
    let base = main.rsplit('/').next().unwrap_or(main);
    let stem = base.rfind('.').map_or(base, |dot| &base[..dot]);
    format!("{stem}.o")
}

/// Quotes what is special to make.
fn quote(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut backslashes = 0;
    for c in name.chars() {
        match c {
            '\\' => {
                backslashes += 1;
                out.push('\\');
                continue;
            }
            '$' => out.push('$'),
            ' ' | '\t' => {
                // make takes 2N+1 backslashes before a blank for N backslashes and a quoted blank.
                out.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            '#' => out.push('\\'),
            _ => {}
        }
        backslashes = 0;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_lines_broken() {
        let mut deps = Dependencies::default();
        deps.main("dir/a b$c.c");
        for n in 0..6 {
            deps.file(&format!("include/header{n}.h"), false);
        }
        let options = DependencyOptions { phony_targets: true, ..Default::default() };
        let text = deps.text(&options);
        assert!(
            text.starts_with("a\\ b$$c.o: dir/a\\ b$$c.c include/header0.h include/header1.h \\\n include/"),
            "{text}"
        );
        assert!(text.ends_with("include/header5.h:\n"), "{text}");
    }
}
