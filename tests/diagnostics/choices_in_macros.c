// flags: -Wall -Wextra -fno-diagnostics-show-caret
// A macro that chooses between numbers may be used as a truth value; an argument counts as what is written. What leaves no
// code may stand before the first label.
#define LENGTH(x) ((x) == 3 ? 3 : 0)
#define HELPS(e) ((e) && (e) != 4)
#define BOTH(s, e) ((HELPS(s) && HELPS(e)) ? 3 : 0)
#define NOTHING (void)0
int in_macros(int x, int y) { if (LENGTH(x)) return 1; if (BOTH(x, y)) return 2; if (BOTH(x, y) && y) return 3; return 0; }
int loud(int x, int y) { if (x ? 3 : 0) return 1; if (LENGTH(x ? 3 : 0)) return 2; if (HELPS(x ? 2 : 0) || (y ? 2 : 0)) return 3; return 0; }
int labels(int x) { switch (x) { NOTHING; case 1: return 1; } switch (x) { { (void)x; } case 1: return 1; } return 0; }
int loud_labels(int x) { switch (x) { x++; case 1: return 1; } switch (x) { NOTHING; x++; case 1: return 1; } return 0; }
