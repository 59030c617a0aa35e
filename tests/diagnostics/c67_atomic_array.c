// flags: -std=c17 -pedantic-errors
// C23 6.7.3.5 p3: no atomic arrays.
typedef int t[2];
_Atomic(t) a; // error
