// flags: -O0
// Addresses inside of local objects that `return` spells out, and some that are not.
struct S { int a[4]; int b; };
extern int x;
int *sum(void) { int a[3]; return a + x; }
int *difference(void) { int a[3]; return a - x; }
int *row(void) { int a[3][4]; return a[1]; }
int *member(struct S s) { return s.a; }
int *member_sum(void) { struct S s[2]; return s[1].a + 1; }
int *converted(void) { int a[2]; return (int *)(char *)a; }
int *whole(void) { int a[2]; return &*a; }
int *lasting(void) { static int a[3]; return a + 1; }
int *argument(int a[3]) { return a + 1; }
int *pointed(struct S *p) { return p->a + 1; }
int *pointed_element(struct S *p) { return &p->a[1]; }
int *of_element(struct S **s) { struct S *p[2] = {s[0], s[1]}; return p[1]->a; }
int *value(int **s) { int *p[2] = {s[0], s[1]}; return p[1] + 1; }
