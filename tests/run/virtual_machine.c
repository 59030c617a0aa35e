#include <stdio.h>
#include <string.h>

enum op { PUSH, ADD, SUB, MUL, LESS, JZ, JMP, LOAD, STORE, CALL, RET, PRINT, HALT };
struct ins { enum op op; int arg; };

static int run(const struct ins *code, int *steps) {
  int stack[256], sp = 0, frames[32], fp = 0, vars[8], pc = 0, last = 0;
  memset(vars, 0, sizeof vars);
  for (*steps = 0;; ++*steps) {
    struct ins i = code[pc++];
    switch (i.op) {
    case PUSH: stack[sp++] = i.arg; break;
    case ADD: sp--; stack[sp - 1] += stack[sp]; break;
    case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
    case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
    case LESS: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
    case JZ: if (!stack[--sp]) pc = i.arg; break;
    case JMP: pc = i.arg; break;
    case LOAD: stack[sp++] = vars[i.arg]; break;
    case STORE: vars[i.arg] = stack[--sp]; break;
    case CALL: frames[fp++] = pc; pc = i.arg; break;
    case RET: pc = frames[--fp]; break;
    case PRINT: printf("%d ", last = stack[--sp]); break;
    case HALT: return last;
    }
  }
}

int main(void) {
  static const struct ins program[] = {
    { PUSH, 0 }, { STORE, 0 },
    { LOAD, 0 }, { PUSH, 10 }, { LESS, 0 }, { JZ, 13 },
    { CALL, 14 }, { PRINT, 0 }, { LOAD, 0 }, { PUSH, 1 }, { ADD, 0 }, { STORE, 0 }, { JMP, 2 },
    { HALT, 0 },
    { LOAD, 0 }, { LOAD, 0 }, { MUL, 0 }, { PUSH, 3 }, { SUB, 0 }, { RET, 0 },
  };
  int steps, r = run(program, &steps);
  printf("\n%d %d\n", r, steps);
  return 0;
}
