//! Tests of `abi`.

use super::*;
use crate::AbiParam;
use platform::registers::*;

fn sig(params: &[(Type, ParamKind)]) -> Signature {
    Signature { params: params.iter().map(|&(ty, kind)| AbiParam { ty, kind }).collect(), ..Signature::default() }
}

#[test]
fn registers_run_out_per_class() {
    let mut params = vec![(Type::I64, ParamKind::Direct); 7];
    params.extend([(Type::F64, ParamKind::Direct); 9]);
    let out = layout(&sig(&params), false);
    assert_eq!(out.params[0], ParamPlace::Reg(RDI));
    assert_eq!(out.params[5], ParamPlace::Reg(R9));
    assert_eq!(out.params[6], ParamPlace::Stack { offset: 0 });
    assert_eq!(out.params[7], ParamPlace::Reg(XMM0));
    assert_eq!(out.params[15], ParamPlace::Stack { offset: 8 });
    assert_eq!((out.gprs, out.xmms, out.stack_size), (6, 8, 16));
}

#[test]
fn memory_arguments_are_aligned() {
    let big = ParamKind::ByVal { size: 20, align: 4 };
    let wide = ParamKind::ByVal { size: 64, align: 64 };
    let out = layout(
        &sig(&[(Type::PTR, big), (Type::F80, ParamKind::Direct), (Type::PTR, wide), (Type::I32, ParamKind::Direct)]),
        false,
    );
    assert_eq!(out.params[0], ParamPlace::ByVal { offset: 0, size: 20, align: 8 });
    assert_eq!(out.params[1], ParamPlace::Stack { offset: 32 });
    assert_eq!(out.params[2], ParamPlace::ByVal { offset: 64, size: 64, align: 64 });
    assert_eq!(out.params[3], ParamPlace::Reg(RDI));
    assert_eq!((out.stack_size, out.stack_align), (128, 64));
}

#[test]
fn special_parameters_and_results() {
    let mut s = sig(&[
        (Type::PTR, ParamKind::StructReturn),
        (Type::PTR, ParamKind::StaticChain),
        (Type::I32, ParamKind::Direct),
    ]);
    s.returns.extend([Type::I64, Type::F64]);
    let out = layout(&s, false);
    assert_eq!(out.params[..], [ParamPlace::Reg(RDI), ParamPlace::Reg(R10), ParamPlace::Reg(RSI)]);
    assert_eq!(out.returns[..], [RAX, XMM0]);
    assert_eq!(return_registers(&[Type::F80, Type::F80])[..], [ST0, ST1]);
}

#[test]
fn wide_vectors_need_avx() {
    let v8f32 = Type::F32.vector(8);
    assert_eq!(layout(&sig(&[(v8f32, ParamKind::Direct)]), true).params[0], ParamPlace::Reg(XMM0));
    assert_eq!(layout(&sig(&[(v8f32, ParamKind::Direct)]), false).params[0], ParamPlace::Stack { offset: 0 });
}
