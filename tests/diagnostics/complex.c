_Complex double a; _Complex float b = 1.0f + 2.0fi; void f(void) { a < b; a % 2; ~a; __real__ a = 1; __imag__ 5; }
_Complex char *p; _Complex void *q; struct s { _Complex struct t x; };
