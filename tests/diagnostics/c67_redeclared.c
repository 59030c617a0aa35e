// flags: -std=c17 -pedantic-errors
// C23 6.7.1 p3: one declaration without linkage.
void f(void) {
  int a;
  int a; // error
}
