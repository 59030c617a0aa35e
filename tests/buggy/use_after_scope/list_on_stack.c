#include <stdio.h>
struct node { int value; struct node *next; };
int main(void) {
    struct node first = {1, 0};
#ifdef GOOD
    struct node second;
#endif
    do {
#ifndef GOOD
        struct node second;
#endif
        second = (struct node){2, 0};
        first.next = &second;
    } while (0);
    int sum = 0;
    for (struct node *n = &first; n; n = n->next)
        sum += n->value; // BUG: use-after-scope
    printf("%d\n", sum);
    return 0;
}
