#include <stdio.h>
struct account { char name[8]; int balance; };
static void set_name(struct account *a, const char *name) {
    int i;
#ifdef GOOD
    for (i = 0; i < 7 && name[i]; i++)
#else
    for (i = 0; name[i]; i++)
#endif
        a->name[i] = name[i]; // BUG: member
    a->name[i] = 0;
}
int main(void) {
    struct account a = {"", 100};
    set_name(&a, "alexandra");
    printf("%s %d\n", a.name, a.balance);
    return 0;
}
