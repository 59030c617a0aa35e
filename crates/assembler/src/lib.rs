//! AT&T and Intel assembly text to machine code.
