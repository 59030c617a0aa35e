// flags: -Wimplicit-fallthrough
// Endless loops that a `break` leaves end in their jump back, of which nothing is said, but where a block or a `for`
// that declares something is around them, as in gcc.
int g(void);
extern int x;
void endless(int n) {
    switch (n) {
    case 1: for (;;) { g(); if (x) break; }
    case 2: while (1) { if (x) break; g(); }
    case 3: do { if (x) break; g(); } while (1);
    case 4: do { int y = g(); if (y) break; } while (1);
    default: g();
    }
}
void declares(int n) {
    switch (n) {
    case 1: for (int i = 0;; i++) { if (x) break; }
    case 2: { int k = g(); for (;;) { if (x) { k++; break; } } }
    case 3: { int v[3] = {1}; while (1) { if (v[x]) break; } }
    case 4: for (int i = 0;;) { g(); break; }
    default: g();
    }
}
void condition(int n) {
    switch (n) {
    case 1: for (; x; g()) { if (x) break; }
    case 2: for (int i = 0; i < n; i++) { if (x) break; }
    case 3: for (n = 0; n < x; n++) { g(); }
    default: g();
    }
}
