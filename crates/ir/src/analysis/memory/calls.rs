//! What calls of functions touch whose bodies are known, in terms of the caller.

use crate::effects::Touched;
use crate::memory_effects::{Place, Root};
use crate::{Function, Inst};

use crate::analysis::alias::{Base, Located, decompose};

/// The places of a callee as places of the caller. Each has the callee for an address, which is no
/// address of any access.
pub fn each_place(func: &Function, call: Inst, places: &[Place], mut tell: impl FnMut(Touched<Located>)) {
    places.iter().for_each(|place| tell(Touched::Bytes(at_call(func, call, place))));
}

/// A place of a callee where it is called.
pub fn at_call(func: &Function, call: Inst, place: &Place) -> Located {
    let (base, start) = match place.root {
        Root::Symbol(symbol) => (Base::Symbol(symbol), Some(0)),
        Root::Visible => (Base::Visible, None),
        // A call with fewer arguments than there are parameters has undefined behaviour.
        Root::Argument(index) => match func.list(call).get(index as usize + 1) {
            Some(&argument) => decompose(func, argument),
            None => (Base::Visible, None),
        },
    };
    let offset = start.zip(place.offset).and_then(|(start, by)| start.checked_add(by));
    Located { address: func.list(call)[0], base, offset, place: None, size: place.size, tag: place.tag }
}
