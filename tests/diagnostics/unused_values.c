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

// Where the value is lost that a comma's left operand computes, and what a statement ends in.
int lost(int a, int b, int c)
{
    a = (a
         && (b++, 1)), c;
    a = b++
        + 1, c;
    (a
     || b++ && c), c++;
    (long)(a
           && b++), c++;
    a && (b++, 1);
    return a;
}
void n17(int a,int b,int c){ a && b++ == 1; }
void n18(int a,int b,int c){ a && b++ == 1, c++; }
void n19(int a,int b,int c){ a && (b++ , c == 1), c++; }
void n20(int a,int b,int c){ a && (b++ || c || (c++ && a)), c++; }
void n21(int a,int b,int c){ a && !b++, c++; }

// With a number, the operation is done in the arms of a choice.
struct buffer { int n; unsigned char *bytes; } *b;
void in_arms(int x)
{
    (x ? get(p) : (b->n++, b->bytes[b->n])) & 0xff;
    -((x ? get(p) : 2) + 1);
    3 - (x ? get(p) : x);
    (x ? get(p) : 2) & x;
    (x ? get(p) : 2) == 2;
    (x ? 1 : 2) & get(p);
}
