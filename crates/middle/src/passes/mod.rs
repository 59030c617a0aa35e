//! The passes: one file each, named as its pass.

pub mod combine;
pub mod dce;
pub mod dse;
pub mod fold;
pub mod gvn;
pub mod if_convert;
pub mod libcalls;
pub mod licm;
pub mod loop_rotate;
pub mod mem2reg;
pub mod phis;
pub mod settle;
pub mod simplify_cfg;
pub mod sroa;
pub mod tail_call;
pub mod widen_induction;
