// flags: -std=c17 -pedantic-errors
// C23 6.7.6 p5: no weaker alignment.
_Alignas(1) int a; // error
