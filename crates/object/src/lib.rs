//! Machine-code encoding, sections, symbols, relocations, unwind tables and ELF output.
