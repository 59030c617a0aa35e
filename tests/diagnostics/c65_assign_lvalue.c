// flags: -std=c17 -pedantic-errors
// C23 6.5.17.1 p2: modifiable lvalue.
void f(const int a) { a = 1; } // error
