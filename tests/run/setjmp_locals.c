// What holds behind a second return: locals and parameters that were not changed since the first, whatever registers did in between;
// volatile ones with their last value; and everything that is set afterwards.
#include <setjmp.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf env;

__attribute__((noinline)) static int scramble(int a, int b, int c, int d, int e, int f) {
  int x = a * 3 + b, y = c ^ d, z = e - f;
  for (int i = 0; i < 10; i++) {
    x += y * i;
    y ^= z + i;
    z -= x;
  }
  return x ^ y ^ z;
}

__attribute__((noinline)) static void jump(int value) {
  scramble(value, 1, 2, 3, 4, 5);
  longjmp(env, value);
}

// More values live across the call than there are registers, none changed behind it.
__attribute__((noinline)) static long many(long a, long b, long c, long d, long e, long f, double g, double h) {
  long i = a * b, j = b * c, k = c * d, l = d * e, m = e * f, n = f * a, o = a - f, p = b - e;
  double q = g * h, r = g - h;
  int back = setjmp(env);
  if (!back) {
    long s = i + j, t = k ^ l, u = m - n, v = o * p;
    for (int w = 0; w < 20; w++) {
      s = s * 3 + t;
      t ^= u;
      u += v;
      v -= s;
    }
    if (s + t + u + v != 12345)
      jump(7);
  }
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + i + j + k + l + m + n + o + p + back + (long)q + (long)r;
}

// `first` is unchanged; what is derived from it later is not it, even where its last use on the ordinary paths has passed.
__attribute__((noinline)) static int derived(int argument) {
  int first = scramble(argument, 2, 3, 4, 5, 6);
  int back = setjmp(env);
  if (back)
    return first + back;
  printf("first %d\n", first);
  int value = first;
  for (int i = 0; i < 5; i++) {
    value = i & 1 ? value * 5 + 1 : value - 3;
    if (value % 7 == 3)
      value = 11;
    printf("%d ", value);
  }
  printf("\n");
  jump(1);
  return -1;
}

// A loop around the call: each round saves the place anew.
__attribute__((noinline)) static int rounds(int count) {
  volatile int sum = 0;
  volatile int round = 0;
  for (round = 0; round < count; round++) {
    int mine = scramble(round, count, 0, 0, 0, 0) & 15;
    int back = setjmp(env);
    if (!back && mine > 4)
      jump(mine + 1);
    sum += back * 100 + mine;
  }
  return sum;
}

// Only set behind the call: no value crosses it.
__attribute__((noinline)) static int afterwards(int n) {
  volatile int tries = 0;
  int total, i;
  setjmp(env);
  total = 0;
  for (i = 0; i <= n; i++)
    total += i;
  if (++tries < 3)
    jump(1);
  return total * 10 + tries;
}

static int parameter_kept(const char *text, int times) {
  int back = setjmp(env);
  if (back < times)
    jump(back + 1);
  printf("%s %d %d\n", text, times, back);
  return back;
}

static void fork_twice(int number) {
  int copy = number * 2;
  fflush(stdout);
  pid_t child = vfork();
  if (child == 0)
    _exit(number & 15);
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d, %d %d\n", WEXITSTATUS(status), number, copy);
}

static void *words[5];

__attribute__((noinline)) static void built_in_jump(void) {
  scramble(1, 2, 3, 4, 5, 6);
  __builtin_longjmp(words, 1);
}

__attribute__((noinline)) static int built_in(int a, int b) {
  int c = a * b, d = a - b;
  if (__builtin_setjmp(words) == 0) {
    if (scramble(c, d, a, b, c, d) != 99)
      built_in_jump();
    return -1;
  }
  return a + b * 10 + c * 100 + d * 1000;
}

// A goto out of a nested function: changed variables have their last value.
static int out_of_nested(int n) {
  __label__ done;
  int counter = 0, kept = n * 2, last = -1;
  void visit(int i) {
    if (i > 5)
      goto done;
  }
  for (int i = n; i < 100; i++) {
    counter++;
    last = i;
    visit(i);
  }
  return -1;
done:
  return counter * 10000 + kept * 100 + last;
}

int main(void) {
  printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7.5, 2.5));
  printf("%d\n", derived(3));
  printf("%d\n", rounds(6));
  printf("%d\n", afterwards(9));
  parameter_kept("kept", 3);
  fork_twice(5);
  printf("%d\n", built_in(3, 4));
  printf("%d\n", out_of_nested(2));
  return 0;
}
