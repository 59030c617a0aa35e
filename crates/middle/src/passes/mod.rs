//! The passes: one file each, named as its pass.

pub mod combine;
pub mod correlate;
pub mod dce;
pub mod dse;
pub mod fold;
pub mod gvn;
pub mod if_convert;
pub mod jump_threading;
pub mod libcalls;
pub mod licm;
pub mod loop_delete;
pub mod loop_idiom;
pub mod loop_rotate;
pub mod loop_unroll;
pub mod loop_unswitch;
pub mod mem2reg;
pub mod phis;
pub mod reassociate;
pub mod sccp;
pub mod settle;
pub mod simplify_cfg;
pub mod sroa;
pub mod strength_reduce;
pub mod tail_call;
pub mod widen_induction;
