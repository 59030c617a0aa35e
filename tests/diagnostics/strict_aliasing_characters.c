// flags: -O2 -Wall
// An object with a character in it may be accessed as anything; not so the reverse.
struct address { unsigned short family; char data[14]; };
struct in { unsigned short family, port; unsigned address; };
struct route { long pad; struct address mask; } r;
struct number { int x; } n;
struct mixed { int y; char c; };
unsigned of_member(struct route *p) { return ((struct in *)&p->mask)->address; }
unsigned of_object(void) { return *(unsigned *)&r; }
int reverse(void) { return ((struct mixed *)&n)->y; }
