#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n); // BUG: leak
    n->value = value;
    n->next = head;
    return n;
}
int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) head = push(head, i);
    printf("%d\n", head->value);
#ifdef GOOD
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
#else
    free(head);
#endif
    return 0;
}
