//! `--completion=PREFIX`: the options and commands that begin with a text, for a shell to offer.
//! Options are read off the tables that parse the command line; what is refused is no offer.

use super::spec::{Effect, Form, Spec};
use super::{codegen_flags, general, hints, machine_flags};
use platform::options::X86Features;
use std::collections::BTreeSet;

/// What may stand for a word that begins with `prefix`, one a line: options, and commands where no
/// option has begun.
pub fn offers(prefix: &str) -> String {
    let commands = crate::COMMANDS.iter().filter(|name| !prefix.starts_with('-') && name.starts_with(prefix));
    let commands: String = commands.map(|name| format!("{name}\n")).collect();
    if prefix.is_empty() { commands } else { commands + &completions(prefix) }
}

/// The options beginning with `prefix`, sorted, one a line; as gcc, either form of an option with a
/// `no-` form.
pub fn completions(prefix: &str) -> String {
    let mut names = BTreeSet::new();
    names.extend(general::rows().filter(|s| offered(s)).map(|s| s.name.to_string()));
    family(&mut names, "-f", codegen_flags::TABLE, hints::F);
    family(&mut names, "-m", machine_flags::TABLE, hints::M);
    for name in X86Features::names() {
        names.extend([format!("-m{name}"), format!("-mno-{name}")]);
    }
    names.extend(platform::options::processors::names().map(|name| format!("-march={name}")));
    for name in base::warning::names() {
        names.extend([format!("-W{name}"), format!("-Wno-{name}")]);
    }
    let mut text = String::new();
    for name in names.iter().filter(|name| name.starts_with(prefix)) {
        text.push_str(name);
        text.push('\n');
    }
    text
}

/// The options of a family: its rows and its names without effect.
fn family(names: &mut BTreeSet<String>, dash: &str, table: &[Spec], hints: &str) {
    for row in table.iter().filter(|s| offered(s)) {
        names.insert(format!("{dash}{}", row.name));
        if matches!(row.effect, Effect::Toggle(_)) {
            names.insert(format!("{dash}no-{}", row.name));
        }
    }
    for name in hints.split_ascii_whitespace() {
        names.extend([format!("{dash}{name}"), format!("{dash}no-{name}")]);
    }
}

fn offered(row: &Spec) -> bool {
    !matches!(row.effect, Effect::Refuse(_)) && (row.form != Form::Joined || row.name.ends_with('='))
}
