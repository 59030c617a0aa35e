// Calls that are not folded: what the library would report, what is no library function, array bounds.
// flags: -w
#include <math.h>
#include <string.h>
double a = sqrt(-1.0);
double b = log(0.0);
double c = exp(1000.0);
double d = exp(-1000.0);
double e = pow(0.0, -1.0);
double r = rint(2.5);
static double own(double x) { return x; }
double f = own(1.0);
char array[] = "abc";
unsigned long g = strlen(array);
int h[strlen("abc")];
