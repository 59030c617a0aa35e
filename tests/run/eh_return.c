// interpreter: frames of another function
// llvm: inline assembly of whole functions
// The return of an unwinder: to a handler, with registers from the frame and the stack pointer moved.
#include <stdio.h>

// Calls `body (argument, resume)` with known values in rax, rdx and all callee-saved registers and 64 bytes on the stack, which an unwinder that
// goes to `resume` takes off. Gives what is in these registers there.
struct landed {
    long rax, rdx, kept;
};
extern void enter(struct landed *, long argument, void (*body)(long, void *));

__asm__(
    "    .text\n"
    "    .globl enter\n"
    "enter:\n"
    "    push %rbx\n    push %rbp\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
    "    push %rdi\n"
    "    mov $11, %ebx\n    mov $12, %ebp\n    mov $13, %r12d\n    mov $14, %r13d\n    mov $15, %r14d\n    mov $16, %r15d\n"
    "    sub $64, %rsp\n"
    "    mov %rsi, %rdi\n"
    "    lea 1f(%rip), %rsi\n"
    "    mov %rdx, %r11\n"
    "    movabs $0x5eed5eed5eed5eed, %rax\n"
    "    movabs $0x1dea1dea1dea1dea, %rdx\n"
    "    call *%r11\n"
    "    add $64, %rsp\n"
    "    jmp 2f\n"
    "1:  endbr64\n"
    "2:  pop %rdi\n"
    "    mov %rax, (%rdi)\n    mov %rdx, 8(%rdi)\n"
    "    imul $10, %rbx\n    add %rbp, %rbx\n"
    "    imul $10, %rbx\n    add %r12, %rbx\n"
    "    imul $10, %rbx\n    add %r13, %rbx\n"
    "    imul $10, %rbx\n    add %r14, %rbx\n"
    "    imul $10, %rbx\n    add %r15, %rbx\n"
    "    mov %rbx, 16(%rdi)\n"
    "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbp\n    pop %rbx\n"
    "    ret\n");

static volatile long sink;

// Something to keep in registers.
__attribute__((noipa)) static long work(long a)
{
    __asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15", "memory");
    return a * 3;
}

// What an unwinder does with saved registers: it finds and changes them. Values are passed as their complements, lest they are found there.
__attribute__((noipa)) static int change(volatile long *from, volatile long *to, long found, long set)
{
    int n = 0;
    for (; from < to; from++)
        if (*from == ~found) *from = ~set, n++;
    return n;
}

__attribute__((noipa)) static void leave(long argument, void *resume)
{
    __builtin_unwind_init();
    long a = work(argument), b = work(a), c = work(b), d = work(c), e = work(d);
    sink = a + b + c + d + e;
    if (argument == 0) return;
    if (argument == 8) {
        volatile long *bottom = __builtin_alloca(16), *top = __builtin_frame_address(0);
        sink = change(bottom, top, ~0x5eed5eed5eed5eed, ~1234) > 0;
        sink += change(bottom, top, ~0x1dea1dea1dea1dea, ~5678) > 0;
    }
    __builtin_eh_return(64, resume);
}

// With a frame of variable size.
__attribute__((noipa)) static void leave_large(long argument, void *resume)
{
    char block[argument * 100 + 1];
    __asm__ volatile("" : : "r"(block) : "memory");
    block[0] = (char)argument;
    sink = work(block[0]);
    __builtin_eh_return(argument * 64, resume);
}

// An ordinary return keeps its result, whatever the frame says.
__attribute__((noipa)) static long either(long argument, void *handler)
{
    long result = work(argument);
    if (handler) __builtin_eh_return(0, handler);
    return result + 1;
}

static void by_either(long argument, void *resume)
{
    (void)resume;
    sink = either(argument, 0);
}

static void show(const char *what, long argument, void (*body)(long, void *), int data)
{
    struct landed landed;
    sink = 0;
    enter(&landed, argument, body);
    printf("%s: %s, %ld", what, landed.kept == 1234566 ? "intact" : "changed", sink);
    if (data) printf(", %lx %lx", landed.rax, landed.rdx);
    printf("\n");
}

int main(void)
{
    show("returns", 0, leave, 0);
    show("leaves", 7, leave, 1);
    show("leaves with data", 8, leave, 1);
    show("leaves a large frame", 1, leave_large, 1);
    show("returns a value", 5, by_either, 0);
}
