//! The intermediate representation: types, entities, instructions, functions, text form, verifier, analyses.
