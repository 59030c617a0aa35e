//! Inline assembly: places to LLVM constraint letters, templates to LLVM's `$` syntax.

use crate::asm::{AsmData, AsmPlace};
use crate::{Function, Value};

use super::types::ty;

/// The x86 conditions by number.
const CONDITIONS: [&str; 16] = ["o", "no", "c", "nc", "z", "nz", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"];

/// The lines of one statement.
///
/// # Errors
/// Names the kind of operand that LLVM's constraint language (or this export) does not have.
pub fn export(
    func: &Function,
    asm: &AsmData,
    results: &[Value],
    args: &[String],
    temporary: &mut u32,
) -> Result<Vec<String>, String> {
    let mut constraints = Vec::new();
    let mut operands = Vec::new();
    // Template numbers of outputs come first in both languages; memory outputs take their address
    // among the operands.
    for operand in &asm.operands {
        let early = if operand.early_clobber { "&" } else { "" };
        let letter = match operand.place {
            AsmPlace::Gpr => "r".to_string(),
            AsmPlace::GprLegacy => "Q".into(),
            AsmPlace::Xmm => "x".into(),
            AsmPlace::Fixed(reg) => format!("{{{}}}", reg.name(8).trim_start_matches('%')),
            AsmPlace::Memory => "*m".into(),
            AsmPlace::Immediate => "i".into(),
            AsmPlace::GprOrImmediate => "ri".into(),
            AsmPlace::Tied(_) if operand.input.is_none() => {
                return Err("two names of one register of inline assembly".into());
            }
            AsmPlace::Tied(to) => to.to_string(),
            AsmPlace::X87(0) => "{st}".into(),
            AsmPlace::X87(depth) => format!("{{st({depth})}}"),
            AsmPlace::Flags(condition) => format!("{{@cc{}}}", CONDITIONS[condition as usize & 15]),
        };
        constraints.push(if operand.is_output { format!("={early}{letter}") } else { letter });
        if let Some(input) = operand.input {
            let arg = &args[input as usize];
            let indirect = operand.place == AsmPlace::Memory;
            let element = if operand.ty.is_void() { "i8".into() } else { ty(operand.ty) };
            operands.push(if indirect {
                arg.replacen("ptr ", &format!("ptr elementtype({element}) "), 1)
            } else {
                arg.clone()
            });
        }
    }
    constraints.extend(asm.labels.iter().map(|_| "!i".to_string()));
    constraints.extend(asm.clobbers.iter().map(|r| format!("~{{{}}}", r.name(8).trim_start_matches('%'))));
    if asm.clobbers_memory {
        constraints.push("~{memory}".into());
    }
    constraints.extend(["~{dirflag}", "~{fpsr}", "~{flags}"].map(String::from));
    let shape = match results {
        [] => "void".to_string(),
        [only] => ty(func.value_type(*only)),
        _ => format!("{{ {} }}", results.iter().map(|&r| ty(func.value_type(r))).collect::<Vec<_>>().join(", ")),
    };
    let side_effect = if asm.volatile { "sideeffect " } else { "" };
    let call = format!(
        "{shape} asm {side_effect}\"{}\", \"{}\"({})",
        super::escape(template(asm).as_bytes()),
        constraints.join(","),
        operands.join(", ")
    );
    let mut lines = Vec::new();
    let (prefix, suffix) = match asm.fallthrough {
        None => ("call", String::new()),
        Some(block) => {
            let labels: Vec<String> = asm.labels.iter().map(|b| format!("label %{b}")).collect();
            ("callbr", format!(" to label %{block} [{}]", labels.join(", ")))
        }
    };
    match results {
        [] => lines.push(format!("{prefix} {call}{suffix}")),
        [only] => lines.push(format!("%{only} = {prefix} {call}{suffix}")),
        _ if asm.fallthrough.is_some() => return Err("asm goto with several outputs is not exported".into()),
        _ => {
            *temporary += 1;
            let pair = format!("%t{temporary}");
            lines.push(format!("{pair} = {prefix} {call}"));
            for (number, result) in results.iter().enumerate() {
                lines.push(format!("%{result} = extractvalue {shape} {pair}, {number}"));
            }
        }
    }
    Ok(lines)
}

/// `%0` becomes `$0`, `%b0` `${0:b}`, `%[x]` its number, `%%` a `%`, `$` `$$`.
fn template(asm: &AsmData) -> String {
    let mut out = String::new();
    let mut rest = asm.template.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '$' => out.push_str("$$"),
            '{' if !asm.basic => out.push_str("$("),
            '|' if !asm.basic => out.push_str("$|"),
            '}' if !asm.basic => out.push_str("$)"),
            '%' if !asm.basic => match rest.peek().copied() {
                Some(special @ ('%' | '{' | '|' | '}')) => {
                    rest.next();
                    out.push(special);
                }
                Some('=') => {
                    rest.next();
                    out.push_str("${:uid}");
                }
                _ => {
                    let modifier = rest.next_if(|c| c.is_ascii_alphabetic());
                    let number = if rest.next_if_eq(&'[').is_some() {
                        let name: String = std::iter::from_fn(|| rest.next_if(|&c| c != ']')).collect();
                        rest.next();
                        named(asm, &name)
                    } else {
                        std::iter::from_fn(|| rest.next_if(char::is_ascii_digit)).collect()
                    };
                    match modifier {
                        Some(m) => out.push_str(&format!("${{{number}:{m}}}")),
                        None => out.push_str(&format!("${number}")),
                    }
                }
            },
            other => out.push(other),
        }
    }
    out
}

fn named(asm: &AsmData, name: &str) -> String {
    let operand = asm.operands.iter().position(|o| o.name.as_deref() == Some(name));
    let label = || asm.label_names.iter().position(|n| &**n == name).map(|i| i + asm.operands.len());
    operand.or_else(label).map_or_else(|| name.to_string(), |n| n.to_string())
}
