//! What a pass did, as far as cached analyses care.

/// What a pass did to a function; the runner invalidates analyses accordingly.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Changed {
    /// Nothing.
    Nothing,
    /// Instructions, but no block and no edge.
    Code,
    /// Blocks or edges as well.
    ControlFlow,
}

impl Changed {
    /// `Code` if `changed`.
    pub fn code_if(changed: bool) -> Changed {
        if changed { Changed::Code } else { Changed::Nothing }
    }

    /// `ControlFlow` if `changed`.
    pub fn control_flow_if(changed: bool) -> Changed {
        if changed { Changed::ControlFlow } else { Changed::Nothing }
    }
}
