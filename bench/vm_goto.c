/* Measures: a stack bytecode interpreter dispatched by computed goto (labels as values): one indirect jump per instruction.
   Two programs: an integer triangle loop with a modulus, and a bubble sort in the machine's memory. */
#include <stdint.h>
#include <stdio.h>

typedef enum { PUSH, GET, SET, PLUS, MINUS, TIMES, REM, LESS, SWAP_IF, FETCH, PUT, BRANCH, BRANCH_FALSE, DUP, DROP, END } Op;

enum { CELLS = 512, LOCALS = 8, DEPTH = 64 };

typedef struct {
    int64_t locals[LOCALS];
    int64_t memory[CELLS];
    int64_t stack[DEPTH];
} Machine;

static int64_t execute(Machine *m, const int32_t *code) {
    static const void *const labels[] = {
        [PUSH] = &&push, [GET] = &&get, [SET] = &&set, [PLUS] = &&plus, [MINUS] = &&minus, [TIMES] = &&times,
        [REM] = &&rem, [LESS] = &&less, [SWAP_IF] = &&swap_if, [FETCH] = &&fetch, [PUT] = &&put, [BRANCH] = &&branch,
        [BRANCH_FALSE] = &&branch_false, [DUP] = &&dup, [DROP] = &&drop, [END] = &&end,
    };
    const int32_t *ip = code;
    int64_t *sp = m->stack; /* points at the free cell above the top */
#define NEXT goto *labels[*ip++]
    NEXT;
push:
    *sp++ = *ip++;
    NEXT;
get:
    *sp++ = m->locals[*ip++];
    NEXT;
set:
    m->locals[*ip++] = *--sp;
    NEXT;
plus:
    sp--;
    sp[-1] += sp[0];
    NEXT;
minus:
    sp--;
    sp[-1] -= sp[0];
    NEXT;
times:
    sp--;
    sp[-1] *= sp[0];
    NEXT;
rem:
    sp--;
    sp[-1] %= sp[0];
    NEXT;
less:
    sp--;
    sp[-1] = sp[-1] < sp[0];
    NEXT;
swap_if: { /* index: orders memory[index] and memory[index + 1] */
    int64_t *pair = &m->memory[*--sp];
    if (pair[0] > pair[1]) {
        int64_t t = pair[0];
        pair[0] = pair[1];
        pair[1] = t;
    }
    NEXT;
}
fetch:
    sp[-1] = m->memory[sp[-1]];
    NEXT;
put:
    sp -= 2;
    m->memory[sp[1]] = sp[0];
    NEXT;
branch:
    ip += *ip;
    NEXT;
branch_false: {
    int32_t offset = *ip;
    ip += *--sp ? 1 : offset;
    NEXT;
}
dup:
    sp[0] = sp[-1];
    sp++;
    NEXT;
drop:
    sp--;
    NEXT;
end:
    return m->locals[0];
#undef NEXT
}

/* for (i = 0; i < limit; i++) sum = (sum * 31 + i) % 65521 */
static const int32_t modular_sum[] = {
    PUSH, 0, SET, 0, PUSH, 0, SET, 1,
    GET, 1, GET, 2, LESS, BRANCH_FALSE, 25,
    GET, 0, PUSH, 31, TIMES, GET, 1, PLUS, PUSH, 65521, REM, DUP, SET, 0, DROP,
    GET, 1, PUSH, 1, PLUS, SET, 1, BRANCH, -30,
    END,
};

/* fill memory by a recurrence, bubble sort it, take a weighted sum */
static const int32_t bubble[] = {
    PUSH, 0, SET, 1,
    GET, 1, PUSH, CELLS, LESS, BRANCH_FALSE, 27,
    GET, 3, PUSH, 1103, TIMES, PUSH, 12345, PLUS, PUSH, 65536, REM, DUP, SET, 3, GET, 1, PUT,
    GET, 1, PUSH, 1, PLUS, SET, 1, BRANCH, -32,
    PUSH, CELLS - 1, SET, 2,
    PUSH, 0, SET, 1,
    GET, 1, SWAP_IF,
    GET, 1, PUSH, 1, PLUS, DUP, SET, 1, GET, 2, LESS, BRANCH_FALSE, 3, BRANCH, -17,
    GET, 2, PUSH, 1, MINUS, DUP, SET, 2, PUSH, 0, LESS, BRANCH_FALSE, -34,
    PUSH, 0, SET, 0, PUSH, 0, SET, 1,
    GET, 0, PUSH, 7, TIMES, GET, 1, FETCH, PLUS, PUSH, 1000003, REM, SET, 0,
    GET, 1, PUSH, 1, PLUS, DUP, SET, 1, PUSH, CELLS, LESS, BRANCH_FALSE, 3, BRANCH, -28,
    END,
};

int main(void) {
    static Machine m;
    uint64_t sum = 0;
    for (int round = 0; round < 140; round++) {
        m.locals[2] = 80000 + round;
        sum = sum * 33 + (uint64_t)execute(&m, modular_sum);
        m.locals[3] = round;
        sum = sum * 33 + (uint64_t)execute(&m, bubble);
    }
    printf("vm_goto %016llx\n", (unsigned long long)sum);
    return 0;
}
