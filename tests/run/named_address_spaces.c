// interpreter: the segments' registers are not modelled
// lli: inline assembly that names operands' segments
// flags: -Wno-address-of-packed-member
// Objects in `__seg_gs` and `__seg_fs`: gcc's manual, "Named Address Spaces".
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SET_GS 0x1001
#define BARRIER __asm__ volatile("" ::: "memory")

struct record {
    char c;
    short s;
    int few : 5, more : 11;
    double d;
    float f;
    long double ld;
    __int128 wide;
    _Complex double z;
    char text[100];
    int *pointer;
    char last[3];
};
struct small {
    int a, b;
};
typedef struct record __seg_gs *Record;

static struct record block;
static int many[100];
static int __seg_gs counter;
extern int __seg_gs counter;
static int __seg_gs table[4] = { 10, 20, 30, 40 };
static const char __seg_gs letters[] = "abc";

static void set_gs(void *base) {
    syscall(SYS_arch_prctl, SET_GS, base);
    BARRIER;
}

static void show(const struct record *r) {
    BARRIER;
    printf("%c %d %d %d %g %g %Lg %d %g %d '%s' %d\n", r->c, r->s, r->few, r->more, r->d, r->f, r->ld, (int)(r->wide >> 100), __imag__ r->z,
           r->pointer == many, r->text, r->last[2]);
}

__attribute__((noinline)) static long sum(int __seg_gs *a, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
__attribute__((noinline)) static void fill(int __seg_gs *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i * 3;
}
__attribute__((noinline)) static struct record get(Record p) { return *p; }
__attribute__((noinline)) static void put(Record p, struct record v) { *p = v; }
__attribute__((noinline)) static struct small change(struct small __seg_gs *p) {
    struct small before = *p;
    p->b++, ++p->a, p->a += 10;
    return before;
}
__attribute__((noinline)) static void both(Record to, struct record __seg_gs *from) { *to = *from; }

int main(void) {
    set_gs(&block);
    Record g = 0;
    g->c = 'x', g->s = -5, g->few = 7, g->more = -300, g->d = 2.5, g->f = 1.5f, g->ld = 3.25L;
    g->wide = (__int128)1 << 100, g->z = 1 + 2.0i, g->pointer = many, g->text[0] = 't', g->last[2] = 4;
    show(&block);
    block.d *= 2, block.more++, block.text[1] = 'u';
    BARRIER;
    struct record local = *g;
    show(&local);
    local.s = 77;
    strcpy(local.text, "hello");
    *g = local;
    show(&block);
    struct record other = get(g);
    other.c = 'z';
    put(g, other);
    show(&block);
    g->c++, g->s -= 7, g->few += 2, --g->d, g->z *= 2;
    show(&block);
    both(g, g);
    show(&block);

    set_gs(many);
    int __seg_gs *a = (int __seg_gs *)0;
    fill(a, 100);
    BARRIER;
    printf("%ld %d\n", sum(a, 100), many[99]);
    many[4] = 1;
    BARRIER;
    a[4]++;
    BARRIER;
    int v = many[4];
    a[4] = v + 5;
    struct small before = change((struct small __seg_gs *)8);
    __asm__("addl $100, %0" : "+m"(a[5]));
    __asm__("movl %[from], %0" : "=r"(v) : [from] "m"(*(volatile int __seg_gs *)24));
    BARRIER;
    printf("%d %d %d %d %d %d %d\n", many[4], many[5], before.a, before.b, many[2], many[3], v);

    set_gs(0);
    counter = 5;
    counter += table[1];
    BARRIER;
    int at = many[0] + 2;
    printf("%d %d %c %d\n", *(int *)(unsigned long)&counter, table[at], letters[at], (int)(&table[3] - table));
    printf("%d %d %d\n", (int)sizeof g->text, __SEG_GS, __SEG_FS);
    return 0;
}
