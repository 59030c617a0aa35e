//! Reads gcc's option files (`*.opt`, described in gcc's internals manual, "Option file format"):
//! which options a C compilation takes, and the arguments to try each with.

use std::collections::BTreeMap;

/// Options of the files together with the words of their enumerations.
#[derive(Default)]
pub struct Records {
    /// Name without the dash, and the properties.
    options: BTreeMap<String, String>,
    /// Words of each enumeration, by its name.
    words: BTreeMap<String, Vec<String>>,
}

impl Records {
    /// Adds the records of one file.
    pub fn read(&mut self, text: &str) {
        for record in text.split("\n\n") {
            let mut lines = record.lines().filter(|line| !line.starts_with(';') && !line.is_empty());
            let (Some(name), Some(properties)) = (lines.next(), lines.next()) else { continue };
            match name {
                "EnumValue" => {
                    let enumeration = property(properties, "Enum").unwrap_or_default();
                    let word = property(properties, "String").unwrap_or_default();
                    self.words.entry(enumeration.into()).or_default().push(word.into());
                }
                "Enum" | "Variable" | "TargetVariable" | "TargetSave" | "HeaderInclude" | "SourceInclude"
                | "Language" => {}
                _ => {
                    // A second record of a name adds languages.
                    let old = self.options.entry(name.into()).or_default();
                    old.push(' ');
                    old.push_str(properties);
                }
            }
        }
    }

    /// The spellings to try, in order of their names.
    pub fn spellings(&self, processors: &[String]) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        for (name, properties) in &self.options {
            if applies(properties) && !starts_something_else(name) {
                self.spell(name, properties, processors, &mut out);
            }
        }
        out
    }

    fn spell(&self, name: &str, properties: &str, processors: &[String], out: &mut Vec<Vec<String>>) {
        let has = |word: &str| properties.split_whitespace().any(|p| p == word);
        let option = format!("-{name}");
        if has("Separate") && !has("Joined") {
            out.push(vec![option.clone()]);
            out.push(vec![option, "/tmp/option-sweep".into()]);
            return;
        }
        out.push(vec![option.clone()]);
        if has("Joined") || has("JoinedOrMissing") {
            let arguments = match name {
                "march=" | "mtune=" | "mcpu=" => processors.to_vec(),
                _ => self.arguments(properties),
            };
            out.extend(arguments.iter().map(|argument| vec![format!("{option}{argument}")]));
        }
        // What gcc rejects has to be rejected here, too.
        let first = name.chars().next().unwrap_or_default();
        if "fmW".contains(first) && name.len() > 1 {
            out.push(vec![format!("-{first}no-{}", &name[1..])]);
        }
    }

    /// Arguments of every kind that is right, and some that are wrong.
    fn arguments(&self, properties: &str) -> Vec<String> {
        if let Some(enumeration) = property(properties, "Enum") {
            let mut words = self.words.get(enumeration).cloned().unwrap_or_default();
            words.push("nonsense".into());
            return words;
        }
        if let Some(range) = property(properties, "IntegerRange") {
            let bounds: Vec<i64> = range.split(',').filter_map(|bound| bound.trim().parse().ok()).collect();
            let [least, most] = bounds[..] else { return Vec::new() };
            return [least, most, most + 1, least - 1].map(|n| n.to_string()).into();
        }
        let has = |word: &str| properties.split_whitespace().any(|p| p == word);
        if has("UInteger") || has("Host_Wide_Int") || has("ByteSize") {
            return ["0", "1", "16", "0x10", "16k", "x", "-1"].map(String::from).into();
        }
        ["1", "4", "16", "nonsense", "all", "none", "a=b"].map(String::from).into()
    }
}

/// Whether a C compilation for x86 takes the option.
fn applies(properties: &str) -> bool {
    let has = |word: &str| properties.split_whitespace().any(|p| p == word);
    ["C", "Common", "Target", "Driver", "Optimization", "Param"].iter().any(|word| has(word))
}

/// Options that ask for another output, read files of gcc or are answers instead of compilations.
fn starts_something_else(name: &str) -> bool {
    const EXACT: &[&str] = &["###", "E", "S", "c", "o", "x", "M", "MM", "MD", "MMD", "MF", "v", "pipe", "auxbase", "C"];
    const PREFIXES: &[&str] = &[
        "-help",
        "-version",
        "-target-help",
        "dump",
        "print-",
        "-print",
        "wrapper",
        "specs",
        "-specs",
        "fdump-",
        "m16",
        "m32",
        "mx32",
        "miamcu",
        "-output",
        "-preprocess",
        "-assemble",
        "-compile",
        "fsyntax-only",
    ];
    EXACT.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The text in the parentheses of a property.
fn property<'t>(properties: &'t str, name: &str) -> Option<&'t str> {
    let mut from = 0;
    while let Some(at) = properties[from..].find(name) {
        let start = from + at;
        let rest = &properties[start + name.len()..];
        let word_starts = start == 0 || properties.as_bytes()[start - 1].is_ascii_whitespace();
        if let (true, Some(inner)) = (word_starts, rest.strip_prefix('(')) {
            return inner.split(')').next();
        }
        from = start + name.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Records;

    #[test]
    fn spellings() {
        let mut records = Records::default();
        records.read(
            "; comment\n\nfone\nCommon Var(x)\nText.\n\nftwo=\nC Joined Enum(e) RejectNegative\n\nfother\nFortran\n\n\
             Enum\nName(e) Type(int)\n\nEnumValue\nEnum(e) String(a) Value(0)\n\nmcpu=\nTarget Joined\n",
        );
        let spelled: Vec<String> = records.spellings(&["k8".into()]).concat();
        assert_eq!(
            spelled,
            [
                "-fone",
                "-fno-one",
                "-ftwo=",
                "-ftwo=a",
                "-ftwo=nonsense",
                "-fno-two=",
                "-mcpu=",
                "-mcpu=k8",
                "-mno-cpu="
            ]
        );
    }
}
