//! IR to x86-64 machine code: the quick path, selection, phi elimination, register allocation, emission.
