// interpreter: inline assembly
// Memory inputs of variable size out of statement expressions, arrays in registers as outputs.
#include <stdio.h>

static long sum(void *ptr, long n)
{
  char first;
  __asm__ __volatile__ ("movb %1, %0" : "=r"(first) : "m" (({ struct { char x[n]; } *p = ptr; *p; })));
  char second;
  __asm__ __volatile__ ("movb %1, %0" : "=r"(second) : "m" (*({ struct { char x[n]; } *p = ptr; p; })));
  return first * 1000 + second;
}
int main(void) {
  char t[] = "abc"; printf("%ld\n", sum(t, 3));
  short words[2] = {1, 2}; asm volatile("movl $0x00050004, %0" : "=r"(words)); printf("%d %d\n", words[0], words[1]);
  short *p[1] = {0}; asm volatile ("" : "=m,m" (p), "=r,r" (p) : "1,p" (p)); printf("%d\n", (void *)p[0] == (void *)p);
  char eight[8]; asm("movabsq $0x41424344454647, %0" : "=r"(eight)); puts(eight);
  asm("incb %b0" : "+r"(eight)); puts(eight);
}
