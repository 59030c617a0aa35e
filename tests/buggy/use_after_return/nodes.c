#include <stdio.h>
struct node { int value; struct node *next; };
static struct node *head;
static void add(int value) {
#ifdef GOOD
    static struct node pool[3]; static int used; struct node *n = &pool[used++]; n->value = value; n->next = head;
#else
    struct node n = {value, head};
#endif
#ifdef GOOD
    head = n;
#else
    head = &n;
#endif
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) add(i);
    for (struct node *n = head; n; n = n->next)
        sum += n->value; // BUG: use-after-return
    printf("%d\n", sum);
    return 0;
}
