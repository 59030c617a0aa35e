struct s { char c; int i; } __attribute__((packed)) s;
int *f(void) { return &s.i; }
