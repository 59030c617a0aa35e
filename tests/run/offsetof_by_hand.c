// checked: pointer, a member of a null pointer's structure is named
// Differences of addresses from a null pointer are constants gcc takes where integer constant expressions are wanted, with subscripts, too.
#include <stdio.h>

struct part {
    char tag;
    short values[3];
};
struct record {
    int first;
    int field[4];
    struct part parts[5];
};

#define OFFSET(member) (((char *)&((struct record *)0)->member) - (char *)0)
#define PLACE(member) ((unsigned long)&((struct record *)0)->member)
#define ELSEWHERE(member) ((unsigned long)&((struct record *)64)->member)

enum { SECOND = OFFSET(field[1]) };
_Static_assert(OFFSET(field[2]) == 12, "a subscript behind a member");

static char room[OFFSET(parts[1])];
static int table[] = {[OFFSET(field[1])] = 3};
struct bits {
    unsigned narrow : OFFSET(field[1]);
};

static struct record object;

static int which(long offset)
{
    switch (offset) {
    case OFFSET(field): return 0;
    case OFFSET(field[3]): return 3;
    case PLACE(parts[2].values[1]): return 21;
    default: return -1;
    }
}

int main(int count, char **arguments)
{
    (void)arguments;
    struct bits bits = {255};
    struct record *null = 0;
    printf("%d %zu %zu %u\n", SECOND, sizeof room, sizeof table / sizeof *table, bits.narrow);
    printf("%d %d %d %d\n", which(4), which(16), which(38), which(5));
    printf("%lu %lu %lu\n", PLACE(parts[count].values[2]), ELSEWHERE(parts[3].values[1]), ELSEWHERE(parts[count].values));
    printf("%d %d\n", null->field == (int *)4, (int)sizeof ((struct record *)0)->parts);
    printf("%d\n", (int)((char *)((struct record *)&object)->parts[1].values - (char *)&object));
    return 0;
}
