#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { char *key; int count; } table[8];
static void count(char *key) {
    int i = 0;
    for (; table[i].key; i++)
        if (strcmp(table[i].key, key) == 0) {
            table[i].count++;
#ifdef GOOD
            free(key);
#endif
            return;
        }
    table[i].key = key;
    table[i].count = 1;
}
int main(void) {
    const char *words[] = {"a", "b", "a"};
    for (int i = 0; i < 3; i++) count(strdup(words[i])); // BUG: leak
    for (int i = 0; table[i].key; i++) {
        printf("%s %d\n", table[i].key, table[i].count);
        free(table[i].key);
    }
    memset(table, 0, sizeof table);
    return 0;
}
