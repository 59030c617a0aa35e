//! Which warnings are on, and where: the command line's settings and `#pragma GCC diagnostic`.
//!
//! A [`Setting`] per flag makes a *state*. Pragmas make new states; a file position finds its state
//! by a binary search in the list of changes of the inclusion it lies in (as clang does it), so
//! that a warning given late, at the end of the translation unit, still obeys the pragmas around
//! its place. Macro expansions have such lists too, for `_Pragma` in macros. Inclusions without a
//! change of their own are in the initial state, or in the one that was current when they were
//! entered.

use rustc_hash::FxHashMap;

use super::warnings::{ALL, EXTRA, ON, OTHER_LANGUAGES, PEDANTIC_GROUP, TABLE, TAKING_SIZE, UMBRELLAS};
use crate::{Loc, Severity, SourceMap, WarningId};

/// What is to happen with one warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) on: bool,
    /// Set by name rather than by a group: a group does not change it any more.
    pub(super) explicit: bool,
    /// `-Werror=x` (`Some(true)`), `-Wno-error=x` (`Some(false)`), or as `-Werror` says.
    pub(super) error: Option<bool>,
    /// The number after `=`; 1 without one.
    pub(super) level: u64,
}

type State = Box<[Setting]>;

/// The answer to a `-W` option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagOutcome {
    /// Known and noted.
    Accepted,
    /// gcc knows it for C++, Fortran or D only.
    OtherLanguage,
    /// Not known: an error for `-Wx`, silently accepted by gcc for `-Wno-x`.
    Unknown,
}

pub(super) struct WarningStates {
    states: Vec<State>,
    current: usize,
    stack: Vec<usize>,
    /// Flags that some pragma has switched on, by number; empty before the first.
    on_by_pragma: Vec<bool>,
    /// Per inclusion (by base), changes as (offset, state), in rising order of offset.
    changes: FxHashMap<u32, Vec<(u32, usize)>>,
    pub(super) inhibit_all: bool,
    pub(super) errors: bool,
    pub(super) pedantic_errors: bool,
    pub(super) system_headers: bool,
}

impl Default for WarningStates {
    fn default() -> Self {
        let initial = TABLE
            .iter()
            .map(|&(_, groups)| Setting { on: groups & ON != 0, explicit: false, error: None, level: 1 })
            .collect();
        WarningStates {
            states: vec![initial],
            current: 0,
            stack: Vec::new(),
            on_by_pragma: Vec::new(),
            changes: FxHashMap::default(),
            inhibit_all: false,
            errors: false,
            pedantic_errors: false,
            system_headers: false,
        }
    }
}

impl WarningStates {
    /// Applies the text after `-W` of a command-line option. Options apply in order; the last about
    /// a flag wins, and naming a flag beats its groups whatever the order.
    pub(super) fn command_line(&mut self, option: &str) -> FlagOutcome {
        let outcome = self.apply(option);
        // `-Wunused` and `-Wextra` together add the parameters; alone neither does.
        self.combine("unused-parameter");
        self.combine("unused-but-set-parameter");
        outcome
    }

    fn apply(&mut self, option: &str) -> FlagOutcome {
        let (on, name) = match option.strip_prefix("no-") {
            Some(name) => (false, name),
            None => (true, option),
        };
        match name {
            "all" => self.group(ALL, on),
            "extra" | "" => self.group(EXTRA, on),
            "pedantic" => self.group(PEDANTIC_GROUP, on),
            "error" => self.errors = on,
            "fatal-errors" => {}
            "system-headers" => self.system_headers = on,
            _ if name.starts_with("error=") => return self.error_flag(&name["error=".len()..], on),
            _ => return self.flag(name, on),
        }
        FlagOutcome::Accepted
    }

    fn error_flag(&mut self, name: &str, on: bool) -> FlagOutcome {
        if let "all" | "extra" = name {
            // `-Wno-error=all` says nothing, as in gcc.
            if on {
                self.group_of_errors(if name == "all" { ALL } else { EXTRA });
            }
            return FlagOutcome::Accepted;
        }
        let (base, value) = split_level(name);
        let Some(id) = WarningId::from_name(base) else { return unknown(base) };
        let mut ids = vec![id];
        ids.extend(umbrella(base));
        for id in ids {
            let setting = &mut self.states[0][id.0 as usize];
            setting.error = Some(on);
            if on && base == "bidi-chars" {
                let kinds = if name.contains('=') { value } else { "any" };
                let Some(level) = bidi_chars(setting.level, kinds) else { return FlagOutcome::Unknown };
                *setting = Setting { on: level & 3 != 0, explicit: true, error: Some(true), level };
            } else if on && (value != "0" || TAKING_SIZE.contains(&base)) {
                *setting = Setting { on: true, explicit: true, error: Some(true), level: level(value) };
            }
        }
        FlagOutcome::Accepted
    }

    fn flag(&mut self, name: &str, on: bool) -> FlagOutcome {
        let (base, value) = split_level(name);
        let Some(id) = WarningId::from_name(base) else { return unknown(base) };
        // On this processor only the strict form says anything.
        let off = value == "0" && !TAKING_SIZE.contains(&base);
        let on = on && !off && (base != "cast-align" || value == "strict");
        let setting = &mut self.states[0][id.0 as usize];
        if base == "bidi-chars" {
            let value = if name.contains('=') { value } else { "any" };
            let Some(level) = bidi_chars(setting.level, if on { value } else { "none" }) else {
                return FlagOutcome::Unknown;
            };
            (setting.on, setting.explicit, setting.level) = (level & 3 != 0, true, level);
            return FlagOutcome::Accepted;
        }
        (setting.on, setting.explicit, setting.level) = (on, true, level(value));
        if base == "format" && (value == "2" || !on) {
            // `-Wformat=2` adds these; without the format check they are off as well.
            for name in ["format-nonliteral", "format-security", "format-y2k"] {
                if let Some(id) = WarningId::from_name(name)
                    && !self.states[0][id.0 as usize].explicit
                {
                    self.states[0][id.0 as usize].on = on;
                }
            }
        }
        for id in umbrella(base) {
            let setting = &mut self.states[0][id.0 as usize];
            if !setting.explicit {
                setting.on = on;
            }
        }
        FlagOutcome::Accepted
    }

    fn group(&mut self, bit: u8, on: bool) {
        for (setting, &(_, groups)) in self.states[0].iter_mut().zip(TABLE) {
            if groups & bit != 0 && !setting.explicit {
                setting.on = on || groups & ON != 0;
            }
        }
    }

    /// `-Werror=all`: the group's warnings are on, and errors.
    fn group_of_errors(&mut self, bit: u8) {
        self.group(bit, true);
        for (setting, &(_, groups)) in self.states[0].iter_mut().zip(TABLE) {
            if groups & bit != 0 && !setting.explicit && setting.error.is_none() {
                setting.error = Some(true);
            }
        }
    }

    fn combine(&mut self, name: &str) {
        let is_on = |id: &str| WarningId::from_name(id).is_some_and(|id| self.states[0][id.0 as usize].on);
        let on = is_on("unused") && is_on("extra");
        if let Some(id) = WarningId::from_name(name) {
            let setting = &mut self.states[0][id.0 as usize];
            if !setting.explicit {
                setting.on = on;
            }
        }
    }

    /// `#pragma GCC diagnostic push`.
    pub(super) fn push(&mut self) {
        self.stack.push(self.current);
    }

    /// `#pragma GCC diagnostic pop`; without a push the command line's state comes back.
    pub(super) fn pop(&mut self, sources: &SourceMap, loc: Loc) {
        self.current = self.stack.pop().unwrap_or(0);
        self.record(sources, loc);
    }

    /// `#pragma GCC diagnostic ignored|warning|error "-Wname"`.
    pub(super) fn set(&mut self, sources: &SourceMap, loc: Loc, id: WarningId, severity: Option<Severity>) {
        let mut state = self.states[self.current].clone();
        let ids = std::iter::once(id).chain(umbrella(id.name()));
        self.on_by_pragma.resize(TABLE.len(), false);
        for id in ids {
            self.on_by_pragma[id.0 as usize] |= severity.is_some();
            state[id.0 as usize] = Setting {
                on: severity.is_some(),
                explicit: true,
                error: severity.map(|severity| severity >= Severity::Error),
                level: state[id.0 as usize].level,
            };
        }
        self.states.push(state);
        self.current = self.states.len() - 1;
        self.record(sources, loc);
    }

    /// The preprocessor enters a file, or comes back to one, at `loc`.
    pub(super) fn switch_file(&mut self, sources: &SourceMap, loc: Loc) {
        if self.states.len() > 1 {
            self.record(sources, loc);
        }
    }

    /// Notes the current state from `loc` on, in its macro expansion, if it is in one, and in
    /// everything around that.
    fn record(&mut self, sources: &SourceMap, loc: Loc) {
        let data = sources.data();
        let mut at = loc;
        while let Some((base, offset, outer)) = data.range(at) {
            let changes = self.changes.entry(base.0).or_default();
            if changes.last().map_or(usize::MAX, |&(_, state)| state) != self.current {
                changes.push((offset, self.current));
            }
            at = outer;
        }
    }

    /// Whether the command line or a pragma so far has it on.
    #[inline]
    pub(super) fn is_on_somewhere(&self, id: WarningId) -> bool {
        let index = id.0 as usize;
        !self.inhibit_all && (self.states[0][index].on || self.on_by_pragma.get(index).is_some_and(|&on| on))
    }

    /// The command line's number for a flag.
    pub(super) fn level(&self, id: WarningId) -> u64 {
        self.states[0][id.0 as usize].level
    }

    /// The setting of a flag at a place: of the innermost macro expansion that changed it before
    /// there, or of the file.
    pub(super) fn setting(&self, sources: &SourceMap, id: WarningId, loc: Loc) -> Setting {
        let index = id.0 as usize;
        if self.states.len() == 1 {
            return self.states[0][index];
        }
        if loc.is_none() {
            return self.states[self.current][index];
        }
        let data = sources.data();
        let mut at = loc;
        while let Some((base, offset, outer)) = data.range(at) {
            if let Some(changes) = self.changes.get(&base.0) {
                let before = changes.partition_point(|&(start, _)| start <= offset);
                if before > 0 {
                    return self.states[changes[before - 1].1][index];
                }
            }
            at = outer;
        }
        self.states[0][index]
    }
}

/// A flag's name and what follows `=`. Some names have such a sign of their own.
fn split_level(name: &str) -> (&str, &str) {
    match name.split_once('=') {
        Some(parts) if WarningId::from_name(name).is_none() => parts,
        _ => (name, "1"),
    }
}

/// The value of `-Wbidi-chars=` as a level: 1 for `unpaired`, 2 for `any`, 4 for `ucn`. `none`,
/// `unpaired` and `any` exclude each other; what is not named stays. `None` for a wrong list.
fn bidi_chars(before: u64, list: &str) -> Option<u64> {
    let (mut kinds, mut named) = (None, false);
    for word in list.split(',') {
        let (seen, bits) = match word {
            "none" => (kinds.is_some(), 0),
            "unpaired" => (kinds.is_some(), 1),
            "any" => (kinds.is_some(), 2),
            "ucn" => (named, 4),
            _ => return None,
        };
        match (seen, word) {
            (true, _) => return None,
            (false, "ucn") => named = true,
            (false, _) => kinds = Some(bits),
        }
    }
    Some(kinds.unwrap_or(before & 3) | if named { 4 } else { before & 4 })
}

/// The number after `=`, in bytes where it has a unit; 1 for what is no number.
fn level(value: &str) -> u64 {
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = value.split_at(digits);
    let power = |unit: &str| " kMGTPE".find(unit).map(|at| at as u32);
    let scale = match unit {
        "" | "B" => Some(1),
        "kB" => Some(1000),
        "KiB" => Some(1024),
        _ => match (unit.strip_suffix("iB"), unit.strip_suffix('B')) {
            (Some(unit), _) => power(unit).and_then(|power| 1024u64.checked_pow(power)),
            (None, Some(unit)) => power(unit).and_then(|power| 1000u64.checked_pow(power)),
            _ => None,
        },
    };
    digits.parse().ok().zip(scale).map_or(1, |(number, scale): (u64, u64)| number.saturating_mul(scale))
}

fn umbrella(name: &str) -> impl Iterator<Item = WarningId> + use<> {
    let members = UMBRELLAS.iter().find(|&&(umbrella, _)| umbrella == name).map_or(&[][..], |&(_, members)| members);
    members.iter().filter_map(|member| WarningId::from_name(member))
}

fn unknown(name: &str) -> FlagOutcome {
    let family = name.strip_prefix("analyzer-").is_some() || OTHER_LANGUAGES.contains(&name);
    if name.starts_with("analyzer-") {
        FlagOutcome::Accepted
    } else if family {
        FlagOutcome::OtherLanguage
    } else {
        FlagOutcome::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warning;

    fn on(options: &[&str], id: WarningId) -> bool {
        let mut states = WarningStates::default();
        for option in options {
            assert_eq!(states.command_line(option), FlagOutcome::Accepted, "{option}");
        }
        states.setting(&SourceMap::new(), id, Loc::NONE).on
    }

    #[test]
    fn groups_give_way_to_names() {
        assert!(!on(&[], warning::UNUSED_VARIABLE) && on(&["all"], warning::UNUSED_VARIABLE));
        assert!(!on(&["no-unused-variable", "all"], warning::UNUSED_VARIABLE));
        assert!(on(&["unused"], warning::UNUSED_LABEL) && !on(&["unused", "no-unused"], warning::UNUSED_LABEL));
        assert!(!on(&["extra"], warning::UNUSED_PARAMETER) && !on(&["all"], warning::UNUSED_PARAMETER));
        assert!(on(&["extra", "unused"], warning::UNUSED_PARAMETER));
        assert!(on(&["all", "extra", "no-sign-compare", "no-unused-variable"], warning::UNUSED_PARAMETER));
        assert!(!on(&["all", "extra", "no-extra"], warning::UNUSED_PARAMETER));
        assert!(!on(&["all", "extra", "no-unused"], warning::UNUSED_PARAMETER));
        assert!(on(&["error=unused-label"], warning::UNUSED_LABEL));
        assert!(on(&["error=all"], warning::UNUSED_LABEL) && !on(&["no-error=all"], warning::UNUSED_LABEL));
        assert!(!on(&["format=0"], warning::FORMAT) && on(&["format=2"], warning::FORMAT));
    }

    #[test]
    fn kinds_of_bidi_characters() {
        assert_eq!(bidi_chars(1, "any"), Some(2));
        assert_eq!(bidi_chars(1, "ucn"), Some(5));
        assert_eq!(bidi_chars(5, "none"), Some(4));
        assert_eq!(bidi_chars(1, "any,none"), None);
        assert_eq!(bidi_chars(1, "some"), None);
    }

    #[test]
    fn levels_have_units() {
        for (text, value) in [("2", 2), ("16", 16), ("1KiB", 1024), ("2kB", 2000), ("3MiB", 3 << 20), ("strict", 1)] {
            assert_eq!(level(text), value, "{text}");
        }
    }

    #[test]
    fn unknown_names_are_told_from_other_languages() {
        let mut states = WarningStates::default();
        assert_eq!(states.command_line("no-such-flag"), FlagOutcome::Unknown);
        assert_eq!(states.command_line("abi-tag"), FlagOutcome::OtherLanguage);
    }
}
