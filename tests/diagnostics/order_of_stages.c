// flags: -c
// The preprocessor reads ahead of the parser; what they report is in the order of the source.
int first(void) { return undeclared_1; }
#warning between
int second(void) { return undeclared_2 + 08; }
#define TWICE 1
#define TWICE 2
int third(void) { return undeclared_3; }
_Static_assert(TWICE == 1, "third");
int fourth(int parameter)
{
  int x = parameter $ 2;
#error stop
  return undeclared_4;
}
