#include <stdio.h>

static int run(const unsigned char *code) {
  static const void *const table[] = { &&halt, &&push, &&add, &&mul, &&dup, &&jump_if };
  int stack[16], sp = 0;
#define NEXT goto *table[*code++]
  NEXT;
push:
  stack[sp++] = *code++;
  NEXT;
add:
  sp--;
  stack[sp - 1] += stack[sp];
  NEXT;
mul:
  sp--;
  stack[sp - 1] *= stack[sp];
  NEXT;
dup:
  stack[sp] = stack[sp - 1];
  sp++;
  NEXT;
jump_if:
  if (stack[--sp] < 100)
    code -= 6;
  NEXT;
halt:
  return stack[sp - 1];
}

static int relative(int n) {
  static const int offsets[] = { &&a - &&a, &&b - &&a, &&c - &&a };
  int r = 0;
  goto *(&&a + offsets[n]);
a:
  r += 1;
b:
  r += 10;
c:
  r += 100;
  return r;
}

int main(void) {
  static const unsigned char p[] = { 1, 5, 1, 7, 2, 4, 3, 0 };
  printf("%d\n", run(p));
  static const unsigned char q[] = { 1, 2, 4, 3, 1, 0, 2, 4, 1, 0, 3, 1, 9, 2, 0 };
  printf("%d\n", run(q));
  for (int i = 0; i < 3; i++)
    printf("%d ", relative(i));
  void *l = &&end;
  int n = 0;
back:
  if (n++ < 5) {
    void *t = n & 1 ? &&back : l;
    if (n == 4)
      l = &&done;
    goto *t;
  end:
    printf("e%d ", n);
    goto back;
  }
done:
  printf("%d\n", n);
  return 0;
}
