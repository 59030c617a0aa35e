//! A second opinion on syntax: the `lang-c` parser reads what our preprocessor makes of a program.
//! What it accepts, our parser accepts and defines the same functions and variables by; what it
//! rejects although our parser accepts it is listed with the reason.

use crate::cases::flags;
use crate::process::{self, compiler};
use lang_c::ast;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::Node;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The witness is a recursive parser generated from a grammar; deep nesting needs room.
const STACK: usize = 512 << 20;

/// Types and specifiers that lang-c does not know, as others of the same grammar.
const IN_KNOWN_WORDS: &[&str] =
    &["-D__int128=long", "-D__float128=double", "-D_Float16=double", "-D__thread=_Thread_local"];

/// Programs with syntax that lang-c 0.15 does not know, by the first such construct.
const UNKNOWN_TO_WITNESS: &[(&str, &str)] = &[
    ("always_inline_levels", "&&label"),
    ("asm_code_sizes", "asm at file scope"),
    ("asm_on_early_paths", "asm goto"),
    ("asm_register_pairs", "__real__"),
    ("asm_sections", "asm goto"),
    ("assoc_barrier", "__real__"),
    ("atomics", "__auto_type"),
    ("attribute_queries", "types as arguments of builtin functions"),
    ("bitfield_boundaries", "unnamed bit-fields"),
    ("bitfields", "bit-fields named as a typedef"),
    ("c23_literals_and_tags", "storage classes of compound literals"),
    ("c23_named_members", "constexpr"),
    ("c2y_statements", "_Countof"),
    ("call_forwarding", "__real__"),
    ("complex_constants", "__real__"),
    ("complex_numbers", "__real__"),
    ("complex_with_real", "__real__"),
    ("computed_goto", "&&label"),
    ("decimal_classes", "_BitInt"),
    ("eh_return", "assembly at file scope behind a declaration"),
    ("execution_charset", "universal character names"),
    ("float128_and_float16", "the suffix Q"),
    ("fpmath_387", "?: without a middle operand"),
    ("fpmath_387_complex", "__real__"),
    ("global_data", "__real__"),
    ("gnu_extensions", "__label__"),
    ("gnu_odds", "(...) without a named parameter"),
    ("goto_labels", "attributes of labels"),
    ("inline_asm", "asm goto"),
    ("ms_bitfields", "attributes before a tag"),
    ("ms_abi_functions", "functions in functions"),
    ("musttail_calls", "attributes of statements"),
    ("named_address_spaces", "__seg_gs"),
    ("global_register_nonlocal", "__label__"),
    ("nested_bounds_with_objects", "functions in functions"),
    ("nested_functions", "functions in functions"),
    ("nested_goto", "__label__"),
    ("nested_parameter_bounds", "functions in functions"),
    ("no_sse", "__real__"),
    ("old_c23", "[[attributes]]"),
    ("old_style_functions", "implicit int"),
    ("packed_and_aligned", "attributes behind enum"),
    ("plan9_members", "$ in names"),
    ("pointer_attributes", "attributes in a type name"),
    ("register_variables_as_operands", "&&label"),
    ("register_variables_in_asm", "asm goto"),
    ("setjmp_locals", "__label__"),
    ("static_chain_given", "functions in functions"),
    ("static_initializers_known", "__imag__"),
    ("storage_order", "attributes before a tag"),
    ("strings_and_chars", "universal character names"),
    ("struct_passing", "an empty initialiser list"),
    ("ternary_types", "?: without a middle operand"),
    ("unwinding_cleanups", "nested functions"),
    ("variable_records", "attributes before a tag"),
    ("vector_variants", "assembly at file scope behind a function"),
    ("bit_int_increment", "_BitInt"),
    ("wide_bit_int", "_BitInt"),
    ("wide_bit_int_trapv", "_BitInt"),
    ("wide_bit_int_uses", "_BitInt"),
    ("wrapped_inline", "assembly at file scope behind a function"),
    ("x87_stack", "__real__"),
    ("zero_call_used_regs", "__real__"),
];

/// Programs that the witness does not get through: it tries alternatives anew at every level.
const TOO_DEEP: &[&str] = &["deep_nesting"];

/// One program.
pub fn trial(path: PathBuf) -> Trial {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let skip = TOO_DEEP.contains(&&*name);
    Trial::test(format!("parse::{name}"), move || Ok(compare(&path, &name)?)).with_ignored_flag(skip)
}

fn compare(path: &Path, name: &str) -> Result<(), String> {
    let ours = |arguments: &[&str]| {
        process::run(Command::new(compiler()).arg("-w").args(arguments).args(flags(path)).arg(path))
    };
    let text = ours(&[&["-E"], IN_KNOWN_WORDS].concat())?.stdout;
    let witness = std::thread::Builder::new().stack_size(STACK).spawn(move || read(text));
    let witness = witness.map_err(|e| e.to_string())?.join().map_err(|_| "lang-c panics".to_string())?;
    let lowered = ours(&["--emit=ir0", "-o", "-"])?;
    let reason = UNKNOWN_TO_WITNESS.iter().find(|row| row.0 == name).map(|row| row.1);
    match (witness, reason) {
        (Ok(_), _) if lowered.status != 0 => Err(format!("only lang-c accepts this:\n{}", lowered.stderr)),
        (Ok(_), Some(reason)) => Err(format!("lang-c accepts this now; it did not know {reason}")),
        (Err(_), Some(_)) => Ok(()),
        (Err(error), None) => Err(format!("only our parser accepts this; lang-c: {error}")),
        (Ok(definitions), None) => {
            let symbols: Vec<&str> = lowered.stdout.lines().filter_map(|l| l.strip_prefix("symbol @")).collect();
            match definitions.iter().find(|d| !symbols.iter().any(|s| is_definition(s, d))) {
                Some(missing) => Err(format!("lang-c sees a definition of {missing}, our parser does not")),
                None => Ok(()),
            }
        }
    }
}

/// Whether a `symbol` line of the IR (without its first word) is of that name and seen from
/// outside.
fn is_definition(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" global") || rest.starts_with(" weak"))
}

/// Names of the functions and initialised variables with external linkage, in order.
fn read(text: String) -> Result<Vec<String>, String> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    let unit = parse_preprocessed(&config, text).map_err(|e| {
        let line = e.source.lines().nth(e.line.saturating_sub(1)).unwrap_or_default();
        format!("line {}, column {}: {line}", e.line, e.column)
    })?;
    let mut names = Vec::new();
    for external in &unit.unit.0 {
        match &external.node {
            ast::ExternalDeclaration::FunctionDefinition(function) if is_external(&function.node.specifiers) => {
                names.extend(name_of(&function.node.declarator.node));
            }
            ast::ExternalDeclaration::Declaration(declaration) if is_external(&declaration.node.specifiers) => {
                let initialised = declaration.node.declarators.iter().filter(|d| d.node.initializer.is_some());
                names.extend(initialised.filter_map(|d| name_of(&d.node.declarator.node)));
            }
            _ => {}
        }
    }
    Ok(names)
}

/// Neither `static` nor `inline` nor a type's name.
fn is_external(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    !specifiers.iter().any(|s| match &s.node {
        ast::DeclarationSpecifier::StorageClass(class) => {
            matches!(class.node, ast::StorageClassSpecifier::Static | ast::StorageClassSpecifier::Typedef)
        }
        ast::DeclarationSpecifier::Function(kind) => matches!(kind.node, ast::FunctionSpecifier::Inline),
        _ => false,
    })
}

/// The name a declarator declares; none if it has another in the object file.
fn name_of(declarator: &ast::Declarator) -> Option<String> {
    let mut declarator = declarator;
    loop {
        let renamed = |e: &Node<ast::Extension>| matches!(e.node, ast::Extension::AsmLabel(_));
        if declarator.extensions.iter().any(renamed) {
            return None;
        }
        match &declarator.kind.node {
            ast::DeclaratorKind::Identifier(name) => return Some(name.node.name.clone()),
            ast::DeclaratorKind::Declarator(inner) => declarator = &inner.node,
            ast::DeclaratorKind::Abstract => return None,
        }
    }
}
