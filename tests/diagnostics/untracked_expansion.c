// flags: -ftrack-macro-expansion=0
// Everything in an expansion is at the name of the macro.
#define PASTE(a, b) a##b
#define SIZE undeclared_size + 1
int first = SIZE;
int second[] = {1, PASTE(-, >>)};
