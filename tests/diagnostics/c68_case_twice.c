// flags: -std=c17 -pedantic-errors
// C23 6.8.5.3 p3: values are unique.
void f(int a) { switch (a) { case 1: case 1:; } } // error
