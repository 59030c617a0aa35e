//! The `-W` family. The names live in `base`; here is what happens with a name it does not know.

use super::arguments;
use crate::invocation::Invocation;
use base::diagnostics::{FlagOutcome, TAKING_SIZE};

/// Why a flag was not understood.
pub enum Unknown {
    /// `-Wno-something`: gcc stays silent.
    Silent,
    /// gcc's message for a wrong argument.
    Message(String),
    /// "unrecognized command-line option".
    Option,
}

/// Check the text after `-W`; the result is the text to hand to
/// [`base::Diagnostics::warning_flag`].
pub fn check(text: &str, program: &str) -> Result<String, Unknown> {
    // `-Werror-implicit-function-declaration`, the spelling of gcc 3.
    let modern = match text.strip_prefix("error-") {
        Some(name) => format!("error={name}"),
        None => text.to_string(),
    };
    if modern.starts_with("attributes=") {
        let [given, other] = ["-Wattributes=", "-Wno-attributes="].map(super::quote);
        return Err(Unknown::Message(format!("arguments ignored for {given}; use {other} instead")));
    }
    if let Some((name, value)) = taking_size(&modern) {
        check_size(&modern, name, value)?;
    }
    if base::Diagnostics::default().warning_flag(&modern) != FlagOutcome::Unknown {
        return Ok(modern);
    }
    // gcc's old spelling of `-Wlarger-than=`.
    if let Some(value) = modern.strip_prefix("larger-than-") {
        return check(&format!("larger-than={value}"), program);
    }
    if let Some(list) = modern.strip_prefix("bidi-chars=") {
        return Err(Unknown::Message(wrong_bidi_chars(list, program)));
    }
    let name_after_equals = |option: &str, name: &str| {
        Unknown::Message(format!(
            "{}: no option {}",
            super::quote(&format!("{option}{name}")),
            super::quote(&format!("-W{name}"))
        ))
    };
    if let Some(name) = modern.strip_prefix("error=") {
        Err(name_after_equals("-Werror=", name))
    } else if let Some(name) = modern.strip_prefix("no-error=") {
        Err(name_after_equals("-Wno-error=", name))
    } else if modern.starts_with("no-") {
        Err(Unknown::Silent)
    } else {
        Err(Unknown::Option)
    }
}

/// gcc's words for a wrong argument of `-Wbidi-chars=`.
fn wrong_bidi_chars(list: &str, program: &str) -> String {
    const WORDS: &[&str] = &["any", "none", "ucn", "unpaired"];
    match list.split(',').find(|word| !WORDS.contains(word)) {
        Some(word) => {
            let arguments = WORDS.join(" ");
            let (word, option) = (super::quote(word), super::quote("-Wbidi-chars"));
            let note = super::quote("-Wbidi-chars=");
            format!(
                "argument {word} to {option} not recognized\n{program}: note: valid arguments to {note} are: {arguments}"
            )
        }
        None => format!("invalid argument in option {}", super::quote(&format!("-Wbidi-chars={list}"))),
    }
}

/// Check a flag whose value is a size.
fn check_size(flag: &str, name: &str, value: Option<&str>) -> Result<(), Unknown> {
    let option = super::quote(&format!("-W{name}="));
    let for_errors = flag.contains("error=");
    match value {
        None if for_errors => {
            let written = super::quote(&format!("-W{flag}"));
            Err(Unknown::Message(format!("{written}: no option {}", super::quote(&format!("-W{name}")))))
        }
        None if flag.starts_with("no-") => Ok(()),
        None => Err(Unknown::Option),
        Some(_) if flag.starts_with("no-") && !for_errors => Err(Unknown::Option),
        Some("") => Err(Unknown::Message(format!("missing argument to {option}"))),
        Some(value) if size(value).is_none() => {
            let what = "should be a non-negative integer optionally followed by a size unit";
            Err(Unknown::Message(format!("argument to {option} {what}")))
        }
        Some(_) => Ok(()),
    }
}

/// The name and the value of a flag whose value is a size, whether it is switched on or off.
fn taking_size(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.strip_prefix("no-").unwrap_or(text);
    let text = text.strip_prefix("error=").unwrap_or(text);
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    TAKING_SIZE.contains(&name).then_some((name, value))
}

/// A number of bytes with gcc's units (invoke.texi, "Options That Control Warnings"); what does not
/// fit is the largest size.
fn size(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = if unit.is_empty() { 1 } else { arguments::unit_of(unit)? };
    if number.is_empty() {
        return None;
    }
    let number: u128 = number.parse().unwrap_or(u128::MAX);
    Some(u64::try_from(number.saturating_mul(unit.into())).unwrap_or(u64::MAX))
}

/// Notes the sizes that the back end looks at. `flag` is what [`check`] gave.
pub fn note_size(inv: &mut Invocation, flag: &str) {
    let Some((name, value)) = taking_size(flag) else { return };
    let bytes = match value {
        Some(_) if flag.starts_with("no-") => return,
        Some(value) => size(value).unwrap_or(u64::MAX),
        None if flag.starts_with("no-error=") => return,
        None => u64::MAX,
    };
    match name {
        "frame-larger-than" => inv.options.codegen.frame_larger_than = bytes,
        "stack-usage" => inv.options.codegen.stack_usage_larger_than = bytes,
        _ => {}
    }
}
