// flags: -fwrapv
#include <stdio.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static unsigned long gcd(unsigned long a, unsigned long b) { return b ? gcd(b, a % b) : a; }

static void hanoi(int n, char a, char b, char c, int *moves) {
  if (n == 0)
    return;
  hanoi(n - 1, a, c, b, moves);
  ++*moves;
  hanoi(n - 1, c, b, a, moves);
}

static int queens(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
  if (row == n)
    return 1;
  int count = 0;
  for (unsigned free = ~(cols | d1 | d2) & ((1u << n) - 1); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
  }
  return count;
}

struct tree {
  struct tree *left, *right;
  int key;
};

static struct tree *insert(struct tree *t, struct tree *node) {
  if (!t)
    return node;
  if (node->key < t->key)
    t->left = insert(t->left, node);
  else
    t->right = insert(t->right, node);
  return t;
}

static int walk(const struct tree *t, int depth) {
  return t ? walk(t->left, depth + 1) + t->key * depth + walk(t->right, depth + 1) : 0;
}

static void permute(char *s, int k, int n, int *sum) {
  if (k == n) {
    *sum = *sum * 31 + s[0] * 3 + s[n - 1];
    return;
  }
  for (int i = k; i < n; i++) {
    char t = s[k];
    s[k] = s[i];
    s[i] = t;
    permute(s, k + 1, n, sum);
    s[i] = s[k];
    s[k] = t;
  }
}

int main(void) {
  printf("%d %d %d %lu\n", fib(20), ack(2, 9), is_even(1001), gcd(1234567890, 987654321));
  int moves = 0;
  hanoi(10, 'a', 'b', 'c', &moves);
  printf("%d %d\n", moves, queens(8, 0, 0, 0, 0));
  struct tree nodes[50], *root = 0;
  for (int i = 0; i < 50; i++) {
    nodes[i] = (struct tree){ 0, 0, i * 37 % 50 };
    root = insert(root, &nodes[i]);
  }
  printf("%d\n", walk(root, 1));
  int sum = 0;
  permute((char[]){ "abcde" }, 0, 5, &sum);
  printf("%d\n", sum);
  return 0;
}
