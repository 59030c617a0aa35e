int f(void) __attribute__((unknown_attribute));
int g(void) __attribute__((aligned(3)));
int h(void) __attribute__((section));
__attribute__((alias("nowhere"))) int k(void);
int x __attribute__((mode(QQ)));
