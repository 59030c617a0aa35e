// flags: -Waddress
// The attribute weak of a declaration with `inline` is ignored. What the unit defines has an address, weak or not.
__attribute__((weak)) inline int ignored(void) { return 1; }
inline int ignored_too(void) __attribute__((weak));
inline int ignored_too(void) { return 1; }
int before(void) __attribute__((weak));
inline int before(void) { return 1; }
int defined(void) __attribute__((weak));
int defined(void) { return 1; }
int elsewhere(void) __attribute__((weak));
int variable __attribute__((weak));
extern int outside __attribute__((weak));
static int body(void) { return 1; }
int alias(void) __attribute__((weak, alias("body")));
static int reference(void) __attribute__((weakref("other")));
int truth(void) {
    return (ignored ? 1 : 0) + (ignored_too ? 1 : 0) + (before ? 1 : 0) + (defined ? 1 : 0) + (elsewhere ? 1 : 0)
         + (&variable ? 1 : 0) + (&outside ? 1 : 0) + (alias ? 1 : 0) + (reference ? 1 : 0);
}
int comparison(void) { return (ignored == 0) + (defined != 0) + (elsewhere == 0) + (&outside == 0) + (alias == 0); }
