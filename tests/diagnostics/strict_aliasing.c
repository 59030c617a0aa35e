// flags: -O2 -Wall -Wno-unused-value
struct A { int x; float y; } a, *ap;
struct C { char c; int z; };
struct I { int i; };
union U { int i; float f; } u;
enum E { ONE } e;
typedef int __attribute__((may_alias)) any_int;
int i, *ip, (*fp)(void);
long l;
long long ll;
float f;
short s[4];
char bytes[4];
double _Complex z;
void *vp;

void differ(int k)
{
    i = *(int *)&f;
    i = *(int *)&s;
    i = *(int *)s;
    i = ((int *)&f)[0];
    i = ((struct I *)&f)->i;
    i = ((struct C *)&f)->z;
    i = *(int *)&a.y;
    i = *(int *)&ap->y;
    i = *(int *)&u.f;
    l = *(long *)&ll;
    f = **(float **)&ip;
    vp = *(char **)&ip;
    fp = *(int (**)(void))&ip;
    i = *(int *)(void *)&f;
    i = *(int *)(long)&f;
    *(int *)&f = 3;
    (*(int *)&f)++;
    i = *(volatile int *)&f;
    i = *(int *)&z;
    *(int **)&ap = 0;
    *(int ***)&ip = 0;
    *(unsigned **)&ip = 0;
}

void may_alias(int k)
{
    i = *(int *)bytes;
    i = ((int *)&f)[1];
    i = ((struct I *)&i)->i;
    i = ((union U *)&f)->i;
    i = *(int *)&a;
    f = *(float *)&a;
    i = *(unsigned *)&i;
    e = *(enum E *)&i;
    vp = *(void **)&ip;
    ip = *(int **)&vp;
    *(void **)&fp = vp;
    i = *(any_int *)&f;
    f = *(float *)ip;
    *(const int **)&ip = 0;
    __builtin_memcpy(&f, (int *)&i, 4);
}
