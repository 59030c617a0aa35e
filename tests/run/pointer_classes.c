// Which pointers may be read as which others: those to compatible types, and any as `void *`, as in
// gcc. What is stored through one pointer is loaded through the other, in functions that cannot
// know that both lead to one place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};
struct later;
enum colour { RED, GREEN };
typedef struct {
    int x;
} unnamed;
typedef int (*function)(int);
typedef int (*three)[3], (*any_number)[];

#define SAME(NAME, A, B)                                          \
    __attribute__((noinline)) static int NAME(A *a, B *b, A x, B y) { \
        *a = x;                                                   \
        *b = y;                                                   \
        return *a == (A)y;                                        \
    }

SAME(void_and_record, void *, struct node *)
SAME(record_and_void, struct node *, void *)
SAME(void_and_levels, void *, struct node **)
SAME(characters, char *, void *)
SAME(numbers, int *, int volatile *)
SAME(enumerations, enum colour *, unsigned *)
SAME(arrays, three, any_number)
SAME(records, struct node *, struct node const *)
SAME(incomplete, struct later *, struct later *)
SAME(without_tags, unnamed *, unnamed *)
SAME(functions, function, void *)
SAME(long_levels, void *, char ****)

struct later {
    int y;
};

/* Pushes on a stack of one kind of pointer do not change pointers of another. */
struct op {
    struct op *next;
    int number;
};
static struct op *current;
static struct node **stack;

__attribute__((noinline)) static int push(struct node *a, struct node *b) {
    int sum = current->number;
    *++stack = a;
    current = current->next;
    sum = sum * 10 + current->number;
    *++stack = b;
    current = current->next;
    return sum * 10 + current->number;
}

/* A union of pointers, and a copy of a pointer's bytes. */
union either {
    struct op *op;
    struct node *node;
};
__attribute__((noinline)) static struct node *other(union either *e, struct op *op) {
    e->op = op;
    return e->node;
}
__attribute__((noinline)) static struct node *copied(struct op **from, struct node **to, struct op *op) {
    *from = op;
    memcpy(to, from, sizeof *to);
    return *to;
}

/* A free list that is threaded through objects of any type by `void *`. */
static void *free_list;
__attribute__((noinline)) static void give_back(void *object) {
    *(void **)object = free_list;
    free_list = object;
}
__attribute__((noinline)) static struct node *take(struct node *next) {
    struct node *object = free_list;
    free_list = *(void **)object;
    object->next = next;
    object->value = 7;
    return object;
}

int main(void) {
    struct node n[2] = {{n + 1, 1}, {0, 2}};
    struct op ops[3] = {{ops + 1, 4}, {ops + 2, 5}, {0, 6}};
    void *place;
    unnamed u;
    struct later l;
    unsigned array[3] = {0};
#define CHECK(NAME, X, Y) printf("%s %d\n", #NAME, NAME((void *)&place, (void *)&place, (void *)(X), (void *)(Y)))
    CHECK(void_and_record, 0, n);
    CHECK(record_and_void, n, n + 1);
    CHECK(void_and_levels, 0, n);
    CHECK(characters, 0, n);
    CHECK(numbers, 0, array);
    CHECK(enumerations, 0, array + 2);
    CHECK(arrays, 0, array);
    CHECK(records, n, n + 1);
    CHECK(incomplete, 0, &l);
    CHECK(without_tags, 0, &u);
    CHECK(functions, 0, abs);
    CHECK(long_levels, 0, n);

    struct node *slots[4] = {0};
    current = ops;
    stack = slots;
    printf("%d", push(n, n + 1));
    printf(" %d %d\n", slots[1]->value, slots[2]->value);

    union either e;
    struct op *op;
    struct node *node;
    printf("%d %d\n", other(&e, ops) == (void *)ops, copied(&op, &node, ops + 1) == (void *)(ops + 1));

    for (int i = 0; i < 3; i++) {
        give_back(malloc(sizeof(struct node)));
    }
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        list = take(list);
    }
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    printf("%d %d\n", sum, free_list == 0);
    return 0;
}
