// flags: -Wall
// What is said of values that nobody uses: nothing of conditionals in which something happens.
int get(void *);
struct ops { void *owner; } *p;
int a[3];
void macro(struct ops **m) { (((*m) && get((*m)->owner) ? (*m) : ((void *)0))); }
void arms(int x, int y) { get(p) ? x : y; get(p) ? x : x + 1; get(p) ? get(a) : x; }
void comma(int x, int y) { get(p), x + y; get(p), 0; (get(p), x), y; x, y; }
void computed(int x, int y) { get(p) + y; -get(p); (long)get(p); a[get(p)]; (get(p) ? p : 0)->owner; }
void logical(int x, int y) { get(p) || get(a); x || get(a); get(p) && x; x + (y ? get(p) : 1); }
