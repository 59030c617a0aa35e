long fine(long x) {
  long hi;
  asm("mulq %2" : "+a"(x), "=d"(hi) : "r"(x) : "cc");
  asm("# %0 %1" : "=a"(x) : "a"(hi));
  return x + hi;
}
void conflicts(long x, long y) {
  register long a asm("rax"), b asm("rax"), c asm("rcx");
  asm("# %0 %1" : "=r"(a), "=r"(b));
  asm("# %0 %1" : "=&r"(c) : "c"(x));
  asm("# %0 %1" : : "a"(x), "a"(y));
  asm("# %0" : : "r"(a) : "rax");
  asm("# %0" : "+d"(x) : : "rdx");
}
