//! Interprets IR at any stage.
