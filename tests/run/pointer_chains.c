// Long chains of loads, each the next one's address.
#include <stdio.h>

struct node {
  struct node *next;
  int value;
};

static int deep(int ****************p) { return ****************p; }
static int far(struct node *n) {
  return n->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->value;
}
static int both(struct node *n, int ****************p, unsigned char i) {
  return n->next->next->next->next->next->next->value * 3 + ****************p - n->next->next->next->next->value * i;
}
static void set(struct node *n, int value) { n->next->next->next->next->next->next->next->next->next->next->next->value = value; }
static int less(struct node *n, struct node *m) {
  return n->next->next->next->next->next->next->next->next->next->next->next <
         m->next->next->next->next->next->next->next->next->next->next->next->next;
}

int main(void) {
  struct node nodes[7];
  for (int i = 0; i < 7; i++) nodes[i] = (struct node){ &nodes[(i + 1) % 7], i * 11 };
  int x = 42, *p1 = &x, **p2 = &p1, ***p3 = &p2, ****p4 = &p3, *****p5 = &p4, ******p6 = &p5, *******p7 = &p6;
  int ********p8 = &p7, *********p9 = &p8, **********p10 = &p9, ***********p11 = &p10, ************p12 = &p11;
  int *************p13 = &p12, **************p14 = &p13, ***************p15 = &p14, ****************p16 = &p15;
  printf("%d %d %d\n", deep(p16), far(nodes), both(nodes, p16, 5));
  set(nodes, 1000);
  for (int i = 0; i < 7; i++) printf("%d ", nodes[i].value);
  printf("%d %d\n", less(nodes, nodes), less(nodes + 1, nodes + 5));
  return 0;
}
