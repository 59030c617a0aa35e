//! The instruction sets that `-march=` and the attribute `target` ask for.

use super::features::{MathUnit, Named, X86Features, math_unit, native};
use super::processors::Processor;

impl X86Features {
    /// The features of a processor (`-march=`, `arch=` in a `target` attribute), unmasked; `None`
    /// if it is not known.
    pub fn of_processor(name: &str) -> Option<X86Features> {
        match name {
            "native" => Some(native()),
            _ => Processor::named(name).map(|processor| processor.features),
        }
    }

    /// Applies the argument of a `target` attribute, as `avx2,no-sse4.2,arch=haswell`. What
    /// concerns no instruction set is accepted as gcc does where it cannot change what code means.
    ///
    /// # Errors
    /// gcc's message for a name that does not exist or has no effect here.
    pub fn apply_target(&mut self, text: &str) -> Result<(), String> {
        for word in text.split(',').map(|w| w.trim().trim_matches('"').trim()).filter(|w| !w.is_empty()) {
            if let Some(name) = word.strip_prefix("arch=") {
                let Some(set) = X86Features::of_processor(name) else {
                    return Err(format!("bad value '{name}' for 'target(\"arch=\")' attribute"));
                };
                self.0 = set.0 & Self::GENERATED.0 | self.0 & (Self::MATH_387.0 | Self::HALF_VECTORS.0);
                continue;
            }
            if let Some(unit) = word.strip_prefix("fpmath=") {
                let Some(x87) = math_unit(unit) else {
                    return Err(format!("attribute 'target' argument '{word}' is unknown"));
                };
                self.set_math(x87 == MathUnit::X87);
                continue;
            }
            if let Some(width) = word.strip_prefix("prefer-vector-width=") {
                if !self.prefer_width(width) {
                    return Err(format!("attribute value '{word}' is unknown in 'target' attribute"));
                }
                continue;
            }
            let (name, on) = match word.strip_prefix("no-") {
                Some(name) => (name, false),
                None => (word, true),
            };
            match X86Features::named(name) {
                Some(Named::Known { own, all }) => {
                    if on {
                        self.insert(all);
                    } else {
                        self.remove(own);
                    }
                }
                // A permission that is made use of as far as it implies others.
                Some(Named::Foreign(implied)) if on => self.insert(implied),
                Some(Named::Foreign(_)) => {}
                None if word == "general-regs-only" => self.remove_registers(),
                None if word == "default" || matches!(name, "80387") || is_tuning(name) => {}
                None => return Err(format!("attribute 'target' argument '{word}' is unknown")),
            }
        }
        Ok(())
    }
}

/// Arguments of `target` that choose between ways to do the same.
fn is_tuning(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "cld",
        "fancy-math-387",
        "ieee-fp",
        "inline-all-stringops",
        "inline-stringops-dynamically",
        "align-stringops",
        "recip",
        "vzeroupper",
    ];
    NAMES.contains(&name) || name.starts_with("tune=")
}
