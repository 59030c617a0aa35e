// flags: -std=c17 -pedantic-errors
static int a;
static int f(void) { return 1; }
inline int never_defined(void);
inline int uses(void) { return a; }
inline int defines(void) { static int z; return z + f(); }
inline int constants(void) { static const int z = 1; extern int a; return sizeof(a) + z; }
extern inline int external(void) { return a; }
inline int later_external(void) { return a; }
int later_external(void);
static inline int internal(void) { static int z; return z + a; }
inline __attribute__((gnu_inline)) int gnu(void) { static int z; return z + a; }
int g(void) { return internal(); }
