#include <stdio.h>
struct item { int id, price; struct item *next; };
static struct item *find(struct item *list, int id) {
    while (list && list->id != id) list = list->next;
    return list;
}
int main(void) {
    struct item b = {2, 50, 0}, a = {1, 20, &b};
    int total = 0;
    for (int id = 1; id <= 3; id++) {
        struct item *found = find(&a, id);
#ifdef GOOD
        if (!found) continue;
#endif
        total += found->price; // BUG: pointer
    }
    printf("%d\n", total);
    return 0;
}
