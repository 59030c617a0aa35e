// Static variables that look as if nothing wrote them, and some that nothing writes.
#include <stdio.h>
#include <string.h>

static int never = 7;
static int table[4] = { 1, 2, 3, 4 };
static const char *words[] = { "zero", "one", "two" };
static int zero;

static int chosen_a = 1, chosen_b = 2;
__attribute__((noinline)) static void through_phi(int which, int value)
{
    int *p = which ? &chosen_a : &chosen_b;
    if (value > 100) p = &chosen_b;
    *p = value;
}

static int passed = 3;
__attribute__((noinline)) static void set(int *p, int value) { *p = value; }

static int pointed = 4;
static int *pointer = &pointed;
static int *const constant_pointer = &pointed;

static char copied[8] = "before";
static char source[8] = "after";

static int in_loop[3] = { 5, 5, 5 };

static struct { int a, b[2]; } record = { 1, { 2, 3 } };
__attribute__((noinline)) static int *part(int i) { return &record.b[i]; }

static int kept __attribute__((used)) = 11;
static int placed __attribute__((section("my_items"))) = 12;
extern int __start_my_items[], __stop_my_items[];

static int aliased = 13;
extern int other_name __attribute__((alias("aliased")));

static long as_number = 14;
__attribute__((noinline)) static unsigned long address(void) { return (unsigned long)&as_number; }

static volatile int changing = 15;

static int *stepping_to;
static int stepped[4] = { 1, 1, 1, 1 };

__attribute__((noinline)) static int reads(int i)
{
    static int local[] = { 10, 20, 30 };
    static int counted = 5;
    counted++;
    return never + table[i & 3] + (zero ? 1000 : 0) + local[i % 3] + counted;
}

static int compared[2] = { 1, 2 };
__attribute__((noinline)) static int sum(const int *from, const int *to)
{
    int s = 0;
    for (const int *p = from; p != to; p++) s += *p;
    return s;
}

int main(void)
{
    through_phi(1, 10);
    through_phi(0, 20);
    through_phi(1, 300);
    set(&passed, 30);
    *pointer = 40;
    *constant_pointer += 1;
    memcpy(copied, source, sizeof copied);
    for (int i = 0; i < 3; i++) in_loop[i] += i;
    *part(1) = 33;
    for (int *p = __start_my_items; p != __stop_my_items; p++) *p += 100;
    other_name = 130;
    *(long *)address() = 140;
    changing++;
    stepping_to = stepped;
    for (int i = 0; i < 4; i++) *stepping_to++ = i;
    printf("%d %d %d %d\n", chosen_a, chosen_b, passed, pointed);
    printf("%s %s %d %d %d\n", copied, source, in_loop[0], in_loop[1], in_loop[2]);
    printf("%d %d %d %d %d %d %d\n", record.a, record.b[0], record.b[1], kept, placed, aliased, (int)as_number);
    printf("%d %d %d %d %d\n", changing, stepped[0], stepped[1], stepped[2], stepped[3]);
    printf("%d %d %d %s %s\n", reads(0), reads(1), reads(5), words[1], words[reads(2) & 1]);
    printf("%d %d\n", sum(compared, compared + 2), &compared[0] == (int *)compared);
    return 0;
}
