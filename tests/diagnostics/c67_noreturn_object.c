// flags: -std=c17 -pedantic-errors
// C23 6.7.5 p2: function specifiers on functions.
_Noreturn int a; // error
