//! Tests of the table of operations.

#[test]
fn every_operation_has_a_form() {
    for (number, row) in ir::x86::OPERATIONS.iter().enumerate() {
        assert!(super::form(number as u32).is_some(), "{}", row.0);
    }
}
