//! What every room needs: source map, locations, interner, diagnostics. Knows nothing of C.
