// Which accesses to members the types keep apart, and which they do not: run at every level, the
// answers are those of the abstract machine.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int first, second; };
struct line { struct pair from, to; int width; };
struct text { int length; char bytes[12]; };
struct tail { int length; struct pair pairs[]; };
union number { struct pair words; long long whole; char bytes[8]; };
struct tagged { union number value; unsigned char kind; };
struct node { struct node *next, *previous; };
struct item { int key; struct node links; int value; };

// A part of the same object.
__attribute__((noinline)) static int through_part(struct line *line, struct pair *pair) {
    line->to.second = 1;
    pair->second = 2;
    line->to.first = 3;
    return line->to.second * 10 + pair->first;
}

// An element of a member that is an array, by an index.
__attribute__((noinline)) static int element(struct tail *tail, struct pair *pair, int i) {
    pair->first = 1;
    tail->pairs[i].first = 2;
    return pair->first;
}

// Members of a union share their bytes.
__attribute__((noinline)) static int in_union(union number *number, struct pair *pair) {
    pair->second = 1;
    number->whole = 2LL << 32;
    return pair->second;
}

__attribute__((noinline)) static int other_member(union number *a, union number *b) {
    a->words.second = 1;
    b->bytes[4] = 5;
    return a->words.second;
}

// Characters may be anything.
__attribute__((noinline)) static int characters(struct text *text, struct pair *pair, char *byte) {
    pair->first = 1;
    text->bytes[8] = 6;
    *byte = 7;
    return pair->first;
}

// A pointer to the member's type.
__attribute__((noinline)) static int by_scalar(struct line *line, int *p) {
    line->width = 1;
    *p = 8;
    return line->width;
}

// A whole structure or union is copied over.
__attribute__((noinline)) static int copied(struct line *line, struct pair *from, struct pair *to) {
    line->to.first = 1;
    *to = *from;
    return line->to.first;
}

__attribute__((noinline)) static int kind(struct tagged *a, struct tagged *b, struct pair *words) {
    words->first = 9;
    a->kind = 4;
    b->value = a->value;
    return a->kind * 100 + words->first;
}

// A list whose links are members of what they link.
__attribute__((noinline)) static int linked(struct item *item, struct node *node) {
    item->links.next = NULL;
    node->next = node;
    node->previous = NULL;
    return item->links.next == node && item->links.previous == NULL;
}

// Memory that becomes an object of another type.
__attribute__((noinline)) static int again(void *memory) {
    struct pair *pair = memory;
    pair->first = 5;
    int old = pair->first;
    struct text *text = memory;
    text->length = 6;
    return old * 10 + text->length;
}

// What one path has stored, another has to load.
__attribute__((noinline)) static int paths(struct line *line, struct pair *pair, int n) {
    if (n > 0) {
        line->width = n;
        pair->first = 1;
    } else {
        printf("%d\n", n);
    }
    return line->width * 10 + pair->first;
}

int main(void) {
    struct line line = { { 1, 2 }, { 3, 4 }, 5 };
    printf("%d\n", through_part(&line, &line.to));
    struct tail *tail = malloc(sizeof *tail + 4 * sizeof(struct pair));
    memset(tail, 0, sizeof *tail + 4 * sizeof(struct pair));
    printf("%d\n", element(tail, &tail->pairs[2], 2));
    union number number = { { 1, 2 } };
    printf("%d\n", in_union(&number, &number.words));
    printf("%d\n", other_member(&number, &number));
    struct text text = { 1, "" };
    struct pair pair = { 1, 2 };
    printf("%d\n", characters(&text, &pair, (char *)&pair));
    printf("%d\n", by_scalar(&line, &line.width));
    printf("%d\n", copied(&line, &pair, &line.to));
    struct tagged a = { { { 1, 2 } }, 3 }, b = { { { 5, 6 } }, 7 };
    printf("%d\n", kind(&a, &b, &b.value.words));
    printf("%d\n", kind(&a, &a, &a.value.words));
    struct item item = { 1, { NULL, NULL }, 2 };
    printf("%d\n", linked(&item, &item.links));
    printf("%d\n", again(tail));
    printf("%d\n", paths(&line, &line.from, 3));
    printf("%d\n", paths(&line, &line.to, -1));
    free(tail);
    return 0;
}
