//! Warnings about what is allowed and hardly meant. The rules of C, in the modules around this one,
//! report what they have finished to the functions here; these pass it on to the warnings that look
//! at it. Nothing here changes the tree or decides what is an error of the program.
//!
//! What a warning has to remember is in [`Lints`], if it is about one external declaration, or in
//! [`UnitLints`].

mod absolute_values;
mod arguments;
mod casts;
mod comparisons;
mod cxx_compat;
mod declarations;
mod deprecated;
mod enum_mixtures;
mod fallthrough;
mod format;
mod format_directives;
mod format_lengths;
mod functions;
mod implicit_changes;
mod indentation;
mod initializers;
mod inline_definitions;
mod null_addresses;
mod operators;
mod packed_addresses;
mod parameter_arrays;
mod printf_overlaps;
mod punned;
mod record_layouts;
mod sequence;
mod shadow;
mod sizes_of_pointers;
mod statements;
mod storage_orders;
mod string_lengths;
mod switches;
mod truncations;
mod unused;
mod value_ranges;
mod written;

use base::{Loc, Symbol, warning};
use rustc_hash::{FxHashMap, FxHashSet};

use super::assignment_conversions::AssignContext;
use super::attributes::Attr;
use super::declarations::DeclSpecs;
use super::library::library_name;
use super::switch::SwitchState;
use super::{Sema, conversions};
use crate::lex::Token;
use crate::tree::{
    Attributes, BinaryOp, Decl, DeclId, DeclKind, EnumId, ExprFlags, ExprKind, ExprRef, IfArm, IntInfo, Linkage, Name,
    OpaqueId, QualType, RecordId, SignatureId, Stmt, Ty,
};

pub use deprecated::Marked;
pub use initializers::{Watched, WatchedLevel};
pub use parameter_arrays::Written as Brackets;
pub use written::{Operand, Written};

/// What warnings remember of one external declaration.
pub struct Lints<'a> {
    /// Where the last `'\0'` stands: for `-Wpointer-compare`.
    zero_character: Loc,
    /// Parameters that were declared as arrays, for `-Wsizeof-array-argument`.
    array_parameters: FxHashSet<DeclId>,
    /// The last few sizes with the operands of `sizeof` they are of.
    sizeof_operands: Vec<(ExprRef<'a>, ExprRef<'a>)>,
    /// The last few sizes with the types they are of.
    sizeof_types: Vec<(ExprRef<'a>, QualType)>,
    /// Enumerators that were named of late.
    enumerators: enum_mixtures::Named,
    /// What is to be said of the last call of `snprintf` if its value is dropped.
    pending_truncation: Option<format_lengths::Pending>,
    /// Copies that may lose their terminating nul, unless the next statement stores it.
    pending_copies: Vec<truncations::Pending<'a>>,
    /// What is known of the lengths of strings.
    strings: string_lengths::StringLengths<'a>,
    /// Objects that were given a text which data flow may know, for `-Wformat-overflow`.
    texts: FxHashSet<DeclId>,
    /// Objects whose values other statements speak of, for the same.
    changed: value_ranges::Changed,
    /// The right operand of the compound assignment being checked, and the name that it goes by
    /// there.
    named_operand: Option<(OpaqueId, ExprRef<'a>)>,
}

impl Default for Lints<'_> {
    fn default() -> Self {
        Lints {
            zero_character: Loc::NONE,
            array_parameters: FxHashSet::default(),
            sizeof_operands: Vec::new(),
            sizeof_types: Vec::new(),
            enumerators: enum_mixtures::Named::default(),
            pending_truncation: None,
            pending_copies: Vec::new(),
            strings: string_lengths::StringLengths::default(),
            texts: FxHashSet::default(),
            changed: value_ranges::Changed::default(),
            named_operand: None,
        }
    }
}

/// What warnings remember of the unit.
#[derive(Default)]
pub struct UnitLints {
    /// Variables and functions with internal linkage, in order, for what is never used.
    static_variables: Vec<DeclId>,
    static_functions: Vec<DeclId>,
    /// Objects whose address as a truth value was reported.
    told_addresses: FxHashSet<DeclId>,
    /// First and last enumerator of every enumeration with a list.
    enumerator_ranges: Vec<(DeclId, DeclId, EnumId)>,
    /// Types and members with the attributes `deprecated` and `unavailable`.
    deprecated: FxHashMap<Marked, deprecated::Mark>,
    /// Static things in `inline` functions.
    statics_in_inline: Vec<inline_definitions::StaticInInline>,
    /// Functions declared at file scope before their definition, and whether with a prototype: for
    /// `-Wmissing-prototypes`.
    declared_before: FxHashMap<DeclId, bool>,
    /// How parameters that are arrays were written, and the parameters of functions, where
    /// declarations are compared.
    parameter_arrays: parameter_arrays::Declared,
}

// Names.

/// An expression names a variable or function.
#[inline]
pub fn declaration_named(cx: &mut Sema<'_, '_>, id: DeclId, linkage: Linkage, loc: Loc) {
    deprecated::use_declaration(cx, id, loc);
    if linkage == Linkage::Internal {
        inline_definitions::note_reference(cx, id, loc);
    }
}

/// An expression names an enumerator.
#[inline]
pub fn enumerator_named(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    deprecated::use_declaration(cx, id, loc);
    enum_mixtures::note(cx, id, loc);
}

/// A member is accessed or initialised.
#[inline]
pub fn member_named(cx: &mut Sema<'_, '_>, record: RecordId, name: Option<Symbol>, loc: Loc) {
    deprecated::use_member(cx, record, name, loc);
}

/// Something is declared with these specifiers, and `attributes` of its own.
pub fn specifiers_used(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, attributes: &[Attr]) {
    deprecated::use_specifiers(cx, specs, attributes);
}

/// A type or member is declared with attributes.
pub fn attributes_given(cx: &mut Sema<'_, '_>, what: Marked, attributes: &Attributes, loc: Loc) {
    deprecated::note(cx, what, attributes, loc);
}

// Constants and single operators.

/// `'\0'` stands at `loc`.
pub fn null_character(cx: &mut Sema<'_, '_>, loc: Loc) {
    cx.lints.zero_character = loc;
}

/// `size` is `sizeof (ty)`, or the size of an expression of that type.
pub fn sizeof_type<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, ty: QualType) {
    sizes_of_pointers::note_type(cx, size, ty);
}

/// `sizeof operand` at `loc`.
pub fn sizeof_operand(cx: &mut Sema<'_, '_>, operand: ExprRef<'_>, loc: Loc) {
    sizes_of_pointers::check_operand(cx, operand, loc);
}

/// `size` is `sizeof operand`.
pub fn sizeof_expression<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, operand: ExprRef<'a>) {
    sizes_of_pointers::note(cx, size, operand);
}

/// An operator that is for numbers has a truth value as its operand: `operator` and "of" or "on".
pub fn boolean_operand(cx: &mut Sema<'_, '_>, operator: &str, loc: Loc) {
    cx.warn(warning::BOOL_OPERATION, loc, format!("{operator} a boolean expression"));
}

/// `pointer` is dereferenced.
#[inline]
pub fn dereferenced(cx: &mut Sema<'_, '_>, pointer: ExprRef<'_>, loc: Loc) {
    punned::check(cx, pointer, loc);
}

/// `index` is a subscript as it was written.
#[inline]
pub fn subscript(cx: &mut Sema<'_, '_>, index: ExprRef<'_>, loc: Loc) {
    operators::check_subscript(cx, index, loc);
}

/// `& operand`
pub fn address_taken(cx: &mut Sema<'_, '_>, operand: ExprRef<'_>, loc: Loc) {
    operators::check_address(cx, operand, loc);
}

/// `value` is assigned to an object of type `to`, passed as one, returned or an initialiser.
#[inline]
pub fn converted_pointer(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty) {
    packed_addresses::check(cx, value, to);
}

/// `(to) operand`
pub fn cast(cx: &mut Sema<'_, '_>, to: QualType, operand: ExprRef<'_>, loc: Loc) {
    casts::check_call(cx, to, operand, loc);
}

/// The same between scalars, where it is allowed.
pub fn scalar_cast(cx: &mut Sema<'_, '_>, to: QualType, operand: ExprRef<'_>, loc: Loc) {
    casts::check_scalar(cx, to, operand, loc);
}

// Binary operators.

/// `lhs op rhs`: the operands as they were written, and their values.
pub fn operator_written<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    written: [Operand<'a>; 2],
    values: [ExprRef<'a>; 2],
    loc: Loc,
) {
    let [lhs, rhs] = written;
    written::check(cx, op, (values[0], lhs.1), (values[1], rhs.1), loc);
    if op == BinaryOp::Div {
        sizes_of_pointers::check_division(cx, values[0], values[1], rhs.1 == Written::Enclosed, loc);
    } else if op.is_comparison() && cx.types().is_array(lhs.0.ty.ty()) && cx.types().is_array(rhs.0.ty.ty()) {
        operators::check_array_comparison(cx, op, lhs, rhs, loc);
    }
}

/// `lhs && rhs` or `lhs || rhs`
pub fn logical_written<'a>(cx: &mut Sema<'_, 'a>, and: bool, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    written::check_logical(cx, and, lhs, rhs, loc);
}

/// An arithmetic operator that is neither a shift nor a comparison has `rhs` as its right operand.
#[inline]
pub fn arithmetic(cx: &mut Sema<'_, '_>, op: BinaryOp, rhs: ExprRef<'_>, loc: Loc) {
    operators::check_division(cx, op, rhs, loc);
}

/// A shift of promoted operands.
#[inline]
pub fn shift(cx: &mut Sema<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    operators::check_shift(cx, op, lhs, rhs, loc);
}

/// A comparison of numbers, before their conversion.
pub fn comparison<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) {
    comparisons::check(cx, op, lhs, rhs, loc);
    string_lengths::compared(cx, op, lhs, rhs);
    if ranges_matter(cx) {
        value_ranges::note(cx, lhs);
        value_ranges::note(cx, rhs);
    }
}

/// A comparison of pointers, after their conversion.
pub fn comparison_of_pointers<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) {
    null_addresses::check_comparison(cx, op, lhs, rhs, loc);
}

/// A comparison of a pointer with an integer that is zero.
pub fn comparison_with_null(cx: &mut Sema<'_, '_>, op: BinaryOp, zero: ExprRef<'_>, pointer: ExprRef<'_>, loc: Loc) {
    comparisons::check_null(cx, op, zero, pointer, loc);
}

/// `?:` with numbers as its arms, before their conversion.
pub fn conditional(cx: &mut Sema<'_, '_>, then: ExprRef<'_>, els: ExprRef<'_>, loc: Loc) {
    comparisons::check_conditional(cx, then, els, loc);
}

/// A condition as it was written, and its value.
pub fn condition(cx: &mut Sema<'_, '_>, written: ExprRef<'_>, value: ExprRef<'_>) {
    if matches!(written.kind, ExprKind::Assign { .. }) && !written.flags.has(ExprFlags::PAREN) {
        cx.warn(warning::PARENTHESES, value.loc, "suggest parentheses around assignment used as truth value");
    }
}

/// A scalar is used as a truth value.
pub fn truth_value<'a>(cx: &mut Sema<'_, 'a>, value: ExprRef<'a>, loc: Loc) {
    null_addresses::check_truth(cx, value, loc);
    operators::check_truth_value(cx, value, loc);
}

// Conversions.

/// The usual arithmetic conversions bring `operands`, with the types `promoted`, to the type `to`.
pub fn usual_conversions<'a>(
    cx: &mut Sema<'_, 'a>,
    operands: [ExprRef<'a>; 2],
    promoted: [Ty; 2],
    to: Ty,
    comparison: bool,
    loc: Loc,
) {
    operators::check_promotion(cx, promoted, to, loc);
    if !comparison || cx.types().is_floating(to) {
        let to = cx.types().common_as_written(operands[0].written, operands[1].written, to).ty();
        for operand in operands {
            implicit_changes::check(cx, operand, to, None, |_| loc);
        }
    }
}

/// A number is converted as if by assignment to the arithmetic type `to`.
#[inline]
pub fn implicit_conversion<'a>(
    cx: &mut Sema<'_, 'a>,
    value: ExprRef<'a>,
    to: Ty,
    context: AssignContext<'_, 'a>,
    loc: Loc,
) {
    cxx_compat::arithmetic(cx, value, to, context, loc);
    match context {
        AssignContext::Assign { field, operation: Some(parts) } => {
            implicit_changes::check_operation(cx, parts, value.ty.ty(), to, field);
        }
        _ => implicit_changes::check(cx, value, to, context.field(), |cx| conversions::start(cx, value)),
    }
}

/// The same, if `to` is another type than the value's, or a bit-field of `field` bits has it.
pub fn value_converted(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty, field: Option<u32>, loc: Loc) {
    implicit_changes::check_constant(cx, value, to, field, |cx| conversions::start(cx, value));
    enum_mixtures::check_conversion(cx, value, to, loc);
}

/// `value`, a pointer to the first of `pointees`, is converted as if by assignment to `target`, a
/// pointer to the second.
#[inline]
pub fn pointer_converted(
    cx: &mut Sema<'_, '_>,
    value: ExprRef<'_>,
    pointees: (QualType, QualType),
    target: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) {
    storage_orders::check(cx, value, pointees, target, context, loc);
    cxx_compat::pointer(cx, value, pointees, target, context, loc);
}

/// A name of the program stands at `loc`; called where `-Wc++-compat` is on.
pub fn name_read(cx: &Sema<'_, '_>, name: Symbol, loc: Loc) {
    cxx_compat::name(cx, name, loc);
}

/// An enumeration is counted up or down; `word` is "increment" or "decrement".
pub fn enumeration_counted(cx: &Sema<'_, '_>, word: &str, loc: Loc) {
    cxx_compat::counted(cx, word, loc);
}

/// A variable without an initialiser is defined, or declared by `extern`.
pub fn uninitialised(cx: &mut Sema<'_, '_>, id: DeclId) {
    cxx_compat::uninitialised(cx, id);
}

/// A structure or union has no members.
pub fn empty_record(cx: &Sema<'_, '_>, keyword: &str, loc: Loc) {
    cxx_compat::empty_record(cx, keyword, loc);
}

/// A member of this type has the attribute `packed`.
pub fn member_packed(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) {
    record_layouts::check_packed(cx, ty, loc);
}

/// A structure or union has its layout.
pub fn record_laid_out(cx: &Sema<'_, '_>, id: RecordId, loc: Loc) {
    record_layouts::check(cx, id, loc);
}

/// A constant is converted to the type `to`.
pub fn constant_converted(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty, loc: Loc) {
    implicit_changes::check_constant(cx, value, to, None, |_| loc);
}

/// The right operand of a compound assignment goes by the name `name` in it.
#[inline]
pub fn operand_named<'a>(cx: &mut Sema<'_, 'a>, name: OpaqueId, operand: ExprRef<'a>) {
    cx.lints.named_operand = Some((name, operand));
}

/// The variable `id` has the value from here on.
#[inline]
pub fn given<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, value: ExprRef<'a>) {
    string_lengths::measured(cx, id, value);
}

/// `lhs = ...`
#[inline]
pub fn assigned(cx: &mut Sema<'_, '_>, lhs: ExprRef<'_>) {
    truncations::store(cx, lhs);
    string_lengths::stored(cx, lhs);
}

/// `lhs` gets another value.
#[inline]
pub fn changed(cx: &mut Sema<'_, '_>, lhs: ExprRef<'_>) {
    string_lengths::changed(cx, lhs);
    if ranges_matter(cx) {
        value_ranges::note(cx, lhs);
    }
}

fn ranges_matter(cx: &Sema<'_, '_>) -> bool {
    [warning::FORMAT_OVERFLOW, warning::FORMAT_TRUNCATION].into_iter().any(|flag| cx.sess.diag.is_on_somewhere(flag))
}

// Calls.

/// A call of the declared function `id`; the arguments are as written.
pub fn call_written<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, args: &[ExprRef<'a>], loc: Loc) {
    let ascii = !cx.lang.charsets.no_ascii;
    let wanted = [warning::FORMAT, warning::SUGGEST_ATTRIBUTE_FORMAT];
    if ascii && wanted.into_iter().any(|flag| cx.sess.warning_enabled(flag, loc)) {
        format::check_call(cx, id, args, loc);
    }
    parameter_arrays::check_call(cx, id, args, loc);
    let Some(name) = library_name(cx, id) else { return };
    sizes_of_pointers::check_call(cx, name, args, loc);
    string_lengths::library_call(cx, name, args);
    truncations::check_call(cx, id, name, args, loc);
    absolute_values::check_call(cx, id, name, args, loc);
    if ascii {
        printf_overlaps::check_call(cx, name, args, loc);
        format_lengths::check_call(cx, name, args, loc);
    }
}

/// The same after the conversion of the arguments, and of a call by pointer.
pub fn call_finished(
    cx: &mut Sema<'_, '_>,
    signature: SignatureId,
    target: Option<DeclId>,
    args: &[ExprRef<'_>],
    loc: Loc,
) {
    if let Some(id) = target {
        arguments::check_attributes(cx, id, args, loc);
    }
    arguments::check_restrict(cx, signature, target, args, loc);
    string_lengths::called(cx, target);
    if cx.types().is_record(cx.types().signature(signature).ret.ty()) {
        cx.warn(warning::AGGREGATE_RETURN, loc, "function call has aggregate value");
    }
}

// Expressions and statements.

/// `lhs` is the left operand of a comma at `loc`.
pub fn comma(cx: &mut Sema<'_, '_>, lhs: ExprRef<'_>, loc: Loc) {
    unused::warn_unused_left(cx, lhs, loc);
    if cx.unevaluated == 0 {
        unused::warn_unused_result(cx, lhs);
    }
}

/// An expression that is no part of another one is complete.
#[inline]
pub fn full_expression(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    sequence::check(cx, expr);
}

/// An expression statement, which begins at `loc`.
pub fn expression_statement(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, loc: Loc) {
    unused::warn_unused_statement(cx, expr, loc);
    unused::warn_unused_result(cx, expr);
    full_expression(cx, expr);
}

/// A statement begins that is no expression.
#[inline]
pub fn statement_begins(cx: &mut Sema<'_, '_>) {
    truncations::other_statement(cx);
}

/// An expression statement ends.
#[inline]
pub fn statement_ends(cx: &mut Sema<'_, '_>) {
    truncations::statement_ends(cx);
}

/// The statement begins that a branch or loop is around.
#[inline]
pub fn sub_statement_begins(cx: &mut Sema<'_, '_>) {
    string_lengths::branch_begins(cx);
}

/// The same when it ends.
#[inline]
pub fn sub_statement_ends(cx: &mut Sema<'_, '_>) {
    string_lengths::branch_ends(cx);
}

/// The body of a loop begins.
#[inline]
pub fn loop_begins(cx: &mut Sema<'_, '_>) {
    string_lengths::loop_begins(cx);
}

/// What waits at the ends of branches for the statement after them.
#[derive(Default)]
pub struct BranchEnds<'a> {
    copies: Vec<truncations::Pending<'a>>,
}

/// A branch of an `if` ends.
#[inline]
pub fn branch_ends<'a>(cx: &mut Sema<'_, 'a>, ends: &mut BranchEnds<'a>) {
    ends.copies.append(&mut cx.lints.pending_copies);
}

/// The branches join.
#[inline]
pub fn branches_join<'a>(cx: &mut Sema<'_, 'a>, mut ends: BranchEnds<'a>) {
    cx.lints.pending_copies.append(&mut ends.copies);
}

/// The condition of an arm of an `if`, after those before it.
pub fn condition_of_arm(cx: &mut Sema<'_, '_>, before: &[IfArm<'_>], cond: ExprRef<'_>) {
    statements::check_duplicated_condition(cx, before, cond);
}

/// The `else` of an `if`.
pub fn else_finished(cx: &mut Sema<'_, '_>, arms: &[IfArm<'_>], els: &Stmt<'_>, loc: Loc) {
    statements::check_duplicated_branches(cx, arms, els, loc);
}

/// The body of an `if` without `else` is a statement of several without braces.
pub fn body_without_braces(cx: &mut Sema<'_, '_>, body: &Stmt<'_>, open: Loc) {
    statements::check_dangling_else(cx, body, open);
}

/// The body of `what` is a `;` at `loc`.
pub fn body_is_empty(cx: &mut Sema<'_, '_>, what: &str, loc: Loc) {
    if cx.sess.warning_enabled(warning::EMPTY_BODY, loc) {
        cx.warn(warning::EMPTY_BODY, loc, format!("suggest braces around empty body in {what} statement"));
    }
}

/// The body of the statement `word` at `guard` is complete: its first token, and the next one.
pub fn body_finished(cx: &mut Sema<'_, '_>, word: &str, guard: Loc, body: Token, next: Token) {
    indentation::check(cx, word, guard, body, next);
}

/// A label that nothing names, at the end of its function.
pub fn label_unused(cx: &mut Sema<'_, '_>, name: &str, loc: Loc) {
    cx.warn(warning::UNUSED_LABEL, loc, format!("label '{name}' defined but not used"));
}

/// At a `case` or `default` at `loc`, after `stmts`: the statement that falls into it without
/// saying so.
pub fn falling_statement<'a>(cx: &mut Sema<'_, 'a>, stmts: &[Stmt<'a>], loc: Loc) -> Option<Loc> {
    if !cx.sess.warning_enabled(warning::IMPLICIT_FALLTHROUGH, loc) {
        return None;
    }
    fallthrough::falling_statement(cx, stmts)
}

/// `statement` falls into the label at `label`, where something is done.
pub fn falls_through(cx: &mut Sema<'_, '_>, statement: Loc, label: Loc) {
    fallthrough::warn(cx, statement, label);
}

/// The body of a `switch`.
pub fn switch_body(cx: &mut Sema<'_, '_>, body: &Stmt<'_>) {
    switches::check_unreachable(cx, body);
}

/// A `switch` with its labels, sorted; `info` tells of their type.
pub fn switch_finished(cx: &mut Sema<'_, '_>, state: &SwitchState, info: IntInfo) {
    switches::check(cx, state, info);
}

/// `return value`, before its conversion to the result type `ret`.
pub fn value_returned(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, ret: QualType) {
    if cx.types().is_pointer(ret.ty()) {
        statements::check_local_address(cx, value);
    }
}

// Declarations.

/// A declaration is about to be bound in the innermost scope, or is a parameter of a definition.
pub fn declared(cx: &mut Sema<'_, '_>, id: DeclId) {
    shadow::check(cx, id);
    let decl = &cx.unit.decls[id];
    if decl.linkage == Linkage::Internal {
        match decl.kind {
            DeclKind::Variable => cx.unit_lints.static_variables.push(id),
            DeclKind::Function => cx.unit_lints.static_functions.push(id),
            _ => {}
        }
    }
}

/// A declaration of `previous`, whose declarations before were `old`.
pub fn redeclared(cx: &Sema<'_, '_>, name: Name, previous: DeclId, old: &Decl, new: &Decl, definition: bool) {
    declarations::check_redundant(cx, name, previous, old, new, definition);
    cxx_compat::redeclared(cx, old, new, name.loc);
}

/// The enumerators of an enumeration are declared.
pub fn enumeration_finished(cx: &mut Sema<'_, '_>, id: EnumId, first: DeclId, last: DeclId) {
    cx.unit_lints.enumerator_ranges.push((first, last, id));
}

/// A variable has its type, with or without an initialiser.
pub fn variable_defined(cx: &mut Sema<'_, '_>, id: DeclId) {
    declarations::check_size(cx, id);
}

/// A parameter has its type.
pub fn parameter_declared(cx: &mut Sema<'_, '_>, id: DeclId) {
    declarations::check_size(cx, id);
}

/// An automatic array has an initialiser.
pub fn array_initialised(cx: &mut Sema<'_, '_>, id: DeclId) {
    cx.lints.texts.insert(id);
}

/// A `static` variable of a block is declared.
pub fn static_local(cx: &mut Sema<'_, '_>, id: DeclId) {
    inline_definitions::note_static_local(cx, id);
}

/// The scope of a declaration in a block ends.
#[inline]
pub fn scope_ends(cx: &mut Sema<'_, '_>, id: DeclId) {
    unused::check_local(cx, id);
}

/// A value of an initialiser replaces an earlier one.
pub fn field_overwritten(cx: &mut Sema<'_, '_>, loc: Loc) {
    initializers::check_overwritten(cx, loc);
}

// Functions and the unit.

/// The brackets of a parameter that is declared at `loc` are to be remembered.
pub fn compares_parameters(cx: &Sema<'_, '_>, loc: Loc) -> bool {
    parameter_arrays::wanted(cx, loc)
}

/// The parameter `id` was declared with these brackets, outermost first.
pub fn parameter_written<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, declared: QualType, brackets: &[Brackets<'a>]) {
    parameter_arrays::note(cx, id, declared, brackets);
}

/// A parameter is declared as an array.
pub fn parameter_is_array(cx: &mut Sema<'_, '_>, id: DeclId) {
    cx.lints.array_parameters.insert(id);
}

/// A declaration of `function` has these parameters.
pub fn parameters_declared(cx: &mut Sema<'_, '_>, function: DeclId, params: &[DeclId]) {
    parameter_arrays::compare(cx, function, params);
}

/// `main` is declared.
pub fn main_declared(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, ty: QualType, loc: Loc) {
    functions::check_main(cx, specs, ty, loc);
}

/// A definition of the function `name` follows, which is not declared by it yet.
pub fn definition_begins(cx: &mut Sema<'_, '_>, name: Name) {
    functions::note_earlier_declaration(cx, name);
}

/// The body of a function with the result type `ret` begins.
pub fn function_begins(cx: &mut Sema<'_, '_>, id: DeclId, ret: QualType) {
    if cx.types().is_record(ret.ty()) {
        let loc = cx.unit.decls[id].loc;
        cx.warn(warning::AGGREGATE_RETURN, loc, "function returns an aggregate");
    }
    declarations::check_result_size(cx, id, ret);
    functions::check_missing_prototype(cx, id);
}

/// The statements of a function end.
pub fn statements_finished(cx: &mut Sema<'_, '_>) {
    truncations::flush(cx);
}

/// A function's body is complete; `falls_off`: control may reach its end.
pub fn function_finished(cx: &mut Sema<'_, '_>, id: DeclId, ret: QualType, falls_off: bool, end: Loc) {
    functions::check_return(cx, id, ret, falls_off, end);
    unused::check_function(cx);
}

/// The unit ends.
pub fn unit_finished(cx: &mut Sema<'_, '_>) {
    inline_definitions::check_unit(cx);
    unused::check_unit(cx);
}
