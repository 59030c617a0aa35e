// flags: -std=c17 -pedantic-errors
// C23 6.5.4.1 p1: modifiable lvalue.
void f(int a) { ++(a + 1); } // error
