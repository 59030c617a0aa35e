//! Addresses of thread-local variables, by the four models of the ELF TLS ABI.

use ir::{Inst, InstData};
use object::{Segment, Size, encode::Alu};

use super::{address::lea, context::Ctx};
use crate::{
    context::TlsModel,
    machine::{Amode, Base, MInst, Op, Place, VReg},
};

/// `dst` = the thread pointer.
pub fn thread_pointer(cx: &mut Ctx, dst: VReg) {
    cx.push_mem(MInst::new(Op::Mov, Size::Q).dst(dst), Amode { segment: Segment::Fs, ..Amode::EMPTY });
}

/// `tls_addr`.
pub fn select_tls_address(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let dst = cx.result(cx.func.first_result(inst));
    let symbol = data.symbol();
    match cx.cx.tls_model(symbol) {
        TlsModel::LocalExec => {
            let base = cx.temp_gpr();
            thread_pointer(cx, base);
            lea(cx, Size::Q, dst, Amode { base: Base::Reg(base), ..Amode::place(Place::TpOff(symbol.as_u32()), 0) });
        }
        TlsModel::InitialExec => {
            let base = cx.temp_gpr();
            thread_pointer(cx, base);
            cx.push_mem(
                MInst::alu(Alu::Add, Size::Q).dst(dst).src1(base),
                Amode::place(Place::GotTpOff(symbol.as_u32()), 0),
            );
        }
        TlsModel::LocalDynamic => {
            let module = call(cx, Op::TlsModule, symbol.as_u32());
            lea(cx, Size::Q, dst, Amode { base: Base::Reg(module), ..Amode::place(Place::DtpOff(symbol.as_u32()), 0) });
        }
        TlsModel::GlobalDynamic => {
            let found = call(cx, Op::TlsGeneral, symbol.as_u32());
            cx.copy(dst, found);
        }
    }
}

fn call(cx: &mut Ctx, op: Op, symbol: u32) -> VReg {
    cx.out.has_calls = true;
    cx.in_gpr(|cx, dst| cx.push_mem(MInst::new(op, Size::Q).dst(dst), Amode::place(Place::Rip(symbol), 0)))
}
