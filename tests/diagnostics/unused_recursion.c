// flags: -c -Wunused-function
// A function that only calls itself is not used; one whose address it takes may be.
static void alone(int n) { if (n) alone(n - 1); }
static int (*address(void))(void) { return (int (*)(void))address; }
static void second(void);
static void first(void) { second(); }
static void second(void) { first(); }
static int measured(void) { return sizeof(measured()); }
static void used(int n) { if (n) used(n - 1); }
static void later(int n) { if (n) later(n - 1); }
void user(void) { used(1); later(2); }
