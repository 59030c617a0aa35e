/* Measures: a register bytecode interpreter whose dispatch is one `switch` in a loop: a jump table, decoding by bit fields,
   an array of registers in memory. The programs run: a sieve, Fibonacci by recursion, Collatz lengths. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum { LOADI, MOVE, ADD, SUB, MUL, ADDI, AND, SHR, LT, EQ, JMP, JZ, JNZ, LOAD, STORE, CALL, RET, HALT } Op;

/* op in bits 0-7, a in 8-15, b in 16-23, c in 24-31; immediates and targets are the signed 16 bits at the top. */
#define ABC(op, a, b, c) ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(b) << 16 | (uint32_t)(c) << 24)
#define AI(op, a, imm) ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(uint16_t)(imm) << 16)

enum { MEMORY = 1 << 13, STACK = 4096, WINDOW = 8 };

typedef struct {
    int64_t registers[STACK];
    const uint32_t *returns[STACK / WINDOW];
    int64_t memory[MEMORY];
    uint64_t executed;
} Machine;

static int64_t execute(Machine *m, const uint32_t *code) {
    const uint32_t *pc = code;
    int64_t *r = m->registers;
    size_t depth = 0;
    uint64_t executed = 0;
    for (;;) {
        uint32_t word = *pc++;
        unsigned a = word >> 8 & 255, b = word >> 16 & 255, c = word >> 24;
        int16_t imm = (int16_t)(word >> 16);
        executed++;
        switch ((Op)(word & 255)) {
        case LOADI: r[a] = imm; break;
        case MOVE: r[a] = r[b]; break;
        case ADD: r[a] = r[b] + r[c]; break;
        case SUB: r[a] = r[b] - r[c]; break;
        case MUL: r[a] = r[b] * r[c]; break;
        case ADDI: r[a] += imm; break;
        case AND: r[a] = r[b] & r[c]; break;
        case SHR: r[a] = r[b] >> c; break;
        case LT: r[a] = r[b] < r[c]; break;
        case EQ: r[a] = r[b] == r[c]; break;
        case JMP: pc += imm; break;
        case JZ: if (!r[a]) pc += imm; break;
        case JNZ: if (r[a]) pc += imm; break;
        case LOAD: r[a] = m->memory[r[b] & (MEMORY - 1)]; break;
        case STORE: m->memory[r[b] & (MEMORY - 1)] = r[a]; break;
        case CALL: /* the callee's window begins at the caller's register a */
            m->returns[depth++] = pc;
            r[a + WINDOW - 1] = a;
            r += a;
            pc += imm;
            break;
        case RET: {
            int64_t shift = r[WINDOW - 1];
            pc = m->returns[--depth];
            r -= shift;
            break;
        }
        case HALT: m->executed += executed; return r[a];
        }
    }
}

/* Primes below the size of the memory, by a sieve: r0 counts. */
static const uint32_t sieve[] = {
    AI(LOADI, 0, 0), AI(LOADI, 1, 2), AI(LOADI, 2, MEMORY - 1), AI(LOADI, 3, 1), AI(LOADI, 6, 0),
    AI(STORE, 6, 1), AI(ADDI, 1, 1), ABC(LT, 5, 1, 2), AI(JNZ, 5, -4), AI(LOADI, 1, 2),
    ABC(LOAD, 4, 1, 0), AI(JNZ, 4, 6), AI(ADDI, 0, 1), ABC(MOVE, 4, 1, 0),
    ABC(STORE, 3, 4, 0), ABC(ADD, 4, 4, 1), ABC(LT, 5, 4, 2), AI(JNZ, 5, -4),
    AI(ADDI, 1, 1), ABC(LT, 5, 1, 2), AI(JNZ, 5, -11), AI(HALT, 0, 0),
};

/* fib(r0) by two calls: the callee's window starts at the register named by the call. */
static const uint32_t fibonacci[] = {
    AI(LOADI, 0, 24), ABC(MOVE, 8, 0, 0), AI(CALL, 8, 2), ABC(MOVE, 0, 8, 0), AI(HALT, 0, 0),
    AI(LOADI, 1, 2), ABC(LT, 1, 0, 1), AI(JZ, 1, 1), AI(RET, 0, 0),
    ABC(MOVE, 8, 0, 0), AI(ADDI, 8, -1), AI(CALL, 8, -7), ABC(MOVE, 2, 8, 0),
    ABC(MOVE, 8, 0, 0), AI(ADDI, 8, -2), AI(CALL, 8, -11), ABC(ADD, 0, 2, 8), AI(RET, 0, 0),
};

/* Sum of the lengths of the Collatz sequences of 1 to 3000. */
static const uint32_t collatz[] = {
    AI(LOADI, 0, 0), AI(LOADI, 1, 1), AI(LOADI, 2, 3000), AI(LOADI, 3, 1), AI(LOADI, 6, 3),
    ABC(MOVE, 4, 1, 0), ABC(EQ, 5, 4, 3), AI(JNZ, 5, 8), AI(ADDI, 0, 1), ABC(AND, 5, 4, 3), AI(JZ, 5, 3),
    ABC(MUL, 4, 4, 6), AI(ADDI, 4, 1), AI(JMP, 0, -8), ABC(SHR, 4, 4, 1), AI(JMP, 0, -10),
    AI(ADDI, 1, 1), ABC(LT, 5, 1, 2), AI(JNZ, 5, -14), AI(HALT, 0, 0),
};

static Machine machine;

int main(void) {
    int64_t primes = 0, fib = 0, lengths = 0;
    for (int round = 0; round < 72; round++) {
        memset(machine.registers, 0, sizeof machine.registers);
        primes += execute(&machine, sieve);
        fib += execute(&machine, fibonacci);
        lengths += execute(&machine, collatz);
    }
    printf("vm_switch %lld %lld %lld executed %llu\n", (long long)primes, (long long)fib, (long long)lengths,
           (unsigned long long)machine.executed);
    return 0;
}
