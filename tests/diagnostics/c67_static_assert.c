// flags: -std=c17 -pedantic-errors
// C23 6.7.12 p2: the condition holds.
_Static_assert(1 == 2, "unequal"); // error
