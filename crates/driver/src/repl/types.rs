//! Types in C's notation.

use base::debug_types::{DebugType, Qualifier, TypeIndex, TypeTable};
use std::fmt::Write;

/// Levels of types in types that are written.
const DEPTH: u32 = 32;

/// A type, as `:type` shows it.
pub fn name(table: &TypeTable, ty: Option<TypeIndex>) -> String {
    declaration(table, ty, "").0
}

/// A declaration of `name` with a type, and whether the type can be named outside of where it was
/// defined.
pub fn declaration(table: &TypeTable, ty: Option<TypeIndex>, name: &str) -> (String, bool) {
    declare(table, ty, name.to_string(), DEPTH)
}

fn declare(table: &TypeTable, mut ty: Option<TypeIndex>, mut inner: String, depth: u32) -> (String, bool) {
    let (mut qualifiers, mut is_nameable, mut is_pointer) = (String::new(), true, false);
    let with = |text: &str, inner: &str| match inner {
        "" => text.to_string(),
        inner => format!("{text} {inner}"),
    };
    // Each step takes one declarator off.
    for _ in 0..depth {
        let Some(known) = ty else { return (with(&format!("{qualifiers}void"), &inner), is_nameable) };
        match &table.types[known.0 as usize] {
            DebugType::Base { name, .. } => {
                let name = name.strip_prefix("complex ").map_or(name.to_string(), |part| format!("_Complex {part}"));
                return (with(&format!("{qualifiers}{name}"), &inner), is_nameable);
            }
            DebugType::Typedef { name, .. } => return (with(&format!("{qualifiers}{name}"), &inner), is_nameable),
            DebugType::Record { name, is_union, .. } => {
                let kind = if *is_union { "union" } else { "struct" };
                let tag = name.as_deref().unwrap_or("{...}");
                return (with(&format!("{qualifiers}{kind} {tag}"), &inner), is_nameable && name.is_some());
            }
            DebugType::Enumeration { name, .. } => {
                let tag = name.as_deref().unwrap_or("{...}");
                return (with(&format!("{qualifiers}enum {tag}"), &inner), is_nameable && name.is_some());
            }
            DebugType::Qualified(qualifier, of) => {
                qualifiers.push_str(match qualifier {
                    Qualifier::Const => "const ",
                    Qualifier::Volatile => "volatile ",
                    Qualifier::Restrict => "restrict ",
                    Qualifier::Atomic => "_Atomic ",
                });
                ty = *of;
            }
            DebugType::Pointer(of) => {
                inner = format!("*{}{inner}", std::mem::take(&mut qualifiers));
                (is_pointer, ty) = (true, *of);
            }
            DebugType::Array { element, vector: true, .. } => {
                let size = table.size(known).unwrap_or(0);
                qualifiers.push_str(&format!("__attribute__((vector_size({size}))) "));
                ty = *element;
            }
            DebugType::Array { element, count, .. } => {
                inner = if is_pointer { format!("({inner})") } else { inner };
                match count {
                    Some(count) => write!(inner, "[{count}]").unwrap_or_default(),
                    None => inner.push_str("[]"),
                }
                (is_pointer, ty) = (false, *element);
            }
            DebugType::Function { result, parameters, variadic, prototyped } => {
                inner = if is_pointer { format!("({inner})") } else { inner };
                let mut list = Vec::new();
                for parameter in parameters {
                    let (text, nameable) = declare(table, *parameter, String::new(), depth / 2);
                    is_nameable &= nameable;
                    list.push(text);
                }
                list.extend(variadic.then(|| "...".to_string()));
                if list.is_empty() && *prototyped {
                    list.push("void".to_string());
                }
                write!(inner, "({})", list.join(", ")).unwrap_or_default();
                (is_pointer, ty) = (false, *result);
            }
        }
    }
    (with("...", &inner), false)
}

/// The type without its names and qualifiers.
pub fn plain(table: &TypeTable, ty: Option<TypeIndex>) -> Option<&DebugType> {
    let mut ty = ty?;
    for _ in 0..=table.types.len() {
        match &table.types[ty.0 as usize] {
            DebugType::Typedef { ty: of, .. } | DebugType::Qualified(_, of) => ty = (*of)?,
            other => return Some(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::debug_types::BaseEncoding;

    #[test]
    fn declarators_nest() {
        let mut table = TypeTable::default();
        let int = Some(table.push(DebugType::Base { name: "int".into(), size: 4, encoding: BaseEncoding::Signed }));
        let constant = Some(table.push(DebugType::Qualified(Qualifier::Const, int)));
        let pointer = Some(table.push(DebugType::Pointer(constant)));
        let array = Some(table.push(DebugType::Array { element: pointer, count: Some(3), bound: None, vector: false }));
        let function = Some(table.push(DebugType::Function {
            result: array,
            parameters: vec![pointer],
            variadic: true,
            prototyped: true,
        }));
        let to_function = Some(table.push(DebugType::Pointer(function)));
        let fixed = Some(table.push(DebugType::Qualified(Qualifier::Const, to_function)));
        assert_eq!(name(&table, pointer), "const int *");
        assert_eq!(declaration(&table, array, "a"), ("const int *a[3]".to_string(), true));
        assert_eq!(declaration(&table, fixed, "f").0, "const int *(*const f)(const int *, ...)[3]");
    }
}
