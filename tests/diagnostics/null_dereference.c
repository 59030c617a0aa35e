// flags: -c -O2 -Wnull-dereference
// Accesses through pointers that are null: the constant, behind a comparison with null, and where null flows together with others.
struct node {
    int value;
    struct node *next;
    int more[2000];
};
void take(int);

int constant(void) {
    int *p = 0;
    return *p;
}
int joined(int c, int *q) {
    int *p = 0;
    if (c)
        p = q;
    return *p;
}
int member(struct node *n) {
    if (!n)
        return n->value;
    return 0;
}
int behind(struct node *n) {
    if (n == 0) {
        if (n->next)
            return 1;
    }
    return n->value;
}
void chosen(int c, const char *other) {
    const char *text = c ? other : 0;
    take(text[0]);
}

// Nothing is known here.
int tested(struct node *n) {
    int r = n ? n->value : 0;
    return r + n->value;
}
int far(int c, int *q) {
    int *p = 0;
    if (c > 3)
        p = q;
    if (c > 5)
        return *p;
    return 0;
}
struct node *last(struct node *n) {
    struct node *before = 0;
    while (n) {
        before = n;
        n = n->next;
    }
    return before;
}
int replaced(struct node *n, struct node *other) {
    if (!n)
        n = other;
    return n->value;
}
// Not the first page: an address of a device, say.
int far_member(void) {
    return ((struct node *)0)->more[1999];
}
int device(void) {
    return *(volatile int *)0x40001000;
}
int size(void) {
    return sizeof(((struct node *)0)->more) + (int)(long)&((struct node *)0)->next;
}
