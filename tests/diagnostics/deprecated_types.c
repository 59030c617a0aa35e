// flags: -std=gnu2x
typedef int old_int __attribute__((deprecated));
old_int variable;
old_int function(old_int parameter);
old_int again __attribute__((deprecated));
struct __attribute__((deprecated("use new"))) old { struct old *next; };
struct old object;
unsigned long size = sizeof(struct old *);
struct { int a; } __attribute__((deprecated)) unnamed;
struct members { int gone [[deprecated]]; int there; };
int read(struct members m, struct members *p) { return m.gone + p->gone + p->there; }
enum constants { FIRST [[deprecated("second")]], SECOND };
int constant(void) { return FIRST + SECOND; }
enum __attribute__((deprecated)) old_enum { THIRD };
enum old_enum third = THIRD;
typedef struct { int a; } never __attribute__((unavailable));
never unavailable;
union __attribute__((unavailable("removed"))) removed { int a; };
void take(union removed *r);
