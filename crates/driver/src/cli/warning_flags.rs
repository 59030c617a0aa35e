//! The `-W` family. The names live in `base`; here is what happens with a name it does not know.

use base::diagnostics::FlagOutcome;

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
    if base::Diagnostics::default().warning_flag(&modern) != FlagOutcome::Unknown {
        return Ok(modern);
    }
    // gcc's old spelling of `-Wlarger-than=`.
    if modern.strip_prefix("larger-than-").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
        return Ok("larger-than".to_string());
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
