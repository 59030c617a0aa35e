// Objects on the heap that nobody reads are not made; those that something reads are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int filled(int n) {
    int *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = i;
    free(p);
    return n;
}

__attribute__((noinline)) static int summed(int n) {
    int *p = malloc(n * sizeof *p), sum = 0;
    for (int i = 0; i < n; i++) p[i] = i;
    for (int i = 0; i < n; i++) sum += p[i];
    free(p);
    return sum;
}

__attribute__((noinline)) static int linked(void) {
    struct node { struct node *next; int value; } *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = 0;
    b->value = 5;
    int value = a->next->value;
    free(b);
    free(a);
    return value;
}

__attribute__((noinline)) static void copied(const char *text) {
    char *copy = strdup(text);
    free(copy);
    char **table = calloc(4, sizeof *table);
    table[0] = strdup(text);
    table[1] = table[0];
    puts(table[1]);
    free(table[0]);
    free(table);
}

int main(void) {
    printf("%d %d %d\n", filled(10), summed(10), linked());
    copied("text");
}
