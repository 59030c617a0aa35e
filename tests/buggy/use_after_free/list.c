#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    for (struct node *n = head, *next; n; n = next) {
#ifdef GOOD
        next = n->next;
#endif
        free(n);
#ifdef GOOD

#else
        next = n->next; // BUG: use-after-free
#endif
    }
    return 0;
}
