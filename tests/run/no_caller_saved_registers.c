// flags: -mgeneral-regs-only -mno-red-zone
// interpreter: inline assembly
// llvm: its functions that keep registers do not keep those of their arguments
// What is in the general registers before a call is there behind it, but for the result's.
int putchar(int);
#define KEEPS __attribute__((no_caller_saved_registers))
#define FUNCTION __attribute__((noinline, noipa))

FUNCTION long other(long a) {
    // Writes what a function may.
    __asm__ volatile("xor %%ecx, %%ecx\n xor %%edx, %%edx\n xor %%esi, %%esi\n xor %%r8d, %%r8d\n xor %%r9d, %%r9d\n"
                     "xor %%r10d, %%r10d\n xor %%r11d, %%r11d" ::: "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
    return a + 1;
}

static long seen;
KEEPS void nothing(void);
FUNCTION void nothing(void) { seen += other(seen); }
FUNCTION KEEPS long one(long a, long b) {
    volatile char large[10000];
    large[b] = a;
    return other(a) + b + large[b];
}
FUNCTION KEEPS __int128 two(long a, long b) { return (__int128)other(b) << 64 | (unsigned long)other(a); }
FUNCTION KEEPS long tail(long a) { return other(a); }
FUNCTION KEEPS long aligned(long a) {
    _Alignas(64) volatile char place[64];
    place[0] = other(a);
    return place[0] + ((unsigned long)place & 63);
}
FUNCTION KEEPS void many(int a, int b, int c, int d, int e, int f, int g, int h) {
    seen += other(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h);
}

// Puts a number of its own into every register but rax, rsp and rdi, calls, and counts those that changed; bit 0 stands for rdx.
#define CHECK(function, first)                                                                                          \
    ({                                                                                                                  \
        unsigned changed = 0;                                                                                           \
        long result = first;                                                                                            \
        __asm__ volatile("push %%rbp\n push %%rbx\n push %%r12\n push %%r13\n push %%r14\n push %%r15\n"                \
                         "mov %%rsp, %%rbp\n and $-16, %%rsp\n"                                                         \
                         "mov $1, %%esi\n mov $2, %%edx\n mov $3, %%ecx\n mov $4, %%ebx\n mov $8, %%r8d\n"              \
                         "mov $9, %%r9d\n mov $10, %%r10d\n mov $11, %%r11d\n mov $12, %%r12d\n mov $13, %%r13d\n"      \
                         "mov $14, %%r14d\n mov $15, %%r15d\n mov %%rax, %%rdi\n call " #function "\n"                  \
                         "push %%rax\n xor %%eax, %%eax\n"                                                              \
                         "cmp $2, %%rdx\n je 1f\n or $1, %%eax\n1: cmp $1, %%rsi\n je 1f\n or $2, %%eax\n"              \
                         "1: cmp $3, %%rcx\n je 1f\n or $4, %%eax\n1: cmp $4, %%rbx\n je 1f\n or $8, %%eax\n"           \
                         "1: cmp $8, %%r8\n je 1f\n or $16, %%eax\n1: cmp $9, %%r9\n je 1f\n or $32, %%eax\n"           \
                         "1: cmp $10, %%r10\n je 1f\n or $64, %%eax\n1: cmp $11, %%r11\n je 1f\n or $128, %%eax\n"      \
                         "1: cmp $12, %%r12\n je 1f\n or $256, %%eax\n1: cmp $13, %%r13\n je 1f\n or $512, %%eax\n"     \
                         "1: cmp $14, %%r14\n je 1f\n or $1024, %%eax\n1: cmp $15, %%r15\n je 1f\n or $2048, %%eax\n"   \
                         "1: mov %%eax, %%ecx\n pop %%rax\n mov %%rbp, %%rsp\n"                                         \
                         "pop %%r15\n pop %%r14\n pop %%r13\n pop %%r12\n pop %%rbx\n pop %%rbp"                        \
                         : "+a"(result), "=c"(changed)                                                                  \
                         :                                                                                              \
                         : "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");                              \
        number(changed), number(result);                                                                                \
    })

static void number(long value) {
    char digits[20];
    int count = 0;
    do
        digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count--)
        putchar(digits[count]);
    putchar(' ');
}

int main(void) {
    CHECK(one, 5);
    CHECK(two, 6);
    CHECK(tail, 7);
    CHECK(aligned, 8);
    nothing();
    number(seen);
    many(1, 2, 3, 4, 5, 6, 7, 8);
    number(seen);
    number(one(1, 2) + tail(3));
    putchar('\n');
    return 0;
}
