// flags: -Wextra
struct pair { int a, b; };
struct nested { struct pair p; int c; };
struct flexible { int n; char rest[]; };
struct pair none = {}, zero = { 0 }, one = { 1 }, named = { .a = 1 };
struct nested zeros = { 0 }, inner_zero = { { 0 } }, inner = { { 1 }, 2 }, flat = { 1 };
struct nested chain = { .p.a = 1 }, braces = { .p = { 1 } }, inner_named = { { .a = 1 } };
struct pair list[2] = { 1, 2, 3 }, ranges[] = { [1] = { 1 }, { 2 } };
struct flexible tail = { 1 };
struct { void *p; int n; } null = { (void *)0 };
struct { int a; struct { int x, y; }; } anonymous = { 1 };
void automatic(void) { struct pair p = { 1 }; struct pair q = (struct pair){ 1 }; (void)p; (void)q; }

struct pair twice = { .a = 1, .a = 2 }, turned = { .b = 1, .a = 2 };
int array[4] = { [1] = 1, [0] = 2, [2 ... 3] = 3, [3] = 4 };
int backwards[] = { [3] = 1, [1] = 2, 3, 4 };
struct nested whole = { .p.a = 1, .p = { 2, 3 } }, rest = { .p = { .a = 1 }, .p.b = 2 };
void local(void) { int a[2] = { [0] = 1, [0] = 2 }; (void)a; }
struct nested out_of_order[] = { [1] = { .c = 1, .p.b = 2 }, [0].p = { 3, 4 }, [0].c = 5, [1].p = { 6, 7 } };
char text[2][6] = { "hello", [1] = "world", [0][0] = 'j' };
int sequence[6] = { 1, [4] = 2, [2] = 3, [3] = 4, 5 };
