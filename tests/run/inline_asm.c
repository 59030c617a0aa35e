// interpreter: inline assembly
// lli: lli has no symbols defined in inline assembly
#include <stdio.h>
#include <stdint.h>

static unsigned bswap(unsigned x) {
  __asm__("bswap %0" : "+r"(x));
  return x;
}

static int add(int a, int b) {
  int r;
  __asm__("leal (%1,%2), %0" : "=r"(r) : "r"((long)a), "r"((long)b));
  return r;
}

static unsigned long mulhi(unsigned long a, unsigned long b) {
  unsigned long hi, lo;
  __asm__("mulq %3" : "=a"(lo), "=d"(hi) : "0"(a), "rm"(b) : "cc");
  return hi;
}

static int named(int a, int b) {
  int r;
  __asm__("movl %[a], %[r]\n\tsubl %[b], %[r]" : [r] "=&r"(r) : [a] "r"(a), [b] "rm"(b));
  return r;
}

static void memory(int *p, int v) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v)); }
static void inc(int *p) { __asm__ volatile("incl %0" : "+m"(*p) : : "cc"); }

static int flags(int a, int b) {
  int less, zero;
  __asm__("cmpl %3, %2" : "=@ccl"(less), "=@ccz"(zero) : "r"(a), "r"(b));
  return less * 2 + zero;
}

static int branch(int x) {
  __asm__ goto("testl %0, %0\n\tjs %l[negative]" : : "r"(x) : "cc" : negative);
  return 1;
negative:
  return -1;
}

static double fp(double a, double b) {
  __asm__("addsd %1, %0" : "+x"(a) : "x"(b));
  return a;
}

static uint8_t parts(unsigned x) {
  uint8_t r;
  __asm__("movb %h1, %b0" : "=q"(r) : "Q"(x));
  return r;
}

static int immediate(int x) {
  __asm__("addl %1, %0" : "+r"(x) : "i"(100));
  __asm__("addl $%c1, %0" : "+r"(x) : "i"(sizeof(int) * 10));
  return x;
}

static void copy(char *d, const char *s, long n) { __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory"); }

static long double x87(long double a) {
  long double r;
  __asm__("fsqrt" : "=t"(r) : "0"(a));
  return r;
}

static int tied(int a, int b) {
  int x, y;
  __asm__("xchgl %0, %1" : "=r"(x), "=r"(y) : "0"(a), "1"(b));
  return x * 100 + y;
}

static int clobbers(int a) {
  int b = a + 1, c = a + 2, d = a + 3;
  __asm__ volatile("xorl %%eax, %%eax\n\txorl %%ecx, %%ecx\n\txorl %%ebx, %%ebx\n\txorl %%r12d, %%r12d" : : : "eax", "ecx", "rbx", "r12", "cc");
  return a + b * 10 + c * 100 + d * 1000;
}

__asm__(".text\n.globl from_asm\n.type from_asm, @function\nfrom_asm:\n\tleal 5(%rdi), %eax\n\tret\n.size from_asm, . - from_asm\n");
extern int from_asm(int);

static int alternatives(int n) {
  int r;
  __asm__("movl %1, %0" : "=r,m"(r) : "m,r"(n));
  return r;
}

/* Memory operands of values, literals and void; an address as gcc's =p. */
static int values_in_memory(short x, void *p) {
  int low, both[2];
  __asm__("movl %1, %0" : "=r"(low) : "m"(({ int v = 40 + x; v; })));
  __asm__("movl %1, %0" : "=r"(both[0]) : "m"(*&(int){x}));
  __asm__("movl $77, %0" : "=m"(*p));
  __asm__("movl %1, %0" : "=r"(both[1]) : "m"(*p));
  return low * 10000 + both[0] * 100 + both[1];
}

static void *address(void *p) {
  void *out;
  __asm__("mov %1, %0" : "=p"(out) : "r"(p));
  return out;
}

int main(void) {
  printf("%x %d %lx %d\n", bswap(0x12345678), add(5, -9), mulhi(1ul << 63, 6), named(10, 3));
  int v;
  memory(&v, 41);
  inc(&v);
  printf("%d %d %d %d\n", v, flags(1, 2), flags(2, 2), flags(3, 2));
  printf("%d %d %g %x %d\n", branch(5), branch(-5), fp(1.5, 2.25), parts(0xabcd), immediate(1));
  char buf[8];
  copy(buf, "copied", 7);
  printf("%s %Lg %d %d\n", buf, x87(2.25L), tied(1, 2), clobbers(3));
  printf("%d %d\n", from_asm(10), alternatives(77));
  unsigned eax = 0, ebx, ecx, edx;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx));
  printf("%d\n", eax > 0);
  register int reg __asm__("r10") = 33;
  __asm__("addl $1, %0" : "+r"(reg));
  printf("%d\n", reg);
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("nop; nop # comment\n\tnop");
  int target = 0;
  printf("%d %d\n", values_in_memory(5, &target), address(&target) == &target);
  return 0;
}
