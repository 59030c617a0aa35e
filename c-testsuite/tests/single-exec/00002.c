int printf(const char *, ...);

struct node {
  struct node *next;
  int value;
};

int main() {
  struct node c = { 0, 3 }, b = { &c, 2 }, a = { &b, 1 }, *p, *q = 0, *r;
  for (p = &a; p; p = r) {
    r = p->next;
    p->next = q;
    q = p;
  }
  for (p = q; p; p = p->next)
    printf("%d\n", p->value);
  return 0;
}
