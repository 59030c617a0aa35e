// like-gcc: its asm operands are constants only after inlining, which it does not do at -O0
// interpreter: inline assembly
// lli: an inline assembly operand is constant only after inlining
// Functions that must be inlined are inlined at every level: constants reach assembly operands, frames and labels are the caller's,
// and no body is left over that would need what is not there.
#include <stdarg.h>
#include <stdio.h>

#define FORCED static inline __attribute__((always_inline))

FORCED int immediate(int n) {
    int r;
    __asm__("movl %1, %0" : "=r"(r) : "i"(n));
    return r;
}

FORCED int scaled(short n, int shift) {
    return immediate(n << shift) + immediate(n + 1);
}

FORCED int pick(int n) {
    switch (n) {
    case 4: return 40;
    case 1: return 11;
    case 2: return 22;
    default: return n;
    }
}

// Early returns, loops and recursion of the caller.
FORCED int first_zero(const int *p, int n) {
    for (int i = 0; i < n; i++)
        if (p[i] == 0)
            return i;
    return -1;
}

static int depth(int n) {
    int local[3] = {1, n > 2 ? 0 : 1, 0};
    return n == 0 ? first_zero(local, 3) : first_zero(local, 3) * 10 + depth(n - 1);
}

// The address of a static variable of the one body.
FORCED int counter(void) {
    static int count;
    return ++count;
}

// Called before it is defined.
FORCED int later(int);
static int early(int n) { return later(n) * 2; }
FORCED int later(int n) { return n + counter(); }

// Also used as a value, so there is a function too.
FORCED int twice(int n) { return n * 2; }
static int (*const twice_pointer)(int) = twice;

// Never called, and could not stand alone.
FORCED int never(int n) {
    extern int not_there(int);
    return not_there(n) + immediate(n);
}

// For inlining alone: there is no such function to call.
extern inline __attribute__((always_inline, gnu_inline)) int only_inline(int n) { return n - 1; }

struct pair {
    long a, b;
    char text[24];
};

FORCED struct pair swapped(struct pair p) {
    long a = p.a;
    p.a = p.b;
    p.b = a;
    p.text[0]++;
    return p;
}

FORCED __int128 wide(__int128 x, long double y) { return x * (int)y; }

// A block of its own size each time.
FORCED int sum_of_squares(int n) {
    int squares[n], sum = 0;
    for (int i = 0; i < n; i++)
        squares[i] = i * i;
    for (int i = 0; i < n; i++)
        sum += squares[i];
    return sum;
}

FORCED void *frame(void) { return __builtin_frame_address(0); }
FORCED void *inner_frame(void) { return frame(); }

FORCED int label_distance(void) {
    void *here;
there:
    here = &&there;
    return here != 0;
}

static int sum(int n, ...);
extern inline __attribute__((always_inline, gnu_inline)) int sum_all(int n, ...) {
    return sum(n, __builtin_va_arg_pack()) + __builtin_va_arg_pack_len();
}
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int total = 0;
    while (n--)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

// Each calls the one before.
FORCED int one(int n) { return n + 1; }
FORCED int two(int n) { return one(n) + one(n); }
FORCED int four(int n) { return two(n) + two(n); }
FORCED int eight(int n) { return four(n) + four(n); }

int main(int argc, char **argv) {
    (void)argv;
    printf("%d %d\n", immediate(7), scaled(3, 2));
    printf("%d %d %d %d\n", pick(4), pick(1), pick(2), pick(argc + 8));
    printf("%d\n", depth(4));
    int c = counter(), e = early(10);
    printf("%d %d %d\n", c, e, counter());
    printf("%d %d %d\n", twice(4), twice_pointer(5), only_inline(8));
    struct pair p = {1, 2, "abc"}, q = swapped(p);
    printf("%ld %ld %s %s\n", q.a, q.b, p.text, swapped(swapped(q)).text);
    printf("%d\n", (int)wide((__int128)argc << 3, 2.5L));
    int total = 0;
    for (int i = 0; i < 1000; i++)
        total += sum_of_squares(i % 7);
    printf("%d\n", total);
    printf("%d %d\n", inner_frame() == __builtin_frame_address(0), label_distance() + label_distance());
    printf("%d %d\n", sum_all(3, 1, 2, 3), sum_all(1, argc));
    printf("%d %d\n", eight(argc), ({ int x = two(argc); x; }));
    return 0;
}
